//! The stages in their order.

use std::fmt;
use std::sync::Arc;

use mcp_agent_rules::{Behavior, Rules, Why};
use mcp_core::{BoxFuture, Hook, HookCall, Next, ToolResult};
use serde_json::Value;
use tracing::{Instrument as _, debug, info_span};

use crate::files::Files;

/// A call on its way through the stages.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Invocation {
    /// The tool, by its own name.
    pub tool: String,
    /// Its arguments, not yet validated.
    pub arguments: Value,
}

/// Why a call does not go on. The model reads it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal(String);

impl Refusal {
    /// For this reason.
    pub fn new(reason: impl Into<String>) -> Self {
        Self(reason.into())
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Refusal {}

type Before = dyn Fn(&mut Invocation) -> Result<(), Refusal> + Send + Sync;
type After = dyn Fn(&Invocation, &mut ToolResult) + Send + Sync;
type Asked = dyn Fn(&Invocation) -> bool + Send + Sync;

/// The stages of every call of a server, as a hook of it.
///
/// One pipeline is for one session: what was read in one is not read in another.
#[derive(Clone, Default)]
pub struct Pipeline {
    before: Vec<Arc<Before>>,
    rules: Option<(String, Arc<Rules>)>,
    asked: Option<Arc<Asked>>,
    files: Option<Files>,
    checks: Vec<Arc<Before>>,
    after: Vec<Arc<After>>,
}

impl Pipeline {
    /// Only the stages that there always are.
    pub fn new() -> Self {
        Self::default()
    }

    /// Before anything else: looks at the call, changes its arguments, or refuses it.
    #[must_use]
    pub fn before(mut self, hook: impl Fn(&mut Invocation) -> Result<(), Refusal> + Send + Sync + 'static) -> Self {
        self.before.push(Arc::new(hook));
        self
    }

    /// Asks permission rules, which know the tools as `mcp__server__tool`, and files by `Read(..)` and `Edit(..)`.
    ///
    /// What somebody would have to be asked about is refused, unless [`ask`](Self::ask) says who.
    #[must_use]
    pub fn rules(mut self, server: impl Into<String>, rules: Rules) -> Self {
        self.rules = Some((server.into(), Arc::new(rules)));
        self
    }

    /// Decides where the rules say to ask: whether the call goes on.
    #[must_use]
    pub fn ask(mut self, decide: impl Fn(&Invocation) -> bool + Send + Sync + 'static) -> Self {
        self.asked = Some(Arc::new(decide));
        self
    }

    /// Which tools are for files, so that they are checked: read before write, and edits that are unique.
    #[must_use]
    pub fn files(mut self, files: Files) -> Self {
        self.files = Some(files);
        self
    }

    /// One more check, right before the tool runs.
    #[must_use]
    pub fn check(mut self, check: impl Fn(&mut Invocation) -> Result<(), Refusal> + Send + Sync + 'static) -> Self {
        self.checks.push(Arc::new(check));
        self
    }

    /// After the tool ran: looks at its result, or changes it.
    #[must_use]
    pub fn after(mut self, hook: impl Fn(&Invocation, &mut ToolResult) + Send + Sync + 'static) -> Self {
        self.after.push(Arc::new(hook));
        self
    }

    /// The stages before the tool runs.
    fn prepare(&self, call: &mut Invocation) -> Result<(), Refusal> {
        if !self.before.is_empty() {
            let _span = info_span!("pre_hook", hooks = self.before.len()).entered();
            self.before.iter().try_for_each(|hook| hook(call))?;
        }
        if let Some((server, rules)) = &self.rules {
            let _span = info_span!("permission").entered();
            self.permit(server, rules, call)?;
        }
        if self.files.is_some() || !self.checks.is_empty() {
            let _span = info_span!("check", checks = self.checks.len()).entered();
            self.files.as_ref().map_or(Ok(()), |files| files.check(call))?;
            self.checks.iter().try_for_each(|check| check(call))?;
        }
        Ok(())
    }

    /// The tool by its name, and the file that it is about as if it were the CLI's own tool: the stricter of both counts.
    fn permit(&self, server: &str, rules: &Rules, call: &Invocation) -> Result<(), Refusal> {
        let whole = rules.resolve(&format!("mcp__{server}__{}", call.tool), &call.arguments);
        let file = self.files.as_ref().and_then(|files| files.as_builtin(call));
        let file =
            file.map(|(tool, input)| rules.resolve(tool, &input)).filter(|verdict| verdict.behavior == Behavior::Deny);
        let verdict = file.unwrap_or(whole);
        debug!(behavior = ?verdict.behavior, "decided");
        match verdict.behavior {
            Behavior::Allow => Ok(()),
            Behavior::Ask if self.asked.as_ref().is_some_and(|decide| decide(call)) => Ok(()),
            Behavior::Ask => Err(Refusal::new("nobody gave permission for it")),
            _ => Err(match verdict.why {
                Why::Rule { rule, .. } => Refusal::new(format!("the rule {rule} denies it")),
                _ => Refusal::new("the permission mode denies it"),
            }),
        }
    }
}

impl Hook for Pipeline {
    fn call(&self, mut call: HookCall, next: Next) -> BoxFuture<ToolResult> {
        let span = info_span!("tool_pipeline", tool = call.name(), argument_bytes = call.arguments().get().len());
        let pipeline = self.clone();
        let work = async move {
            let arguments = match serde_json::from_str(call.arguments().get()) {
                Ok(arguments) => arguments,
                Err(error) => return ToolResult::error(format!("the arguments are no JSON: {error}")),
            };
            let mut invocation = Invocation { tool: call.name().to_owned(), arguments };
            let before = invocation.arguments.clone();
            if let Err(refusal) = pipeline.prepare(&mut invocation) {
                debug!("refused");
                return ToolResult::error(refusal.to_string());
            }
            if invocation.arguments != before
                && let Err(error) = call.set_arguments(&invocation.arguments)
            {
                return ToolResult::error(format!("the arguments have no JSON form: {error}"));
            }
            let mut result = next.run(call).instrument(info_span!("execution")).await;
            if let Some(files) = &pipeline.files {
                files.done(&invocation, result.is_error);
            }
            if !pipeline.after.is_empty() {
                let _span = info_span!("post_hook", hooks = pipeline.after.len()).entered();
                pipeline.after.iter().for_each(|hook| hook(&invocation, &mut result));
            }
            debug!(is_error = result.is_error, result_bytes = result.to_text().len(), "result");
            result
        };
        Box::pin(work.instrument(span))
    }
}

impl fmt::Debug for Pipeline {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pipeline")
            .field("before", &self.before.len())
            .field("rules", &self.rules.is_some())
            .field("files", &self.files)
            .field("checks", &self.checks.len())
            .field("after", &self.after.len())
            .finish_non_exhaustive()
    }
}
