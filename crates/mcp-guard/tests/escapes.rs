//! Generates random variants of denied commands and runs them in `bash`: no variant with the denied effect is allowed.
//!
//! `RULES_VARIANTS` sets how many commands are tried and `RULES_SEED` the seed of the generator; a failure prints the seed.
#![cfg(unix)]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use mcp_guard::{Behavior, Layer, Rules};
use serde_json::json;

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
    let rules = rules.and_then(|rules| rules.deny(Layer::User, "Bash(rm *)")).expect("valid rules");
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let mut tried = BTreeSet::new();
    let (mut allowed, mut effective) = (0, 0);
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
            assert!(
                !(has_effect && behavior == Behavior::Allow),
                "RULES_SEED={seed}: allowed, although it has the denied effect: {command:?}"
            );
        }
    }
    println!(
        "seed {seed}: {variants} commands, {allowed} allowed, 0 escapes; of the first {CHECKED}, {effective} have the effect"
    );
    assert!(effective * 4 >= CHECKED, "only {effective} of {CHECKED} generated commands have the effect");
}

/// Whether the command prints the secret or removes the file, in a folder that is reset before each run.
fn has_effect(work: &Path, command: &str) -> bool {
    for entry in fs::read_dir(work).expect("the folder is readable") {
        let path = entry.expect("an entry").path();
        let removed = if path.is_dir() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
        removed.expect("the folder is writable");
    }
    fs::create_dir(work.join("sub")).expect("the folder is writable");
    for (name, content) in [(".env", SECRET), ("victim", "x"), ("notes", "nothing")] {
        fs::write(work.join(name), format!("{content}\n")).expect("the folder is writable");
    }
    let mut bash = Command::new("timeout");
    bash.args(["10", "bash", "-c", command]).current_dir(work).env_clear();
    bash.env("PATH", "/usr/local/bin:/usr/bin:/bin").env("HOME", work).stdin(Stdio::null());
    let output = bash.output().expect("bash and timeout are installed");
    let printed = [output.stdout, output.stderr].concat();
    String::from_utf8_lossy(&printed).contains(SECRET) || !work.join("victim").exists()
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

    /// A command that prints the secret or removes the file, in a random variant.
    fn command(&mut self) -> String {
        let mut command = if self.below(2) == 0 { self.reading() } else { self.removing() };
        for _ in 0..self.below(4) {
            command = self.wrapped(&command);
        }
        command
    }

    fn reading(&mut self) -> String {
        let file = self.word(".env", true);
        let template = self.one(&[
            "CAT F",
            "CAT F",
            "CAT F",
            "CAT F notes",
            "CAT notes F",
            "CAT <F",
            "CAT < F",
            "CAT 0<F",
            "CAT ./F",
            "CAT sub/../F",
            "CAT \"$PWD\"/F",
            "CAT ~/F",
            "head -n1 F",
            "tail -n1 F",
            "tac F",
            "nl F",
            "sed -n p F",
            "awk 1 F",
            "grep '' F",
            "egrep . F",
            "fgrep s3 F",
            "cut -c1- F",
            "sort F",
            "paste F",
            "rev F | rev",
            "uniq F",
            "fold F",
            "dd if=F",
            "cp F /dev/stdout",
            "tee <F",
            "tar cf - F",
            "diff F /dev/null",
            "comm F /dev/null",
            ". F",
            "source ./F",
            "echo F | xargs CAT",
            "xargs CAT <<< F",
            "xargs -a <(echo F) CAT",
            "find . -name F -exec CAT {} +",
            "cd sub && CAT ../F",
            "cd sub; CAT ../F",
            "pushd sub >/dev/null; CAT ../F",
            "grep -r s3",
            "grep -rh s3 .",
            "mapfile -t a <F; echo \"${a[@]}\"",
            "read a <F; echo $a",
            "while read a; do echo $a; done <F",
            "echo $(<F)",
            "printf '%s' \"$(CAT F)\"",
            "exec 3<F; CAT <&3",
            "ln -s F l; CAT l",
            "mv F g; CAT g",
            "cp F g; CAT g",
            "perl -pe 1 F",
            "perl -e 'print <>' F",
            "python3 -c 'print(open(\".env\").read())'",
            "env -C sub CAT ../F",
            "base64 F | base64 -d",
            "xxd F | xxd -r",
            "od -An -c F | tr -d ' \\n'",
            "CAT .e* ",
            "CAT .[e]nv",
            "CAT -- F",
            "set -- F; CAT $1",
            "a=(F); CAT ${a[0]}",
            "IFS=,; a=F,x; CAT ${a%,x}",
            "bash -c 'CAT $0' F",
            "coproc CAT F; CAT <&${COPROC[0]}",
        ]);
        let cat = self.word("cat", false);
        template.replace("CAT", &cat).replace('F', &file)
    }

    fn removing(&mut self) -> String {
        let file = self.word("victim", true);
        let template = self.one(&[
            "RM F",
            "RM F",
            "RM -f F",
            "RM -rf ./F",
            "RM -- F",
            "find . -name F -exec RM {} +",
            "echo F | xargs RM",
            "/bin/RM F",
            "xargs RM <<< F",
            "cd sub && RM ../F",
            "RM $(echo F)",
            "RM vict*",
            "RM {F,notes}",
            "$(which rm) F",
            "a=RM; $a F",
            "alias x=RM; RM F",
            "\\rm F",
            "command RM F",
            "exec RM F",
            "hash RM; RM F",
            "trap 'RM F' EXIT",
            "RM F & wait",
            "x() { RM \"$@\"; }; x F",
            "perl -e 'exec \"rm\", \"victim\"'",
            "awk 'BEGIN { system(\"rm victim\") }'",
            "python3 -c 'import os; os.system(\"rm victim\")'",
            "printf 'rm victim' | sh",
            "bash <<< 'rm victim'",
            "bash <(echo rm victim)",
            "echo rm victim > s; sh s",
            "echo rm victim > s; . ./s",
            "sed 's/x/rm victim/e' victim",
            "env -S 'rm victim'",
        ]);
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
        let template = self.one(&[
            "true && C",
            "false || C",
            "true; C",
            "C; true",
            "C | cat",
            "{ C; }",
            "(C)",
            "( C )",
            "if true; then C; fi",
            "for i in 1; do C; done",
            "while C; do break; done",
            "until ! C; do break; done",
            "f() { C; }; f",
            "function g { C; }; g",
            "time C",
            "! C",
            "timeout 5 C",
            "nice C",
            "nice -n 1 C",
            "env C",
            "env A=1 C",
            "A=1 C",
            "stdbuf -o0 C",
            "setsid -w C",
            "command C",
            "exec C",
            "nohup C",
            "ionice C",
            "chrt -b 0 C",
            "taskset 1 C",
            "setpriv C",
            "unshare -U C",
            "prlimit C",
            "bash -c Q",
            "sh -c Q",
            "bash -lc Q",
            "eval Q",
            "echo $(C)",
            "echo `true`; C",
            "cat <(C)",
            "echo Q | bash",
            "bash <<< Q",
            "trap Q EXIT",
            "case x in x) C;; esac",
            "[[ 1 ]] && C",
            "C &\nwait",
            "true\nC",
            "C #",
            "C >&2",
            "C 2>&1",
            "C >/dev/stdout",
            "flock l C",
            "xargs -I X C </dev/null; C",
            "watch -x C & C",
            "coproc C; wait",
            "env -i bash -c Q",
            "busybox sh -c Q",
        ]);
        template.replace('C', command).replace('Q', &quoted)
    }
}
