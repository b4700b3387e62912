//! What a request is written in, and what its client can read.

use http::header::{ACCEPT, CONTENT_TYPE};
use http::{HeaderMap, StatusCode};

use crate::refusal::Refusal;

/// A message is JSON.
pub(crate) fn check_content_type(headers: &HeaderMap) -> Result<(), Refusal> {
    let mut given = headers.get_all(CONTENT_TYPE).iter();
    let kind = given.next().and_then(|value| value.to_str().ok()).filter(|_| given.next().is_none());
    match kind.map(essence) {
        Some(kind) if kind.eq_ignore_ascii_case("application/json") => Ok(()),
        _ => Err(Refusal::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "the content type must be application/json")),
    }
}

/// The answer is in one of these, and the client must be able to read each of them. Saying nothing means everything.
pub(crate) fn check_accept(headers: &HeaderMap, kinds: &[&str]) -> Result<(), Refusal> {
    let ranges: Vec<&str> =
        headers.get_all(ACCEPT).iter().filter_map(|value| value.to_str().ok()).flat_map(|value| value.split(',')).collect();
    let reads = |kind: &&str| ranges.iter().any(|range| covers(essence(range), kind));
    if !headers.contains_key(ACCEPT) || kinds.iter().all(reads) {
        return Ok(());
    }
    Err(Refusal::new(StatusCode::NOT_ACCEPTABLE, format!("the client must accept {}", kinds.join(" and "))))
}

fn covers(range: &str, kind: &str) -> bool {
    let family = kind.split('/').next().unwrap_or_default();
    range == "*/*"
        || range.eq_ignore_ascii_case(kind)
        || range.strip_suffix("/*").is_some_and(|range| range.eq_ignore_ascii_case(family))
}

/// A media type without its parameters.
fn essence(value: &str) -> &str {
    value.split(';').next().unwrap_or_default().trim()
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
        let both = ["application/json", "text/event-stream"];
        for accept in [
            "application/json, text/event-stream",
            "*/*",
            "text/*;q=0.5,application/*",
            "text/event-stream , application/json",
        ] {
            assert!(check_accept(&with(ACCEPT, accept), &both).is_ok(), "{accept}");
        }
        for accept in ["application/json", "text/event-stream", "text/html", "", "application/*"] {
            assert!(check_accept(&with(ACCEPT, accept), &both).is_err(), "{accept}");
        }
        assert!(check_accept(&HeaderMap::new(), &both).is_ok());
    }
}
