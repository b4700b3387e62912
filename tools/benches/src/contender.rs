//! The servers that are measured.

use std::ffi::OsString;
use std::path::PathBuf;

use crate::clients::CLIENTS;
use crate::dialect::Dialect;

/// A server that is measured.
#[derive(Clone, Debug)]
pub(crate) struct Contender {
    /// The name of the server on the command line and in records.
    pub(crate) key: &'static str,
    pub(crate) command: Vec<OsString>,
    /// The revisions that it supports.
    pub(crate) dialect: Dialect,
    pub(crate) kind: Kind,
    /// How to give it many tools.
    pub(crate) many: Many,
}

/// How a server is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// By hand, without a framework.
    Floor,
    /// With this project.
    Ours,
    /// With another framework in Rust.
    Native,
    /// In an interpreted language. Its processes start slowly.
    Interpreted,
}

/// How to give a server many tools.
#[derive(Clone, Debug)]
pub(crate) enum Many {
    /// It cannot have many tools.
    No,
    /// With `--tools N`, in addition to this many of its own.
    Flag { own: usize },
    /// It responds with the content of a file in this folder.
    List(PathBuf),
}

pub(crate) const FLOOR: &str = "floor";
pub(crate) const BATCH: &str = "floor-batch";
pub(crate) const OURS: &str = "ours";
/// The same server, built with the profile of `cargo mcp new`.
pub(crate) const OURS_NEW: &str = "ours-new";
pub(crate) const RMCP: &str = "rmcp";
pub(crate) const PIPES: &str = "rmcp-pipes";
pub(crate) const TOWER: &str = "tower-mcp";
pub(crate) const TOWER_VALIDATE: &str = "tower-mcp-validate";
pub(crate) const RUST_SDK: &str = "rust-mcp-sdk";
pub(crate) const TURBO: &str = "turbomcp";
pub(crate) const ATTR: &str = "mcp-attr";
pub(crate) const NODE_SDK: &str = "typescript-sdk";
pub(crate) const NODE_SERVER: &str = "typescript-server";
pub(crate) const NODE_CLIENT: &str = "typescript-client";
pub(crate) const PYTHON: &str = "python-mcp";
pub(crate) const FASTMCP: &str = "fastmcp";

/// All servers in the order of the tables, with their titles.
pub(crate) const ALL: [(&str, &str); 15] = [
    (FLOOR, "floor"),
    (BATCH, "floor, batching"),
    (OURS, "this project"),
    (OURS_NEW, "this project, profile of `cargo mcp new`"),
    (PIPES, "rmcp 3.8, `stdio_pipes`"),
    (RMCP, "rmcp 3.8"),
    (TOWER, "tower-mcp 0.25"),
    (TOWER_VALIDATE, "tower-mcp 0.25, validating"),
    (RUST_SDK, "rust-mcp-sdk 2.0"),
    (TURBO, "turbomcp 4.0-alpha.5"),
    (ATTR, "mcp-attr 0.0.7"),
    (NODE_SDK, "TypeScript sdk 1.32"),
    (NODE_SERVER, "TypeScript server 2.4"),
    (PYTHON, "Python mcp 2.3"),
    (FASTMCP, "FastMCP 4.1"),
];

/// The title of a server.
pub(crate) fn title(key: &str) -> &str {
    ALL.iter().chain(&CLIENTS).find(|(known, _)| *known == key).map_or(key, |(_, title)| title)
}

/// Whether a server is no other framework.
pub(crate) fn is_ours_or_floor(key: &str) -> bool {
    [FLOOR, BATCH, OURS, OURS_NEW].contains(&key)
}

impl Contender {
    /// The same server with `total` tools, or `None` if it cannot have them.
    pub(crate) fn with_tools(&self, total: usize) -> Option<Contender> {
        let mut many = self.clone();
        match &self.many {
            Many::No => return None,
            Many::Flag { own } => many.command.extend(["--tools".into(), total.checked_sub(*own)?.to_string().into()]),
            Many::List(folder) => many.command.extend(["--list".into(), folder.join(format!("{total}.json")).into()]),
        }
        Some(many)
    }

    /// Whether it rejects calls if many are pending.
    pub(crate) fn may_refuse(&self) -> bool {
        self.key == TURBO
    }

    /// Whether it has structured output, which `search` needs.
    pub(crate) fn has_structured_output(&self) -> bool {
        self.key != ATTR
    }

    /// Whether it has `add_sync`. Only this project treats it differently from `add`.
    pub(crate) fn has_add_sync(&self) -> bool {
        self.key == OURS
    }
}
