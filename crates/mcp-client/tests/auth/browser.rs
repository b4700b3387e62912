//! The user who logs in.

use std::time::Duration;

use mcp_client::{AuthorizeError, OAuth};
use url::Url;

/// A user with a browser that follows every redirect.
pub(crate) fn user() -> OAuth {
    OAuth::new().open_browser(visit).login_timeout(Duration::from_secs(30))
}

pub(crate) async fn visit(url: Url) -> Result<(), AuthorizeError> {
    reqwest::get(url).await.map(drop).map_err(|error| AuthorizeError::new("the page failed").source(error))
}
