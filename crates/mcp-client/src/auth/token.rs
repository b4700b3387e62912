//! Requests to the token endpoint.

use std::time::{SystemTime, UNIX_EPOCH};

use reqwest::StatusCode;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::client::ClientId;
use super::fetch::Fetcher;
use super::issuer::Issuer;
use super::private_key::PrivateKey;
use super::scopes::Scopes;
use super::secret::Secret;
use crate::authorize::{AuthorizeError, Credentials};

const TOKEN_RESPONSE: &str = "response of the token endpoint";

/// A token is refreshed this many seconds before it expires, or in the last quarter of its lifetime if that is shorter.
const REFRESH_MARGIN: u64 = 30;

/// The tokens for one MCP server.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Tokens {
    pub(super) access: Secret,
    pub(super) refresh: Option<Secret>,
    /// When the token was issued, in seconds since 1970.
    pub(super) issued_at: u64,
    pub(super) expires_at: Option<u64>,
    /// The scopes that were requested.
    pub(super) scopes: Scopes,
    /// Whether the token was obtained with a refresh token. If the server refuses such a token, a new one is requested.
    pub(super) refreshed: bool,
}

impl Tokens {
    /// Returns whether the token need not be refreshed yet.
    pub(super) fn is_fresh(&self) -> bool {
        self.is_fresh_at(now())
    }

    fn is_fresh_at(&self, now: u64) -> bool {
        self.expires_at.is_none_or(|expires| {
            let early = REFRESH_MARGIN.min(expires.saturating_sub(self.issued_at) / 4);
            // If the clock was set back after the token was issued, it is not known when the token expires.
            self.issued_at <= now && now.saturating_add(early) < expires
        })
    }

    /// Returns whether the token was issued less than this many seconds ago. Not if the clock was set back since.
    pub(super) fn is_younger_than(&self, seconds: u64) -> bool {
        now().checked_sub(self.issued_at).is_some_and(|age| age < seconds)
    }
}

/// The parties of a token request: client, authorization server and MCP server.
pub(super) struct TokenRequest<'a> {
    pub(super) fetcher: &'a Fetcher,
    pub(super) issuer: &'a Issuer,
    pub(super) client: &'a ClientId,
    pub(super) key: Option<&'a PrivateKey>,
    pub(super) resource: &'a str,
    pub(super) scopes: &'a Scopes,
}

/// An error of a token request.
#[derive(Debug)]
pub(super) enum TokenError {
    /// The authorization server refused with this error code.
    Refused(String),
    Failed(AuthorizeError),
}

impl From<TokenError> for AuthorizeError {
    fn from(error: TokenError) -> AuthorizeError {
        match error {
            TokenError::Refused(code) => {
                AuthorizeError::new(format!("the authorization server refused to issue a token: {code}"))
            }
            TokenError::Failed(error) => error,
        }
    }
}

impl TokenRequest<'_> {
    /// Exchanges an authorization code for tokens.
    pub(super) async fn code(&self, code: String, verifier: String, redirect: String) -> Result<Tokens, TokenError> {
        self.send("authorization_code", vec![("code", code), ("code_verifier", verifier), ("redirect_uri", redirect)]).await
    }

    /// Requests a token with the client credentials grant.
    pub(super) async fn client_credentials(&self) -> Result<Tokens, TokenError> {
        self.send("client_credentials", self.scopes.parameter().map(|scope| ("scope", scope)).into_iter().collect()).await
    }

    /// Exchanges a refresh token for tokens. The refresh token is kept if the server does not send a new one.
    pub(super) async fn refresh(&self, refresh: &Secret) -> Result<Tokens, TokenError> {
        let mut tokens = self.send("refresh_token", vec![("refresh_token", refresh.expose().to_owned())]).await?;
        tokens.refreshed = true;
        tokens.refresh.get_or_insert_with(|| refresh.clone());
        Ok(tokens)
    }

    async fn send(&self, grant: &str, fields: Vec<(&str, String)>) -> Result<Tokens, TokenError> {
        let mut form = vec![("grant_type", grant.to_owned()), ("resource", self.resource.to_owned())];
        form.extend(fields);
        let authorization = self.client.authenticate(self.issuer, self.key, &mut form).map_err(TokenError::Failed)?;
        let sent = self.fetcher.post_form(TOKEN_RESPONSE, &self.issuer.token_endpoint, &form, authorization).await;
        let (status, body) = sent.map_err(TokenError::Failed)?;
        if !status.is_success() {
            return Err(refusal(status, &body));
        }
        read(&body, self.scopes).map_err(TokenError::Failed)
    }
}

#[derive(Deserialize)]
struct Response {
    access_token: Secret,
    token_type: String,
    /// A number of seconds. Some servers send it as a string.
    #[serde(default)]
    expires_in: Value,
    refresh_token: Option<Secret>,
}

fn read(body: &[u8], scopes: &Scopes) -> Result<Tokens, AuthorizeError> {
    // The error of serde is not shown, because it could contain the token.
    let response = serde_json::from_slice::<Response>(body);
    let response = response.map_err(|_| AuthorizeError::new(format!("the {TOKEN_RESPONSE} is invalid")))?;
    if !response.token_type.eq_ignore_ascii_case("bearer") {
        return Err(AuthorizeError::new("the authorization server issued a token that is not a bearer token"));
    }
    Credentials::bearer(response.access_token.expose())?;
    let lifetime = match &response.expires_in {
        Value::String(text) => text.parse().ok(),
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "casts of floats saturate")]
        number => number.as_f64().map(|seconds| seconds as u64),
    };
    let now = now();
    Ok(Tokens {
        access: response.access_token,
        refresh: response.refresh_token,
        issued_at: now,
        expires_at: lifetime.map(|seconds: u64| now.saturating_add(seconds)),
        scopes: scopes.clone(),
        refreshed: false,
    })
}

/// Returns the error of a response. Only its code is shown, because the description could repeat a secret of the request.
fn refusal(status: StatusCode, body: &[u8]) -> TokenError {
    #[derive(Deserialize)]
    struct Refusal {
        error: String,
    }
    match serde_json::from_slice::<Refusal>(body) {
        Ok(refusal) if status.is_client_error() => TokenError::Refused(plain(&refusal.error, 60)),
        _ => TokenError::Failed(AuthorizeError::new(format!("the token endpoint answered with status {status}"))),
    }
}

/// Returns the beginning of a text from a server, without control characters.
pub(super) fn plain(text: &str, length: usize) -> String {
    text.chars().filter(|character| !character.is_control()).take(length).collect()
}

/// Returns the time in seconds since 1970.
pub(super) fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_fresh_neither_shortly_before_it_expires_nor_before_it_was_issued() {
        let mut tokens = read(br#"{"access_token":"a","token_type":"bearer"}"#, &Scopes::default()).unwrap();
        (tokens.issued_at, tokens.expires_at) = (1000, Some(1600));
        // The last two are a clock that was set back by a second and by years.
        for (now, expected) in [(1000, true), (1569, true), (1570, false), (9999, false), (999, false), (1, false)] {
            assert_eq!(tokens.is_fresh_at(now), expected, "{now}");
        }
        tokens.expires_at = None;
        assert!(tokens.is_fresh_at(1) && tokens.is_fresh_at(9999));
    }

    #[test]
    fn the_lifetime_may_be_a_number_or_a_text() {
        for (expires, expected) in
            [("60", Some(60)), ("\"60\"", Some(60)), ("60.5", Some(60)), ("null", None), ("-1", Some(0))]
        {
            let body = format!(r#"{{"access_token":"a","token_type":"bearer","expires_in":{expires}}}"#);
            let tokens = read(body.as_bytes(), &Scopes::default()).unwrap();
            assert_eq!(tokens.expires_at.map(|at| at - tokens.issued_at), expected, "{expires}");
        }
    }

    #[test]
    fn tokens_of_another_type_and_illegal_tokens_are_refused() {
        for body in [
            r#"{"access_token":"a","token_type":"DPoP"}"#,
            r#"{"access_token":"a\nb","token_type":"bearer"}"#,
            r#"{"token_type":"bearer"}"#,
            "",
        ] {
            let error = read(body.as_bytes(), &Scopes::default()).unwrap_err();
            assert!(!error.to_string().contains("a\nb"));
        }
    }
}
