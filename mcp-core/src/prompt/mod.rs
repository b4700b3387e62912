//! Prompts: messages that a user picks from a list and fills in.

pub(crate) mod spec;
pub(crate) mod text_arguments;

use std::future::Future;
use std::sync::Arc;

use serde::de::DeserializeOwned;

use crate::call::context::Context;
use crate::completion::Completer;
use crate::jsonrpc::RpcError;
use crate::prompt::spec::PromptSpec;
use crate::protocol::{PromptMessage, PromptResult};
use crate::schema::InputSchema;
use crate::tool::error::ToolError;
use crate::tool::future::ToolFuture;

/// What comes out of a prompt.
pub type PromptOutcome = Result<PromptResult, RpcError>;

/// Messages that a user picks from a list and fills in.
///
/// `#[prompt]` implements it for functions and [`prompt_fn`] for closures; a server calls it.
pub trait Prompt: Send + Sync + 'static {
    /// What clients are told about it. Asked once, when the server is built.
    fn spec(&self) -> PromptSpec;

    /// Begins to fill it in.
    fn get(&self, call: PromptCall<'_>) -> ToolFuture<PromptOutcome>;
}

/// A prompt that is to be filled in.
#[derive(Debug)]
pub struct PromptCall<'a> {
    pub(crate) arguments: Vec<(&'a str, String)>,
    pub(crate) schema: &'a InputSchema,
    pub(crate) context: Context,
}

impl PromptCall<'_> {
    /// The arguments as they came: names and texts.
    pub fn arguments(&self) -> &[(&str, String)] {
        &self.arguments
    }

    /// The call's context.
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// The arguments as a `T`; a number, a flag or an enum is read from its text.
    ///
    /// # Errors
    /// -32602, naming each argument that is missing or wrong.
    pub fn decode<T: DeserializeOwned + 'static>(&self) -> Result<T, RpcError> {
        text_arguments::decode(self.schema, self.arguments.iter().cloned())
    }
}

/// What may be the result of a prompt: text, messages, or a `Result` of these.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the result of a prompt",
    label = "this cannot be said to a model",
    note = "a prompt returns text, PromptMessage, Vec<PromptMessage>, PromptResult, or a Result of these"
)]
pub trait IntoPrompt {
    /// Turns the value into what goes to the client.
    ///
    /// # Errors
    /// What the client is told instead.
    fn into_prompt(self) -> PromptOutcome;
}

impl IntoPrompt for PromptResult {
    fn into_prompt(self) -> PromptOutcome {
        Ok(self)
    }
}

impl IntoPrompt for PromptMessage {
    fn into_prompt(self) -> PromptOutcome {
        Ok(PromptResult::new([self]))
    }
}

impl IntoPrompt for Vec<PromptMessage> {
    fn into_prompt(self) -> PromptOutcome {
        Ok(PromptResult::new(self))
    }
}

impl IntoPrompt for String {
    fn into_prompt(self) -> PromptOutcome {
        PromptMessage::user(self).into_prompt()
    }
}

impl IntoPrompt for &str {
    fn into_prompt(self) -> PromptOutcome {
        PromptMessage::user(self).into_prompt()
    }
}

impl<T: IntoPrompt, E: Into<ToolError>> IntoPrompt for Result<T, E> {
    fn into_prompt(self) -> PromptOutcome {
        self.map_err(|error| RpcError::from(error.into()))?.into_prompt()
    }
}

/// A prompt made at run time from a closure, without a macro.
///
/// ```
/// use mcp_core::dynamic::PromptArgument;
/// use mcp_core::{Context, PromptSpec, Server, prompt_fn};
/// use mcp_core::serde_json::Value;
///
/// let spec = PromptSpec::new("greet", "Greet somebody.").argument(PromptArgument::new("name").required(true));
/// let greet = prompt_fn(spec, |arguments: Value, _: Context| async move { format!("Say hello to {}.", arguments["name"]) });
/// let server = Server::new("polite", "1.0.0").prompts([greet]).build()?;
/// # Ok::<(), mcp_core::BuildError>(())
/// ```
pub fn prompt_fn<A, F, R>(spec: PromptSpec, function: impl Fn(A, Context) -> F + Send + Sync + 'static) -> Arc<dyn Prompt>
where
    A: DeserializeOwned + Send + 'static,
    F: Future<Output = R> + Send + 'static,
    R: IntoPrompt,
{
    struct FnPrompt<F>(PromptSpec, F);

    impl<F: Fn(PromptCall<'_>) -> ToolFuture<PromptOutcome> + Send + Sync + 'static> Prompt for FnPrompt<F> {
        fn spec(&self) -> PromptSpec {
            self.0.clone()
        }

        fn get(&self, call: PromptCall<'_>) -> ToolFuture<PromptOutcome> {
            (self.1)(call)
        }
    }

    Arc::new(FnPrompt(spec, move |call: PromptCall<'_>| match call.decode::<A>() {
        Ok(arguments) => {
            let future = function(arguments, call.context);
            ToolFuture::future(async move { future.await.into_prompt() })
        }
        Err(refusal) => ToolFuture::ready(Err(refusal)),
    }))
}

/// Several prompts: `prompts![..]`, an `impl` block with `#[toolset]`, or any list of prompts.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no set of prompts",
    note = "write `prompts![review, travel]` for functions with #[prompt], or #[prompt] on methods in an impl block with #[toolset]"
)]
pub trait Promptset: Sized {
    /// The prompts, in the order in which clients see them.
    fn into_prompts(self) -> Vec<Arc<dyn Prompt>>;
}

impl Promptset for Arc<dyn Prompt> {
    fn into_prompts(self) -> Vec<Arc<dyn Prompt>> {
        vec![self]
    }
}

impl Promptset for Vec<Arc<dyn Prompt>> {
    fn into_prompts(self) -> Vec<Arc<dyn Prompt>> {
        self
    }
}

impl<const N: usize> Promptset for [Arc<dyn Prompt>; N] {
    fn into_prompts(self) -> Vec<Arc<dyn Prompt>> {
        self.into()
    }
}

/// An argument of a prompt.
#[derive(Clone, Debug)]
pub struct PromptArgument {
    pub(crate) name: String,
    pub(crate) title: Option<String>,
    pub(crate) description: Option<String>,
    pub(crate) required: bool,
    pub(crate) completer: Option<Completer>,
}

impl PromptArgument {
    /// An argument that may be left out.
    pub fn new(name: impl Into<String>) -> PromptArgument {
        PromptArgument { name: name.into(), title: None, description: None, required: false, completer: None }
    }

    /// Its name for people.
    #[must_use]
    pub fn title(mut self, title: impl Into<String>) -> PromptArgument {
        self.title = Some(title.into());
        self
    }

    /// What it is.
    #[must_use]
    pub fn description(mut self, description: impl Into<String>) -> PromptArgument {
        self.description = Some(description.into());
        self
    }

    /// Whether it must be given.
    #[must_use]
    pub fn required(mut self, required: bool) -> PromptArgument {
        self.required = required;
        self
    }

    /// How what was typed so far may go on.
    #[must_use]
    pub fn complete(mut self, completer: Completer) -> PromptArgument {
        self.completer = Some(completer);
        self
    }
}
