//! The common interface of tool, prompt and resource specs for generated code.

use std::any::Any;

use schemars::JsonSchema;

use crate::prompt::spec::PromptSpec;
use crate::resource::spec::ResourceSpec;
use crate::tool::spec::ToolSpec;

/// The spec of a tool, prompt or resource.
pub trait ItemSpec: Sized {
    /// Sets the arguments to the fields of `T`, which have these names, in this order.
    fn with_input<T: JsonSchema>(self, names: &[&str]) -> Self;

    /// Declares that the function borrows a `T` from the server.
    fn with_need<T: Any + Send + Sync>(self) -> Self;
}

impl ItemSpec for ToolSpec {
    fn with_input<T: JsonSchema>(self, _: &[&str]) -> ToolSpec {
        self.input::<T>()
    }

    fn with_need<T: Any + Send + Sync>(self) -> ToolSpec {
        self.needs::<T>()
    }
}

impl ItemSpec for PromptSpec {
    fn with_input<T: JsonSchema>(self, names: &[&str]) -> PromptSpec {
        self.input::<T>(names)
    }

    fn with_need<T: Any + Send + Sync>(self) -> PromptSpec {
        self.needs::<T>()
    }
}

impl ItemSpec for ResourceSpec {
    fn with_input<T: JsonSchema>(self, _: &[&str]) -> ResourceSpec {
        self.input::<T>()
    }

    fn with_need<T: Any + Send + Sync>(self) -> ResourceSpec {
        self.needs::<T>()
    }
}
