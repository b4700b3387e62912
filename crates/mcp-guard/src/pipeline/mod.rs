//! The stages in their order.

use std::fmt;
use std::sync::Arc;

use mcp_core::ToolResult;
use mcp_core::hook::{Hook, HookCall, Next};
use mcp_core::transport::BoxFuture;
use tracing::{Instrument as _, debug, info_span};

use crate::rules::{Behavior, Rules, Why};

mod files;
mod invocation;
mod seen;

pub use files::Files;
pub use invocation::{Invocation, Refusal};

type Before = dyn Fn(&mut Invocation) -> Result<(), Refusal> + Send + Sync;
type Check = dyn Fn(&Invocation) -> Result<(), Refusal> + Send + Sync;
type After = dyn Fn(&Invocation, &mut ToolResult) + Send + Sync;
type Asked = dyn Fn(&Invocation) -> bool + Send + Sync;

/// The stages of every call of a server, as a hook of it.
///
/// One pipeline is for one session: what was read in one is not read in another.
#[derive(Clone, Default)]
pub struct Guard {
    before: Vec<Arc<Before>>,
    rules: Option<(String, Arc<Rules>)>,
    asked: Option<Arc<Asked>>,
    files: Option<Files>,
    checks: Vec<Arc<Check>>,
    after: Vec<Arc<After>>,
}

impl Guard {
    /// Creates a guard that applies permission rules. The rules know the tools as `mcp__server__tool`, with this name of the
    /// server, and files as `Read(..)` and `Edit(..)`.
    ///
    /// A call that somebody has to be asked about is refused, unless [`ask`](Self::ask) says who.
    pub fn new(server: impl Into<String>, rules: Rules) -> Self {
        Self { rules: Some((server.into(), Arc::new(rules))), ..Self::default() }
    }

    /// Creates a guard without permission rules: hooks and checks only.
    pub fn without_rules() -> Self {
        Self::default()
    }

    /// Before anything else: looks at the call, changes its arguments, or refuses it.
    #[must_use]
    pub fn before(mut self, hook: impl Fn(&mut Invocation) -> Result<(), Refusal> + Send + Sync + 'static) -> Self {
        self.before.push(Arc::new(hook));
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

    /// One more check, right before the tool runs: it finds the arguments validated.
    #[must_use]
    pub fn check(mut self, check: impl Fn(&Invocation) -> Result<(), Refusal> + Send + Sync + 'static) -> Self {
        self.checks.push(Arc::new(check));
        self
    }

    /// After the tool ran: looks at its result, or changes it.
    #[must_use]
    pub fn after(mut self, hook: impl Fn(&Invocation, &mut ToolResult) + Send + Sync + 'static) -> Self {
        self.after.push(Arc::new(hook));
        self
    }

    /// The stages before the tool runs. Afterwards the call has the arguments that were permitted, validated and checked.
    fn prepare(&self, call: &mut HookCall) -> Result<Invocation, ToolResult> {
        let mut invocation = invocation(call)?;
        self.run_before(&mut invocation, call)?;
        self.permit(&invocation).map_err(refused)?;
        validate(call)?;
        self.run_checks(&invocation).map_err(refused)?;
        Ok(invocation)
    }

    fn run_before(&self, invocation: &mut Invocation, call: &mut HookCall) -> Result<(), ToolResult> {
        let _span = info_span!("pre_hook", hooks = self.before.len()).entered();
        if self.before.is_empty() {
            return Ok(());
        }
        let came = invocation.arguments.clone();
        self.before.iter().try_for_each(|hook| hook(invocation)).map_err(refused)?;
        if invocation.arguments == came {
            return Ok(());
        }
        let changed = call.set_arguments(&invocation.arguments);
        changed.map_err(|error| ToolResult::error(format!("the arguments have no JSON form: {error}")))
    }

    fn run_checks(&self, call: &Invocation) -> Result<(), Refusal> {
        let _span = info_span!("check", checks = self.checks.len(), files = self.files.is_some()).entered();
        self.files.as_ref().map_or(Ok(()), |files| files.check(call))?;
        self.checks.iter().try_for_each(|check| check(call))
    }

    fn run_after(&self, call: &Invocation, result: &mut ToolResult) {
        let _span = info_span!("post_hook", hooks = self.after.len()).entered();
        if let Some(files) = &self.files {
            files.done(call, result.is_error);
        }
        self.after.iter().for_each(|hook| hook(call, result));
    }

    /// The tool by its name, and the file that it is about as if it were the CLI's own tool: the stricter of both counts.
    fn permit(&self, call: &Invocation) -> Result<(), Refusal> {
        let _span = info_span!("permission", rules = self.rules.is_some()).entered();
        let Some((server, rules)) = &self.rules else { return Ok(()) };
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

impl Hook for Guard {
    fn call(&self, mut call: HookCall, next: Next) -> BoxFuture<ToolResult> {
        let span = info_span!("tool_pipeline", tool = call.name());
        let pipeline = self.clone();
        let work = async move {
            let result = match pipeline.prepare(&mut call) {
                Ok(invocation) => {
                    let mut result = next.run(call).instrument(info_span!("execution")).await;
                    pipeline.run_after(&invocation, &mut result);
                    result
                }
                Err(refusal) => refusal,
            };
            info_span!("result", is_error = result.is_error, result_bytes = result.to_text().len()).in_scope(|| result)
        };
        Box::pin(work.instrument(span))
    }
}

/// The call as it came.
fn invocation(call: &HookCall) -> Result<Invocation, ToolResult> {
    let text = call.arguments().get();
    let _span = info_span!("invocation", argument_bytes = text.len()).entered();
    match serde_json::from_str(text) {
        Ok(arguments) => Ok(Invocation::new(call.name(), arguments)),
        Err(error) => Err(ToolResult::error(format!("the arguments are no JSON: {error}"))),
    }
}

/// By the tool's own schema, so that checks meet nothing that the tool would refuse.
fn validate(call: &HookCall) -> Result<(), ToolResult> {
    let _span = info_span!("validation", argument_bytes = call.arguments().get().len()).entered();
    call.check().inspect_err(|_| debug!("invalid"))
}

fn refused(refusal: Refusal) -> ToolResult {
    debug!("refused");
    ToolResult::error(refusal.to_string())
}

impl fmt::Debug for Guard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Guard")
            .field("before", &self.before.len())
            .field("rules", &self.rules.is_some())
            .field("files", &self.files)
            .field("checks", &self.checks.len())
            .field("after", &self.after.len())
            .finish_non_exhaustive()
    }
}
