//! Protected resource metadata (RFC 9728): which authorization servers an MCP server trusts.

use serde::Deserialize;
use url::Url;

use super::fetch::Fetcher;
use super::scopes::Scopes;
use crate::authorize::AuthorizeError;

const METADATA: &str = "protected resource metadata";

/// The maximum number of authorization servers that are considered.
const MOST_ISSUERS: usize = 20;

/// The validated metadata of an MCP server.
#[derive(Debug)]
pub(super) struct Resource {
    /// The identifier that tokens are requested for.
    pub(super) id: String,
    /// The issuers of its authorization servers.
    pub(super) issuers: Vec<String>,
    pub(super) scopes: Option<Scopes>,
}

#[derive(Deserialize)]
struct Document {
    resource: String,
    #[serde(default)]
    authorization_servers: Vec<String>,
    scopes_supported: Option<Vec<String>>,
}

impl Resource {
    /// Gets the metadata from the URL that the server named, otherwise from the well-known URLs. `None` if there is no metadata.
    pub(super) async fn discover(
        fetcher: &Fetcher,
        server: &Url,
        named: Option<&str>,
    ) -> Result<Option<Resource>, AuthorizeError> {
        if let Some(named) = named {
            let url = fetcher.check(METADATA, named)?;
            let document = fetcher.get::<Document>(METADATA, &url).await?;
            let document = document.ok_or_else(|| AuthorizeError::new(format!("there is no {METADATA} at {url}")))?;
            return document.validate(server).map(Some);
        }
        for url in well_known(server) {
            if let Some(document) = fetcher.get::<Document>(METADATA, &url).await? {
                return document.validate(server).map(Some);
            }
        }
        Ok(None)
    }
}

impl Document {
    fn validate(self, server: &Url) -> Result<Resource, AuthorizeError> {
        if !covers(&self.resource, server) {
            let named: String = self.resource.chars().take(200).collect();
            let message = format!("the {METADATA} is for the resource `{named}`, but the server is `{server}`");
            return Err(AuthorizeError::new(message));
        }
        if self.authorization_servers.is_empty() {
            return Err(AuthorizeError::new(format!("the {METADATA} of the server names no authorization server")));
        }
        let scopes = self.scopes_supported.map(|scopes| Scopes::of(scopes.iter().map(String::as_str)));
        Ok(Resource {
            id: self.resource,
            issuers: self.authorization_servers.into_iter().take(MOST_ISSUERS).collect(),
            scopes,
        })
    }
}

/// Returns the resource identifier of a server without metadata: its URL without query and fragment.
pub(super) fn canonical(server: &Url) -> String {
    let mut url = server.clone();
    url.set_query(None);
    url.set_fragment(None);
    let text = url.to_string();
    if url.path() == "/" { text.trim_end_matches('/').to_owned() } else { text }
}

/// Returns the metadata URLs. First the URL with the server's path, then the one without it.
fn well_known(server: &Url) -> Vec<Url> {
    let path = server.path().trim_end_matches('/');
    let mut paths =
        vec![format!("/.well-known/oauth-protected-resource{path}"), "/.well-known/oauth-protected-resource".into()];
    paths.dedup();
    paths.iter().map(|path| at(server, path)).collect()
}

/// Returns the URL of a path at the origin of another URL.
pub(super) fn at(origin: &Url, path: &str) -> Url {
    let mut url = origin.clone();
    url.set_path(path);
    url.set_query(None);
    url.set_fragment(None);
    url
}

/// Returns whether the resource is the server's URL, or a parent path of it on the same origin.
fn covers(resource: &str, server: &Url) -> bool {
    let Ok(resource) = Url::parse(resource) else { return false };
    let folder = resource.path().trim_end_matches('/');
    let inside = server.path().strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    resource.origin() == server.origin() && resource.fragment().is_none() && inside
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_resource_covers_the_servers_below_it() {
        let server = Url::parse("https://example.com/a/mcp").unwrap();
        for resource in
            ["https://example.com/a/mcp", "https://example.com", "https://EXAMPLE.com/a/", "https://example.com:443/a"]
        {
            assert!(covers(resource, &server), "{resource}");
        }
        for resource in [
            "https://example.com/b",
            "https://example.com/a/m",
            "http://example.com/a",
            "https://example.com:8443",
            "https://evil.com",
            "x",
        ] {
            assert!(!covers(resource, &server), "{resource}");
        }
    }

    #[test]
    fn the_path_of_the_server_comes_first() {
        let urls = |text: &str| well_known(&Url::parse(text).unwrap()).iter().map(Url::to_string).collect::<Vec<_>>();
        let root = "https://example.com/.well-known/oauth-protected-resource";
        assert_eq!(urls("https://example.com/mcp?x=1"), [format!("{root}/mcp"), root.to_owned()]);
        assert_eq!(urls("https://example.com"), [root]);
    }

    #[test]
    fn the_identifier_of_a_server_has_no_query_and_no_final_slash() {
        assert_eq!(canonical(&Url::parse("https://Example.com/").unwrap()), "https://example.com");
        assert_eq!(canonical(&Url::parse("https://example.com/mcp?key=1#x").unwrap()), "https://example.com/mcp");
    }
}
