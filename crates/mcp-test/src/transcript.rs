//! Transcripts: conversations between a client and a server as readable text.

use std::fmt;

/// A conversation between a client and a server, as text that people can read and write.
///
/// A line that begins with `> ` is sent to the server, and a line with `< ` is received from it. All other lines are
/// comments. The server's lines between two lines of the client may arrive in any order.
///
/// ```
/// use mcp_test::Transcript;
///
/// let transcript = Transcript::parse("A ping is answered.\n> {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n< {..}\n");
/// assert_eq!(transcript.steps().len(), 1);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Transcript {
    steps: Vec<Step>,
}

/// One step: lines that the client sends, and the expected lines of the server.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Step {
    /// The comment lines before the step.
    pub comment: Vec<String>,
    /// The lines that the client sends.
    pub sent: Vec<String>,
    /// The expected lines of the server.
    pub received: Vec<String>,
}

/// The error of a step in which the server sent other lines than expected.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Mismatch {
    /// The lines that the client sent.
    pub sent: Vec<String>,
    /// The expected lines, sorted.
    pub expected: Vec<String>,
    /// The received lines, sorted.
    pub received: Vec<String>,
}

impl Transcript {
    /// Parses a transcript.
    pub fn parse(text: &str) -> Transcript {
        let mut steps = vec![Step::default()];
        for line in text.lines() {
            let last = steps.last_mut().expect("never empty");
            if let Some(message) = line.strip_prefix("< ") {
                last.received.push(message.to_owned());
                continue;
            }
            let step = if last.received.is_empty() && (last.sent.is_empty() || line.starts_with("> ")) {
                last
            } else {
                steps.push(Step::default());
                steps.last_mut().expect("just pushed")
            };
            match line.strip_prefix("> ") {
                Some(message) => step.sent.push(message.to_owned()),
                None => step.comment.push(line.to_owned()),
            }
        }
        Transcript { steps }
    }

    /// Returns the steps in order.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// Replays the conversation. For each step it calls `converse` with the client's lines and the number of expected lines;
    /// `converse` sends them to a server and returns the lines that it received.
    ///
    /// # Errors
    /// The first step in which the received lines differ from the expected ones.
    pub fn play(&self, mut converse: impl FnMut(&[String], usize) -> Vec<String>) -> Result<(), Mismatch> {
        for step in &self.steps {
            let mut received = converse(&step.sent, step.received.len());
            let mut expected = step.received.clone();
            received.sort();
            expected.sort();
            if received != expected {
                return Err(Mismatch { sent: step.sent.clone(), expected, received });
            }
        }
        Ok(())
    }

    /// Replays the conversation as [`play`](Self::play) does, and returns a transcript with the received lines.
    pub fn record(&self, mut converse: impl FnMut(&[String], usize) -> Vec<String>) -> Transcript {
        let steps =
            self.steps.iter().cloned().map(|step| Step { received: converse(&step.sent, step.received.len()), ..step });
        Transcript { steps: steps.collect() }
    }
}

impl fmt::Display for Transcript {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for step in &self.steps {
            for line in &step.comment {
                writeln!(f, "{line}")?;
            }
            for line in &step.sent {
                writeln!(f, "> {line}")?;
            }
            for line in &step.received {
                writeln!(f, "< {line}")?;
            }
        }
        Ok(())
    }
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "the server sent other lines than expected")?;
        for (mark, lines) in [("> ", &self.sent), ("expected < ", &self.expected), ("received < ", &self.received)] {
            for line in lines {
                writeln!(f, "{mark}{line}")?;
            }
        }
        Ok(())
    }
}

impl std::error::Error for Mismatch {}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# one\n> a\n> b\n< 2\n< 1\n\n# two\n> c\n# no response\n> d\n< 3\n";

    #[test]
    fn a_parsed_transcript_prints_the_same_text() {
        assert_eq!(Transcript::parse(TEXT).to_string(), TEXT);
    }

    #[test]
    fn the_lines_of_a_step_may_arrive_in_any_order_but_none_may_be_missing() {
        let transcript = Transcript::parse(TEXT);
        let answer = |sent: &[String]| match sent.first().map(String::as_str) {
            Some("a") => vec!["1".to_owned(), "2".to_owned()],
            Some("d") => vec!["3".to_owned()],
            _ => Vec::new(),
        };
        assert_eq!(transcript.play(|sent, _| answer(sent)), Ok(()));
        let mismatch = transcript.play(|sent, _| answer(sent).into_iter().skip(1).collect()).unwrap_err();
        assert_eq!((mismatch.expected.len(), mismatch.received.len()), (2, 1));
    }
}
