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
            .rejects([(json!(1), "expected a string")])
            .rejects_when_decoding([(json!("yesterday"), "`value`: ")]),
        SampleType::parameter::<Option<NaiveDate>>("Option<NaiveDate>")
            .accepts([json!("2026-07-28")])
            .also_accepts([json!(null)])
            .rejects([(json!(20_260_728), "expected a string")])
            .rejects_when_decoding([(json!("2026-13-01"), "`value`: ")]),
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
            .rejects([(json!(1), "expected a string")])
            .rejects_when_decoding([(json!("67e55044"), "`value`: ")]),
        SampleType::parameter::<Url>("Url")
            .accepts([json!("https://example.com/a?b")])
            .rejects([(json!({}), "expected a string")])
            .rejects_when_decoding([(json!("no url"), "`value`: ")]),
        SampleType::parameter::<Vec<Url>>("Vec<Url>")
            .accepts([json!(["https://example.com"])])
            .rejects([(json!("https://example.com"), "expected an array")])
            .rejects_when_decoding([(json!(["https://example.com", "x"]), "`value[1]`: ")]),
    ]
}
