//! The authorization code flow with PKCE: a login of the user in the browser.

use aws_lc_rs::digest::{SHA256, digest};
use data_encoding::BASE64URL_NOPAD;
use url::Url;

use super::client::ClientId;
use super::fetch::Fetcher;
use super::issuer::Issuer;
use super::listener::{Listener, Redirected, check_redirect};
use super::options::Options;
use super::random;
use super::registration::{client_for_login, dynamic};
use super::resource::Resource;
use super::scopes::Scopes;
use super::store::StoredTokens;
use super::token::{TokenRequest, Tokens, plain};
use crate::authorize::AuthorizeError;

/// The scope for refresh tokens.
const OFFLINE: &str = "offline_access";

/// A login at one authorization server for one resource.
pub(super) struct Login<'a> {
    pub(super) options: &'a Options,
    pub(super) fetcher: &'a Fetcher,
    pub(super) issuer: &'a Issuer,
    pub(super) resource: &'a Resource,
    pub(super) scopes: &'a Scopes,
    /// Stored registrations and tokens, of any issuer.
    pub(super) stored: Option<&'a StoredTokens>,
}

/// State and PKCE verifier of one authorization request; the response must match.
struct PkceState {
    state: String,
    verifier: String,
}

impl Login<'_> {
    /// Opens the login page, waits for the redirect, and exchanges its code for tokens.
    pub(super) async fn run(&self) -> Result<(ClientId, Tokens), AuthorizeError> {
        let issuer = self.issuer;
        if !issuer.pkce {
            let message = format!("the authorization server `{}` does not support PKCE with S256", issuer.id);
            return Err(AuthorizeError::new(message));
        }
        let listener = self.listen().await?;
        let redirect = listener.redirect.clone();
        let client = client_for_login(self.options, self.fetcher, issuer, self.stored, &redirect).await?;
        let pkce = PkceState { state: random()?, verifier: random()? };
        let url = self.url(&client, &redirect, &pkce)?;
        let waiting = tokio::time::timeout(self.options.login_timeout, self.visit(url, listener, pkce.state.clone()));
        let redirected = waiting.await.map_err(|_| AuthorizeError::new("nobody logged in before the login timed out"))??;
        let code = self.validate(redirected)?;
        let (fetcher, key) = (self.fetcher, self.options.key());
        let request =
            TokenRequest { fetcher, issuer, client: &client, key, resource: &self.resource.id, scopes: self.scopes };
        let tokens = request.code(code, pkce.verifier, redirect.to_string()).await?;
        Ok((client, tokens))
    }

    /// Listens at the registered redirect URL, otherwise at the configured one.
    async fn listen(&self) -> Result<Listener, AuthorizeError> {
        let registered = dynamic(self.stored, self.issuer).and_then(|client| client.redirect.as_deref());
        let configured = check_redirect(&self.options.redirect)?;
        let registered = registered.and_then(|url| check_redirect(url).ok());
        if let Some(url) = registered.filter(|url| configured.port().is_none() || *url == configured)
            && let Ok(listener) = Listener::bind(&url).await
        {
            return Ok(listener);
        }
        let failed = |error| AuthorizeError::new(format!("cannot listen at the redirect URL `{configured}`")).source(error);
        Listener::bind(&configured).await.map_err(failed)
    }

    fn url(&self, client: &ClientId, redirect: &Url, pkce: &PkceState) -> Result<Url, AuthorizeError> {
        let endpoint = self.issuer.authorization_endpoint.clone();
        let mut url =
            endpoint.ok_or_else(|| AuthorizeError::new("the authorization server has no authorization endpoint"))?;
        let challenge = BASE64URL_NOPAD.encode(digest(&SHA256, pkce.verifier.as_bytes()).as_ref());
        url.query_pairs_mut()
            .append_pair("response_type", "code")
            .append_pair("client_id", &client.id)
            .append_pair("redirect_uri", redirect.as_str())
            .append_pair("state", &pkce.state)
            .append_pair("code_challenge", &challenge)
            .append_pair("code_challenge_method", "S256")
            .append_pair("resource", &self.resource.id);
        let offline = if self.issuer.scopes.contains(OFFLINE) { Scopes::parse(OFFLINE) } else { Scopes::default() };
        if let Some(scope) = self.scopes.union(&offline).parameter() {
            url.query_pairs_mut().append_pair("scope", &scope);
        }
        Ok(url)
    }

    /// Opens the URL and waits for the redirect, which may come before the function that opens the browser returns.
    async fn visit(&self, url: Url, listener: Listener, state: String) -> Result<Redirected, AuthorizeError> {
        let failed = |error| AuthorizeError::new("the redirect URL failed").source(error);
        let mut redirected = std::pin::pin!(listener.wait(state));
        tokio::select! {
            biased;
            redirected = &mut redirected => return redirected.map_err(failed),
            opened = (self.options.browser)(url) => opened?,
        }
        redirected.await.map_err(failed)
    }

    /// Returns the code, if `iss` names the expected issuer (RFC 9207).
    ///
    /// This prevents mix-up attacks. Nothing of a rejected response is shown.
    fn validate(&self, redirected: Redirected) -> Result<String, AuthorizeError> {
        match &redirected.issuer {
            Some(issuer) if *issuer != self.issuer.id => {
                return Err(AuthorizeError::new(
                    "the authorization response comes from another authorization server (`iss` differs)",
                ));
            }
            None if self.issuer.sends_issuer => {
                return Err(AuthorizeError::new("the authorization response does not name its issuer (`iss` is missing)"));
            }
            _ => {}
        }
        if let Some(error) = redirected.error {
            let description = plain(&redirected.error_description.unwrap_or_default(), 200);
            let error = plain(&error, 60);
            return Err(AuthorizeError::new(format!("the authorization server refused the login: {error} {description}")));
        }
        redirected.code.ok_or_else(|| AuthorizeError::new("the authorization response has no code"))
    }
}
