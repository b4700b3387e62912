//! What stands in `#[tool(..)]`, `#[prompt(..)]` and `#[resource(..)]`.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Expr, Ident, LitStr, Path};

use crate::address::Address;
use crate::entry::{self, Entry};
use crate::errors::Errors;
use crate::value;
use crate::what::What;

/// The keys of `#[tool(..)]`.
const TOOL_KEYS: &[&str] = &[
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
    "max_output",
    "always_load",
    "max_result_size",
    "meta",
    "task",
    "scope",
    "scopes",
    "asks_first",
    "requires",
    "crate",
];

/// The keys of `#[prompt(..)]`.
const PROMPT_KEYS: &[&str] = &["name", "title", "description", "icon", "icons", "meta", "crate"];

/// The keys of `#[resource("..", ..)]`.
const RESOURCE_KEYS: &[&str] = &[
    "name",
    "title",
    "description",
    "mime_type",
    "size",
    "audience",
    "priority",
    "icon",
    "icons",
    "cache",
    "meta",
    "crate",
];

/// The longest name that a tool or a prompt may have.
const LONGEST_NAME: usize = 128;

/// What an author says about a tool, a prompt or a resource.
#[derive(Default)]
pub(crate) struct Attr {
    /// Where mcp-core is, if not at `::mcp_core`.
    pub(crate) krate: Option<Path>,
    pub(crate) name: Option<LitStr>,
    pub(crate) description: Option<Expr>,
    /// Where a resource is.
    pub(crate) address: Option<Address>,
    /// Where `asks_first` stands, if it is set.
    pub(crate) asks_first: Option<Ident>,
    /// Calls on the spec.
    pub(crate) settings: Vec<TokenStream>,
}

impl Attr {
    pub(crate) fn parse(what: What, tokens: TokenStream, errors: &mut Errors) -> Attr {
        let mut attr = Attr::default();
        let (keys, tokens) = match what {
            What::Tool => (TOOL_KEYS, tokens),
            What::Prompt => (PROMPT_KEYS, tokens),
            What::Resource => {
                let (address, entries) = Address::take(tokens, errors);
                attr.address = address;
                (RESOURCE_KEYS, entries)
            }
        };
        let entries = entry::parse(what.word(), keys, tokens, errors);
        for entry in &entries {
            let read = attr.read(what, entry);
            errors.attempt(read);
        }
        let is_set = |key: &str| entries.iter().find(|entry| entry.key == key && value::flag(entry).is_ok_and(|set| set));
        if let (Some(_), Some(destructive)) = (is_set("read_only"), is_set("destructive")) {
            errors.at(&destructive.key, "a tool that is `read_only` destroys nothing: remove one of the two");
        }
        attr.asks_first = is_set("asks_first").map(|entry| entry.key.clone());
        attr
    }

    fn read(&mut self, what: What, entry: &Entry) -> syn::Result<()> {
        let key = &entry.key;
        match key.to_string().as_str() {
            "crate" => self.krate = Some(value::path(entry)?),
            "name" => self.name = Some(name(what, value::text(entry)?)?),
            "description" => self.description = Some(value::expression(entry, "\"..\"")?.clone()),
            "title" | "mime_type" => {
                let text = value::expression(entry, "\"..\"")?;
                self.settings.push(quote!(.#key(#text)));
            }
            "read_only" | "destructive" | "idempotent" | "open_world" | "always_load" | "asks_first" => {
                let flag = value::flag(entry)?;
                self.settings.push(quote!(.#key(#flag)));
            }
            "icon" => self.settings.push(icon(value::expression(entry, "\"https://..\"")?)),
            "icons" => self.settings.extend(value::list(entry, "[\"https://..\", ..]")?.iter().map(icon)),
            "timeout" => {
                let timeout = value::duration(entry)?;
                self.settings.push(quote!(.timeout(#timeout)));
            }
            "max_output" | "max_result_size" | "size" => {
                let size = value::expression(entry, "100_000")?;
                self.settings.push(quote_spanned!(size.span()=> .#key(#size)));
            }
            "audience" => {
                let roles = value::audience(entry)?;
                self.settings.push(quote!(.audience([#(__mcp::Role::#roles),*])));
            }
            "priority" => {
                let priority = value::priority(entry)?;
                self.settings.push(quote_spanned!(priority.span()=> .priority(#priority)));
            }
            "meta" => self.settings.extend(value::meta(entry)?),
            "scope" => {
                let scope = value::expression(entry, "\"files:write\"")?;
                self.settings.push(quote!(.scopes([#scope])));
            }
            "scopes" => {
                let scopes = value::list(entry, "[\"files:read\", ..]")?;
                self.settings.push(quote!(.scopes([#(#scopes),*])));
            }
            "task" => {
                let support = value::task_support(entry)?;
                self.settings.push(quote!(.task_support(__mcp::TaskSupport::#support)));
            }
            "requires" => {
                let requirements = value::requirements(entry)?;
                self.settings.push(quote!(.requires([#(__mcp::Requirement::#requirements),*])));
            }
            "cache" => {
                let cache = value::expression(entry, "Cache::private(..)")?;
                self.settings.push(quote_spanned!(cache.span()=> .cache(#cache)));
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

/// The name, if it may be called so.
fn name(what: What, name: LitStr) -> syn::Result<LitStr> {
    match name_fault(what, &name.value()) {
        Some(fault) => Err(syn::Error::new(name.span(), fault)),
        None => Ok(name),
    }
}

/// Why a tool or a prompt may not be called so, if it may not. The name of a resource is for people.
pub(crate) fn name_fault(what: What, name: &str) -> Option<String> {
    if what == What::Resource {
        return name
            .trim()
            .is_empty()
            .then(|| "the name of a resource is how clients show it, and this one is empty".into());
    }
    let rule = format!("a {what}'s name is 1 to 128 of A-Z a-z 0-9 _ . -");
    if name.is_empty() {
        return Some(format!("{rule}, and this one is empty"));
    }
    if let Some(odd) = name.chars().find(|c| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-'))) {
        return Some(format!("{rule}, and {odd:?} is none of them"));
    }
    (name.len() > LONGEST_NAME).then(|| format!("{rule}, and this one has {}", name.len()))
}
