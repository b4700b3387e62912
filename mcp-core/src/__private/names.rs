//! Two of one name, found at compile time.

/// The longest report: two sentences, and room for a name of 128 characters or for most addresses.
const LONGEST: usize = 512;

/// How many buckets the names are put into.
const BUCKETS: usize = 256;

/// Stops compilation when two of these names are equal, with these words around the name.
///
/// To compare each with each takes the compiler longer than anything else about a few hundred tools, so only those in one
/// bucket are compared.
pub const fn distinct<const N: usize>(words: [&str; 2], names: &[&str; N]) {
    // The places of names, counted from 1: the latest one of each bucket, and for each name the one before it.
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

/// Text put together in a constant, where `format!` cannot be.
struct Report {
    bytes: [u8; LONGEST],
    len: usize,
}

impl Report {
    const fn new() -> Report {
        Report { bytes: [0; LONGEST], len: 0 }
    }

    const fn add(mut self, text: &str) -> Report {
        let text = text.as_bytes();
        let mut at = 0;
        while at < text.len() && self.len < LONGEST {
            self.bytes[self.len] = text[at];
            self.len += 1;
            at += 1;
        }
        self
    }

    const fn text(&self) -> &str {
        match str::from_utf8(self.bytes.split_at(self.len).0) {
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
    fn equal_names_are_told_behind_another_in_their_bucket() {
        distinct(["two tools are named `", "`"], &["aa", "bB", "aa"]);
    }

    #[test]
    #[should_panic(expected = "two tools are named `add`")]
    fn equal_names_are_told() {
        distinct(["two tools are named `", "`"], &["add", "sub", "add"]);
    }
}
