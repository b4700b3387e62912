//! Whether the effect of a command line is known completely.

use super::lexer::is_assignment;
use super::{Script, Simple, programs};

/// Commands after which the same name may be another file.
const RENAMING: &[&str] = &["cp", "ln", "mv"];

/// Commands that may change what `git` runs.
const BEFORE_GIT: &[&str] = &["cd", "cp", "ln", "mkdir", "mv", "sed", "sort", "tee", "touch", "uniq"];

/// What the rules say about the commands of a line.
pub(crate) struct RulesAbout<Named, Denied> {
    /// Whether rules deny files.
    pub(crate) files: bool,
    /// Whether git would work in another directory than that of the rules.
    pub(crate) is_elsewhere: bool,
    /// Whether an allow rule names a command.
    pub(crate) is_named: Named,
    /// Whether a deny or ask rule is about some uses of the program in these words.
    pub(crate) is_denied_in_part: Denied,
}

/// Returns whether the effect of a command line is known from its text: each of its programs is known, with its options, or
/// a rule names it.
pub(crate) fn is_understood<Named, Denied>(script: &Script, rules: &RulesAbout<Named, Denied>) -> bool
where
    Named: Fn(&Simple) -> bool,
    Denied: Fn(&[&str]) -> bool,
{
    let files = rules.files;
    if !script.is_understood {
        return false;
    }
    let commands: Vec<Vec<&str>> = script.commands.iter().map(program).collect();
    let is = |words: &[&str], names: &[&str]| words.first().is_some_and(|first| names.contains(first));
    let renames_first = commands.iter().rev().skip(1).any(|words| is(words, RENAMING));
    let writes = script.commands.iter().any(|simple| simple.redirects.iter().any(|to| to.writes));
    let is_prepared = writes || rules.is_elsewhere || commands.iter().any(|words| is(words, BEFORE_GIT));
    let understands = |(simple, words): (&Simple, &Vec<&str>)| {
        // A glob may expand to a subcommand: `git pus?`.
        let is_literal = !words.iter().any(|word| word.contains(['*', '?', '[']));
        // Another spelling of the arguments may be what a rule denies.
        let is_known = programs::is_understood(words, files) && !(rules.is_denied_in_part)(words);
        (is_literal && (rules.is_named)(simple)) || (is_known && !(is_prepared && is(words, &["git"])))
    };
    let opens = |simple: &Simple| {
        simple.words.iter().chain(simple.redirects.iter().map(|to| &to.file)).any(|word| is_special_file(word))
    };
    !renames_first && script.commands.iter().zip(&commands).all(understands) && !(files && script.commands.iter().any(opens))
}

/// Returns the program and its arguments, without assignments before it.
fn program(simple: &Simple) -> Vec<&str> {
    simple.words.iter().map(String::as_str).skip_while(|word| is_assignment(word)).collect()
}

/// Returns whether a word may lead to a file by another name: through `/proc` or `/dev`, or as a URL.
fn is_special_file(word: &str) -> bool {
    let is_elsewhere = word.starts_with('/') || word.contains("../");
    let has_glob = word.contains(['*', '?', '[']);
    let is_special = word != "/dev/null" && ["/proc", "/dev/", "file:"].iter().any(|part| word.contains(part));
    is_special || (is_elsewhere && has_glob)
}
