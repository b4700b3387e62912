//! What each `--template` contains.

use super::source::Source;

/// A kind of project.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Template {
    /// A server over standard input and output, with tests.
    Stdio,
    /// A server in one file, without tests.
    Minimal,
    /// A server over standard input and output, and over HTTP.
    Http,
    /// A server with a database.
    Sqlite,
    /// A program that runs the Claude Code CLI with tools of its own.
    Agent,
}

/// The templates that have a name. Without one it is [`Template::Stdio`].
pub(super) const NAMES: [(&str, Template); 4] =
    [("minimal", Template::Minimal), ("http", Template::Http), ("sqlite", Template::Sqlite), ("agent", Template::Agent)];

const TOKIO: &str = "# The async runtime. `macros` is for the tests; with it, `cargo test` and `cargo run` share one build.\n\
                     tokio = { version = \"1\", features = [\"macros\", \"rt\"] }\n";

const WORKFLOW: &str = include_str!("../../template/ci/workflow.yml.in");
const GREET: &str = include_str!("../../template/src/greet.rs.in");
const GREET_SNAPSHOT: &str = include_str!("../../template/snapshots/greet.json.in");

impl Template {
    /// Returns the path of each file of the project, and its text with placeholders.
    pub(super) fn files(self) -> Vec<(&'static str, &'static str)> {
        let mut files = vec![
            ("Cargo.toml", include_str!("../../template/Cargo.toml.in")),
            ("README.md", include_str!("../../template/README.md.in")),
            (".gitignore", "/target\n"),
        ];
        if self == Template::Minimal {
            files.push(("src/main.rs", include_str!("../../template/src/main_minimal.rs.in")));
            return files;
        }
        let (tools, snapshot) = match self {
            Template::Sqlite => {
                (include_str!("../../template/src/sqlite.rs.in"), include_str!("../../template/snapshots/sqlite.json.in"))
            }
            _ => (GREET, GREET_SNAPSHOT),
        };
        let main = match self {
            Template::Http => include_str!("../../template/src/main_http.rs.in"),
            Template::Sqlite => include_str!("../../template/src/main_sqlite.rs.in"),
            Template::Agent => include_str!("../../template/src/main_agent.rs.in"),
            _ => include_str!("../../template/src/main_stdio.rs.in"),
        };
        files.extend([
            (".github/workflows/test.yml", WORKFLOW),
            ("src/lib.rs", tools),
            ("src/main.rs", main),
            ("tests/tools.rs", include_str!("../../template/tests/tools.rs.in")),
            ("tests/snapshots/{{name}}.tools.json", snapshot),
        ]);
        files
    }

    /// Returns the values of the placeholders. Those of a value are replaced too.
    pub(super) fn values(self, source: &Source) -> Vec<(&'static str, String)> {
        let server = match self {
            Template::Sqlite => {
                "use mcp_core::Builder;\nuse rusqlite::Connection;\n\nfn server() -> Builder {\n    \
                 let connection = Connection::open_in_memory().unwrap();\n    {{crate}}::server(connection).unwrap()\n}"
            }
            _ => "use {{crate}}::server;",
        };
        vec![
            ("{{dependencies}}", self.dependencies(source)),
            ("{{dev-dependencies}}", self.test_dependencies(source)),
            ("{{description}}", self.description().to_owned()),
            ("{{tools-file}}", if self == Template::Minimal { "src/main.rs" } else { "src/lib.rs" }.to_owned()),
            ("{{server}}", server.to_owned()),
            ("{{commands}}", self.commands().join("\n")),
            ("{{more}}", self.more().to_owned()),
        ]
    }

    fn description(self) -> &'static str {
        match self {
            Template::Agent => "An agent with tools of its own",
            Template::Sqlite => "An MCP server with a SQLite database",
            _ => "An MCP server",
        }
    }

    fn dependencies(self, source: &Source) -> String {
        let from = |name: &str| format!("{name} = {}\n", source.dependency(name));
        match self {
            Template::Stdio => from("mcp-core") + &from("mcp-stdio") + TOKIO,
            Template::Minimal => from("mcp-core") + &from("mcp-stdio"),
            Template::Http => from("mcp-core") + &from("mcp-serve") + TOKIO,
            Template::Sqlite => {
                let sqlite = "# Compiles SQLite, which needs a C compiler.\nrusqlite = { version = \"0.38\", features = [\"bundled\"] }\n";
                from("mcp-core") + &from("mcp-stdio") + sqlite + TOKIO
            }
            Template::Agent => {
                let tokio = "tokio = { version = \"1\", features = [\"macros\", \"rt-multi-thread\"] }\n";
                from("mcp-agent") + &from("mcp-core") + tokio
            }
        }
    }

    fn test_dependencies(self, source: &Source) -> String {
        let from = |name: &str| format!("{name} = {}\n", source.dependency(name));
        let tests = format!("[dev-dependencies]\n{}{{{{check}}}}serde_json = \"1\"\n", from("mcp-test"));
        match self {
            Template::Minimal => String::new(),
            // The tests use the check of `mcp-stdio`.
            Template::Http | Template::Agent => tests.replace("{{check}}", &from("mcp-stdio")),
            _ => tests.replace("{{check}}", ""),
        }
    }

    /// Returns the lines to try the project.
    pub(super) fn commands(self) -> &'static [&'static str] {
        match self {
            Template::Stdio => &["cargo test", "cargo run -- call greet name=Ada", "cargo run -- install claude-code"],
            Template::Minimal => &["cargo run -- call greet name=Ada", "cargo run -- install claude-code"],
            Template::Http => &["cargo test", "cargo run -- call greet name=Ada", "cargo run -- serve --http 8080"],
            Template::Sqlite => {
                &["cargo test", "cargo run -- call add_note text=\"buy eggs\"", "cargo run -- call find_notes text=eggs"]
            }
            Template::Agent => &["cargo test", "cargo run -- \"Greet Ada with the tool.\"    # needs the Claude Code CLI"],
        }
    }

    fn more(self) -> &'static str {
        match self {
            Template::Agent => "",
            Template::Minimal => {
                "\nDuring development, let the client start `cargo mcp dev` in this folder: it rebuilds the server when its source changes.\n"
            }
            _ => {
                "\nDuring development, let the client start `cargo mcp dev` in this folder. It rebuilds and restarts the server when its source \
                 changes, and\nthe client stays connected.\n\nAfter a change of the list of tools, `UPDATE_SNAPSHOTS=1 cargo test` writes the \
                 snapshot that the tests compare it with. Review the diff: models\ndepend on every word.\n\n`cargo run -- check` finds schemas and \
                 names that some clients reject, and `cargo mcp release` makes bundles for publishing.\n"
            }
        }
    }
}
