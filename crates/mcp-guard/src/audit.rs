//! The audit log: every decision, as `tracing` events and as JSON lines.

use std::fmt;
use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use data_encoding::HEXLOWER;
use serde::Serialize;
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use crate::rules::{Layer, Reason, Verdict};

/// Writes every decision as one line of JSON.
///
/// A line has the time (`time`, milliseconds since 1970), the tool, the SHA-256 of its input (`input_sha256`), the decision
/// (`behavior`), the reason, the rule that decided and its layer, and the authenticated caller of a server. Inputs may be
/// confidential, so the log has only their digest.
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

/// Where a tool use came from.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Origin<'a> {
    /// The authenticated caller of a server.
    pub(crate) caller: Option<&'a str>,
}

#[derive(Serialize)]
struct Line<'a> {
    time: u128,
    tool: &'a str,
    input_sha256: &'a str,
    behavior: &'static str,
    reason: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    rule: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    layer: Option<Layer>,
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

/// Records a decision as a `tracing` event, and in the log if there is one.
pub(crate) fn record(
    log: Option<&AuditLog>,
    tool: &str,
    input: &Value,
    verdict: &Verdict,
    origin: Origin<'_>,
) -> io::Result<()> {
    // The order of the keys does not change what the tool does, so it does not change the digest.
    let mut sorted = input.clone();
    sorted.sort_all_objects();
    let digest = HEXLOWER.encode(&Sha256::digest(sorted.to_string().as_bytes()));
    let (rule, layer) = match &verdict.why {
        Reason::Rule { layer, rule } | Reason::Unclear { layer, rule } => (Some(rule.as_str()), Some(*layer)),
        Reason::Setting { layer, name } => (Some(*name), Some(*layer)),
        Reason::Mode(_) => (None, None),
    };
    let (behavior, reason) = (verdict.behavior.as_str(), verdict.reason());
    tracing::info!(
        target: "mcp_guard::audit",
        tool,
        input_sha256 = digest,
        behavior,
        rule,
        layer = layer.map(Layer::as_str),
        caller = origin.caller,
        "{reason}"
    );
    let Some(log) = log else { return Ok(()) };
    let time = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |elapsed| elapsed.as_millis());
    let line = Line { time, tool, input_sha256: &digest, behavior, reason: &reason, rule, layer, caller: origin.caller };
    log.write(&line).inspect_err(|error| tracing::error!(%error, "the audit log cannot be written"))
}
