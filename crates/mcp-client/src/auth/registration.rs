//! Chooses the client id for an authorization server, in the order that MCP defines: registered, document, dynamic.

use serde::{Deserialize, Serialize};
use url::Url;

use super::client::{ClientId, Method, RegisteredClient};
use super::fetch::Fetcher;
use super::issuer::Issuer;
use super::options::Options;
use super::secret::Secret;
use super::store::StoredTokens;
use super::token::{now, plain};
use crate::authorize::AuthorizeError;

const REGISTRATION: &str = "client registration";

/// Returns the client id for a login with the browser.
pub(super) async fn client_for_login(
    options: &Options,
    fetcher: &Fetcher,
    issuer: &Issuer,
    stored: Option<&StoredTokens>,
    redirect: &Url,
) -> Result<ClientId, AuthorizeError> {
    if let Some(client) = &options.client {
        return registered(client, issuer, stored);
    }
    if let Some(document) = options.document.as_ref().filter(|_| issuer.client_documents) {
        return Ok(ClientId::known(document.clone(), None, Method::None));
    }
    if let Some(client) = dynamic(stored, issuer).filter(|client| client.redirect.as_deref() == Some(redirect.as_str())) {
        return Ok(client.clone());
    }
    match &issuer.registration_endpoint {
        Some(endpoint) => register(options, fetcher, issuer, endpoint, redirect).await,
        None => Err(AuthorizeError::new(format!(
            "the authorization server `{}` does not register clients: register one there and pass it to `OAuth::client`",
            issuer.id
        ))),
    }
}

/// Returns the id of a client that was registered beforehand, after a check that it belongs to this authorization server.
pub(super) fn registered(
    client: &RegisteredClient,
    issuer: &Issuer,
    stored: Option<&StoredTokens>,
) -> Result<ClientId, AuthorizeError> {
    let before = stored.filter(|stored| stored.client.id == client.id).map(|stored| &stored.issuer);
    if let Some(other) = client.issuer.as_ref().or(before).filter(|expected| **expected != issuer.id) {
        return Err(AuthorizeError::new(format!(
            "the client `{}` is registered at `{other}`, but the server now names the authorization server `{}`",
            client.id, issuer.id
        )));
    }
    let method = match (&client.key, &client.secret) {
        (Some(_), _) => Method::PrivateKey,
        (None, Some(_)) => Method::for_secret(issuer),
        (None, None) => Method::None,
    };
    Ok(ClientId::known(client.id.clone(), client.secret.clone(), method))
}

/// Returns the client id of an earlier dynamic registration at the issuer, if it has not expired.
pub(super) fn dynamic<'a>(stored: Option<&'a StoredTokens>, issuer: &Issuer) -> Option<&'a ClientId> {
    let client = &stored.filter(|stored| stored.issuer == issuer.id)?.client;
    (client.redirect.is_some() && client.expires_at.is_none_or(|expires| now() < expires)).then_some(client)
}

#[derive(Serialize)]
struct Request<'a> {
    client_name: &'a str,
    redirect_uris: [&'a str; 1],
    grant_types: [&'a str; 2],
    response_types: [&'a str; 1],
    token_endpoint_auth_method: &'a str,
    /// Always `native`: without `application_type`, OpenID Connect servers refuse redirects to this machine.
    application_type: &'a str,
}

#[derive(Deserialize)]
struct Response {
    client_id: String,
    client_secret: Option<Secret>,
    token_endpoint_auth_method: Option<String>,
    /// When the secret expires, in seconds since 1970; 0 means never.
    #[serde(default)]
    client_secret_expires_at: u64,
}

/// Registers the client (RFC 7591).
async fn register(
    options: &Options,
    fetcher: &Fetcher,
    issuer: &Issuer,
    endpoint: &Url,
    redirect: &Url,
) -> Result<ClientId, AuthorizeError> {
    let supports =
        |method: &Method| issuer.client_auth.as_ref().is_none_or(|list| list.iter().any(|name| name == method.name()));
    let method = [Method::None, Method::Basic, Method::Post].into_iter().find(supports).unwrap_or(Method::None);
    let request = Request {
        client_name: &options.name,
        redirect_uris: [redirect.as_str()],
        grant_types: ["authorization_code", "refresh_token"],
        response_types: ["code"],
        token_endpoint_auth_method: method.name(),
        application_type: "native",
    };
    let (status, body) = fetcher.post_json(REGISTRATION, endpoint, &request).await?;
    if !status.is_success() {
        return Err(refusal(issuer, status.as_u16(), &body));
    }
    // The error of serde is not shown, because it could contain the secret.
    let response = serde_json::from_slice::<Response>(&body);
    let response = response.map_err(|_| AuthorizeError::new(format!("the {REGISTRATION} of `{}` is invalid", issuer.id)))?;
    let method = match (&response.token_endpoint_auth_method, &response.client_secret) {
        (Some(name), _) => Method::parse(name),
        (None, Some(_)) => Some(Method::for_secret(issuer)),
        (None, None) => Some(Method::None),
    };
    let has_secret = response.client_secret.is_some();
    let method = method.filter(|method| *method == Method::None || (has_secret && *method != Method::PrivateKey));
    let method = method.ok_or_else(|| {
        AuthorizeError::new(format!(
            "`{}` registered the client with an authentication method that is not supported",
            issuer.id
        ))
    })?;
    let expires_at = Some(response.client_secret_expires_at).filter(|at| *at > 0 && has_secret);
    let redirect = Some(redirect.to_string());
    Ok(ClientId { id: response.client_id, secret: response.client_secret, method, redirect, expires_at })
}

fn refusal(issuer: &Issuer, status: u16, body: &[u8]) -> AuthorizeError {
    #[derive(Default, Deserialize)]
    #[serde(default)]
    struct Refusal {
        error: String,
        error_description: String,
    }
    let refusal = serde_json::from_slice::<Refusal>(body).unwrap_or_default();
    AuthorizeError::new(format!(
        "`{}` refused to register the client (status {status}) {}: {}",
        issuer.id,
        plain(&refusal.error, 60),
        plain(&refusal.error_description, 200)
    ))
}
