//! Colours and bold text on terminals.

use std::env;
use std::io::{self, IsTerminal};

use crate::sys;

/// Whether and how text is emphasised. Without a terminal, or with `NO_COLOR`, text is not changed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Style {
    is_on: bool,
}

impl Style {
    /// The style without colours.
    pub(crate) const PLAIN: Style = Style { is_on: false };

    /// Returns the style of standard output.
    pub(crate) fn stdout() -> Style {
        Style { is_on: is_wanted(io::stdout().is_terminal()) }
    }

    /// Returns the style of standard error.
    pub(crate) fn stderr() -> Style {
        Style { is_on: is_wanted(io::stderr().is_terminal()) }
    }

    pub(crate) fn bold(self, text: &str) -> String {
        self.with("1", text)
    }

    pub(crate) fn dim(self, text: &str) -> String {
        self.with("2", text)
    }

    pub(crate) fn red(self, text: &str) -> String {
        self.with("31", text)
    }

    pub(crate) fn yellow(self, text: &str) -> String {
        self.with("33", text)
    }

    fn with(self, code: &str, text: &str) -> String {
        if self.is_on && !text.is_empty() { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }
}

/// Returns whether colours are wanted. `NO_COLOR` turns them off (no-color.org). `CLICOLOR_FORCE` turns them on without a terminal.
fn is_wanted(is_terminal: bool) -> bool {
    let is_set = |name: &str| env::var_os(name).is_some_and(|value| !value.is_empty());
    // The console of older Windows versions shows escape sequences as text. Terminals that do not set one of these variables.
    let supported = !sys::IS_WINDOWS || is_set("WT_SESSION") || is_set("TERM");
    let is_dumb = env::var_os("TERM").is_some_and(|name| name == "dumb");
    !is_set("NO_COLOR") && (is_set("CLICOLOR_FORCE") || (is_terminal && supported && !is_dumb))
}
