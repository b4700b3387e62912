//! Types of other crates for which schemars has a schema.

use chrono::{DateTime, NaiveDate, NaiveDateTime, NaiveTime, TimeDelta, Utc, Weekday};
use serde_json::json;
use url::Url;
use uuid::Uuid;

use super::SampleType;

pub(crate) fn all() -> Vec<SampleType> {
    vec![
        SampleType::parameter::<DateTime<Utc>>("DateTime<Utc>")
            .accepts([json!("2026-07-28T12:00:00Z"), json!("2026-07-28T12:00:00+02:00")])
            .rejects([
                (json!(1), "expected a string"),
                (
                    json!("yesterday"),
                    "`value`: expected a date and time with a time zone, such as \"2026-11-19T08:30:00Z\", got",
                ),
            ]),
        SampleType::parameter::<Option<NaiveDate>>("Option<NaiveDate>")
            .accepts([json!("2026-07-28")])
            .also_accepts([json!(null)])
            .rejects([
                (json!(20_260_728), "expected a string"),
                (json!("2026-13-01"), "`value`: expected a date such as \"2026-11-19\", got the string \"2026-13-01\""),
            ]),
        SampleType::parameter::<NaiveDateTime>("NaiveDateTime")
            .accepts([json!("2026-07-28T12:00:00")])
            .rejects([(json!(1), "a string")]),
        SampleType::parameter::<NaiveTime>("NaiveTime").accepts([json!("12:00:00")]).rejects([(json!(1), "a string")]),
        SampleType::parameter::<Weekday>("Weekday")
            .accepts([json!("Mon")])
            .rejects([(json!("Mo"), "did you mean \"Mon\"?")]),
        SampleType::parameter::<Option<Weekday>>("Option<Weekday>")
            .accepts([json!("Tue")])
            .also_accepts([json!(null)])
            .rejects([(json!("Tuesday!"), "expected one of \"Mon\", \"Tue\"")]),
        SampleType::parameter::<TimeDelta>("TimeDelta")
            .accepts([json!([1, 0]), json!([1.0, 0])])
            .rejects([(json!([1, -1]), "`value[1]`: expected at least 0")]),
        SampleType::parameter::<Uuid>("Uuid")
            .accepts([json!("67e55044-10b1-426f-9247-bb680e5fe0c8")])
            .rejects([(json!(1), "expected a string"), (json!("67e55044"), "`value`: expected a UUID such as")]),
        SampleType::parameter::<Url>("Url")
            .accepts([json!("https://example.com/a?b")])
            .also_accepts([json!("https://de.wikipedia.org/wiki/Käse")])
            .rejects([
                (json!({}), "expected a string"),
                (json!("no url"), "`value`: expected a URI such as"),
                (json!("https://[example.com"), "`value`: "),
            ]),
        SampleType::parameter::<Vec<Url>>("Vec<Url>").accepts([json!(["https://example.com"])]).rejects([
            (json!("https://example.com"), "expected an array"),
            (json!(["x", "https://example.com", "y"]), "`value[0]`: expected a URI such as"),
            (json!(["x", "https://example.com", "y"]), "`value[2]`: expected a URI such as"),
        ]),
    ]
}
