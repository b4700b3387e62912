//! The page that compares the official SDK with this project.

use std::fmt::Write;

use mcp_agent::builtin::Builtin;
use mcp_agent_test::Cli;

use crate::table::{Row, Rows, Table};

/// The path of the page in the workspace.
pub const PAGE: &str = "docs/agent-parity.md";

const INTRODUCTION: &str = "\
# Every name of the official agent SDK

What stands for each function, option, method and request of the official SDK for TypeScript in this project, or why there is nothing. The last part has
the names of the SDK for Python.
[from-agent-sdk.md](from-agent-sdk.md) shows the common moves with code.

This page is generated (`cargo run -p agent-parity -- page`). A test compares the table behind it with the declarations of the package `@anthropic-ai/claude-agent-sdk`,
with the source of the package `claude-agent-sdk` for Python and with the source of this project, so a name that is missing on either side fails the test.

The test compares names: of functions, options, methods, requests, events, tools, and of the fields of objects. It does not compare the types of fields and
results, the parameters of methods, and the values that a text can have. \"In another form\" marks items whose fields have other names, so that
the test only checks that they exist.
";

const PYTHON_TYPES: &str = "
Its other types, such as messages and the inputs and outputs of hooks, correspond to those of the SDK for TypeScript above: `AssistantMessage` is `SDKAssistantMessage`.
";

/// Writes the page.
#[must_use]
pub fn page(table: &Table) -> String {
    let mut page = INTRODUCTION.to_owned();
    let _ = writeln!(
        page,
        "\nThe pinned CLI is {}, published on {}; the SDK is the one of the same day. A newer CLI is used in the same way, but is not tested here.",
        Cli::VERSION,
        table.date
    );
    section(&mut page, "Options", "option", &table.options);
    section(&mut page, "Methods of a running query", "method", &table.methods);
    section(&mut page, "Exported functions and classes", "function", &table.functions);
    section(&mut page, "Exported constants", "constant", &table.constants);
    section(&mut page, "Control requests", "request", &table.requests);
    section(&mut page, "Types", "type", &types(&table.types));
    section(&mut page, "Inputs and results of tools", "type", &types(&table.tool_types));
    section(&mut page, "Fields without a counterpart", "field", &reasons(&table.fields));
    tools(&mut page, &table.tools);
    python(&mut page, table);
    page
}

fn section(page: &mut String, title: &str, kind: &str, rows: &Rows) {
    let _ = write!(page, "\n## {title}\n\n| {kind} | here |\n|---|---|\n");
    for (name, value) in rows {
        let row = Row::read(value);
        let items: Vec<String> = row.items.iter().map(|item| format!("`{}`", item.replace('.', "::"))).collect();
        let texts = [
            if row.same_fields || items.is_empty() {
                items.join(", ")
            } else {
                format!("in another form: {}", items.join(", "))
            },
            row.note.unwrap_or_default().to_owned(),
            row.reason.map(|reason| format!("none: {reason}")).unwrap_or_default(),
        ];
        let texts: Vec<String> = texts.into_iter().filter(|text| !text.is_empty()).collect();
        let _ = writeln!(page, "| `{name}` | {} |", texts.join("; "));
    }
}

/// The types that users meet, without the objects inside of them.
fn types(rows: &Rows) -> Rows {
    rows.iter().filter(|(name, _)| !name.contains('.')).map(|(name, value)| (name.clone(), value.clone())).collect()
}

fn reasons(rows: &Rows) -> Rows {
    rows.iter().map(|(name, reason)| (name.clone(), format!("no: {reason}"))).collect()
}

fn python(page: &mut String, table: &Table) {
    section(page, "Names of the SDK for Python", "Python", &table.python);
    page.push_str(PYTHON_TYPES);
}

fn tools(page: &mut String, without: &Rows) {
    let names: Vec<String> = Builtin::NAMES.iter().map(|names| format!("`{}`", names[0])).collect();
    let _ = write!(page, "\n## Built-in tools\n\nThe inputs of these tools are typed: {}.\n", names.join(", "));
    if !without.is_empty() {
        section(page, "Tools without typed inputs", "tool", &reasons(without));
    }
}
