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
    /// A tool or a prompt has a name that clients refuse.
    Name {
        /// What is named so.
        of: Offer,
        /// The name.
        name: String,
        /// What is wrong with it.
        reason: String,
    },
    /// Two tools or two prompts have the same name, or two resources the same address.
    Duplicate {
        /// What there are two of.
        of: Offer,
        /// The name or the address.
        name: String,
    },
    /// A tool or a prompt does not say what it does.
    NoDescription {
        /// What it is.
        of: Offer,
        /// Its name.
        name: String,
    },
    /// A tool's schema is one that clients refuse.
    Schema {
        /// The tool.
        tool: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A function borrows a value that the server was not given.
    MissingState {
        /// What it is.
        of: Offer,
        /// Its name or its address.
        name: String,
        /// The type of the value.
        type_name: &'static str,
        /// The server was given one in an `Arc`, which is another type.
        is_shared: bool,
    },
    /// A function shows users a form that no client can show.
    Form {
        /// What it is.
        of: Offer,
        /// Its name or its address.
        name: String,
        /// The type of the form.
        type_name: &'static str,
        /// What is wrong with it.
        reason: String,
    },
    /// Two values of one type were given to the server.
    DuplicateState {
        /// The type of the values.
        type_name: &'static str,
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

/// What a server offers to its clients.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Offer {
    /// A tool.
    Tool,
    /// A prompt.
    Prompt,
    /// A resource, or a template of some.
    Resource,
}

impl fmt::Display for Offer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Offer::Tool => "tool",
            Offer::Prompt => "prompt",
            Offer::Resource => "resource",
        })
    }
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
            Fault::Name { of, name, reason } => write!(f, "{of} {name:?}: {reason}"),
            Fault::Duplicate { of: Offer::Resource, name } => {
                write!(f, "resource `{name}`: there are two resources of this address")
            }
            Fault::Duplicate { of, name } => write!(f, "{of} `{name}`: there are two {of}s of this name"),
            Fault::NoDescription { of, name } => write!(f, "{of} `{name}`: it has no description"),
            Fault::Schema { tool, reason } => write!(f, "tool `{tool}`: {reason}"),
            Fault::MissingState { of, name, type_name, is_shared: false } => write!(
                f,
                "{of} `{name}`: it borrows a `{type_name}`, but the server has none: give it one with `.state(..)`, or drop \
                 the `&` if the caller is to send it"
            ),
            Fault::MissingState { of, name, type_name, is_shared: true } => write!(
                f,
                "{of} `{name}`: it borrows a `{type_name}`, but the server has an `Arc` of it: borrow `&Arc<..>`, or give the \
                 value itself to `.state(..)`"
            ),
            Fault::Form { of, name, type_name, reason } => {
                write!(f, "{of} `{name}`: `{type_name}` cannot be asked with a form: {reason}")
            }
            Fault::DuplicateState { type_name } => write!(f, "state: two values of type `{type_name}` were given"),
            Fault::ResourceUri { uri, reason } => write!(f, "resource `{uri}`: {reason}"),
            Fault::Unnamed => f.write_str("the server needs a name and a version"),
        }
    }
}

impl std::error::Error for BuildError {}
