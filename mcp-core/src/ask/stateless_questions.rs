//! Questions of stateless calls: sent to the client in an `input_required` result, and answered in the next request.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::AskError;
use crate::ask::seal::Seal;
use crate::call::state::CallState;
use crate::jsonrpc::params::{Param, Params};
use crate::jsonrpc::{Body, RpcError};
use crate::tool::requirement;

/// Answers, by the keys of their questions.
pub(crate) type Answers = BTreeMap<String, Box<RawValue>>;

/// The questions of one stateless call.
#[derive(Debug, Default)]
pub(crate) struct Parked {
    /// Identifies the call, to bind the sealed state to it. Empty if the client supports no questions.
    purpose: Vec<u8>,
    /// All answers so far, of this request and earlier ones.
    answers: Answers,
    /// The number of questions that the tool has asked in this run.
    asked: usize,
    /// The questions without an answer.
    waiting: BTreeMap<String, Waiting>,
    /// A capability that the tool needed and the client does not have.
    pub(super) missing: Option<&'static str>,
}

#[derive(Debug, Serialize)]
struct Waiting {
    method: &'static str,
    params: Value,
}

/// The content of `requestState`, which is sealed.
#[derive(Deserialize, Serialize)]
struct Carried {
    answers: Answers,
}

impl Parked {
    /// Reads the answers in `requestState` and `inputResponses` of a repeated call.
    pub(crate) fn read(params: &Params<'_>, purpose: Vec<u8>, seal: &dyn Seal) -> Result<Parked, RpcError> {
        let mut answers = match params.get(Param::RequestState) {
            None => Answers::new(),
            Some(raw) => {
                let carried = serde_json::from_str::<String>(raw.get()).ok().and_then(|sealed| seal.open(&purpose, &sealed));
                let carried: Option<Carried> = carried.and_then(|plain| serde_json::from_slice(&plain).ok());
                carried
                    .ok_or_else(|| {
                        RpcError::invalid_params(
                            "invalid `requestState`: it was changed, belongs to another request, or is too old",
                        )
                    })?
                    .answers
            }
        };
        if let Some(raw) = params.get(Param::InputResponses) {
            let latest: Answers = serde_json::from_str(raw.get())
                .map_err(|error| RpcError::invalid_params(format!("`inputResponses` is invalid: {error}")))?;
            answers.extend(latest);
        }
        Ok(Parked { purpose, answers, ..Parked::default() })
    }

    /// Generates the key of a question from its position and content.
    ///
    /// Two runs of a tool ask the same questions in the same order, so a question has the same key in the next run.
    fn generated_key(&self, method: &'static str, params: &Value) -> String {
        format!("{}-{:016x}", self.asked, fnv1a(format!("{method} {params}").as_bytes()))
    }

    /// Generates the key of the next question, and counts it.
    fn next_key(&mut self, method: &'static str, params: &Value) -> String {
        let key = self.generated_key(method, params);
        self.asked += 1;
        key
    }

    fn answer(&mut self, key: Option<&str>, method: &'static str, params: Value) -> Option<Box<RawValue>> {
        let key = key.map_or_else(|| self.generated_key(method, &params), str::to_owned);
        self.asked += 1;
        if let Some(answer) = self.answers.get(&key) {
            return Some(answer.clone());
        }
        self.waiting.insert(key, Waiting { method, params });
        None
    }
}

impl CallState {
    /// Returns the answer if the client has sent it. Otherwise stores the question and stays pending for ever.
    ///
    /// After the poll, [`input_required`](Self::input_required) sends all stored questions together and the call ends.
    pub(super) async fn ask_by_result(
        &self,
        key: Option<&str>,
        method: &'static str,
        params: Value,
    ) -> Result<Box<RawValue>, AskError> {
        if let Some(task) = self.task() {
            let key = key.map_or_else(|| self.parked().next_key(method, &params), str::to_owned);
            return task.ask(&key, method, params).await;
        }
        let answer = self.parked().answer(key, method, params);
        match answer {
            Some(answer) => Ok(answer),
            None => std::future::pending().await,
        }
    }

    /// Returns the `input_required` result, if the call has unanswered questions.
    pub(crate) fn input_required(&self) -> Option<Body> {
        if !self.has_parked() {
            return None;
        }
        let mut parked = self.parked();
        if parked.waiting.is_empty() {
            return None;
        }
        let waiting = std::mem::take(&mut parked.waiting);
        let carried = Carried { answers: std::mem::take(&mut parked.answers) };
        let carried = serde_json::to_vec(&carried).expect("a map with string keys is JSON");
        let result = json!({
            "resultType": "input_required",
            "inputRequests": waiting,
            "requestState": self.server().registry.seal.seal(&parked.purpose, &carried),
            "_meta": serde_json::from_str::<Value>(self.server().stamp()).expect("written as JSON"),
        });
        Some(Body::Json(result.to_string().into()))
    }

    /// Returns the error that replaces the result of a failed call, if the client lacks a capability that the tool needed.
    pub(crate) fn missing_capability(&self) -> Option<RpcError> {
        if !self.has_parked() {
            return None;
        }
        let missing = self.parked().missing?;
        Some(requirement::missing(&[&missing.split('.').collect::<Vec<_>>()]))
    }

    fn has_parked(&self) -> bool {
        self.revision.is_stateless() && self.parked.get().is_some()
    }

    pub(super) fn parked(&self) -> MutexGuard<'_, Parked> {
        self.parked.get_or_init(Mutex::default).lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns the 64-bit FNV-1a hash.
///
/// Clients send the generated keys back, possibly to another build of the server, so the hash must be the same in every
/// release of this crate and of Rust. The hashers of the standard library do not guarantee that.
fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_has_the_published_test_vectors_of_fnv1a() {
        assert_eq!(fnv1a(b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(fnv1a(b"a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(fnv1a(b"foobar"), 0x8594_4171_f739_67e8);
    }
}
