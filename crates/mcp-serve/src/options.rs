//! The command line of `serve --http`.

use std::ffi::OsString;
use std::path::PathBuf;

use mcp_cli::{Arguments, ServeOptions, UsageError};

/// The options, for `--help` and completions.
pub(crate) const SERVE: ServeOptions = ServeOptions::new(
    "[--http ADDRESS] [--token-file FILE] [--allow-host HOST] [--allow-origin ORIGIN]",
    "serve over standard input and output (the default), or over HTTP",
    &[
        ("--http ADDRESS", "serve over HTTP at a port, such as 8080, or at an address, such as 0.0.0.0:8080"),
        ("--token-file FILE", "require the bearer token in this file; without it, the one in MCP_TOKEN if that is set"),
        ("--allow-host HOST", "accept this name in the header Host; may be repeated"),
        ("--allow-origin ORIGIN", "accept requests from web pages of this origin; may be repeated"),
    ],
);

/// The options of a server over HTTP.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct HttpOptions {
    pub(crate) address: String,
    pub(crate) token_file: Option<PathBuf>,
    pub(crate) hosts: Vec<String>,
    pub(crate) origins: Vec<String>,
}

impl HttpOptions {
    /// Parses `serve --http ADDRESS ..`, also without `serve`. `None` if there is no `--http`, so this is another command.
    pub(crate) fn parse(words: &[OsString]) -> Result<Option<HttpOptions>, UsageError> {
        let mut words: Vec<String> = words.iter().map(|word| word.to_string_lossy().into_owned()).collect();
        let is_serve = words.first().is_some_and(|word| word == "serve");
        match words.first() {
            Some(_) if is_serve => drop(words.remove(0)),
            Some(word) if word.starts_with("--") => {}
            _ => return Ok(None),
        }
        let is_option = |word: &String, option: &str| word == option || word.starts_with(&format!("{option}="));
        let known = ["--http", "--token-file", "--allow-host", "--allow-origin"];
        let is_known = |word: &String| known.iter().any(|option| is_option(word, option));
        // An unknown option of `serve` is refused here, because only here its options are known.
        let is_serve_with_options = is_serve && words.iter().any(|word| word.starts_with("--"));
        if !(words.iter().any(is_known) || is_serve_with_options)
            || words.iter().any(|word| word == "--help" || word == "-h")
        {
            return Ok(None);
        }
        let mut arguments = Arguments::new(words);
        let options = HttpOptions {
            address: arguments.value("--http")?.unwrap_or_default(),
            token_file: arguments.value("--token-file")?.map(PathBuf::from),
            hosts: arguments.values("--allow-host")?,
            origins: arguments.values("--allow-origin")?,
        };
        arguments.finish("serve")?;
        if options.address.is_empty() {
            return Err(UsageError::new("these options are for HTTP: add `--http ADDRESS`, such as `--http 8080`"));
        }
        Ok(Some(options))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Option<HttpOptions>, UsageError> {
        HttpOptions::parse(&line.split_whitespace().map(OsString::from).collect::<Vec<_>>())
    }

    #[test]
    fn http_is_served_with_and_without_the_word_serve() {
        let expected = HttpOptions {
            address: "8080".into(),
            token_file: Some("t".into()),
            hosts: vec!["a".into(), "b".into()],
            origins: vec!["https://c".into()],
        };
        let options = "--http 8080 --token-file=t --allow-host a --allow-host b --allow-origin https://c";
        assert_eq!(parse(options), Ok(Some(expected)));
        assert_eq!(parse(&format!("serve {options}")), parse(options));
    }

    #[test]
    fn other_commands_are_left_to_the_command_line_of_every_server() {
        for line in ["", "serve", "tools", "call add --http=1", "--help", "serve --help", "serve --http 1 --help", "--bogus"]
        {
            assert_eq!(parse(line), Ok(None), "{line}");
        }
    }

    #[test]
    fn mistakes_are_refused() {
        for (line, reason) in [
            ("--http", "`--http` needs a value"),
            ("serve --token-file t", "add `--http ADDRESS`"),
            ("--http 1 --alow-host a", "did you mean `--allow-host`?"),
            ("--http 1 extra", "does not accept `extra`"),
        ] {
            let error = parse(line).unwrap_err().to_string();
            assert!(error.contains(reason), "{line}: {error}");
        }
    }
}
