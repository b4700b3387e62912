//! OAuth for MCP servers over HTTP.

mod address;
mod browser;
mod challenge;
mod client;
mod fetch;
mod file_store;
mod flow;
mod issuer;
mod listener;
mod login;
mod options;
mod persistence;
mod private_key;
mod registration;
mod resource;
mod scopes;
mod secret;
mod store;
mod token;

use std::fmt;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use data_encoding::BASE64URL_NOPAD;
use url::Url;

pub use self::browser::open_browser;
pub use self::client::RegisteredClient;
pub use self::file_store::FileStore;
use self::flow::Flow;
use self::options::Options;
pub use self::private_key::PrivateKey;
use self::scopes::Scopes;
pub use self::store::{StoredTokens, TokenStore};
use crate::authorize::{AuthRequest, Authorize, AuthorizeError, Challenge, Credentials, Next};
use crate::transport::Boxed;

/// Authorizes HTTP requests with OAuth, as MCP specifies it.
///
/// Nothing happens until a server refuses a request. Then the client finds the authorization server of the MCP server, logs in,
/// and sends the request again. Later it refreshes the token before it expires, and requests more scopes when the server needs
/// them. Concurrent requests that are refused share one login.
///
/// ```no_run
/// use mcp_client::{Client, FileStore, OAuth};
///
/// # async fn example() -> Result<(), Box<dyn std::error::Error>> {
/// let oauth = OAuth::new().client_name("My editor").store(FileStore::of_user()?);
/// let client = Client::http("https://mcp.example.com/mcp").authorize(oauth).await?;
/// # Ok(())
/// # }
/// ```
///
/// # Security
/// A server is not trusted to name addresses. Everything is https, except on this machine; redirects are not followed; documents
/// are bounded in size and time. A server on the internet cannot name addresses of this machine or of
/// [private networks](OAuth::allow_private_addresses), and no server can name link-local addresses, where clouds have their
/// metadata services. Tokens are sent to the origin of the server only, and a client secret to one authorization server only.
/// `Debug` shows no secret.
///
/// One value serves one server: the server of the first request.
pub struct OAuth {
    options: Arc<Options>,
    flow: OnceLock<Result<Arc<Flow>, String>>,
}

impl OAuth {
    /// Logs the user in with the browser (authorization code with PKCE).
    ///
    /// The client id is chosen in the order that MCP defines: [a registered client](OAuth::client), the URL of
    /// [a metadata document](OAuth::client_metadata), or a dynamic registration.
    #[expect(clippy::new_without_default, reason = "a login is not a default")]
    pub fn new() -> OAuth {
        OAuth { options: Arc::default(), flow: OnceLock::new() }
    }

    /// Requests tokens with the credentials of the client, for programs without a user (client credentials grant).
    ///
    /// ```
    /// use mcp_client::{OAuth, RegisteredClient};
    ///
    /// let client = RegisteredClient::new("reports").secret("from the vault").issuer("https://login.example.com");
    /// let oauth = OAuth::client_credentials(client);
    /// # let _ = oauth;
    /// ```
    pub fn client_credentials(client: RegisteredClient) -> OAuth {
        OAuth::new().client(client).set(|options| options.machine = true)
    }

    /// Sets a client that was registered at the authorization server beforehand.
    #[must_use]
    pub fn client(self, client: RegisteredClient) -> OAuth {
        self.set(|options| options.client = Some(client))
    }

    /// Sets the URL of a metadata document of this client. Authorization servers that support it use the URL as the client id.
    ///
    /// The document must list the [redirect URL](OAuth::redirect_url).
    #[must_use]
    pub fn client_metadata(self, url: impl Into<String>) -> OAuth {
        self.set(|options| options.document = Some(url.into()))
    }

    /// Sets the name that users see when they log in, if the client is registered dynamically.
    #[must_use]
    pub fn client_name(self, name: impl Into<String>) -> OAuth {
        self.set(|options| options.name = name.into())
    }

    /// Requests these scopes in the first login, in addition to those that the server requires.
    #[must_use]
    pub fn scopes<'a>(self, scopes: impl IntoIterator<Item = &'a str>) -> OAuth {
        self.set(|options| options.scopes = Scopes::of(scopes))
    }

    /// Sets where tokens are kept. Default: in memory.
    #[must_use]
    pub fn store(self, store: impl TokenStore) -> OAuth {
        self.set(|options| options.store = Arc::new(store))
    }

    /// Sets how the user is sent to the login page. Default: prints the URL to standard error and opens the browser.
    ///
    /// ```
    /// use mcp_client::OAuth;
    ///
    /// let oauth = OAuth::new().open_browser(async |url| {
    ///     println!("Please visit {url}");
    ///     Ok(())
    /// });
    /// # let _ = oauth;
    /// ```
    #[must_use]
    pub fn open_browser<F, R>(self, open: F) -> OAuth
    where
        F: Fn(Url) -> R + Send + Sync + 'static,
        R: Future<Output = Result<(), AuthorizeError>> + Send + 'static,
    {
        self.set(|options| options.browser = Arc::new(move |url| Box::pin(open(url))))
    }

    /// Sets the URL of this machine that the browser is redirected to. Default: `http://127.0.0.1/callback`.
    ///
    /// Without a port, the system chooses one for each login. Set a port if the authorization server compares ports.
    #[must_use]
    pub fn redirect_url(self, url: impl Into<String>) -> OAuth {
        self.set(|options| options.redirect = url.into())
    }

    /// Sets the time limit for a login by the user. Default: five minutes.
    ///
    /// It is added to the [connection timeout](crate::Builder::connect_timeout).
    #[must_use]
    pub fn login_timeout(self, timeout: Duration) -> OAuth {
        self.set(|options| options.login_timeout = timeout)
    }

    /// Sets the timeout for each request to a metadata or token endpoint. Default: 30 seconds.
    #[must_use]
    pub fn fetch_timeout(self, timeout: Duration) -> OAuth {
        self.set(|options| options.fetch_timeout = timeout)
    }

    /// Lets the server name addresses of private networks, such as 10.0.0.1. Needed in a company whose servers have such addresses.
    ///
    /// By default only a server whose own URL has such an address may do it, so that a server on the internet cannot make the
    /// client send requests into its network. This option does not allow a server on another machine to name this machine.
    #[must_use]
    pub fn allow_private_addresses(self) -> OAuth {
        self.set(|options| options.allow_private = true)
    }

    fn set(mut self, change: impl FnOnce(&mut Options)) -> OAuth {
        change(Arc::make_mut(&mut self.options));
        self
    }

    /// Returns the flow of the server, or `None` for a URL of another origin.
    fn flow(&self, url: &Url) -> Result<Option<&Arc<Flow>>, AuthorizeError> {
        let create = || Flow::new(Arc::clone(&self.options), url.clone()).map(Arc::new).map_err(|error| error.to_string());
        let flow = self.flow.get_or_init(create).as_ref().map_err(AuthorizeError::new)?;
        Ok(Some(flow).filter(|flow| flow.server.origin() == url.origin()))
    }
}

impl Authorize for OAuth {
    fn credentials<'a>(&'a self, request: &'a AuthRequest) -> Boxed<'a, Result<Option<Credentials>, AuthorizeError>> {
        Box::pin(async {
            match self.flow(&request.url)? {
                Some(flow) => flow.credentials().await,
                None => Ok(None),
            }
        })
    }

    fn challenged<'a>(&'a self, challenge: &'a Challenge) -> Boxed<'a, Result<Next, AuthorizeError>> {
        Box::pin(async {
            match self.flow(&challenge.request.url)? {
                Some(flow) => flow.challenged(challenge.clone()).await,
                None => Ok(Next::GiveUp),
            }
        })
    }

    fn login_time(&self) -> Duration {
        if self.options.machine { Duration::ZERO } else { self.options.login_timeout }
    }
}

impl fmt::Debug for OAuth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let options = &self.options;
        f.debug_struct("OAuth")
            .field("client", &options.client)
            .field("client_metadata", &options.document)
            .field("scopes", &options.scopes)
            .field("store", &options.store)
            .finish_non_exhaustive()
    }
}

/// Returns a random text of 256 bits. A PKCE verifier needs at least 43 characters (RFC 7636), so the ids of
/// `mcp_core::transport::random_id`, with 128 bits in 32 characters, are too short.
fn random() -> Result<String, AuthorizeError> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes)
        .map_err(|error| AuthorizeError::new("the operating system supplied no random numbers").source(error))?;
    Ok(BASE64URL_NOPAD.encode(&bytes))
}
