//! Options of the conversation: a new one, or a resumed one.

use crate::agent::Agent;
use crate::store::StoreOptions;

/// Options of the conversation: a new one, or a resumed one.
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
    pub(crate) store: StoreOptions,
}

#[derive(Debug, Clone, Default)]
pub(crate) enum Origin {
    #[default]
    New,
    Latest,
    Session(String),
}

/// # Conversation
impl Agent {
    /// Resumes a conversation, by the id of its session. The session does not yield the earlier messages again.
    #[must_use]
    pub fn resume(mut self, session_id: impl Into<String>) -> Self {
        self.options.conversation.origin = Origin::Session(session_id.into());
        self
    }

    /// Resumes the latest conversation in the working directory.
    #[must_use]
    pub fn continue_latest(mut self) -> Self {
        self.options.conversation.origin = Origin::Latest;
        self
    }

    /// Resumes in a copy of the session, with a new id.
    #[must_use]
    pub fn fork(mut self) -> Self {
        self.options.conversation.fork = true;
        self
    }

    /// Resumes from the message with this id and drops everything after it.
    #[must_use]
    pub fn resume_at(mut self, message_uuid: impl Into<String>) -> Self {
        self.options.conversation.resume_at = Some(message_uuid.into());
        self
    }

    /// Names the turn that [`resume_at`](Self::resume_at) drops, by the id of its prompt. The CLI does not start if anything else
    /// would be dropped too, such as a prompt that arrived during that turn.
    #[must_use]
    pub fn resume_drops_turn(mut self, message_uuid: impl Into<String>) -> Self {
        self.options.conversation.resume_drops_turn = Some(message_uuid.into());
        self
    }

    /// Sets the id of the new session: a UUID that is not in use.
    #[must_use]
    pub fn session_id(mut self, id: impl Into<String>) -> Self {
        self.options.conversation.id = Some(id.into());
        self
    }

    /// Sets the title of the session.
    #[must_use]
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.options.conversation.title = Some(title.into());
        self
    }

    /// Sets whether the session is written to disk, so that it can be resumed. On by default.
    #[must_use]
    pub fn persist_session(mut self, persist: bool) -> Self {
        self.options.conversation.forget = !persist;
        self
    }

    /// Also yields every entry of the transcript as a [`Message::TranscriptMirror`](crate::Message::TranscriptMirror).
    #[must_use]
    pub fn mirror_session(mut self) -> Self {
        self.options.conversation.mirror = true;
        self
    }

    /// Records changes of files, so that [`rewind_files`](crate::Handle::rewind_files) can restore them.
    #[must_use]
    pub fn file_checkpointing(mut self) -> Self {
        self.options.conversation.checkpoints = true;
        self
    }
}
