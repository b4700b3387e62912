//! An issuer of tokens on a loopback port.

use std::convert::Infallible;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{SystemTime, UNIX_EPOCH};

use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair};
use bytes::Bytes;
use data_encoding::BASE64URL_NOPAD;
use http::{Request, Response};
use http_body_util::{BodyExt, Empty, Full};
use hyper_util::rt::TokioIo;
use jsonwebtoken::{Algorithm, EncodingKey, Header, encode};
use mcp_core::serde_json::{Value, json};
use mcp_http_jwt::{FetchError, Issuer};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

/// The endpoint that tokens are issued for.
pub(crate) const RESOURCE: &str = "https://mcp.example.com/mcp";

pub(crate) struct TestIssuer {
    address: String,
    shared: Arc<Shared>,
    serving: Mutex<Option<JoinHandle<()>>>,
}

struct Shared {
    key: Mutex<Key>,
    fetched: AtomicUsize,
}

struct Key {
    id: String,
    private: Vec<u8>,
    public: Vec<u8>,
}

impl Key {
    fn new(id: &str) -> Key {
        let private = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &SystemRandom::new()).unwrap();
        let pair = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, private.as_ref()).unwrap();
        Key { id: id.to_owned(), private: private.as_ref().to_vec(), public: pair.public_key().as_ref().to_vec() }
    }

    fn to_jwk(&self) -> Value {
        let [x, y] = [&self.public[1..33], &self.public[33..]].map(|half| BASE64URL_NOPAD.encode(half));
        json!({"kty": "EC", "crv": "P-256", "alg": "ES256", "use": "sig", "kid": self.id, "x": x, "y": y})
    }
}

impl TestIssuer {
    pub(crate) async fn start() -> TestIssuer {
        let shared = Arc::new(Shared { key: Mutex::new(Key::new("first")), fetched: AtomicUsize::new(0) });
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let serving = tokio::spawn(serve(listener, shared.clone()));
        TestIssuer { address, shared, serving: Mutex::new(Some(serving)) }
    }

    pub(crate) fn name(&self) -> &str {
        &self.address
    }

    pub(crate) fn as_issuer(&self) -> Issuer {
        Issuer::new(&self.address, format!("{}/jwks.json", self.address), get)
    }

    pub(crate) fn fetched(&self) -> usize {
        self.shared.fetched.load(Ordering::SeqCst)
    }

    /// Replaces the key.
    pub(crate) fn rotate(&self) {
        *self.shared.key.lock().unwrap() = Key::new("second");
    }

    pub(crate) async fn stop(&self) {
        let serving = self.serving.lock().unwrap().take().unwrap();
        serving.abort();
        assert!(serving.await.unwrap_err().is_cancelled());
    }

    /// Returns a valid token with these claims replaced; null removes a claim.
    pub(crate) fn token(&self, claims: Value) -> String {
        self.sign(&self.header(), claims)
    }

    pub(crate) fn token_of_type(&self, kind: &str) -> String {
        let mut header = self.header();
        header.typ = Some(kind.to_owned());
        self.sign(&header, json!({}))
    }

    /// Returns a token with the algorithm `none`.
    pub(crate) fn unsigned(&self) -> String {
        let part = |value: &Value| BASE64URL_NOPAD.encode(value.to_string().as_bytes());
        format!("{}.{}.", part(&json!({"alg": "none", "typ": "JWT"})), part(&self.claims(json!({}))))
    }

    /// Returns a token that is signed with the public key as a shared secret.
    pub(crate) fn confused(&self) -> String {
        let key = self.shared.key.lock().unwrap();
        let mut header = Header::new(Algorithm::HS256);
        header.kid = Some(key.id.clone());
        encode(&header, &self.claims(json!({})), &EncodingKey::from_secret(&key.public)).unwrap()
    }

    fn header(&self) -> Header {
        let mut header = Header::new(Algorithm::ES256);
        header.kid = Some(self.shared.key.lock().unwrap().id.clone());
        header
    }

    fn sign(&self, header: &Header, claims: Value) -> String {
        let key = EncodingKey::from_ec_der(&self.shared.key.lock().unwrap().private);
        encode(header, &self.claims(claims), &key).unwrap()
    }

    fn claims(&self, others: Value) -> Value {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs();
        let mut claims = json!({"iss": self.address, "sub": "ada", "aud": RESOURCE, "exp": now + 600});
        for (name, value) in others.as_object().unwrap() {
            match value {
                Value::Null => drop(claims.as_object_mut().unwrap().remove(name)),
                value => claims[name] = value.clone(),
            }
        }
        claims
    }
}

async fn serve(listener: TcpListener, shared: Arc<Shared>) {
    loop {
        let (stream, _) = listener.accept().await.unwrap();
        let shared = shared.clone();
        let service = hyper::service::service_fn(move |_: Request<hyper::body::Incoming>| {
            shared.fetched.fetch_add(1, Ordering::SeqCst);
            let set =
                json!({"keys": [{"kty": "oct", "k": "c2VjcmV0", "kid": "secret"}, shared.key.lock().unwrap().to_jwk()]});
            async move { Ok::<_, Infallible>(Response::new(Full::new(Bytes::from(set.to_string())))) }
        });
        let _ = hyper::server::conn::http1::Builder::new().serve_connection(TokioIo::new(stream), service).await;
    }
}

/// An HTTP client, as applications provide it.
async fn get(url: String) -> Result<Vec<u8>, FetchError> {
    let uri: http::Uri = url.parse()?;
    let stream = TcpStream::connect(uri.authority().unwrap().as_str()).await?;
    let (mut sender, connection) = hyper::client::conn::http1::handshake(TokioIo::new(stream)).await?;
    tokio::spawn(connection);
    let request = Request::get(uri.path()).header("host", "issuer").header("connection", "close");
    let response = sender.send_request(request.body(Empty::<Bytes>::new())?).await?;
    Ok(response.into_body().collect().await?.to_bytes().to_vec())
}
