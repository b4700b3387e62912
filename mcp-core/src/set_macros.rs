//! `tools![..]`, `prompts![..]` and `resources![..]`.

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
    ($($(#[$attribute:meta])* $tool:ty),* $(,)?) => {
        $crate::__offers!(
            Tool, Function, ["two tools are named `", "`; give one of them another name: #[tool(name = \"..\")]"],
            $($(#[$attribute])* $tool),*
        )
    };
}

/// Functions with `#[prompt]`, as a [`Promptset`](crate::Promptset).
///
/// Paths work too, and so does `#[cfg(..)]` before a prompt. Two prompts of one name do not compile.
///
/// ```
/// use mcp_core::{prompt, prompts, server};
///
/// /// Review a piece of code.
/// #[prompt]
/// fn review(code: String) -> String {
///     format!("Review this code:\n{code}")
/// }
///
/// let server = server!().prompts(prompts![review]).build()?;
/// # Ok::<(), mcp_core::BuildError>(())
/// ```
#[macro_export]
macro_rules! prompts {
    ($($(#[$attribute:meta])* $prompt:ty),* $(,)?) => {
        $crate::__offers!(
            Prompt, PromptFunction, ["two prompts are named `", "`; give one of them another name: #[prompt(name = \"..\")]"],
            $($(#[$attribute])* $prompt),*
        )
    };
}

/// Functions with `#[resource]`, as a [`Resourceset`](crate::Resourceset).
///
/// Paths work too, and so does `#[cfg(..)]` before a resource. Two resources of one address do not compile.
///
/// ```
/// use mcp_core::{resource, resources, server};
///
/// /// The message of the day.
/// #[resource("motd://today")]
/// fn motd() -> &'static str {
///     "Eat more eggs."
/// }
///
/// let server = server!().resources(resources![motd]).build()?;
/// # Ok::<(), mcp_core::BuildError>(())
/// ```
#[macro_export]
macro_rules! resources {
    ($($(#[$attribute:meta])* $resource:ty),* $(,)?) => {
        $crate::__offers!(
            Resource, ResourceFunction, ["two resources have the address `", "`; give one of them another: #[resource(\"..\")]"],
            $($(#[$attribute])* $resource),*
        )
    };
}

/// A list of types that an attribute put beside functions.
#[doc(hidden)]
#[macro_export]
macro_rules! __offers {
    ($kind:ident, $function:ident, $words:expr, $($(#[$attribute:meta])* $offer:ty),*) => {{
        #[cfg(panic = "abort")]
        const _: () = $crate::__private::PANIC_IS_ABORT;
        const _: () = $crate::__private::distinct($words, &[
            $($(#[$attribute])* <$offer as $crate::__private::$function>::NAME),*
        ]);
        $crate::__private::set::<dyn $crate::__private::$kind, _>([
            $($(#[$attribute])* <$offer as $crate::__private::$function>::offer()),*
        ])
    }};
}
