//! Messages about a request are sent to the outbox of that request.

use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context as TaskContext, Waker};

use mcp_core::transport::{Message, Outbox, Outgoing, Reply};
use mcp_core::{Context, Live, LogLevel, Server, ToolSpec, tool_fn};
use serde_json::Value;

use crate::session::TestHost;

#[derive(Default)]
struct Letters(Mutex<Vec<String>>);

impl Outbox for Letters {
    fn send(&self, message: Outgoing) {
        self.0.lock().unwrap().push(String::from_utf8(message.into_bytes()).unwrap());
    }
}

#[test]
fn each_request_has_its_own_outbox_and_change_notifications_go_to_the_session() {
    let shout = || {
        tool_fn(ToolSpec::new("shout", "Shout."), |_: Value, cx: Context| async move {
            cx.log(LogLevel::Error, cx.request_id().to_string());
        })
    };
    let live = Live::new(Server::builder("loud", "1.0.0").tools(shout())).unwrap();
    let own = Arc::new(Letters::default());
    let session = live.server().session(Arc::new(TestHost::default()), own.clone());
    let hello = br#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}"#;
    assert!(matches!(session.receive(Message::parse(hello)), Reply::Now(_)));

    let boxes = [1, 2].map(|id| {
        let letters = Arc::new(Letters::default());
        let outbox: Arc<dyn Outbox> = letters.clone();
        let call = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"shout"}}}}"#);
        let Reply::Later(mut later) = session.receive_via(Message::parse(call.as_bytes()), &outbox) else { panic!() };
        assert!(Future::poll(Pin::new(&mut later), &mut TaskContext::from_waker(Waker::noop())).is_ready());
        letters
    });
    for (letters, id) in boxes.iter().zip(["1", "2"]) {
        let letters = letters.0.lock().unwrap();
        assert!(letters.len() == 1 && letters[0].contains(&format!(r#""data":"{id}""#)), "{letters:?}");
    }
    assert_eq!(*own.0.lock().unwrap(), Vec::<String>::new());

    live.replace(Server::builder("loud", "1.0.0")).unwrap();
    assert_eq!(own.0.lock().unwrap().len(), 1);
}
