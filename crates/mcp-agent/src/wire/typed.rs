//! A typed view together with the text that it is a view of.

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
