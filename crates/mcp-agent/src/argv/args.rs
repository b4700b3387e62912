//! Builds command line arguments. Every value is joined to its flag with `=`.

use std::ffi::{OsStr, OsString};

use serde_json::Value;

use crate::invocation::Arg;

/// The maximum length of a JSON schema on the command line. Some platforms limit all arguments together to 8,191 characters.
pub(super) const LONG: usize = 4 << 10;

/// A list of command line arguments.
#[derive(Default)]
pub(super) struct Args(Vec<Arg>);

impl Args {
    pub(super) fn plain(&mut self, arg: impl Into<OsString>) {
        self.0.push(Arg::Plain(arg.into()));
    }

    pub(super) fn value(&mut self, flag: &str, value: impl AsRef<OsStr>) {
        let mut arg = OsString::from(flag);
        arg.push("=");
        arg.push(value);
        self.plain(arg);
    }

    pub(super) fn option(&mut self, flag: &str, value: Option<impl AsRef<OsStr>>) {
        if let Some(value) = value {
            self.value(flag, value);
        }
    }

    pub(super) fn number(&mut self, flag: &str, value: Option<impl ToString>) {
        self.option(flag, value.map(|value| value.to_string()));
    }

    pub(super) fn list(&mut self, flag: &str, values: &[String]) {
        if !values.is_empty() {
            self.value(flag, values.join(","));
        }
    }

    pub(super) fn switch(&mut self, flag: &str, on: bool) {
        if on {
            self.plain(flag);
        }
    }

    /// Adds an argument whose value is written to a file. Settings and server configurations may hold secrets, and every user of
    /// the machine can read the arguments of a process. They may also be too long for a command line.
    pub(super) fn file(&mut self, flag: &'static str, value: &Value) {
        self.0.push(Arg::Spill { flag, value: value.to_string() });
    }

    pub(super) fn into_vec(self) -> Vec<Arg> {
        self.0
    }
}
