//! The GitHub workflow of a release.

use super::project::Project;
use super::setup::TARGETS;

/// Returns the workflow: a job for each target, and one that publishes.
pub(super) fn text(project: &Project) -> String {
    let targets: Vec<&str> = match &project.config.targets[..] {
        [] => TARGETS.to_vec(),
        targets => targets.iter().map(String::as_str).collect(),
    };
    let matrix: String =
        targets.iter().map(|target| format!("          - {{ target: {target}, os: {} }}\n", system(target))).collect();
    let publish = match project.is_on_crates_io() {
        true => {
            "      - run: cargo publish --locked\n        env: { CARGO_REGISTRY_TOKEN: \"${{ secrets.CARGO_REGISTRY_TOKEN }}\" }\n"
        }
        false => "",
    };
    TEMPLATE.replace("MATRIX\n", &matrix).replace("INSTALL", &install(project)).replace("PUBLISH\n", publish)
}

/// Returns the command that installs this program: from where the project takes the framework.
fn install(project: &Project) -> String {
    let framework = project.package.dependencies.iter().find(|dependency| dependency.name == "mcp-core");
    let git = framework.and_then(|dependency| dependency.source.as_deref()).and_then(|source| source.strip_prefix("git+"));
    match git {
        Some(url) => format!("cargo install --locked --git {} cargo-mcp", url.split(['?', '#']).next().unwrap_or(url)),
        None => "cargo install --locked cargo-mcp".to_owned(),
    }
}

/// Returns the runner on which a target is built and run.
fn system(target: &str) -> &'static str {
    match target {
        target if target.contains("apple") => "macos-latest",
        target if target.contains("windows") && target.starts_with("aarch64") => "windows-11-arm",
        target if target.contains("windows") => "windows-latest",
        target if target.starts_with("aarch64") => "ubuntu-24.04-arm",
        _ => "ubuntu-latest",
    }
}

const TEMPLATE: &str = r#"# A tag such as v1.2.3 makes a release: bundles for each target, server.json, and a Claude Code plugin.
name: release

on:
  push:
    tags: ["v*"]

permissions:
  contents: write
  id-token: write

jobs:
  bundle:
    strategy:
      matrix:
        include:
MATRIX
    runs-on: ${{ matrix.os }}
    steps:
      - uses: actions/checkout@v4
      - run: rustup target add ${{ matrix.target }}
      - run: INSTALL
      - run: cargo test --locked
      - run: cargo mcp release --target ${{ matrix.target }} --out release
      - uses: actions/upload-artifact@v4
        with:
          name: ${{ matrix.target }}
          path: release/*.mcpb

  publish:
    needs: bundle
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: actions/download-artifact@v4
        with: { path: release, merge-multiple: true }
      - run: INSTALL
      - run: cargo mcp release --no-build --out release
      - run: tar -czf release/plugin.tar.gz -C release plugin
      - run: gh release create "$GITHUB_REF_NAME" --generate-notes release/*.mcpb release/SHA256SUMS release/server.json release/plugin.tar.gz
        env: { GH_TOKEN: "${{ github.token }}" }
PUBLISH
      # The registry checks that the addresses in server.json can be downloaded.
      - run: |
          curl -fsSL "https://github.com/modelcontextprotocol/registry/releases/latest/download/mcp-publisher_linux_amd64.tar.gz" | tar -xz mcp-publisher
          cd release && ../mcp-publisher login github-oidc && ../mcp-publisher publish
"#;

#[cfg(test)]
mod tests {
    use super::{TARGETS, system};

    #[test]
    fn each_target_is_built_on_a_runner_that_can_run_its_programs() {
        let runners = TARGETS.map(|target| (target, system(target)));
        assert_eq!(
            runners,
            [
                ("x86_64-unknown-linux-musl", "ubuntu-latest"),
                ("aarch64-unknown-linux-musl", "ubuntu-24.04-arm"),
                ("aarch64-apple-darwin", "macos-latest"),
                ("x86_64-apple-darwin", "macos-latest"),
                ("x86_64-pc-windows-msvc", "windows-latest"),
                ("aarch64-pc-windows-msvc", "windows-11-arm"),
            ]
        );
    }
}
