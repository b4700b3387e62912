//! Turns options into an invocation: arguments, environment, working directory. Does no I/O.

mod args;
mod check;
mod environment;
mod flag;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod value_tests;

use crate::invocation::Invocation;
use crate::options::{Options, OptionsError};
use args::Args;

pub(crate) use check::servers as check_servers;

/// Creates the invocation.
///
/// Every value is joined to its flag with `=`, so that no value can be mistaken for a flag. `asks_host` is true if
/// there is a permission callback.
pub(crate) fn invocation(options: &Options, asks_host: bool) -> Result<Invocation, OptionsError> {
    check::all(options)?;
    let mut args = Args::default();
    for arg in ["--output-format=stream-json", "--input-format=stream-json", "--verbose"] {
        args.plain(arg);
    }
    flag::all(options, asks_host, &mut args)?;
    for (name, value) in &options.environment.extra_args {
        let name = name.trim_start_matches('-');
        match value {
            Some(value) => args.value(&format!("--{name}"), value),
            None => args.plain(format!("--{name}")),
        }
    }
    Ok(Invocation {
        args: args.into_vec(),
        env: environment::of(options),
        clear_env: options.environment.clear,
        cwd: options.environment.cwd.clone(),
    })
}
