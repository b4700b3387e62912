//! What stands in `#[tool(..)]`.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Expr, LitStr, Path};

use crate::entry::{self, Entry};
use crate::errors::Errors;
use crate::value;

/// The keys of `#[tool(..)]`.
const KEYS: &[&str] = &[
    "name",
    "title",
    "description",
    "read_only",
    "destructive",
    "idempotent",
    "open_world",
    "icon",
    "icons",
    "timeout",
    "always_load",
    "max_result_size",
    "meta",
    "task",
    "crate",
];

/// The longest name that a tool may have.
const LONGEST_NAME: usize = 128;

/// What an author says about a tool.
#[derive(Default)]
pub(crate) struct ToolAttr {
    /// Where mcp-core is, if not at `::mcp_core`.
    pub(crate) krate: Option<Path>,
    pub(crate) name: Option<LitStr>,
    pub(crate) description: Option<Expr>,
    /// Calls on the tool's `ToolSpec`.
    pub(crate) settings: Vec<TokenStream>,
}

impl ToolAttr {
    pub(crate) fn parse(tokens: TokenStream, errors: &mut Errors) -> ToolAttr {
        let mut attr = ToolAttr::default();
        let entries = entry::parse("tool", KEYS, tokens, errors);
        for entry in &entries {
            let read = attr.read(entry);
            errors.attempt(read);
        }
        let is_set = |key: &str| entries.iter().find(|entry| entry.key == key && value::flag(entry).is_ok_and(|set| set));
        if let (Some(_), Some(destructive)) = (is_set("read_only"), is_set("destructive")) {
            errors.at(&destructive.key, "a tool that is `read_only` destroys nothing: remove one of the two");
        }
        attr
    }

    fn read(&mut self, entry: &Entry) -> syn::Result<()> {
        let key = &entry.key;
        match key.to_string().as_str() {
            "crate" => self.krate = Some(value::path(entry)?),
            "name" => self.name = Some(name(value::text(entry)?)?),
            "description" => self.description = Some(value::expression(entry, "\"..\"")?.clone()),
            "title" => {
                let title = value::expression(entry, "\"..\"")?;
                self.settings.push(quote!(.title(#title)));
            }
            "read_only" | "destructive" | "idempotent" | "open_world" | "always_load" => {
                let flag = value::flag(entry)?;
                self.settings.push(quote!(.#key(#flag)));
            }
            "icon" => self.settings.push(icon(value::expression(entry, "\"https://..\"")?)),
            "icons" => self.settings.extend(value::list(entry, "[\"https://..\", ..]")?.iter().map(icon)),
            "timeout" => {
                let timeout = value::duration(entry)?;
                self.settings.push(quote!(.timeout(#timeout)));
            }
            "max_result_size" => {
                let size = value::expression(entry, "100_000")?;
                self.settings.push(quote_spanned!(size.span()=> .max_result_size(#size)));
            }
            "meta" => self.settings.extend(value::meta(entry)?),
            "task" => {
                let support = value::task_support(entry)?;
                self.settings.push(quote!(.task_support(__mcp::TaskSupport::#support)));
            }
            other => unreachable!("`{other}` is in the list of keys"),
        }
        Ok(())
    }
}

/// The one key of `#[toolset(..)]`: where mcp-core is.
pub(crate) fn toolset(tokens: TokenStream, errors: &mut Errors) -> Option<Path> {
    let entries = entry::parse("toolset", &["crate"], tokens, errors);
    entries.first().and_then(|entry| errors.attempt(value::path(entry)))
}

/// A string is the address of a picture; anything else is an `Icon`.
fn icon(value: &Expr) -> TokenStream {
    match value::literal(value) {
        Some(syn::Lit::Str(address)) => quote!(.icon(__mcp::Icon::new(#address))),
        _ => quote!(.icon(#value)),
    }
}

/// The name, if a tool may have it.
fn name(name: LitStr) -> syn::Result<LitStr> {
    match name_fault(&name.value()) {
        Some(fault) => Err(syn::Error::new(name.span(), fault)),
        None => Ok(name),
    }
}

/// Why a tool may not be called so, if it may not.
pub(crate) fn name_fault(name: &str) -> Option<String> {
    const RULE: &str = "a tool's name is 1 to 128 of A-Z a-z 0-9 _ . -";
    if name.is_empty() {
        return Some(format!("{RULE}, and this one is empty"));
    }
    if let Some(odd) = name.chars().find(|c| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-'))) {
        return Some(format!("{RULE}, and {odd:?} is none of them"));
    }
    (name.len() > LONGEST_NAME).then(|| format!("{RULE}, and this one has {}", name.len()))
}
