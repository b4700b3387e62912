//! Dates in ISO 8601.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Returns a date as milliseconds since 1970. Dates before 1970 become 0.
pub(crate) fn millis(date: SystemTime) -> u64 {
    date.duration_since(UNIX_EPOCH).map_or(0, |since| u64::try_from(since.as_millis()).unwrap_or(u64::MAX))
}

/// The last millisecond of the year 9999, the last year that ISO 8601 writes with four digits.
const MAX_MILLIS: u64 = 253_402_300_799_999;

/// Formats milliseconds since 1970 in ISO 8601, such as `2026-07-28T12:00:00.000Z`. Dates after 9999 become the last of 9999.
pub(crate) fn iso(millis: u64) -> String {
    let date = UNIX_EPOCH + Duration::from_millis(millis.min(MAX_MILLIS));
    humantime::format_rfc3339_millis(date).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_dates_are_formatted_correctly() {
        for (millis, text) in [
            (0, "1970-01-01T00:00:00.000Z"),
            (951_782_400_000, "2000-02-29T00:00:00.000Z"),
            (1_709_251_199_999, "2024-02-29T23:59:59.999Z"),
            (1_785_240_000_001, "2026-07-28T12:00:00.001Z"),
            (4_102_444_800_000, "2100-01-01T00:00:00.000Z"),
            (u64::MAX, "9999-12-31T23:59:59.999Z"),
        ] {
            assert_eq!(iso(millis), text);
        }
    }
}
