//! Servers in the same process: messages go to a session directly.

use std::sync::Arc;

use mcp_core::Server;
use mcp_core::transport::{Message, Outbox, Outgoing as FromServer, Reply, Response, Session};
use mcp_tokio::TokioHost;
use tokio::runtime::Handle;

use super::{Boxed, Failure, Link, Outgoing, Transport};
use crate::error::ConnectError;
use crate::inbox::Inbox;

/// A server in this process.
pub(crate) struct InProcess {
    server: Server,
}

impl InProcess {
    pub(crate) fn new(server: Server) -> InProcess {
        InProcess { server }
    }
}

impl Transport for InProcess {
    fn open(&self, inbox: Inbox) -> Boxed<'_, Result<Arc<dyn Link>, ConnectError>> {
        let host = Arc::new(TokioHost::on(Handle::current()));
        let session = self.server.session(host, Arc::new(ToClient(inbox.clone())));
        Box::pin(async move { Ok(Arc::new(SessionLink { session, inbox }) as Arc<dyn Link>) })
    }
}

struct SessionLink {
    session: Session,
    inbox: Inbox,
}

impl Link for SessionLink {
    fn exchange(&self, message: Outgoing) -> Boxed<'_, Result<(), Failure>> {
        Box::pin(async move {
            self.inbox.begin(message.id);
            match self.session.receive(Message::parse(&message.json)) {
                Reply::None => {}
                Reply::Now(response) => self.deliver(&response),
                Reply::Later(later) => match later.await {
                    Some(response) => self.deliver(&response),
                    None => return Err(Failure::Invalid("the server cancelled the request".to_owned())),
                },
            }
            Ok(())
        })
    }

    fn post(self: Arc<Self>, message: Outgoing) {
        // Notifications and answers have no reply.
        drop(self.session.receive(Message::parse(&message.json)));
    }

    fn close(&self) -> Boxed<'_, ()> {
        self.session.cancel_all();
        Box::pin(async {})
    }
}

impl SessionLink {
    fn deliver(&self, response: &Response) {
        let mut json = Vec::new();
        response.encode(&mut json);
        self.inbox.receive(&json);
    }
}

/// Passes messages of the server to the client.
struct ToClient(Inbox);

impl Outbox for ToClient {
    fn send(&self, message: FromServer) {
        self.0.receive(message.as_bytes());
    }
}
