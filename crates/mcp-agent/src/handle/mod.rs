//! The sending half of a session: prompts and requests.

mod conversation;
mod files;
mod inspect;
mod mcp_call;
mod reply;
mod servers;
mod settings;

use std::future::poll_fn;
use std::pin::pin;
use std::sync::Arc;

use futures_core::Stream;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

pub use mcp_call::{McpCall, McpCallResult, McpResource, McpResourceContent};
pub use reply::*;
pub use settings::ReloadPlugins;

use crate::error::{Ended, Error};
use crate::initialize::Welcome;
use crate::link::{Link, Stop};
use crate::mount::MountedServers;
use crate::prompt::Prompt;
use crate::transport::Ending;

/// The sending half of a session: sends prompts and requests. All clones belong to the same session.
#[derive(Debug, Clone)]
pub struct Handle {
    owner: Arc<Owner>,
    pid: Option<u32>,
    verbatim: bool,
    mounted: Arc<MountedServers>,
    welcome: Arc<Welcome>,
    /// The fields of the `initialize` request.
    first: Arc<Map<String, Value>>,
}

/// Shuts the session down when the last handle is dropped.
#[derive(Debug)]
pub(crate) struct Owner(pub(crate) Arc<Link>);

impl Drop for Owner {
    fn drop(&mut self) {
        self.0.stop(Stop::Asked);
    }
}

/// # Prompts
impl Handle {
    /// Sends a prompt and returns its id.
    ///
    /// Returns when the prompt is written. A prompt that arrives during a turn is queued by the CLI. The CLI may merge
    /// several queued prompts into one turn with one result.
    ///
    /// # Errors
    /// [`Error::DuplicatePrompt`] if a prompt with the id set by [`Prompt::with_uuid`] was sent before, [`Error::Ended`]
    /// if the CLI has exited.
    pub async fn send(&self, prompt: impl Into<Prompt>) -> Result<String, Error> {
        let prompt = prompt.into();
        let line = prompt.to_line(self.verbatim).map_err(|error| Error::Serialize(Arc::new(error)))?;
        let uuid = prompt.uuid().to_owned();
        if prompt.has_own_uuid() && !self.link().run().choose(&uuid) {
            return Err(Error::DuplicatePrompt { uuid });
        }
        self.link().run().sent(uuid.clone());
        match self.link().write(line).await {
            Ok(()) => Ok(uuid),
            Err(error) => {
                self.link().run().unsent(&uuid);
                Err(error)
            }
        }
    }

    /// Sends every prompt of a stream, each as soon as the stream yields it. Returns when the stream ends.
    ///
    /// # Errors
    /// As [`send`](Self::send), for the first prompt that could not be sent. The rest of the stream is dropped.
    pub async fn send_all<S>(&self, prompts: S) -> Result<(), Error>
    where
        S: Stream<Item: Into<Prompt>>,
    {
        let mut prompts = pin!(prompts);
        while let Some(prompt) = poll_fn(|context| prompts.as_mut().poll_next(context)).await {
            self.send(prompt).await?;
        }
        Ok(())
    }

    /// Sends `initialize` again, with the options, hooks and mounted servers of this session, and returns the new response.
    ///
    /// Use this after the connection of a [transport](crate::Transport) had a gap. The callbacks of the agent then get the
    /// questions of the CLI that were not answered, also those whose answers were lost in the gap.
    ///
    /// # Errors
    /// [`Error::Refused`] if the CLI rejects the request, [`Error::Ended`] if the CLI has exited.
    pub async fn reinitialize(&self) -> Result<Welcome, Error> {
        let mut fields = Map::clone(&self.first);
        fields.insert("sdkMcpServers".to_owned(), self.mounted.names().into());
        let answer = self.link().request("initialize", &fields).await?;
        Ok(Welcome::new(answer.unwrap_or_else(|| RawValue::NULL.to_owned())))
    }

    /// Shuts the CLI down and waits until it has exited, for a session that was [split](crate::Session::split).
    ///
    /// As [`Session::close`](crate::Session::close), but the last messages of the CLI can still be read from the other
    /// half. Returns how the CLI exited; an unexpected exit is not an error here.
    pub async fn close(&self) -> Ending {
        self.stop();
        self.link().ended().await.ending.clone()
    }

    /// Returns the CLI's response to `initialize`: its commands, models, account and so on.
    pub fn welcome(&self) -> &Welcome {
        &self.welcome
    }

    /// Returns the process id of the CLI, or `None` if it does not run as a local process.
    pub fn pid(&self) -> Option<u32> {
        self.pid
    }

    /// Sends a control request that has no method of its own, and returns the response as JSON. Meant for requests of
    /// newer CLI versions.
    ///
    /// `fields` must serialize to an object: the fields of the request besides `subtype`. If the future is dropped, the
    /// request is cancelled.
    ///
    /// # Errors
    /// [`Error::Refused`] if the CLI rejects the request, [`Error::Ended`] if the CLI has exited.
    pub async fn request(&self, subtype: &str, fields: impl Serialize) -> Result<Value, Error> {
        self.ask(subtype, fields).await
    }
}

impl Handle {
    pub(crate) fn new(
        owner: Arc<Owner>,
        pid: Option<u32>,
        verbatim: bool,
        mounted: Arc<MountedServers>,
        welcome: Welcome,
        first: Map<String, Value>,
    ) -> Self {
        Self { owner, pid, verbatim, mounted, welcome: Arc::new(welcome), first: Arc::new(first) }
    }

    pub(crate) fn replace_welcome(&mut self, welcome: Welcome) {
        self.welcome = Arc::new(welcome);
    }

    pub(crate) fn mounted_names(&self) -> Vec<String> {
        self.mounted.names()
    }

    /// Binds a CLI that waits for a session to one.
    pub(crate) async fn claim_session<T: DeserializeOwned>(&self, fields: impl Serialize) -> Result<T, Error> {
        self.ask("claim_session", fields).await.map_err(|error| match error {
            Error::Refused { request, message, code: None } => {
                // The message of this request begins with its code.
                let code = message.split_once(": ").map(|(code, _)| code.to_owned());
                let code = code.filter(|code| code.chars().all(|c| c == '_' || c.is_ascii_lowercase()));
                Error::Refused { request, message, code }
            }
            error => error,
        })
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
        // The response of some requests has no payload.
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

/// The fields of a request without fields.
#[derive(Serialize)]
struct Nothing {}

/// Sends a message from a mounted server to the CLI: a notification or a request, not a response.
pub(crate) fn from_server(link: &Link, server: &str, message: &RawValue) {
    #[derive(Serialize)]
    struct FromServer<'a> {
        server_name: &'a str,
        message: &'a RawValue,
    }
    let request = Request { subtype: "mcp_message", fields: FromServer { server_name: server, message } };
    if let Err(error) = link.tell(&request) {
        tracing::error!(%error, server, "cannot serialize a message of a mounted server");
    }
}
