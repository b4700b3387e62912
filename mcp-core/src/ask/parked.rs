//! Questions that leave as the result of a call, and come back answered with the next one.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
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
    /// What the call is, for the seal around what the client carries for us; empty if it cannot be asked anything.
    purpose: Vec<u8>,
    /// What has been answered so far, in this request and those before it.
    answers: Answers,
    /// How many questions the tool has put in this run.
    asked: usize,
    /// Those without an answer.
    waiting: BTreeMap<String, Waiting>,
    /// What the client would have to be able to do, and cannot.
    pub(super) missing: Option<&'static str>,
}

#[derive(Debug, Serialize)]
struct Waiting {
    method: &'static str,
    params: Value,
}

/// What travels with the client.
#[derive(Deserialize, Serialize)]
struct Carried {
    answers: Answers,
}

impl Parked {
    /// What a client sends along when it calls again.
    pub(crate) fn read(params: &Params<'_>, purpose: Vec<u8>, seal: &dyn Seal) -> Result<Parked, RpcError> {
        let mut answers = match params.get(Param::RequestState) {
            None => Answers::new(),
            Some(raw) => {
                let carried = serde_json::from_str::<String>(raw.get()).ok().and_then(|sealed| seal.open(&purpose, &sealed));
                let carried: Option<Carried> = carried.and_then(|plain| serde_json::from_slice(&plain).ok());
                carried
                    .ok_or_else(|| {
                        RpcError::invalid_params(
                            "`requestState` did not come from here, is of another request, or is too old",
                        )
                    })?
                    .answers
            }
        };
        if let Some(raw) = params.get(Param::InputResponses) {
            let latest: Answers = serde_json::from_str(raw.get())
                .map_err(|error| RpcError::invalid_params(format!("`inputResponses` cannot be read: {error}")))?;
            answers.extend(latest);
        }
        Ok(Parked { purpose, answers, ..Parked::default() })
    }
}

impl CallState {
    /// Gives the answer if the client has sent it along; else parks the question and waits for ever. When the poll ends,
    /// all parked questions leave together.
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

    /// What the client is asked instead of being answered, if the call waits for it.
    pub(crate) fn input_required(&self) -> Option<Body> {
        if !self.may_be_parked() {
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

    /// What to answer instead of a failure that comes of a client that cannot be asked.
    pub(crate) fn missing_capability(&self) -> Option<RpcError> {
        if !self.may_be_parked() {
            return None;
        }
        let missing = self.parked().missing?;
        Some(requirement::missing(&[&missing.split('.').collect::<Vec<_>>()]))
    }

    fn may_be_parked(&self) -> bool {
        self.revision.is_stateless() && self.details().is_some_and(|details| details.parked.get().is_some())
    }

    pub(super) fn parked(&self) -> MutexGuard<'_, Parked> {
        self.details_made().parked.get_or_init(Mutex::default).lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Parked {
    /// The n-th question of a run is the n-th of the next, unless it is another question.
    fn made_up(&self, method: &'static str, params: &Value) -> String {
        let mut hasher = DefaultHasher::new();
        (method, params.to_string()).hash(&mut hasher);
        format!("{}-{:016x}", self.asked, hasher.finish())
    }

    /// The key of a question that has none, and counts from now on.
    fn next_key(&mut self, method: &'static str, params: &Value) -> String {
        let key = self.made_up(method, params);
        self.asked += 1;
        key
    }

    fn answer(&mut self, key: Option<&str>, method: &'static str, params: Value) -> Option<Box<RawValue>> {
        let key = key.map_or_else(|| self.made_up(method, &params), str::to_owned);
        self.asked += 1;
        if let Some(answer) = self.answers.get(&key) {
            return Some(answer.clone());
        }
        self.waiting.insert(key, Waiting { method, params });
        None
    }
}
