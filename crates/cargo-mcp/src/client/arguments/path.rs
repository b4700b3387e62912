//! The path of an argument: `address.city`, `tags[]`, `points[0].x`.

use serde_json::Value;

/// The steps from the arguments to a value. There is at least one.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Path {
    pub(super) steps: Vec<Step>,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// A member of an object.
    Member(String),
    /// An element of a list, or a new one at its end.
    Element(Option<usize>),
}

impl Path {
    /// Parses a path. A name in `properties` is that argument, whatever characters it has.
    pub(super) fn parse(text: &str, properties: &Value) -> Result<Path, String> {
        if properties.get(text).is_some() {
            return Ok(Path { steps: vec![Step::Member(text.to_owned())] });
        }
        Path::steps(text)
            .map(|steps| Path { steps })
            .ok_or_else(|| format!("`{text}` is not a path of an argument: write name, name.member, name[] or name[0]"))
    }

    fn steps(text: &str) -> Option<Vec<Step>> {
        let mut steps = Vec::new();
        for part in text.split('.') {
            let (name, mut brackets) = part.split_at(part.find('[').unwrap_or(part.len()));
            if name.is_empty() {
                return None;
            }
            steps.push(Step::Member(name.to_owned()));
            while !brackets.is_empty() {
                let (index, rest) = brackets.strip_prefix('[')?.split_once(']')?;
                let index = if index.is_empty() { None } else { Some(index.parse().ok()?) };
                steps.push(Step::Element(index));
                brackets = rest;
            }
        }
        Some(steps)
    }
}
