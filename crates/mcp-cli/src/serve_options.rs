//! The options of `serve`, which depend on the transports of a program.

/// The options of the command `serve`, for `--help` and for completions.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct ServeOptions {
    /// What is written after `serve` in the usage, such as `[--http ADDRESS]`.
    pub usage: &'static str,
    /// What the command does, in one line.
    pub purpose: &'static str,
    /// Each option with its value and its meaning, such as `("--http ADDRESS", "serve over HTTP")`.
    pub options: &'static [(&'static str, &'static str)],
}

impl ServeOptions {
    /// The options of a program that serves over standard input and output only: none.
    pub const STDIO: ServeOptions = ServeOptions::new("", "serve over standard input and output (the default)", &[]);

    /// Describes the options of a program that has more transports.
    pub const fn new(
        usage: &'static str,
        purpose: &'static str,
        options: &'static [(&'static str, &'static str)],
    ) -> ServeOptions {
        ServeOptions { usage, purpose, options }
    }
}
