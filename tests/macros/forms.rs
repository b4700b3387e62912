//! Forms that functions show to users, which a server checks when it is built.

use mcp_core::{AskError, Context, Server, prompt, prompts, schemars, serde, tool, tools, toolset};

#[derive(serde::Deserialize, schemars::JsonSchema)]
#[serde(crate = "mcp_core::serde")]
#[schemars(crate = "mcp_core::schemars")]
struct Flat {
    #[allow(dead_code, reason = "nobody answers")]
    name: String,
}

#[derive(serde::Deserialize, schemars::JsonSchema)]
#[serde(crate = "mcp_core::serde")]
#[schemars(crate = "mcp_core::schemars")]
struct Deep {
    #[allow(dead_code, reason = "nobody answers")]
    inside: Flat,
}

/// Ask what can be asked.
#[tool]
async fn flat(cx: &Context) -> Result<bool, AskError> {
    #[derive(serde::Deserialize, schemars::JsonSchema)]
    #[serde(crate = "mcp_core::serde")]
    #[schemars(crate = "mcp_core::schemars")]
    struct Local {
        really: bool,
    }

    let known = cx.elicit::<Flat>("Your name?").await?.accepted();
    Ok(known.is_some() && cx.elicit::<Local>("Really?").await?.accepted().is_some_and(|local| local.really))
}

/// Ask too much.
#[tool]
async fn deep(cx: &Context) -> Result<bool, AskError> {
    Ok(cx.elicit::<Deep>("Everything?").await?.accepted().is_some())
}

/// Ask too much for a prompt.
#[prompt]
async fn deep_prompt(cx: &Context) -> Result<String, AskError> {
    Ok(format!("{}", cx.elicit::<Deep>("Everything?").await?.accepted().is_some()))
}

#[derive(Clone)]
struct Set<T>(T);

#[toolset]
impl<T> Set<T>
where
    T: schemars::JsonSchema + serde::de::DeserializeOwned + Clone + Send + Sync + 'static,
{
    /// Ask what the set is for.
    #[tool]
    async fn whatever(&self, cx: &Context) -> Result<bool, AskError> {
        let _: &T = &self.0;
        Ok(cx.elicit::<T>("What?").await?.accepted().is_some())
    }
}

fn faults(server: mcp_core::Builder) -> Vec<String> {
    server.build().map_or_else(|error| error.faults().iter().map(ToString::to_string).collect(), |_| Vec::new())
}

#[test]
fn what_a_form_can_show_is_no_fault() {
    assert_eq!(faults(Server::new("test", "1").tools(tools![flat])), Vec::<String>::new());
}

#[test]
fn a_form_that_is_not_flat_is_a_fault_of_the_function_that_asks() {
    let told = faults(Server::new("test", "1").tools(tools![flat, deep]).prompts(prompts![deep_prompt]));
    assert_eq!(told.len(), 2, "{told:?}");
    let reason = "cannot be asked with a form: the field `inside` is neither text, a number, a flag nor a choice";
    for (told, of) in told.iter().zip(["tool `deep`", "prompt `deep_prompt`"]) {
        assert!(told.starts_with(of) && told.ends_with(reason), "{told}");
    }
}

#[test]
fn the_form_of_a_generic_set_is_that_of_its_type() {
    assert_eq!(faults(Server::new("test", "1").tools(Set(7_u8))).len(), 1, "a number has no fields");
}
