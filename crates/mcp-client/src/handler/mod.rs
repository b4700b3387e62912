//! The handler of server requests: elicitation, sampling and roots.

mod answer;
mod closures;
mod question;

use mcp_core::Elicited;
use mcp_core::ask::Root;
use mcp_core::protocol::Revision;
use mcp_core::transport::RpcError;
use serde_json::{Map, Value, json};

use self::answer::unsupported;
use crate::transport::Boxed;

pub(crate) use self::closures::Closures;
pub use self::question::{Elicitation, ElicitationMode, Sample, SampleRequest};

/// Answers the requests of a server to its client.
///
/// Implement it for a user interface, or pass closures to [`Builder::on_elicit`](crate::Builder::on_elicit),
/// [`Builder::on_sample`](crate::Builder::on_sample) and [`Builder::roots`](crate::Builder::roots). The same methods answer the
/// requests of revisions with a handshake and the `input_required` results of 2026-07-28.
///
/// A server is not trusted: show the user its request and its name.
pub trait Handler: Send + Sync + 'static {
    /// Returns the capabilities that the client declares. Other requests are refused.
    fn capabilities(&self) -> Capabilities;

    /// Asks the user, with a form or by opening a page. The default declines.
    ///
    /// Fields that an accepted form leaves out get the defaults of the form.
    fn elicit(&self, elicitation: Elicitation) -> Boxed<'_, Result<Elicited<Map<String, Value>>, RpcError>> {
        let _ = elicitation;
        Box::pin(async { Ok(Elicited::Declined) })
    }

    /// Asks a model. The default refuses.
    fn sample(&self, request: SampleRequest) -> Boxed<'_, Result<Sample, RpcError>> {
        let _ = request;
        Box::pin(async { Err(unsupported("sampling/createMessage")) })
    }

    /// Returns the folders that the user works in. The default has none.
    fn roots(&self) -> Boxed<'_, Result<Vec<Root>, RpcError>> {
        Box::pin(async { Ok(Vec::new()) })
    }
}

/// The capabilities of a [`Handler`].
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Capabilities {
    /// The handler can show a form to the user.
    pub elicit_form: bool,
    /// The handler can open a page for the user.
    pub elicit_url: bool,
    /// The handler can call a model.
    pub sample: bool,
    /// The model can use tools.
    pub sample_tools: bool,
    /// The handler can list the folders that the user works in.
    pub roots: bool,
    /// Extensions, by name.
    pub extensions: Map<String, Value>,
}

impl Capabilities {
    /// No capabilities.
    pub fn none() -> Capabilities {
        Capabilities::default()
    }

    /// Returns the capabilities as JSON, in the format of a revision.
    pub(crate) fn to_json(&self, revision: Revision) -> Value {
        let mut json = json!({});
        if (self.elicit_form || self.elicit_url) && revision >= Revision::V2025_06_18 {
            // Since 2025-11-25 the capability names its modes.
            let modes = [("form", self.elicit_form), ("url", self.elicit_url)].into_iter();
            let modes = modes.filter(|(_, can)| *can && revision >= Revision::V2025_11_25);
            json["elicitation"] = modes.map(|(mode, _)| (mode.to_owned(), json!({}))).collect();
        }
        if self.sample {
            let tools = self.sample_tools && revision >= Revision::V2025_11_25;
            json["sampling"] = if tools { json!({"tools": {}}) } else { json!({}) };
        }
        if self.roots {
            json["roots"] = if revision.is_stateless() { json!({}) } else { json!({"listChanged": true}) };
        }
        if !self.extensions.is_empty() {
            json["extensions"] = Value::Object(self.extensions.clone());
        }
        json
    }
}
