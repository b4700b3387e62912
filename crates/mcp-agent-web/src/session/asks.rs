//! The questions of a session that wait for an answer of a person.

use std::collections::HashMap;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use mcp_agent::builtin::Builtin;
use mcp_agent::{Ask, Decision, RememberedUses, random_uuid};
use serde_json::{Value, json};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc, oneshot};

use crate::command::Answer;

/// The maximum size of the questions of one chat that wait, in bytes. They are kept in full, because a user must see all of
/// what is allowed.
const MAX_WAITING: usize = 8 << 20;

/// What every question counts in addition to its text.
const OVERHEAD: usize = 1024;

/// The questions of one chat, and the tool uses that its users always allow.
#[derive(Debug, Clone)]
pub(crate) struct Asks {
    open: Arc<Mutex<HashMap<String, OpenAsk>>>,
    always: RememberedUses,
    /// Bounded by `room`: a question has at most two notes.
    notes: mpsc::UnboundedSender<Note>,
    room: Arc<Semaphore>,
}

/// The room of a question, which is free again when the question is closed and its notes are stored.
type Room = Arc<OwnedSemaphorePermit>;

#[derive(Debug)]
struct OpenAsk {
    ask: Ask,
    decide: oneshot::Sender<Decision>,
    room: Room,
}

/// What happened to a question: an event of the chat.
#[derive(Debug)]
pub(crate) struct Note {
    pub(crate) name: &'static str,
    pub(crate) data: Value,
    _room: Room,
}

impl Asks {
    pub(crate) fn new(notes: mpsc::UnboundedSender<Note>) -> Self {
        let room = Arc::new(Semaphore::new(MAX_WAITING));
        Self { open: Arc::default(), always: RememberedUses::default(), notes, room }
    }

    /// Asks the people who watch, and waits for the first answer.
    pub(crate) fn ask(&self, ask: Ask) -> Pin<Box<dyn Future<Output = Decision> + Send>> {
        if self.always.contains(&ask) {
            return Box::pin(async { Decision::allow() });
        }
        let Some(room) = self.room_for(&ask) else {
            return Box::pin(async {
                Decision::deny("the questions that wait for the user are too large: use smaller inputs")
            });
        };
        let (id, (decide, decided)) = (random_uuid(), oneshot::channel());
        let mut shown: Value = serde_json::from_str(ask.raw().get()).unwrap_or_default();
        shown["id"] = json!(id);
        self.open().insert(id.clone(), OpenAsk { ask, decide, room: Arc::clone(&room) });
        // If the future is dropped without an answer, the question is withdrawn.
        let withdraw = Withdraw { asks: self.clone(), id };
        self.note("chat.ask", shown, room);
        Box::pin(async move {
            let decision = decided.await;
            drop(withdraw);
            decision.unwrap_or_else(|_| Decision::deny("the chat was closed"))
        })
    }

    /// Answers a question. Returns false if it is not open: another person was faster, or it was withdrawn.
    pub(crate) fn answer(&self, id: &str, answer: &Answer) -> bool {
        let Some(OpenAsk { ask, decide, room }) = self.open().remove(id) else {
            return false;
        };
        // A question or a plan is a new one each time.
        let is_dialog = matches!(ask.builtin(), Builtin::AskUserQuestion(_) | Builtin::ExitPlanMode(_));
        if matches!(answer, Answer::Always) && !is_dialog {
            self.always.add(&ask);
        }
        self.note("chat.answered", json!({"id": id, "answer": answer}), room);
        // Fails if the CLI has withdrawn its question in the meantime.
        let _ = decide.send(decision(&ask, answer));
        true
    }

    /// Withdraws all questions, because the session has ended.
    pub(crate) fn clear(&self) {
        let open: Vec<_> = self.open().drain().collect();
        open.into_iter().for_each(|(id, open)| self.withdrawn(&id, open.room));
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.open().is_empty()
    }

    fn open(&self) -> MutexGuard<'_, HashMap<String, OpenAsk>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn room_for(&self, ask: &Ask) -> Option<Room> {
        let size = u32::try_from(ask.raw().get().len() + OVERHEAD).unwrap_or(u32::MAX);
        Arc::clone(&self.room).try_acquire_many_owned(size).ok().map(Arc::new)
    }

    fn withdrawn(&self, id: &str, room: Room) {
        self.note("chat.answered", json!({"id": id, "withdrawn": true}), room);
    }

    fn note(&self, name: &'static str, data: Value, room: Room) {
        // Fails after the runner of the chat has ended. Nobody watches this session any more.
        let _ = self.notes.send(Note { name, data, _room: room });
    }
}

struct Withdraw {
    asks: Asks,
    id: String,
}

impl Drop for Withdraw {
    fn drop(&mut self) {
        let open = self.asks.open().remove(&self.id);
        if let Some(open) = open {
            self.asks.withdrawn(&self.id, open.room);
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
