//! The immutable contents of a server.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};

use crate::ask::seal::Seal;
use crate::hook::Hook;
use crate::protocol::{Implementation, Revision};
use crate::server::cache::Cache;
use crate::server::limits::Limits;
use crate::server::list::{Entry, Listing, PromptEntry, Resources};
use crate::server::state::States;
use crate::session::subscriptions::Change;

/// The immutable contents of a server: its tools, prompts, resources and settings.
pub(crate) struct Registry {
    pub(crate) info: Implementation,
    pub(crate) instructions: Option<String>,
    pub(crate) tools: Listing<Entry>,
    pub(crate) prompts: Listing<PromptEntry>,
    pub(crate) resources: Resources,
    pub(crate) states: States,
    pub(crate) hooks: Arc<[Arc<dyn Hook>]>,
    pub(crate) limits: Limits,
    pub(crate) heartbeat: Option<Duration>,
    pub(crate) seal: Arc<dyn Seal>,
    pub(crate) page_size: usize,
    pub(crate) cache_lists: Option<Cache>,
    pub(crate) cache_reads: Cache,
    /// The `_meta` of a stateless result.
    pub(crate) stamp: Arc<str>,
}

impl Registry {
    /// Returns the lists that differ in `other`, which clients are notified about when `other` replaces this one.
    pub(crate) fn changes(&self, other: &Registry) -> Vec<Change> {
        let lists = [
            (self.tools.is_like(&other.tools), Change::Tools),
            (self.prompts.is_like(&other.prompts), Change::Prompts),
            (self.resources.is_like(&other.resources), Change::Resources),
        ];
        lists.into_iter().filter(|(alike, _)| !alike).map(|(_, change)| change).collect()
    }

    /// Returns the server info, reduced to the fields of that revision.
    pub(crate) fn info_for(&self, revision: Revision) -> Value {
        info_for(&self.info, revision)
    }
}

impl fmt::Debug for Registry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Registry").field("name", &self.info.name).finish_non_exhaustive()
    }
}

pub(crate) fn info_for(info: &Implementation, revision: Revision) -> Value {
    let mut card = info.clone();
    if !revision.has_icons() {
        (card.description, card.website_url, card.icons) = (None, None, Vec::new());
    }
    if !revision.has_structured_output() {
        card.title = None;
    }
    json!(card)
}
