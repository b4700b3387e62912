//! The static bearer token that clients must send.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use mcp_core::Principal;
use mcp_core::transport::BoxFuture;
use mcp_http::{Bearer, TokenError};
use subtle::ConstantTimeEq;

/// The environment variable with the token.
pub(crate) const VARIABLE: &str = "MCP_TOKEN";

/// The minimum length. 16 characters of a random token cannot be guessed over a network.
const MIN_LENGTH: usize = 16;

/// A token, and where it was read from.
pub(crate) struct Token {
    text: String,
    source: Source,
}

/// Where a token was read from.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Source {
    File(PathBuf),
    Environment,
}

impl Token {
    /// Reads the token from the file, or else from `MCP_TOKEN`. `None` if there is neither.
    pub(crate) fn read(file: Option<&Path>) -> Result<Option<Token>, String> {
        if let Some(path) = file {
            let text = fs::read_to_string(path)
                .map_err(|error| format!("cannot read the token in `{}`: {error}", path.display()))?;
            return Token::new(&text, Source::File(path.to_owned())).map(Some);
        }
        match std::env::var(VARIABLE) {
            Ok(text) => Token::new(&text, Source::Environment).map(Some),
            Err(std::env::VarError::NotPresent) => Ok(None),
            Err(std::env::VarError::NotUnicode(_)) => Err(format!("{VARIABLE} is not valid text")),
        }
    }

    fn new(text: &str, source: Source) -> Result<Token, String> {
        // Editors and `openssl rand` end a file with a line break.
        let text = text.trim_end_matches(['\r', '\n']);
        let invalid = |reason: &str| Err(format!("the token in {source} {reason}; `openssl rand -hex 32` makes a good one"));
        if text.is_empty() {
            return invalid("is empty");
        }
        if !text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._~+/=".contains(&byte)) {
            return invalid("has characters that a bearer token cannot have");
        }
        if text.len() < MIN_LENGTH {
            return invalid(&format!("is too short: it needs at least {MIN_LENGTH} characters"));
        }
        Ok(Token { text: text.to_owned(), source })
    }

    /// Returns where the token was read from.
    pub(crate) fn source(&self) -> &Source {
        &self.source
    }
}

impl Bearer for Token {
    /// Compares the token in a time that does not depend on how much of it is right.
    fn principal(&self, token: String) -> BoxFuture<Result<Principal, TokenError>> {
        let is_equal: bool = self.text.as_bytes().ct_eq(token.as_bytes()).into();
        let outcome = if is_equal { Ok(Principal::new("token")) } else { Err(TokenError::Invalid) };
        Box::pin(std::future::ready(outcome))
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Source::File(path) => write!(f, "`{}`", path.display()),
            Source::Environment => f.write_str(VARIABLE),
        }
    }
}

/// Does not print the token.
impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Token").field("source", &self.source).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_long_enough_and_has_only_characters_of_bearer_tokens() {
        let token = |text: &str| Token::new(text, Source::Environment).map(|token| token.text);
        assert_eq!(token("0123456789abcdef\n"), Ok("0123456789abcdef".to_owned()));
        for (text, reason) in
            [("\n", "is empty"), ("short", "too short"), ("0123456789abc ef", "characters"), ("ä", "characters")]
        {
            assert!(token(text).unwrap_err().contains(reason), "{text}");
        }
    }

    #[test]
    fn debug_output_hides_the_token() {
        let token = Token::new("0123456789abcdef", Source::Environment).unwrap();
        assert!(!format!("{token:?}").contains("0123"));
    }
}
