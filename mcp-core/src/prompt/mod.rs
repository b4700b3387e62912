//! Prompts: message templates that a user selects and fills in.

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

/// The outcome of getting a prompt.
pub type PromptOutcome = Result<PromptResult, RpcError>;

/// A prompt: messages that a user selects from a list and fills in.
///
/// `#[prompt]` implements this trait for functions and [`prompt_fn`] for closures. A server calls it.
pub trait Prompt: Send + Sync + 'static {
    /// Returns the description of the prompt for clients. Called once, when the server is built.
    fn spec(&self) -> PromptSpec;

    /// Starts a `prompts/get` request.
    fn get(&self, call: PromptCall<'_>) -> ToolFuture<PromptOutcome>;
}

/// A `prompts/get` request: the arguments and the context.
#[derive(Debug)]
pub struct PromptCall<'a> {
    pub(crate) arguments: Vec<(&'a str, String)>,
    pub(crate) schema: &'a InputSchema,
    pub(crate) context: Context,
}

impl PromptCall<'_> {
    /// Returns the arguments as the client sent them: names and texts.
    pub fn arguments(&self) -> &[(&str, String)] {
        &self.arguments
    }

    /// Returns the call's context.
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// Decodes the arguments as a `T`. Numbers, booleans and enums are parsed from their text.
    ///
    /// # Errors
    /// -32602, with each argument that is missing or invalid.
    pub fn decode<T: DeserializeOwned + 'static>(&self) -> Result<T, RpcError> {
        text_arguments::decode(self.schema, self.arguments.iter().cloned())
    }
}

/// A type that a prompt can return: text, messages, or a `Result` of these.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the result of a prompt",
    label = "cannot be converted to messages of a prompt",
    note = "a prompt returns text, PromptMessage, Vec<PromptMessage>, PromptResult, or a Result of these"
)]
pub trait IntoPrompt {
    /// Converts the value into the result of the prompt.
    ///
    /// # Errors
    /// The JSON-RPC error that is sent to the client.
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

/// Creates a prompt at run time from a closure, without a macro.
///
/// ```
/// use mcp_core::dynamic::PromptArgument;
/// use mcp_core::{Context, PromptSpec, Server, prompt_fn};
/// use mcp_core::serde_json::Value;
///
/// let spec = PromptSpec::new("greet", "Greet somebody.").argument(PromptArgument::new("name").required(true));
/// let greet = prompt_fn(spec, |arguments: Value, _: Context| async move { format!("Say hello to {}.", arguments["name"]) });
/// let server = Server::builder("polite", "1.0.0").prompts([greet]).build()?;
/// # Ok::<(), mcp_core::BuildError>(())
/// ```
pub fn prompt_fn<A, F, R>(spec: PromptSpec, function: impl Fn(A, Context) -> F + Send + Sync + 'static) -> Arc<dyn Prompt>
where
    A: DeserializeOwned + Send + 'static,
    F: Future<Output = R> + Send + 'static,
    R: IntoPrompt,
{
    struct FnPrompt<F> {
        spec: PromptSpec,
        function: F,
    }

    impl<F: Fn(PromptCall<'_>) -> ToolFuture<PromptOutcome> + Send + Sync + 'static> Prompt for FnPrompt<F> {
        fn spec(&self) -> PromptSpec {
            self.spec.clone()
        }

        fn get(&self, call: PromptCall<'_>) -> ToolFuture<PromptOutcome> {
            (self.function)(call)
        }
    }

    let function = move |call: PromptCall<'_>| match call.decode::<A>() {
        Ok(arguments) => {
            let future = function(arguments, call.context);
            ToolFuture::future(async move { future.await.into_prompt() })
        }
        Err(refusal) => ToolFuture::ready(Err(refusal)),
    };
    Arc::new(FnPrompt { spec, function })
}

/// A set of prompts: `prompts![..]`, a value whose `impl` block has `#[toolset]`, or a list of prompts.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a set of prompts",
    note = "write `prompts![review, travel]` for functions with #[prompt], or #[prompt] on methods in an impl block with #[toolset]"
)]
pub trait Promptset: Sized {
    /// Returns the prompts in the order in which they are listed.
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
    /// Creates an optional argument.
    pub fn new(name: impl Into<String>) -> PromptArgument {
        PromptArgument { name: name.into(), title: None, description: None, required: false, completer: None }
    }

    /// Sets the display name.
    #[must_use]
    pub fn title(mut self, title: impl Into<String>) -> PromptArgument {
        self.title = Some(title.into());
        self
    }

    /// Sets the description.
    #[must_use]
    pub fn description(mut self, description: impl Into<String>) -> PromptArgument {
        self.description = Some(description.into());
        self
    }

    /// Sets whether the argument is required.
    #[must_use]
    pub fn required(mut self, required: bool) -> PromptArgument {
        self.required = required;
        self
    }

    /// Sets the completer for this argument.
    #[must_use]
    pub fn complete(mut self, completer: Completer) -> PromptArgument {
        self.completer = Some(completer);
        self
    }
}
