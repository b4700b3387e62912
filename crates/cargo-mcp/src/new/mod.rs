//! `cargo mcp new`: creates a project that builds, has tests and can be installed in clients.

mod source;
mod template;

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::{Failure, tell};
use source::Source;
use template::{NAMES, Template};

pub(crate) fn run(words: &[String]) -> Result<(), Failure> {
    let (mut names, mut given, mut template) = (Vec::new(), Vec::new(), Template::Stdio);
    let mut words = words.iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            "--path" | "--git" => {
                let value = words.next().ok_or_else(|| Failure::usage(format!("`{word}` needs a value")))?;
                given.push((word.as_str(), value.as_str()));
            }
            "--template" => template = template_named(words.next().map_or("", String::as_str))?,
            option if option.starts_with('-') => return Err(Failure::usage(format!("`new` does not accept `{option}`"))),
            name => names.push(name),
        }
    }
    let [name] = names[..] else {
        return Err(Failure::usage("`new` needs one name: cargo mcp new my-server"));
    };
    let package = Path::new(name).file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    if !is_package_name(&package) {
        return Err(Failure::usage(format!(
            "`{package}` is not a valid package name: use letters, digits, - and _, starting with a letter"
        )));
    }
    let source = match given[..] {
        [] => Source::built_from()?,
        [("--git", url)] => Source::Git(url.to_owned()),
        [(_, path)] => Source::folder(Path::new(path))?,
        _ => return Err(Failure::usage("use either `--path` or `--git`, once")),
    };
    make(Path::new(name), &package, template, &source)?;
    let commands: Vec<String> = template.commands().iter().map(|line| format!("\n  {line}")).collect();
    tell(&format!("created {name} with the framework from {source}. Next:\n  cd {name}{}", commands.concat()));
    Ok(())
}

/// Returns the folder of the framework that projects use by default, for `--help`.
pub(crate) fn built_from() -> String {
    Source::built_from().map_or_else(|_| "(it does not exist any more)".to_owned(), |source| source.to_string())
}

fn template_named(name: &str) -> Result<Template, Failure> {
    let found = NAMES.iter().find(|(known, _)| *known == name).map(|(_, template)| *template);
    let names = NAMES.map(|(name, _)| name).join(", ");
    found.ok_or_else(|| Failure::usage(format!("`--template {name}`: the templates are {names}")))
}

fn make(folder: &Path, package: &str, template: Template, source: &Source) -> Result<(), Failure> {
    if folder.exists() {
        return Err(Failure::new(format!("{} already exists; choose another name", folder.display())));
    }
    let values = template.values(source);
    let filled = |text: &str| {
        let text = values.iter().fold(text.to_owned(), |text, (placeholder, value)| text.replace(placeholder, value));
        let text = text.replace("{{name}}", package).replace("{{crate}}", &package.replace('-', "_"));
        format!("{}\n", text.trim_end())
    };
    for (place, text) in template.files() {
        let path = folder.join(place.replace("{{name}}", package));
        let written = path.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| fs::write(&path, filled(text)));
        written.map_err(|error| Failure::new(format!("cannot write {}: {error}", path.display())))?;
    }
    make_repository(folder);
    Ok(())
}

/// Makes a git repository, unless the folder is in one already. Without git there is none.
fn make_repository(folder: &Path) {
    let git = |arguments: &[&str]| {
        let mut git = Command::new("git");
        git.args(arguments).current_dir(folder).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        git.status().is_ok_and(|status| status.success())
    };
    if !git(&["rev-parse", "--is-inside-work-tree"]) {
        git(&["init", "--initial-branch=main"]);
    }
}

fn is_package_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || "-_".contains(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_valid_package_names_are_accepted() {
        for (name, good) in [("my-server", true), ("a1_b", true), ("1a", false), ("", false), ("a b", false), ("ü", false)]
        {
            assert_eq!(is_package_name(name), good, "{name:?}");
        }
    }
}
