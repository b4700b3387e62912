//! Cache times (`ttlMs`, `cacheScope`) of lists and resources.

use std::time::Duration;

use mcp_core::{Builder, Cache, Context, Live, ResourceSpec, Server, resource_fn};
use serde_json::{Value, json};

use crate::session::{Peer, stateless};

fn news() -> Builder {
    let spec = |uri: &'static str| ResourceSpec::new(uri, "news", "News.");
    let read = |_: Value, _: Context| async { "text" };
    let stamps = resource_fn(spec("news://stamps").cache(Cache::public(Duration::from_secs(86_400))), read);
    Server::builder("news", "1.0.0").resources([resource_fn(spec("news://today"), read), stamps])
}

/// The cache times of all results that have one: discovery, the lists, two resources.
fn cache_times(mut peer: Peer) -> Vec<(u64, String)> {
    let uri = |uri: &str| json!({"uri": uri, "_meta": stateless()});
    let plain = || json!({"_meta": stateless()});
    let all = [
        ("server/discover", plain()),
        ("resources/list", plain()),
        ("resources/templates/list", plain()),
        ("resources/read", uri("news://today")),
        ("resources/read", uri("news://stamps")),
    ];
    let results = all.map(|(method, params)| peer.ask(method, params)["result"].take());
    results.map(|result| (result["ttlMs"].as_u64().unwrap(), result["cacheScope"].as_str().unwrap().to_owned())).to_vec()
}

fn public(ms: u64) -> (u64, String) {
    (ms, "public".into())
}

fn private(ms: u64) -> (u64, String) {
    (ms, "private".into())
}

#[test]
fn by_default_lists_are_cached_for_an_hour_and_resource_contents_are_not() {
    let lists = public(3_600_000);
    let expected = [lists.clone(), lists.clone(), lists, private(0), public(86_400_000)];
    assert_eq!(cache_times(Peer::new(news())), expected);
}

#[test]
fn lists_of_a_live_server_are_not_cached() {
    let server = news().build().unwrap();
    assert_eq!(cache_times(Peer::new(server.clone()))[1], public(3_600_000));
    assert_eq!(cache_times(Peer::new(Live::new(server).unwrap()))[..3], [public(0), public(0), public(0)]);
}

#[test]
fn a_server_can_set_its_own_cache_times() {
    let server = || {
        let lists = Cache::private(Duration::from_secs(5));
        news().cache_lists(lists).cache_reads(Cache::public(Duration::from_millis(7)))
    };
    let expected = [private(5000), private(5000), private(5000), public(7), public(86_400_000)];
    assert_eq!(cache_times(Peer::new(server())), expected);
    assert_eq!(cache_times(Peer::new(Live::new(server()).unwrap())), expected);
}

#[test]
fn older_revisions_get_no_cache_times() {
    for revision in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] {
        let mut peer = Peer::with_revision(revision, news());
        for (method, params) in [("resources/list", json!({})), ("resources/read", json!({"uri": "news://today"}))] {
            let result = peer.ask(method, params)["result"].take();
            assert!(result.get("ttlMs").is_none() && result.get("cacheScope").is_none(), "{revision}: {result}");
        }
    }
}
