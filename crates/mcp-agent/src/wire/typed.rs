//! A typed view of a JSON object, together with the object's text.

use std::collections::HashMap;
use std::fmt;
use std::ops::{Deref, Range};
use std::sync::OnceLock;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;

use super::members::{Members, from_object};

/// A typed view of a JSON object, together with the object's own text.
///
/// `Typed<T>` dereferences to `T`, so the known fields are read directly. Fields that `T` does not declare are read with
/// [`field`](Self::field). Serializing writes the original text, so unknown fields and the order of keys are preserved.
/// The value is immutable, because a change to the view would not change the text.
///
/// A field that is missing or has an unexpected JSON type has its default value. When a key occurs more than once, its
/// last value is used.
#[derive(Clone)]
pub struct Typed<T> {
    // Boxed: enums with many `Typed` variants stay small.
    view: Box<T>,
    raw: Box<RawValue>,
    // Where the value of each key is in `raw`. Filled by the first call of `field`. Boxed for the same reason.
    index: OnceLock<Box<Index>>,
}

type Index = HashMap<Box<str>, Range<usize>>;

impl<T> Typed<T> {
    /// Returns the text of the whole object, as received.
    pub fn raw(&self) -> &RawValue {
        &self.raw
    }

    /// Decodes any field of the object, including fields that the view does not declare.
    ///
    /// Returns `None` when there is no such field, or when its value cannot be decoded as a `U`. The first call indexes
    /// the object; later calls decode only the value that they return.
    pub fn field<U: DeserializeOwned>(&self, name: &str) -> Option<U> {
        let value = self.index.get_or_init(|| Box::new(index(&self.raw))).get(name)?;
        serde_json::from_str(self.raw.get().get(value.clone())?).ok()
    }

    /// Returns the view and drops the text.
    pub fn into_view(self) -> T {
        *self.view
    }
}

impl<T> Typed<T> {
    /// Changes the view, for values that are not part of the object. The text stays as it is.
    pub(crate) fn set(&mut self, change: impl FnOnce(&mut T)) {
        change(&mut self.view);
    }
}

impl<T: DeserializeOwned + Default> Typed<T> {
    pub(crate) fn new(raw: Box<RawValue>) -> Self {
        // The views of this crate resolve duplicate keys themselves. Other types, such as a caller's own hook event,
        // may reject them; the second attempt decodes these without the duplicates.
        let view = serde_json::from_str(raw.get()).or_else(|_| from_object(raw.get())).unwrap_or_default();
        Self { view: Box::new(view), raw, index: OnceLock::new() }
    }
}

impl<T> Typed<T> {
    /// Decodes the same object as another view.
    pub(crate) fn retyped<U: DeserializeOwned + Default>(self) -> Typed<U> {
        Typed::new(self.raw)
    }
}

/// Returns the byte range of each value in the text. Empty when the text is not an object.
fn index(raw: &RawValue) -> Index {
    let text = raw.get();
    let Ok(members) = serde_json::from_str::<Members<'_>>(text) else {
        return Index::new();
    };
    let range = |value: &RawValue| {
        // The value borrows from `text`, so the difference of the addresses is its offset.
        let start = value.get().as_ptr().addr() - text.as_ptr().addr();
        start..start + value.get().len()
    };
    members.iter().map(|(key, value)| (key.into(), range(value))).collect()
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

/// Compares the texts, not the views.
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
