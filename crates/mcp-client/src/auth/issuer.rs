//! Metadata of an authorization server (RFC 8414 and OpenID Connect Discovery).

use serde::Deserialize;
use url::Url;

use super::fetch::Fetcher;
use super::resource::at;
use super::scopes::Scopes;
use crate::authorize::AuthorizeError;

const METADATA: &str = "authorization server metadata";

/// An authorization server whose metadata was validated.
#[derive(Clone, Debug)]
pub(super) struct Issuer {
    /// The issuer identifier. It is compared as text.
    pub(super) id: String,
    /// Whether the MCP server is its own authorization server, as in revision 2025-03-26.
    pub(super) legacy: bool,
    pub(super) authorization_endpoint: Option<Url>,
    pub(super) token_endpoint: Url,
    pub(super) registration_endpoint: Option<Url>,
    /// The supported methods of client authentication. `None` if the metadata has no list of them.
    pub(super) client_auth: Option<Vec<String>>,
    /// Whether the server supports PKCE with S256.
    pub(super) pkce: bool,
    /// Whether a client id may be the URL of a metadata document.
    pub(super) client_documents: bool,
    /// Whether every authorization response has the parameter `iss` (RFC 9207).
    pub(super) sends_issuer: bool,
    pub(super) scopes: Scopes,
}

#[derive(Deserialize)]
struct Document {
    issuer: String,
    authorization_endpoint: Option<String>,
    token_endpoint: String,
    registration_endpoint: Option<String>,
    token_endpoint_auth_methods_supported: Option<Vec<String>>,
    #[serde(default)]
    code_challenge_methods_supported: Vec<String>,
    #[serde(default)]
    client_id_metadata_document_supported: bool,
    #[serde(default)]
    authorization_response_iss_parameter_supported: bool,
    #[serde(default)]
    scopes_supported: Vec<String>,
}

impl Issuer {
    /// Gets the metadata of an issuer from the first well-known URL that has it.
    pub(super) async fn discover(fetcher: &Fetcher, id: &str) -> Result<Issuer, AuthorizeError> {
        let url = fetcher.check("authorization server", id)?;
        if url.query().is_some() {
            return Err(AuthorizeError::new(format!("the issuer `{url}` must have no query")));
        }
        for url in well_known(&url) {
            if let Some(document) = fetcher.get::<Document>(METADATA, &url).await? {
                return document.validate(fetcher, id, false);
            }
        }
        Err(AuthorizeError::new(format!("the authorization server `{url}` has no metadata")))
    }

    /// Returns the authorization server of an MCP server of 2025-03-26: its own origin. Without metadata it has default endpoints.
    pub(super) async fn legacy(fetcher: &Fetcher, server: &Url) -> Result<Issuer, AuthorizeError> {
        let id = server.origin().ascii_serialization();
        let origin = fetcher.check("authorization server", &id)?;
        for url in well_known(&origin) {
            if let Some(mut document) = fetcher.get::<Document>(METADATA, &url).await? {
                // This identifier was derived from the URL, so a trailing slash is ignored.
                document.issuer.truncate(document.issuer.trim_end_matches('/').len());
                return document.validate(fetcher, &id, true);
            }
        }
        Ok(Issuer {
            id,
            legacy: true,
            authorization_endpoint: Some(at(&origin, "/authorize")),
            token_endpoint: at(&origin, "/token"),
            registration_endpoint: Some(at(&origin, "/register")),
            client_auth: None,
            // Revision 2025-03-26 requires PKCE of every server.
            pkce: true,
            client_documents: false,
            sends_issuer: false,
            scopes: Scopes::default(),
        })
    }
}

impl Document {
    /// Checks that the metadata names the requested issuer. Otherwise another issuer could collect codes and secrets.
    fn validate(self, fetcher: &Fetcher, id: &str, legacy: bool) -> Result<Issuer, AuthorizeError> {
        if self.issuer != id {
            let named: String = self.issuer.chars().take(200).collect();
            return Err(AuthorizeError::new(format!("the {METADATA} of `{id}` names another issuer: `{named}`")));
        }
        let endpoint = |what, url: Option<String>| url.map(|url| fetcher.check(what, &url)).transpose();
        Ok(Issuer {
            id: self.issuer,
            legacy,
            authorization_endpoint: endpoint("authorization endpoint", self.authorization_endpoint)?,
            token_endpoint: fetcher.check("token endpoint", &self.token_endpoint)?,
            registration_endpoint: endpoint("registration endpoint", self.registration_endpoint)?,
            client_auth: self.token_endpoint_auth_methods_supported,
            pkce: self.code_challenge_methods_supported.iter().any(|method| method == "S256"),
            client_documents: self.client_id_metadata_document_supported,
            sends_issuer: self.authorization_response_iss_parameter_supported,
            scopes: Scopes::of(self.scopes_supported.iter().map(String::as_str)),
        })
    }
}

/// Returns the metadata URLs, in the order that MCP defines.
fn well_known(issuer: &Url) -> Vec<Url> {
    let path = issuer.path().trim_end_matches('/');
    let mut paths = vec![
        format!("/.well-known/oauth-authorization-server{path}"),
        format!("/.well-known/openid-configuration{path}"),
        format!("{path}/.well-known/openid-configuration"),
    ];
    paths.dedup();
    paths.iter().map(|path| at(issuer, path)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_places_depend_on_the_path_of_the_issuer() {
        let urls =
            |text: &str| well_known(&Url::parse(text).unwrap()).iter().map(|url| url.path().to_owned()).collect::<Vec<_>>();
        assert_eq!(
            urls("https://example.com/tenant"),
            [
                "/.well-known/oauth-authorization-server/tenant",
                "/.well-known/openid-configuration/tenant",
                "/tenant/.well-known/openid-configuration"
            ]
        );
        let root = ["/.well-known/oauth-authorization-server", "/.well-known/openid-configuration"];
        assert_eq!(urls("https://example.com"), root);
        assert_eq!(urls("https://example.com/"), root);
    }
}
