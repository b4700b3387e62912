//! The private key of a client, and the assertions that are signed with it (RFC 7523, `private_key_jwt`).

use std::fmt;
use std::sync::Arc;

use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, Ed25519KeyPair, RSA_PKCS1_SHA256, RsaKeyPair};
use data_encoding::BASE64URL_NOPAD;
use rustls_pki_types::PrivateKeyDer;
use rustls_pki_types::pem::PemObject;
use serde_json::json;

use super::random;
use super::token::now;
use crate::authorize::AuthorizeError;

/// The validity of an assertion in seconds.
const VALID: u64 = 120;

/// The private key with which a client authenticates at the authorization server, instead of a secret.
///
/// `Debug` does not show the key.
#[derive(Clone)]
pub struct PrivateKey {
    key: Arc<Key>,
    id: Option<String>,
}

enum Key {
    Es256(EcdsaKeyPair),
    Rs256(RsaKeyPair),
    EdDsa(Ed25519KeyPair),
}

impl PrivateKey {
    /// Reads a key in PEM format. The type of the key decides the algorithm: RS256 for RSA, ES256 for P-256, EdDSA for Ed25519.
    ///
    /// # Errors
    /// If the text contains no private key, or a key of another type.
    pub fn from_pem(pem: &str) -> Result<PrivateKey, AuthorizeError> {
        let der = PrivateKeyDer::from_pem_slice(pem.as_bytes());
        let der = der.map_err(|_| AuthorizeError::new("the text contains no private key in PEM format"))?;
        let key = match &der {
            PrivateKeyDer::Pkcs1(der) => RsaKeyPair::from_der(der.secret_pkcs1_der()).ok().map(Key::Rs256),
            PrivateKeyDer::Sec1(der) => {
                let algorithm = &ECDSA_P256_SHA256_FIXED_SIGNING;
                EcdsaKeyPair::from_private_key_der(algorithm, der.secret_sec1_der()).ok().map(Key::Es256)
            }
            PrivateKeyDer::Pkcs8(der) => from_pkcs8(der.secret_pkcs8_der()),
            _ => None,
        };
        let key = key.ok_or_else(|| AuthorizeError::new("the private key must be an RSA, P-256 or Ed25519 key"))?;
        Ok(PrivateKey { key: Arc::new(key), id: None })
    }

    /// Sets the key id (`kid`) of assertions, for authorization servers that have several keys of a client.
    #[must_use]
    pub fn id(mut self, id: impl Into<String>) -> PrivateKey {
        self.id = Some(id.into());
        self
    }

    /// Signs an assertion for `client`, which is valid for one authorization server and a short time.
    pub(super) fn assertion(&self, client: &str, issuer: &str) -> Result<String, AuthorizeError> {
        let algorithm = match &*self.key {
            Key::Es256(_) => "ES256",
            Key::Rs256(_) => "RS256",
            Key::EdDsa(_) => "EdDSA",
        };
        let mut header = json!({"alg": algorithm, "typ": "JWT"});
        if let Some(id) = &self.id {
            header["kid"] = json!(id);
        }
        let now = now();
        let claims = json!({
            "iss": client, "sub": client, "aud": issuer, "jti": random()?, "iat": now, "exp": now + VALID,
        });
        let part = |value: serde_json::Value| BASE64URL_NOPAD.encode(value.to_string().as_bytes());
        let message = format!("{}.{}", part(header), part(claims));
        let signature = BASE64URL_NOPAD.encode(&self.sign(message.as_bytes())?);
        Ok(format!("{message}.{signature}"))
    }

    fn sign(&self, message: &[u8]) -> Result<Vec<u8>, AuthorizeError> {
        let failed = |_| AuthorizeError::new("cannot sign with the private key");
        let random = SystemRandom::new();
        Ok(match &*self.key {
            Key::Es256(key) => key.sign(&random, message).map_err(failed)?.as_ref().to_vec(),
            Key::EdDsa(key) => key.sign(message).as_ref().to_vec(),
            Key::Rs256(key) => {
                let mut signature = vec![0; key.public_modulus_len()];
                key.sign(&RSA_PKCS1_SHA256, &random, message, &mut signature).map_err(failed)?;
                signature
            }
        })
    }
}

fn from_pkcs8(der: &[u8]) -> Option<Key> {
    let ecdsa = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, der).ok().map(Key::Es256);
    let rsa = || RsaKeyPair::from_pkcs8(der).ok().map(Key::Rs256);
    ecdsa.or_else(rsa).or_else(|| Ed25519KeyPair::from_pkcs8(der).ok().map(Key::EdDsa))
}

impl fmt::Debug for PrivateKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PrivateKey").field("id", &self.id).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use aws_lc_rs::signature::{ECDSA_P256_SHA256_FIXED, ED25519, KeyPair, RSA_PKCS1_2048_8192_SHA256, UnparsedPublicKey};
    use aws_lc_rs::{encoding::AsDer, rsa::KeySize};
    use data_encoding::BASE64;
    use serde_json::Value;

    use super::*;

    fn pem(der: &[u8]) -> String {
        format!("-----BEGIN PRIVATE KEY-----\n{}\n-----END PRIVATE KEY-----\n", BASE64.encode(der))
    }

    fn check(der: &[u8], algorithm: &str, verify: impl Fn(&[u8], &[u8]) -> bool) {
        let key = PrivateKey::from_pem(&pem(der)).unwrap().id("k1");
        let assertion = key.assertion("me", "https://issuer").unwrap();
        let (message, signature) = assertion.rsplit_once('.').unwrap();
        let decode = |text: &str| BASE64URL_NOPAD.decode(text.as_bytes()).unwrap();
        assert!(verify(message.as_bytes(), &decode(signature)), "{algorithm}");
        let (header, claims) = message.split_once('.').unwrap();
        let parse = |text| serde_json::from_slice::<Value>(&decode(text)).unwrap();
        assert_eq!(parse(header), json!({"alg": algorithm, "typ": "JWT", "kid": "k1"}));
        let claims = parse(claims);
        assert_eq!((&claims["iss"], &claims["sub"], &claims["aud"]), (&json!("me"), &json!("me"), &json!("https://issuer")));
        assert_eq!(claims["exp"].as_u64(), claims["iat"].as_u64().map(|at| at + VALID));
        assert!(!format!("{key:?}").contains("Key("), "{key:?}");
    }

    #[test]
    fn assertions_are_signed_with_keys_of_three_kinds() {
        let ecdsa = EcdsaKeyPair::generate(&ECDSA_P256_SHA256_FIXED_SIGNING).unwrap();
        let public = UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, ecdsa.public_key().as_ref().to_vec());
        check(ecdsa.to_pkcs8v1().unwrap().as_ref(), "ES256", |message, signature| public.verify(message, signature).is_ok());

        let ed25519 = Ed25519KeyPair::generate().unwrap();
        let public = UnparsedPublicKey::new(&ED25519, ed25519.public_key().as_ref().to_vec());
        check(ed25519.to_pkcs8().unwrap().as_ref(), "EdDSA", |message, signature| public.verify(message, signature).is_ok());

        let rsa = RsaKeyPair::generate(KeySize::Rsa2048).unwrap();
        let public = UnparsedPublicKey::new(&RSA_PKCS1_2048_8192_SHA256, rsa.public_key().as_ref().to_vec());
        let der: aws_lc_rs::encoding::Pkcs8V1Der<'_> = rsa.as_der().unwrap();
        check(der.as_ref(), "RS256", |message, signature| public.verify(message, signature).is_ok());
    }

    #[test]
    fn a_text_without_a_private_key_is_refused() {
        for text in ["", "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n", &pem(b"nonsense")] {
            assert!(PrivateKey::from_pem(text).is_err());
        }
    }
}
