//! Formats of strings: which values they accept, and how error messages describe them.
//!
//! jsonschema checks the formats of JSON Schema. It would also reject the address of a page in another script, such as
//! `https://de.wikipedia.org/wiki/Käse`, which types such as `Url` accept. So `uri` has a check of its own here.

/// Describes what a format expects, with an example. `None` for formats that JSON Schema does not define.
pub(super) fn described(format: &str) -> Option<&'static str> {
    Some(match format {
        "date-time" => "a date and time with a time zone, such as \"2026-11-19T08:30:00Z\"",
        "date" => "a date such as \"2026-11-19\"",
        "time" => "a time with a time zone, such as \"08:30:00Z\"",
        "duration" => "an ISO 8601 duration such as \"PT1H30M\"",
        "email" | "idn-email" => "an email address such as \"ada@example.com\"",
        "hostname" | "idn-hostname" => "a host name such as \"www.example.com\"",
        "ipv4" => "an IPv4 address such as \"192.0.2.1\"",
        "ipv6" => "an IPv6 address such as \"2001:db8::1\"",
        "uri" | "iri" => "a URI such as \"https://example.com/page\"",
        "uri-reference" | "iri-reference" => "a URI or a relative reference such as \"/page\"",
        "uuid" => "a UUID such as \"6fa459ea-ee8a-4ca4-894e-db77e160355e\"",
        "uri-template" => "a URI template such as \"/users/{id}\"",
        "json-pointer" => "a JSON pointer such as \"/items/0\"",
        "relative-json-pointer" => "a relative JSON pointer such as \"1/name\"",
        "regex" => "a regular expression",
        _ => return None,
    })
}

/// Returns whether the text is an absolute URI, with any characters of Unicode except blanks and delimiters.
pub(super) fn is_uri(text: &str) -> bool {
    let is_allowed = |c: char| !c.is_whitespace() && !c.is_control() && !"<>\"{}|\\^`".contains(c);
    text.split_once(':').is_some_and(|(scheme, rest)| {
        scheme.starts_with(|c: char| c.is_ascii_alphabetic())
            && scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c))
            && !rest.is_empty()
            && rest.chars().all(is_allowed)
    })
}

#[cfg(test)]
mod tests {
    use super::is_uri;

    #[test]
    fn a_uri_has_a_scheme_and_no_blanks() {
        for good in ["https://example.com/a?b#c", "https://de.wikipedia.org/wiki/Käse", "mailto:ada@example.com", "urn:x:1"]
        {
            assert!(is_uri(good), "{good}");
        }
        for bad in ["", "example.com", "/a", "https:", "1http://a", "https://a b", "ht tp://a", "https://<a>", "https://a\n"]
        {
            assert!(!is_uri(bad), "{bad}");
        }
    }
}
