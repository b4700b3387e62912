//! The servers that are measured.

use std::ffi::OsString;
use std::path::PathBuf;

use crate::dialect::Dialect;

/// A server that is measured.
#[derive(Clone, Debug)]
pub(crate) struct Contender {
    /// What it is called on the command line and in records.
    pub(crate) key: &'static str,
    pub(crate) command: Vec<OsString>,
    /// What it is spoken to in.
    pub(crate) dialect: Dialect,
    pub(crate) kind: Kind,
    /// How it comes to have many tools.
    pub(crate) many: Many,
}

/// What a server is made with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// By hand.
    Floor,
    /// This project.
    Ours,
    /// Another framework in Rust.
    Native,
    /// In an interpreted language, whose processes start slowly.
    Interpreted,
}

/// How a server comes to have many tools.
#[derive(Clone, Debug)]
pub(crate) enum Many {
    /// Not at all.
    No,
    /// By `--tools N`, on top of so many of its own.
    Flag { own: usize },
    /// It answers what a file of this folder says.
    List(PathBuf),
}

pub(crate) const FLOOR: &str = "floor";
pub(crate) const BATCH: &str = "floor-batch";
pub(crate) const OURS: &str = "ours";
pub(crate) const RMCP: &str = "rmcp";
pub(crate) const PIPES: &str = "rmcp-pipes";
pub(crate) const TOWER: &str = "tower-mcp";
pub(crate) const TOWER_VALIDATE: &str = "tower-mcp-validate";
pub(crate) const RUST_SDK: &str = "rust-mcp-sdk";
pub(crate) const TURBO: &str = "turbomcp";
pub(crate) const ATTR: &str = "mcp-attr";
pub(crate) const NODE_SDK: &str = "typescript-sdk";
pub(crate) const NODE_SERVER: &str = "typescript-server";
pub(crate) const PYTHON: &str = "python-mcp";
pub(crate) const FASTMCP: &str = "fastmcp";

/// All of them, in the order of the tables, with their names for people.
pub(crate) const ALL: [(&str, &str); 14] = [
    (FLOOR, "floor"),
    (BATCH, "floor, batching"),
    (OURS, "this project"),
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

/// What people call it.
pub(crate) fn title(key: &str) -> &str {
    ALL.iter().find(|(known, _)| *known == key).map_or(key, |(_, title)| title)
}

impl Contender {
    /// The same server with so many tools in all; none if it cannot have them.
    pub(crate) fn with_tools(&self, total: usize) -> Option<Contender> {
        let mut many = self.clone();
        match &self.many {
            Many::No => return None,
            Many::Flag { own } => many.command.extend(["--tools".into(), total.checked_sub(*own)?.to_string().into()]),
            Many::List(folder) => many.command.extend(["--list".into(), folder.join(format!("{total}.json")).into()]),
        }
        Some(many)
    }

    /// Whether it is known to refuse calls when there are many.
    pub(crate) fn may_refuse(&self) -> bool {
        self.key == TURBO
    }

    /// Whether it has structured output, which is what `search` is about.
    pub(crate) fn has_structured_output(&self) -> bool {
        self.key != ATTR
    }

    /// Whether it has `add_sync`, which only this project tells from `add`.
    pub(crate) fn has_add_sync(&self) -> bool {
        self.kind == Kind::Ours
    }
}
