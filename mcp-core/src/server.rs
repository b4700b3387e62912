//! Servers as values: built once, checked once, then immutable and cheap to clone.

use std::any::{Any, TypeId, type_name};
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use serde_json::{Value, json};

use crate::error::{BuildError, Fault};
use crate::hook::Hook;
use crate::host::{Host, Outbox};
use crate::limits::Limits;
use crate::listing::{Entry, Listing};
use crate::live::Live;
use crate::protocol::{Icon, Implementation, Revision, meta};
use crate::session::Session;
use crate::spec::{ToolSpec, name_fault};
use crate::tool::{Tool, Toolset};

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
    /// Where it comes from, if it may change.
    pub(crate) live: Option<Live>,
}

/// What a server consists of.
pub(crate) struct Registry {
    info: Implementation,
    instructions: Option<String>,
    listing: Listing,
    states: HashMap<TypeId, Arc<dyn Any + Send + Sync>>,
    hooks: Arc<[Arc<dyn Hook>]>,
    limits: Limits,
    /// The `_meta` of a stateless result.
    stamp: String,
}

impl Server {
    /// Begins a server. In a program, [`server!()`](crate::server!) takes both from the crate.
    #[expect(clippy::new_ret_no_self, reason = "a server comes out of its builder")]
    pub fn new(name: impl Into<String>, version: impl Into<String>) -> Builder {
        let info = Implementation { name: name.into(), version: version.into(), ..Implementation::default() };
        Builder {
            info,
            instructions: None,
            tools: Vec::new(),
            states: Vec::new(),
            hooks: Vec::new(),
            page_size: usize::MAX,
            limits: Limits::default(),
        }
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
        self.registry.listing.entries().iter().map(|entry| &entry.spec)
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
            "capabilities": now.capabilities(),
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
        json!({"tools": now.registry.listing.entries().iter().map(|entry| entry.describe(revision)).collect::<Vec<_>>()})
    }

    pub(crate) fn capabilities(&self) -> Value {
        let mut capabilities = json!({"logging": {}});
        if self.offers_tools() {
            capabilities["tools"] = if self.live.is_some() { json!({"listChanged": true}) } else { json!({}) };
        }
        capabilities
    }

    /// The server as it is now.
    pub(crate) fn current(&self) -> Server {
        self.live.as_ref().map_or_else(|| self.clone(), Live::server)
    }

    /// Whether there are tools, or may be some day.
    pub(crate) fn offers_tools(&self) -> bool {
        self.live.is_some() || !self.registry.listing.entries().is_empty()
    }

    pub(crate) fn listing(&self) -> &Listing {
        &self.registry.listing
    }

    pub(crate) fn tool_at(&self, index: usize) -> &Entry {
        &self.registry.listing.entries()[index]
    }

    pub(crate) fn hooks(&self) -> &Arc<[Arc<dyn Hook>]> {
        &self.registry.hooks
    }

    pub(crate) fn limits(&self) -> &Limits {
        &self.registry.limits
    }

    pub(crate) fn state<T: Any + Send + Sync>(&self) -> Option<Arc<T>> {
        self.registry.states.get(&TypeId::of::<T>())?.clone().downcast().ok()
    }

    /// The `_meta` of a stateless result, as JSON text.
    pub(crate) fn stamp(&self) -> &str {
        &self.registry.stamp
    }

    /// The name card with what that revision knows of it.
    pub(crate) fn info_for(&self, revision: Revision) -> Value {
        info_for(&self.registry.info, revision)
    }
}

fn info_for(info: &Implementation, revision: Revision) -> Value {
    let mut card = info.clone();
    if !revision.has_icons() {
        (card.description, card.website_url, card.icons) = (None, None, Vec::new());
    }
    if !revision.has_structured_output() {
        card.title = None;
    }
    json!(card)
}

impl fmt::Debug for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = self.tools().map(ToolSpec::name).collect();
        f.debug_struct("Server").field("name", &self.registry.info.name).field("tools", &names).finish_non_exhaustive()
    }
}

/// A server in the making.
#[must_use = "a builder does nothing until it is built or served"]
pub struct Builder {
    info: Implementation,
    instructions: Option<String>,
    tools: Vec<Arc<dyn Tool>>,
    states: Vec<(TypeId, &'static str, Arc<dyn Any + Send + Sync>)>,
    hooks: Vec<Arc<dyn Hook>>,
    page_size: usize,
    limits: Limits,
}

impl Builder {
    /// Adds tools, after those already there.
    pub fn tools(mut self, tools: impl Toolset) -> Builder {
        self.tools.extend(tools.into_tools());
        self
    }

    /// Gives the server a value that tools borrow with a parameter of type `&T`.
    pub fn state<T: Any + Send + Sync>(mut self, state: T) -> Builder {
        self.states.push((TypeId::of::<T>(), type_name::<T>(), Arc::new(state)));
        self
    }

    /// Puts code around every tool call, inside the hooks already there.
    pub fn hook(mut self, hook: impl Hook) -> Builder {
        self.hooks.push(Arc::new(hook));
        self
    }

    /// Tells the model what the server as a whole is for.
    pub fn instructions(mut self, instructions: impl Into<String>) -> Builder {
        self.instructions = Some(instructions.into());
        self
    }

    /// The server's name for people.
    pub fn title(mut self, title: impl Into<String>) -> Builder {
        self.info.title = Some(title.into());
        self
    }

    /// What the server is.
    pub fn description(mut self, description: impl Into<String>) -> Builder {
        self.info.description = Some(description.into());
        self
    }

    /// Where to read more about the server.
    pub fn website_url(mut self, url: impl Into<String>) -> Builder {
        self.info.website_url = Some(url.into());
        self
    }

    /// Adds a picture for the server.
    pub fn icon(mut self, icon: Icon) -> Builder {
        self.info.icons.push(icon);
        self
    }

    /// Lists come in pages of this many. Without it, all on one page.
    pub fn page_size(mut self, size: usize) -> Builder {
        self.page_size = size.max(1);
        self
    }

    /// How much the server takes on, and how much it lets out.
    pub fn limits(mut self, limits: Limits) -> Builder {
        self.limits = limits;
        self
    }

    /// Checks everything and makes the server.
    ///
    /// # Errors
    /// Everything that is wrong with it, at once.
    pub fn build(self) -> Result<Server, BuildError> {
        let mut faults = Vec::new();
        if self.info.name.is_empty() || self.info.version.is_empty() {
            faults.push(Fault::Unnamed);
        }
        let mut states = HashMap::new();
        for (id, type_name, state) in self.states {
            if states.insert(id, state).is_some() {
                faults.push(Fault::DuplicateState { type_name });
            }
        }
        let entries: Vec<Entry> = self.tools.into_iter().map(Entry::new).collect();
        let mut names = HashMap::new();
        for (index, entry) in entries.iter().enumerate() {
            check(&entry.spec, &states, &mut faults);
            if names.insert(entry.name().to_owned(), index).is_some() {
                faults.push(Fault::DuplicateTool { name: entry.name().to_owned() });
            }
        }
        if !faults.is_empty() {
            return Err(BuildError::new(faults));
        }
        let stamp = json!({ meta::SERVER_INFO: info_for(&self.info, Revision::NEWEST) }).to_string();
        let listing = Listing::new(entries, names, self.page_size, &stamp);
        let (info, instructions, hooks, limits) = (self.info, self.instructions, self.hooks.into(), self.limits);
        let registry = Arc::new(Registry { info, instructions, listing, states, hooks, limits, stamp });
        Ok(Server { registry, live: None })
    }
}

/// Notes everything that is wrong with a tool.
fn check(spec: &ToolSpec, states: &HashMap<TypeId, Arc<dyn Any + Send + Sync>>, faults: &mut Vec<Fault>) {
    let tool = || spec.name().to_owned();
    if let Some(reason) = name_fault(spec.name()) {
        faults.push(Fault::ToolName { name: tool(), reason });
    }
    if spec.description().trim().is_empty() {
        faults.push(Fault::NoDescription { tool: tool() });
    }
    if let Some(reason) = spec.input.fault() {
        faults.push(Fault::Schema { tool: tool(), reason });
    }
    for needed in spec.needs.iter().filter(|needed| !states.contains_key(&needed.id)) {
        faults.push(Fault::MissingState { tool: tool(), type_name: needed.name });
    }
}

impl fmt::Debug for Builder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Builder").field("name", &self.info.name).field("tools", &self.tools.len()).finish_non_exhaustive()
    }
}

/// What can be served: a [`Server`], or a [`Builder`] that becomes one.
///
/// Transports take this, so that `run(server!().tools(..))` needs no `build()`.
pub trait IntoServer {
    /// The server.
    ///
    /// # Errors
    /// What is wrong with it.
    fn into_server(self) -> Result<Server, BuildError>;
}

impl IntoServer for Server {
    fn into_server(self) -> Result<Server, BuildError> {
        Ok(self)
    }
}

impl IntoServer for Builder {
    fn into_server(self) -> Result<Server, BuildError> {
        self.build()
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
