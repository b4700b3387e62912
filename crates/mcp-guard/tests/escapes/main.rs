//! Generates random variants of denied commands and runs them in `bash`: no variant with the denied effect is allowed, by any
//! of several sets of rules.
//!
//! `RULES_VARIANTS` sets how many commands are tried and `RULES_SEED` the seed of the generator; a failure prints the seed.
//! `RULES_VARIANTS=20000 cargo test -p mcp-guard --test escapes -- --nocapture` is the long run.
// Not on Windows: the commands are run in `bash`. tests/windows_names.rs has the spellings of Windows.
#![cfg(unix)]

mod templates;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use mcp_agent_tools::PermissionMode;
use mcp_guard::{Behavior, Layer, RuleError, Rules};
use serde_json::json;

use templates::{READING, REMOVING, WRAPPED, WRITING};

const SECRET: &str = "s3cr3t-content";

#[test]
#[allow(clippy::print_stdout, reason = "seed and count belong to the result")]
fn no_working_variant_of_a_denied_command_is_allowed() {
    let number = |name: &str, default: u64| std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default);
    let (seed, variants) = (number("RULES_SEED", 1), number("RULES_VARIANTS", 3000) as usize);
    let folder = tempfile::tempdir().expect("a folder");
    let work = folder.path().canonicalize().expect("the folder exists");
    let sets = rule_sets(&work).expect("valid rules");
    for set in &sets {
        assert_eq!(set.resolve("Bash", &json!({"command": "cat notes"})).behavior, Behavior::Allow, "{set:?}");
    }
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let mut tried = BTreeSet::new();
    let (mut allowed, mut escapes) = ([0; SETS], Vec::new());
    while tried.len() < variants {
        let command = random.command();
        if !tried.insert(command.clone()) {
            continue;
        }
        let set = random.below(SETS);
        if sets[set].resolve("Bash", &json!({"command": command})).behavior == Behavior::Allow {
            allowed[set] += 1;
            if has_effect(&work, &command) {
                escapes.push((set, command));
            }
        }
    }
    println!("seed {seed}: {variants} commands, allowed by each set of rules: {allowed:?}, {} escapes", escapes.len());
    assert!(escapes.is_empty(), "RULES_SEED={seed}: allowed, although they have the denied effect: {escapes:#?}");
}

/// The number of sets of rules.
const SETS: usize = 4;

/// Sets of rules that deny the same, and allow everything, some programs by name, or everything by the mode.
fn rule_sets(work: &Path) -> Result<[Rules; SETS], RuleError> {
    let denying = Rules::new(work).deny(Layer::User, "Read(.env)")?;
    let denying = denying.deny(Layer::User, "Bash(rm *)")?.deny(Layer::User, "Edit(./kept)")?;
    let allowing = |rules: &[&str]| rules.iter().try_fold(denying.clone(), |all, rule| all.allow(Layer::Session, rule));
    Ok([
        allowing(&["Bash"])?,
        allowing(&["Bash(cat *)", "Bash(git *)", "Bash(echo *)", "Bash(ls *)", "Bash(cd *)"])?,
        allowing(&["Bash(cat notes)", "Bash(git status)", "Bash(sort *)", "Bash(grep *)", "Bash(cp *)", "Bash(mv *)"])?,
        denying.clone().mode(PermissionMode::BypassPermissions),
    ])
}

/// Programs of the templates that are not installed everywhere.
const OPTIONAL: &[&str] = &[
    "busybox",
    "csh",
    "ed",
    "fakeroot",
    "fd",
    "git",
    "less",
    "make",
    "patch",
    "perl",
    "pkexec",
    "python3",
    "rename",
    "rev",
    "rg",
    "rsync",
    "runuser",
    "script",
    "sponge",
    "ssh-agent",
    "start-stop-daemon",
    "tmux",
    "vim",
    "watch",
    "xxd",
];

#[test]
fn every_template_has_its_effect_in_its_plain_form() {
    let folder = tempfile::tempdir().expect("a folder");
    let work = folder.path().canonicalize().expect("the folder exists");
    let missing: Vec<&str> = OPTIONAL.iter().copied().filter(|program| !is_installed(program)).collect();
    let plain = READING.iter().map(|template| vec![fill(&template.replace("CAT", "cat"), 'F', ".env")]);
    let plain = plain.chain(REMOVING.iter().map(|template| vec![fill(&template.replace("RM", "rm"), 'F', "victim")]));
    let plain = plain.chain(WRITING.iter().map(|template| vec![fill(template, 'F', "kept")]));
    // Some of them do not show what the command prints.
    let plain = plain.chain(WRAPPED.iter().map(|template| vec![wrap(template, "cat .env"), wrap(template, "rm victim")]));
    let needs_missing = |command: &str| {
        let mut words = command.split(|c: char| !c.is_alphanumeric() && c != '-' && c != '_');
        words.any(|word| missing.contains(&word))
    };
    let works = |commands: &Vec<String>| commands.iter().any(|command| has_effect(&work, command) || needs_missing(command));
    let broken: Vec<Vec<String>> = plain.filter(|commands| !works(commands)).collect();
    assert!(broken.is_empty(), "{} commands have no effect: {broken:#?}", broken.len());
}

fn is_installed(program: &str) -> bool {
    const FOLDERS: [&str; 3] = ["/usr/local/bin", "/usr/bin", "/bin"];
    FOLDERS.iter().any(|folder| PathBuf::from(folder).join(program).exists())
}

/// Returns a command that runs this command.
fn wrap(template: &str, command: &str) -> String {
    let quoted = format!("'{}'", command.replace('\'', "'\\''"));
    fill(&fill(template, 'C', command), 'Q', &quoted)
}

/// Replaces a letter in a template, where it is not part of a name in capital letters such as `IFS`.
fn fill(template: &str, letter: char, by: &str) -> String {
    let mut filled = String::new();
    let mut before = None;
    let mut rest = template.chars().peekable();
    while let Some(c) = rest.next() {
        let is_capital = |c: Option<char>| c.is_some_and(|c: char| c.is_ascii_uppercase());
        if c == letter && !is_capital(before) && !is_capital(rest.peek().copied()) {
            filled.push_str(by);
        } else {
            filled.push(c);
        }
        before = Some(c);
    }
    filled
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
        fill(template, 'F', &file).replace("CAT", &cat)
    }

    fn writing(&mut self) -> String {
        let file = self.word("kept", true);
        let template = self.one(WRITING);
        fill(template, 'F', &file)
    }

    fn removing(&mut self) -> String {
        let file = self.word("victim", true);
        let template = self.one(REMOVING);
        let rm = self.word("rm", false);
        fill(template, 'F', &file).replace("RM", &rm)
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
        wrap(self.one(WRAPPED), command)
    }
}
