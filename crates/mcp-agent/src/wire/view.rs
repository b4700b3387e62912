//! Structs that take whatever comes.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

/// Decodes a field, or takes its default when it has an unexpected form.
pub(crate) fn lenient<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: DeserializeOwned + Default,
{
    let raw = <&RawValue>::deserialize(deserializer)?;
    Ok(serde_json::from_str(raw.get()).unwrap_or_default())
}

/// Declares views: structs of public lenient fields.
macro_rules! view {
    ($($(#[$meta:meta])* $vis:vis struct $name:ident { $($(#[$field_meta:meta])* $field:ident: $type:ty,)* })+) => {$(
        $(#[$meta])*
        #[derive(Debug, Clone, Default, PartialEq, ::serde::Deserialize)]
        #[serde(default)]
        #[non_exhaustive]
        $vis struct $name {
            $($(#[$field_meta])* #[serde(deserialize_with = "crate::wire::lenient")] $vis $field: $type,)*
        }
    )+};
}

pub(crate) use view;
