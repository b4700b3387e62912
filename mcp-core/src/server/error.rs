//! Errors of building a server.

use std::fmt;

/// The server is invalid. Contains all faults that were found.
///
/// A server is validated when it is built, so that these faults cannot occur while it serves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuildError {
    faults: Vec<Fault>,
}

/// One fault of a server.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    /// The name of a tool or a prompt is invalid.
    Name {
        /// The kind of item.
        kind: ItemKind,
        /// The invalid name.
        name: String,
        /// Why the name is invalid.
        reason: String,
    },
    /// Two tools or two prompts have the same name, or two resources have the same URI.
    Duplicate {
        /// The kind of item.
        kind: ItemKind,
        /// The name or the URI.
        name: String,
    },
    /// A tool or a prompt has no description.
    NoDescription {
        /// The kind of item.
        kind: ItemKind,
        /// The name of the tool, prompt or resource.
        name: String,
    },
    /// The input schema of a tool is invalid.
    Schema {
        /// The name of the tool.
        tool: String,
        /// Why the schema is invalid.
        reason: String,
    },
    /// A function borrows a value that the server does not have.
    MissingState {
        /// The kind of item.
        kind: ItemKind,
        /// The name or URI of the tool, prompt or resource.
        name: String,
        /// The type of the value.
        type_name: &'static str,
        /// Whether the server has an `Arc` of the value, which is a different type.
        is_shared: bool,
    },
    /// A form that a function declares is invalid.
    Form {
        /// The kind of item.
        kind: ItemKind,
        /// The name or URI of the tool, prompt or resource.
        name: String,
        /// The type of the form.
        type_name: &'static str,
        /// Why the form is invalid.
        reason: String,
    },
    /// The server has two values of the same type.
    DuplicateState {
        /// The type of the values.
        type_name: &'static str,
    },
    /// The URI of a resource is not a valid template.
    ResourceUri {
        /// The URI of the resource.
        uri: String,
        /// Why the URI is invalid.
        reason: String,
    },
    /// The server itself has no name or version.
    Unnamed,
}

/// The kind of an item that a server offers to clients.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ItemKind {
    /// A tool.
    Tool,
    /// A prompt.
    Prompt,
    /// A resource or a resource template.
    Resource,
}

impl fmt::Display for ItemKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ItemKind::Tool => "tool",
            ItemKind::Prompt => "prompt",
            ItemKind::Resource => "resource",
        })
    }
}

impl BuildError {
    pub(crate) fn new(faults: Vec<Fault>) -> BuildError {
        BuildError { faults }
    }

    /// Returns the faults, in the order of registration.
    pub fn faults(&self) -> &[Fault] {
        &self.faults
    }
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, fault) in self.faults.iter().enumerate() {
            if index > 0 {
                f.write_str("\n")?;
            }
            fault.fmt(f)?;
        }
        Ok(())
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Name { kind, name, reason } => write!(f, "{kind} {name:?}: {reason}"),
            Fault::Duplicate { kind: ItemKind::Resource, name } => {
                write!(f, "resource `{name}`: duplicate URI")
            }
            Fault::Duplicate { kind, name } => write!(f, "{kind} `{name}`: duplicate name"),
            Fault::NoDescription { kind, name } => write!(f, "{kind} `{name}`: no description, add one"),
            Fault::Schema { tool, reason } => write!(f, "tool `{tool}`: {reason}"),
            Fault::MissingState { kind, name, type_name, is_shared: false } => write!(
                f,
                "{kind} `{name}`: it borrows a `{type_name}`, but the server has none: give it one with `.state(..)`, or with \
                 `.session_state(..)` for one in each session; or drop the `&` if the caller is to send it"
            ),
            Fault::MissingState { kind, name, type_name, is_shared: true } => write!(
                f,
                "{kind} `{name}`: it borrows a `{type_name}`, but the server has an `Arc` of it: borrow `&Arc<..>`, or give the \
                 value itself to `.state(..)`"
            ),
            Fault::Form { kind, name, type_name, reason } => {
                write!(f, "{kind} `{name}`: `{type_name}` cannot be asked with a form: {reason}")
            }
            Fault::DuplicateState { type_name } => {
                write!(f, "state: two values of type `{type_name}`, remove one `.state(..)` or `.session_state(..)`")
            }
            Fault::ResourceUri { uri, reason } => write!(f, "resource `{uri}`: {reason}"),
            Fault::Unnamed => f.write_str("the server needs a name and a version"),
        }
    }
}

impl std::error::Error for BuildError {}
