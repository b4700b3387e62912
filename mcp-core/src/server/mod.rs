//! Servers as values: built once, checked once, then immutable and cheap to clone.

pub(crate) mod builder;
pub(crate) mod cache;
pub(crate) mod error;
pub(crate) mod limits;
pub(crate) mod list;
pub(crate) mod live;
pub(crate) mod registry;
pub(crate) mod state;
pub(crate) mod validate;

use std::any::{Any, TypeId};
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

/// An MCP server: its name, its tools and what they share.
///
/// A value: cloning is cheap, and one server serves any number of [sessions](Session) at once, over any transport.
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
/// let server = Server::new("calculator", "1.0.0").tools(tools![add]).build()?;
/// assert_eq!(server.tools().len(), 1);
/// # Ok::<(), mcp_core::BuildError>(())
/// ```
#[derive(Clone)]
pub struct Server {
    pub(crate) registry: Arc<Registry>,
    /// Whom to tell of changes.
    pub(crate) subscribers: Arc<Subscribers>,
    /// Its tasks, which outlive a change.
    pub(crate) tasks: Arc<ServerTasks>,
    /// Where it comes from, if it may change.
    pub(crate) live: Option<Live>,
}

impl Server {
    /// Begins a server. In a program, [`server!()`](crate::server!) takes both from the crate.
    #[expect(clippy::new_ret_no_self, reason = "a server comes out of its builder")]
    pub fn new(name: impl Into<String>, version: impl Into<String>) -> Builder {
        let info = Implementation { name: name.into(), version: version.into(), ..Implementation::default() };
        Builder::new(info)
    }

    /// The server's name card.
    pub fn info(&self) -> &Implementation {
        &self.registry.info
    }

    /// What the model is told about the server as a whole.
    pub fn instructions(&self) -> Option<&str> {
        self.registry.instructions.as_deref()
    }

    /// The tools, in the order in which clients see them.
    pub fn tools(&self) -> impl ExactSizeIterator<Item = &ToolSpec> {
        self.registry.tools.entries().iter().map(|entry| &entry.spec)
    }

    /// The prompts, in the order in which clients see them.
    pub fn prompts(&self) -> impl ExactSizeIterator<Item = &PromptSpec> {
        self.registry.prompts.entries().iter().map(|entry| &entry.spec)
    }

    /// The resources, then the templates of resources, each in the order in which clients see them.
    pub fn resources(&self) -> impl Iterator<Item = &ResourceSpec> {
        let resources = &self.registry.resources;
        let fixed = resources.fixed.entries().iter().map(|entry| &entry.0.spec);
        fixed.chain(resources.templated.entries().iter().map(|entry| &entry.0.spec))
    }

    /// The arguments of a tool that HTTP clients repeat in headers; none if there is no such tool.
    pub fn header_params(&self, tool: &str) -> Arc<[HeaderParam]> {
        let now = self.current();
        let tools = &now.registry.tools;
        tools.find(tool).map_or_else(Arc::default, |index| tools.entries()[index].header_params.clone())
    }

    /// The scopes that a [`Principal`](crate::Principal) needs to call that tool; none if there is no such tool.
    pub fn required_scopes(&self, tool: &str) -> Vec<String> {
        let now = self.current();
        let tools = &now.registry.tools;
        let needed = tools.find(tool).map(|index| tools.entries()[index].spec.required_scopes().map(str::to_owned));
        needed.map_or_else(Vec::new, Iterator::collect)
    }

    /// All scopes that tools need, each once, in the order of the tools.
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

    /// Tells every client that has subscribed to it that a resource holds something else now.
    pub fn resource_updated(&self, uri: impl Into<String>) {
        self.subscribers.notify(&[Change::Resource(uri.into())]);
    }

    /// Opens a session with one client.
    pub fn session(&self, host: Arc<dyn Host>, outbox: Arc<dyn Outbox>) -> Session {
        Session::new(self.clone(), host, outbox)
    }

    /// What `initialize` would answer now, for clients that take it without asking.
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

    /// What `tools/list` would answer now, all on one page.
    pub fn tools_list_result(&self, revision: Revision) -> Value {
        let now = self.current();
        json!({"tools": now.registry.tools.entries().iter().map(|entry| entry.describe(revision)).collect::<Vec<_>>()})
    }

    /// What is registered, or may be some day.
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

    /// The server as it is now.
    pub(crate) fn current(&self) -> Cow<'_, Server> {
        self.live.as_ref().map_or(Cow::Borrowed(self), |live| Cow::Owned(live.server()))
    }

    /// Whether there are tools, or may be some day.
    pub(crate) fn offers_tools(&self) -> bool {
        self.live.is_some() || !self.registry.tools.entries().is_empty()
    }

    /// Whether there are tools that can run as tasks.
    pub(crate) fn offers_tasks(&self) -> bool {
        self.tools().any(|spec| spec.task_support != TaskSupport::Forbidden)
    }

    /// Whether there are prompts, or may be some day.
    pub(crate) fn offers_prompts(&self) -> bool {
        self.live.is_some() || !self.registry.prompts.entries().is_empty()
    }

    /// Whether there are resources, or may be some day.
    pub(crate) fn offers_resources(&self) -> bool {
        self.live.is_some() || !self.registry.resources.is_empty()
    }

    pub(crate) fn hooks(&self) -> &Arc<[Arc<dyn Hook>]> {
        &self.registry.hooks
    }

    /// How long clients may keep lists.
    pub(crate) fn cache_lists(&self) -> Cache {
        let unless_told = if self.live.is_some() { Cache::LIVE_LISTS } else { Cache::LISTS };
        self.registry.cache_lists.unwrap_or(unless_told)
    }

    /// How much of a list goes on one page.
    pub(crate) fn page_size(&self) -> usize {
        self.registry.page_size
    }

    pub(crate) fn limits(&self) -> &Limits {
        &self.registry.limits
    }

    pub(crate) fn state<T: Any + Send + Sync>(&self) -> Option<Arc<T>> {
        self.registry.states.get(TypeId::of::<T>())?.clone().downcast().ok()
    }

    /// The `_meta` of a stateless result, as JSON text.
    pub(crate) fn stamp(&self) -> &str {
        &self.registry.stamp
    }

    /// The name card with what that revision knows of it.
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

/// Begins a server that has the name and the version of the crate it is written in.
///
/// ```
/// let server = mcp_core::server!().instructions("Adds numbers.");
/// # let _ = server;
/// ```
#[macro_export]
macro_rules! server {
    () => {
        $crate::Server::new(::core::env!("CARGO_PKG_NAME"), ::core::env!("CARGO_PKG_VERSION"))
    };
}
