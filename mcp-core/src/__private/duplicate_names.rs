//! Compile-time check for duplicate names.

/// The maximum length of the error message: two sentences and a name of 128 characters, or most URIs.
const MAX_MESSAGE_LENGTH: usize = 512;

/// The number of hash buckets.
const BUCKETS: usize = 256;

/// Fails compilation if two names are equal. The message is `words[0]`, the name, `words[1]`.
///
/// Names are compared only within a hash bucket. Comparing all pairs would dominate the compile time of a few hundred tools.
pub const fn distinct<const N: usize>(words: [&str; 2], names: &[&str; N]) {
    // Linked lists of positions, counted from 1: the last name of each bucket, and for each name the previous one.
    let (mut latest, mut before) = ([0; BUCKETS], [0; N]);
    let mut at = 0;
    while at < N {
        let bucket = bucket(names[at].as_bytes());
        before[at] = latest[bucket];
        latest[bucket] = at + 1;
        let mut other = before[at];
        while other > 0 {
            if equal(names[other - 1].as_bytes(), names[at].as_bytes()) {
                let report = Report::new().add(words[0]).add(names[at]).add(words[1]);
                panic!("{}", report.text());
            }
            other = before[other - 1];
        }
        at += 1;
    }
}

const fn bucket(name: &[u8]) -> usize {
    let (mut bucket, mut at) = (0, 0);
    while at < name.len() {
        bucket = (bucket * 31 + name[at] as usize) % BUCKETS;
        at += 1;
    }
    bucket
}

const fn equal(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    let mut at = 0;
    while at < a.len() {
        if a[at] != b[at] {
            return false;
        }
        at += 1;
    }
    true
}

/// Concatenates text in a constant, where `format!` is not available.
struct Report {
    bytes: [u8; MAX_MESSAGE_LENGTH],
    len: usize,
}

impl Report {
    const fn new() -> Report {
        Report { bytes: [0; MAX_MESSAGE_LENGTH], len: 0 }
    }

    const fn add(mut self, text: &str) -> Report {
        let text = text.as_bytes();
        let mut at = 0;
        while at < text.len() && self.len < MAX_MESSAGE_LENGTH {
            self.bytes[self.len] = text[at];
            self.len += 1;
            at += 1;
        }
        self
    }

    const fn text(&self) -> &str {
        let (text, _) = self.bytes.split_at(self.len);
        match str::from_utf8(text) {
            Ok(text) => text,
            Err(_) => "two have the same name",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{bucket, distinct};

    #[test]
    fn different_names_pass() {
        distinct(["", ""], &["a", "b", "ab", ""]);
        distinct(["", ""], &[]);
    }

    #[test]
    fn different_names_in_one_bucket_pass() {
        let names = ["aa", "bB", "c#"];
        assert!(names.iter().all(|name| bucket(name.as_bytes()) == bucket(b"aa")));
        distinct(["", ""], &names);
    }

    #[test]
    #[should_panic(expected = "two tools are named `aa`")]
    fn equal_names_are_found_behind_another_name_in_their_bucket() {
        distinct(["two tools are named `", "`"], &["aa", "bB", "aa"]);
    }

    #[test]
    #[should_panic(expected = "two tools are named `add`")]
    fn equal_names_are_reported() {
        distinct(["two tools are named `", "`"], &["add", "sub", "add"]);
    }
}
