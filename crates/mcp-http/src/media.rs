//! What a request is written in, and what its client can read.

use http::header::{ACCEPT, CONTENT_TYPE};
use http::{HeaderMap, StatusCode};

use crate::refusal::Refusal;

/// A message is JSON.
pub(crate) fn check_content_type(headers: &HeaderMap) -> Result<(), Refusal> {
    let mut given = headers.get_all(CONTENT_TYPE).iter();
    let kind = given.next().filter(|_| given.next().is_none()).map(|value| essence(value.as_bytes()));
    match kind {
        Some(kind) if kind.eq_ignore_ascii_case(b"application/json") => Ok(()),
        _ => Err(Refusal::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "the content type must be application/json")),
    }
}

/// How most clients say that they read both kinds of answer.
const USUAL: &[u8] = b"application/json, text/event-stream";

/// A request is answered with JSON or with events, and the client must be able to read both.
pub(crate) fn check_accept_answers(headers: &HeaderMap) -> Result<(), Refusal> {
    if headers.get(ACCEPT).is_some_and(|accept| accept.as_bytes() == USUAL) {
        return Ok(());
    }
    check_accept(headers, ["application/json", "text/event-stream"])
}

/// The answer is in one of these, and the client must be able to read each of them. Saying nothing means everything.
pub(crate) fn check_accept<const N: usize>(headers: &HeaderMap, kinds: [&str; N]) -> Result<(), Refusal> {
    let mut reads = [!headers.contains_key(ACCEPT); N];
    for value in headers.get_all(ACCEPT) {
        for range in value.as_bytes().split(|byte| *byte == b',').map(essence) {
            for (kind, reads) in kinds.iter().zip(&mut reads) {
                *reads |= covers(range, kind);
            }
        }
    }
    if reads.iter().all(|reads| *reads) {
        return Ok(());
    }
    Err(Refusal::new(StatusCode::NOT_ACCEPTABLE, format!("the client must accept {}", kinds.join(" and "))))
}

fn covers(range: &[u8], kind: &str) -> bool {
    range.eq_ignore_ascii_case(kind.as_bytes())
        || range == b"*/*"
        || range.strip_suffix(b"*").is_some_and(|family| {
            family.ends_with(b"/") && kind.as_bytes().get(..family.len()).is_some_and(|of| of.eq_ignore_ascii_case(family))
        })
}

/// A media type without its parameters.
fn essence(value: &[u8]) -> &[u8] {
    value.split(|byte| *byte == b';').next().unwrap_or_default().trim_ascii()
}

#[cfg(test)]
mod tests {
    use http::{HeaderName, HeaderValue};

    use super::*;

    fn with(name: HeaderName, value: &'static str) -> HeaderMap {
        HeaderMap::from_iter([(name, HeaderValue::from_static(value))])
    }

    #[test]
    fn only_json_is_read() {
        for kind in ["application/json", "Application/JSON; charset=utf-8"] {
            assert!(check_content_type(&with(CONTENT_TYPE, kind)).is_ok(), "{kind}");
        }
        for kind in ["text/plain", "application/x-www-form-urlencoded", "application/jsonp", ""] {
            assert!(check_content_type(&with(CONTENT_TYPE, kind)).is_err(), "{kind}");
        }
        assert!(check_content_type(&HeaderMap::new()).is_err());
    }

    #[test]
    fn a_client_reads_json_and_events() {
        for accept in [
            "application/json, text/event-stream",
            "*/*",
            "text/*;q=0.5,application/*",
            "text/event-stream , application/json",
        ] {
            assert!(check_accept_answers(&with(ACCEPT, accept)).is_ok(), "{accept}");
        }
        for accept in ["application/json", "text/event-stream", "text/html", "", "application/*"] {
            assert!(check_accept_answers(&with(ACCEPT, accept)).is_err(), "{accept}");
        }
        assert!(check_accept_answers(&HeaderMap::new()).is_ok());
    }
}
