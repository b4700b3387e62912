//! The hooks of a session: registered in `initialize`, called by id.

use std::fmt;
use std::future::Future;
use std::sync::Arc;

use serde::Serialize;
use serde_json::value::RawValue;

use super::{Hook, HookCall, HookEvent, IntoHookOutput};
use crate::transport::Pending;

/// A hook as registered in `initialize`.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Matcher {
    #[serde(skip)]
    pub(crate) event: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    matcher: Option<String>,
    hook_callback_ids: [String; 1],
    #[serde(skip_serializing_if = "Option::is_none")]
    timeout: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    on_failure: Option<&'static str>,
}

/// The serialized output of a hook, or its error message.
pub(crate) type HookAnswer = Result<Box<RawValue>, String>;

type Callback = dyn Fn(Box<RawValue>, Option<String>) -> Pending<'static, HookAnswer> + Send + Sync;

/// The hooks of a session. The index is the id of the callback.
#[derive(Clone, Default)]
pub(crate) struct Hooks(Vec<(Matcher, Arc<Callback>)>);

impl Hooks {
    pub(crate) fn add<E, F, A>(&mut self, hook: Hook<E>, callback: F)
    where
        E: HookEvent,
        F: Fn(HookCall<E>) -> A + Send + Sync + 'static,
        A: Future + Send + 'static,
        A::Output: IntoHookOutput<E>,
    {
        let event = hook.event.clone();
        let matcher = Matcher {
            event: hook.event,
            matcher: hook.matcher,
            hook_callback_ids: [format!("hook_{}", self.0.len())],
            timeout: hook.timeout.map(|timeout| timeout.as_secs_f64().ceil().max(1.0) as u64),
            on_failure: hook.block_on_failure.then_some("block"),
        };
        let callback = Arc::new(callback);
        let callback: Arc<Callback> = Arc::new(move |input, tool_use_id| {
            let (callback, event) = (Arc::clone(&callback), event.clone());
            // Called inside the future, so that a panic happens while polling, where it is caught.
            Box::pin(async move {
                let answer = callback(HookCall::new(input, tool_use_id)).await;
                let output = answer.into_hook_output()?;
                output.to_raw(&event).map_err(|error| error.to_string())
            })
        });
        self.0.push((matcher, callback));
    }

    /// Returns true if any hook must block the action of its event when the hook fails.
    pub(crate) fn block_on_failure(&self) -> bool {
        self.matchers().any(|matcher| matcher.on_failure.is_some())
    }

    pub(crate) fn matchers(&self) -> impl Iterator<Item = &Matcher> {
        self.0.iter().map(|(matcher, _)| matcher)
    }

    /// Calls a hook. Returns `None` if the id is unknown.
    pub(crate) fn call(
        &self,
        callback_id: &str,
        input: Box<RawValue>,
        tool_use_id: Option<String>,
    ) -> Option<Pending<'static, HookAnswer>> {
        let index: usize = callback_id.strip_prefix("hook_")?.parse().ok()?;
        let (_, callback) = self.0.get(index)?;
        Some(callback(input, tool_use_id))
    }
}

impl fmt::Debug for Hooks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.matchers()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hook::{HookOutput, PreToolUse, Stop};
    use serde_json::json;
    use std::time::Duration;

    fn raw(value: serde_json::Value) -> Box<RawValue> {
        serde_json::value::to_raw_value(&value).expect("serialises")
    }

    #[test]
    fn a_matcher_contains_only_what_was_set() {
        let mut hooks = Hooks::default();
        hooks.add(Hook::<Stop>::new(), |_| async { HookOutput::pass() });
        hooks.add(
            Hook::<PreToolUse>::new().matcher("mcp__.*").timeout(Duration::from_millis(1500)).block_on_failure(),
            |_| async {},
        );
        let matchers = serde_json::to_value(hooks.matchers().collect::<Vec<_>>()).expect("serialises");
        assert_eq!(
            matchers,
            json!([
                {"hookCallbackIds": ["hook_0"]},
                {"matcher": "mcp__.*", "hookCallbackIds": ["hook_1"], "timeout": 2, "onFailure": "block"}
            ])
        );
    }

    #[tokio::test]
    async fn a_hook_sees_its_event_and_the_common_fields() {
        let mut hooks = Hooks::default();
        hooks.add(Hook::<PreToolUse>::new(), |call| async move {
            assert_eq!(call.base().session_id, "s1");
            assert_eq!(call.tool_use_id(), Some("t1"));
            PreToolUse::deny(format!("{} with {}", call.tool_name, call.tool_input["a"]))
        });
        let input = raw(json!({"session_id": "s1", "tool_name": "add", "tool_input": {"a": 2}}));
        let answer = hooks.call("hook_0", input, Some("t1".to_owned())).expect("a hook").await.expect("an answer");
        assert_eq!(
            serde_json::from_str::<serde_json::Value>(answer.get()).expect("json"),
            json!({"hookSpecificOutput": {
                "hookEventName": "PreToolUse", "permissionDecision": "deny", "permissionDecisionReason": "add with 2"}})
        );
    }

    #[tokio::test]
    async fn an_error_of_the_callback_is_sent_to_the_cli() {
        let mut hooks = Hooks::default();
        hooks.add(Hook::<Stop>::new(), |_| async { Err::<HookOutput<Stop>, _>(std::fmt::Error) });
        let answer = hooks.call("hook_0", raw(json!({})), None).expect("a hook").await;
        assert_eq!(answer.expect_err("an error"), std::fmt::Error.to_string());
    }

    #[test]
    fn an_unknown_callback_id_returns_none() {
        let hooks = Hooks::default();
        for id in ["hook_0", "hook_x", "", "hook_99999999999999999999"] {
            assert!(hooks.call(id, raw(json!({})), None).is_none(), "{id}");
        }
    }
}
