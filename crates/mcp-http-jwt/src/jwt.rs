//! Validates tokens.

use std::sync::Arc;
use std::time::Duration;

use jsonwebtoken::errors::ErrorKind;
use jsonwebtoken::{Algorithm, Validation, decode, decode_header};
use mcp_core::Principal;
use mcp_core::transport::BoxFuture;
use mcp_http::{Bearer, TokenError};

use crate::claims::Claims;
use crate::issuer::Issuer;

/// Maximum number of bytes of a token.
const MAX_TOKEN: usize = 16 << 10;

/// Accepts tokens that an [`Issuer`] has signed for one endpoint.
#[derive(Clone, Debug)]
pub struct Jwt(Arc<Check>);

#[derive(Clone, Debug)]
struct Check {
    audience: String,
    issuer: Issuer,
    leeway: Duration,
}

impl Jwt {
    /// Accepts tokens of `issuer` whose audience is `audience`: the URL of the endpoint, as in
    /// [`Protection::new`](mcp_http::Protection::new).
    pub fn new(audience: impl Into<String>, issuer: Issuer) -> Jwt {
        Jwt(Arc::new(Check { audience: audience.into(), issuer, leeway: Duration::from_secs(30) }))
    }

    /// Sets the tolerated difference between the clocks of issuer and endpoint. The default is 30 seconds.
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
        let header = Some(token).filter(|token| token.len() <= MAX_TOKEN).and_then(|token| decode_header(token).ok());
        let header = header.ok_or(TokenError::Invalid)?;
        // Rejects tokens of other types, such as ID tokens, which are meant for clients.
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
