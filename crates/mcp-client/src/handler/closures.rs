//! A handler made of closures.

use std::fmt;
use std::sync::Arc;

use mcp_core::Elicited;
use mcp_core::ask::Root;
use mcp_core::transport::RpcError;
use serde_json::{Map, Value};

use super::answer::unsupported;
use super::{Capabilities, Elicitation, Handler, Sample, SampleRequest};
use crate::transport::Boxed;

type Elicit = Arc<dyn Fn(Elicitation) -> Boxed<'static, Result<Elicited<Map<String, Value>>, RpcError>> + Send + Sync>;
type Sampler = Arc<dyn Fn(SampleRequest) -> Boxed<'static, Result<Sample, RpcError>> + Send + Sync>;

/// A handler made of closures.
#[derive(Clone, Default)]
pub(crate) struct Closures {
    elicit: Option<Elicit>,
    sample: Option<Sampler>,
    roots: Option<Vec<Root>>,
    capabilities: Capabilities,
}

impl Closures {
    pub(crate) fn on_elicit<F, R>(&mut self, elicit: F)
    where
        F: Fn(Elicitation) -> R + Send + Sync + 'static,
        R: Future<Output = Result<Elicited<Map<String, Value>>, RpcError>> + Send + 'static,
    {
        (self.capabilities.elicit_form, self.capabilities.elicit_url) = (true, true);
        self.elicit = Some(Arc::new(move |elicitation| Box::pin(elicit(elicitation))));
    }

    pub(crate) fn on_sample<F, R>(&mut self, sample: F)
    where
        F: Fn(SampleRequest) -> R + Send + Sync + 'static,
        R: Future<Output = Result<Sample, RpcError>> + Send + 'static,
    {
        self.capabilities.sample = true;
        self.sample = Some(Arc::new(move |request| Box::pin(sample(request))));
    }

    pub(crate) fn set_roots(&mut self, roots: Vec<Root>) {
        self.capabilities.roots = true;
        self.roots = Some(roots);
    }
}

impl Handler for Closures {
    fn capabilities(&self) -> Capabilities {
        self.capabilities.clone()
    }

    fn elicit(&self, elicitation: Elicitation) -> Boxed<'_, Result<Elicited<Map<String, Value>>, RpcError>> {
        match &self.elicit {
            Some(elicit) => elicit(elicitation),
            None => Box::pin(async { Ok(Elicited::Declined) }),
        }
    }

    fn sample(&self, request: SampleRequest) -> Boxed<'_, Result<Sample, RpcError>> {
        match &self.sample {
            Some(sample) => sample(request),
            None => Box::pin(async { Err(unsupported("sampling/createMessage")) }),
        }
    }

    fn roots(&self) -> Boxed<'_, Result<Vec<Root>, RpcError>> {
        Box::pin(async { Ok(self.roots.clone().unwrap_or_default()) })
    }
}

impl fmt::Debug for Closures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Closures").field("capabilities", &self.capabilities).finish_non_exhaustive()
    }
}
