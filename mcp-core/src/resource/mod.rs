//! Resources: data that a client can read by its URI.

pub(crate) mod spec;
pub(crate) mod template;

use std::future::Future;
use std::sync::Arc;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::call::context::Context;
use crate::jsonrpc::{Code, RpcError};
use crate::prompt::text_arguments;
use crate::protocol::ResourceContents;
use crate::resource::spec::ResourceSpec;
use crate::schema::InputSchema;
use crate::tool::error::ToolError;
use crate::tool::future::ToolFuture;
use crate::tool::result::Json;

/// The outcome of reading a resource: the contents, or `None` if the resource does not exist.
pub type ReadOutcome = Result<Option<Vec<ResourceContents>>, RpcError>;

/// A resource, or a template of resources, that a client can read by URI.
///
/// `#[resource]` implements this trait for functions and [`resource_fn`] for closures. A server calls it.
pub trait Resource: Send + Sync + 'static {
    /// Returns the description of the resource for clients. Called once, when the server is built.
    fn spec(&self) -> ResourceSpec;

    /// Starts a `resources/read` request.
    fn read(&self, call: ReadCall<'_>) -> ToolFuture<ReadOutcome>;
}

/// A `resources/read` request: the URI, the variables of the template and the context.
#[derive(Debug)]
pub struct ReadCall<'a> {
    pub(crate) uri: &'a str,
    pub(crate) variables: Vec<(&'a str, String)>,
    pub(crate) schema: &'a InputSchema,
    pub(crate) context: Context,
}

impl ReadCall<'_> {
    /// Returns the requested URI.
    pub fn uri(&self) -> &str {
        self.uri
    }

    /// Returns the variables of the template with their percent-decoded values.
    pub fn variables(&self) -> &[(&str, String)] {
        &self.variables
    }

    /// Returns the call's context.
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// Decodes the variables as a `T`. Numbers, booleans and enums are parsed from their text.
    ///
    /// # Errors
    /// -32602, with each variable that is missing or invalid.
    pub fn decode<T: DeserializeOwned + 'static>(&self) -> Result<T, RpcError> {
        text_arguments::decode(self.schema, self.variables.iter().cloned())
    }
}

/// A type that a resource can return: text, bytes, [`Json`], [`ResourceContents`], and `Option` or `Result` of these.
///
/// `None` means that the resource does not exist.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the result of a resource",
    label = "cannot be converted to the contents of a resource",
    note = "a resource returns text, bytes (Vec<u8>), Json<T>, ResourceContents, Vec<ResourceContents>, or Option or Result of these",
    note = "`None` means that there is no resource with this URI"
)]
pub trait IntoContents {
    /// Converts the value into the contents of the resource at `uri`.
    ///
    /// # Errors
    /// The JSON-RPC error that is sent to the client.
    fn into_contents(self, uri: &str) -> ReadOutcome;
}

impl IntoContents for ResourceContents {
    fn into_contents(self, _: &str) -> ReadOutcome {
        Ok(Some(vec![self]))
    }
}

impl IntoContents for Vec<ResourceContents> {
    fn into_contents(self, _: &str) -> ReadOutcome {
        Ok(Some(self))
    }
}

impl IntoContents for String {
    fn into_contents(self, uri: &str) -> ReadOutcome {
        ResourceContents::text(uri, self).into_contents(uri)
    }
}

impl IntoContents for &str {
    fn into_contents(self, uri: &str) -> ReadOutcome {
        ResourceContents::text(uri, self).into_contents(uri)
    }
}

impl IntoContents for Vec<u8> {
    fn into_contents(self, uri: &str) -> ReadOutcome {
        ResourceContents::bytes(uri, self).into_contents(uri)
    }
}

impl<T: Serialize> IntoContents for Json<T> {
    fn into_contents(self, uri: &str) -> ReadOutcome {
        let text = serde_json::to_string(&self.0).map_err(|error| RpcError::new(Code::INTERNAL_ERROR, error.to_string()))?;
        ResourceContents::text(uri, text).mime_type("application/json").into_contents(uri)
    }
}

impl<T: IntoContents> IntoContents for Option<T> {
    fn into_contents(self, uri: &str) -> ReadOutcome {
        self.map_or(Ok(None), |value| value.into_contents(uri))
    }
}

impl<T: IntoContents, E: Into<ToolError>> IntoContents for Result<T, E> {
    fn into_contents(self, uri: &str) -> ReadOutcome {
        self.map_err(|error| RpcError::from(error.into()))?.into_contents(uri)
    }
}

/// Creates a resource at run time from a closure, without a macro.
///
/// ```
/// use mcp_core::{Context, ResourceSpec, Server, resource_fn};
/// use mcp_core::serde_json::Value;
///
/// let motd = resource_fn(ResourceSpec::new("motd://today", "motd", "The message of the day."), |_: Value, _: Context| async {
///     "Eat more eggs."
/// });
/// let server = Server::builder("news", "1.0.0").resources([motd]).build()?;
/// # Ok::<(), mcp_core::BuildError>(())
/// ```
pub fn resource_fn<A, F, R>(
    spec: ResourceSpec,
    function: impl Fn(A, Context) -> F + Send + Sync + 'static,
) -> Arc<dyn Resource>
where
    A: DeserializeOwned + Send + 'static,
    F: Future<Output = R> + Send + 'static,
    R: IntoContents,
{
    struct FnResource<F> {
        spec: ResourceSpec,
        function: F,
    }

    impl<F: Fn(ReadCall<'_>) -> ToolFuture<ReadOutcome> + Send + Sync + 'static> Resource for FnResource<F> {
        fn spec(&self) -> ResourceSpec {
            self.spec.clone()
        }

        fn read(&self, call: ReadCall<'_>) -> ToolFuture<ReadOutcome> {
            (self.function)(call)
        }
    }

    let function = move |call: ReadCall<'_>| match call.decode::<A>() {
        Ok(variables) => {
            let (uri, future) = (call.uri.to_owned(), function(variables, call.context));
            ToolFuture::future(async move { future.await.into_contents(&uri) })
        }
        Err(refusal) => ToolFuture::ready(Err(refusal)),
    };
    Arc::new(FnResource { spec, function })
}

/// A set of resources: `resources![..]`, a value whose `impl` block has `#[toolset]`, or a list of resources.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a set of resources",
    note = "write `resources![note, motd]` for functions with #[resource], or #[resource] on methods in an impl block with #[toolset]"
)]
pub trait Resourceset: Sized {
    /// Returns the resources in the order in which they are listed.
    fn into_resources(self) -> Vec<Arc<dyn Resource>>;
}

impl Resourceset for Arc<dyn Resource> {
    fn into_resources(self) -> Vec<Arc<dyn Resource>> {
        vec![self]
    }
}

impl Resourceset for Vec<Arc<dyn Resource>> {
    fn into_resources(self) -> Vec<Arc<dyn Resource>> {
        self
    }
}

impl<const N: usize> Resourceset for [Arc<dyn Resource>; N] {
    fn into_resources(self) -> Vec<Arc<dyn Resource>> {
        self.into()
    }
}
