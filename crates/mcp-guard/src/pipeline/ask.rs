//! Asking about a call: a callback of the program, the user of the client, or nobody.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use mcp_core::transport::BoxFuture;
use schemars::JsonSchema;
use serde::Deserialize;

use super::invocation::Invocation;
use super::stage::HookOptions;

/// The time limit for an answer.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(300);

type Callback = dyn Fn(Invocation, String) -> BoxFuture<bool> + Send + Sync;

/// Who is asked about a call.
#[derive(Clone, Default)]
pub(crate) enum AskMethod {
    #[default]
    Nobody,
    Callback(Arc<Callback>),
    Client,
}

/// The form that the user of the client fills in.
#[derive(Deserialize, JsonSchema)]
struct Permission {
    /// whether this call may run
    allow: bool,
}

impl AskMethod {
    pub(crate) fn callback(decide: impl Fn(Invocation, String) -> BoxFuture<bool> + Send + Sync + 'static) -> Self {
        Self::Callback(Arc::new(decide))
    }

    pub(crate) fn client() -> Self {
        Self::Client
    }

    /// Asks about a call. Returns whether the answer allows it, or an error with the reason why there is no answer.
    pub(crate) async fn ask(&self, call: &Invocation, reason: String) -> Result<bool, String> {
        let options = HookOptions::new().timeout(ANSWER_TIMEOUT);
        match self {
            Self::Nobody => {
                Err(format!("permission is required ({reason}), but nobody can be asked: set `ask` or `ask_client`"))
            }
            Self::Callback(decide) => options.run("question", call.context(), decide(call.clone(), reason)).await,
            Self::Client => {
                let message = question(call, &reason);
                match options.run("question", call.context(), call.context().elicit::<Permission>(message)).await? {
                    Ok(answer) => Ok(answer.accepted().is_some_and(|permission| permission.allow)),
                    Err(error) => Err(format!("nobody can be asked for permission: {error}")),
                }
            }
        }
    }
}

/// Returns the question for the user. It shows the arguments, because the user decides about exactly this call.
fn question(call: &Invocation, reason: &str) -> String {
    format!("Allow `{}` with {}? ({reason})", call.tool, call.arguments)
}

impl fmt::Debug for AskMethod {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Nobody => "Nobody",
            Self::Callback(_) => "Callback(..)",
            Self::Client => "Client",
        })
    }
}
