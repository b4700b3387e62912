//! Tables of programs: what they do with their arguments.

/// Programs that do not run their arguments as a command.
///
/// Every other program may do so: whether its arguments contain a denied command is then unclear.
const PLAIN: &[&str] = &[
    "[",
    "base32",
    "base64",
    "basename",
    "cargo",
    "cat",
    "cd",
    "cksum",
    "cmp",
    "column",
    "comm",
    "cut",
    "date",
    "df",
    "diff",
    "dirname",
    "du",
    "echo",
    "egrep",
    "expand",
    "expr",
    "false",
    "fgrep",
    "file",
    "fmt",
    "fold",
    "free",
    "git",
    "grep",
    "groups",
    "head",
    "hexdump",
    "hostname",
    "id",
    "join",
    "jq",
    "ls",
    "md5sum",
    "mkdir",
    "nl",
    "nproc",
    "numfmt",
    "od",
    "paste",
    "pathchk",
    "printenv",
    "printf",
    "ps",
    "pwd",
    "readlink",
    "realpath",
    "rev",
    "rg",
    "rmdir",
    "rustfmt",
    "seq",
    "sha1sum",
    "sha256sum",
    "sha512sum",
    "sleep",
    "stat",
    "strings",
    "sum",
    "tac",
    "tail",
    "test",
    "touch",
    "tr",
    "tree",
    "true",
    "tty",
    "uname",
    "unexpand",
    "uptime",
    "wc",
    "which",
    "who",
    "whoami",
    "zcat",
    "zgrep",
];

/// Subcommands of `git` that run no command in their arguments, unless an option of [`GIT_RUNS`] is there.
const GIT_PLAIN: &[&str] = &[
    "add",
    "am",
    "apply",
    "blame",
    "branch",
    "checkout",
    "cherry-pick",
    "clean",
    "commit",
    "describe",
    "diff",
    "grep",
    "init",
    "log",
    "ls-files",
    "ls-tree",
    "merge",
    "merge-base",
    "mv",
    "rebase",
    "reflog",
    "reset",
    "restore",
    "rev-list",
    "rev-parse",
    "revert",
    "rm",
    "shortlog",
    "show",
    "stash",
    "status",
    "switch",
    "tag",
];

/// The start of options with which these subcommands run a command: `rebase --exec`, `grep --open-files-in-pager`.
const GIT_RUNS: &[&str] = &["-c", "-O", "-x", "--ex", "--op"];

/// Subcommands of `git` that print no content of files, unless an option says so: `status -v`, `checkout --patch`.
const GIT_QUIET: &[&str] = &[
    "branch",
    "checkout",
    "clean",
    "describe",
    "fetch",
    "gc",
    "init",
    "ls-files",
    "ls-tree",
    "merge",
    "merge-base",
    "mv",
    "pull",
    "push",
    "rebase",
    "remote",
    "reset",
    "restore",
    "rev-parse",
    "revert",
    "rm",
    "shortlog",
    "status",
    "switch",
    "tag",
];

/// Subcommands of `git` that change no file of the working directory.
const GIT_KEEPS_FILES: &[&str] = &[
    "add",
    "blame",
    "branch",
    "commit",
    "describe",
    "diff",
    "fetch",
    "gc",
    "grep",
    "log",
    "ls-files",
    "ls-tree",
    "merge-base",
    "push",
    "reflog",
    "remote",
    "rev-list",
    "rev-parse",
    "shortlog",
    "show",
    "status",
    "tag",
];

/// `git` subcommands that print the content of files that their arguments do not name.
const GIT_PRINTS: &[&str] = &[
    "-p",
    "-u",
    "--patch",
    "add",
    "annotate",
    "archive",
    "bundle",
    "cat-file",
    "checkout-index",
    "commit",
    "diff",
    "difftool",
    "fast-export",
    "format-patch",
    "grep",
    "show",
    "stash",
    "whatchanged",
];

/// The start of options with which `git log` prints changes.
const GIT_PATCH_OPTIONS: &[&str] =
    &["-U", "-W", "--binary", "--cc", "--color-words", "--dd", "--function-context", "--patch", "--unified", "--word-diff"];

/// Options of programs that are not in [`PLAIN`] and whose value may be program text.
const TEXT_OPTIONS: &[&str] =
    &["-E", "-c", "-e", "-x", "--command", "--eval", "--evaluate", "--exec", "--execute", "--expression", "--run"];

/// Returns whether a program does not run its arguments as a command. `words` are the program and its arguments.
pub(crate) fn is_plain(words: &[&str]) -> bool {
    let Some((first, rest)) = words.split_first() else { return true };
    let first = super::name(first);
    let runs = |word: &&str| GIT_RUNS.iter().any(|option| word.starts_with(option));
    let rg_runs = |word: &&str| word.starts_with("--pre") || word.starts_with("--hostname-bin");
    match first {
        "git" => rest.first().is_some_and(|subcommand| GIT_PLAIN.contains(subcommand)) && !rest.iter().any(runs),
        "rg" => !rest.iter().any(rg_runs),
        "cargo" => !rest.iter().any(|word| word.starts_with("--config") || *word == "-Z"),
        _ => PLAIN.contains(&first),
    }
}

/// Returns whether a program may have been given program text: in an option, or in a file that is its input.
pub(crate) fn may_have_text(words: &[&str]) -> bool {
    let is_text = |word: &&str| TEXT_OPTIONS.iter().any(|option| word.starts_with(option));
    let is_input = |word: &&str| *word == "-" || word.contains("/dev/stdin") || word.contains("/dev/fd");
    !is_plain(words) && !is_filter(words) && words.iter().skip(1).any(|word| is_text(word) || is_input(word))
}

/// Returns whether a program that reads from a pipe may read program text from it.
pub(crate) fn may_read_text(words: &[&str]) -> bool {
    !is_plain(words) && !is_filter(words) && !super::programs::is_understood(words, false)
}

/// Returns whether a program may read an argument as text with its own quotes and variables: `env -S 'r""m x'`.
pub(crate) fn may_unquote(words: &[&str]) -> bool {
    let is_quoted = |word: &&str| word.contains(['"', '\'', '\\', '$', '`']);
    // The script of `sed` is looked at elsewhere.
    words.iter().skip(1).any(is_quoted)
        && words.first().is_some_and(|first| super::name(first) != "sed")
        && !is_plain(words)
        && !super::programs::is_understood(words, false)
}

fn is_filter(words: &[&str]) -> bool {
    const FILTERS: &[&str] = &[
        "bat", "bzip2", "gunzip", "gzip", "less", "more", "pbcopy", "shuf", "sort", "sponge", "tee", "tsort", "uniq",
        "xclip", "xz", "zstd",
    ];
    words.first().is_some_and(|first| FILTERS.contains(&super::name(first)))
}

/// Returns whether a program reads files that its arguments do not name: a search in the working directory, or the content
/// of a repository.
pub(crate) fn reads_unnamed_files(words: &[&str]) -> bool {
    let Some((first, rest)) = words.split_first() else { return false };
    match super::name(first) {
        "ack" | "ag" | "rg" | "ug" | "ugrep" => true,
        "git" => git_prints(rest),
        _ => false,
    }
}

/// Returns whether a program writes files that its arguments do not name: those of an archive, a patch or a repository.
pub(crate) fn writes_unnamed_files(words: &[&str]) -> bool {
    let Some((first, rest)) = words.split_first() else { return false };
    match super::name(first) {
        "bsdtar" | "cpio" | "patch" | "tar" | "unrar" | "unzip" | "7z" => true,
        "git" => {
            let keeps_files = rest.first().is_some_and(|subcommand| GIT_KEEPS_FILES.contains(subcommand));
            !keeps_files && !super::programs::is_understood_git(rest)
        }
        _ => false,
    }
}

/// Returns whether a `git` command may print the content of files that its arguments do not name.
fn git_prints(rest: &[&str]) -> bool {
    let shows_patch =
        |word: &&str| GIT_PRINTS.contains(word) || GIT_PATCH_OPTIONS.iter().any(|option| word.starts_with(option));
    let may_show = |word: &&str| match word.strip_prefix("--") {
        Some(long) => ["pa", "sh", "v"].iter().any(|start| long.starts_with(start)),
        None => word.starts_with('-') && word.contains(['c', 'p', 'u', 'v']),
    };
    let is_quiet = || rest.first().is_some_and(|subcommand| GIT_QUIET.contains(subcommand)) && !rest.iter().any(may_show);
    rest.iter().any(shows_patch) || !(super::programs::is_understood_git(rest) || is_quiet())
}

/// Returns whether the arguments of a program contain a command that `matches`, if the program may run it.
pub(crate) fn may_run(words: &[&str], matches: impl Fn(&str) -> bool) -> bool {
    if words.len() < 2 || is_plain(words) {
        return false;
    }
    if may_unquote(words) {
        return true;
    }
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '/' | '+' | '-');
    let parts: Vec<&str> =
        words[1..].iter().flat_map(|word| word.split(|c| !is_part(c))).filter(|part| !part.is_empty()).collect();
    // Longer commands are too expensive to compare.
    parts.len() > 500
        || (0..parts.len()).any(|from| {
            let mut line = vec![super::name(parts[from])];
            line.extend(&parts[from + 1..]);
            matches(&line.join(" "))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn may_run_rm(line: &str) -> bool {
        may_run(&line.split(' ').collect::<Vec<_>>(), |line| line == "rm" || line.starts_with("rm "))
    }

    #[test]
    fn an_unknown_program_may_run_its_arguments() {
        for line in [
            "foo rm x",
            "foo --then rm x",
            "foo -c='rm x'",
            "cp /bin/rm y",
            "git -c alias.x=!rm x",
            "git fetch --upload-pack=rm",
            "make CC=rm",
        ] {
            assert!(may_run_rm(line), "{line}");
        }
        for line in ["git rm x", "echo rm x", "grep rm x", "cargo test rm", "foo rmdir x", "foo"] {
            assert!(!may_run_rm(line), "{line}");
        }
    }
}
