//! What a server offers, found by name and listed in order.

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

/// Something that stands in a list.
pub(crate) trait Listed {
    /// The key of the list in a result.
    const FIELD: &'static str;

    /// What it is found by.
    fn key(&self) -> &str;

    /// How the list shows it, with what that revision knows.
    fn describe(&self, revision: Revision) -> impl Serialize;
}

/// So many are looked through in less time than a hash takes.
const FEW: usize = 4;

/// Where each stands, by what it is found by.
type Places = HashMap<String, usize, RandomState>;

/// All of one kind that a server offers, in order of registration.
pub(crate) struct Listing<E> {
    entries: Vec<E>,
    /// None if they are few.
    places: Option<Places>,
    page_size: usize,
    /// The `_meta` of a stateless result.
    stamp: Arc<str>,
    /// The first page in each revision, of a server that stays as it is and of one that may change: nearly every list that
    /// is asked for, and always the same bytes.
    first_pages: [[OnceLock<Arc<str>>; 2]; Revision::ALL.len()],
}

impl<E: Listed> Listing<E> {
    /// The list of these; of two with one key the second is the error.
    pub(crate) fn new(entries: Vec<E>, page_size: usize, stamp: Arc<str>) -> Result<Listing<E>, Vec<String>> {
        let places = places(&entries.iter().map(Listed::key).collect::<Vec<_>>())?;
        Ok(Listing { entries, places, page_size, stamp, first_pages: Default::default() })
    }

    pub(crate) fn entries(&self) -> &[E] {
        &self.entries
    }

    pub(crate) fn find(&self, key: &str) -> Option<usize> {
        match &self.places {
            None => self.entries.iter().position(|entry| entry.key() == key),
            Some(places) => places.get(key).copied(),
        }
    }

    /// Whether clients see the same.
    pub(crate) fn is_like(&self, other: &Listing<E>) -> bool {
        let shown = |entry: &E| to_json(&entry.describe(Revision::NEWEST));
        self.entries.iter().map(shown).eq(other.entries.iter().map(shown))
    }

    /// The result of a list request. A cursor is the key of the last one that the client has seen.
    pub(crate) fn page(&self, cursor: Option<&str>, revision: Revision, server: &Server) -> Result<Arc<str>, RpcError> {
        let cache = server.cache_lists();
        let Some(cursor) = cursor else {
            let page = &self.first_pages[revision as usize][usize::from(server.live.is_some())];
            return Ok(page.get_or_init(|| self.render(0, revision, cache)).clone());
        };
        let last = self.find(cursor).ok_or_else(|| RpcError::invalid_params("this cursor did not come from here"))?;
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

/// A table of these, unless they are few; the error is each that was there before.
fn places(keys: &[&str]) -> Result<Option<Places>, Vec<String>> {
    let (mut places, mut doubles) = ((keys.len() > FEW).then(Places::default), Vec::new());
    for (index, key) in keys.iter().enumerate() {
        let is_double = match &mut places {
            None => keys[..index].contains(key),
            Some(places) => places.insert((*key).to_owned(), index).is_some(),
        };
        if is_double {
            doubles.push((*key).to_owned());
        }
    }
    if doubles.is_empty() { Ok(places) } else { Err(doubles) }
}

fn to_json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("maps with string keys are JSON")
}
