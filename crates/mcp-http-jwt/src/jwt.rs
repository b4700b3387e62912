//! The check of a token.

use std::sync::Arc;
use std::time::Duration;

use jsonwebtoken::errors::ErrorKind;
use jsonwebtoken::{Algorithm, Validation, decode, decode_header};
use mcp_core::Principal;
use mcp_core::transport::BoxFuture;
use mcp_http::{Bearer, TokenError};

use crate::claims::Claims;
use crate::issuer::Issuer;

/// The longest token that is looked at.
const LONGEST: usize = 16 << 10;

/// Takes tokens that an [`Issuer`] signed for one endpoint, and for nobody else.
#[derive(Clone, Debug)]
pub struct Jwt(Arc<Check>);

#[derive(Clone, Debug)]
struct Check {
    audience: String,
    issuer: Issuer,
    leeway: Duration,
}

impl Jwt {
    /// Takes tokens of that issuer whose audience is `audience`: the address of the endpoint, as in
    /// [`Protection::new`](mcp_http::Protection::new).
    pub fn new(audience: impl Into<String>, issuer: Issuer) -> Jwt {
        Jwt(Arc::new(Check { audience: audience.into(), issuer, leeway: Duration::from_secs(30) }))
    }

    /// How far the clocks of issuer and endpoint may be apart: half a minute unless you say otherwise.
    #[must_use]
    pub fn leeway(mut self, leeway: Duration) -> Jwt {
        Arc::make_mut(&mut self.0).leeway = leeway;
        self
    }
}

impl Bearer for Jwt {
    fn principal(&self, token: String) -> BoxFuture<Result<Principal, TokenError>> {
        let check = self.0.clone();
        Box::pin(async move { check.principal(&token).await })
    }
}

impl Check {
    async fn principal(&self, token: &str) -> Result<Principal, TokenError> {
        let header = Some(token).filter(|token| token.len() <= LONGEST).and_then(|token| decode_header(token).ok());
        let header = header.ok_or(TokenError::Invalid)?;
        // A token of another kind, such as one that tells a client who its user is, opens nothing.
        let is_access = |kind: &String| ["jwt", "at+jwt", "application/at+jwt"].contains(&&*kind.to_ascii_lowercase());
        if !header.typ.as_ref().is_none_or(is_access) {
            return Err(TokenError::Invalid);
        }
        let key = self.issuer.keys.find(header.kid.as_deref(), header.alg).await?;
        let decoded = decode::<Claims>(token, &key.key, &self.validation(header.alg));
        let claims = decoded.map_err(|error| match error.kind() {
            ErrorKind::ExpiredSignature => TokenError::Expired,
            _ => TokenError::Invalid,
        })?;
        claims.claims.into_principal().ok_or(TokenError::Invalid)
    }

    fn validation(&self, algorithm: Algorithm) -> Validation {
        let mut validation = Validation::new(algorithm);
        validation.set_issuer(&[&self.issuer.name]);
        validation.set_audience(&[&self.audience]);
        validation.set_required_spec_claims(&["exp", "iss", "aud"]);
        (validation.leeway, validation.validate_nbf) = (self.leeway.as_secs(), true);
        validation
    }
}
