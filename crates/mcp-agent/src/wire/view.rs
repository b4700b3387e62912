//! Structs whose fields tolerate missing, malformed and duplicate members.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

/// Decodes a field, or returns its default when the JSON value has an unexpected type.
pub(crate) fn lenient<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: DeserializeOwned + Default,
{
    let raw = <&RawValue>::deserialize(deserializer)?;
    Ok(serde_json::from_str(raw.get()).unwrap_or_default())
}

/// Declares views: structs of public fields, each decoded by [`lenient`].
///
/// The derived implementation rejects an object with a duplicate key, which would turn the whole view into its default.
/// `remote = "Self"` makes the derive an inherent function; the trait implementation calls it after it has dropped all
/// but the last member of each key.
macro_rules! view {
    ($($(#[$meta:meta])* $vis:vis struct $name:ident { $($(#[$field_meta:meta])* $field:ident: $type:ty,)* })+) => {$(
        $(#[$meta])*
        #[derive(Debug, Clone, Default, PartialEq, ::serde::Deserialize)]
        #[serde(default, remote = "Self")]
        #[non_exhaustive]
        $vis struct $name {
            $($(#[$field_meta])* #[serde(deserialize_with = "crate::wire::lenient")] $vis $field: $type,)*
        }

        impl<'de> ::serde::Deserialize<'de> for $name {
            fn deserialize<D: ::serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let members = <$crate::wire::Members<'de> as ::serde::Deserialize>::deserialize(deserializer)?;
                Self::deserialize(members.into_deserializer()).map_err(::serde::de::Error::custom)
            }
        }
    )+};
}

pub(crate) use view;
