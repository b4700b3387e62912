//! Elicitation forms in tools: the attributes do not search the bodies of functions for them.

use mcp_core::{AskError, Context, Server, json_type, tool, tools};

#[json_type]
struct Flat {
    #[allow(dead_code, reason = "no client answers the form")]
    name: String,
}

#[json_type]
struct Nested {
    #[allow(dead_code, reason = "no client answers the form")]
    inside: Flat,
}

/// Ask with a flat form.
#[tool]
async fn flat(cx: &Context) -> Result<bool, AskError> {
    #[json_type]
    struct Local {
        really: bool,
    }

    let known = cx.elicit::<Flat>("Your name?").await?.accepted();
    Ok(known.is_some() && cx.elicit::<Local>("Really?").await?.accepted().is_some_and(|local| local.really))
}

/// Ask with a nested form, which `elicit` rejects when it is called.
#[tool]
async fn nested(cx: &Context) -> Result<bool, AskError> {
    Ok(cx.elicit::<Nested>("Everything?").await?.accepted().is_some())
}

struct Prospector;

impl Prospector {
    /// Has the same name as a method of `Context`, but is unrelated to it.
    fn elicit<T>(&self) -> &'static str {
        std::any::type_name::<T>()
    }
}

/// Call a method that is named `elicit` but sends no form.
#[tool]
async fn own_elicit() -> &'static str {
    Prospector.elicit::<Nested>()
}

#[test]
fn a_tool_with_a_form_builds() {
    Server::builder("test", "1").tools(tools![flat]).build().expect("a flat form is valid");
}

#[test]
fn a_nested_form_is_not_checked_when_the_server_is_built() {
    Server::builder("test", "1").tools(tools![nested]).build().expect("forms are checked when they are sent");
}

#[test]
fn a_method_of_the_author_may_be_named_elicit() {
    Server::builder("test", "1").tools(tools![own_elicit]).build().expect("`own_elicit` sends no form");
}
