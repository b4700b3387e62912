//! Tools that ask the user and the client's model: elicitation and sampling. This is the code of `docs/asking.md`; a test
//! compares the two. A call from the command line cannot ask a user, so the second command prints an error.
//!
//! ```sh
//! cargo run --example asking -- tools
//! cargo run --example asking -- call delete folder=old
//! ```

use std::process::ExitCode;

use mcp_core::ask::Sampling;
use mcp_core::protocol::PromptMessage;
use mcp_core::{AskError, Builder, Context, Elicited, Server, ToolError, json_type, tool, tools};
use mcp_seal::{Key, Sealer};

#[json_type]
struct Confirmation {
    /// type the name of the folder to confirm
    name: String,
}

/// Delete a folder.
#[tool(destructive, requires = [elicitation])]
async fn delete(folder: String, cx: &Context) -> Result<String, AskError> {
    Ok(match cx.elicit::<Confirmation>(format!("Delete {folder} and all that is in it?")).await? {
        Elicited::Accepted(confirmation) if confirmation.name == folder => format!("deleted {folder}"),
        Elicited::Accepted(_) => "the names differ, so nothing was deleted".to_owned(),
        _ => "nothing was deleted".to_owned(),
    })
}

/// Name a colour for a mood.
#[tool]
async fn colour(mood: String, cx: &Context) -> Result<String, ToolError> {
    let question = Sampling::new([PromptMessage::user(format!("One colour for this mood, please: {mood}"))], 20);
    match cx.sample(question).await {
        Ok(answer) => Ok(answer.to_text()),
        Err(AskError::Unsupported { .. }) => Ok("grey".to_owned()),
        Err(error) => Err(error.into()),
    }
}

pub fn server() -> Builder {
    let seal = match std::env::var("SEAL_KEY") {
        Ok(key) => Key::from_hex(&key),
        Err(_) => Key::random(),
    };
    let seal = Sealer::new(seal.expect("SEAL_KEY is 64 digits from 0 to f"));
    Server::builder("asking", env!("CARGO_PKG_VERSION")).tools(tools![delete, colour]).seal(seal)
}

fn main() -> ExitCode {
    mcp_stdio::run(server())
}
