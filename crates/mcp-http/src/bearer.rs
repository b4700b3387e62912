//! Who a bearer token speaks for.

use std::fmt;
use std::future::Future;

use http::HeaderMap;
use http::header::AUTHORIZATION;
use mcp_core::Principal;
use mcp_core::transport::BoxFuture;

/// Says who a bearer token speaks for: applications implement it, or take a crate that does, such as `mcp-http-jwt`; the
/// endpoint asks it before it looks at anything else of a request.
///
/// Any `Fn(String) -> impl Future<Output = Result<Principal, TokenError>>` is one. A token must have been issued for this very
/// server: whoever takes tokens that were meant for others lets those others act in the names of their clients.
///
/// ```
/// use mcp_core::Principal;
/// use mcp_http::{Http, Protection, TokenError};
///
/// let bearer = |token: String| async move {
///     match token.as_str() {
///         "the one that we gave out" => Ok(Principal::new("ada").scopes(["files:read"])),
///         _ => Err(TokenError::Invalid),
///     }
/// };
/// let http = Http::new().protect(Protection::new("https://mcp.example.com/mcp", bearer)?);
/// # let _ = http;
/// # Ok::<(), mcp_http::ResourceError>(())
/// ```
pub trait Bearer: Send + Sync + 'static {
    /// Who that token speaks for.
    fn principal(&self, token: String) -> BoxFuture<Result<Principal, TokenError>>;
}

impl<B, F> Bearer for B
where
    B: Fn(String) -> F + Send + Sync + 'static,
    F: Future<Output = Result<Principal, TokenError>> + Send + 'static,
{
    fn principal(&self, token: String) -> BoxFuture<Result<Principal, TokenError>> {
        Box::pin(self(token))
    }
}

/// Why a token speaks for nobody. The client is told no more than this.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TokenError {
    /// It is no token, or not ours, or not for us.
    Invalid,
    /// It was good once.
    Expired,
    /// It cannot be checked at the moment, because who could say is out of reach.
    Unavailable,
}

impl fmt::Display for TokenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            TokenError::Invalid => "the token is not valid here",
            TokenError::Expired => "the token has expired",
            TokenError::Unavailable => "the token cannot be checked at the moment",
        })
    }
}

impl std::error::Error for TokenError {}

/// What a request brings along.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Brought<'a> {
    Nothing,
    Token(&'a str),
    /// More than one, or nothing that could be one.
    Nonsense,
}

/// The token that a request brings along. Only in the header: addresses end up in logs.
pub(crate) fn token(headers: &HeaderMap) -> Brought<'_> {
    let mut values = headers.get_all(AUTHORIZATION).iter();
    let Some(value) = values.next() else { return Brought::Nothing };
    let Some((scheme, token)) = value.to_str().ok().and_then(|value| value.split_once(' ')) else {
        return Brought::Nonsense;
    };
    let token = token.trim_matches(' ');
    let is_token = !token.is_empty() && token.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._~+/=".contains(&byte));
    match scheme.eq_ignore_ascii_case("bearer") && is_token && values.next().is_none() {
        true => Brought::Token(token),
        false => Brought::Nonsense,
    }
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    #[test]
    fn one_header_holds_one_token() {
        let read = |values: &[&'static str]| {
            let values = values.iter().map(|value| (AUTHORIZATION, HeaderValue::from_static(value)));
            let headers = HeaderMap::from_iter([]);
            let headers = values.fold(headers, |mut headers: HeaderMap, (name, value)| {
                headers.append(name, value);
                headers
            });
            format!("{:?}", token(&headers))
        };
        assert_eq!(read(&[]), "Nothing");
        assert_eq!([read(&["Bearer a.b-c"]), read(&["bearer  a.b-c"])], [r#"Token("a.b-c")"#, r#"Token("a.b-c")"#]);
        for wrong in [&["Bearer"][..], &["Bearer "], &["Basic abc"], &["Bearer a b"], &["Bearer a", "Bearer b"], &["a"]] {
            assert_eq!(read(wrong), "Nonsense", "{wrong:?}");
        }
    }
}
