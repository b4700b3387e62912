//! Requests to URLs that a server names: with limits, without redirects, and not to internal addresses.

use std::sync::Arc;
use std::time::Duration;

use http::header::{ACCEPT, AUTHORIZATION, HeaderValue};
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::redirect::Policy;
use reqwest::{Client, RequestBuilder, StatusCode};
use serde::Serialize;
use serde::de::DeserializeOwned;
use url::Url;

use super::address::{AddressScope, address_of, is_loopback};
use crate::authorize::AuthorizeError;
use crate::transport::http::endpoint::describe;

/// The maximum size of a response in bytes.
const LARGEST: usize = 256 << 10;

/// The maximum length of a URL in bytes.
const LONGEST_URL: usize = 2_000;

/// Sends requests for one MCP server.
#[derive(Debug)]
pub(super) struct Fetcher {
    client: Client,
    scope: AddressScope,
}

impl Fetcher {
    pub(super) fn new(scope: AddressScope, timeout: Duration) -> Result<Fetcher, AuthorizeError> {
        let client =
            Client::builder().redirect(Policy::none()).timeout(timeout).dns_resolver(Arc::new(Resolver(scope))).build();
        let client = client.map_err(|error| AuthorizeError::new("cannot create an HTTP client").source(error))?;
        Ok(Fetcher { client, scope })
    }

    /// Parses a URL that a server has named, and checks that it may be used.
    pub(super) fn check(&self, what: &str, text: &str) -> Result<Url, AuthorizeError> {
        let shown: String = text.chars().take(200).collect();
        let invalid = |fault: &str| AuthorizeError::new(format!("the URL of the {what} {fault}: {shown}"));
        if text.len() > LONGEST_URL {
            return Err(invalid("is too long"));
        }
        let url = Url::parse(text).map_err(|_| invalid("is invalid"))?;
        if !is_secure(&url) {
            return Err(invalid("must use https"));
        }
        if !url.username().is_empty() || url.password().is_some() || url.fragment().is_some() {
            return Err(invalid("must have no user name, password or fragment"));
        }
        let is_forbidden = match address_of(&url) {
            Some(address) => !self.scope.allows(address),
            None => is_loopback(&url) && self.scope < AddressScope::Loopback,
        };
        if is_forbidden {
            return Err(invalid(
                "is an internal address, which `OAuth::allow_private_addresses` would allow for private networks",
            ));
        }
        Ok(url)
    }

    /// Gets a JSON document. Returns `None` if the server does not have it (status 4xx).
    pub(super) async fn get<T: DeserializeOwned>(&self, what: &str, url: &Url) -> Result<Option<T>, AuthorizeError> {
        let (status, body) = self.send(what, self.client.get(url.clone())).await?;
        if status.is_client_error() {
            return Ok(None);
        }
        if !status.is_success() {
            return Err(AuthorizeError::new(format!("cannot get the {what} from {url}: status {status}")));
        }
        let invalid = |error| AuthorizeError::new(format!("the {what} at {url} is invalid")).source(error);
        serde_json::from_slice(&body).map(Some).map_err(invalid)
    }

    /// Posts a form, with an `Authorization` header if the client has one.
    pub(super) async fn post_form(
        &self,
        what: &str,
        url: &Url,
        form: &[(&str, String)],
        authorization: Option<HeaderValue>,
    ) -> Result<(StatusCode, Vec<u8>), AuthorizeError> {
        let body = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(form).finish();
        let mut request =
            self.client.post(url.clone()).header("content-type", "application/x-www-form-urlencoded").body(body);
        if let Some(authorization) = authorization {
            request = request.header(AUTHORIZATION, authorization);
        }
        self.send(what, request).await
    }

    /// Posts a JSON document.
    pub(super) async fn post_json(
        &self,
        what: &str,
        url: &Url,
        document: &(impl Serialize + Sync),
    ) -> Result<(StatusCode, Vec<u8>), AuthorizeError> {
        let body =
            serde_json::to_vec(document).map_err(|error| AuthorizeError::new(format!("invalid {what}")).source(error))?;
        self.send(what, self.client.post(url.clone()).header("content-type", "application/json").body(body)).await
    }

    /// Sends a request and reads the response. A redirect is an error, because it could lead to an internal address.
    async fn send(&self, what: &str, request: RequestBuilder) -> Result<(StatusCode, Vec<u8>), AuthorizeError> {
        let failed = |error: reqwest::Error| AuthorizeError::new(format!("cannot get the {what}: {}", describe(&error)));
        let mut response = request.header(ACCEPT, "application/json").send().await.map_err(failed)?;
        let status = response.status();
        if status.is_redirection() {
            return Err(AuthorizeError::new(format!("cannot get the {what}: redirects are not followed (status {status})")));
        }
        let mut body = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(failed)? {
            if body.len() + chunk.len() > LARGEST {
                return Err(AuthorizeError::new(format!("the {what} is larger than {LARGEST} bytes")));
            }
            body.extend_from_slice(&chunk);
        }
        Ok((status, body))
    }
}

/// Returns whether secrets may be sent to the URL: https, or http to this machine.
pub(super) fn is_secure(url: &Url) -> bool {
    match url.scheme() {
        "https" => url.has_host(),
        "http" => is_loopback(url),
        _ => false,
    }
}

/// Resolves host names and drops addresses that are not allowed.
///
/// Checked during resolution, because a second lookup could return another address.
#[derive(Debug)]
struct Resolver(AddressScope);

impl Resolve for Resolver {
    fn resolve(&self, name: Name) -> Resolving {
        let scope = self.0;
        Box::pin(async move {
            let found = tokio::net::lookup_host((name.as_str(), 0)).await?;
            let allowed: Vec<_> = found.filter(|address| scope.allows(address.ip())).collect();
            if allowed.is_empty() {
                return Err(format!("`{}` has no address, or only internal ones", name.as_str()).into());
            }
            Ok(Box::new(allowed.into_iter()) as Addrs)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_of_a_public_server_must_be_https_and_public() {
        let fetcher = Fetcher::new(AddressScope::Public, Duration::from_secs(1)).unwrap();
        assert!(fetcher.check("x", "https://example.com/a?b=c").is_ok());
        for url in [
            "http://example.com/",
            "http://localhost/",
            "https://localhost/",
            "https://127.0.0.1/",
            "https://[::ffff:10.0.0.1]/",
            "https://2130706433/",
            "https://169.254.169.254/",
            "https://user:password@example.com/",
            "https://example.com/#x",
            "file:///etc/passwd",
            "not a url",
        ] {
            assert!(fetcher.check("x", url).is_err(), "{url}");
        }
    }

    #[tokio::test]
    async fn a_host_name_that_resolves_to_this_machine_is_not_reached() {
        let resolved = Resolver(AddressScope::Private).resolve("localhost".parse().unwrap()).await;
        assert!(resolved.is_err());
        assert!(Resolver(AddressScope::Loopback).resolve("localhost".parse().unwrap()).await.is_ok());
    }
}
