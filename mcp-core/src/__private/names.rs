//! Two of one name, found at compile time.

/// The longest report: two sentences, and room for a name of 128 characters or for most addresses.
const LONGEST: usize = 512;

/// Stops compilation when two of these names are equal, with these words around the name.
pub const fn distinct(words: [&str; 2], names: &[&str]) {
    let mut second = 0;
    while second < names.len() {
        let mut first = 0;
        while first < second {
            if equal(names[first].as_bytes(), names[second].as_bytes()) {
                let report = Report::new().add(words[0]).add(names[first]).add(words[1]);
                panic!("{}", report.text());
            }
            first += 1;
        }
        second += 1;
    }
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
    use super::distinct;

    #[test]
    fn different_names_pass() {
        distinct(["", ""], &["a", "b", "ab", ""]);
    }

    #[test]
    #[should_panic(expected = "two tools are named `add`")]
    fn equal_names_are_told() {
        distinct(["two tools are named `", "`"], &["add", "sub", "add"]);
    }
}
