//! `calc check`: reports what some clients or model providers would reject.

mod descriptions;
mod names;
mod schemas;

use std::fmt;

use mcp_core::Server;
use serde_json::{Value, json};

use super::CommandOutput;
use super::help::counted;
use crate::command_line::Arguments;
use crate::local_client;
use crate::style::Style;

/// Some clients reject requests with more tools than this.
///
/// VS Code says "Cannot have more than 128 tools per request" (microsoft/vscode#258890, still so in #337428); OpenAI documents
/// `tools` as "A max of 128 functions are supported" (reference of chat completions).
const MAX_TOOLS: usize = 128;

/// A problem with a server, or a possible improvement.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// How severe it is.
    pub severity: Severity,
    /// What the finding is about, such as ``tool `add` ``.
    pub subject: String,
    /// The problem, which clients or providers have it, and how to fix it.
    pub reason: String,
}

/// The severity of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Severity {
    /// It works, but some clients or models handle it badly.
    Warning,
    /// Some client or model provider drops the tool, or rejects the whole request.
    Error,
}

/// Returns what some clients or model providers reject or handle badly in a server. Errors come first.
///
/// A server that was built is valid by the protocol. This function checks the limits of known clients and model providers,
/// and finds missing descriptions. Use it in a test:
///
/// ```
/// # use mcp_core::{Server, tool, tools};
/// # /// Add two numbers.
/// # #[tool]
/// # fn add(
/// #     /// left addend
/// #     a: i64,
/// # ) -> i64 {
/// #     a
/// # }
/// let server = Server::builder("calc", "1.0.0").tools(tools![add]).build()?;
/// assert_eq!(mcp_cli::check(&server), []);
/// # Ok::<(), mcp_core::BuildError>(())
/// ```
pub fn check(server: &Server) -> Vec<Finding> {
    let tools = local_client::tools(server);
    let mut findings = Findings::default();
    if tools.len() > MAX_TOOLS {
        findings.error(
            "server",
            format!("{} tools: VS Code and OpenAI accept {MAX_TOOLS} in one request, for all servers together", tools.len()),
        );
    }
    let names: Vec<&str> = tools.iter().filter_map(|tool| tool["name"].as_str()).collect();
    names::server(&server.info().name, &mut findings);
    names::tools(&server.info().name, &names, &mut findings);
    for tool in &tools {
        let subject = format!("tool `{}`", tool["name"].as_str().unwrap_or_default());
        descriptions::tool(&subject, tool, &mut findings);
        schemas::input(&subject, &tool["inputSchema"], &mut findings);
    }
    if let Some(instructions) = server.instructions() {
        descriptions::instructions(instructions, &mut findings);
    }
    let mut findings = findings.0;
    findings.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
    findings
}

/// Collects findings.
#[derive(Debug, Default)]
struct Findings(Vec<Finding>);

impl Findings {
    fn error(&mut self, subject: &str, reason: impl Into<String>) {
        self.0.push(Finding { severity: Severity::Error, subject: subject.to_owned(), reason: reason.into() });
    }

    fn warning(&mut self, subject: &str, reason: impl Into<String>) {
        self.0.push(Finding { severity: Severity::Warning, subject: subject.to_owned(), reason: reason.into() });
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}: {}", self.severity, self.subject, self.reason)
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Severity::Warning => "warning",
            Severity::Error => "error",
        })
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Check {
    strict: bool,
    json: bool,
}

impl Check {
    pub(super) fn parse(arguments: &mut Arguments) -> Check {
        Check { strict: arguments.flag("--strict"), json: arguments.flag("--json") }
    }

    /// The exit status is 1 if there is an error. With `--strict` it is also 1 if there is a warning.
    pub(super) fn run(&self, server: &Server) -> CommandOutput {
        let findings = check(server);
        let errors = findings.iter().filter(|finding| finding.severity == Severity::Error).count();
        let failed = errors > 0 || (self.strict && !findings.is_empty());
        let text = if self.json {
            format!("{:#}", Value::from_iter(findings.iter().map(as_json)))
        } else {
            let style = Style::stdout();
            let summary = format!(
                "{}: {}, {}, {}",
                server.info().name,
                counted(server.tools().len(), "tool"),
                counted(errors, "error"),
                counted(findings.len() - errors, "warning")
            );
            findings.iter().map(|finding| shown(finding, style)).chain([summary]).collect::<Vec<_>>().join("\n")
        };
        CommandOutput { status: failed.into(), ..CommandOutput::text(text) }
    }
}

fn shown(finding: &Finding, style: Style) -> String {
    let severity = finding.severity.to_string();
    let severity = if finding.severity == Severity::Error { style.red(&severity) } else { style.yellow(&severity) };
    format!("{severity}: {}: {}", finding.subject, finding.reason)
}

fn as_json(finding: &Finding) -> Value {
    json!({"severity": finding.severity.to_string(), "subject": finding.subject, "reason": finding.reason})
}
