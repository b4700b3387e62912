//! Matching of URLs by domain.

/// Returns whether the host of a URL is the domain or, for `*.example.com`, a subdomain of it.
///
/// Returns `None` if the host cannot be determined with certainty.
pub(crate) fn covers(domain: &str, url: &str) -> Option<bool> {
    let host = host(url)?;
    Some(match domain.strip_prefix("*.") {
        Some(parent) => host.strip_suffix(parent).is_some_and(|rest| rest.ends_with('.') && rest.len() > 1),
        None => host == domain.trim_end_matches('.'),
    })
}

/// Does the same as [`covers`] for a deny or ask rule, in which `*` stands for any text everywhere, so that no such rule is
/// without effect.
pub(crate) fn may_cover(domain: &str, url: &str) -> Option<bool> {
    let covered = covers(domain, url)?;
    let is_match = |host: &str| {
        let glob = domain.split('*').map(globset::escape).collect::<Vec<_>>().join("*");
        globset::Glob::new(&glob).is_ok_and(|glob| glob.compile_matcher().is_match(host))
    };
    Some(covered || (domain.contains('*') && is_match(&host(url)?)))
}

/// Returns the host of an HTTP URL in lower case. Returns `None` for URLs that another parser might read differently.
fn host(url: &str) -> Option<String> {
    let (scheme, rest) = url.split_once("://")?;
    if !scheme.eq_ignore_ascii_case("http") && !scheme.eq_ignore_ascii_case("https") {
        return None;
    }
    // Some URL parsers treat a backslash as a slash, and skip tabs and line breaks.
    let authority = rest.split(['/', '?', '#', '\\']).next()?;
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    let host = host.rsplit_once(':').map_or(host, |(host, _)| host).trim_end_matches('.');
    let is_plain = !host.is_empty() && host.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '-'));
    is_plain.then(|| host.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_host_is_the_one_that_a_browser_would_use() {
        let table = [
            ("https://example.com/a", Some(true)),
            ("https://EXAMPLE.com.:443/a?b#c", Some(true)),
            ("https://user:pw@example.com/", Some(true)),
            ("https://example.com@evil.org/", Some(false)),
            ("https://evil.org/example.com", Some(false)),
            ("https://evil.org\\@example.com/", Some(false)),
            ("https://evil.org#@example.com", Some(false)),
            ("https://sub.example.com/", Some(false)),
            ("https://exam\tple.com/", None),
            ("ftp://example.com/", None),
            ("example.com", None),
        ];
        for (url, expected) in table {
            assert_eq!(covers("example.com", url), expected, "{url}");
        }
        assert_eq!(covers("*.example.com", "https://a.b.example.com"), Some(true));
        assert_eq!(covers("*.example.com", "https://example.com"), Some(false));
        assert_eq!(covers("*.example.com", "https://badexample.com"), Some(false));
    }

    #[test]
    fn a_wildcard_of_a_deny_rule_stands_for_any_text() {
        for (domain, url, expected) in [
            ("*", "https://example.com", Some(true)),
            ("evil.*", "https://evil.org/x", Some(true)),
            ("evil.*", "https://example.com/evil.org", Some(false)),
            ("ads.*.org", "https://ads.a.b.org", Some(true)),
            ("*.evil.org", "https://evil.org", Some(false)),
            ("evil.org", "https://evil.org", Some(true)),
            ("*", "no url", None),
        ] {
            assert_eq!(may_cover(domain, url), expected, "{domain} and {url}");
        }
        assert_eq!(covers("*", "https://example.com"), Some(false), "an allow rule needs a domain");
    }
}
