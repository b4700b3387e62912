//! The output of a hook.

use std::fmt::Display;
use std::time::Duration;

use serde::Serialize;
use serde_json::value::RawValue;

use super::event::HookEvent;

/// The output of a hook: general fields, fields of its event, or nothing.
#[derive(Debug, Clone, PartialEq)]
pub struct HookOutput<E: HookEvent> {
    general: General,
    specific: Option<E::Output>,
}

/// The fields that a hook of any event may set. Unset fields are left out.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
struct General {
    #[serde(rename = "continue", skip_serializing_if = "Option::is_none")]
    go_on: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stop_reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    suppress_output: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    decision: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    system_message: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    terminal_sequence: Option<String>,
    #[serde(rename = "async", skip_serializing_if = "Option::is_none")]
    in_background: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    async_timeout: Option<u64>,
}

impl<E: HookEvent> HookOutput<E> {
    /// Creates an empty output: the hook has no effect.
    pub fn pass() -> Self {
        Self { general: General::default(), specific: None }
    }

    /// Creates an output with the fields of this event.
    pub fn specific(output: E::Output) -> Self {
        Self { general: General::default(), specific: Some(output) }
    }

    /// Blocks the action of the event: the tool use or the prompt. For a stop event it prevents the stop, and the model
    /// is given `reason`.
    pub fn block(reason: impl Into<String>) -> Self {
        let mut output = Self::pass();
        output.general.decision = Some("block");
        output.general.reason = Some(reason.into());
        output
    }

    /// Ends the turn after the action of the event.
    pub fn stop(reason: impl Into<String>) -> Self {
        let mut output = Self::pass();
        output.general.go_on = Some(false);
        output.general.stop_reason = Some(reason.into());
        output
    }

    /// Lets the CLI continue at once while the hook runs on in the background.
    pub fn in_background(timeout: Option<Duration>) -> Self {
        let mut output = Self::pass();
        output.general.in_background = Some(true);
        output.general.async_timeout = timeout.map(|timeout| timeout.as_secs().max(1));
        output
    }

    /// Approves the action of the event, in the older format without permission decisions.
    #[must_use]
    pub fn approve(mut self) -> Self {
        self.general.decision = Some("approve");
        self
    }

    /// Shows a message to the user.
    #[must_use]
    pub fn system_message(mut self, message: impl Into<String>) -> Self {
        self.general.system_message = Some(message.into());
        self
    }

    /// Hides the output of the hook from the transcript.
    #[must_use]
    pub fn suppress_output(mut self) -> Self {
        self.general.suppress_output = Some(true);
        self
    }

    /// Sends a control sequence to the terminal.
    #[must_use]
    pub fn terminal_sequence(mut self, sequence: impl Into<String>) -> Self {
        self.general.terminal_sequence = Some(sequence.into());
        self
    }

    /// Adds the fields of this event.
    #[must_use]
    pub fn with(mut self, output: E::Output) -> Self {
        self.specific = Some(output);
        self
    }

    pub(super) fn to_raw(&self, event: &str) -> Result<Box<RawValue>, serde_json::Error> {
        #[derive(Serialize)]
        struct Whole<'a, O> {
            #[serde(flatten)]
            general: &'a General,
            #[serde(rename = "hookSpecificOutput", skip_serializing_if = "Option::is_none")]
            specific: Option<Specific<'a, O>>,
        }

        #[derive(Serialize)]
        struct Specific<'a, O> {
            #[serde(rename = "hookEventName")]
            event: &'a str,
            #[serde(flatten)]
            output: &'a O,
        }

        let specific = self.specific.as_ref().map(|output| Specific { event, output });
        serde_json::value::to_raw_value(&Whole { general: &self.general, specific })
    }
}

/// The types that the future of a hook may return: an output, `()`, or a `Result` of these.
pub trait IntoHookOutput<E: HookEvent> {
    /// Converts into the output, or into the error message that is sent to the CLI.
    ///
    /// # Errors
    /// If the hook failed.
    fn into_hook_output(self) -> Result<HookOutput<E>, String>;
}

impl<E: HookEvent> IntoHookOutput<E> for HookOutput<E> {
    fn into_hook_output(self) -> Result<HookOutput<E>, String> {
        Ok(self)
    }
}

impl<E: HookEvent> IntoHookOutput<E> for () {
    fn into_hook_output(self) -> Result<HookOutput<E>, String> {
        Ok(HookOutput::pass())
    }
}

impl<E: HookEvent, T: IntoHookOutput<E>, F: Display> IntoHookOutput<E> for Result<T, F> {
    fn into_hook_output(self) -> Result<HookOutput<E>, String> {
        self.map_err(|error| error.to_string())?.into_hook_output()
    }
}
