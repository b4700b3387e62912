//! Runs seeds of all worlds.
//!
//! `SIMULATION_SEEDS=100000 cargo test --release -p simulation --test worlds` runs that many seeds of each world, and
//! `SIMULATION_SEEDS=7..8` runs seed 7 again.
#![expect(clippy::print_stdout, reason = "a failed test shows the seed, and a passed one what was found")]

use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use simulation::{Bug, Failure, Finished, WORLDS, World};

/// The number of seeds of each world in a normal test run. All worlds together take about a minute on two cores.
const SEEDS: u64 = 3000;

/// The number of seeds in which each planted bug must be found.
const SEEDS_FOR_A_BUG: u64 = 30;

fn seeds() -> Range<u64> {
    let Ok(text) = std::env::var("SIMULATION_SEEDS") else { return 0..SEEDS };
    let parse = |number: &str| number.parse().expect("SIMULATION_SEEDS is a number or a range like 7..8");
    match text.split_once("..") {
        Some((first, end)) => parse(first)..parse(end),
        None => 0..parse(&text),
    }
}

fn world(name: &str) -> World {
    WORLDS.iter().find(|(known, _)| *known == name).expect("the name of a world").1
}

fn run(name: &str, seed: u64, bug: Option<Bug>) -> Result<Finished, Failure> {
    catch_unwind(AssertUnwindSafe(|| world(name)(seed, bug))).unwrap_or_else(|panic| {
        // The message of the panic is printed already, but it does not have the seed.
        println!("the world `{name}` panicked with seed {seed}");
        resume_unwind(panic)
    })
}

fn run_seeds(name: &str) {
    let events: u64 = seeds().map(|seed| run(name, seed, None).unwrap_or_else(|failure| panic!("{failure}")).events).sum();
    let seeds = seeds();
    println!("{name}: {} seeds, {events} events", seeds.end - seeds.start);
    assert!(events >= 10 * (seeds.end - seeds.start), "the world `{name}` does almost nothing");
}

#[test]
fn a_session_keeps_its_rules_under_every_schedule() {
    run_seeds("session");
}

#[test]
fn a_client_and_a_server_keep_their_rules_over_pipes_that_split_delay_and_cut() {
    run_seeds("stream");
}

#[test]
fn an_endpoint_keeps_its_rules_with_many_requests_and_sessions() {
    run_seeds("http");
}

#[test]
fn an_agent_session_keeps_its_rules_with_a_cli_that_breaks_the_protocol() {
    run_seeds("agent");
}

#[test]
fn a_seed_replays_exactly_and_two_seeds_differ() {
    for (name, _) in WORLDS {
        for seed in 0..10 {
            assert_eq!(run(name, seed, None), run(name, seed, None), "{name}, seed {seed}");
        }
        assert_ne!(run(name, 1, None), run(name, 2, None), "{name}");
    }
}

#[test]
fn every_planted_bug_is_found_and_its_seed_replays_exactly() {
    for (bug, name) in Bug::ALL {
        let found = (0..SEEDS_FOR_A_BUG).find_map(|seed| run(name, seed, Some(bug)).err());
        let failure = found.unwrap_or_else(|| panic!("{bug:?} is not found in the world `{name}`"));
        println!("{bug:?}: {}: {}", failure.seed, failure.reason);
        assert_eq!(run(name, failure.seed, Some(bug)), Err(failure), "{bug:?}");
    }
}
