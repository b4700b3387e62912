//! The authenticated identity of a client.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

/// The authenticated identity of the client that sent a request.
///
/// A transport that authenticates its clients sets it, and tools read it with
/// [`Context::principal`](crate::Context::principal). Tasks, sessions and sealed state belong to an
/// [owner](Principal::owner), and other owners cannot use them. A transport without authentication, such as stdio, sets no
/// principal: its client has all permissions.
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
    /// Creates a principal. `owner` is an opaque text that identifies it: different clients must have different owners.
    pub fn new(owner: impl Into<String>) -> Principal {
        Principal(Arc::new(Known { owner: owner.into().into(), scopes: Vec::new(), details: None }))
    }

    /// Adds scopes, the permissions of the principal.
    #[must_use]
    pub fn scopes<S: Into<String>>(mut self, scopes: impl IntoIterator<Item = S>) -> Principal {
        Arc::make_mut(&mut self.0).scopes.extend(scopes.into_iter().map(|scope| scope.into().into()));
        self
    }

    /// Attaches any other data, such as the claims of the token. Tools read it with [`Principal::details`].
    #[must_use]
    pub fn with_details<T: Any + Send + Sync>(mut self, details: T) -> Principal {
        Arc::make_mut(&mut self.0).details = Some(Arc::new(details));
        self
    }

    /// Returns the text that identifies the principal.
    pub fn owner(&self) -> &str {
        &self.0.owner
    }

    /// Returns whether the principal has this scope.
    pub fn has_scope(&self, scope: &str) -> bool {
        self.0.scopes.iter().any(|known| **known == *scope)
    }

    /// Returns the data that was attached with [`Principal::with_details`], if it is a `T`.
    pub fn details<T: Any>(&self) -> Option<&T> {
        self.0.details.as_deref()?.downcast_ref()
    }
}

/// Does not print the details: they may be secret.
impl fmt::Debug for Principal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Principal").field("owner", &self.0.owner).field("scopes", &self.0.scopes).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scopes_and_details_can_be_read_and_debug_output_hides_the_details() {
        let ada = Principal::new("ada").scopes(["read"]).with_details("secret");
        let more = ada.clone().scopes(["write"]);
        assert_eq!((more.owner(), more.has_scope("write"), ada.has_scope("write")), ("ada", true, false));
        assert_eq!((ada.details::<&str>(), ada.details::<String>()), (Some(&"secret"), None));
        assert_eq!(format!("{ada:?}"), r#"Principal { owner: "ada", scopes: ["read"], .. }"#);
    }
}
