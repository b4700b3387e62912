//! The packages to build: `hello`, and one with 200 tools.

use std::fmt::Write;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result};

use super::TOOLS;
use crate::contender::{OURS, RMCP, TOWER_VALIDATE};
use crate::folders::{Folders, cargo};

/// A package and its target folder.
#[derive(Debug)]
pub(super) struct Package {
    pub(super) key: &'static str,
    /// The folder of its `Cargo.toml`.
    pub(super) folder: PathBuf,
    pub(super) target: PathBuf,
    features: &'static [&'static str],
}

impl Package {
    /// The package whose example `hello` has one tool. A package with only what `hello` needs is generated for this project and
    /// for rmcp.
    pub(super) fn hello(folders: &Folders, key: &'static str) -> Result<Package> {
        let features: &[&str] = if key == TOWER_VALIDATE { &["--features", "validate"] } else { &[] };
        let target = folders.folder().join("builds").join(format!("hello-{key}"));
        let (folder, example) = match key {
            OURS => (folders.package_with_ours("hello-ours", "")?, folders.root.join("examples/hello.rs")),
            RMCP => (with_rmcp(folders, "hello-rmcp")?, folders.peers().join("rmcp/examples/hello.rs")),
            TOWER_VALIDATE => return Ok(Package { key, folder: folders.peers().join("tower-mcp"), target, features }),
            key => return Ok(Package { key, folder: folders.peers().join(key), target, features }),
        };
        fs::copy(example, folder.join("examples/hello.rs"))?;
        fs::write(folder.join("src/lib.rs"), "")?;
        Ok(Package { key, folder, target, features })
    }

    /// A package of 200 tools, with this project or with rmcp.
    pub(super) fn large(folders: &Folders, key: &'static str) -> Result<Package> {
        let folder =
            if key == OURS { folders.package_with_ours("many-ours", "")? } else { with_rmcp(folders, "many-rmcp")? };
        let target = folders.folder().join("builds").join(format!("many-{key}"));
        let package = Package { key, folder, target, features: &[] };
        package.write(0)?;
        Ok(package)
    }

    /// Writes the source of the large package. Another `number` changes the body of one tool.
    pub(super) fn write(&self, edit: usize) -> Result<()> {
        let source = if self.key == OURS { many_ours(edit) } else { many_rmcp(edit) };
        fs::write(self.folder.join("src/main.rs"), source).context("the source of the large package")
    }

    pub(super) fn cargo(&self, subcommand: &str) -> Command {
        let mut cargo = cargo(subcommand);
        cargo.arg("--manifest-path").arg(self.folder.join("Cargo.toml")).args(self.features);
        if subcommand != "tree" {
            cargo.arg("--target-dir").arg(&self.target);
        }
        cargo
    }
}

fn with_rmcp(folders: &Folders, name: &str) -> Result<PathBuf> {
    let folder = folders.package(name, DEPENDENCIES_OF_RMCP)?;
    fs::copy(folders.peers().join("rmcp/Cargo.lock"), folder.join("Cargo.lock"))?;
    Ok(folder)
}

const DEPENDENCIES_OF_RMCP: &str = "\
rmcp = { version = \"=3.8.0\", features = [\"transport-io\"] }
schemars = \"1\"
serde = { version = \"1\", features = [\"derive\"] }
tokio = { version = \"1\", features = [\"macros\", \"rt-multi-thread\"] }
";

/// The factor in the body of a tool. The edit changes the factor of the tool in the middle.
fn factor(number: usize, edit: usize) -> usize {
    if number == TOOLS / 2 { number + edit } else { number }
}

fn many_ours(edit: usize) -> String {
    let (mut source, mut names) = (String::from("use mcp_core::{server, tool, tools};\n"), Vec::new());
    for number in 0..TOOLS {
        let factor = factor(number, edit);
        write!(
            source,
            "\n/// Extra tool number {number}.\n#[tool]\nasync fn extra_{number}(\n    /// first operand of tool {number}\n    a: i64,\n    \
             /// second operand of tool {number}\n    b: i64,\n    /// free text\n    note: Option<String>,\n) -> String {{\n    \
             format!(\"{{}} {{note:?}}\", a * {factor} + b)\n}}\n"
        )
        .expect("writing to a string does not fail");
        names.push(format!("extra_{number}"));
    }
    let names = names.join(", ");
    source + &format!("\nfn main() -> std::process::ExitCode {{\n    mcp_stdio::run(server!().tools(tools![{names}]))\n}}\n")
}

fn many_rmcp(edit: usize) -> String {
    let mut source = String::from(
        "use rmcp::handler::server::wrapper::Parameters;\nuse rmcp::schemars::JsonSchema;\n\
         use rmcp::{ServiceExt, tool, tool_router, transport::stdio};\nuse serde::Deserialize;\n",
    );
    let mut tools = String::new();
    for number in 0..TOOLS {
        let factor = factor(number, edit);
        write!(
            source,
            "\n#[derive(Deserialize, JsonSchema)]\nstruct P{number} {{\n    /// first operand of tool {number}\n    a: i64,\n    \
             /// second operand of tool {number}\n    b: i64,\n    /// free text\n    note: Option<String>,\n}}\n"
        )
        .expect("writing to a string does not fail");
        write!(
            tools,
            "\n    /// Extra tool number {number}.\n    #[tool]\n    async fn extra_{number}(&self, Parameters(p): Parameters<P{number}>) -> String {{\n        \
             format!(\"{{}} {{:?}}\", p.a * {factor} + p.b, p.note)\n    }}\n"
        )
        .expect("writing to a string does not fail");
    }
    source
        + &format!(
            "\n#[derive(Clone)]\nstruct Many;\n\n#[tool_router(server_handler)]\nimpl Many {{{tools}}}\n\n#[tokio::main]\n\
             async fn main() -> Result<(), Box<dyn std::error::Error>> {{\n    Many.serve(stdio()).await?.waiting().await?;\n    Ok(())\n}}\n"
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_edit_changes_one_tool_and_nothing_else() {
        for many in [many_ours, many_rmcp] {
            let (before, after) = (many(0), many(1));
            let changed = before.lines().zip(after.lines()).filter(|(before, after)| before != after).count();
            assert_eq!(changed, 1);
            assert_eq!(before.matches("async fn extra_").count(), TOOLS);
        }
    }
}
