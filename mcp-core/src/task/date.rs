//! Dates in ISO 8601.

use std::time::{SystemTime, UNIX_EPOCH};

/// Returns a date as milliseconds since 1970. Dates before 1970 become 0.
pub(crate) fn millis(date: SystemTime) -> u64 {
    date.duration_since(UNIX_EPOCH).map_or(0, |since| u64::try_from(since.as_millis()).unwrap_or(u64::MAX))
}

/// Formats milliseconds since 1970 in ISO 8601, such as `2026-07-28T12:00:00.000Z`.
pub(crate) fn iso(millis: u64) -> String {
    let (seconds, rest) = (millis / 1000, millis % 1000);
    let (year, month, day) = civil(seconds / 86_400);
    let (hour, minute, second) = (seconds / 3600 % 24, seconds / 60 % 60, seconds % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{rest:03}Z")
}

/// Converts days since 1970 into year, month and day, with the algorithm `civil_from_days` of Howard Hinnant.
///
/// It counts years from the first of March, so that the leap day is the last day of a year.
fn civil(days: u64) -> (u64, u64, u64) {
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (era * 400 + year + u64::from(month <= 2), month, day)
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
        ] {
            assert_eq!(iso(millis), text);
        }
    }

    #[test]
    fn every_day_is_the_successor_of_the_day_before() {
        let (mut last, lengths) = (civil(0), [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]);
        for day in 1..80_000 {
            let (year, month, of_month) = last;
            let leaps = month == 2 && year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
            let length = lengths[usize::try_from(month - 1).unwrap()] + u64::from(leaps);
            last = match (of_month < length, month < 12) {
                (true, _) => (year, month, of_month + 1),
                (false, true) => (year, month + 1, 1),
                (false, false) => (year + 1, 1, 1),
            };
            assert_eq!(civil(day), last);
        }
    }
}
