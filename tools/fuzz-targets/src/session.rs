//! A sequence of messages: each request is answered at most once, exactly once when nobody cancels it, and with its own id.

use std::collections::BTreeMap;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, Waker};

use mcp_core::protocol::Revision;
use mcp_core::transport::{Id, Later, Message, RawJson, Reply, Response, Session};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::json::Doubles;
use crate::world::World;

/// The first byte selects the revision, the rest are lines: a command to the host (`poll`, `jobs`, `drop`, `open`, `shut`,
/// `late`, `early`) or a message.
///
/// # Panics
/// If a request gets two responses, no response although it was not cancelled, or one with another id.
pub fn session(data: &[u8]) {
    let [revision, script @ ..] = data else { return };
    let mut client = Client::new(*revision);
    for line in script.split(|byte| *byte == b'\n') {
        match line {
            b"poll" => client.poll(),
            b"jobs" => client.world.run_jobs(),
            b"drop" => client.world.drop_jobs(),
            b"open" => client.world.set_gate(true),
            b"shut" => client.world.set_gate(false),
            b"late" => client.world.set_time(true),
            b"early" => client.world.set_time(false),
            message => client.send(message),
        }
    }
    client.finish();
}

struct Client {
    session: Session,
    world: World,
    calls: Vec<Call>,
}

/// A pending reply, and the requests that it answers.
struct Call {
    later: Later,
    owed: Vec<Owed>,
    is_batch: bool,
}

/// A request that needs a response.
struct Owed {
    /// The id of the request, if it is readable.
    id: Option<Id>,
    answer: Answer,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Answer {
    Must,
    May,
    MustNot,
}

impl Client {
    fn new(revision: u8) -> Client {
        let world = World::new();
        let mut session = world.session();
        if let Some(revision) = Revision::ALL.get(usize::from(revision)) {
            session = session.negotiated(*revision);
        }
        Client { session, world, calls: Vec::new() }
    }

    fn send(&mut self, line: &[u8]) {
        let (mut owed, mut cancelled) = (Vec::new(), Vec::new());
        let message = Message::parse(line);
        let is_batch = matches!(message, Message::Batch(_));
        note(&message, &mut owed, &mut cancelled);
        match self.session.receive(message) {
            Reply::None => assert!(is_batch || owed.is_empty(), "no response to {}", String::from_utf8_lossy(line)),
            Reply::Now(response) => check(&response, &owed, is_batch),
            Reply::Later(later) => self.calls.push(Call { later, owed, is_batch }),
        }
        for (id, is_certain) in cancelled {
            self.cancel(&id, is_certain && !is_batch);
        }
    }

    /// Cancels a pending request. A part of a batch may be finished already, and a batch may have been rejected.
    fn cancel(&mut self, id: &Id, is_certain: bool) {
        for call in &mut self.calls {
            let is_certain = is_certain && !call.is_batch;
            for owed in call.owed.iter_mut().filter(|owed| owed.id.as_ref() == Some(id) && owed.answer == Answer::Must) {
                owed.answer = if is_certain { Answer::MustNot } else { Answer::May };
            }
        }
    }

    fn poll(&mut self) {
        self.calls.retain_mut(|call| match Pin::new(&mut call.later).poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Pending => true,
            Poll::Ready(Some(response)) => {
                check(&response, &call.owed, call.is_batch);
                false
            }
            Poll::Ready(None) => {
                assert!(call.owed.iter().all(|owed| owed.answer != Answer::Must), "a call has no response");
                false
            }
        });
    }

    /// Finishes all pending calls.
    fn finish(mut self) {
        self.world.set_gate(true);
        for _ in 0..2 {
            self.poll();
            self.world.run_jobs();
        }
        self.poll();
        assert_eq!((self.calls.len(), self.session.in_flight()), (0, 0), "a call is still pending");
    }
}

/// Notes which requests of the message need a response, and which it cancels, certainly or possibly.
fn note(message: &Message<'_>, owed: &mut Vec<Owed>, cancelled: &mut Vec<(Id, bool)>) {
    match message {
        Message::Request(request) => owed.push(Owed { id: Some(request.id.clone()), answer: Answer::Must }),
        Message::Malformed(malformed) => owed.push(Owed { id: malformed.id.clone(), answer: Answer::Must }),
        Message::Batch(messages) => messages.iter().for_each(|message| note(message, owed, cancelled)),
        Message::Notification(notification) if notification.method == "notifications/cancelled" => {
            let params = notification.params.raw().map_or("{}", RawJson::get);
            // The other parameters may be invalid.
            let is_certain = serde_json::from_str(params).is_ok_and(|Doubles(doubles)| !doubles);
            let params = serde_json::from_str::<BTreeMap<String, &RawValue>>(params).unwrap_or_default();
            let id = params.get("requestId").and_then(|raw| Id::from_json(raw.get()));
            cancelled.extend(id.map(|id| (id, is_certain)));
        }
        _ => {}
    }
}

/// Checks a response against its requests.
fn check(response: &Response, owed: &[Owed], is_batch: bool) {
    let text = response.to_json();
    let json: Value = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
    let Value::Array(replies) = &json else {
        if is_batch {
            assert!(json["error"].is_object() && json["id"].is_null(), "a batch is rejected as a whole: {text}");
            return;
        }
        let [owed] = owed else { panic!("response without a request: {text}") };
        assert!(owed.answer != Answer::MustNot, "response to a cancelled request: {text}");
        check_one(&json);
        match &owed.id {
            // The id must be the same text.
            Some(id) => {
                assert!(text.starts_with(&format!(r#"{{"jsonrpc":"2.0","id":{},"#, id.as_json())), "{id} got {text}")
            }
            None => assert!(json["id"].is_null(), "{text}"),
        }
        return;
    };
    assert!(is_batch, "an array as the response to one message: {text}");
    let key = |id: &Option<Id>| id.as_ref().map_or(Value::Null, |id| serde_json::from_str(&id.as_json()).expect("JSON"));
    let mut open: Vec<(Value, Answer)> = owed.iter().map(|owed| (key(&owed.id), owed.answer)).collect();
    for reply in replies {
        check_one(reply);
        let at = open.iter().position(|(id, _)| *id == reply["id"]);
        open.swap_remove(at.unwrap_or_else(|| panic!("duplicate response, or response without a request: {reply}")));
    }
    assert!(open.iter().all(|(_, answer)| *answer != Answer::Must), "parts of a batch have no response: {open:?} {text}");
}

fn check_one(reply: &Value) {
    assert_eq!(reply["jsonrpc"], "2.0", "{reply}");
    assert!(reply.get("result").is_some() != reply.get("error").is_some(), "exactly one of result and error: {reply}");
}
