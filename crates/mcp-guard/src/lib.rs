//! Guards the tool calls of an MCP server: permission rules in the syntax of Claude Code, and checks around each call.
//!
//! [`Rules`] are permission rules: `Bash(git *)`, `Read(./src/**)`, `mcp__calc__*`. For a tool use they return a
//! [`Verdict`]: deny rules of all layers are evaluated first, then ask rules, then allow rules, then the mode. A [`Guard`] is
//! a hook of a server that applies rules to its own tools; one line adds it:
//!
//! ```
//! use mcp_core::Server;
//! use mcp_guard::{Guard, Layer, Rules};
//!
//! let rules = Rules::new("/code").allow(Layer::User, "mcp__files__*")?.deny(Layer::User, "mcp__files__delete")?;
//! let server = Server::builder("files", "1.0.0").hook(Guard::new("files", rules));
//! # let _ = server;
//! # Ok::<(), mcp_guard::RuleError>(())
//! ```
//!
//! `mcp_agent::Agent::rules` applies the same rules to the tools of the Claude Code CLI.
//!
//! Allow and deny rules are matched differently. An allow rule matches only what is understood completely: every command
//! of a compound command, a path by its name and by the target of its links. A deny rule matches everything that may be
//! meant: a command behind `sudo`, in a subshell or in quotes, a path in another case. Where something is denied, a tool
//! use that cannot be understood is not allowed: variables, globs, `cd` and programs that run other programs lead to a
//! question.
//!
//! This is not a sandbox. A program that was allowed can do anything: `Bash(python *)` allows everything.

mod audit;
mod paths;
mod pipeline;
mod rules;
mod settings;
mod shell;
mod sys;

pub use audit::AuditLog;
pub use pipeline::{Files, Guard, HookOptions, Invocation, OnFailure, Opinion, Refusal};
pub use rules::{Behavior, Explanation, Layer, Match, Matched, Reason, Rule, RuleError, Rules, SharedRules, Verdict};
pub use settings::SettingsError;
