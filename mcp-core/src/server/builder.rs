//! Servers in the making.

use std::any::{Any, TypeId, type_name};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use serde_json::json;

use crate::ask::seal::{Remembered, Seal};
use crate::hook::Hook;
use crate::prompt::{Prompt, Promptset};
use crate::protocol::{Icon, Implementation, Revision, meta};
use crate::resource::{Resource, Resourceset};
use crate::server::Server;
use crate::server::cache::Cache;
use crate::server::error::{BuildError, Fault, Offer};
use crate::server::limits::Limits;
use crate::server::list::{Entry, PromptEntry, Resources};
use crate::server::registry::{Registry, info_for};
use crate::server::validate::{Faults, Given};
use crate::task::{ServerTasks, Tasks};
use crate::tool::{Tool, Toolset};

/// A server in the making.
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
            seal: Arc::new(Remembered::default()),
            tasks: Tasks::default(),
            cache_lists: None,
            cache_reads: Cache::NONE,
        }
    }

    /// Adds prompts, after those already there.
    pub fn prompts(mut self, prompts: impl Promptset) -> Builder {
        self.prompts.extend(prompts.into_prompts());
        self
    }

    /// Adds resources, after those already there.
    pub fn resources(mut self, resources: impl Resourceset) -> Builder {
        self.resources.extend(resources.into_resources());
        self
    }

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

    /// Tells a client that asked for the progress of a call that it is still at work, whenever nothing else was told for this
    /// long.
    ///
    /// Many clients give up after a minute in which they hear nothing. Tools that take long and report their progress
    /// themselves need no heartbeat; without one, those that cannot tell how far they are may be given up.
    pub fn heartbeat(mut self, period: Duration) -> Builder {
        self.heartbeat = Some(period);
        self
    }

    /// How what clients carry for the server is protected; see [`Seal`].
    pub fn seal(mut self, seal: impl Seal) -> Builder {
        self.seal = Arc::new(seal);
        self
    }

    /// How the tasks of the server are kept; see [`Tasks`]. A [`Live`](crate::Live) server keeps what it began with.
    pub fn tasks(mut self, tasks: Tasks) -> Builder {
        self.tasks = tasks;
        self
    }

    /// How long clients may keep what the server offers: its lists and its name card.
    ///
    /// An hour unless you say otherwise, and not at all if the server is [`Live`](crate::Live).
    pub fn cache_lists(mut self, cache: Cache) -> Builder {
        self.cache_lists = Some(cache);
        self
    }

    /// How long clients may keep what a resource holds that says nothing itself. Not at all unless you say otherwise.
    pub fn cache_reads(mut self, cache: Cache) -> Builder {
        self.cache_reads = cache;
        self
    }

    /// Checks everything and makes the server.
    ///
    /// # Errors
    /// Everything that is wrong with it, at once.
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
        let tools = faults.listing(tools, self.page_size, &stamp, Offer::Tool);
        let prompts = faults.listing(prompts, self.page_size, &stamp, Offer::Prompt);
        let fixed = faults.listing(fixed, self.page_size, &stamp, Offer::Resource);
        let templated = faults.listing(templated, self.page_size, &stamp, Offer::Resource);
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
