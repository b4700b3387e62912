//! The example servers that a client starts as Windows programs.

/// An example server, and a call of one of its tools.
pub(super) struct ExampleServer {
    /// The folder of the program in the target folder.
    pub(super) folder: &'static str,
    pub(super) name: &'static str,
    pub(super) arguments: &'static [&'static str],
    /// The name of the tool, its arguments as JSON, and a text in its result. `None` if the server has no tool that is called
    /// without a preparation.
    pub(super) call: Option<[&'static str; 3]>,
}

impl ExampleServer {
    /// Whether cargo builds the server as an example, not as a program of a package.
    pub(super) fn is_example(&self) -> bool {
        self.folder.ends_with("examples")
    }
}

/// An example of the workspace package.
const fn example(name: &'static str, call: Option<[&'static str; 3]>) -> ExampleServer {
    ExampleServer { folder: "debug/examples", name, arguments: &[], call }
}

/// An example that is a package.
const fn package(name: &'static str, arguments: &'static [&'static str], call: Option<[&'static str; 3]>) -> ExampleServer {
    ExampleServer { folder: "debug", name, arguments, call }
}

/// All example servers with standard input and output.
pub(super) static SERVERS: [ExampleServer; 21] = [
    example("asking", Some(["colour", r#"{"mood": "calm"}"#, "grey"])),
    example("both", Some(["add", r#"{"a": 2, "b": 3}"#, "5"])),
    example("caching", None),
    example("calculator", Some(["divide", r#"{"a": 1, "b": 4}"#, "0.25"])),
    example("completion", None),
    example("dynamic", Some(["inches_to_centimetres", r#"{"amount": 2}"#, "5.08 centimetres"])),
    example("everything", Some(["test_simple_text", "{}", "simple text"])),
    example("hello", Some(["add", r#"{"a": 2, "b": 3}"#, "5"])),
    example("live", Some(["load", "{}", "loaded"])),
    example("logs", Some(["look_up", r#"{"word": "egg"}"#, "Ei"])),
    example("notes", Some(["tear_out", r#"{"title": "☂"}"#, "☂"])),
    example("progress", Some(["largest_prime_below", r#"{"limit": 100}"#, "97"])),
    example("prompts", None),
    example("resources", None),
    example("search", None),
    example("state", Some(["counter_bump", "{}", "1"])),
    example("tasks", None),
    example("tools", Some(["add", r#"{"a": 2, "b": 3}"#, "5"])),
    // The folder is relative to the root of the repository.
    package(
        "files-server",
        &["examples/files"],
        Some(["read_text_file", r#"{"path": "src\\lib.rs", "head": 1}"#, "//! A file server"]),
    ),
    package("sqlite-server", &[":memory:"], Some(["query", r#"{"sql": "select 'grüße' as word"}"#, "grüße"])),
    package("weather-server", &[], Some(["forecast", r#"{"city": "Köln"}"#, NO_API])),
];

/// The address of the API of `weather-server`: nothing listens there.
pub(super) const NO_API: &str = "http://127.0.0.1:9";
