//! Requests and renews the tokens of one MCP server. Only one flow runs at a time.

use std::collections::VecDeque;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use http::header::AUTHORIZATION;
use tokio::sync::Mutex;
use tokio::time::Instant;
use url::Url;

use super::address::AddressScope;
use super::challenge::Bearer;
use super::fetch::{Fetcher, is_secure};
use super::issuer::Issuer;
use super::login::Login;
use super::options::Options;
use super::persistence::{CurrentTokens, State};
use super::registration::registered;
use super::resource::{Resource, canonical};
use super::scopes::Scopes;
use super::store::StoredTokens;
use super::token::{TokenError, TokenRequest, Tokens, now};
use crate::authorize::{AuthorizeError, Challenge, Credentials, Next};

/// The maximum number of logins within the window. Without it, a server could request one more scope each time.
const MOST_LOGINS: usize = 5;
const LOGIN_WINDOW: Duration = Duration::from_secs(10 * 60);

/// A token refused within this many seconds of its issue is not renewed: a new one would be refused too.
const NEW_TOKEN_AGE: u64 = 60;

/// Requests, renews and keeps the tokens of one MCP server.
pub(super) struct Flow {
    pub(super) options: Arc<Options>,
    /// The URL of the server. Tokens are sent to its origin only.
    pub(super) server: Url,
    fetcher: Fetcher,
    /// The tokens for the next request.
    pub(super) current: RwLock<CurrentTokens>,
    /// Locked while tokens are requested.
    state: Mutex<State>,
}

/// The metadata of the server and of its authorization server.
struct Found {
    resource: Resource,
    issuer: Issuer,
}

impl Flow {
    pub(super) fn new(options: Arc<Options>, server: Url) -> Result<Flow, AuthorizeError> {
        let least = if options.allow_private { AddressScope::Private } else { AddressScope::Public };
        let fetcher = Fetcher::new(AddressScope::of_server(&server).max(least), options.fetch_timeout)?;
        Ok(Flow { options, server, fetcher, current: RwLock::new(CurrentTokens::NotLoaded), state: Mutex::default() })
    }

    /// Returns the credentials for a request. Refreshes a token that expires soon.
    pub(super) async fn credentials(self: &Arc<Self>) -> Result<Option<Credentials>, AuthorizeError> {
        if !is_secure(&self.server) {
            return Ok(None);
        }
        let current = self.current.read().unwrap_or_else(PoisonError::into_inner).clone();
        let tokens = match current {
            CurrentTokens::None => None,
            CurrentTokens::Tokens(tokens) if tokens.is_fresh() => Some(tokens),
            _ => {
                let flow = Arc::clone(self);
                detached(async move { flow.renew().await }).await?
            }
        };
        tokens.map(|tokens| Credentials::bearer(tokens.access.expose())).transpose()
    }

    /// Handles a response with status 401 or 403.
    pub(super) async fn challenged(self: &Arc<Self>, challenge: Challenge) -> Result<Next, AuthorizeError> {
        if !is_secure(&self.server) {
            return Err(AuthorizeError::new("the server asks for authorization, but tokens are sent over https only"));
        }
        let flow = Arc::clone(self);
        detached(async move { flow.answer(challenge).await }).await
    }

    async fn renew(&self) -> Result<Option<Arc<Tokens>>, AuthorizeError> {
        let mut state = self.state.lock().await;
        self.load(&mut state).await?;
        let Some(tokens) = state.tokens().cloned() else {
            self.publish(&state);
            return Ok(None);
        };
        if !tokens.is_fresh() {
            let Some(stored) = state.stored.clone().filter(|_| tokens.refresh.is_some()) else {
                // Without a refresh token, it is used until it expires.
                return Ok(tokens.expires_at.is_none_or(|expires| now() < expires).then(|| Arc::new(tokens)));
            };
            let issuer = match stored.legacy {
                true => Issuer::legacy(&self.fetcher, &self.server).await?,
                false => Issuer::discover(&self.fetcher, &stored.issuer).await?,
            };
            self.refresh(&mut state, &stored, &issuer).await?;
        }
        self.publish(&state);
        Ok(state.tokens().cloned().map(Arc::new))
    }

    async fn answer(&self, challenge: Challenge) -> Result<Next, AuthorizeError> {
        let mut state = self.state.lock().await;
        self.load(&mut state).await?;
        // A concurrent request has already got new tokens.
        if state.tokens().is_some_and(|tokens| tokens.is_fresh() && !was_sent(&challenge, tokens)) {
            self.publish(&state);
            return Ok(Next::Retry);
        }
        let bearer = Bearer::of(&challenge.headers);
        match challenge.status {
            401 => self.unauthorized(&mut state, &challenge, bearer).await,
            _ => self.insufficient(&mut state, &challenge, bearer).await,
        }
    }

    /// Handles a missing or invalid token: refreshes it, or requests a new one.
    async fn unauthorized(&self, state: &mut State, challenge: &Challenge, bearer: Bearer) -> Result<Next, AuthorizeError> {
        let found = self.discover(state, bearer.resource_metadata.as_deref()).await?;
        let mut scopes = bearer.scopes.or_else(|| found.resource.scopes.clone()).unwrap_or_default();
        scopes = scopes.union(&self.options.scopes);
        let before = state.stored.clone().filter(|stored| stored.issuer == found.issuer.id);
        if let Some((stored, tokens)) = before.as_ref().and_then(|stored| Some((stored, stored.tokens.as_ref()?))) {
            scopes = scopes.union(&tokens.scopes);
            let was_just_issued = was_sent(challenge, tokens) && tokens.is_younger_than(NEW_TOKEN_AGE);
            if was_just_issued && !tokens.refreshed {
                return Err(AuthorizeError::new("the server refused a token that was issued for it a moment ago"));
            }
            if !was_just_issued && tokens.refresh.is_some() && self.refresh(state, stored, &found.issuer).await? {
                return Ok(Next::Retry);
            }
        }
        self.obtain(state, &found, scopes).await?;
        Ok(Next::Retry)
    }

    /// Handles missing scopes: requests a token with the scopes of the challenge, unless they were requested before.
    async fn insufficient(&self, state: &mut State, challenge: &Challenge, bearer: Bearer) -> Result<Next, AuthorizeError> {
        let is_about_scopes = bearer.error.as_deref().is_none_or(|error| error == "insufficient_scope");
        let (Some(tokens), Some(scopes), true) = (state.tokens(), bearer.scopes, is_about_scopes) else {
            return Ok(Next::GiveUp);
        };
        let scopes = scopes.union(&tokens.scopes);
        // They were requested before and not granted.
        if scopes == tokens.scopes || !was_sent(challenge, tokens) {
            return Ok(Next::GiveUp);
        }
        let found = self.discover(state, bearer.resource_metadata.as_deref()).await?;
        self.obtain(state, &found, scopes).await?;
        Ok(Next::Retry)
    }

    /// Finds the authorization server of the server. If there are several, prefers one that already has tokens or a registration.
    async fn discover(&self, state: &State, named: Option<&str>) -> Result<Found, AuthorizeError> {
        let Some(resource) = Resource::discover(&self.fetcher, &self.server, named).await? else {
            let resource = Resource { id: canonical(&self.server), issuers: Vec::new(), scopes: None };
            return Ok(Found { resource, issuer: Issuer::legacy(&self.fetcher, &self.server).await? });
        };
        let configured = self.options.client.as_ref().and_then(|client| client.issuer.as_ref());
        let known = configured.or(state.stored.as_ref().map(|stored| &stored.issuer));
        let chosen = known.filter(|known| resource.issuers.contains(known)).unwrap_or(&resource.issuers[0]);
        let issuer = Issuer::discover(&self.fetcher, chosen).await?;
        Ok(Found { resource, issuer })
    }

    /// Uses the refresh token. Returns `false` if the authorization server refuses it.
    async fn refresh(&self, state: &mut State, stored: &StoredTokens, issuer: &Issuer) -> Result<bool, AuthorizeError> {
        let Some((tokens, refresh)) = stored.tokens.as_ref().and_then(|tokens| Some((tokens, tokens.refresh.as_ref()?)))
        else {
            return Ok(false);
        };
        let (fetcher, key) = (&self.fetcher, self.options.key());
        let (resource, scopes) = (&*stored.resource, &tokens.scopes);
        let client = match &self.options.client {
            Some(client) => &registered(client, issuer, Some(stored))?,
            None => &stored.client,
        };
        let request = TokenRequest { fetcher, issuer, client, key, resource, scopes };
        let renewed = match request.refresh(refresh).await {
            Ok(renewed) => Some(renewed),
            Err(TokenError::Refused(code)) => {
                tracing::debug!(code, "the authorization server refused the refresh token");
                None
            }
            Err(TokenError::Failed(error)) => return Err(error),
        };
        let is_renewed = renewed.is_some();
        self.keep(state, StoredTokens { tokens: renewed, ..stored.clone() }).await;
        Ok(is_renewed)
    }

    /// Requests a new token, with a login of the user or with the credentials of the client.
    async fn obtain(&self, state: &mut State, found: &Found, scopes: Scopes) -> Result<(), AuthorizeError> {
        count_login(&mut state.logins)?;
        let (options, fetcher) = (&*self.options, &self.fetcher);
        let (issuer, resource, stored) = (&found.issuer, &found.resource, state.stored.as_ref());
        let obtained = if let Some(client) = options.client.as_ref().filter(|_| options.machine) {
            let client = registered(client, issuer, stored)?;
            let request = TokenRequest {
                fetcher,
                issuer,
                client: &client,
                key: options.key(),
                resource: &resource.id,
                scopes: &scopes,
            };
            let tokens = request.client_credentials().await?;
            Ok((client, tokens))
        } else {
            Login { options, fetcher, issuer, resource, scopes: &scopes, stored }.run().await
        };
        match obtained {
            Ok((mut client, tokens)) => {
                // The options have the secret, so it need not be stored.
                client.secret = client.secret.filter(|_| options.client.is_none());
                let stored = StoredTokens {
                    server: canonical(&self.server),
                    resource: resource.id.clone(),
                    issuer: issuer.id.clone(),
                    legacy: issuer.legacy,
                    client,
                    tokens: Some(tokens),
                };
                self.keep(state, stored).await;
                Ok(())
            }
            Err(error) => {
                // The registration may be invalid, so the next login registers the client again.
                if let Some(mut stored) = state.stored.clone().filter(|stored| stored.client.redirect.is_some()) {
                    stored.client.expires_at = Some(0);
                    self.keep(state, stored).await;
                }
                Err(error)
            }
        }
    }
}

/// Runs a flow to its end even if the caller drops its future, because codes and refresh tokens are valid once.
async fn detached<T: Send + 'static>(
    flow: impl Future<Output = Result<T, AuthorizeError>> + Send + 'static,
) -> Result<T, AuthorizeError> {
    tokio::spawn(flow).await.map_err(|error| AuthorizeError::new("the authorization was interrupted").source(error))?
}

/// Returns whether the refused request was sent with these tokens.
fn was_sent(challenge: &Challenge, tokens: &Tokens) -> bool {
    let header = challenge.credentials.as_ref().and_then(|credentials| credentials.get(&AUTHORIZATION));
    header.is_some_and(|header| header.as_bytes() == format!("Bearer {}", tokens.access.expose()).as_bytes())
}

fn count_login(logins: &mut VecDeque<Instant>) -> Result<(), AuthorizeError> {
    logins.retain(|login| login.elapsed() < LOGIN_WINDOW);
    if logins.len() >= MOST_LOGINS {
        return Err(AuthorizeError::new(format!("the server asked for more than {MOST_LOGINS} logins within ten minutes")));
    }
    logins.push_back(Instant::now());
    Ok(())
}
