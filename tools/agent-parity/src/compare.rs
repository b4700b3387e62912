//! Compares the declarations of the SDK with the table, and the table with the agent crates.

use std::collections::BTreeSet;

use mcp_agent::builtin::Builtin;

use crate::declarations::Declarations;
use crate::ours::Items;
use crate::table::{Row, Rows, Table};

/// Types whose members are compared in another section.
const COMPARED_ELSEWHERE: [&str; 4] = ["Options", "Query", "WarmQuery", "SpareProcess"];

/// The fields that every message has. `Message::head` returns them.
const HEAD: [&str; 4] = ["type", "subtype", "uuid", "session_id"];

/// Everything that is compared.
#[derive(Debug)]
pub struct Comparison<'a> {
    /// The declarations of the SDK.
    pub sdk: &'a Declarations,
    /// The declarations of its tools.
    pub tools: &'a Declarations,
    /// The names of the SDK for Python.
    pub python: &'a BTreeSet<String>,
    /// The table.
    pub table: &'a Table,
    /// The public items of the agent crates.
    pub ours: &'a Items,
}

impl Comparison<'_> {
    /// Returns every difference, as a sentence.
    #[must_use]
    pub fn differences(&self) -> Vec<String> {
        let mut found = Vec::new();
        self.names("functions", &self.table.functions, self.sdk.functions.iter().cloned(), &mut found);
        self.names("constants", &self.table.constants, self.sdk.constants.keys().cloned(), &mut found);
        self.names("options", &self.table.options, members(self.sdk, "Options"), &mut found);
        let methods = COMPARED_ELSEWHERE[1..]
            .iter()
            .flat_map(|name| members(self.sdk, name).into_iter().map(move |method| format!("{name}.{method}")));
        self.names("methods", &self.table.methods, methods, &mut found);
        self.requests(&mut found);
        self.hooks(&mut found);
        self.tools(&mut found);
        let types = self.sdk.types().filter(|name| self.is_compared(name));
        self.types("types", self.sdk, &self.table.types, types, &mut found);
        self.types("tool_types", self.tools, &self.table.tool_types, self.tools.types(), &mut found);
        self.names("python", &self.table.python, self.python.iter().cloned(), &mut found);
        self.stale_fields(&mut found);
        found
    }

    /// Whether the fields of a type of the SDK are compared: all object types except envelopes of the protocol.
    fn is_compared(&self, name: &str) -> bool {
        let elsewhere = COMPARED_ELSEWHERE.contains(&name);
        let is_request = name.starts_with("SDKControl") && name.ends_with("Request");
        let is_hook = name.ends_with("HookInput") && name != "BaseHookInput";
        !elsewhere && !is_request && !is_hook
    }

    /// Each name of the SDK has a row, each row has a name, and each item of a row exists.
    fn names(&self, part: &str, rows: &Rows, names: impl IntoIterator<Item = String>, found: &mut Vec<String>) {
        let names: BTreeSet<String> = names.into_iter().collect();
        for name in names.iter().filter(|name| !rows.contains_key(*name)) {
            found.push(format!("{part}: the SDK has {name}, the table does not"));
        }
        for name in rows.keys().filter(|name| !names.contains(*name)) {
            found.push(format!("{part}: the table has {name}, the SDK does not"));
        }
        for (name, value) in rows {
            for item in Row::read(value).items.iter().filter(|item| !self.ours.has(item)) {
                found.push(format!("{part}: the row {name} names {item}, which does not exist"));
            }
        }
    }

    /// Each control request has a row, and each of its fields is sent or read by the items of the row.
    fn requests(&self, found: &mut Vec<String>) {
        let all = self.sdk.union("SDKControlRequestInner");
        let subtype = |name: &String| self.sdk.literal(name, "subtype");
        self.names("requests", &self.table.requests, all.iter().filter_map(subtype), found);
        for name in &all {
            let Some(subtype) = subtype(name) else { continue };
            let Some(row) = self.table.requests.get(&subtype).map(|row| Row::read(row)) else { continue };
            let mut known = BTreeSet::from(["subtype".to_owned()]);
            for item in &row.items {
                known.extend(self.ours.fields(item).unwrap_or_default());
                known.extend(self.ours.sent_by(item));
            }
            for field in members(self.sdk, name).into_iter().filter(|field| !known.contains(field)) {
                if row.reason.is_none() && !self.table.fields.contains_key(&format!("{name}.{field}")) {
                    found.push(format!("requests: {} do not know the field {field} of {subtype}", row.items.join(", ")));
                }
            }
        }
    }

    /// Each hook event is a struct with all of its fields.
    fn hooks(&self, found: &mut Vec<String>) {
        let base = self.ours.fields("HookBase").unwrap_or_default();
        for event in self.sdk.constants.get("HOOK_EVENTS").into_iter().flatten() {
            let Some(mut fields) = self.ours.fields(event) else {
                found.push(format!("hooks: there is no event {event}"));
                continue;
            };
            fields.extend(base.iter().cloned());
            let name = format!("{event}HookInput");
            for field in members(self.sdk, &name).into_iter().filter(|field| field != "hook_event_name") {
                if !fields.contains(&field) && !self.table.fields.contains_key(&format!("{name}.{field}")) {
                    found.push(format!("hooks: {event} has no field {field}"));
                }
            }
        }
    }

    /// Checks that each tool has typed inputs, or a row that says why it has none.
    fn tools(&self, found: &mut Vec<String>) {
        let tools = self.sdk.constants.get("BUILTIN_TOOL_NAMES").map(Vec::as_slice).unwrap_or_default();
        let is_typed = |tool: &str| Builtin::NAMES.iter().any(|names| names.contains(&tool));
        for tool in tools.iter().filter(|tool| !is_typed(tool) && !self.table.tools.contains_key(*tool)) {
            found.push(format!("tools: {tool} is neither a tool of `Builtin` nor listed with a reason"));
        }
        for tool in self.table.tools.keys().filter(|tool| is_typed(tool) || !tools.contains(tool)) {
            found.push(format!("tools: {tool} is listed with a reason, but it is a tool of `Builtin` or none of the SDK"));
        }
    }

    /// Each object type has a row, and so has each object inside of it. The structs of a row have all fields, except after
    /// `instead:`.
    fn types<'n>(
        &self,
        part: &str,
        sdk: &Declarations,
        rows: &Rows,
        names: impl Iterator<Item = &'n str>,
        found: &mut Vec<String>,
    ) {
        let mut paths: Vec<String> = names.filter(|name| !members(sdk, name).is_empty()).map(ToOwned::to_owned).collect();
        let mut all = BTreeSet::new();
        while let Some(path) = paths.pop() {
            all.insert(path.clone());
            let row = rows.get(&path).map(|row| Row::read(row));
            // The objects inside of a type that has no struct with the same fields need no rows.
            if let Some(row) = row.filter(|row| row.same_fields) {
                let inner = members(sdk, &path).into_iter().map(|member| format!("{path}.{member}"));
                paths.extend(inner.filter(|inner| !members(sdk, inner).is_empty()));
                self.fields_of(part, sdk, &path, &row, found);
            }
        }
        self.names(part, rows, all, found);
    }

    fn fields_of(&self, part: &str, sdk: &Declarations, path: &str, row: &Row<'_>, found: &mut Vec<String>) {
        let mut known: BTreeSet<String> = HEAD.iter().map(|name| (*name).to_owned()).collect();
        known.insert("hookEventName".to_owned());
        for item in &row.items {
            known.extend(self.ours.fields(item).unwrap_or_default());
        }
        for field in members(sdk, path).into_iter().filter(|field| !known.contains(field)) {
            if !self.table.fields.contains_key(&format!("{path}.{field}")) {
                found.push(format!("{part}: {} has no field {field} of {path}", row.items.join(", ")));
            }
        }
    }

    /// A field that is listed as missing is one of the SDK.
    fn stale_fields(&self, found: &mut Vec<String>) {
        for name in self.table.fields.keys() {
            let is_there = name.rsplit_once('.').is_some_and(|(path, field)| {
                [self.sdk, self.tools].iter().any(|sdk| members(sdk, path).iter().any(|member| member == field))
            });
            if !is_there {
                found.push(format!("fields: the table has {name}, the SDK does not"));
            }
        }
    }
}

fn members(sdk: &Declarations, path: &str) -> Vec<String> {
    sdk.members(path).into_iter().flatten().map(|member| member.name).collect()
}
