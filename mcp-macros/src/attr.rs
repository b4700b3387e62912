//! Parses the arguments of `#[tool(..)]`, `#[prompt(..)]` and `#[resource(..)]`.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Expr, Ident, LitStr, Path};

use crate::entry::{self, Entry};
use crate::errors::Errors;
use crate::item_kind::ItemKind;
use crate::resource_uri::ResourceUri;
use crate::value;

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

/// The maximum length of the name of a tool or a prompt.
const MAX_NAME: usize = 128;

/// The arguments of the attribute on a tool, a prompt or a resource.
#[derive(Default)]
pub(crate) struct Attr {
    /// The path of mcp-core, if it is not `::mcp_core`.
    pub(crate) krate: Option<Path>,
    pub(crate) name: Option<LitStr>,
    pub(crate) description: Option<Expr>,
    /// The uri of a resource. `None` for tools and prompts.
    pub(crate) uri: Option<ResourceUri>,
    /// The key `asks_first`, if it is set.
    pub(crate) asks_first: Option<Ident>,
    /// Method calls on the spec, such as `.title("..")`.
    pub(crate) settings: Vec<TokenStream>,
}

impl Attr {
    pub(crate) fn parse(item_kind: ItemKind, tokens: TokenStream, errors: &mut Errors) -> Attr {
        let mut attr = Attr::default();
        let (keys, tokens) = match item_kind {
            ItemKind::Tool => (TOOL_KEYS, tokens),
            ItemKind::Prompt => (PROMPT_KEYS, tokens),
            ItemKind::Resource => {
                let (uri, entries) = ResourceUri::take(tokens, errors);
                attr.uri = uri;
                (RESOURCE_KEYS, entries)
            }
        };
        let entries = entry::parse(item_kind.name(), keys, tokens, errors);
        for entry in &entries {
            let read = attr.read(item_kind, entry);
            errors.attempt(read);
        }
        let is_set = |key: &str| entries.iter().find(|entry| entry.key == key && value::flag(entry).is_ok_and(|set| set));
        if let (Some(_), Some(destructive)) = (is_set("read_only"), is_set("destructive")) {
            errors.at(&destructive.key, "a `read_only` tool cannot be `destructive`: remove one of the two");
        }
        attr.asks_first = is_set("asks_first").map(|entry| entry.key.clone());
        attr
    }

    fn read(&mut self, item_kind: ItemKind, entry: &Entry) -> syn::Result<()> {
        let key = &entry.key;
        match key.to_string().as_str() {
            "crate" => self.krate = Some(value::path(entry)?),
            "name" => self.name = Some(name(item_kind, value::text(entry)?)?),
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

/// Parses `#[toolset(crate = path, client = Name)]`. Returns the path and the name.
pub(crate) fn of_toolset(tokens: TokenStream, errors: &mut Errors) -> (Option<Path>, Option<Ident>) {
    let (mut krate, mut client) = (None, None);
    for entry in entry::parse("toolset", &["crate", "client"], tokens, errors) {
        let path = errors.attempt(value::path(&entry));
        if entry.key == "crate" {
            krate = path;
        } else if let Some(path) = path {
            let fault = syn::Error::new_spanned(&path, "the name of the type to generate: `client = CounterClient`");
            client = errors.attempt(path.get_ident().cloned().ok_or(fault));
        }
    }
    (krate, client)
}

/// A string literal is the URI of an image; any other expression is an `Icon`.
fn icon(value: &Expr) -> TokenStream {
    match value::literal(value) {
        Some(syn::Lit::Str(uri)) => quote!(.icon(__mcp::Icon::new(#uri))),
        _ => quote!(.icon(#value)),
    }
}

/// Returns the name, or an error if it is not valid.
fn name(item_kind: ItemKind, name: LitStr) -> syn::Result<LitStr> {
    match name_fault(item_kind, &name.value()) {
        Some(fault) => Err(syn::Error::new(name.span(), fault)),
        None => Ok(name),
    }
}

/// Returns why a name is not valid, or `None` if it is. The name of a resource may have any characters.
pub(crate) fn name_fault(item_kind: ItemKind, name: &str) -> Option<String> {
    if item_kind == ItemKind::Resource {
        return name.trim().is_empty().then(|| "the name of a resource is shown to users and cannot be empty".into());
    }
    let rule = format!("a {item_kind}'s name is 1 to 128 of A-Z a-z 0-9 _ . -");
    if name.is_empty() {
        return Some(format!("{rule}, and this one is empty"));
    }
    if let Some(odd) = name.chars().find(|c| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-'))) {
        return Some(format!("{rule}, and {odd:?} is not allowed"));
    }
    (name.len() > MAX_NAME).then(|| format!("{rule}, and this one has {}", name.len()))
}
