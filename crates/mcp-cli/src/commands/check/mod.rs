//! `calc check`: reports what some clients or model providers would reject, and changes that break clients.

mod against;
mod audience;
mod descriptions;
mod names;
mod schemas;

use std::{fmt, fs};

use mcp_core::Server;
use serde_json::{Value, json};

use super::CommandOutput;
use super::help::counted;
use crate::USAGE_STATUS;
use crate::command_line::{Arguments, UsageError};
use crate::local_client;
use crate::style::Style;
use audience::Audience;

/// Some clients reject requests with more tools than this.
///
/// VS Code says "Cannot have more than 128 tools per request" (microsoft/vscode#258890, still so in #337428); OpenAI documents
/// `tools` as "A max of 128 functions are supported" (reference of chat completions).
const MAX_TOOLS: usize = 128;

/// A problem with a server, or a possible improvement.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// How severe the problem is.
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
    /// The server works, but some clients or models have difficulties with it.
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
    let mut findings = Findings::default();
    clients(server, &local_client::tools(server), &mut findings);
    findings.sorted()
}

/// Checks what clients and model providers accept.
fn clients(server: &Server, tools: &[Value], findings: &mut Findings) {
    if tools.len() > MAX_TOOLS {
        findings.error(
            "server",
            format!("{} tools: VS Code and OpenAI accept {MAX_TOOLS} in one request, for all servers together", tools.len()),
        );
    }
    let names: Vec<&str> = tools.iter().filter_map(|tool| tool["name"].as_str()).collect();
    names::server(&server.info().name, findings);
    names::tools(&server.info().name, &names, findings);
    for tool in tools {
        let subject = format!("tool `{}`", tool["name"].as_str().unwrap_or_default());
        descriptions::tool(&subject, tool, findings);
        schemas::input(&subject, &tool["inputSchema"], findings);
    }
    if let Some(instructions) = server.instructions() {
        descriptions::instructions(instructions, findings);
    }
}

/// Collects findings.
#[derive(Debug, Default)]
struct Findings(Vec<Finding>);

impl Findings {
    /// Returns the findings, errors first.
    fn sorted(mut self) -> Vec<Finding> {
        self.0.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
        self.0
    }

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
    /// A file with the tools of a released version.
    against: Option<String>,
    audiences: Vec<Audience>,
}

impl Check {
    pub(super) fn parse(arguments: &mut Arguments) -> Result<Check, UsageError> {
        let audiences = arguments.values("--for")?.iter().map(|word| Audience::parse(word)).collect::<Result<_, _>>()?;
        Ok(Check {
            strict: arguments.flag("--strict"),
            json: arguments.flag("--json"),
            against: arguments.value("--against")?,
            audiences,
        })
    }

    /// Checks the server and prints the findings. The exit status is 1 if there is an error. With `--strict` it is also 1 if there is a warning.
    pub(super) fn run(&self, server: &Server) -> CommandOutput {
        match self.findings(server) {
            Ok(findings) => self.shown(server, &findings),
            Err(error) => CommandOutput::failure(error, USAGE_STATUS),
        }
    }

    fn findings(&self, server: &Server) -> Result<Vec<Finding>, String> {
        let tools = local_client::tools(server);
        let mut findings = Findings::default();
        clients(server, &tools, &mut findings);
        for audience in &self.audiences {
            audience.check(server, &tools, &mut findings);
        }
        if let Some(path) = &self.against {
            let text = fs::read_to_string(path).map_err(|error| format!("cannot read `{path}`: {error}"))?;
            let released = against::parse(&text).map_err(|reason| format!("`{path}` {reason}"))?;
            against::tools(&released, &tools, &mut findings);
        }
        Ok(findings.sorted())
    }

    fn shown(&self, server: &Server, findings: &[Finding]) -> CommandOutput {
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
