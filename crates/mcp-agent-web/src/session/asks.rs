//! The questions of a session that wait for an answer of a person.

use std::collections::HashMap;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use mcp_agent::builtin::Builtin;
use mcp_agent::{Ask, Decision, RememberedUses, random_uuid};
use serde_json::{Value, json};
use tokio::sync::{mpsc, oneshot};

use crate::command::Answer;

/// The questions of one chat, and the tool uses that its users always allow.
#[derive(Debug, Clone)]
pub(crate) struct Asks {
    open: Arc<Mutex<HashMap<String, OpenAsk>>>,
    always: RememberedUses,
    notes: mpsc::UnboundedSender<Note>,
}

#[derive(Debug)]
struct OpenAsk {
    ask: Ask,
    decide: oneshot::Sender<Decision>,
}

/// What happened to a question.
#[derive(Debug)]
pub(crate) enum Note {
    /// It was asked.
    Asked(Value),
    /// It was answered or withdrawn.
    Answered(Value),
}

impl Asks {
    pub(crate) fn new(notes: mpsc::UnboundedSender<Note>) -> Self {
        Self { open: Arc::default(), always: RememberedUses::default(), notes }
    }

    /// Asks the people who watch, and waits for the first answer.
    pub(crate) fn ask(&self, ask: Ask) -> Pin<Box<dyn Future<Output = Decision> + Send>> {
        if self.always.contains(&ask) {
            return Box::pin(async { Decision::allow() });
        }
        let (id, (decide, decided)) = (random_uuid(), oneshot::channel());
        let mut shown: Value = serde_json::from_str(ask.raw().get()).unwrap_or_default();
        shown["id"] = json!(id);
        self.open().insert(id.clone(), OpenAsk { ask, decide });
        // If the future is dropped without an answer, the question is withdrawn.
        let withdraw = Withdraw { asks: self.clone(), id };
        self.note(Note::Asked(shown));
        Box::pin(async move {
            let decision = decided.await;
            drop(withdraw);
            decision.unwrap_or_else(|_| Decision::deny("the chat was closed"))
        })
    }

    /// Answers a question. Returns false if it is not open: another person was faster, or it was withdrawn.
    pub(crate) fn answer(&self, id: &str, answer: &Answer) -> bool {
        let Some(OpenAsk { ask, decide }) = self.open().remove(id) else {
            return false;
        };
        // A question or a plan is a new one each time.
        let is_dialog = matches!(ask.builtin(), Builtin::AskUserQuestion(_) | Builtin::ExitPlanMode(_));
        if matches!(answer, Answer::Always) && !is_dialog {
            self.always.add(&ask);
        }
        self.note(Note::Answered(json!({"id": id, "answer": answer})));
        // Fails if the CLI has withdrawn its question in the meantime.
        let _ = decide.send(decision(&ask, answer));
        true
    }

    /// Withdraws all questions, because the session has ended.
    pub(crate) fn clear(&self) {
        let ids: Vec<String> = self.open().drain().map(|(id, _)| id).collect();
        ids.iter().for_each(|id| self.note(Note::Answered(json!({"id": id, "withdrawn": true}))));
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.open().is_empty()
    }

    fn open(&self) -> MutexGuard<'_, HashMap<String, OpenAsk>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn note(&self, note: Note) {
        // Fails after the runner of the chat has ended. Nobody watches this session any more.
        let _ = self.notes.send(note);
    }
}

struct Withdraw {
    asks: Asks,
    id: String,
}

impl Drop for Withdraw {
    fn drop(&mut self) {
        let was_open = self.asks.open().remove(&self.id).is_some();
        if was_open {
            self.asks.note(Note::Answered(json!({"id": self.id, "withdrawn": true})));
        }
    }
}

fn decision(ask: &Ask, answer: &Answer) -> Decision {
    match answer {
        Answer::Always => Decision::allow(),
        Answer::Deny { reason } => Decision::deny(
            reason.clone().filter(|text| !text.trim().is_empty()).unwrap_or_else(|| "the user said no".into()),
        ),
        Answer::Allow { answers } => match ask.builtin() {
            Builtin::AskUserQuestion(mut input) if !answers.is_empty() => {
                // Only the questions of the model can be answered: other keys would change the input of the tool.
                let asked: Vec<String> = input.questions.iter().map(|question| question.question.clone()).collect();
                for question in asked {
                    if let Some(text) = answers.get(&question) {
                        input = input.answer(question, text.clone());
                    }
                }
                Decision::allow().with_input(Builtin::AskUserQuestion(input).to_input())
            }
            _ => Decision::allow(),
        },
    }
}
