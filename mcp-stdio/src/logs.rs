//! Writes `tracing` events as lines to stderr.

use std::env;
use std::io::{self, IsTerminal, Write};

use tracing::level_filters::LevelFilter;
use tracing::subscriber::set_global_default;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::fmt;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::registry;

/// Writes `tracing` events to stderr, one line for each event. Shows only warnings and errors unless `RUST_LOG` is set.
///
/// Call it first in `main`:
///
/// ```no_run
/// fn main() -> std::process::ExitCode {
///     mcp_stdio::logs();
///     mcp_stdio::run(mcp_core::server!())
/// }
/// ```
///
/// `RUST_LOG=info` shows more, `RUST_LOG=warn,my_server=debug` more of one crate and its modules, `RUST_LOG=off` nothing.
/// Colours are used on terminals unless `NO_COLOR` is set. If the program already has a global subscriber, this does nothing. For
/// other formats use `tracing-subscriber`.
pub fn logs() {
    logs_or("warn");
}

/// Like [`logs`], with another default if `RUST_LOG` is not set.
///
/// ```
/// mcp_stdio::logs_or("warn,my_server=info");
/// ```
pub fn logs_or(default: &str) {
    let wanted = env::var("RUST_LOG").ok().filter(|text| !text.trim().is_empty());
    let (filter, invalid) = parse_filter(wanted.as_deref().unwrap_or(default));
    let colours = io::stderr().is_terminal() && env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    let lines = fmt::layer().with_ansi(colours).with_writer(|| OneLine(io::stderr()));
    // Fails if the program has set a subscriber, which is then kept.
    if set_global_default(registry().with(filter).with(lines)).is_ok() {
        for word in invalid {
            tracing::warn!(word, "RUST_LOG contains an invalid filter");
        }
    }
}

/// Parses a filter such as `warn,my_server=debug`. Returns the invalid parts too.
fn parse_filter(text: &str) -> (Targets, Vec<&str>) {
    let words = text.split(',').map(str::trim).filter(|word| !word.is_empty());
    let (valid, invalid): (Vec<&str>, Vec<&str>) = words.partition(|word| is_valid(word));
    let filter: Targets = valid.join(",").parse().unwrap_or_default();
    // As in `env_logger`: with levels for some modules only, the others show errors.
    let general = filter.default_level().unwrap_or(LevelFilter::ERROR);
    (filter.with_default(general), invalid)
}

/// Returns whether the text is a level, a module, or a module with a level.
fn is_valid(word: &str) -> bool {
    let module = word.split_once('=').map_or(word, |(module, _)| module);
    module.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | ':')) && word.parse::<Targets>().is_ok()
}

/// Writes each event as one line: messages may contain text from clients, which must not look like another event.
///
/// `tracing-subscriber` writes each event with one call, and escapes other control characters itself.
struct OneLine<W>(W);

impl<W: Write> Write for OneLine<W> {
    fn write(&mut self, event: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(event);
        let line = text.trim_end_matches('\n').replace('\n', "\\n").replace('\r', "\\r");
        self.0.write_all(format!("{line}\n").as_bytes())?;
        Ok(event.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

#[cfg(test)]
mod tests {
    use tracing::Level;

    use super::*;

    #[test]
    fn the_most_specific_module_decides() {
        let (filter, invalid) = parse_filter("warn, calc=debug,calc::noisy=off,calc=oops, a-b");
        assert_eq!(invalid, ["calc=oops", "a-b"]);
        for (target, level, shown) in [
            ("other", Level::WARN, true),
            ("other", Level::INFO, false),
            ("calc", Level::DEBUG, true),
            ("calc::inner", Level::DEBUG, true),
            ("calc::noisy", Level::ERROR, false),
        ] {
            assert_eq!(filter.would_enable(target, &level), shown, "{target} {level}");
        }
        assert!(parse_filter("calc").0.would_enable("calc", &Level::TRACE));
        assert_eq!(parse_filter("").0.default_level(), Some(LevelFilter::ERROR));
    }

    #[test]
    fn an_event_is_one_line() {
        let mut written = Vec::new();
        OneLine(&mut written).write_all(b"first\r\nsecond\n").unwrap();
        assert_eq!(written, b"first\\r\\nsecond\n");
    }
}
