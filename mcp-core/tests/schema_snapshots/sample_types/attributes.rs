//! Types with serde and schemars attributes.
#![allow(dead_code)]

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, de};
use serde_json::json;

use super::SampleType;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Renamed {
    first_name: String,
    #[serde(rename = "type")]
    kind: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct FlatAlias {
    #[serde(alias = "q", alias = "search")]
    query: String,
    #[serde(alias = "max")]
    limit: Option<u32>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct CheckedAlias {
    #[serde(alias = "q")]
    #[schemars(length(min = 2))]
    query: String,
    #[serde(alias = "max", default)]
    #[schemars(range(max = 10))]
    limit: u32,
    filters: Option<Vec<LaxAlias>>,
}

#[derive(Deserialize, JsonSchema)]
struct LaxAlias {
    #[serde(alias = "lo")]
    #[schemars(range(min = 5))]
    low: Option<i32>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Defaults {
    #[serde(default)]
    verbose: bool,
    #[serde(default = "ten")]
    limit: u32,
    #[serde(default)]
    names: Vec<String>,
    #[serde(default)]
    nothing: Option<u8>,
}

fn ten() -> u32 {
    10
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Constrained {
    #[schemars(range(min = 1, max = 100))]
    percent: u8,
    #[schemars(extend("exclusiveMinimum" = 0.0, "exclusiveMaximum" = 1.0))]
    share: Option<f64>,
    #[schemars(length(min = 1, max = 5))]
    word: Option<String>,
    #[schemars(length(max = 2))]
    list: Option<Vec<String>>,
    #[schemars(regex(pattern = r"^[a-z]+-\d{2}$"))]
    code: Option<String>,
    #[schemars(inner(range(min = 0)))]
    counts: Option<Vec<i32>>,
    #[schemars(extend("multipleOf" = 5))]
    fives: Option<u32>,
    #[schemars(email)]
    mail: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct FullRange {
    #[schemars(range(min = 0, max = 255))]
    byte: u8,
    #[schemars(range(min = 0))]
    count: i32,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Lenient {
    /// a number, also as text
    #[serde(deserialize_with = "number_or_text")]
    #[schemars(with = "NumberOrText")]
    count: u32,
    #[serde(deserialize_with = "number_or_text")]
    strict_in_the_schema: u32,
}

#[derive(Deserialize, JsonSchema)]
#[serde(untagged)]
enum NumberOrText {
    Number(u32),
    Text(String),
}

fn number_or_text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
    match NumberOrText::deserialize(deserializer)? {
        NumberOrText::Number(number) => Ok(number),
        NumberOrText::Text(text) => text.parse().map_err(de::Error::custom),
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(try_from = "String")]
struct Even(String);

impl TryFrom<String> for Even {
    type Error = String;

    fn try_from(text: String) -> Result<Even, String> {
        if text.len().is_multiple_of(2) { Ok(Even(text)) } else { Err(format!("{text:?} has an odd length")) }
    }
}

/// Told   
///
/// about at length,  
///   with `markdown`.
#[derive(Deserialize, JsonSchema)]
struct Told {
    /// # A heading
    ///
    /// and more
    heading: String,
    #[schemars(description = "  spaces  ", example = &"a", title = "A title")]
    spaces: String,
    #[deprecated]
    #[serde(default)]
    old: u8,
    #[schemars(skip)]
    #[serde(default)]
    hidden: u8,
}

#[derive(Deserialize, JsonSchema)]
struct Required {
    #[schemars(required)]
    name: Option<String>,
}

pub(crate) fn all() -> Vec<SampleType> {
    let mut all = names();
    all.extend(rules());
    all.extend(freedom());
    all
}

fn names() -> Vec<SampleType> {
    vec![
        SampleType::arguments::<Renamed>("renamed")
            .accepts([json!({"firstName": "a", "type": "b"})])
            .rejects([(json!({"first_name": "a"}), "`first_name`: unknown; did you mean `firstName`?")]),
        SampleType::arguments::<FlatAlias>("aliases of scalars")
            .accepts([json!({"query": "a", "limit": 1})])
            .also_accepts([json!({"q": "a"}), json!({"search": "a", "max": 1.0}), json!({"q": "a", "max": null})])
            .rejects([
                (json!({"query": "a", "q": "b"}), "`q`: unknown"),
                (json!({"q": 1}), "`q`: "),
                (json!({"q": "a", "limits": 1}), "invalid arguments:\n- `limits`: unknown; did you mean `limit`?"),
            ]),
        SampleType::arguments::<CheckedAlias>("aliases beside rules")
            .accepts([json!({"query": "ab", "limit": 10, "filters": [{"low": 5}]})])
            .also_accepts([json!({"q": "ab", "max": 10}), json!({"q": "ab", "filters": [{"lo": null}]})])
            .rejects([
                (json!({"q": "a"}), "at least 2 characters, got 1"),
                (json!({"q": "ab", "max": 11}), "at most 10, got the number 11"),
                (json!({"query": "ab", "maxi": 1}), "`maxi`: unknown"),
            ])
            .also_accepts([json!({"query": "ab", "filters": [{"lo": 5}, {"lo": 6}]})])
            .rejects([
                (json!({"query": "ab", "filters": [{"lo": 5}, {"lo": 4}]}), "`filters[1].low`: expected at least 5"),
                (json!({"query": "ab", "filters": [{"lo": 5}, {"lo": 6, "other": 1}]}), "`filters[1].other`: unknown"),
            ]),
    ]
}

fn rules() -> Vec<SampleType> {
    vec![
        SampleType::arguments::<Constrained>("rules")
            .accepts([
                json!({"percent": 100, "share": 0.5, "word": "é\u{1F980}", "list": ["a", "b"], "code": "ab-12", "counts": [0]}),
                json!({"percent": 1.0, "fives": 10, "mail": "ada@example.com"}),
            ])
            .also_accepts([json!({"percent": 1, "share": null, "word": null, "list": null, "code": null})])
            .rejects([
                (json!({"percent": 0}), "`percent`: expected at least 1, got the number 0"),
                (json!({"percent": 101}), "`percent`: expected at most 100"),
                (json!({"percent": 1, "share": 0}), "`share`: expected more than 0"),
                (json!({"percent": 1, "share": 1}), "`share`: expected less than 1"),
                (json!({"percent": 1, "word": ""}), "`word`: expected at least 1 character, got 0"),
                (json!({"percent": 1, "word": "toolong"}), "`word`: expected at most 5 characters, got 7: \"toolong\""),
                (json!({"percent": 1, "list": ["a", "b", "c"]}), "`list`: expected at most 2 items, got an array of 3 items"),
                (json!({"percent": 1, "code": "AB-1"}), "`code`: expected a string that matches `^[a-z]+-\\d{2}$`"),
                (json!({"percent": 1, "counts": [0, -1]}), "`counts[1]`: expected at least 0"),
                (json!({"percent": 1, "mail": "no mail but text"}), "`mail`: expected an email address such as"),
                (json!({"percent": 1, "fives": 7}), "`fives`: expected a multiple of 5, got the number 7"),
            ]),
        SampleType::arguments::<FullRange>("rules that the type enforces, and one it does not")
            .accepts([json!({"byte": 255, "count": 0})])
            .rejects([(json!({"byte": 0, "count": -1}), "`count`: expected at least 0"), (json!({"byte": 256, "count": 0}), "255")]),
        SampleType::arguments::<Required>("an option that is required")
            .accepts([json!({"name": "a"})])
            .rejects([(json!({}), "`name`: missing"), (json!({"name": null}), "expected a string, got null")]),
        SampleType::parameter::<Even>("try_from")
            .accepts([json!("ab")])
            .rejects([(json!(1), "expected a string")])
            .rejects_when_decoding([(json!("abc"), "`value`: \"abc\" has an odd length")]),
    ]
}

fn freedom() -> Vec<SampleType> {
    vec![
        SampleType::arguments::<Defaults>("defaults")
            .accepts([json!({}), json!({"verbose": true, "limit": 3, "names": ["a"], "nothing": 1})])
            .also_accepts([json!({"nothing": null})])
            .rejects([
                (json!({"limit": null}), "`limit`: expected an integer, got null; leave it out instead"),
                (json!({"verbos": true}), "`verbose`?"),
            ]),
        SampleType::arguments::<Lenient>("deserialize_with")
            .accepts([json!({"count": 1, "strict_in_the_schema": 1}), json!({"count": "1", "strict_in_the_schema": 1.0})])
            .rejects([
                (json!({"count": 1, "strict_in_the_schema": "1"}), "`strict_in_the_schema`: expected an integer"),
                (
                    json!({"count": true, "strict_in_the_schema": 1}),
                    "`count`: expected an integer, or a string, got the boolean true",
                ),
            ])
            .rejects_when_decoding([(json!({"count": "x", "strict_in_the_schema": 1}), "invalid digit")]),
        SampleType::arguments::<Told>("docs")
            .accepts([json!({"heading": "a", "spaces": "b"})])
            .rejects([(json!({"heading": "a"}), "`spaces`: missing, expected a string (spaces)")]),
    ]
}
