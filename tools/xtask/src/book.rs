//! Builds the documentation as a book with mdBook, and checks the links of every page.
//!
//! The chapters and their order are those of `docs/README.md`. The pages are copied, because mdBook publishes one folder only and
//! some pages are in other folders.

use std::{
    collections::{BTreeMap, BTreeSet},
    ffi::OsStr,
    fs, io,
    path::{Path, PathBuf},
    process::Command,
};

const VERSION: &str = "0.5.4";

/// Pages outside of `docs/`, and their names in the book.
const OTHER_PAGES: [(&str, &str); 5] = [
    ("examples/README.md", "examples.md"),
    ("ARCHITECTURE.md", "ARCHITECTURE.md"),
    ("CONTRIBUTING.md", "CONTRIBUTING.md"),
    ("SECURITY.md", "SECURITY.md"),
    ("CHANGELOG.md", "CHANGELOG.md"),
];

/// Builds `target/book/html`. Returns whether all links lead somewhere.
pub(crate) fn run() -> io::Result<bool> {
    let folder = PathBuf::from("target/book");
    let source = folder.join("src");
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    copy(Path::new("docs"), &source)?;
    for (page, name) in OTHER_PAGES {
        fs::copy(page, source.join(name))?;
    }
    for page in files(&source)?.into_iter().filter(|file| file.extension() == Some(OsStr::new("md"))) {
        fs::write(&page, with_links_of_the_book(&fs::read_to_string(&page)?))?;
    }
    fs::write(source.join("SUMMARY.md"), summary(&fs::read_to_string("docs/README.md")?))?;
    fs::write(
        folder.join("book.toml"),
        "[book]\ntitle = \"mcp: servers, clients and agents in Rust\"\nlanguage = \"en\"\n\n[build]\nbuild-dir = \"html\"\n\n[output.html]\nno-section-label = true\n",
    )?;
    if !Command::new(mdbook()?).arg("build").arg(&folder).status()?.success() {
        return Ok(false);
    }
    let broken = broken_links(&folder.join("html"))?;
    broken.iter().for_each(|link| println!("broken link: {link}"));
    println!("the book is in {}", folder.join("html/index.html").display());
    Ok(broken.is_empty())
}

/// Returns mdBook, and installs it first if it is missing. It is built without optimisations, because it runs only for seconds.
fn mdbook() -> io::Result<PathBuf> {
    let root = std::env::current_dir()?.join(format!("target/tools/mdbook-{VERSION}"));
    let program = root.join("bin/mdbook").with_extension(std::env::consts::EXE_EXTENSION);
    if !program.exists() {
        let build = root.with_extension("build");
        let mut cargo = Command::new("cargo");
        cargo.args(["install", "--quiet", "--debug", "--locked", "mdbook", "--version", &format!("={VERSION}")]);
        cargo.args(["--no-default-features", "--features", "search", "--root"]).arg(&root).arg("--target-dir").arg(&build);
        if !cargo.status()?.success() {
            return Err(io::Error::other(format!("mdbook {VERSION} cannot be installed")));
        }
        fs::remove_dir_all(build)?;
    }
    Ok(program)
}

/// Makes the table of contents: the headings of the index are parts, its list items are chapters.
fn summary(index: &str) -> String {
    let mut summary = "# Summary\n\n[Documentation](README.md)\n".to_owned();
    for line in index.lines() {
        if let Some(part) = line.strip_prefix("## ") {
            summary += &format!("\n# {part}\n\n");
        } else if line.starts_with(|c: char| c.is_ascii_digit())
            && let Some((_, item)) = line.split_once(". ")
            && let Some(end) = item.find(')')
        {
            summary += &format!("- {}\n", with_links_of_the_book(&item[..=end]));
        }
    }
    summary += "\n# The project\n\n";
    for (title, (_, name)) in ["Examples", "Architecture", "Contributing", "Security", "Changes"].iter().zip(OTHER_PAGES) {
        if !summary.contains(&format!("]({name})")) {
            summary += &format!("- [{title}]({name})\n");
        }
    }
    summary
}

/// Changes links to the places in the book. What is not in the book, such as code, becomes plain text.
fn with_links_of_the_book(page: &str) -> String {
    let mut text = String::new();
    let mut rest = page;
    while let Some(at) = rest.find("](") {
        let (before, link) = rest.split_at(at);
        let Some(end) = link.find(')') else { break };
        let target = &link[2..end];
        text += before;
        match place(target) {
            Some(place) => text += &format!("]({place})"),
            // The bracket that opens the text of the link goes too.
            None => {
                if let Some(open) = text.rfind('[') {
                    text.remove(open);
                }
            }
        }
        rest = &link[end + 1..];
    }
    text + rest
}

/// Returns the place of a link in the book. `None` if it is not there.
fn place(target: &str) -> Option<String> {
    if target.starts_with('#') || target.contains("://") {
        return Some(target.to_owned());
    }
    let (path, anchor) = target.split_at(target.find('#').unwrap_or(target.len()));
    let bare = path.trim_start_matches("../").trim_start_matches("docs/");
    if let Some((_, name)) = OTHER_PAGES.iter().find(|(page, _)| *page == bare) {
        return Some(format!("{name}{anchor}"));
    }
    Path::new("docs").join(bare).exists().then(|| format!("{bare}{anchor}"))
}

/// Returns the links of all pages that lead nowhere, and pages that the first one does not lead to.
fn broken_links(html: &Path) -> io::Result<Vec<String>> {
    let mut pages = BTreeMap::new();
    for file in files(html)?.into_iter().filter(|file| file.extension() == Some(OsStr::new("html"))) {
        pages.insert(file.clone(), fs::read_to_string(&file)?);
    }
    let mut broken = BTreeSet::new();
    let first = pages.get(&html.join("index.html")).map(String::as_str).unwrap_or_default();
    for (page, text) in &pages {
        let name = page.strip_prefix(html).unwrap_or(page).display().to_string();
        let is_chapter = !["404.html", "print.html", "toc.html", "index.html", "README.html"].contains(&name.as_str());
        if is_chapter && !first.contains(&format!("href=\"{name}\"")) {
            broken.insert(format!("the first page does not lead to {name}"));
        }
        let folder = page.parent().unwrap_or(html);
        // `print.html` and `404.html` repeat what other pages have.
        for link in values(text, "href=\"").filter(|link| is_chapter && !link.contains(':') && !link.is_empty()) {
            let (path, anchor) = link.split_at(link.find('#').unwrap_or(link.len()));
            let target = if path.is_empty() { page.clone() } else { normal(&folder.join(path)) };
            let anchor = anchor.trim_start_matches('#');
            let has_anchor =
                anchor.is_empty() || pages.get(&target).is_none_or(|text| text.contains(&format!("id=\"{anchor}\"")));
            if !target.exists() || !has_anchor {
                broken.insert(format!("{name}: {link}"));
            }
        }
    }
    Ok(broken.into_iter().collect())
}

/// Returns the values of an attribute.
fn values<'a>(html: &'a str, attribute: &'a str) -> impl Iterator<Item = &'a str> {
    html.split(attribute).skip(1).filter_map(|rest| rest.split('"').next())
}

/// Removes `..` from a path.
fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for part in path.components() {
        if part.as_os_str() == ".." {
            normal.pop();
        } else {
            normal.push(part);
        }
    }
    normal
}

fn copy(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let path = entry?.path();
        let target = to.join(path.file_name().unwrap_or_default());
        if path.is_dir() {
            copy(&path, &target)?;
        } else {
            fs::copy(&path, target)?;
        }
    }
    Ok(())
}

fn files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() { files.extend(self::files(&path)?) } else { files.push(path) }
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_to_what_is_not_in_the_book_become_text() {
        let text = "[a](../SECURITY.md) [b](https://x.y) [c](../tools/xtask/Cargo.toml) [d](#e)";
        assert_eq!(with_links_of_the_book(text), "[a](SECURITY.md) [b](https://x.y) c [d](#e)");
    }

    #[test]
    fn the_index_becomes_the_table_of_contents() {
        let text = summary("# Documentation\n\n## Write\n\n1. [First](a.md): long\n   text (with brackets).\n");
        assert!(text.starts_with("# Summary\n\n[Documentation](README.md)\n\n# Write\n\n"), "{text}");
    }
}
