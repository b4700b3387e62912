//! What a function is made into, and the names that go with it.

use std::fmt;

use proc_macro2::TokenStream;
use quote::quote;
use syn::Attribute;

/// What an attribute makes of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum What {
    Tool,
    Prompt,
    Resource,
}

impl fmt::Display for What {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

impl What {
    pub(crate) const ALL: [What; 3] = [What::Tool, What::Prompt, What::Resource];

    /// The word for it, which is the name of its attribute as well.
    pub(crate) fn word(self) -> &'static str {
        match self {
            What::Tool => "tool",
            What::Prompt => "prompt",
            What::Resource => "resource",
        }
    }

    /// Which of them this attribute makes.
    pub(crate) fn of(attr: &Attribute) -> Option<What> {
        let last = &attr.path().segments.last()?.ident;
        What::ALL.into_iter().find(|what| last == what.word())
    }

    /// Who reads its description.
    pub(crate) fn reader(self) -> &'static str {
        match self {
            What::Tool => "a model",
            What::Prompt => "a user",
            What::Resource => "a client",
        }
    }

    /// How its attribute is written with a key.
    pub(crate) fn with_key(self, key: &str) -> String {
        match self {
            What::Resource => format!("#[resource(\"..\", {key} = \"..\")]"),
            _ => format!("#[{self}({key} = \"..\")]"),
        }
    }

    /// What it returns, for those who return nothing.
    pub(crate) fn results(self) -> &'static str {
        match self {
            What::Tool => {
                "(), text, a number, bool, Content, Vec<Content>, Json<T>, ToolResult, or Option or Result of these"
            }
            What::Prompt => "text, PromptMessage, Vec<PromptMessage>, PromptResult, or a Result of these",
            What::Resource => "text, bytes, Json<T>, ResourceContents, or Option or Result of these",
        }
    }

    /// The trait.
    pub(crate) fn interface(self) -> TokenStream {
        match self {
            What::Tool => quote!(__mcp::Tool),
            What::Prompt => quote!(__mcp::Prompt),
            What::Resource => quote!(__mcp::Resource),
        }
    }

    /// The head of the trait's method that begins a call.
    pub(crate) fn begin(self, call: &TokenStream) -> TokenStream {
        match self {
            What::Tool => quote!(fn call(&self, #call: __mcp::Call<'_>) -> __mcp::ToolFuture),
            What::Prompt => quote!(fn get(&self, #call: __mcp::PromptCall<'_>) -> __mcp::ToolFuture<__mcp::PromptOutcome>),
            What::Resource => quote!(fn read(&self, #call: __mcp::ReadCall<'_>) -> __mcp::ToolFuture<__mcp::ReadOutcome>),
        }
    }

    /// The trait by which a macro such as `tools![..]` finds it.
    pub(crate) fn function(self) -> TokenStream {
        match self {
            What::Tool => quote!(__mcp::Function),
            What::Prompt => quote!(__mcp::PromptFunction),
            What::Resource => quote!(__mcp::ResourceFunction),
        }
    }

    /// The type of what clients are told about it.
    pub(crate) fn spec(self) -> TokenStream {
        match self {
            What::Tool => quote!(__mcp::ToolSpec),
            What::Prompt => quote!(__mcp::PromptSpec),
            What::Resource => quote!(__mcp::ResourceSpec),
        }
    }

    /// The type that stands for it in questions to the type system.
    pub(crate) fn kind(self) -> TokenStream {
        match self {
            What::Tool => quote!(__mcp::AsTool),
            What::Prompt => quote!(__mcp::AsPrompt),
            What::Resource => quote!(__mcp::AsResource),
        }
    }

    /// The trait of a type with several of them, and its method.
    pub(crate) fn set(self) -> (TokenStream, TokenStream) {
        match self {
            What::Tool => (quote!(__mcp::Toolset), quote!(into_tools)),
            What::Prompt => (quote!(__mcp::Promptset), quote!(into_prompts)),
            What::Resource => (quote!(__mcp::Resourceset), quote!(into_resources)),
        }
    }
}
