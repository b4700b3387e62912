//! The table that says what stands for each name of the SDK.

use std::collections::BTreeMap;
use std::error::Error;
use std::fs;

use serde::Deserialize;

use crate::install::folder;

/// One part of the table: names of the SDK, and what is here in their place.
pub type Rows = BTreeMap<String, String>;

/// The table in `parity.toml`.
///
/// The value of a row lists items of the agent crates, separated by commas. After `instead:` their fields are not compared,
/// because they have other names. A text after `|` is a note for the page. A value `no:` has the reason why there is no item.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Table {
    /// The day on which the pinned version of the CLI was published.
    pub date: String,
    /// Exported functions and classes.
    pub functions: Rows,
    /// Exported constants.
    pub constants: Rows,
    /// Options of a query.
    pub options: Rows,
    /// Methods of a query and of a process that waits for one, as `Type.method`.
    pub methods: Rows,
    /// Control requests, by subtype.
    pub requests: Rows,
    /// Object types and objects inside of them, as `Type` or `Type.member`. The items are structs, whose fields are compared.
    pub types: Rows,
    /// Fields that a struct does not have, as `Type.field`. The values are reasons.
    pub fields: Rows,
    /// Built-in tools whose inputs are not typed. The values are reasons.
    pub tools: Rows,
    /// Inputs and outputs of built-in tools, as in `types`.
    pub tool_types: Rows,
    /// Functions, errors, options and methods of the SDK for Python. Members are written as `Class.member`.
    pub python: Rows,
}

impl Table {
    /// Reads `parity.toml`.
    ///
    /// # Errors
    /// If it cannot be read or has another form.
    pub fn read() -> Result<Self, Box<dyn Error>> {
        Ok(toml::from_str(&fs::read_to_string(folder().join("parity.toml"))?)?)
    }
}

/// The value of a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row<'a> {
    /// The items.
    pub items: Vec<&'a str>,
    /// Whether the items have fields of the same names.
    pub same_fields: bool,
    /// The reason why there is none.
    pub reason: Option<&'a str>,
    /// The note for the page.
    pub note: Option<&'a str>,
}

impl<'a> Row<'a> {
    /// Reads the value of a row.
    #[must_use]
    pub fn read(value: &'a str) -> Self {
        if let Some(reason) = value.strip_prefix("no:") {
            return Self { items: Vec::new(), same_fields: false, reason: Some(reason.trim()), note: None };
        }
        let (value, same_fields) = value.strip_prefix("instead:").map_or((value, true), |items| (items, false));
        let (items, note) = value.split_once('|').map_or((value, None), |(items, note)| (items, Some(note.trim())));
        Self { items: items.split(',').map(str::trim).collect(), same_fields, reason: None, note }
    }
}
