//! The audit log: every decision, as `tracing` events and as JSON lines.

use std::fmt;
use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use data_encoding::HEXLOWER;
use serde::Serialize;
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use crate::rules::{Behavior, Layer, Reason, Verdict};

/// Writes every decision as one line of JSON.
///
/// A line has:
///
/// - `time`: milliseconds since 1970
/// - `tool` and `input_sha256`, the SHA-256 of the input. Inputs may be confidential, so the log has only their digest.
/// - `behavior`: `allow`, `deny`, or `ask` if the question is not answered yet
/// - `decided_by`: `rule`, `setting`, `mode`, `hook`, `answer` (of the user or of the function that is asked), `files` (the
///   checks of [`Files`](crate::Files)), `check`, `validation`, `nothing` (a guard without rules to which nothing objects) or
///   `failure` (the rules could not be evaluated)
/// - `reason`: a sentence. That of a hook or check is the text that its author has written.
/// - `rule` and `layer`: the rule or setting that decided or that required the question, and its layer; for a mode, the layer
///   that has set it
/// - `answer`: whether the answer to the question allowed the tool use
/// - `caller`: the authenticated caller of a server
///
/// ```
/// use mcp_guard::{AuditLog, Rules};
///
/// let file = std::fs::OpenOptions::new().create(true).append(true).open(std::env::temp_dir().join("audit.jsonl"))?;
/// let rules = Rules::new("/code").audit(AuditLog::new(file));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone)]
pub struct AuditLog(Arc<Mutex<dyn Write + Send>>);

/// What decided about a tool use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum DecidedBy {
    Rule,
    Setting,
    Mode,
    Hook,
    Answer,
    Files,
    Check,
    Validation,
    Nothing,
    Failure,
}

/// A decision about a tool use.
#[derive(Debug, Clone)]
pub(crate) struct Decision {
    pub(crate) behavior: Behavior,
    pub(crate) by: DecidedBy,
    pub(crate) reason: String,
    /// The rule or setting that decided or that required the question.
    pub(crate) ruled: Option<Reason>,
    /// Whether the answer to the question allowed the tool use.
    pub(crate) answer: Option<bool>,
}

#[derive(Serialize)]
struct Line<'a> {
    time: u128,
    tool: &'a str,
    input_sha256: &'a str,
    behavior: &'static str,
    decided_by: DecidedBy,
    reason: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    rule: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    layer: Option<Layer>,
    #[serde(skip_serializing_if = "Option::is_none")]
    answer: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    caller: Option<&'a str>,
}

impl AuditLog {
    /// Creates a log that writes to this file or other destination. Each line is written with one call and flushed.
    pub fn new(out: impl Write + Send + 'static) -> Self {
        Self(Arc::new(Mutex::new(out)))
    }

    fn write(&self, line: &Line<'_>) -> io::Result<()> {
        let mut text = serde_json::to_vec(line)?;
        text.push(b'\n');
        let mut out = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        out.write_all(&text)?;
        out.flush()
    }
}

impl fmt::Debug for AuditLog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("AuditLog(..)")
    }
}

impl DecidedBy {
    fn as_str(self) -> &'static str {
        match self {
            Self::Rule => "rule",
            Self::Setting => "setting",
            Self::Mode => "mode",
            Self::Hook => "hook",
            Self::Answer => "answer",
            Self::Files => "files",
            Self::Check => "check",
            Self::Validation => "validation",
            Self::Nothing => "nothing",
            Self::Failure => "failure",
        }
    }
}

impl Decision {
    /// A denial that no rule is the reason for.
    pub(crate) fn deny(by: DecidedBy, reason: impl Into<String>) -> Self {
        Self { behavior: Behavior::Deny, by, reason: reason.into(), ruled: None, answer: None }
    }

    /// Returns a denial after this decision to allow. It has the answer to the question, and the rule that required it.
    pub(crate) fn then(&self, denial: Self) -> Self {
        match self.answer {
            Some(_) => Self { answer: self.answer, ruled: self.ruled.clone(), ..denial },
            None => denial,
        }
    }

    /// The answer to the question that a verdict required.
    pub(crate) fn answered(asked: &Verdict, is_allowed: bool) -> Self {
        Self {
            behavior: if is_allowed { Behavior::Allow } else { Behavior::Deny },
            by: DecidedBy::Answer,
            answer: Some(is_allowed),
            ..Self::from(asked)
        }
    }

    /// Returns the text and the layer of the rule or setting.
    fn rule(&self) -> (Option<&str>, Option<Layer>) {
        match &self.ruled {
            Some(Reason::Rule { layer, rule } | Reason::Unclear { layer, rule }) => (Some(rule), Some(*layer)),
            Some(Reason::Setting { layer, name }) => (Some(name), Some(*layer)),
            Some(Reason::Mode { layer, .. }) => (None, *layer),
            Some(Reason::AuditLog) | None => (None, None),
        }
    }
}

impl From<&Verdict> for Decision {
    fn from(verdict: &Verdict) -> Self {
        let by = match &verdict.why {
            Reason::Rule { .. } | Reason::Unclear { .. } => DecidedBy::Rule,
            Reason::Setting { .. } => DecidedBy::Setting,
            Reason::Mode { .. } => DecidedBy::Mode,
            Reason::AuditLog => DecidedBy::Failure,
        };
        let (behavior, reason) = (verdict.behavior, verdict.reason());
        Self { behavior, by, reason, ruled: Some(verdict.why.clone()), answer: None }
    }
}

/// Records a decision as a `tracing` event, and in the log if there is one.
pub(crate) fn record(
    log: Option<&AuditLog>,
    tool: &str,
    input: &Value,
    decision: &Decision,
    caller: Option<&str>,
) -> io::Result<()> {
    // The order of the keys does not change what the tool does, so it does not change the digest.
    let mut sorted = input.clone();
    sorted.sort_all_objects();
    let digest = HEXLOWER.encode(&Sha256::digest(sorted.to_string().as_bytes()));
    let (rule, layer) = decision.rule();
    let (behavior, reason) = (decision.behavior.as_str(), &*decision.reason);
    tracing::info!(
        target: "mcp_guard::audit",
        tool,
        input_sha256 = digest,
        behavior,
        decided_by = decision.by.as_str(),
        rule,
        layer = layer.map(Layer::as_str),
        answer = decision.answer,
        caller,
        "{reason}"
    );
    let Some(log) = log else { return Ok(()) };
    let time = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |elapsed| elapsed.as_millis());
    let (decided_by, answer) = (decision.by, decision.answer);
    let line = Line { time, tool, input_sha256: &digest, behavior, decided_by, reason, rule, layer, answer, caller };
    log.write(&line).inspect_err(|error| tracing::error!(%error, "the audit log cannot be written"))
}
