//! Decodes JSON of the CLI into typed values and keeps the original text.
//!
//! The CLI changes often, so decoding never rejects a message. A field that is missing or has an unexpected type gets
//! its default value, and unknown fields are ignored. Where the default would hide a failure or a cost, an unexpected type is
//! treated as the worst case: a turn that failed, a cost over every limit. The text of the whole object is kept: every field can
//! still be read from it, and serializing returns it unchanged.

mod members;
mod typed;
mod view;

pub use typed::Typed;

pub(crate) use mcp_agent_tools::words;
pub(crate) use members::{Members, from_object};
pub(crate) use view::{lenient, view};

#[cfg(test)]
mod tests {
    use super::*;

    view! {
        /// A view type for these tests.
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
    fn serializing_returns_the_original_text() {
        let json = r#"{"zz": 1.0, "text":"a", "number":null,"inner":[{"word":"two","x":[]}], "a":{"b":0}}"#;
        assert_eq!(serde_json::to_string(&sample(json)).expect("serialises"), json);
    }

    #[test]
    fn a_field_of_an_unexpected_type_is_its_default_and_does_not_affect_others() {
        let typed = sample(r#"{"text":{},"number":"x","camelCase":true,"inner":[{"word":"one"},{"word":{}}]}"#);
        assert_eq!((typed.text.as_str(), typed.number, typed.camel_case), ("", None, true));
        assert_eq!(typed.inner[0].word, Word::One);
        assert_eq!(typed.inner[1].word, Word::default());
    }

    #[test]
    fn a_number_with_a_fraction_or_in_text_is_read() {
        for (json, number) in [("2.6", 3), ("7.0", 7), (r#""12""#, 12), (r#"" 0.4 ""#, 0)] {
            assert_eq!(sample(&format!(r#"{{"number":{json}}}"#)).number, Some(number), "{json}");
        }
        assert!(sample(r#"{"camelCase":"true"}"#).camel_case);
        assert_eq!(sample(r#"{"number":-1}"#).number, None);
        assert!(sample(r#"{"inner":"[{}]"}"#).inner.is_empty(), "text is not read as JSON");
    }

    #[test]
    fn an_unknown_field_can_be_read() {
        let typed = sample(r#"{"later":[1,2]}"#);
        assert_eq!(typed.field::<Vec<u8>>("later"), Some(vec![1, 2]));
        assert_eq!(typed.field::<String>("later"), None);
        assert_eq!(typed.field::<String>("text"), None);
    }

    #[test]
    fn a_duplicate_key_has_its_last_value_and_leaves_the_other_fields_intact() {
        let json = r#"{"text":"first","number":7,"inner":[{"word":"two","word":"one"}],"text":"last","later":1,"later":2}"#;
        let typed = sample(json);
        assert_eq!((typed.text.as_str(), typed.number), ("last", Some(7)));
        assert_eq!(typed.inner[0].word, Word::One);
        assert_eq!(typed.field::<u64>("later"), Some(2));
        assert_eq!(typed.field::<String>("text").as_deref(), Some("last"));
        assert_eq!(serde_json::to_string(&typed).expect("serialises"), json);
    }

    #[test]
    fn every_field_can_be_decoded_from_the_text() {
        let typed = sample(r#" { "a" : [1, 2] , "\u0062":"\u00e9\n", "c":{"d":null} } "#);
        assert_eq!(typed.field::<Vec<u8>>("a"), Some(vec![1, 2]));
        assert_eq!(typed.field::<String>("b").as_deref(), Some("\u{e9}\n"));
        assert_eq!(typed.field::<Box<serde_json::value::RawValue>>("c").expect("a field").get(), r#"{"d":null}"#);
    }

    #[test]
    fn an_unknown_value_is_kept() {
        assert_eq!(Word::from("three").as_str(), "three");
        assert_eq!(serde_json::to_string(&Word::from("three")).expect("a string"), r#""three""#);
    }
}
