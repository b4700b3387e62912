//! The cache of results. A server decides how long a result may be reused (`ttlMs`, 2026-07-28).

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use tokio::time::Instant;

use crate::event::Change;

/// The maximum number of results and of bytes. When one of them is reached, the cache is emptied.
const MOST_ENTRIES: usize = 1024;
const MOST_BYTES: usize = 32 << 20;

/// The maximum time for which a result is reused, even if the server allows more.
const LONGEST: Duration = Duration::from_secs(24 * 60 * 60);

/// The cached results of one client.
///
/// A client has one authorization context, so `private` results can be cached like `public` ones. They are dropped when the
/// credentials or the connection change.
#[derive(Debug, Default)]
pub(crate) struct Cache(Mutex<Entries>);

#[derive(Debug, Default)]
struct Entries {
    results: HashMap<Key, Entry>,
    bytes: usize,
    /// The number of times that results were dropped because something has changed.
    changes: u64,
}

/// The state of the cache when a request is sent. A result of before a change is not stored after it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Generation(u64);

/// The method, and the parameters as JSON.
type Key = (&'static str, String);

#[derive(Debug)]
struct Entry {
    result: Box<RawValue>,
    until: Instant,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Lifetime {
    #[serde(default)]
    ttl_ms: Option<f64>,
    #[serde(default)]
    cache_scope: Option<String>,
}

impl Cache {
    /// Returns whether results of a method may be cached.
    pub(crate) fn covers(method: &str) -> bool {
        matches!(method, "tools/list" | "prompts/list" | "resources/list" | "resources/templates/list" | "resources/read")
    }

    /// Returns a cached result that has not expired.
    pub(crate) fn get(&self, method: &'static str, params: &Map<String, Value>) -> Option<Box<RawValue>> {
        let key = key(method, params)?;
        let entries = self.entries();
        let entry = entries.results.get(&key)?;
        (Instant::now() < entry.until).then(|| entry.result.clone())
    }

    /// Returns the current generation. Call it before a request is sent.
    pub(crate) fn generation(&self) -> Generation {
        Generation(self.entries().changes)
    }

    /// Stores a result, if the server allows it and nothing has changed since the request was sent.
    pub(crate) fn put(&self, sent: Generation, method: &'static str, params: &Map<String, Value>, result: &RawValue) {
        let Some(key) = key(method, params) else { return };
        let Ok(lifetime) = serde_json::from_str::<Lifetime>(result.get()) else { return };
        let known_scope = matches!(lifetime.cache_scope.as_deref(), Some("public" | "private"));
        let Some(millis) = lifetime.ttl_ms.filter(|millis| known_scope && *millis >= 1.0) else { return };
        let until = Instant::now() + Duration::from_secs_f64((millis / 1000.0).min(LONGEST.as_secs_f64()));

        let mut entries = self.entries();
        let size = size(&key, result);
        if size > MOST_BYTES || sent != Generation(entries.changes) {
            return;
        }
        // An expired result may be replaced.
        if let Some(old) = entries.results.remove(&key) {
            entries.bytes -= self::size(&key, &old.result);
        }
        if entries.results.len() >= MOST_ENTRIES || entries.bytes + size > MOST_BYTES {
            entries.clear();
        }
        entries.bytes += size;
        entries.results.insert(key, Entry { result: result.to_owned(), until });
    }

    /// Drops the pages of a list that has changed.
    pub(crate) fn forget(&self, change: Change) {
        self.retain(|(method, _)| match change {
            Change::Tools => *method != "tools/list",
            Change::Prompts => *method != "prompts/list",
            Change::Resources => !matches!(*method, "resources/list" | "resources/templates/list"),
        });
    }

    /// Drops the contents of a changed resource. The URI may name only a part of a cached resource, so all contents are dropped.
    pub(crate) fn forget_resource(&self, _uri: &str) {
        self.retain(|(method, _)| *method != "resources/read");
    }

    /// Drops everything.
    pub(crate) fn clear(&self) {
        let mut entries = self.entries();
        entries.changes += 1;
        entries.clear();
    }

    fn retain(&self, keep: impl Fn(&Key) -> bool) {
        let mut entries = self.entries();
        entries.changes += 1;
        entries.results.retain(|key, _| keep(key));
        entries.bytes = entries.results.iter().map(|(key, entry)| size(key, &entry.result)).sum();
    }

    fn entries(&self) -> MutexGuard<'_, Entries> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Entries {
    fn clear(&mut self) {
        self.results.clear();
        self.bytes = 0;
    }
}

fn size(key: &Key, result: &RawValue) -> usize {
    key.1.len() + result.get().len()
}

fn key(method: &'static str, params: &Map<String, Value>) -> Option<Key> {
    Cache::covers(method).then(|| (method, serde_json::to_string(params).unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn result(text: &str) -> Box<RawValue> {
        RawValue::from_string(text.to_owned()).unwrap()
    }

    fn page(cursor: &str) -> Map<String, Value> {
        json!({"cursor": cursor}).as_object().unwrap().clone()
    }

    #[tokio::test(start_paused = true)]
    async fn a_result_is_used_for_as_long_as_the_server_says() {
        let cache = Cache::default();
        cache.put(cache.generation(), "tools/list", &page("a"), &result(r#"{"ttlMs": 1000, "cacheScope": "private"}"#));
        assert!(cache.get("tools/list", &page("a")).is_some());
        assert!(cache.get("tools/list", &page("b")).is_none());
        tokio::time::advance(Duration::from_millis(1001)).await;
        assert!(cache.get("tools/list", &page("a")).is_none());
    }

    #[tokio::test(start_paused = true)]
    async fn results_without_a_valid_lifetime_are_not_cached() {
        let cache = Cache::default();
        for text in
            ["{}", r#"{"ttlMs": 0, "cacheScope": "public"}"#, r#"{"ttlMs": 9}"#, r#"{"ttlMs": -1, "cacheScope": "public"}"#]
        {
            cache.put(cache.generation(), "tools/list", &page("a"), &result(text));
            assert!(cache.get("tools/list", &page("a")).is_none(), "{text}");
        }
        cache.put(cache.generation(), "tools/call", &page("a"), &result(r#"{"ttlMs": 9000, "cacheScope": "public"}"#));
        assert!(cache.get("tools/call", &page("a")).is_none());
        cache.put(cache.generation(), "tools/list", &page("a"), &result(r#"{"ttlMs": 1e300, "cacheScope": "public"}"#));
        assert!(cache.get("tools/list", &page("a")).is_some());
    }

    #[tokio::test(start_paused = true)]
    async fn a_change_drops_only_its_list() {
        let cache = Cache::default();
        let fresh = result(r#"{"ttlMs": 1000, "cacheScope": "public"}"#);
        for method in ["tools/list", "prompts/list", "resources/read"] {
            cache.put(cache.generation(), method, &page(""), &fresh);
        }
        cache.forget(Change::Tools);
        assert!(cache.get("tools/list", &page("")).is_none());
        assert!(cache.get("prompts/list", &page("")).is_some());
        cache.forget_resource("file:///a");
        assert!(cache.get("resources/read", &page("")).is_none());
    }

    #[tokio::test(start_paused = true)]
    async fn a_result_that_was_requested_before_a_change_is_not_stored_after_it() {
        let fresh = result(r#"{"ttlMs": 1000, "cacheScope": "public"}"#);
        let changes: [fn(&Cache); 3] =
            [|cache| cache.forget(Change::Tools), |cache| cache.forget_resource("file:///a"), Cache::clear];
        for change in changes {
            let cache = Cache::default();
            let sent = cache.generation();
            change(&cache);
            cache.put(sent, "tools/list", &page(""), &fresh);
            assert!(cache.get("tools/list", &page("")).is_none());
            cache.put(cache.generation(), "tools/list", &page(""), &fresh);
            assert!(cache.get("tools/list", &page("")).is_some());
        }
    }

    #[tokio::test(start_paused = true)]
    async fn the_cache_stays_within_its_limits() {
        let cache = Cache::default();
        let large = format!(r#"{{"ttlMs": 1000, "cacheScope": "public", "x": "{}"}}"#, "x".repeat(1 << 20));
        for number in 0..100 {
            cache.put(cache.generation(), "tools/list", &page(&number.to_string()), &result(&large));
            assert!(cache.entries().bytes <= MOST_BYTES);
        }
        let cache = Cache::default();
        for number in 0..MOST_ENTRIES + 50 {
            let small = r#"{"ttlMs": 1000, "cacheScope": "public"}"#;
            cache.put(cache.generation(), "resources/read", &page(&number.to_string()), &result(small));
            let entries = cache.entries();
            let counted: usize = entries.results.iter().map(|(key, entry)| size(key, &entry.result)).sum();
            assert!(entries.results.len() <= MOST_ENTRIES && entries.bytes == counted, "{number}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_replaced_result_takes_no_more_room_and_one_that_is_too_large_drops_no_other() {
        let cache = Cache::default();
        let large =
            |size: usize| result(&format!(r#"{{"ttlMs": 1000, "cacheScope": "public", "x": "{}"}}"#, "x".repeat(size)));
        cache.put(cache.generation(), "tools/list", &page("other"), &large(1));
        for _ in 0..5 {
            cache.put(cache.generation(), "tools/list", &page("a"), &large(20 << 20));
        }
        cache.put(cache.generation(), "tools/list", &page("b"), &large(MOST_BYTES));
        for (cursor, is_cached) in [("other", true), ("a", true), ("b", false)] {
            assert_eq!(cache.get("tools/list", &page(cursor)).is_some(), is_cached, "{cursor}");
        }
    }
}
