//! Messages that a compaction has kept.

use std::collections::HashMap;

use serde::Deserialize;

use crate::chain::Node;

/// The messages that a compaction has kept, from the metadata of its boundary.
///
/// They are not written again: they keep their old ids and parents, and the boundary says where they belong now: after the
/// summary of the compaction.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(crate) struct Preserved {
    preserved_messages: Option<Messages>,
    preserved_segment: Option<Segment>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Messages {
    anchor_uuid: String,
    uuids: Vec<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Segment {
    head_uuid: String,
    anchor_uuid: String,
    tail_uuid: String,
}

impl Preserved {
    /// Links the messages to the anchor, and what followed the anchor to the last of them.
    pub(crate) fn link(&self, nodes: &mut [Node], by_uuid: &HashMap<String, usize>) {
        let (anchor, head, tail) = match (&self.preserved_messages, &self.preserved_segment) {
            (Some(messages), _) => {
                let [head, .., tail] = messages.uuids.as_slice() else {
                    if let [only] = messages.uuids.as_slice()
                        && by_uuid.contains_key(only)
                    {
                        relink(nodes, by_uuid, &messages.anchor_uuid, only, only);
                    }
                    return;
                };
                if !messages.uuids.iter().all(|uuid| by_uuid.contains_key(uuid)) {
                    return;
                }
                for pair in messages.uuids.windows(2) {
                    nodes[by_uuid[&pair[1]]].parent = Some(pair[0].clone());
                }
                (&messages.anchor_uuid, head, tail)
            }
            (None, Some(segment)) => (&segment.anchor_uuid, &segment.head_uuid, &segment.tail_uuid),
            (None, None) => return,
        };
        relink(nodes, by_uuid, anchor, head, tail);
    }
}

fn relink(nodes: &mut [Node], by_uuid: &HashMap<String, usize>, anchor: &str, head: &str, tail: &str) {
    for node in nodes.iter_mut() {
        if node.parent.as_deref() == Some(anchor) && node.uuid != head {
            node.parent = Some(tail.to_owned());
        }
    }
    if let Some(head) = by_uuid.get(head) {
        nodes[*head].parent = Some(anchor.to_owned());
    }
}
