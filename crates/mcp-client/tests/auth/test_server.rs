//! An MCP server and its authorization server, each on a port of this machine.

use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use aws_lc_rs::digest::{SHA256, digest};
use data_encoding::{BASE64, BASE64URL_NOPAD};
use http::{Request, Response, StatusCode, header};
use http_body_util::{BodyExt as _, Full};
use hyper::body::{Bytes, Incoming};
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use mcp_client::{Client, ConnectError, OAuth, Recovery, Revision};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use url::Url;

/// A response that replaces the normal one.
#[derive(Clone)]
pub(crate) enum Reply {
    Json(Value),
    Status(u16),
    Redirect(String),
    /// An endless document.
    Endless,
    /// No response.
    Never,
}

type Parameters = BTreeMap<String, String>;

/// The state and options of the two servers.
pub(crate) struct State {
    /// Replies by host and path, such as `auth /token`.
    pub(crate) replies: BTreeMap<String, Reply>,
    /// Host, method and path of each request.
    pub(crate) log: Vec<String>,
    /// The forms that the token endpoint got, with the header `authorization`.
    pub(crate) forms: Vec<Parameters>,
    /// The queries that the login page got.
    pub(crate) queries: Vec<Parameters>,
    /// The header `authorization` of each request to the MCP server.
    pub(crate) headers: Vec<Option<String>>,
    /// Additions to the metadata of the authorization server.
    pub(crate) metadata: Value,
    /// Changes the URL that the browser is redirected to.
    pub(crate) redirected: fn(&mut Url),
    /// Whether `server/discover` needs a token.
    pub(crate) discover_needs_token: bool,
    /// The scopes that a call needs.
    pub(crate) call_scopes: Vec<String>,
    /// Whether every refused call requires one more scope.
    pub(crate) greedy: bool,
    pub(crate) access: BTreeMap<String, String>,
    pub(crate) refresh: BTreeSet<String>,
    codes: BTreeMap<String, Parameters>,
    number: usize,
}

#[derive(Clone)]
pub(crate) struct World {
    pub(crate) mcp: Url,
    pub(crate) auth: String,
    state: Arc<Mutex<State>>,
    /// A permit for each response of the token endpoint.
    pub(crate) tokens: Arc<Semaphore>,
    /// A permit for each request to the token endpoint.
    pub(crate) asked: Arc<Semaphore>,
}

impl World {
    pub(crate) async fn start() -> World {
        let (mcp, auth) = (bind().await, bind().await);
        let url = |listener: &TcpListener| format!("http://{}", listener.local_addr().unwrap());
        let state = State {
            replies: BTreeMap::new(),
            log: Vec::new(),
            forms: Vec::new(),
            queries: Vec::new(),
            headers: Vec::new(),
            metadata: json!({}),
            redirected: |_| (),
            discover_needs_token: true,
            call_scopes: Vec::new(),
            greedy: false,
            access: BTreeMap::new(),
            refresh: BTreeSet::new(),
            codes: BTreeMap::new(),
            number: 0,
        };
        let world = World {
            mcp: Url::parse(&format!("{}/mcp", url(&mcp))).unwrap(),
            auth: url(&auth),
            state: Arc::new(Mutex::new(state)),
            tokens: Arc::new(Semaphore::new(1000)),
            asked: Arc::new(Semaphore::new(0)),
        };
        world.serve(mcp, "mcp");
        world.serve(auth, "auth");
        world
    }

    pub(crate) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap()
    }

    /// Replaces the response of a path.
    pub(crate) fn reply(&self, path: &str, reply: Reply) {
        self.state().replies.insert(path.to_owned(), reply);
    }

    /// Returns the number of requests for a path such as `auth POST /token`.
    pub(crate) fn count(&self, request: &str) -> usize {
        self.state().log.iter().filter(|line| *line == request).count()
    }

    pub(crate) fn logins(&self) -> usize {
        self.count("auth GET /authorize")
    }

    /// Connects with OAuth, as a user whose browser follows every redirect.
    pub(crate) async fn connect(&self, oauth: OAuth) -> Result<Client, ConnectError> {
        self.connect_with(oauth).await
    }

    pub(crate) async fn connect_with(&self, authorize: impl mcp_client::Authorize) -> Result<Client, ConnectError> {
        let builder = Client::http(self.mcp.as_str()).revision(Revision::NEWEST).recovery(Recovery::off());
        builder.timeout(Duration::from_secs(60)).authorize(authorize).await
    }

    /// Connects, and returns the error with its causes.
    pub(crate) async fn refusal(&self, oauth: OAuth) -> String {
        let error = self.connect(oauth).await.expect_err("the client must not connect");
        let mut text = error.to_string();
        let mut cause = std::error::Error::source(&error);
        while let Some(error) = cause {
            text = format!("{text}: {error}");
            cause = error.source();
        }
        text
    }

    /// The metadata of the MCP server.
    pub(crate) fn resource(&self) -> Value {
        json!({"resource": self.mcp, "authorization_servers": [self.auth]})
    }

    fn serve(&self, listener: TcpListener, host: &'static str) {
        let world = self.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let world = world.clone();
                tokio::spawn(async move {
                    let answer = service_fn(|request| {
                        let world = world.clone();
                        async move { Ok::<_, Infallible>(world.answer(host, request).await) }
                    });
                    let _ = hyper::server::conn::http1::Builder::new().serve_connection(TokioIo::new(stream), answer).await;
                });
            }
        });
    }

    async fn answer(&self, host: &str, request: Request<Incoming>) -> Response<Full<Bytes>> {
        let (head, body) = request.into_parts();
        let body = body.collect().await.map(http_body_util::Collected::to_bytes).unwrap_or_default();
        let path = head.uri.path().to_owned();
        let query = parse(head.uri.query().unwrap_or_default().as_bytes());
        let authorization = head.headers.get(header::AUTHORIZATION).map(|value| value.to_str().unwrap().to_owned());
        let reply = {
            let mut state = self.state();
            state.log.push(format!("{host} {} {path}", head.method));
            state.replies.get(&format!("{host} {path}")).cloned()
        };
        if path == "/token" {
            self.asked.add_permits(1);
            self.tokens.acquire().await.unwrap().forget();
        }
        match reply {
            Some(Reply::Json(document)) => json_response(200, &document),
            Some(Reply::Status(status)) => json_response(status, &json!({})),
            Some(Reply::Redirect(location)) => redirect(&location),
            Some(Reply::Endless) => {
                json_response(200, &json!({"issuer": self.auth, "resource": self.mcp, "x": "x".repeat(1 << 20)}))
            }
            Some(Reply::Never) => std::future::pending().await,
            None => match (host, &*path) {
                ("mcp", "/.well-known/oauth-protected-resource/mcp") => json_response(200, &self.resource()),
                ("mcp", "/mcp") => self.mcp_request(authorization, &body),
                ("auth", "/.well-known/oauth-authorization-server") => json_response(200, &self.metadata()),
                ("auth", "/register") => self.register(&body),
                ("auth", "/authorize") => self.authorize(query),
                ("auth", "/token") => self.token(parse(&body), authorization),
                _ => json_response(404, &json!({})),
            },
        }
    }

    pub(crate) fn metadata(&self) -> Value {
        let auth = &self.auth;
        let mut metadata = json!({
            "issuer": auth, "authorization_endpoint": format!("{auth}/authorize"), "token_endpoint": format!("{auth}/token"),
            "registration_endpoint": format!("{auth}/register"), "code_challenge_methods_supported": ["S256"],
            "token_endpoint_auth_methods_supported": ["none"],
        });
        for (key, value) in self.state().metadata.as_object().unwrap() {
            metadata[key] = value.clone();
        }
        metadata
    }

    fn register(&self, body: &[u8]) -> Response<Full<Bytes>> {
        let request: Value = serde_json::from_slice(body).unwrap();
        assert_eq!(request["application_type"], "native");
        let number = self.next();
        json_response(201, &json!({"client_id": format!("dynamic-{number}"), "redirect_uris": request["redirect_uris"]}))
    }

    fn authorize(&self, query: Parameters) -> Response<Full<Bytes>> {
        assert_eq!((&*query["response_type"], &*query["code_challenge_method"]), ("code", "S256"));
        let code = format!("code-{}", self.next());
        let mut url = Url::parse(&query["redirect_uri"]).unwrap();
        url.query_pairs_mut().append_pair("code", &code).append_pair("state", &query["state"]);
        let mut state = self.state();
        (state.redirected)(&mut url);
        state.queries.push(query.clone());
        state.codes.insert(code, query);
        redirect(url.as_str())
    }

    /// Makes the checks of a strict server.
    fn token(&self, form: Parameters, authorization: Option<String>) -> Response<Full<Bytes>> {
        let (number, mut state) = (self.next(), self.state());
        let mut recorded = form.clone();
        recorded.extend(authorization.map(|header| ("authorization".to_owned(), header)));
        state.forms.push(recorded);
        let refused = |code: &str| {
            // The description repeats the secrets of the request, which must not be shown.
            json_response(400, &json!({"error": code, "error_description": format!("{form:?}")}))
        };
        let scope = match &*form["grant_type"] {
            "authorization_code" => {
                let Some(asked) = state.codes.remove(&form["code"]) else { return refused("invalid_grant") };
                let challenge = BASE64URL_NOPAD.encode(digest(&SHA256, form["code_verifier"].as_bytes()).as_ref());
                let is_right = challenge == asked["code_challenge"]
                    && form["redirect_uri"] == asked["redirect_uri"]
                    && form["resource"] == asked["resource"];
                if !is_right {
                    return refused("invalid_grant");
                }
                asked.get("scope").cloned()
            }
            "refresh_token" if state.refresh.remove(&form["refresh_token"]) => None,
            "client_credentials" => form.get("scope").cloned(),
            _ => return refused("invalid_grant"),
        };
        let (access, refresh) = (format!("access-{number}"), format!("refresh-{number}"));
        state.access.insert(access.clone(), scope.unwrap_or_default());
        state.refresh.insert(refresh.clone());
        json_response(
            200,
            &json!({"access_token": access, "refresh_token": refresh, "token_type": "Bearer", "expires_in": 3600}),
        )
    }

    fn mcp_request(&self, authorization: Option<String>, body: &[u8]) -> Response<Full<Bytes>> {
        let request: Value = serde_json::from_slice(body).unwrap_or_default();
        let number = self.next();
        let mut state = self.state();
        state.headers.push(authorization.clone());
        let token = authorization.and_then(|header| header.strip_prefix("Bearer ").map(str::to_owned));
        let scopes = token.and_then(|token| state.access.get(&token).cloned());
        let method = request["method"].as_str().unwrap_or_default();
        let is_open = method == "server/discover" && !state.discover_needs_token;
        match scopes {
            _ if is_open => {}
            None => return challenge(401, "Bearer"),
            Some(scopes) if method == "tools/call" => {
                let missing = state.call_scopes.iter().find(|scope| !scopes.split(' ').any(|granted| granted == *scope));
                let asked = if state.greedy { Some(format!("scope-{number}")) } else { missing.cloned() };
                if let Some(scope) = asked {
                    return challenge(403, &format!(r#"Bearer error="insufficient_scope", scope="{scope}""#));
                }
            }
            Some(_) => {}
        }
        let result = match method {
            "server/discover" => json!({"supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}}}),
            "tools/list" => json!({"tools": [{"name": "look", "inputSchema": {"type": "object"}}]}),
            _ => json!({"content": [{"type": "text", "text": "seen"}]}),
        };
        let mut result = result;
        for (key, value) in [("resultType", json!("complete")), ("ttlMs", json!(0)), ("cacheScope", json!("private"))] {
            result[key] = value;
        }
        json_response(200, &json!({"jsonrpc": "2.0", "id": request["id"], "result": result}))
    }

    fn next(&self) -> usize {
        let mut state = self.state();
        state.number += 1;
        state.number
    }
}

/// The password of the header of basic authentication.
pub(crate) fn basic(header: &str) -> String {
    String::from_utf8(BASE64.decode(header.strip_prefix("Basic ").unwrap().as_bytes()).unwrap()).unwrap()
}

async fn bind() -> TcpListener {
    TcpListener::bind("127.0.0.1:0").await.unwrap()
}

fn parse(text: &[u8]) -> Parameters {
    url::form_urlencoded::parse(text).into_owned().collect()
}

fn json_response(status: u16, document: &Value) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::new(Bytes::from(document.to_string())));
    *response.status_mut() = StatusCode::from_u16(status).unwrap();
    response.headers_mut().insert(header::CONTENT_TYPE, header::HeaderValue::from_static("application/json"));
    response
}

fn redirect(location: &str) -> Response<Full<Bytes>> {
    let mut response = json_response(302, &json!({}));
    response.headers_mut().insert(header::LOCATION, header::HeaderValue::from_str(location).unwrap());
    response
}

fn challenge(status: u16, header: &str) -> Response<Full<Bytes>> {
    let mut response = json_response(status, &json!({}));
    response.headers_mut().insert(header::WWW_AUTHENTICATE, header::HeaderValue::from_str(header).unwrap());
    response
}
