//! The builder of servers.

use std::any::{Any, TypeId, type_name};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use serde_json::json;

use crate::ask::seal::{InMemorySeal, Seal};
use crate::hook::Hook;
use crate::prompt::{Prompt, Promptset};
use crate::protocol::{Icon, Implementation, Revision, meta};
use crate::resource::{Resource, Resourceset};
use crate::server::Server;
use crate::server::cache::Cache;
use crate::server::error::{BuildError, Fault, ItemKind};
use crate::server::limits::Limits;
use crate::server::list::{Entry, PromptEntry, Resources};
use crate::server::registry::{Registry, info_for};
use crate::server::state::{MakeState, StateSource};
use crate::server::validate::{Faults, Given};
use crate::task::{ServerTasks, Tasks};
use crate::tool::{Tool, Toolset};

/// Builds a [`Server`].
#[must_use = "a builder does nothing until it is built or served"]
pub struct Builder {
    info: Implementation,
    instructions: Option<String>,
    tools: Vec<Arc<dyn Tool>>,
    prompts: Vec<Arc<dyn Prompt>>,
    resources: Vec<Arc<dyn Resource>>,
    states: Vec<Given>,
    hooks: Vec<Arc<dyn Hook>>,
    page_size: usize,
    limits: Limits,
    heartbeat: Option<Duration>,
    seal: Arc<dyn Seal>,
    tasks: Tasks,
    cache_lists: Option<Cache>,
    cache_reads: Cache,
}

impl Builder {
    pub(crate) fn new(info: Implementation) -> Builder {
        Builder {
            info,
            instructions: None,
            tools: Vec::new(),
            prompts: Vec::new(),
            resources: Vec::new(),
            states: Vec::new(),
            hooks: Vec::new(),
            page_size: usize::MAX,
            limits: Limits::default(),
            heartbeat: None,
            seal: Arc::new(InMemorySeal::default()),
            tasks: Tasks::default(),
            cache_lists: None,
            cache_reads: Cache::NONE,
        }
    }

    /// Adds prompts to the end of the list.
    pub fn prompts(mut self, prompts: impl Promptset) -> Builder {
        self.prompts.extend(prompts.into_prompts());
        self
    }

    /// Adds resources to the end of the list.
    pub fn resources(mut self, resources: impl Resourceset) -> Builder {
        self.resources.extend(resources.into_resources());
        self
    }

    /// Adds tools to the end of the list.
    pub fn tools(mut self, tools: impl Toolset) -> Builder {
        self.tools.extend(tools.into_tools());
        self
    }

    /// Adds a value that tools, prompts and resources borrow with a parameter of type `&T`. All sessions share it.
    pub fn state<T: Any + Send + Sync>(mut self, state: T) -> Builder {
        self.states.push((TypeId::of::<T>(), type_name::<T>(), StateSource::Server(Arc::new(state))));
        self
    }

    /// Adds a value for each session, which tools, prompts and resources borrow with a parameter of type `&T`.
    ///
    /// `make` is called when a session first needs the value. The value is dropped when the session has ended and no call uses
    /// it any more. A session is a connection over stdio, an `Mcp-Session-Id` over HTTP, a mount in an agent, or a client of
    /// `mcp-test`.
    ///
    /// Over HTTP, requests of revision 2026-07-28 have no session. Calls of functions that borrow such a value get an error
    /// then. For clients of that revision keep a map in [`state`](Builder::state), with
    /// [`Context::caller_key`](crate::Context::caller_key) as the key.
    ///
    /// ```
    /// use std::sync::Mutex;
    /// use mcp_core::{server, tool, tools};
    ///
    /// #[derive(Default)]
    /// struct Cart(Mutex<Vec<String>>);
    ///
    /// /// Put something into the cart of this session.
    /// #[tool]
    /// fn put(item: String, cart: &Cart) -> usize {
    ///     let mut items = cart.0.lock().unwrap();
    ///     items.push(item);
    ///     items.len()
    /// }
    ///
    /// let server = server!().session_state(Cart::default).tools(tools![put]);
    /// # server.build().unwrap();
    /// ```
    pub fn session_state<T: Any + Send + Sync>(mut self, make: impl Fn() -> T + Send + Sync + 'static) -> Builder {
        let make: MakeState = Arc::new(move || Arc::new(make()));
        self.states.push((TypeId::of::<T>(), type_name::<T>(), StateSource::Session(make)));
        self
    }

    /// Adds a hook, which runs around every tool call and inside the hooks added before.
    pub fn hook(mut self, hook: impl Hook) -> Builder {
        self.hooks.push(Arc::new(hook));
        self
    }

    /// Sets the instructions: what the model should know about the server as a whole.
    pub fn instructions(mut self, instructions: impl Into<String>) -> Builder {
        self.instructions = Some(instructions.into());
        self
    }

    /// Sets the display name of the server.
    pub fn title(mut self, title: impl Into<String>) -> Builder {
        self.info.title = Some(title.into());
        self
    }

    /// Sets the description of the server.
    pub fn description(mut self, description: impl Into<String>) -> Builder {
        self.info.description = Some(description.into());
        self
    }

    /// Sets the URL of the server's website.
    pub fn website_url(mut self, url: impl Into<String>) -> Builder {
        self.info.website_url = Some(url.into());
        self
    }

    /// Adds an icon of the server.
    pub fn icon(mut self, icon: Icon) -> Builder {
        self.info.icons.push(icon);
        self
    }

    /// Sets the number of items on a page of a list. Without it, a list has one page.
    pub fn page_size(mut self, size: usize) -> Builder {
        self.page_size = size.max(1);
        self
    }

    /// Sets the limits on concurrent calls and on the size of results.
    pub fn limits(mut self, limits: Limits) -> Builder {
        self.limits = limits;
        self
    }

    /// Sends a progress notification for a running call whenever none was sent for `period`, if the client requested progress.
    ///
    /// Many clients time out after a minute without a message. A heartbeat prevents that for long calls that do not report
    /// progress themselves.
    pub fn heartbeat(mut self, period: Duration) -> Builder {
        self.heartbeat = Some(period);
        self
    }

    /// Sets how state that clients carry for the server is protected; see [`Seal`].
    pub fn seal(mut self, seal: impl Seal) -> Builder {
        self.seal = Arc::new(seal);
        self
    }

    /// Sets how tasks are stored; see [`Tasks`]. A [`Live`](crate::Live) server keeps the setting of its first server.
    pub fn tasks(mut self, tasks: Tasks) -> Builder {
        self.tasks = tasks;
        self
    }

    /// Sets how long clients may cache the lists and the server info.
    ///
    /// The default is one hour, and zero if the server is [`Live`](crate::Live).
    pub fn cache_lists(mut self, cache: Cache) -> Builder {
        self.cache_lists = Some(cache);
        self
    }

    /// Sets how long clients may cache the contents of resources that have no setting of their own. The default is
    /// [`Cache::NONE`].
    pub fn cache_reads(mut self, cache: Cache) -> Builder {
        self.cache_reads = cache;
        self
    }

    /// Validates everything and builds the server.
    ///
    /// # Errors
    /// All faults that were found.
    pub fn build(self) -> Result<Server, BuildError> {
        let mut faults = Faults::default();
        if self.info.name.is_empty() || self.info.version.is_empty() {
            faults.0.push(Fault::Unnamed);
        }
        let states = faults.states(self.states);
        let tools: Vec<Entry> = self.tools.into_iter().map(Entry::new).collect();
        let prompts: Vec<PromptEntry> = self.prompts.into_iter().map(PromptEntry::new).collect();
        tools.iter().for_each(|entry| faults.check_tool(&entry.spec, &states));
        prompts.iter().for_each(|entry| faults.check_prompt(&entry.spec, &states));
        let (fixed, templated) = faults.resources(self.resources, &states);
        let stamp: Arc<str> = json!({ meta::SERVER_INFO: info_for(&self.info, Revision::NEWEST) }).to_string().into();
        let tools = faults.listing(tools, self.page_size, &stamp, ItemKind::Tool);
        let prompts = faults.listing(prompts, self.page_size, &stamp, ItemKind::Prompt);
        let fixed = faults.listing(fixed, self.page_size, &stamp, ItemKind::Resource);
        let templated = faults.listing(templated, self.page_size, &stamp, ItemKind::Resource);
        let (Some(tools), Some(prompts), Some(fixed), Some(templated), true) =
            (tools, prompts, fixed, templated, faults.0.is_empty())
        else {
            return Err(BuildError::new(faults.0));
        };
        let registry = Registry {
            info: self.info,
            instructions: self.instructions,
            tools,
            prompts,
            resources: Resources { fixed, templated },
            states,
            hooks: self.hooks.into(),
            limits: self.limits,
            heartbeat: self.heartbeat,
            seal: self.seal,
            page_size: self.page_size,
            cache_lists: self.cache_lists,
            cache_reads: self.cache_reads,
            stamp,
        };
        let tasks = Arc::new(ServerTasks::new(self.tasks));
        Ok(Server { registry: Arc::new(registry), subscribers: Arc::default(), tasks, live: None })
    }
}

impl fmt::Debug for Builder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Builder").field("name", &self.info.name).field("tools", &self.tools.len()).finish_non_exhaustive()
    }
}

/// Converts into a [`Server`]. Implemented for [`Server`], [`Builder`] and [`Live`](crate::Live).
///
/// Transports accept this trait, so that `run(server!().tools(..))` needs no `build()`.
pub trait IntoServer {
    /// Returns the server.
    ///
    /// # Errors
    /// The faults that [`Builder::build`] found.
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
