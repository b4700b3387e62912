//! What is wrong with a server.

use std::fmt;

/// The program built a server that cannot work: everything that is wrong with it, at once.
///
/// A server is checked when it is built, so that nothing of this can surface while it serves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuildError {
    faults: Vec<Fault>,
}

/// One thing that is wrong with a server.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    /// A tool has a name that clients refuse.
    ToolName {
        /// The name.
        name: String,
        /// What is wrong with it.
        reason: String,
    },
    /// Two tools have the same name.
    DuplicateTool {
        /// The name.
        name: String,
    },
    /// A tool does not say what it does.
    NoDescription {
        /// The tool.
        tool: String,
    },
    /// A tool's schema is one that clients refuse.
    Schema {
        /// The tool.
        tool: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A tool borrows a value that the server was not given.
    MissingState {
        /// The tool.
        tool: String,
        /// The type of the value.
        type_name: &'static str,
    },
    /// Two values of one type were given to the server.
    DuplicateState {
        /// The type of the values.
        type_name: &'static str,
    },
    /// Two prompts have the same name.
    DuplicatePrompt {
        /// The name.
        name: String,
    },
    /// Two resources have the same address.
    DuplicateResource {
        /// The address.
        uri: String,
    },
    /// A resource has an address that cannot be matched.
    ResourceUri {
        /// The address.
        uri: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The server itself has no name or version.
    Unnamed,
}

impl BuildError {
    pub(crate) fn new(faults: Vec<Fault>) -> BuildError {
        BuildError { faults }
    }

    /// Everything that is wrong, in the order of registration.
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
            Fault::ToolName { name, reason } => write!(f, "tool {name:?}: {reason}"),
            Fault::DuplicateTool { name } => write!(f, "tool `{name}`: there are two tools of this name"),
            Fault::NoDescription { tool } => write!(f, "tool `{tool}`: it has no description"),
            Fault::Schema { tool, reason } => write!(f, "tool `{tool}`: {reason}"),
            Fault::MissingState { tool, type_name } => {
                write!(
                    f,
                    "tool `{tool}`: it borrows a `{type_name}`, but the server has none: give it one with `.state(..)`"
                )
            }
            Fault::DuplicateState { type_name } => write!(f, "state: two values of type `{type_name}` were given"),
            Fault::DuplicatePrompt { name } => write!(f, "prompt `{name}`: there are two prompts of this name"),
            Fault::DuplicateResource { uri } => write!(f, "resource `{uri}`: there are two resources of this address"),
            Fault::ResourceUri { uri, reason } => write!(f, "resource `{uri}`: {reason}"),
            Fault::Unnamed => f.write_str("the server needs a name and a version"),
        }
    }
}

impl std::error::Error for BuildError {}
