//! Recorded conversations, to be had again.

use std::fmt;

/// A conversation between a client and a server, as text that people can read and write.
///
/// A line that begins with `> ` goes to the server, one with `< ` comes from it; everything else is a comment. The lines that
/// a server sends after those of the client, up to the client's next ones, may come in any order.
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

/// Some lines of the client, and what the server answers to them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Step {
    /// What is said about it.
    pub comment: Vec<String>,
    /// What the client sends.
    pub sent: Vec<String>,
    /// What the server answers.
    pub received: Vec<String>,
}

/// A server answered something else.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Mismatch {
    /// What the client had sent.
    pub sent: Vec<String>,
    /// What the transcript says.
    pub expected: Vec<String>,
    /// What came.
    pub received: Vec<String>,
}

impl Transcript {
    /// Reads a transcript.
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

    /// Its steps, in order.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// Has the conversation again with what `converse` talks to: it gets the client's lines of one step and how many answers
    /// are expected, and gives back the answers.
    ///
    /// # Errors
    /// The first step that went otherwise.
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

    /// Has the conversation and writes down what comes back, in place of what was expected.
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
        writeln!(f, "the server answered something else")?;
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

    const TEXT: &str = "# one\n> a\n> b\n< 2\n< 1\n\n# two\n> c\n# nothing comes\n> d\n< 3\n";

    #[test]
    fn a_transcript_is_written_as_it_was_read() {
        assert_eq!(Transcript::parse(TEXT).to_string(), TEXT);
    }

    #[test]
    fn answers_of_one_step_may_come_in_any_order_but_all_must_come() {
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
