//! Permission rules for agents, in the syntax of Claude Code.
//!
//! [`Rules`] are the permission rules of settings: `Bash(git *)`, `Read(./src/**)`, `mcp__calc__*`. For a tool use they
//! return a [`Verdict`]: deny rules of all layers are looked at first, then ask rules, then allow rules, then the mode.
//! One line installs them in a session, for every tool use and not only for those that the CLI would ask about:
//!
//! ```
//! use mcp_agent::Agent;
//! use mcp_agent_rules::{AgentRules as _, Layer, Rules};
//!
//! let rules = Rules::new("/code").allow(Layer::Session, "Bash(git *)")?.deny(Layer::User, "Read(.env)")?;
//! let agent = Agent::new().rules(rules);
//! # Ok::<(), mcp_agent_rules::RuleError>(())
//! ```
//!
//! Allow and deny rules are matched differently. An allow rule matches only what is understood completely: every command
//! of a compound command, a path by its name and by the target of its links. A deny rule matches everything that may be
//! meant: a command behind `sudo`, in a subshell or in quotes, a path in another case. Where something is denied, a tool
//! use that cannot be understood is not allowed: variables, globs, `cd` and programs that run other programs lead to a
//! question.
//!
//! This is not a sandbox. A program that was allowed can do anything: `Bash(python *)` allows everything.

mod allow;
mod command;
mod domain;
mod guarded;
mod mode;
mod path;
mod path_pattern;
mod restrict;
mod rule;
mod rules;
mod settings;
mod shell;
mod subject;
mod verdict;

pub use guarded::AgentRules;
pub use rule::{Rule, RuleError};
pub use rules::Rules;
pub use settings::SettingsError;
pub use verdict::{Behavior, Layer, Verdict, Why};
