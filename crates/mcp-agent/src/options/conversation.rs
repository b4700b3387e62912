//! Which conversation: a new one, or one that goes on.

use crate::agent::Agent;

/// Which conversation: a new one, or one that goes on.
#[derive(Debug, Clone, Default)]
pub(crate) struct Conversation {
    pub(crate) origin: Origin,
    pub(crate) fork: bool,
    pub(crate) resume_at: Option<String>,
    pub(crate) resume_drops_turn: Option<String>,
    pub(crate) id: Option<String>,
    pub(crate) title: Option<String>,
    pub(crate) forget: bool,
    pub(crate) mirror: bool,
    pub(crate) checkpoints: bool,
}

#[derive(Debug, Clone, Default)]
pub(crate) enum Origin {
    #[default]
    New,
    Latest,
    Session(String),
}

/// Conversation
impl Agent {
    /// Goes on with a conversation, by the id of its session. Its history is not told again.
    #[must_use]
    pub fn resume(mut self, session_id: impl Into<String>) -> Self {
        self.options.conversation.origin = Origin::Session(session_id.into());
        self
    }

    /// Goes on with the latest conversation in the working directory.
    #[must_use]
    pub fn continue_latest(mut self) -> Self {
        self.options.conversation.origin = Origin::Latest;
        self
    }

    /// Goes on in a copy with an id of its own.
    #[must_use]
    pub fn fork(mut self) -> Self {
        self.options.conversation.fork = true;
        self
    }

    /// Goes on from this message, by its id, and forgets what came after.
    #[must_use]
    pub fn resume_at(mut self, message_uuid: impl Into<String>) -> Self {
        self.options.conversation.resume_at = Some(message_uuid.into());
        self
    }

    /// Goes on without the turn of this message.
    #[must_use]
    pub fn resume_drops_turn(mut self, message_uuid: impl Into<String>) -> Self {
        self.options.conversation.resume_drops_turn = Some(message_uuid.into());
        self
    }

    /// The id of the new session, a UUID that is not in use.
    #[must_use]
    pub fn session_id(mut self, id: impl Into<String>) -> Self {
        self.options.conversation.id = Some(id.into());
        self
    }

    /// The title of the session.
    #[must_use]
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.options.conversation.title = Some(title.into());
        self
    }

    /// Whether the session is written to disk, so that it can be resumed. It is by default.
    #[must_use]
    pub fn persist_session(mut self, persist: bool) -> Self {
        self.options.conversation.forget = !persist;
        self
    }

    /// Gives every piece of the transcript as a [`Message::TranscriptMirror`](crate::Message::TranscriptMirror) too.
    #[must_use]
    pub fn mirror_session(mut self) -> Self {
        self.options.conversation.mirror = true;
        self
    }

    /// Keeps track of changed files, so that [`rewind_files`](crate::Handle::rewind_files) can bring them back.
    #[must_use]
    pub fn file_checkpointing(mut self) -> Self {
        self.options.conversation.checkpoints = true;
        self
    }
}
