//! `cargo mcp new`: creates a project that builds, has tests and can be installed in clients.

mod source;

use std::fs;
use std::path::Path;

use crate::{Failure, tell};
use source::Source;

/// The files of a project: path and template.
const TEMPLATE: [(&str, &str); 6] = [
    ("Cargo.toml", include_str!("../../template/Cargo.toml.in")),
    ("README.md", include_str!("../../template/README.md.in")),
    (".gitignore", "/target\n"),
    ("src/lib.rs", include_str!("../../template/src/lib.rs.in")),
    ("src/main.rs", include_str!("../../template/src/main.rs.in")),
    ("tests/tools.rs", include_str!("../../template/tests/tools.rs.in")),
];

pub(crate) fn run(words: &[String]) -> Result<(), Failure> {
    let (mut names, mut given) = (Vec::new(), Vec::new());
    let mut words = words.iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            "--path" | "--git" => {
                let value = words.next().ok_or_else(|| Failure::usage(format!("`{word}` needs a value")))?;
                given.push((word.as_str(), value.as_str()));
            }
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
    make(Path::new(name), &package, &source)?;
    tell(&format!(
        "created {name}. Next:\n  cd {name}\n  cargo test\n  cargo run -- call greet name=Ada\n  cargo run -- install claude-code"
    ));
    Ok(())
}

fn make(folder: &Path, package: &str, source: &Source) -> Result<(), Failure> {
    if folder.exists() {
        return Err(Failure::new(format!("{} already exists; choose another name", folder.display())));
    }
    for (place, text) in TEMPLATE {
        let text = text
            .replace("{{name}}", package)
            .replace("{{crate}}", &package.replace('-', "_"))
            .replace("{{mcp-core}}", &source.dependency("mcp-core"))
            .replace("{{mcp-stdio}}", &source.dependency("mcp-stdio"))
            .replace("{{mcp-test}}", &source.dependency("mcp-test"));
        let path = folder.join(place);
        let written = path.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| fs::write(&path, text));
        written.map_err(|error| Failure::new(format!("cannot write {}: {error}", path.display())))?;
    }
    Ok(())
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
