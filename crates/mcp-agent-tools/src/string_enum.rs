//! Enums of strings that keep unknown values.

/// Declares enums of the strings of the protocol. An unknown string is kept in the variant `Other`.
#[doc(hidden)]
#[macro_export]
macro_rules! words {
    ($($(#[$meta:meta])* $vis:vis enum $name:ident { $($(#[$word_meta:meta])* $variant:ident = $word:literal,)+ })+) => {$(
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        $vis enum $name {
            $($(#[$word_meta])* $variant,)+
            /// A value that this version does not know.
            Other(String),
        }

        impl $name {
            /// Returns the value as it is in the protocol.
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
            /// `Other` with an empty string, for a missing value.
            fn default() -> Self {
                Self::Other(String::new())
            }
        }

        impl ::std::fmt::Display for $name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl $crate::__serde::Serialize for $name {
            fn serialize<S: $crate::__serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl<'de> $crate::__serde::Deserialize<'de> for $name {
            fn deserialize<D: $crate::__serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let word: ::std::borrow::Cow<'de, str> = $crate::__serde::Deserialize::deserialize(deserializer)?;
                Ok(Self::from(word.as_ref()))
            }
        }
    )+};
}
