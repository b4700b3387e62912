//! Servers: built and validated once, then immutable and cheap to clone.

pub(crate) mod builder;
pub(crate) mod cache;
pub(crate) mod error;
pub(crate) mod limits;
pub(crate) mod list;
pub(crate) mod live;
pub(crate) mod registry;
pub(crate) mod state;
pub(crate) mod validate;

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use serde_json::{Value, json};

use crate::hook::Hook;
use crate::host::{Host, Outbox};
use crate::prompt::spec::PromptSpec;
use crate::protocol::{Implementation, Revision, meta};
use crate::resource::spec::ResourceSpec;
use crate::server::builder::Builder;
use crate::server::cache::Cache;
use crate::server::limits::Limits;
use crate::server::list::Listed;
use crate::server::live::Live;
use crate::server::registry::Registry;
use crate::session::Session;
use crate::session::subscriptions::{Change, Subscribers};
use crate::task::ServerTasks;
use crate::task::TaskSupport;
use crate::tool::header_param::HeaderParam;
use crate::tool::spec::ToolSpec;

/// An MCP server: its info, tools, prompts, resources and shared state.
///
/// Cloning is cheap. One server serves any number of concurrent [sessions](Session), over any transport.
///
/// ```
/// use mcp_core::{Server, tool, tools};
///
/// /// Add two numbers.
/// #[tool]
/// fn add(a: i64, b: i64) -> i64 {
///     a + b
/// }
///
/// let server = Server::builder("calculator", "1.0.0").tools(tools![add]).build()?;
/// assert_eq!(server.tools().len(), 1);
/// # Ok::<(), mcp_core::BuildError>(())
/// ```
#[derive(Clone)]
pub struct Server {
    pub(crate) registry: Arc<Registry>,
    /// The sessions that are notified of changes.
    pub(crate) subscribers: Arc<Subscribers>,
    /// The tasks, which survive the replacement of a live server.
    pub(crate) tasks: Arc<ServerTasks>,
    /// The handle that this server comes from, if it is live.
    pub(crate) live: Option<Live>,
}

impl Server {
    /// Returns a builder. [`server!()`](crate::server!) takes name and version from the crate.
    pub fn builder(name: impl Into<String>, version: impl Into<String>) -> Builder {
        let info = Implementation { name: name.into(), version: version.into(), ..Implementation::default() };
        Builder::new(info)
    }

    /// Returns the server info: name, version, title, description, website and icons.
    pub fn info(&self) -> &Implementation {
        &self.registry.info
    }

    /// Returns the instructions for the model.
    pub fn instructions(&self) -> Option<&str> {
        self.registry.instructions.as_deref()
    }

    /// Returns the tools, in the order of `tools/list`.
    pub fn tools(&self) -> impl ExactSizeIterator<Item = &ToolSpec> {
        self.registry.tools.entries().iter().map(|entry| &entry.spec)
    }

    /// Returns the prompts, in the order of `prompts/list`.
    pub fn prompts(&self) -> impl ExactSizeIterator<Item = &PromptSpec> {
        self.registry.prompts.entries().iter().map(|entry| &entry.spec)
    }

    /// Returns the resources, followed by the resource templates, each in the order in which they are listed.
    pub fn resources(&self) -> impl Iterator<Item = &ResourceSpec> {
        let resources = &self.registry.resources;
        let fixed = resources.fixed.entries().iter().map(|listed| &listed.entry.spec);
        fixed.chain(resources.templated.entries().iter().map(|listed| &listed.entry.spec))
    }

    /// Returns the arguments of a tool that HTTP clients repeat in headers. Empty if the tool does not exist.
    pub fn header_params(&self, tool: &str) -> Arc<[HeaderParam]> {
        let now = self.current();
        let tools = &now.registry.tools;
        tools.find(tool).map_or_else(Arc::default, |index| tools.entries()[index].header_params.clone())
    }

    /// Returns the scopes that a [`Principal`](crate::Principal) must have to call a tool. Empty if the tool does not exist.
    pub fn required_scopes(&self, tool: &str) -> Vec<String> {
        let now = self.current();
        let tools = &now.registry.tools;
        let needed = tools.find(tool).map(|index| tools.entries()[index].spec.required_scopes().map(str::to_owned));
        needed.map_or_else(Vec::new, Iterator::collect)
    }

    /// Returns the scopes of all tools without duplicates, in the order of the tools.
    pub fn scopes(&self) -> Vec<String> {
        let now = self.current();
        let mut scopes: Vec<String> = Vec::new();
        for scope in now.tools().flat_map(ToolSpec::required_scopes) {
            if !scopes.iter().any(|known| known == scope) {
                scopes.push(scope.to_owned());
            }
        }
        scopes
    }

    /// Notifies all clients that have subscribed to the resource that its contents have changed.
    pub fn resource_updated(&self, uri: impl Into<String>) {
        self.subscribers.notify(&[Change::Resource(uri.into())]);
    }

    /// Opens a session with one client.
    pub fn session(&self, host: Arc<dyn Host>, outbox: Arc<dyn Outbox>) -> Session {
        Session::new(self.clone(), host, outbox)
    }

    /// Returns the current result of `initialize`, for clients in the same process that do not send the request.
    pub fn initialize_result(&self, revision: Revision) -> Value {
        let now = self.current();
        let mut result = json!({
            "protocolVersion": revision.as_str(),
            "capabilities": now.capabilities(revision),
            "serverInfo": now.info_for(revision),
        });
        if let Some(instructions) = &now.registry.instructions {
            result["instructions"] = json!(instructions);
        }
        result
    }

    /// Returns the current result of `tools/list` on one page.
    pub fn tools_list_result(&self, revision: Revision) -> Value {
        let now = self.current();
        json!({"tools": now.registry.tools.entries().iter().map(|entry| entry.describe(revision)).collect::<Vec<_>>()})
    }

    /// Returns the server capabilities. A live server declares all of them, since it may gain tools, prompts and resources.
    pub(crate) fn capabilities(&self, revision: Revision) -> Value {
        let list = || if self.live.is_some() { json!({"listChanged": true}) } else { json!({}) };
        let mut capabilities = json!({"logging": {}});
        for (offered, name) in
            [(self.offers_tools(), "tools"), (self.offers_prompts(), "prompts"), (self.offers_resources(), "resources")]
        {
            if offered {
                capabilities[name] = list();
            }
            if offered && name == "resources" {
                capabilities[name]["subscribe"] = json!(true);
            }
        }
        if revision.has_annotations() && (self.offers_prompts() || self.offers_resources()) {
            capabilities["completions"] = json!({});
        }
        if self.offers_tasks() && revision.has_core_tasks() {
            capabilities["tasks"] = json!({"list": {}, "cancel": {}, "requests": {"tools": {"call": {}}}});
        }
        if self.offers_tasks() && revision.is_stateless() {
            capabilities["extensions"] = json!({meta::TASKS: {}});
        }
        capabilities
    }

    /// Returns the current server: of a live server, the one that was set last.
    pub(crate) fn current(&self) -> Cow<'_, Server> {
        self.live.as_ref().map_or(Cow::Borrowed(self), |live| Cow::Owned(live.server()))
    }

    /// Returns whether there are tools, or may be later.
    pub(crate) fn offers_tools(&self) -> bool {
        self.live.is_some() || !self.registry.tools.entries().is_empty()
    }

    /// Returns whether any tool can run as a task.
    pub(crate) fn offers_tasks(&self) -> bool {
        self.tools().any(|spec| spec.task_support != TaskSupport::Forbidden)
    }

    /// Returns whether there are prompts, or may be later.
    pub(crate) fn offers_prompts(&self) -> bool {
        self.live.is_some() || !self.registry.prompts.entries().is_empty()
    }

    /// Returns whether there are resources, or may be later.
    pub(crate) fn offers_resources(&self) -> bool {
        self.live.is_some() || !self.registry.resources.is_empty()
    }

    pub(crate) fn hooks(&self) -> &Arc<[Arc<dyn Hook>]> {
        &self.registry.hooks
    }

    /// Returns how long clients may cache lists.
    pub(crate) fn cache_lists(&self) -> Cache {
        let default = if self.live.is_some() { Cache::LIVE_LISTS } else { Cache::LISTS };
        self.registry.cache_lists.unwrap_or(default)
    }

    /// Returns the number of items on a page of a list.
    pub(crate) fn page_size(&self) -> usize {
        self.registry.page_size
    }

    pub(crate) fn limits(&self) -> &Limits {
        &self.registry.limits
    }

    /// Returns the `_meta` of a stateless result, as JSON text.
    pub(crate) fn stamp(&self) -> &str {
        &self.registry.stamp
    }

    /// Returns the server info, reduced to the fields of that revision.
    pub(crate) fn info_for(&self, revision: Revision) -> Value {
        self.registry.info_for(revision)
    }
}

impl fmt::Debug for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = self.tools().map(ToolSpec::name).collect();
        f.debug_struct("Server").field("name", &self.registry.info.name).field("tools", &names).finish_non_exhaustive()
    }
}

/// Returns a [`Builder`](crate::Builder) with the name and the version of the crate in which it is called.
///
/// ```
/// let server = mcp_core::server!().instructions("Adds numbers.");
/// # let _ = server;
/// ```
#[macro_export]
macro_rules! server {
    () => {
        $crate::Server::builder(::core::env!("CARGO_PKG_NAME"), ::core::env!("CARGO_PKG_VERSION"))
    };
}
