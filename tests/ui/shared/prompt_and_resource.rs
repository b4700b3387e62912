// A prompt and a resource with fully qualified paths, for tests in which the usual names are shadowed.

/// Review a piece of code.
#[prompt(title = "Review", icons = ["https://example.com"], meta(x = 1))]
async fn review(
    /// the code
    code: ::std::string::String,
    #[complete(suggest)] language: ::std::option::Option<::std::string::String>,
    #[default(3)] most: u32,
    cx: &::mcp_core::Context,
    store: &Store,
) -> ::std::result::Result<::std::string::String, ::std::string::String> {
    let length = language.map_or(0, |language| language.len());
    ::std::result::Result::Ok(::std::format!("{code}{length}{most}{}{}", cx.name(), store.0))
}

async fn suggest(typed: ::mcp_core::completion::Typed, _: &::mcp_core::Context) -> ::std::vec::Vec<::std::string::String> {
    ::std::vec![typed.value]
}

/// A note.
#[resource("notes://{folder}/{id}{?page}", mime_type = "text/plain", audience = [user, assistant], priority = 0.5)]
fn note(
    folder: ::std::string::String,
    #[complete(suggest)] id: u8,
    page: ::std::option::Option<u32>,
    store: &Store,
) -> ::std::option::Option<::std::string::String> {
    let page = page.map_or(1, |page| page);
    ::std::option::Option::Some(::std::format!("{folder}{id}{page}{}", store.0))
}
