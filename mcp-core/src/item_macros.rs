//! The macros `tools![..]`, `prompts![..]` and `resources![..]`.

/// Creates a [`Toolset`](crate::Toolset) from functions with `#[tool]`.
///
/// Each item is a name or a path, optionally with `#[cfg(..)]` before it. Two tools with the same name are a compile error.
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
        $crate::__items!(
            Tool, Function, ["two tools are named `", "`: rename one of them with #[tool(name = \"..\")]"],
            $($(#[$attribute])* $tool),*
        )
    };
}

/// Creates a [`Promptset`](crate::Promptset) from functions with `#[prompt]`.
///
/// Each item is a name or a path, optionally with `#[cfg(..)]` before it. Two prompts with the same name are a compile error.
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
        $crate::__items!(
            Prompt, PromptFunction, ["two prompts are named `", "`: rename one of them with #[prompt(name = \"..\")]"],
            $($(#[$attribute])* $prompt),*
        )
    };
}

/// Creates a [`Resourceset`](crate::Resourceset) from functions with `#[resource]`.
///
/// Each item is a name or a path, optionally with `#[cfg(..)]` before it. Two resources with the same URI are a compile error.
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
        $crate::__items!(
            Resource, ResourceFunction, ["two resources have the URI `", "`: change one of them"],
            $($(#[$attribute])* $resource),*
        )
    };
}

/// Expands to an array of the items and checks at compile time that their names are distinct.
#[doc(hidden)]
#[macro_export]
macro_rules! __items {
    ($kind:ident, $function:ident, $words:expr, $($(#[$attribute:meta])* $item:ty),*) => {{
        // WebAssembly has no other way to panic.
        #[cfg(all(panic = "abort", not(target_family = "wasm")))]
        const _: () = $crate::__private::PANIC_IS_ABORT;
        const _: () = $crate::__private::distinct($words, &[
            $($(#[$attribute])* <$item as $crate::__private::$function>::NAME),*
        ]);
        $crate::__private::item_array::<dyn $crate::__private::$kind, _>([
            $($(#[$attribute])* <$item as $crate::__private::$function>::item()),*
        ])
    }};
}
