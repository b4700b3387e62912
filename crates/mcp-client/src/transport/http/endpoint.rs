//! Sends HTTP requests to one origin, with credentials. Redirects are not followed.

use std::sync::Arc;
use std::time::Duration;

use reqwest::header::{HeaderMap, LOCATION};
use reqwest::redirect::Policy;
use reqwest::{Client, Method, Response, StatusCode};
use url::Url;

use crate::authorize::{AuthRequest, Authorize, Challenge, Credentials, Next};
use crate::error::ConnectError;
use crate::inbox::Inbox;
use crate::transport::Failure;

/// The time limit for connecting to a host.
const CONNECT: Duration = Duration::from_secs(30);

/// The maximum number of bytes that are read from the body of an error response.
const ERROR_BODY: usize = 64 << 10;

/// The URL of a server, and how requests to it are sent.
#[derive(Clone)]
pub(crate) struct Endpoint {
    client: Client,
    pub(crate) url: Url,
    headers: HeaderMap,
    authorize: Option<Arc<dyn Authorize>>,
    /// The maximum size of a message in bytes.
    pub(crate) limit: usize,
}

impl Endpoint {
    pub(crate) fn new(
        url: &str,
        headers: HeaderMap,
        authorize: Option<Arc<dyn Authorize>>,
        limit: usize,
    ) -> Result<Endpoint, ConnectError> {
        let invalid = |reason: String| ConnectError::Options(format!("the URL of the server is invalid: {reason}"));
        let url = Url::parse(url).map_err(|error| invalid(error.to_string()))?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(invalid(format!("the scheme is `{}`, but must be http or https", url.scheme())));
        }
        // A redirect could lead to an internal address, or to another origin that must not see credentials.
        let client = Client::builder().redirect(Policy::none()).connect_timeout(CONNECT).build();
        let client = client.map_err(|error| ConnectError::Options(describe(&error)))?;
        Ok(Endpoint { client, url, headers, authorize, limit })
    }

    /// Sends a request. Repeats it after a challenge, at most once for each status, if there are new credentials.
    ///
    /// Returns a response with status 2xx.
    ///
    /// `url` must have the origin of the endpoint.
    pub(crate) async fn send(
        &self,
        method: Method,
        url: &Url,
        headers: HeaderMap,
        body: Vec<u8>,
        inbox: &Inbox,
    ) -> Result<Response, Failure> {
        let request = AuthRequest { method, url: url.clone() };
        let mut challenges = Vec::new();
        loop {
            let (response, credentials) = self.send_once(&request, &headers, &body).await?;
            let status = response.status();
            if status.is_success() {
                return Ok(response);
            }
            if status.is_redirection() {
                let location = response.headers().get(LOCATION).and_then(|value| value.to_str().ok()).unwrap_or("nowhere");
                return Err(Failure::Redirect { status: status.as_u16(), location: location.chars().take(500).collect() });
            }
            let is_challenge = matches!(status, StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN);
            if let (true, false, Some(authorize)) = (is_challenge, challenges.contains(&status), &self.authorize) {
                challenges.push(status);
                let headers = response.headers().clone();
                let (request, status) = (request.clone(), status.as_u16());
                let challenge = Challenge { request, status, headers, credentials };
                if authorize.challenged(&challenge).await.map_err(Failure::Authorize)? == Next::Retry {
                    inbox.clear_cache();
                    continue;
                }
            }
            return Err(self.refusal(response).await);
        }
    }

    async fn send_once(
        &self,
        request: &AuthRequest,
        headers: &HeaderMap,
        body: &[u8],
    ) -> Result<(Response, Option<Credentials>), Failure> {
        let mut headers = headers.clone();
        headers.extend(self.headers.clone());
        let mut used = None;
        // Credentials are sent to the origin of the server only.
        if let Some(authorize) = self.authorize.as_ref().filter(|_| request.url.origin() == self.url.origin()) {
            used = authorize.credentials(request).await.map_err(Failure::Authorize)?;
            headers.extend(used.clone().into_iter().flat_map(Credentials::into_headers));
        }
        let sending =
            self.client.request(request.method.clone(), request.url.clone()).headers(headers).body(body.to_vec()).send();
        let response =
            sending.await.map_err(|error| Failure::Lost { begun: !error.is_connect(), reason: describe(&error) })?;
        Ok((response, used))
    }

    /// Returns the JSON-RPC error in the body of an error response, otherwise its status and the beginning of its body.
    async fn refusal(&self, response: Response) -> Failure {
        #[derive(serde::Deserialize)]
        struct Body {
            error: mcp_core::transport::RpcError,
        }
        let status = response.status().as_u16();
        let body = read_body(response, ERROR_BODY).await.unwrap_or_default();
        let error = serde_json::from_slice::<Body>(&body).ok().map(|body| Box::new(body.error));
        Failure::Status { status, body: String::from_utf8_lossy(&body).trim().chars().take(500).collect(), error }
    }
}

/// Reads a body. Returns an error if it is larger than the limit.
pub(super) async fn read_body(mut response: Response, limit: usize) -> Result<Vec<u8>, Failure> {
    let mut body = Vec::new();
    loop {
        let chunk = response.chunk().await;
        let Some(chunk) = chunk.map_err(|error| Failure::Lost { begun: true, reason: describe(&error) })? else {
            return Ok(body);
        };
        if body.len() + chunk.len() > limit {
            return Err(Failure::Invalid(format!("the response is longer than the limit of {limit} bytes")));
        }
        body.extend_from_slice(&chunk);
    }
}

/// Returns the text of an error and of its causes, without the URL, because it may contain a secret.
pub(crate) fn describe(error: &reqwest::Error) -> String {
    let mut text = match () {
        () if error.is_connect() => "cannot connect".to_owned(),
        () if error.is_timeout() => "timed out".to_owned(),
        () if error.is_body() || error.is_decode() => "the response ended early".to_owned(),
        () => "the request failed".to_owned(),
    };
    let mut cause = std::error::Error::source(error);
    while let Some(error) = cause {
        text = format!("{text}: {error}");
        cause = error.source();
    }
    text
}
