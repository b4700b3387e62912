//! The stages of a tool call, in their order.

use std::fmt;
use std::future::Future;
use std::sync::Arc;

use mcp_core::hook::{Hook, HookCall, Next};
use mcp_core::transport::BoxFuture;
use mcp_core::{Context, Principal, ToolResult};
use tracing::{Instrument as _, debug, info_span};

use crate::audit::{self, AuditLog, DecidedBy, Decision};
use crate::rules::{Behavior, Reason, SharedRules, Verdict};

mod ask;
mod files;
mod hook_opinion;
mod invocation;
mod permission;
mod read_files;
mod stage;

pub use files::Files;
pub use hook_opinion::Opinion;
pub use invocation::{Invocation, Refusal};
pub use stage::{HookOptions, OnFailure};

use ask::AskMethod;
use files::{Content, FileRefusal};
use hook_opinion::HookDecision;

type Before = dyn Fn(Invocation) -> BoxFuture<Opinion> + Send + Sync;
type Check = dyn Fn(Invocation) -> BoxFuture<Result<(), Refusal>> + Send + Sync;
type After = dyn Fn(Invocation, ToolResult) -> BoxFuture<ToolResult> + Send + Sync;

/// Guards every call of a server's tools, as a hook of the server.
///
/// A call passes eight stages, each a `tracing` span inside of `tool_pipeline`: `invocation`, `pre_hook`, `permission`,
/// `validation`, `check`, `execution`, `post_hook`, `result`. The spans have names and sizes, never values.
#[derive(Clone, Default)]
pub struct Guard {
    before: Vec<(HookOptions, Arc<Before>)>,
    rules: Option<(Arc<str>, SharedRules)>,
    asking: AskMethod,
    files: Option<Files>,
    checks: Vec<Arc<Check>>,
    audit: Option<AuditLog>,
    after: Vec<(HookOptions, Arc<After>)>,
}

impl Guard {
    /// Creates a guard that applies permission rules. The rules know the tools as `mcp__server__tool`, with this name of the
    /// server, and files as `Read(..)` and `Edit(..)`.
    ///
    /// A call that needs a question is refused, unless [`ask`](Self::ask) or [`ask_client`](Self::ask_client) is set.
    pub fn new(server: impl Into<String>, rules: impl Into<SharedRules>) -> Self {
        Self { rules: Some((server.into().into(), rules.into())), ..Self::default() }
    }

    /// Creates a guard without permission rules: hooks and checks only.
    pub fn without_rules() -> Self {
        Self::default()
    }

    /// Adds a hook that runs before everything else: it looks at the call, changes its arguments, or objects to it.
    ///
    /// It has a timeout of 60 seconds, and a hook that fails denies the call; [`before_with`](Self::before_with) changes both.
    #[must_use]
    pub fn before<F>(self, hook: impl Fn(Invocation) -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = Opinion> + Send + 'static,
    {
        self.before_with(HookOptions::new(), hook)
    }

    /// Like [`before`](Self::before), with a timeout and a choice of what happens if the hook fails.
    #[must_use]
    pub fn before_with<F>(mut self, options: HookOptions, hook: impl Fn(Invocation) -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = Opinion> + Send + 'static,
    {
        self.before.push((options, Arc::new(move |call| Box::pin(hook(call)))));
        self
    }

    /// Decides calls that somebody has to be asked about: whether the call goes on.
    ///
    /// The answer may take five minutes. If it takes longer, or the callback panics, the call is denied.
    #[must_use]
    pub fn ask<F>(mut self, decide: impl Fn(Invocation, String) -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = bool> + Send + 'static,
    {
        self.asking = AskMethod::callback(move |call, reason| Box::pin(decide(call, reason)));
        self
    }

    /// If a rule or a hook requires permission for a call, asks the user of the client by elicitation.
    ///
    /// Calls of clients that do not support elicitation are denied.
    #[must_use]
    pub fn ask_client(mut self) -> Self {
        self.asking = AskMethod::client();
        self
    }

    /// Declares which tools read and write files, so that rules for files apply to them, and so that they are checked: read
    /// before write, and edits that are unique.
    #[must_use]
    pub fn files(mut self, files: Files) -> Self {
        self.files = Some(files);
        self
    }

    /// Adds a check right before the tool runs, when the arguments have been validated.
    ///
    /// A check that panics or takes longer than 60 seconds denies the call.
    #[must_use]
    pub fn check<F>(mut self, check: impl Fn(Invocation) -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = Result<(), Refusal>> + Send + 'static,
    {
        self.checks.push(Arc::new(move |call| Box::pin(check(call))));
        self
    }

    /// Writes the decision about every call to this log, in place of the [log of the rules](crate::Rules::audit). Without any
    /// log decisions are `tracing` events only.
    #[must_use]
    pub fn audit(mut self, log: AuditLog) -> Self {
        self.audit = Some(log);
        self
    }

    /// Adds a hook that runs after the tool and returns the result, changed or not. A changed result is validated against
    /// the tool's output schema like any other.
    ///
    /// It has a timeout of 60 seconds, and a hook that fails replaces the result by an error; [`after_with`](Self::after_with)
    /// changes both.
    #[must_use]
    pub fn after<F>(self, hook: impl Fn(Invocation, ToolResult) -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = ToolResult> + Send + 'static,
    {
        self.after_with(HookOptions::new(), hook)
    }

    /// Like [`after`](Self::after), with a timeout and a choice of what happens if the hook fails.
    #[must_use]
    pub fn after_with<F>(
        mut self,
        options: HookOptions,
        hook: impl Fn(Invocation, ToolResult) -> F + Send + Sync + 'static,
    ) -> Self
    where
        F: Future<Output = ToolResult> + Send + 'static,
    {
        self.after.push((options, Arc::new(move |call, result| Box::pin(hook(call, result)))));
        self
    }

    async fn run(self, mut call: HookCall, next: Next) -> ToolResult {
        let (invocation, before) = match self.prepare(&mut call).await {
            Ok(prepared) => prepared,
            Err(refusal) => return refusal,
        };
        let result = next.run(call).instrument(info_span!("execution")).await;
        let span = info_span!("post_hook", hooks = self.after.len());
        self.run_after(invocation, before, result).instrument(span).await
    }

    /// Runs the stages before the tool, and records the decision. Afterwards the call has the arguments that were permitted,
    /// validated and checked.
    async fn prepare(&self, call: &mut HookCall) -> Result<(Invocation, Option<Content>), ToolResult> {
        let mut invocation = invocation(call)?;
        let (decision, outcome) = match self.decide(&mut invocation, call).await {
            Ok((decision, content)) => (decision, Ok((invocation.clone(), content))),
            Err((decision, result)) => (decision, Err(result)),
        };
        self.record(&invocation, &decision)?;
        outcome.inspect_err(|_| debug!(decided_by = ?decision.by, "refused"))
    }

    /// Decides about a call. An error is a denial, with the result for the model.
    async fn decide(
        &self,
        invocation: &mut Invocation,
        call: &mut HookCall,
    ) -> Result<(Decision, Option<Content>), (Decision, ToolResult)> {
        let span = info_span!("pre_hook", hooks = self.before.len());
        let objection = self.run_before(invocation, call).instrument(span).await;
        let span = info_span!("permission", rules = self.rules.is_some());
        let decision = self.permit(invocation, objection).instrument(span).await;
        if decision.behavior != Behavior::Allow {
            let result = ToolResult::error(decision.reason.clone());
            return Err((decision, result));
        }
        let invalid = "the arguments do not match the schema of the tool";
        validate(call).map_err(|result| (decision.then(Decision::deny(DecidedBy::Validation, invalid)), result))?;
        let span = info_span!("check", checks = self.checks.len(), files = self.files.is_some());
        let refused =
            |(denial, refusal): (Decision, Refusal)| (decision.then(denial), ToolResult::error(refusal.to_string()));
        let content = self.run_checks(invocation).instrument(span).await.map_err(refused)?;
        Ok((decision, content))
    }

    /// Records the final decision. A call whose decision cannot be recorded is denied.
    fn record(&self, call: &Invocation, decision: &Decision) -> Result<(), ToolResult> {
        let rules = self.rules.as_ref().map(|(_, rules)| rules.snapshot());
        let log = self.audit.as_ref().or_else(|| rules.as_ref()?.audit_log());
        let caller = call.context().principal().map(Principal::owner);
        let recorded = audit::record(log, &self.name_of(call), &call.arguments, decision, caller);
        let unrecorded = Verdict { behavior: Behavior::Deny, why: Reason::AuditLog };
        recorded.map_err(|_| ToolResult::error(unrecorded.reason()))
    }

    async fn run_before(&self, invocation: &mut Invocation, call: &mut HookCall) -> HookDecision {
        let original = invocation.arguments.clone();
        let mut objection = HookDecision::None;
        for (options, hook) in &self.before {
            let opinion = match options.run("hook", call.context(), hook(invocation.clone())).await {
                Ok(opinion) => opinion,
                Err(_) if options.on_failure == OnFailure::Continue => continue,
                Err(reason) => Opinion::deny(reason),
            };
            if let Some(arguments) = opinion.arguments {
                invocation.arguments = arguments;
            }
            objection = objection.stricter(opinion.verdict);
            if matches!(objection, HookDecision::Deny(_)) {
                break;
            }
        }
        if invocation.arguments != original
            && let Err(error) = call.set_arguments(&invocation.arguments)
        {
            let reason = format!("the arguments cannot be written as JSON: {error}");
            objection = objection.stricter(HookDecision::Deny(reason));
        }
        objection
    }

    async fn run_checks(&self, call: &Invocation) -> Result<Option<Content>, (Decision, Refusal)> {
        let mut before = None;
        if let Some(files) = self.files.clone() {
            let (checked, caller) = (call.clone(), call.context().caller_key());
            let work = call.context().run_blocking(move || files.check(&checked, caller.as_deref()));
            let outcome = HookOptions::new().run("check of a file", call.context(), work).await;
            let failed = |reason: String| Err(FileRefusal { reason: "the file could not be checked", shown: reason });
            let outcome = outcome.map_or_else(failed, |outcome| {
                outcome.unwrap_or_else(|| failed("the files of the call could not be checked".to_owned()))
            });
            before = outcome
                .map_err(|refusal| (Decision::deny(DecidedBy::Files, refusal.reason), Refusal::new(refusal.shown)))?;
        }
        for check in &self.checks {
            let outcome = HookOptions::new().run("check", call.context(), check(call.clone())).await;
            let refused = |refusal: Refusal| (Decision::deny(DecidedBy::Check, refusal.to_string()), refusal);
            outcome.map_err(Refusal::new).and_then(|outcome| outcome).map_err(refused)?;
        }
        Ok(before)
    }

    async fn run_after(&self, call: Invocation, before: Option<Content>, mut result: ToolResult) -> ToolResult {
        if let (Some(files), Some(caller), false) = (self.files.clone(), call.context().caller_key(), result.is_error) {
            let done = call.clone();
            let work = call.context().run_blocking(move || files.remember(&done, &caller, before));
            // A file that was not remembered in time counts as not read.
            let _ = HookOptions::new().run("check of a file", call.context(), work).await;
        }
        for (options, hook) in &self.after {
            let outcome = options.run("hook", call.context(), hook(call.clone(), result.clone())).await;
            result = match outcome {
                Ok(changed) => changed,
                Err(_) if options.on_failure == OnFailure::Continue => result,
                Err(reason) => ToolResult::error(reason),
            };
        }
        result
    }
}

impl Hook for Guard {
    fn call(&self, call: HookCall, next: Next) -> BoxFuture<ToolResult> {
        let span = info_span!("tool_pipeline", tool = call.name());
        let guard = self.clone();
        let work = async move {
            let result = guard.run(call, next).await;
            info_span!("result", is_error = result.is_error, result_bytes = result.to_text().len()).in_scope(|| result)
        };
        Box::pin(work.instrument(span))
    }
}

/// Returns the call as the client sent it.
fn invocation(call: &HookCall) -> Result<Invocation, ToolResult> {
    let text = call.arguments().get();
    let _span = info_span!("invocation", argument_bytes = text.len()).entered();
    let context: Context = call.context().clone();
    match serde_json::from_str(text) {
        Ok(arguments) => Ok(Invocation::new(arguments, context)),
        Err(error) => Err(ToolResult::error(format!("the arguments are not valid JSON: {error}"))),
    }
}

/// Validates the arguments against the tool's own schema, so that checks see only arguments that the tool accepts.
fn validate(call: &HookCall) -> Result<(), ToolResult> {
    let _span = info_span!("validation", argument_bytes = call.arguments().get().len()).entered();
    call.check()
}

impl fmt::Debug for Guard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Guard")
            .field("before", &self.before.len())
            .field("rules", &self.rules.is_some())
            .field("asking", &self.asking)
            .field("files", &self.files)
            .field("checks", &self.checks.len())
            .field("audit", &self.audit)
            .field("after", &self.after.len())
            .finish()
    }
}
