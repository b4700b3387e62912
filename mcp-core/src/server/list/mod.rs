//! The lists of tools, prompts and resources: lookup by key and pagination.

mod prompt;
mod resource;
mod tool;

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use ahash::RandomState;
use serde::Serialize;
use serde_json::json;

use crate::jsonrpc::RpcError;
use crate::protocol::Revision;
use crate::server::Server;
use crate::server::cache::Cache;

pub(crate) use prompt::PromptEntry;
pub(crate) use resource::{Fixed, Place, ResourceEntry, Resources, Templated};
pub(crate) use tool::Entry;

/// An item of a list.
pub(crate) trait Listed {
    /// The key of the list in the result of a list request.
    const FIELD: &'static str;

    /// Returns the key for lookup: a name or a URI.
    fn key(&self) -> &str;

    /// Returns the item as it is listed in that revision.
    fn describe(&self, revision: Revision) -> impl Serialize;
}

/// The index of each entry by key.
type Indexes = HashMap<String, usize, RandomState>;

/// All items of one kind, in the order of registration.
pub(crate) struct Listing<E> {
    entries: Vec<E>,
    indexes: Indexes,
    page_size: usize,
    /// The `_meta` of a stateless result.
    stamp: Arc<str>,
    /// The first page for each revision, for a fixed and for a live server. Cached, since nearly every request is for the
    /// first page and its bytes do not change.
    first_pages: [[OnceLock<Arc<str>>; 2]; Revision::ALL.len()],
}

impl<E: Listed> Listing<E> {
    /// Creates a list. The error contains each duplicate key.
    pub(crate) fn new(entries: Vec<E>, page_size: usize, stamp: Arc<str>) -> Result<Listing<E>, Vec<String>> {
        let indexes = indexes(&entries.iter().map(Listed::key).collect::<Vec<_>>())?;
        Ok(Listing { entries, indexes, page_size, stamp, first_pages: Default::default() })
    }

    pub(crate) fn entries(&self) -> &[E] {
        &self.entries
    }

    pub(crate) fn find(&self, key: &str) -> Option<usize> {
        self.indexes.get(key).copied()
    }

    /// Returns whether both lists look the same to clients.
    pub(crate) fn is_like(&self, other: &Listing<E>) -> bool {
        let shown = |entry: &E| to_json(&entry.describe(Revision::NEWEST));
        self.entries.iter().map(shown).eq(other.entries.iter().map(shown))
    }

    /// Returns the result of a list request. A cursor is the key of the last item of the previous page.
    pub(crate) fn page(&self, cursor: Option<&str>, revision: Revision, server: &Server) -> Result<Arc<str>, RpcError> {
        let cache = server.cache_lists();
        let Some(cursor) = cursor else {
            let page = &self.first_pages[revision as usize][usize::from(server.live.is_some())];
            return Ok(page.get_or_init(|| self.render(0, revision, cache)).clone());
        };
        let last = self.find(cursor).ok_or_else(|| RpcError::invalid_params("invalid cursor"))?;
        Ok(self.render(last + 1, revision, cache))
    }

    fn render(&self, start: usize, revision: Revision, cache: Cache) -> Arc<str> {
        let end = start.saturating_add(self.page_size).min(self.entries.len());
        let shown: Vec<String> = self.entries[start..end].iter().map(|entry| to_json(&entry.describe(revision))).collect();
        let mut page = format!(r#"{{"{}":[{}]"#, E::FIELD, shown.join(","));
        if end < self.entries.len() {
            page += &format!(r#","nextCursor":{}"#, json!(self.entries[end - 1].key()));
        }
        if revision.is_stateless() {
            let (ttl, scope) = (cache.ttl_ms(), cache.scope());
            page += &format!(r#","ttlMs":{ttl},"cacheScope":"{scope}","resultType":"complete","_meta":{}"#, self.stamp);
        }
        page.push('}');
        page.into()
    }
}

/// Builds the index. The error contains each duplicate key.
fn indexes(keys: &[&str]) -> Result<Indexes, Vec<String>> {
    let (mut indexes, mut duplicates) = (Indexes::default(), Vec::new());
    for (index, key) in keys.iter().enumerate() {
        if indexes.insert((*key).to_owned(), index).is_some() {
            duplicates.push((*key).to_owned());
        }
    }
    if duplicates.is_empty() { Ok(indexes) } else { Err(duplicates) }
}

fn to_json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("maps with string keys are JSON")
}
