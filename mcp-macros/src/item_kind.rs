//! The three kinds of items, and the generated names that differ between them.

use std::fmt;

use proc_macro2::TokenStream;
use quote::quote;
use syn::Attribute;

/// The kind of item that an attribute makes from a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ItemKind {
    Tool,
    Prompt,
    Resource,
}

impl fmt::Display for ItemKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl ItemKind {
    pub(crate) const ALL: [ItemKind; 3] = [ItemKind::Tool, ItemKind::Prompt, ItemKind::Resource];

    /// Returns the noun in messages, which is also the name of the attribute.
    pub(crate) fn name(self) -> &'static str {
        match self {
            ItemKind::Tool => "tool",
            ItemKind::Prompt => "prompt",
            ItemKind::Resource => "resource",
        }
    }

    /// Returns the kind for an attribute. `None` for any other attribute.
    pub(crate) fn from_attribute(attr: &Attribute) -> Option<ItemKind> {
        let last = &attr.path().segments.last()?.ident;
        ItemKind::ALL.into_iter().find(|item_kind| last == item_kind.name())
    }

    /// Returns the reader of the description, for error messages.
    pub(crate) fn reader(self) -> &'static str {
        match self {
            ItemKind::Tool => "a model",
            ItemKind::Prompt => "a user",
            ItemKind::Resource => "a client",
        }
    }

    /// Returns the attribute with a key, for error messages.
    pub(crate) fn with_key(self, key: &str) -> String {
        match self {
            ItemKind::Resource => format!("#[resource(\"..\", {key} = \"..\")]"),
            _ => format!("#[{self}({key} = \"..\")]"),
        }
    }

    /// Returns the supported return types, for error messages.
    pub(crate) fn return_types(self) -> &'static str {
        match self {
            ItemKind::Tool => {
                "(), text, a number, bool, Content, Vec<Content>, Json<T>, ToolResult, or Option or Result of these"
            }
            ItemKind::Prompt => "text, PromptMessage, Vec<PromptMessage>, PromptResult, or a Result of these",
            ItemKind::Resource => "text, bytes, Json<T>, ResourceContents, or Option or Result of these",
        }
    }

    /// Returns the trait that the item implements.
    pub(crate) fn trait_path(self) -> TokenStream {
        match self {
            ItemKind::Tool => quote!(__mcp::Tool),
            ItemKind::Prompt => quote!(__mcp::Prompt),
            ItemKind::Resource => quote!(__mcp::Resource),
        }
    }

    /// Returns the signature of the trait method that starts a call.
    pub(crate) fn method_signature(self, call: &TokenStream) -> TokenStream {
        match self {
            ItemKind::Tool => quote!(fn call(&self, #call: __mcp::Call<'_>) -> __mcp::ToolFuture),
            ItemKind::Prompt => {
                quote!(fn get(&self, #call: __mcp::PromptCall<'_>) -> __mcp::ToolFuture<__mcp::PromptOutcome>)
            }
            ItemKind::Resource => {
                quote!(fn read(&self, #call: __mcp::ReadCall<'_>) -> __mcp::ToolFuture<__mcp::ReadOutcome>)
            }
        }
    }

    /// Returns the trait that a macro such as `tools![..]` uses to get the item.
    pub(crate) fn function_trait(self) -> TokenStream {
        match self {
            ItemKind::Tool => quote!(__mcp::Function),
            ItemKind::Prompt => quote!(__mcp::PromptFunction),
            ItemKind::Resource => quote!(__mcp::ResourceFunction),
        }
    }

    /// Returns the type of its spec.
    pub(crate) fn spec_type(self) -> TokenStream {
        match self {
            ItemKind::Tool => quote!(__mcp::ToolSpec),
            ItemKind::Prompt => quote!(__mcp::PromptSpec),
            ItemKind::Resource => quote!(__mcp::ResourceSpec),
        }
    }

    /// Returns the marker type of this kind in `Probe` and `Returned`.
    pub(crate) fn marker_type(self) -> TokenStream {
        match self {
            ItemKind::Tool => quote!(__mcp::AsTool),
            ItemKind::Prompt => quote!(__mcp::AsPrompt),
            ItemKind::Resource => quote!(__mcp::AsResource),
        }
    }

    /// Returns the trait of a set of items, and its method.
    pub(crate) fn set_trait(self) -> (TokenStream, TokenStream) {
        match self {
            ItemKind::Tool => (quote!(__mcp::Toolset), quote!(into_tools)),
            ItemKind::Prompt => (quote!(__mcp::Promptset), quote!(into_prompts)),
            ItemKind::Resource => (quote!(__mcp::Resourceset), quote!(into_resources)),
        }
    }
}
