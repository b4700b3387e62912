//! Replays the corpora, all inputs that the fuzzer found, and random changes of them, without the fuzzer.
//!
//! `cargo run -p fuzz-targets --release --example mutate -- TARGET SECONDS` tries changes of one target for longer.

use std::any::Any;
use std::fs;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use fuzz_targets::Target;

/// How long each target is run with random changes, and how many it gets at least and at most. The changes are the same in every
/// run.
const TIME: Duration = Duration::from_secs(1);
const FEWEST: u64 = 20;
const MOST: u64 = 50_000;

/// Held by a test while it runs: some targets have one session or one file for the whole process.
static ALONE: Mutex<()> = Mutex::new(());

/// The corpus of a target and what the fuzzer found, with the path of each input.
fn inputs(name: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let fuzz = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a workspace").join("fuzz");
    let folders = ["corpus", "regressions"].map(|folder| fuzz.join(folder).join(name));
    let entries = folders.iter().filter_map(|folder| fs::read_dir(folder).ok()).flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("a file").path()).collect();
    paths.sort();
    paths.into_iter().map(|path| (path.clone(), fs::read(path).expect("readable"))).collect()
}

fn reason(panic: &(dyn Any + Send)) -> &str {
    panic.downcast_ref::<String>().map_or("", String::as_str)
}

#[test]
fn no_input_of_the_corpora_makes_a_target_panic() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    for (name, target) in fuzz_targets::ALL {
        let inputs = inputs(name);
        assert!(inputs.len() > 20, "{name} has only {} inputs", inputs.len());
        for (path, bytes) in inputs {
            if let Err(panic) = catch_unwind(|| target(&bytes)) {
                panic!("{}: {}", path.display(), reason(&*panic));
            }
        }
    }
}

#[test]
fn no_random_change_of_an_input_makes_a_target_panic() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    // Each target has a thread, because some wait for a program most of the time.
    let run = |name: &'static str, target: Target| std::thread::spawn(move || change_inputs(name, target));
    let threads: Vec<_> = fuzz_targets::ALL.into_iter().map(|(name, target)| (name, run(name, target))).collect();
    for (name, thread) in threads {
        thread.join().unwrap_or_else(|panic| panic!("{name}: {}", reason(&*panic)));
    }
}

#[test]
fn random_changes_give_inputs_that_are_not_in_the_corpus() {
    for (name, _) in fuzz_targets::ALL {
        let (inputs, mut random) = (inputs(name), Random(0));
        let is_new = |input: &Vec<u8>| inputs.iter().all(|(_, known)| known != input);
        let new = (0..FEWEST).map(|_| changed(&inputs, &mut random)).filter(is_new).count() as u64;
        assert!(new > FEWEST / 2, "{name}: only {new} of {FEWEST} inputs are new");
    }
}

/// Tries random changes for some time.
fn change_inputs(name: &str, target: Target) {
    let (inputs, mut random, start) = (inputs(name), Random(0), Instant::now());
    let mut executions = 0;
    while executions < FEWEST || start.elapsed() < TIME && executions < MOST {
        let input = changed(&inputs, &mut random);
        if let Err(panic) = catch_unwind(|| target(&input)) {
            let file = std::env::temp_dir().join(format!("fuzz-{name}-{executions}"));
            fs::write(&file, &input).expect("a writable temporary folder");
            panic!("{}: {}", file.display(), reason(&*panic));
        }
        executions += 1;
    }
}

/// Changes an input in a few places: bytes, pieces that are removed or repeated, and pieces of other inputs.
fn changed(inputs: &[(PathBuf, Vec<u8>)], random: &mut Random) -> Vec<u8> {
    let mut bytes = inputs[random.below(inputs.len())].1.clone();
    for _ in 0..=random.below(4) {
        let at = random.below(bytes.len() + 1);
        let end = (at + random.below(16)).min(bytes.len());
        match random.below(5) {
            0 if at < bytes.len() => bytes[at] = random.below(256) as u8,
            1 => drop(bytes.drain(at..end)),
            2 => {
                let piece = bytes[at..end].to_vec();
                bytes.splice(at..at, piece);
            }
            3 => {
                let other = &inputs[random.below(inputs.len())].1;
                let from = random.below(other.len() + 1);
                let to = (from + random.below(64)).min(other.len());
                bytes.splice(at..end, other[from..to].iter().copied());
            }
            _ => bytes.insert(at, b"\0\n\r\"\\{}[]:, 09-~$`';&|*?/"[random.below(25)]),
        }
    }
    bytes
}

struct Random(u64);

impl Random {
    /// A number from 0 to `end - 1` (a linear congruential generator).
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap_or(0) % end
    }
}
