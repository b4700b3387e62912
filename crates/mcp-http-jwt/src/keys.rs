//! The keys of an issuer, fetched when they are needed.

use std::fmt;
use std::sync::{Arc, Mutex as StdMutex, PoisonError, RwLock};
use std::time::Duration;

use jsonwebtoken::jwk::{AlgorithmParameters, Jwk, JwkSet, PublicKeyUse};
use jsonwebtoken::{Algorithm, DecodingKey};
use mcp_http::TokenError;
use tokio::sync::Mutex;
use tokio::time::Instant;

use crate::issuer::Fetch;

/// However many tokens name keys that nobody knows, the issuer is not asked more often than this.
const PAUSE: Duration = Duration::from_secs(30);

/// How long an issuer may take.
const PATIENCE: Duration = Duration::from_secs(10);

/// How long keys are used before they are fetched again.
const LIFE: Duration = Duration::from_secs(3600);

/// The keys of one issuer.
pub(crate) struct Keys {
    address: String,
    fetch: Box<dyn Fetch>,
    life: StdMutex<Duration>,
    known: RwLock<Option<Known>>,
    /// When the issuer was asked last; held while it is.
    asked: Mutex<Option<Instant>>,
}

#[derive(Clone)]
struct Known {
    keys: Arc<[Key]>,
    since: Instant,
}

/// A key, and what it is good for.
#[derive(Clone)]
pub(crate) struct Key {
    id: Option<String>,
    pub(crate) algorithms: Vec<Algorithm>,
    pub(crate) key: DecodingKey,
}

impl Keys {
    pub(crate) fn new(address: String, fetch: Box<dyn Fetch>) -> Keys {
        Keys { address, fetch, life: StdMutex::new(LIFE), known: RwLock::default(), asked: Mutex::default() }
    }

    pub(crate) fn keep_for(&self, time: Duration) {
        *self.life.lock().unwrap_or_else(PoisonError::into_inner) = time;
    }

    /// The key of that name that signs in that way.
    pub(crate) async fn find(&self, id: Option<&str>, algorithm: Algorithm) -> Result<Key, TokenError> {
        let before = self.known();
        let life = *self.life.lock().unwrap_or_else(PoisonError::into_inner);
        let found = before.as_ref().and_then(|known| known.find(id, algorithm));
        match (found, &before) {
            (Some(key), Some(known)) if known.since.elapsed() < life => return Ok(key),
            _ => {}
        }
        self.refresh(before.as_ref().map(|known| known.since)).await;
        let known = self.known().ok_or(TokenError::Unavailable)?;
        known.find(id, algorithm).ok_or(TokenError::Invalid)
    }

    /// Fetches the keys, unless somebody else has done so meanwhile or it was tried a moment ago.
    async fn refresh(&self, seen: Option<Instant>) {
        let mut asked = self.asked.lock().await;
        let newer = self.known().map(|known| known.since) != seen;
        if newer || asked.is_some_and(|asked| asked.elapsed() < PAUSE) {
            return;
        }
        *asked = Some(Instant::now());
        let fetched = match tokio::time::timeout(PATIENCE, self.fetch.fetch(self.address.clone())).await {
            Ok(Ok(body)) => serde_json::from_slice::<JwkSet>(&body).map_err(Into::into),
            Ok(Err(error)) => Err(error),
            Err(late) => Err(late.into()),
        };
        match fetched {
            Ok(set) => {
                let keys = set.keys.iter().filter_map(Key::read).collect();
                let known = Known { keys, since: Instant::now() };
                *self.known.write().unwrap_or_else(PoisonError::into_inner) = Some(known);
            }
            Err(error) => tracing::warn!(address = self.address, %error, "the keys of an issuer could not be fetched"),
        }
    }

    fn known(&self) -> Option<Known> {
        self.known.read().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Known {
    /// A token that names no key is one of the only key there is.
    fn find(&self, id: Option<&str>, algorithm: Algorithm) -> Option<Key> {
        let mut fitting = self.keys.iter().filter(|key| key.algorithms.contains(&algorithm));
        match id {
            Some(id) => fitting.find(|key| key.id.as_deref() == Some(id)).cloned(),
            None => fitting.next().filter(|_| fitting.next().is_none()).cloned(),
        }
    }
}

impl Key {
    /// A key that checks signatures; others in the set are of no use here.
    ///
    /// Which algorithms it is good for is for the key to say, never for the token; secrets that both sides share are none.
    fn read(jwk: &Jwk) -> Option<Key> {
        if jwk.common.public_key_use.as_ref().is_some_and(|given| *given != PublicKeyUse::Signature) {
            return None;
        }
        let family = match &jwk.algorithm {
            AlgorithmParameters::RSA(_) => {
                use Algorithm::{PS256, PS384, PS512, RS256, RS384, RS512};
                vec![RS256, RS384, RS512, PS256, PS384, PS512]
            }
            AlgorithmParameters::EllipticCurve(_) => vec![Algorithm::ES256, Algorithm::ES384],
            AlgorithmParameters::OctetKeyPair(_) => vec![Algorithm::EdDSA],
            _ => return None,
        };
        let named = jwk.common.key_algorithm.map(|named| named.to_string());
        let algorithms = family.into_iter().filter(|one| named.as_ref().is_none_or(|named| *named == format!("{one:?}")));
        let key = DecodingKey::from_jwk(jwk).ok()?;
        Some(Key { id: jwk.common.key_id.clone(), algorithms: algorithms.collect(), key })
    }
}

impl fmt::Debug for Keys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known = self.known().map(|known| known.keys.len());
        f.debug_struct("Keys").field("address", &self.address).field("known", &known).finish_non_exhaustive()
    }
}
