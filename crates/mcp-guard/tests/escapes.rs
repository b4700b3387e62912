//! Generates random variants of denied commands and runs them in `bash`: no variant with the denied effect is allowed.
//!
//! `RULES_VARIANTS` sets how many commands are tried and `RULES_SEED` the seed of the generator; a failure prints the seed.
//! `RULES_VARIANTS=20000 cargo test -p mcp-guard --test escapes -- --nocapture` is the long run.
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
    fs::create_dir(work.join("sub")).expect("the folder is writable");
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
            "CAT ~+/F",
            "CAT /proc/self/cwd/F",
            "CAT /proc/$$/cwd/F",
            "CAT /dev/fd/3 3<F",
            "CAT /dev/stdin <F",
            "CAT <<< \"$(CAT F)\"",
            "CAT <(CAT F)",
            "x=F; y=${x/q/}; CAT $y",
            "x=q; CAT ${x/q/F}",
            "printf -v x %s F; CAT $x",
            "a=(notes F); CAT \"${a[@]}\"",
            "declare -A m=([k]=F); CAT ${m[k]}",
            "f() { CAT \"$1\"; }; f F",
            "shopt -s dotglob; CAT *",
            "shopt -s extglob; CAT @(F|x)",
            "shopt -s nullglob; CAT .?nv",
            "shopt -s globstar; CAT **/F ./F",
            "GLOBIGNORE=x; CAT *",
            "shopt -s nocaseglob; CAT .E*",
            "for x in .*; do CAT $x; done 2>/dev/null",
            "CAT {F,notes}",
            "CAT .{env,x}",
            "CAT .en{v..v}",
            "rg --hidden s3",
            "git diff --no-index /dev/null F",
            "git grep --no-index s3",
            "wc -c F; CAT F | tee copy",
            "cp -r . copy; CAT copy/F",
            "ln F hard; CAT hard",
            "tar cf a F; tar xOf a",
            "echo 'CAT F' > s; chmod +x s; ./s",
            "echo 'CAT F' > s; BASH_ENV=s bash -c :",
            "echo 'CAT F' | sh",
            "mapfile -c 1 -C 'CAT F' a < notes",
            "compgen -C 'CAT F'",
            "IFS= read -r -d '' x < F; echo \"$x\"",
            "select x in F; do CAT $x; break; done <<< 1",
            "[[ -f F ]] && CAT F",
            "let x=1; CAT F",
            "awk '{print}' F",
            "awk 'BEGIN{while((getline l < \".env\")>0) print l}'",
            "sed '' F",
            "sed s/x/y/ F",
            "sed 'r F' notes",
            "sed -n '1r.env' notes",
            "grep . .e*",
            "less F | CAT",
            "cmp -l F /dev/null; CAT F",
            "iconv F",
            "find . -maxdepth 1 -type f -print0 | xargs -0 CAT",
            "ls -A | xargs -n1 CAT",
            "ls -A | while read f; do CAT $f; done",
            "ls -d .e* | xargs CAT",
            "readarray -t a < <(ls -A); CAT ${a[0]}",
            "cd /tmp; CAT $OLDPWD/F",
            "env x=F bash -c 'CAT $x'",
            "export x=F; sh -c 'CAT \"$x\"'",
        ]);
        let cat = self.word("cat", false);
        template.replace("CAT", &cat).replace('F', &file)
    }

    fn writing(&mut self) -> String {
        let file = self.word("kept", true);
        let template = self.one(&[
            "echo y > F",
            "echo y >> F",
            "echo y >| F",
            "echo y &> F",
            "ls nothing 2> F",
            "> F",
            ": > F",
            "{ echo y; } > F",
            "(echo y) > F",
            "if true; then echo y; fi > F",
            "for i in 1; do echo y; done >F",
            "while read a; do echo $a; done <<< y > F",
            "case x in x) echo y;; esac > F",
            "f() { echo y; } > F; f",
            "exec 4>F; echo y >&4",
            "echo y 3>&1 1>F",
            "echo y > $(echo F)",
            "cat > F <<E\ny\nE",
            "cat notes > ./F",
            "cat notes > sub/../F",
            "cd sub; echo y > ../F",
            "echo y > \"$PWD\"/F",
            "echo y > ~+/F",
            "echo y > /proc/self/cwd/F",
            "tee F <<< y",
            "echo y | tee -a F",
            "cp notes F",
            "cp -f notes ./F",
            "mv notes F",
            "ln -sf notes F",
            "install notes F",
            "dd if=notes of=F",
            "sed -i s/x/y/ F",
            "sed -n 'w kept' notes",
            "sed s/x/y/w'kept' notes; sed -n 's/n/y/wkept' notes",
            "truncate -s 0 F",
            "sort -o F notes",
            "awk 'BEGIN{print \"y\" > \"kept\"}'",
            "perl -pi -e s/x/y/ F",
            "perl -e 'open F, q(>kept)'",
            "python3 -c 'open(\"kept\",\"w\").write(\"y\")'",
            "split -l1 notes F; mv Faa F",
            "csplit -f F notes 1; mv F00 F",
            "echo F | xargs cp notes",
            "echo F | xargs truncate -s 0",
            "find . -name F -exec cp notes {} \\;",
            "echo 'echo y > F' | sh",
            "echo 'echo y > F' > s; sh s",
            "x=F; echo y > $x",
            "echo y | dd of=F",
            "tar cf F notes",
            "tar cf a notes; mkdir d; cp notes d/kept; tar cf a -C d kept; tar xf a",
            "diff notes sub > F",
            "date > F",
            "git diff --no-index --output=F notes victim",
            "unlink F",
            "mv F gone",
            "uniq notes F",
            "patch F <<< x",
            "ed -s F <<< $'s/x/y/\\nw'",
            "shuf -o F notes",
            "gzip F",
            "script -qc true F",
            "exec > F; echo y",
            "echo y | sponge F",
            "touch F.new; mv F.new F",
            "cp notes kep1; rename 1 t kep1; mv kep1 F",
            "rsync notes F",
            "xxd -r -p <<< 79 F",
            "printf y 1<>F",
            "echo y > ke*",
            "coproc tee F; echo y >&${COPROC[1]}; wait",
        ]);
        template.replace('F', &file)
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
            "cp /bin/rm x; ./x F",
            "ln -s /bin/rm x; ./x F",
            "cp $(which rm) x; ./x F",
            "hash -p /bin/rm ls; ls F",
            "echo 'rm victim' > s; chmod +x s; ./s",
            "printf 'rm victim' > s; BASH_ENV=s bash -c :",
            "printf 'a:\\n\\trm victim\\n' > Makefile; make",
            "printf 'a:\\n\\trm victim\\n' | make -f -",
            "shopt -s expand_aliases\nalias x=RM\nx F",
            "shopt -s expand_aliases\nalias ls='RM F;'\nls",
            "test -v 'a[$(rm victim)]'",
            "[[ -v 'a[$(rm victim)]' ]]",
            "printf -v 'a[$(rm victim)]' x",
            "let 'a[$(rm victim)]=1'",
            "x='a[$(rm victim)]'; ((x))",
            "declare -i x='a[$(rm victim >&2)]'",
            "PS4='$(rm victim)'; set -x; :",
            "x='$(rm victim)'; echo ${x@P}",
            "mapfile -c 1 -C 'rm victim;:' a < notes",
            "compgen -C 'rm victim;:' x",
            "tar cf a notes --checkpoint=1 --checkpoint-action='exec=rm victim'",
            "tar cf - notes | tar xf - --to-command='rm victim'",
            "git -c alias.x='!rm victim' x",
            "git -c core.pager='rm victim' -p help git",
            "GIT_PAGER='rm victim' git -p help",
            "command_not_found_handle() { RM F; }; nothing-here",
            "RM=rm; $RM F",
            "a=(rm victim); \"${a[@]}\"",
            "printf -v x 'rm %s' victim; $x",
            "x=rrm; ${x/r/} F",
            "x=xm; ${x/x/r} F",
            "set -- rm victim; \"$@\"",
            "\"$(printf '\\162m')\" F",
            "$'\\162\\x6d' F",
            "{,rm} F",
            "{rm,F}",
            "r{m,m} F",
            "f() { RM $1; } ; f F",
            "eval \"$(echo RM F)\"",
            "eval eval RM F",
            "source <(echo RM F)",
            ". /dev/stdin <<< 'rm victim'",
            "cat <<E | sh\nrm victim\nE",
            "sh <<'E'\nrm victim\nE",
            "bash -s <<< 'rm victim'",
            "bash /dev/stdin <<< 'rm victim'",
            "ls F | xargs -I {} RM {}",
            "find . -name F -ok RM {} + <<< y; find F -exec RM {} \\;",
            "dash -c 'rm victim'",
            "perl -e 'system qw(rm victim)'",
            "perl -e 'unlink q(x); exec q(rm), q(victim)'",
            "timeout 5 perl -e 'exec \"rm victim\"'",
            "vim -es -c '!rm victim' -c q",
            "ssh-agent RM F",
            "sort -S 1b --compress-program='rm' F",
            "split --filter='rm victim' notes",
            "flock l -c 'rm victim'",
            "script -qc 'rm victim' /dev/null",
            "unshare -r RM F",
            "nice -n1 ionice -c3 RM F",
            "start-stop-daemon --start --exec /bin/rm -- F",
            "systemd-run RM F",
            "exec -a x RM F",
            "time -p RM F",
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
            "pkexec C",
            "runuser -u root -- C",
            "runuser -c Q",
            "taskset -c 0 C",
            "setpriv --no-new-privs C",
            "fakeroot C",
            "csh -c Q",
            "fd . -x C",
            "bash <<E\nC\nE",
            "sh <<'E'\nC\nE",
            "cat <<E\n$(C)\nE",
            "cat <<E | bash\nC\nE",
            "bash <(echo Q)",
            "source <(echo Q)",
            ". /dev/stdin <<< Q",
            "C > >(cat)",
            "cat < <(C)",
            "((1)) && C",
            "for ((i=0; i<1; i++)); do C; done",
            "echo $((1 + $(C >&2; echo 1)))",
            "a[$(C >&2; echo 0)]=1",
            "eval eval Q",
            "x=Q; eval \"$x\"",
            "printf -v x %s Q; eval \"$x\"",
            "a=(Q); eval \"${a[0]}\"",
            "x=Q; bash -c \"${x/zzz/}\"",
            "cd sub; cd ..; C",
            "cd . && C",
            "pushd . >/dev/null; C",
            "{ C; } 2>&1 | cat",
            "if C; then :; fi",
            "while ! C; do break; done",
            "case 1 in *) C ;; esac",
            "select x in 1; do C; break; done <<< 1",
            "f() ( C ); f",
            "f() { C; } 2>/dev/null; f",
            "shopt -s expand_aliases\nalias f=Q\nf",
            "trap Q 0",
            "trap Q DEBUG; :",
            "(trap Q ERR; false)",
            "coproc { C; }; cat <&${COPROC[0]}; wait",
            "time { C; }",
            "! { C; }",
            "exec 5>&1; C >&5",
            "{ C; } 3>&1",
            "true & C; wait",
            "sh -c 'eval \"$1\"' sh Q",
            "bash -c 'bash -c \"$0\"' Q",
            "env -S \"bash -c\" Q",
            "nice timeout 5 env A=1 C",
            "script -qc Q /dev/null",
            "tmux -c Q",
            "echo Q > s; bash s",
            "echo Q > s; . ./s",
            "echo Q > s; chmod +x s; ./s",
            "watch -x C & C",
            "coproc C; wait",
            "env -i bash -c Q",
            "busybox sh -c Q",
        ]);
        template.replace('C', command).replace('Q', &quoted)
    }
}
