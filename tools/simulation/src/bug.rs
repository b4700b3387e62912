//! The bugs that a world can plant in its own parts.

/// A bug that a world plants in a part of its own: the transport, the host, a pipe, or the other side of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bug {
    /// The transport drops a response.
    LostResponse,
    /// The transport sends a response twice.
    DuplicateResponse,
    /// The transport does not pass cancellations on, so cancelled calls are answered.
    IgnoredCancellation,
    /// The transport exchanges the ids of two responses.
    SwappedIds,
    /// The transport sends notifications of progress after the response to their call.
    LateProgress,
    /// The transport does not cancel the calls of a client that has disconnected.
    CallsSurviveDisconnect,
    /// The scheduler forgets that a task was woken.
    LostWakeup,
    /// The host keeps the futures of calls that have ended.
    LeakedTask,
    /// The timers of the host do not expire.
    StuckTimer,
    /// The store returns an old status of a task.
    StaleTask,
    /// The pipe to the client loses the bytes of a line.
    LostBytes,
    /// The pipe to the client repeats a line with the id of another request.
    ForgedResponse,
    /// The endpoint answers a request with the response to another one.
    SwappedHttpResponses,
    /// The endpoint continues a stateless call whose client has disconnected.
    HttpCallSurvives,
    /// The connection to the CLI repeats a response.
    DuplicateControlResponse,
    /// The connection to the CLI loses a response.
    LostControlResponse,
    /// The connection to the CLI loses a message of the CLI.
    LostMessage,
    /// The connection to the CLI repeats a message of the CLI.
    DuplicateMessage,
    /// The connection to the CLI exchanges two messages of the CLI.
    SwappedMessages,
    /// The host does not limit the memory of messages that were not read.
    UnlimitedMessages,
}

impl Bug {
    /// All bugs, with the name of the world that plants each.
    pub const ALL: [(Bug, &'static str); 20] = [
        (Bug::LostResponse, "session"),
        (Bug::DuplicateResponse, "session"),
        (Bug::IgnoredCancellation, "session"),
        (Bug::SwappedIds, "session"),
        (Bug::LateProgress, "session"),
        (Bug::CallsSurviveDisconnect, "session"),
        (Bug::LostWakeup, "session"),
        (Bug::LeakedTask, "session"),
        (Bug::StuckTimer, "session"),
        (Bug::StaleTask, "session"),
        (Bug::LostBytes, "stream"),
        (Bug::ForgedResponse, "stream"),
        (Bug::SwappedHttpResponses, "http"),
        (Bug::HttpCallSurvives, "http"),
        (Bug::DuplicateControlResponse, "agent"),
        (Bug::LostControlResponse, "agent"),
        (Bug::LostMessage, "agent"),
        (Bug::DuplicateMessage, "agent"),
        (Bug::SwappedMessages, "agent"),
        (Bug::UnlimitedMessages, "agent"),
    ];
}
