//! Permission rules for agents, in the syntax of Claude Code.
//!
//! [`Rules`] hold what settings say about tools: `Bash(git *)`, `Read(./src/**)`, `mcp__calc__*`. Asked about a tool use,
//! they give a [`Verdict`]: a deny of any layer wins, then the first layer that says something, then the mode. A permission
//! callback asks them first and a person only about the rest:
//!
//! ```
//! use mcp_agent::{Agent, Decision};
//! use mcp_agent_rules::{Layer, Rules};
//!
//! let rules = Rules::new("/code").allow(Layer::Session, "Bash(git *)")?.deny(Layer::User, "Read(.env)")?;
//! let agent = Agent::new().permission(move |ask| {
//!     let decided = rules.decide(&ask);
//!     async move { decided.unwrap_or_else(|| Decision::deny("nobody is here to ask")) }
//! });
//! # Ok::<(), mcp_agent_rules::RuleError>(())
//! ```
//!
//! What a rule covers is asymmetric on purpose. Leave is given only to what is understood whole: every command of a
//! compound one, a path by its name and by where its links lead. A denial covers everything that may be meant: a command
//! behind `sudo`, in a subshell or in quotes, a path in other case. What cannot be read is never allowed where something is
//! denied; it is asked about.
//!
//! This is no sandbox. A program that was allowed can do what it likes; `python *` is leave for everything.

mod command;
mod denial;
mod domain;
mod fence;
mod leave;
mod mode;
mod path;
mod rule;
mod rules;
mod settings;
mod shell;
mod subject;
mod verdict;

pub use rule::{Rule, RuleError};
pub use rules::Rules;
pub use settings::SettingsError;
pub use verdict::{Behavior, Layer, Verdict, Why};
