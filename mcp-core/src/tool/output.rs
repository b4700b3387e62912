//! The output of a tool before it is written into the response.

use std::mem;

use crate::tool::result::ToolResult;

/// The output of a tool: a [`ToolResult`], or a single text or number.
///
/// A single text or number is the most common output. It is written into the response without allocating a content list. To
/// implement [`Tool`](crate::dynamic::Tool) by hand, convert a `ToolResult` with `into()`.
#[derive(Debug)]
pub struct ToolOutput(pub(crate) Given);

#[derive(Debug)]
pub(crate) enum Given {
    Text(String),
    Signed(i64),
    Unsigned(u64),
    /// Boxed: a less common variant, keeps `ToolOutput` small.
    Result(Box<ToolResult>),
}

impl ToolOutput {
    /// Creates output that is a single text.
    pub(crate) fn text(text: String) -> ToolOutput {
        ToolOutput(Given::Text(text))
    }

    /// Converts the output to a `ToolResult` in place and returns it.
    pub(crate) fn as_result(&mut self) -> &mut ToolResult {
        if !matches!(self.0, Given::Result(_)) {
            let plain = mem::replace(&mut self.0, Given::Unsigned(0));
            *self = ToolResult::from(ToolOutput(plain)).into();
        }
        let Given::Result(result) = &mut self.0 else { unreachable!("converted above") };
        result
    }

    /// Returns whether the tool failed.
    pub(crate) fn is_error(&self) -> bool {
        matches!(&self.0, Given::Result(result) if result.is_error)
    }
}

impl From<ToolResult> for ToolOutput {
    fn from(result: ToolResult) -> ToolOutput {
        ToolOutput(Given::Result(Box::new(result)))
    }
}

impl From<ToolOutput> for ToolResult {
    fn from(output: ToolOutput) -> ToolResult {
        match output.0 {
            Given::Text(text) => ToolResult::text(text),
            Given::Signed(number) => ToolResult::text(number.to_string()),
            Given::Unsigned(number) => ToolResult::text(number.to_string()),
            Given::Result(result) => *result,
        }
    }
}

macro_rules! numbers {
    ($($variant:ident($as:ty): $($type:ty),*;)*) => {$($(
        impl From<$type> for ToolOutput {
            fn from(number: $type) -> ToolOutput {
                // Lossless: every value of this type fits.
                ToolOutput(Given::$variant(number as $as))
            }
        }
    )*)*};
}

numbers! {
    Signed(i64): i8, i16, i32, i64, isize;
    Unsigned(u64): u8, u16, u32, u64, usize;
}
