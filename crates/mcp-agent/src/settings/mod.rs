//! Settings of the CLI: typed values, and what is in effect with the files of this machine.
//!
//! [`SessionSettings`] and [`SandboxSettings`] are values for [`Agent::settings`](crate::Agent::settings) and
//! [`Agent::sandbox`](crate::Agent::sandbox). [`resolve`] reads the settings files as the CLI does, and says where each value comes
//! from, without starting the CLI.

mod denied_models;
mod merge;
mod resolve;
mod sandbox;
mod values;

pub(crate) use merge::merge;

pub use denied_models::{DeniedModels, match_denied_models};
pub use resolve::{Layer, LayerName, Provenance, ResolveError, ResolveSettings, ResolvedSettings, resolve};
pub use sandbox::{
    CredentialMode, SandboxAwsPair, SandboxCredential, SandboxCredentials, SandboxFilesystem, SandboxNetwork,
    SandboxRipgrep, SandboxSettings, SandboxSigv4, SandboxTls,
};
pub use values::{AttributionSettings, PermissionSettings, SessionSettings, WorktreeSettings};

/// Declares parts of the settings: structs of public optional fields. Unset fields are left out.
macro_rules! settings {
    ($($(#[$meta:meta])* pub struct $name:ident { $($(#[doc = $doc:expr])* $field:ident: $type:ty,)* })+) => {$(
        $(#[$meta])*
        #[derive(Debug, Clone, Default, PartialEq, ::serde::Serialize)]
        #[serde(rename_all = "camelCase")]
        #[non_exhaustive]
        pub struct $name {
            $($(#[doc = $doc])* #[serde(skip_serializing_if = "Option::is_none")] pub $field: Option<$type>,)*
            /// Other fields that the CLI supports.
            #[serde(flatten)]
            pub rest: ::serde_json::Map<String, ::serde_json::Value>,
        }

        impl $name {
            /// Creates a value without any field set.
            pub fn new() -> Self {
                Self::default()
            }
            $(
                $(#[doc = $doc])*
                #[must_use]
                pub fn $field(mut self, value: impl Into<$type>) -> Self {
                    self.$field = Some(value.into());
                    self
                }
            )*

            /// Sets any other field that the CLI supports.
            #[must_use]
            pub fn with(mut self, field: impl Into<String>, value: impl Into<::serde_json::Value>) -> Self {
                self.rest.insert(field.into(), value.into());
                self
            }

            /// Returns the JSON object.
            pub fn to_object(&self) -> ::serde_json::Map<String, ::serde_json::Value> {
                match ::serde_json::to_value(self) {
                    Ok(::serde_json::Value::Object(object)) => object,
                    // Unreachable: a struct with these fields is an object, and all keys are strings.
                    _ => ::serde_json::Map::new(),
                }
            }
        }

        impl From<$name> for ::serde_json::Value {
            fn from(value: $name) -> Self {
                Self::Object(value.to_object())
            }
        }

        impl From<$name> for ::serde_json::Map<String, ::serde_json::Value> {
            fn from(value: $name) -> Self {
                value.to_object()
            }
        }
    )+};
}

use settings;
