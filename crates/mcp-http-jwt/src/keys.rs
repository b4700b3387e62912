//! The keys of an issuer, fetched on demand.

use std::fmt;
use std::sync::{Arc, Mutex as StdMutex, PoisonError, RwLock};
use std::time::Duration;

use jsonwebtoken::jwk::{AlgorithmParameters, Jwk, JwkSet, PublicKeyUse};
use jsonwebtoken::{Algorithm, DecodingKey};
use mcp_http::TokenError;
use tokio::sync::Mutex;
use tokio::time::Instant;

use crate::issuer::Fetch;

/// Minimum time between two fetches, however many tokens name unknown keys.
const MIN_FETCH_INTERVAL: Duration = Duration::from_secs(30);

/// Timeout of a fetch.
const FETCH_TIMEOUT: Duration = Duration::from_secs(10);

/// Default time after which keys are fetched again.
const MAX_AGE: Duration = Duration::from_secs(3600);

/// The keys of one issuer.
pub(crate) struct Keys {
    address: String,
    fetch: Box<dyn Fetch>,
    max_age: StdMutex<Duration>,
    known: RwLock<Option<Known>>,
    /// When the keys were last fetched. Locked during a fetch.
    fetched_at: Mutex<Option<Instant>>,
}

#[derive(Clone)]
struct Known {
    keys: Arc<[Key]>,
    since: Instant,
}

/// A key and the algorithms that it can be used with.
#[derive(Clone)]
pub(crate) struct Key {
    id: Option<String>,
    pub(crate) algorithms: Vec<Algorithm>,
    pub(crate) key: DecodingKey,
}

impl Keys {
    pub(crate) fn new(address: String, fetch: Box<dyn Fetch>) -> Keys {
        Keys { address, fetch, max_age: StdMutex::new(MAX_AGE), known: RwLock::default(), fetched_at: Mutex::default() }
    }

    pub(crate) fn keep_for(&self, time: Duration) {
        *self.max_age.lock().unwrap_or_else(PoisonError::into_inner) = time;
    }

    /// Returns the key with this id and algorithm. Fetches the keys if it is unknown or the keys are old.
    pub(crate) async fn find(&self, id: Option<&str>, algorithm: Algorithm) -> Result<Key, TokenError> {
        let before = self.known();
        let max_age = *self.max_age.lock().unwrap_or_else(PoisonError::into_inner);
        let found = before.as_ref().and_then(|known| known.find(id, algorithm));
        match (found, &before) {
            (Some(key), Some(known)) if known.since.elapsed() < max_age => return Ok(key),
            _ => {}
        }
        self.refresh(before.as_ref().map(|known| known.since)).await;
        let known = self.known().ok_or(TokenError::Unavailable)?;
        known.find(id, algorithm).ok_or(TokenError::Invalid)
    }

    /// Fetches the keys, unless another task has done so since `seen`, or the last fetch was a moment ago.
    async fn refresh(&self, seen: Option<Instant>) {
        let mut fetched_at = self.fetched_at.lock().await;
        let newer = self.known().map(|known| known.since) != seen;
        if newer || fetched_at.is_some_and(|fetched_at| fetched_at.elapsed() < MIN_FETCH_INTERVAL) {
            return;
        }
        *fetched_at = Some(Instant::now());
        let fetched = match tokio::time::timeout(FETCH_TIMEOUT, self.fetch.fetch(self.address.clone())).await {
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
            Err(error) => tracing::warn!(address = self.address, %error, "cannot fetch the keys of an issuer"),
        }
    }

    fn known(&self) -> Option<Known> {
        self.known.read().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Known {
    /// Returns the key with this id. Without an id there must be exactly one key for the algorithm.
    fn find(&self, id: Option<&str>, algorithm: Algorithm) -> Option<Key> {
        let mut fitting = self.keys.iter().filter(|key| key.algorithms.contains(&algorithm));
        match id {
            Some(id) => fitting.find(|key| key.id.as_deref() == Some(id)).cloned(),
            None => fitting.next().filter(|_| fitting.next().is_none()).cloned(),
        }
    }
}

impl Key {
    /// Reads a key that verifies signatures; `None` for other keys of the set.
    ///
    /// The key determines its algorithms, never the token: a public key must not be used as a shared secret (HMAC).
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
