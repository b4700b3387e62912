//! A Claude Code plugin that starts the server, and a marketplace that has it.

use std::path::Path;

use serde_json::{Map, Value, json};

use super::project::Project;
use super::write as write_file;
use crate::Failure;

/// Writes the plugin. The folder can be the root of a repository: users add it with `/plugin marketplace add`.
pub(super) fn write(project: &Project, folder: &Path) -> Result<(), Failure> {
    let files = [
        (".claude-plugin/plugin.json", plugin(project)),
        (".claude-plugin/marketplace.json", marketplace(project)),
        (".mcp.json", servers(project)),
    ];
    files.iter().try_for_each(|(place, value)| write_file(&folder.join(place), &format!("{value:#}\n")))
}

fn plugin(project: &Project) -> Value {
    let package = &project.package;
    let mut plugin = json!({
        "name": package.name,
        "version": package.version,
        "description": package.description,
        "author": {"name": project.author()},
        "mcpServers": "./.mcp.json",
    });
    for (key, value) in [("homepage", &package.homepage), ("repository", &package.repository), ("license", &package.license)]
    {
        if let Some(value) = value {
            plugin[key] = json!(value);
        }
    }
    plugin
}

fn marketplace(project: &Project) -> Value {
    let package = &project.package;
    json!({
        "name": package.name,
        "owner": {"name": project.author()},
        "metadata": {"description": package.description, "version": package.version},
        "plugins": [{"name": package.name, "source": "./", "description": package.description, "version": package.version}],
    })
}

/// The program is found on the search path: `cargo binstall` and `cargo install` put it there.
fn servers(project: &Project) -> Value {
    let mut server = json!({"command": project.program, "args": []});
    if !project.config.env.is_empty() {
        let value = |default: &Option<String>, name: &str| match default {
            Some(default) => format!("${{{name}:-{default}}}"),
            None => format!("${{{name}}}"),
        };
        let env: Map<String, Value> =
            project.config.env.iter().map(|(name, one)| (name.clone(), json!(value(&one.default, name)))).collect();
        server["env"] = Value::Object(env);
    }
    json!({"mcpServers": {&project.package.name: server}})
}
