//! Command lines that run commands which are not in the line: scripts, program text, input of a shell.

use super::candidates::{READERS, RUN_NO_INPUT};
use super::tables::{is_plain, may_have_text, may_read_text};
use super::{Script, Simple, name, programs};

/// Interpreters, which run whatever program text they are given.
const INTERPRETERS: &[&str] = &[
    "awk",
    "bun",
    "deno",
    "gawk",
    "lua",
    "mawk",
    "node",
    "osascript",
    "perl",
    "php",
    "pwsh",
    "python",
    "python2",
    "python3",
    "ruby",
    "tclsh",
];

/// Commands of the shell that may change what later words of the line mean, or that run a script.
const SHELL_STATE: &[&str] = &[
    ".",
    "alias",
    "bind",
    "compgen",
    "complete",
    "declare",
    "enable",
    "export",
    "fc",
    "getopts",
    "hash",
    "let",
    "local",
    "mapfile",
    "read",
    "readarray",
    "readonly",
    "set",
    "shopt",
    "source",
    "typeset",
    "unalias",
];

/// Returns whether one of the commands runs a program or script that is not parsed here.
///
/// Such a command may run any other command.
pub(crate) fn may_run_more(script: &Script, candidates: &[String]) -> bool {
    writes_and_runs(script)
        || pipes_text(script)
        || candidates.iter().any(|line| {
            let words: Vec<&str> = line.split_whitespace().collect();
            let Some((first, rest)) = words.split_first() else { return false };
            let first = name(first);
            let shell = READERS.contains(&first) && !RUN_NO_INPUT.contains(&first);
            let has_text = rest.iter().any(|word| word.starts_with('-') && word.contains(['c', 'e', 'r', 'E', 'p']));
            match first {
                _ if SHELL_STATE.contains(&first) => true,
                "printf" => rest.iter().any(|word| word.starts_with("-v")),
                // The script of `sed` can run commands (`e`); one that only prints or drops lines by number cannot.
                "sed" => {
                    let script = rest.iter().find(|word| !word.starts_with('-'));
                    let options =
                        rest.iter().take_while(|word| word.starts_with('-')).all(|word| matches!(*word, "-n" | "-i"));
                    !(options
                        && script.is_some_and(|script| programs::is_plain_sed_script(script))
                        && !rest.iter().any(|word| word.starts_with("-e") || word.starts_with("-f")))
                }
                _ if INTERPRETERS.contains(&first) => {
                    has_text || rest.is_empty() || rest.contains(&"-") || first.ends_with("awk")
                }
                // A shell that reads its commands from its input or from a file.
                _ if shell => !rest.iter().any(|word| word.starts_with('-') && word.contains('c')),
                _ => may_have_text(&words),
            }
        })
}

/// Returns whether a program that reads from a pipe may read program text from it.
fn pipes_text(script: &Script) -> bool {
    script.commands.iter().filter(|simple| simple.is_piped).any(|simple| {
        let words: Vec<&str> = simple.words.iter().map(String::as_str).collect();
        may_read_text(&words)
    })
}

/// Returns whether one command writes a file and another one may run it, such as `echo x > s; ./s`.
fn writes_and_runs(script: &Script) -> bool {
    let writes =
        |simple: &Simple| simple.redirects.iter().any(|to| to.writes) || simple.words.iter().any(|word| word == "tee");
    let runs = |simple: &Simple| {
        let words: Vec<&str> = simple.words.iter().map(String::as_str).collect();
        !is_plain(&words) || matches!(name(words.first().copied().unwrap_or_default()), "cargo" | "git" | "rustc")
    };
    let pairs = script.commands.iter().enumerate().filter(|(_, simple)| writes(simple));
    pairs.into_iter().any(|(at, _)| script.commands.iter().enumerate().any(|(other, simple)| other != at && runs(simple)))
}
