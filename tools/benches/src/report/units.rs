//! Formats numbers with units.

use crate::statistics::Spread;

/// Nanoseconds as µs, ms or s.
pub(super) fn time(nanoseconds: f64) -> String {
    match nanoseconds {
        ns if ns.abs() < 1e3 => format!("{} ns", short(ns)),
        ns if ns.abs() < 1e6 => format!("{} µs", short(ns / 1e3)),
        ns if ns.abs() < 1e9 => format!("{} ms", short(ns / 1e6)),
        ns => format!("{} s", short(ns / 1e9)),
    }
}

/// Bytes as KiB or MiB.
pub(super) fn size(bytes: f64) -> String {
    if bytes < 1024.0 * 1024.0 {
        format!("{} KiB", short(bytes / 1024.0))
    } else {
        format!("{} MiB", short(bytes / 1048576.0))
    }
}

/// The size of a file in megabytes of 1,000,000 bytes.
pub(super) fn file_size(bytes: f64) -> String {
    format!("{} MB", short(bytes / 1e6))
}

/// An integer with a comma every three digits.
pub(super) fn count(number: f64) -> String {
    let digits = format!("{:.0}", number.abs());
    let mut grouped = String::from(if number < -0.5 { "-" } else { "" });
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// A ratio.
pub(super) fn times(ratio: f64) -> String {
    let digits = if ratio < 0.1 { 4 } else { 2 };
    format!("{ratio:.digits$} x")
}

/// The median, and in brackets the quartiles.
pub(super) fn with_spread(spread: Spread, unit: fn(f64) -> String) -> String {
    let middle = unit(spread.median);
    if spread.count < 2 {
        return middle;
    }
    let bare = |value: f64| unit(value).trim_end_matches(" x").to_owned();
    format!("{middle} ({} to {})", bare(spread.low), bare(spread.high))
}

/// Three significant digits.
fn short(value: f64) -> String {
    match value.abs() {
        large if large >= 100.0 => count(value),
        middle if middle >= 10.0 => trim(format!("{value:.1}")),
        _ => trim(format!("{value:.2}")),
    }
}

/// Removes trailing zeros: 5.0 becomes 5.
fn trim(text: String) -> String {
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_have_three_digits_and_a_unit() {
        let shown = [7.0, 10_460.0, 189_000.0, 1_509_400.0, 82e9].map(time);
        assert_eq!(shown, ["7 ns", "10.5 µs", "189 µs", "1.51 ms", "82 s"]);
        assert_eq!([2048.0, 3.5 * 1048576.0].map(size), ["2 KiB", "3.5 MiB"]);
        assert_eq!([4e6, 7_430_000.0].map(file_size), ["4 MB", "7.43 MB"]);
        assert_eq!([0.0, 999.0, 8265.0, 1_234_567.0].map(count), ["0", "999", "8,265", "1,234,567"]);
        assert_eq!([1.304, 0.0181].map(times), ["1.30 x", "0.0181 x"]);
    }

    #[test]
    fn one_round_has_no_spread() {
        assert_eq!(with_spread(Spread::of([2.0]).unwrap(), times), "2.00 x");
        assert_eq!(with_spread(Spread::of([1.0, 2.0, 3.0]).unwrap(), times), "2.00 x (1.50 to 2.50)");
    }
}
