//! Expands variables: `${NAME}` and `${NAME:-default}`.

/// Replaces variables by their values. Values are not expanded again.
///
/// As in shells, the default is also used if the variable is set but empty. Text that is not a variable is kept. The error is
/// the name of a variable that has neither a value nor a default.
pub(super) fn expand(text: &str, value: &dyn Fn(&str) -> Option<String>) -> Result<String, String> {
    let mut expanded = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("${") {
        expanded.push_str(&rest[..at]);
        let inner = &rest[at + 2..];
        let Some((variable, after)) = inner.split_once('}').filter(|(variable, _)| is_variable(variable)) else {
            expanded.push_str("${");
            rest = inner;
            continue;
        };
        let (name, default) = match variable.split_once(":-") {
            Some((name, default)) => (name, Some(default)),
            None => (variable, None),
        };
        let value = value(name).filter(|value| default.is_none() || !value.is_empty());
        match value.or_else(|| default.map(str::to_owned)) {
            Some(value) => expanded.push_str(&value),
            None => return Err(name.to_owned()),
        }
        rest = after;
    }
    expanded.push_str(rest);
    Ok(expanded)
}

fn is_variable(text: &str) -> bool {
    let name = text.split_once(":-").map_or(text, |(name, _)| name);
    let is_letter = |c: char| c.is_ascii_alphabetic() || c == '_';
    name.starts_with(is_letter) && name.chars().all(|c| is_letter(c) || c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_and_defaults_are_expanded_and_other_text_is_kept() {
        let value = |name: &str| match name {
            "KEY" => Some("secret".to_owned()),
            "EMPTY" => Some(String::new()),
            "NESTED" => Some("${KEY}".to_owned()),
            _ => None,
        };
        for (text, expected) in [
            ("Bearer ${KEY}", Ok("Bearer secret")),
            ("a${EMPTY}b${EMPTY:-x}", Ok("abx")),
            ("${NO:-http://a:1/?b=c}", Ok("http://a:1/?b=c")),
            ("${NESTED}", Ok("${KEY}")),
            ("$KEY ${} ${a b} $$ ${KEY", Ok("$KEY ${} ${a b} $$ ${KEY")),
            ("a ${NO} b", Err("NO")),
        ] {
            assert_eq!(expand(text, &value), expected.map(str::to_owned).map_err(str::to_owned), "{text}");
        }
    }
}
