//! What came out of a tool, on its way to the client.

use std::mem;

use crate::tool::result::ToolResult;

/// What came out of a tool: a [`ToolResult`], or the one text or number that nearly every tool gives.
///
/// A text needs no list around it on its way into the response, and a number no text. Where you write a [`Tool`](crate::dynamic::Tool)
/// by hand, `into()` makes one of its result.
#[derive(Debug)]
pub struct ToolOutput(pub(crate) Given);

#[derive(Debug)]
pub(crate) enum Given {
    Text(String),
    Signed(i64),
    Unsigned(u64),
    /// In a box, since most give something else, and all are moved.
    Result(Box<ToolResult>),
}

impl ToolOutput {
    /// One text.
    pub(crate) fn text(text: String) -> ToolOutput {
        ToolOutput(Given::Text(text))
    }

    /// The same as a result, which it is from now on.
    pub(crate) fn as_result(&mut self) -> &mut ToolResult {
        if !matches!(self.0, Given::Result(_)) {
            let plain = mem::replace(&mut self.0, Given::Unsigned(0));
            *self = ToolResult::from(ToolOutput(plain)).into();
        }
        let Given::Result(result) = &mut self.0 else { unreachable!("it was made one") };
        result
    }

    /// Whether it says that the tool failed.
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
                // No number of this type is too large for it.
                ToolOutput(Given::$variant(number as $as))
            }
        }
    )*)*};
}

numbers! {
    Signed(i64): i8, i16, i32, i64, isize;
    Unsigned(u64): u8, u16, u32, u64, usize;
}
