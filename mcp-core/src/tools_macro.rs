//! `tools![..]`.

/// Functions with `#[tool]`, as a [`Toolset`](crate::Toolset).
///
/// Paths work too, and so does `#[cfg(..)]` before a tool. Two tools of one name do not compile.
///
/// ```
/// use mcp_core::{server, tool, tools};
///
/// /// Add two numbers.
/// #[tool]
/// fn add(a: i64, b: i64) -> i64 {
///     a + b
/// }
///
/// mod text {
///     use mcp_core::tool;
///
///     /// Count the characters of a text.
///     #[tool]
///     pub fn length(text: String) -> usize {
///         text.chars().count()
///     }
/// }
///
/// let server = server!().tools(tools![add, text::length]).build()?;
/// assert_eq!(server.tools().len(), 2);
/// # Ok::<(), mcp_core::BuildError>(())
/// ```
#[macro_export]
macro_rules! tools {
    ($($(#[$attribute:meta])* $tool:ty),* $(,)?) => {{
        #[cfg(panic = "abort")]
        const _: () = $crate::__private::PANIC_IS_ABORT;
        const _: () = $crate::__private::distinct(&[
            $($(#[$attribute])* <$tool as $crate::__private::Function>::NAME),*
        ]);
        $crate::__private::set([$($(#[$attribute])* $crate::__private::tool::<$tool>()),*])
    }};
}
