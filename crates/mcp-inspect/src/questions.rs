//! Questions of the server that wait for an answer of the person.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use mcp_client::{Boxed, Capabilities, Elicitation, ElicitationMode, Elicited, Handler, Sample, SampleRequest};
use mcp_core::Content;
use mcp_core::ask::Root;
use mcp_core::transport::{Code, RpcError};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use tokio::sync::{oneshot, watch};

/// The error code that clients send if the user refused.
const REFUSED: Code = Code(-1);

/// The maximum size of a question in bytes.
const LARGEST: usize = 1 << 20;

/// The open questions, and the folders that the server may ask for.
pub(crate) struct Questions {
    open: Mutex<Open>,
    roots: Mutex<Vec<Root>>,
    changed: watch::Sender<()>,
}

#[derive(Default)]
struct Open {
    last: u64,
    questions: BTreeMap<u64, (Value, oneshot::Sender<Answer>)>,
}

/// The answer of the person.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase", tag = "action")]
pub(crate) enum Answer {
    /// The fields of a form, or the text of a model in `text`.
    Accept {
        #[serde(default)]
        content: Map<String, Value>,
    },
    Decline,
    Cancel,
}

impl Questions {
    pub(crate) fn new() -> Arc<Questions> {
        let changed = watch::Sender::new(());
        Arc::new(Questions { open: Mutex::default(), roots: Mutex::default(), changed })
    }

    /// Returns all open questions as JSON, oldest first.
    pub(crate) fn all(&self) -> Value {
        let open = self.open();
        open.questions.iter().map(|(id, (question, _))| json!({"id": id, "question": question})).collect()
    }

    pub(crate) fn changes(&self) -> watch::Receiver<()> {
        self.changed.subscribe()
    }

    /// Answers a question. Returns whether it was still open.
    pub(crate) fn answer(&self, id: u64, answer: Answer) -> bool {
        let question = self.open().questions.remove(&id);
        self.changed.send_replace(());
        question.is_some_and(|(_, sender)| sender.send(answer).is_ok())
    }

    pub(crate) fn set_roots(&self, roots: Vec<Root>) {
        *self.roots.lock().unwrap_or_else(PoisonError::into_inner) = roots;
    }

    /// Shows a question until it is answered or the server withdraws it.
    async fn ask(&self, question: Value) -> Result<Answer, RpcError> {
        if question.to_string().len() > LARGEST {
            return Err(RpcError::invalid_params("the question is too long"));
        }
        let (sender, answer) = oneshot::channel();
        let id = {
            let mut open = self.open();
            open.last += 1;
            let id = open.last;
            open.questions.insert(id, (question, sender));
            id
        };
        self.changed.send_replace(());
        let _shown = Shown { questions: self, id };
        Ok(answer.await.unwrap_or(Answer::Cancel))
    }

    fn open(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Removes the question when nobody waits for its answer any more.
struct Shown<'a> {
    questions: &'a Questions,
    id: u64,
}

impl Drop for Shown<'_> {
    fn drop(&mut self) {
        if self.questions.open().questions.remove(&self.id).is_some() {
            self.questions.changed.send_replace(());
        }
    }
}

/// Shows the questions of a server to the person.
pub(crate) struct Asker(pub(crate) Arc<Questions>);

impl Handler for Asker {
    fn capabilities(&self) -> Capabilities {
        let mut can = Capabilities::none();
        (can.elicit_form, can.elicit_url, can.sample, can.sample_tools, can.roots) = (true, true, true, true, true);
        can
    }

    fn elicit(&self, asked: Elicitation) -> Boxed<'_, Result<Elicited<Map<String, Value>>, RpcError>> {
        Box::pin(async move {
            let question = match asked.mode {
                ElicitationMode::Form { schema } => json!({"kind": "form", "message": asked.message, "schema": schema}),
                ElicitationMode::Url { url, .. } => json!({"kind": "url", "message": asked.message, "url": url}),
                _ => return Ok(Elicited::Declined),
            };
            Ok(match self.0.ask(question).await? {
                Answer::Accept { content } => Elicited::Accepted(content),
                Answer::Decline => Elicited::Declined,
                Answer::Cancel => Elicited::Cancelled,
            })
        })
    }

    fn sample(&self, asked: SampleRequest) -> Boxed<'_, Result<Sample, RpcError>> {
        Box::pin(async move {
            let question = json!({
                "kind": "sample", "messages": asked.messages, "maxTokens": asked.max_tokens, "system": asked.system_prompt,
                "temperature": asked.temperature, "stop": asked.stop_sequences, "more": asked.more,
            });
            match self.0.ask(question).await? {
                Answer::Accept { content } => {
                    let text = content.get("text").and_then(Value::as_str).unwrap_or_default();
                    Ok(Sample::new("a person at the inspector", Content::text(text)))
                }
                _ => Err(RpcError::new(REFUSED, "the user declined the request for a model")),
            }
        })
    }

    fn roots(&self) -> Boxed<'_, Result<Vec<Root>, RpcError>> {
        let roots = self.0.roots.lock().unwrap_or_else(PoisonError::into_inner).clone();
        Box::pin(async { Ok(roots) })
    }
}
