//! Runs a target with mutated inputs of its corpus, on the stable toolchain: `mutate TARGET SECONDS [SEED]`.
//!
//! It knows nothing about coverage, so the fuzzer in `fuzz/` finds more in the same time. An input that fails is written to
//! `fuzz/regressions`.

use std::fs;
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

#[expect(clippy::print_stdout, clippy::print_stderr, reason = "the output of this program is the result")]
fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let number = |place: usize| words.get(place).and_then(|word| word.parse::<u64>().ok());
    let target = fuzz_targets::ALL.iter().find(|(name, _)| words.first().is_some_and(|word| word == name));
    let (Some((name, target)), Some(seconds)) = (target, number(1)) else {
        let names: Vec<_> = fuzz_targets::ALL.iter().map(|(name, _)| *name).collect();
        eprintln!("usage: mutate TARGET SECONDS [SEED], where TARGET is one of {}", names.join(", "));
        return ExitCode::from(2);
    };
    let fuzz = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a workspace").join("fuzz");
    let corpus = fs::read_dir(fuzz.join("corpus").join(name)).expect("a corpus").flatten();
    let mut corpus: Vec<_> = corpus.map(|entry| entry.path()).collect();
    // The order of a folder differs between machines, and a seed must give the same inputs.
    corpus.sort();
    let corpus: Vec<_> = corpus.iter().filter_map(|path| fs::read(path).ok()).collect();
    let (mut random, mut runs) = (Random(number(2).unwrap_or(1)), 0_u64);
    let end = Instant::now() + Duration::from_secs(seconds);
    while Instant::now() < end {
        let input = mutated(&corpus, &mut random);
        if std::panic::catch_unwind(|| target(&input)).is_err() {
            let file = fuzz.join("regressions").join(name).join(format!("mutated-{runs}"));
            fs::create_dir_all(file.parent().expect("a folder")).and_then(|()| fs::write(&file, &input)).expect("written");
            eprintln!("failed: {}", file.display());
            return ExitCode::FAILURE;
        }
        runs += 1;
    }
    println!("{name}: {runs} inputs in {seconds} s");
    ExitCode::SUCCESS
}

/// Returns an input of the corpus with a few changes.
fn mutated(corpus: &[Vec<u8>], random: &mut Random) -> Vec<u8> {
    let mut input = random.pick(corpus).clone();
    for _ in 0..=random.below(4) {
        let (from, to) = random.range(input.len());
        match random.below(6) {
            0 => drop(input.drain(from..to)),
            1 => input[from..to].iter_mut().for_each(|byte| *byte ^= 1 << random.below(8)),
            2 => drop(input.splice(from..from, (0..=random.below(8)).map(|_| random.byte()))),
            3 => {
                let copy = input[from..to].to_vec();
                let (at, _) = random.range(input.len());
                input.splice(at..at, copy);
            }
            // A part of another input.
            _ => {
                let other = random.pick(corpus);
                let (start, end) = random.range(other.len());
                input.splice(from..to, other[start..end].to_vec());
            }
        }
    }
    input
}

/// A small generator (xorshift64*), so that a seed gives the same inputs everywhere.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let high = self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33;
        usize::try_from(high).expect("31 bits") % limit.max(1)
    }

    fn byte(&mut self) -> u8 {
        // Bytes that mean something are more likely than others.
        const SPECIAL: &[u8] = b"\0@\n\r{}[]\":,0-.\\ ";
        if self.below(3) == 0 { u8::try_from(self.below(256)).expect("a byte") } else { *self.pick(SPECIAL) }
    }

    fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }

    fn range(&mut self, length: usize) -> (usize, usize) {
        let from = self.below(length + 1);
        (from, (from + self.below(64)).min(length))
    }
}
