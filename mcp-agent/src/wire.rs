//! How JSON of the CLI becomes Rust values: typed where known, the text kept beside it.
//!
//! The CLI changes faster than any list of its fields. So nothing here refuses a message: a field that is missing or has
//! an unexpected form takes its default, a field nobody listed is ignored, and the text of the whole object is kept, from
//! which every field can still be read and which is what serialising gives back.

use std::fmt;
use std::ops::Deref;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;

/// A typed view of a JSON object, together with the object's own text.
///
/// Fields are read through the view (`typed.field`). Serialising gives the text, so nothing is lost on the way through,
/// not even the order of keys. It cannot be changed: view and text would disagree.
#[derive(Clone)]
pub struct Typed<T> {
    // Boxed, so that an enum of many of these is small.
    view: Box<T>,
    raw: Box<RawValue>,
}

impl<T> Typed<T> {
    /// The whole object as it was on the wire.
    pub fn raw(&self) -> &RawValue {
        &self.raw
    }

    /// Reads any field of the object, also one that the view does not list.
    ///
    /// `None` when there is no such field, or when it is not a `U`.
    pub fn field<U: DeserializeOwned>(&self, name: &str) -> Option<U> {
        let fields: std::collections::HashMap<String, &RawValue> = serde_json::from_str(self.raw.get()).ok()?;
        serde_json::from_str(fields.get(name)?.get()).ok()
    }

    /// The view alone, for who wants to own it.
    pub fn into_view(self) -> T {
        *self.view
    }
}

impl<T: DeserializeOwned + Default> Typed<T> {
    pub(crate) fn new(raw: Box<RawValue>) -> Self {
        // A view is built of lenient fields only, so this fails for what is not an object, or names a field twice.
        let view = serde_json::from_str(raw.get()).unwrap_or_default();
        Self { view, raw }
    }
}

impl<T> Typed<T> {
    /// The same object seen as something else.
    pub(crate) fn retyped<U: DeserializeOwned + Default>(self) -> Typed<U> {
        Typed::new(self.raw)
    }
}

impl<T> Deref for Typed<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.view
    }
}

impl<T: fmt::Debug> fmt::Debug for Typed<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.view.fmt(f)
    }
}

/// Equal when the text is.
impl<T> PartialEq for Typed<T> {
    fn eq(&self, other: &Self) -> bool {
        self.raw.get() == other.raw.get()
    }
}

impl<T> Serialize for Typed<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.raw.serialize(serializer)
    }
}

impl<'de, T: DeserializeOwned + Default> Deserialize<'de> for Typed<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self::new(Box::<RawValue>::deserialize(deserializer)?))
    }
}

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

/// Declares enums of words on the wire, which keep a word they do not know.
macro_rules! words {
    ($($(#[$meta:meta])* $vis:vis enum $name:ident { $($(#[$word_meta:meta])* $variant:ident = $word:literal,)+ })+) => {$(
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        $vis enum $name {
            $($(#[$word_meta])* $variant,)+
            /// A word that this version does not know.
            Other(String),
        }

        impl $name {
            /// The word as it stands on the wire.
            $vis fn as_str(&self) -> &str {
                match self {
                    $(Self::$variant => $word,)+
                    Self::Other(word) => word,
                }
            }
        }

        impl From<&str> for $name {
            fn from(word: &str) -> Self {
                match word {
                    $($word => Self::$variant,)+
                    other => Self::Other(other.to_owned()),
                }
            }
        }

        impl Default for $name {
            /// The empty word: what stands for a word that was not there.
            fn default() -> Self {
                Self::Other(String::new())
            }
        }

        impl ::std::fmt::Display for $name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl ::serde::Serialize for $name {
            fn serialize<S: ::serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl<'de> ::serde::Deserialize<'de> for $name {
            fn deserialize<D: ::serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let word = <::std::borrow::Cow<'de, str>>::deserialize(deserializer)?;
                Ok(Self::from(word.as_ref()))
            }
        }
    )+};
}

pub(crate) use {view, words};

#[cfg(test)]
mod tests {
    use super::*;

    view! {
        /// A view for these tests.
        struct Sample {
            /// Text.
            text: String,
            /// A number that may be absent.
            number: Option<u64>,
            /// Renamed on the wire.
            #[serde(rename = "camelCase")]
            camel_case: bool,
            /// Nested.
            inner: Vec<Inner>,
        }
        /// Nested in the sample.
        struct Inner {
            /// A word.
            word: Word,
        }
    }

    words! {
        /// Words for these tests.
        enum Word {
            /// One.
            One = "one",
        }
    }

    fn sample(json: &str) -> Typed<Sample> {
        serde_json::from_str(json).expect("an object")
    }

    #[test]
    fn the_text_survives_byte_by_byte() {
        let json = r#"{"zz": 1.0, "text":"a", "number":null,"inner":[{"word":"two","x":[]}], "a":{"b":0}}"#;
        assert_eq!(serde_json::to_string(&sample(json)).expect("serialises"), json);
    }

    #[test]
    fn a_field_of_another_form_is_its_default_and_spoils_no_other() {
        let typed = sample(r#"{"text":7,"number":"x","camelCase":true,"inner":[{"word":"one"},{"word":{}}]}"#);
        assert_eq!((typed.text.as_str(), typed.number, typed.camel_case), ("", None, true));
        assert_eq!(typed.inner[0].word, Word::One);
        assert_eq!(typed.inner[1].word, Word::default());
    }

    #[test]
    fn a_field_that_nobody_listed_can_be_read() {
        let typed = sample(r#"{"later":[1,2]}"#);
        assert_eq!(typed.field::<Vec<u8>>("later"), Some(vec![1, 2]));
        assert_eq!(typed.field::<String>("later"), None);
        assert_eq!(typed.field::<String>("text"), None);
    }

    #[test]
    fn an_unknown_word_is_kept() {
        assert_eq!(Word::from("three").as_str(), "three");
        assert_eq!(serde_json::to_string(&Word::from("three")).expect("a string"), r#""three""#);
    }
}
