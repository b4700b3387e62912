//! Who a session is with, where its transport knows.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

/// Who a request comes from: a transport that authenticates its clients says so, and tools read it with
/// [`Context::principal`](crate::Context::principal).
///
/// What must not be shared by clients (tasks, sessions, what travels sealed with them) belongs to its [owner](Principal::owner).
/// Where nobody is authenticated, as over standard input, there is no principal: whoever started the program may do everything.
///
/// ```
/// use mcp_core::Principal;
///
/// let ada = Principal::new("https://issuer.example ada").scopes(["files:read"]);
/// assert!(ada.has_scope("files:read") && !ada.has_scope("files:write"));
/// ```
#[derive(Clone)]
pub struct Principal(Arc<Known>);

#[derive(Clone)]
struct Known {
    owner: Box<str>,
    scopes: Vec<Box<str>>,
    details: Option<Arc<dyn Any + Send + Sync>>,
}

impl Principal {
    /// One that is told from all others by `owner`, an opaque text: the same for the same client, and for no other.
    pub fn new(owner: impl Into<String>) -> Principal {
        Principal(Arc::new(Known { owner: owner.into().into(), scopes: Vec::new(), details: None }))
    }

    /// What it may do.
    #[must_use]
    pub fn scopes<S: Into<String>>(mut self, scopes: impl IntoIterator<Item = S>) -> Principal {
        Arc::make_mut(&mut self.0).scopes.extend(scopes.into_iter().map(|scope| scope.into().into()));
        self
    }

    /// What else is known of it, such as the claims of its token. Tools get it back with [`Principal::details`].
    #[must_use]
    pub fn with_details<T: Any + Send + Sync>(mut self, details: T) -> Principal {
        Arc::make_mut(&mut self.0).details = Some(Arc::new(details));
        self
    }

    /// The text that tells it from all others.
    pub fn owner(&self) -> &str {
        &self.0.owner
    }

    /// Whether it may do what that scope stands for.
    pub fn has_scope(&self, scope: &str) -> bool {
        self.0.scopes.iter().any(|known| **known == *scope)
    }

    /// What else is known of it, if that is a `T`.
    pub fn details<T: Any>(&self) -> Option<&T> {
        self.0.details.as_deref()?.downcast_ref()
    }
}

/// Says nothing of the details, which may be secret.
impl fmt::Debug for Principal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Principal").field("owner", &self.0.owner).field("scopes", &self.0.scopes).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_principal_is_what_its_transport_says_and_its_details_stay_out_of_the_log() {
        let ada = Principal::new("ada").scopes(["read"]).with_details("secret");
        let more = ada.clone().scopes(["write"]);
        assert_eq!((more.owner(), more.has_scope("write"), ada.has_scope("write")), ("ada", true, false));
        assert_eq!((ada.details::<&str>(), ada.details::<String>()), (Some(&"secret"), None));
        assert_eq!(format!("{ada:?}"), r#"Principal { owner: "ada", scopes: ["read"], .. }"#);
    }
}
