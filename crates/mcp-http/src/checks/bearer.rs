//! Bearer tokens: reading them from a request, and the trait that validates them.

use std::fmt;
use std::future::Future;

use http::HeaderMap;
use http::header::AUTHORIZATION;
use mcp_core::Principal;
use mcp_core::transport::BoxFuture;

/// Validates bearer tokens. Applications implement it, or use a crate that does, such as `mcp-http-jwt`. The endpoint calls it
/// before it reads the body of a request.
///
/// Every `Fn(String) -> impl Future<Output = Result<Principal, TokenError>>` implements it. An implementation must check that
/// the token was issued for this server (its audience). Otherwise another server that a client uses could replay the
/// client's token here.
///
/// ```
/// use mcp_core::Principal;
/// use mcp_http::{Http, Protection, TokenError};
///
/// let bearer = |token: String| async move {
///     match token.as_str() {
///         "a-valid-token" => Ok(Principal::new("ada").scopes(["files:read"])),
///         _ => Err(TokenError::Invalid),
///     }
/// };
/// let http = Http::new().protect(Protection::new("https://mcp.example.com/mcp", bearer)?);
/// # let _ = http;
/// # Ok::<(), mcp_http::ResourceError>(())
/// ```
pub trait Bearer: Send + Sync + 'static {
    /// Returns the principal that the token was issued to.
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

/// Why a token was not accepted. The client gets no other details.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TokenError {
    /// The token is malformed, has no valid signature, or was issued for another server.
    Invalid,
    /// The token has expired.
    Expired,
    /// The token cannot be validated at the moment, for example because the authorization server is unreachable.
    Unavailable,
}

impl fmt::Display for TokenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            TokenError::Invalid => "the token is invalid for this server",
            TokenError::Expired => "the token has expired",
            TokenError::Unavailable => "the token cannot be validated at the moment, try again later",
        })
    }
}

impl std::error::Error for TokenError {}

/// The content of the header `Authorization`.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Credentials<'a> {
    Missing,
    Token(&'a str),
    /// More than one header, another scheme, or characters that a token cannot have.
    Invalid,
}

/// Reads the token of a request. Tokens in the URL are not supported, because URLs are written to logs.
pub(crate) fn credentials(headers: &HeaderMap) -> Credentials<'_> {
    let mut values = headers.get_all(AUTHORIZATION).iter();
    let Some(value) = values.next() else { return Credentials::Missing };
    let Some((scheme, token)) = value.to_str().ok().and_then(|value| value.split_once(' ')) else {
        return Credentials::Invalid;
    };
    let token = token.trim_matches(' ');
    let is_token = !token.is_empty() && token.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._~+/=".contains(&byte));
    match scheme.eq_ignore_ascii_case("bearer") && is_token && values.next().is_none() {
        true => Credentials::Token(token),
        false => Credentials::Invalid,
    }
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    #[test]
    fn exactly_one_authorization_header_with_one_token_is_accepted() {
        let read = |values: &[&'static str]| {
            let values = values.iter().map(|value| (AUTHORIZATION, HeaderValue::from_static(value)));
            let headers = HeaderMap::from_iter([]);
            let headers = values.fold(headers, |mut headers: HeaderMap, (name, value)| {
                headers.append(name, value);
                headers
            });
            format!("{:?}", credentials(&headers))
        };
        assert_eq!(read(&[]), "Missing");
        assert_eq!([read(&["Bearer a.b-c"]), read(&["bearer  a.b-c"])], [r#"Token("a.b-c")"#, r#"Token("a.b-c")"#]);
        for wrong in [&["Bearer"][..], &["Bearer "], &["Basic abc"], &["Bearer a b"], &["Bearer a", "Bearer b"], &["a"]] {
            assert_eq!(read(wrong), "Invalid", "{wrong:?}");
        }
    }
}
