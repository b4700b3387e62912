//! The sending half of a session: prompts and requests.

mod conversation;
mod files;
mod inspect;
mod reply;
mod servers;
mod settings;

use std::sync::Arc;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use serde_json::value::RawValue;

pub use reply::{
    BinaryVersion, ContextCategory, ContextUsage, InterruptReceipt, McpServerStatus, McpTool, RewindOutcome, ServersChanged,
};

use crate::error::{Ended, Error};
use crate::link::{Link, Stop};
use crate::mount::Rack;
use crate::prompt::Prompt;
use crate::transport::Ending;

/// The sending half of a session: prompts and requests. Clones are handles of the same session.
#[derive(Debug, Clone)]
pub struct Handle {
    owner: Arc<Owner>,
    pid: Option<u32>,
    verbatim: bool,
    rack: Arc<Rack>,
}

/// Ends the session when the last of the caller's parts is dropped.
#[derive(Debug)]
pub(crate) struct Owner(pub(crate) Arc<Link>);

impl Drop for Owner {
    fn drop(&mut self) {
        self.0.stop(Stop::Asked);
    }
}

/// Prompts
impl Handle {
    /// Says something to the agent, and gives the id of the prompt.
    ///
    /// Returns when the prompt is written. While a turn is going on it waits in the CLI; several that wait may be taken
    /// together, in one turn with one result.
    ///
    /// # Errors
    /// When the CLI is gone.
    pub async fn send(&self, prompt: impl Into<Prompt>) -> Result<String, Error> {
        let prompt = prompt.into();
        let line = prompt.to_line(self.verbatim).map_err(|error| Error::Serialize(Arc::new(error)))?;
        let uuid = prompt.uuid().to_owned();
        self.link().run().sent(uuid.clone());
        match self.link().write(line).await {
            Ok(()) => Ok(uuid),
            Err(error) => {
                self.link().run().unsent(&uuid);
                Err(error)
            }
        }
    }

    /// Ends the CLI and waits until it is gone, for a session that was [split](crate::Session::split).
    ///
    /// As [`Session::close`](crate::Session::close), but what the CLI says to the last can still be read from the other
    /// half. However the CLI ended, that is told here and not an error.
    pub async fn close(&self) -> Ending {
        self.stop();
        self.link().ended().await.ending.clone()
    }

    /// The CLI's process id, where it is a process of this machine.
    pub fn pid(&self) -> Option<u32> {
        self.pid
    }

    /// Sends any control request, and gives its answer as plain JSON: for requests of a later CLI.
    ///
    /// `fields` are the request's fields beside its subtype, as something that serialises to an object. When the future is
    /// dropped the request is withdrawn.
    ///
    /// # Errors
    /// [`Error::Refused`] when the CLI refuses, [`Error::Ended`] at once when it ends.
    pub async fn request(&self, subtype: &str, fields: impl Serialize) -> Result<Value, Error> {
        self.ask(subtype, fields).await
    }
}

impl Handle {
    pub(crate) fn new(owner: Arc<Owner>, pid: Option<u32>, verbatim: bool, rack: Arc<Rack>) -> Self {
        Self { owner, pid, verbatim, rack }
    }

    pub(crate) fn stop(&self) {
        self.link().stop(Stop::Asked);
    }

    pub(crate) async fn ended(&self) -> Arc<Ended> {
        self.link().ended().await
    }

    fn link(&self) -> &Link {
        &self.owner.0
    }

    async fn ask<T: DeserializeOwned>(&self, subtype: &str, fields: impl Serialize) -> Result<T, Error> {
        let answer = self.link().request(subtype, &Request { subtype, fields }).await?;
        // Some requests are answered without a word.
        let text = answer.as_deref().map_or("null", RawValue::get);
        serde_json::from_str(text)
            .map_err(|source| Error::Unexpected { request: subtype.to_owned(), source: Arc::new(source) })
    }

    async fn order(&self, subtype: &str, fields: impl Serialize) -> Result<(), Error> {
        self.ask::<serde::de::IgnoredAny>(subtype, fields).await.map(drop)
    }
}

#[derive(Serialize)]
struct Request<'a, T> {
    subtype: &'a str,
    #[serde(flatten)]
    fields: T,
}

/// The fields of a request that has none.
#[derive(Serialize)]
struct Nothing {}

/// Sends what a mounted server says unasked.
pub(crate) fn from_server(link: &Link, server: &str, message: &RawValue) {
    #[derive(Serialize)]
    struct FromServer<'a> {
        server_name: &'a str,
        message: &'a RawValue,
    }
    let request = Request { subtype: "mcp_message", fields: FromServer { server_name: server, message } };
    if let Err(error) = link.tell(&request) {
        tracing::error!(%error, server, "a server's message could not be written");
    }
}
