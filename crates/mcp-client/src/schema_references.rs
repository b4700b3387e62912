//! Finds the subschemas that a reference in a schema may mean.

use std::collections::HashMap;

use serde_json::Value;

/// The schemas of a document that references can name.
///
/// An identifier in a subschema changes what the references in it mean. The rules for this differ between the drafts of JSON
/// Schema, so a reference is assumed to mean every schema that it could mean.
pub(crate) struct References<'a> {
    /// The root, and all schemas with an identifier.
    resources: Vec<&'a Value>,
    anchors: HashMap<&'a str, Vec<&'a Value>>,
}

impl<'a> References<'a> {
    pub(crate) fn of(root: &'a Value) -> References<'a> {
        let mut references = References { resources: vec![root], anchors: HashMap::new() };
        references.collect(root, true);
        references
    }

    fn collect(&mut self, value: &'a Value, is_root: bool) {
        match value {
            Value::Array(items) => items.iter().for_each(|item| self.collect(item, false)),
            Value::Object(object) => {
                for keyword in ["$id", "id"] {
                    match object.get(keyword).and_then(Value::as_str).map(|id| id.split_once('#').unwrap_or((id, ""))) {
                        // Draft 7 and older have no other form of anchor.
                        Some((_, anchor)) if !anchor.is_empty() => self.anchors.entry(anchor).or_default().push(value),
                        Some(_) if !is_root => self.resources.push(value),
                        _ => {}
                    }
                }
                for keyword in ["$anchor", "$dynamicAnchor"] {
                    if let Some(anchor) = object.get(keyword).and_then(Value::as_str) {
                        self.anchors.entry(anchor).or_default().push(value);
                    }
                }
                object.values().for_each(|member| self.collect(member, false));
            }
            _ => {}
        }
    }

    /// Returns the schemas that the value of `$ref` or a similar keyword may mean.
    ///
    /// # Errors
    /// If there is none.
    pub(crate) fn targets(&self, reference: &Value) -> Result<Vec<&'a Value>, String> {
        // If the value is not a string, `$ref` is the name of a property here, or the schema is invalid and never used.
        let Some(text) = reference.as_str() else { return Ok(Vec::new()) };
        let (_, fragment) = text.split_once('#').unwrap_or((text, ""));
        let fragment = percent_decoded(fragment);
        let mut targets: Vec<_> = self.resources.iter().filter_map(|resource| resource.pointer(&fragment)).collect();
        targets.extend(self.anchors.get(fragment.as_str()).into_iter().flatten());
        if targets.is_empty() {
            let text: String = text.chars().take(100).collect();
            return Err(format!("the output schema has the unknown reference `{text}`"));
        }
        Ok(targets)
    }
}

fn percent_decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let code = after.get(..2).and_then(|digits| std::str::from_utf8(digits).ok());
        match code.filter(|_| *first == b'%').and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = &after[2..];
            }
            None => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_reference_means_every_schema_that_it_could_mean() {
        let schema = json!({
            "$defs": {
                "a": {"title": "outer"},
                "l": {"$id": "https://x.test/l", "$defs": {"a": {"title": "inner"}}},
                "m": {"$anchor": "m", "title": "anchor"},
                "n": {"$id": "#m", "title": "old anchor"},
                "a/b %": {"title": "escaped"},
            }
        });
        let references = References::of(&schema);
        let titles = |reference: &str| {
            let targets = references.targets(&json!(reference)).unwrap_or_default();
            targets.into_iter().map(|target| target["title"].as_str().unwrap_or("untitled")).collect::<Vec<_>>()
        };
        assert_eq!(titles("#/$defs/a"), ["outer", "inner"]);
        assert_eq!(titles("https://x.test/l"), ["untitled", "untitled"]);
        assert_eq!(titles("other#/$defs/%61"), ["outer", "inner"]);
        assert_eq!(titles("#m"), ["anchor", "old anchor"]);
        assert_eq!(titles("#/$defs/a~1b%20%25"), ["escaped"]);
        assert_eq!(titles("#/$defs/z"), [""; 0]);
        assert_eq!(titles("#nothing"), [""; 0]);
        assert_eq!(references.targets(&json!({})), Ok(Vec::new()));
    }
}
