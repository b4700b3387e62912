//! Generates random variants of denied commands and runs them in `bash`: no variant with the denied effect is allowed.
//!
//! `RULES_VARIANTS` sets how many commands are tried and `RULES_SEED` the seed of the generator; a failure prints the seed.
//! `RULES_VARIANTS=20000 cargo test -p mcp-guard --test escapes -- --nocapture` is the long run.
// Not on Windows: the commands are run in `bash`. tests/windows_names.rs has the spellings of Windows.
#![cfg(unix)]

mod templates;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use mcp_guard::{Behavior, Layer, Rules};
use serde_json::json;

use templates::{READING, REMOVING, WRAPPED, WRITING};

/// The first `CHECKED` commands are run even if the rules do not allow them, to check that the generated commands work.
const CHECKED: usize = 100;

const SECRET: &str = "s3cr3t-content";

#[test]
#[allow(clippy::print_stdout, reason = "seed and count belong to the result")]
fn no_working_variant_of_a_denied_command_is_allowed() {
    let number = |name: &str, default: u64| std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default);
    let (seed, variants) = (number("RULES_SEED", 1), number("RULES_VARIANTS", 3000) as usize);
    let folder = tempfile::tempdir().expect("a folder");
    let work = folder.path().canonicalize().expect("the folder exists");
    let rules = Rules::new(&work).allow(Layer::Session, "Bash").and_then(|rules| rules.deny(Layer::User, "Read(.env)"));
    let rules = rules.and_then(|rules| rules.deny(Layer::User, "Bash(rm *)"));
    let rules = rules.and_then(|rules| rules.deny(Layer::User, "Edit(./kept)")).expect("valid rules");
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let mut tried = BTreeSet::new();
    let (mut allowed, mut effective, mut escapes) = (0, 0, Vec::new());
    while tried.len() < variants {
        let command = random.command();
        if !tried.insert(command.clone()) {
            continue;
        }
        let behavior = rules.resolve("Bash", &json!({"command": command})).behavior;
        allowed += usize::from(behavior == Behavior::Allow);
        if behavior == Behavior::Allow || tried.len() <= CHECKED {
            let has_effect = has_effect(&work, &command);
            effective += usize::from(has_effect && tried.len() <= CHECKED);
            if has_effect && behavior == Behavior::Allow {
                escapes.push(command);
            }
        }
    }
    println!(
        "seed {seed}: {variants} commands, {allowed} allowed, {} escapes; of the first {CHECKED}, {effective} have the effect",
        escapes.len()
    );
    assert!(escapes.is_empty(), "RULES_SEED={seed}: allowed, although they have the denied effect: {escapes:#?}");
    assert!(effective * 4 >= CHECKED, "only {effective} of {CHECKED} generated commands have the effect");
}

/// Whether the command prints the secret, removes the victim or changes the kept file, in a folder that is reset before each run.
fn has_effect(work: &Path, command: &str) -> bool {
    for entry in fs::read_dir(work).expect("the folder is readable") {
        let path = entry.expect("an entry").path();
        let removed = if path.is_dir() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
        removed.expect("the folder is writable");
    }
    for folder in ["sub", "0"] {
        fs::create_dir(work.join(folder)).expect("the folder is writable");
    }
    // What runs instead of `ls` if a command sets `PATH` to a number.
    std::os::unix::fs::symlink("/bin/rm", work.join("0/ls")).expect("the folder is writable");
    for (name, content) in [(".env", SECRET), ("victim", "x"), ("kept", "x"), ("notes", "nothing")] {
        fs::write(work.join(name), format!("{content}\n")).expect("the folder is writable");
    }
    let mut bash = Command::new("timeout");
    bash.args(["3", "bash", "-c", command]).current_dir(work).env_clear();
    bash.env("PATH", "/usr/local/bin:/usr/bin:/bin").env("HOME", work).stdin(Stdio::null());
    let output = bash.output().expect("bash and timeout are installed");
    let printed = [output.stdout, output.stderr].concat();
    String::from_utf8_lossy(&printed).contains(SECRET)
        || !work.join("victim").exists()
        || fs::read(work.join("kept")).ok().as_deref() != Some(b"x\n")
}

/// A generator of commands: xorshift, so that a seed always gives the same commands.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit as u64) as usize
    }

    fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len())]
    }

    /// A command that prints the secret, removes the victim or changes the kept file, in a random variant.
    fn command(&mut self) -> String {
        let mut command = match self.below(3) {
            0 => self.reading(),
            1 => self.removing(),
            _ => self.writing(),
        };
        for _ in 0..self.below(4) {
            command = self.wrapped(&command);
        }
        command
    }

    fn reading(&mut self) -> String {
        let file = self.word(".env", true);
        let template = self.one(READING);
        let cat = self.word("cat", false);
        template.replace("CAT", &cat).replace('F', &file)
    }

    fn writing(&mut self) -> String {
        let file = self.word("kept", true);
        let template = self.one(WRITING);
        template.replace('F', &file)
    }

    fn removing(&mut self) -> String {
        let file = self.word("victim", true);
        let template = self.one(REMOVING);
        let rm = self.word("rm", false);
        template.replace("RM", &rm).replace('F', &file)
    }

    /// Returns a word in a random spelling that bash expands to the same word.
    fn word(&mut self, word: &str, is_file: bool) -> String {
        let (first, rest) = word.split_at(1);
        let hex = |text: &str| text.bytes().map(|byte| format!("\\x{byte:02x}")).collect::<String>();
        match self.below(if is_file { 16 } else { 13 }) {
            0 => format!("'{word}'"),
            1 => format!("\"{word}\""),
            2 => format!("\\{word}"),
            3 => format!("{first}''{rest}"),
            4 => format!("{first}\"\"{rest}"),
            5 => format!("'{first}'\"{rest}\""),
            6 => format!("$'{}'", hex(word)),
            7 => format!("$(echo {word})"),
            8 => format!("`echo {word}`"),
            9 => format!("{first}$NOTHING{rest}"),
            10 => format!("{first}${{X:-{rest}}}"),
            11 => format!("{first}\\\n{rest}"),
            12 | 15 => word.to_owned(),
            13 => format!("{}?", &word[..word.len() - 1]),
            _ => format!("{first}*{}", &rest[1..]),
        }
    }

    fn wrapped(&mut self, command: &str) -> String {
        let quoted = format!("'{}'", command.replace('\'', "'\\''"));
        let template = self.one(WRAPPED);
        template.replace('C', command).replace('Q', &quoted)
    }
}
