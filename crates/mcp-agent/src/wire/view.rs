//! Structs whose fields tolerate missing, malformed and duplicate members.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

/// Decodes a field. A JSON value of an unexpected type gives the default, unless it can be read as the expected one: a number
/// with a fraction as an integer, text that contains a number or a truth value.
pub(crate) fn lenient<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: DeserializeOwned + Default,
{
    let raw = <&RawValue>::deserialize(deserializer)?;
    Ok(decode(raw).unwrap_or_else(|| {
        tracing::debug!(expected = std::any::type_name::<T>(), "a field of the claude CLI has an unexpected type");
        T::default()
    }))
}

/// Decodes a field, or returns `None` if its JSON value has an unexpected type.
pub(crate) fn decode<T: DeserializeOwned>(raw: &RawValue) -> Option<T> {
    let text = raw.get();
    serde_json::from_str(text).ok().or_else(|| {
        let inner: Option<String> = serde_json::from_str(text).ok();
        let inner = inner.as_deref().map_or(text, str::trim);
        let number = inner.parse::<f64>().ok();
        // Other text is not parsed as JSON, because it may come from a model or a user.
        let is_plain = number.is_some() || ["true", "false"].contains(&inner);
        let as_written = is_plain.then(|| serde_json::from_str(inner).ok()).flatten();
        as_written.or_else(|| serde_json::from_str(&number?.round().to_string()).ok())
    })
}

/// Declares views: structs of public fields, each decoded by [`lenient`].
///
/// The derived implementation rejects an object with a duplicate key, which would turn the whole view into its default.
/// `remote = "Self"` makes the derive an inherent function; the trait implementation calls it after it has dropped all
/// but the last member of each key.
///
/// `checked by function` after the name calls `function(&mut view, &members)` at the end, for fields whose default would be
/// wrong if their value has an unexpected type.
macro_rules! view {
    ($($(#[$meta:meta])* $vis:vis struct $name:ident $(checked by $check:path)? { $($(#[$field_meta:meta])* $field:ident: $type:ty,)* })+) => {$(
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
                #[allow(unused_mut, reason = "only views with a check are changed")]
                let mut view = Self::deserialize(members.clone().into_deserializer()).map_err(::serde::de::Error::custom)?;
                $($check(&mut view, &members);)?
                Ok(view)
            }
        }
    )+};
}

pub(crate) use view;
