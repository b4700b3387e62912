//! Follows the links between the lines of a transcript.

use std::collections::{HashMap, HashSet};

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::preserved::Preserved;
use crate::record::{Entry, Head};

/// All lines of a transcript that have an id.
#[derive(Debug, Default)]
pub(crate) struct Chain {
    nodes: Vec<Node>,
    /// The last line with this id.
    by_uuid: HashMap<String, usize>,
    preserved: Vec<Preserved>,
}

#[derive(Debug)]
pub(crate) struct Node {
    pub(crate) uuid: String,
    pub(crate) parent: Option<String>,
    is_message: bool,
    is_progress: bool,
    is_sidechain: bool,
    timestamp: String,
    /// The id of the answer of the model. The blocks of one answer are several lines.
    answer: Option<String>,
    tool_uses: Vec<String>,
    tool_results: Vec<String>,
    entry: Option<Entry>,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Links {
    message: Option<LinkedMessage>,
    compact_metadata: Option<Preserved>,
    subtype: Value,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct LinkedMessage {
    id: Value,
    content: Value,
}

impl Chain {
    /// Adds a line. A line without an id is not part of a conversation.
    pub(crate) fn add(&mut self, bytes: &[u8]) {
        let Ok(raw) = serde_json::from_slice::<Box<RawValue>>(bytes) else { return };
        let Ok(head) = serde_json::from_str::<Head>(raw.get()) else { return };
        let kind = head.kind.clone().unwrap_or_default();
        let is_linked = matches!(kind.as_str(), "user" | "assistant" | "system" | "attachment" | "progress");
        let Some(uuid) = head.uuid.clone().filter(|_| is_linked) else { return };
        let links: Links = serde_json::from_str(raw.get()).unwrap_or_default();
        if links.subtype == "compact_boundary" {
            self.preserved.extend(links.compact_metadata);
        }
        let message = links.message.unwrap_or_default();
        let is_message = matches!(kind.as_str(), "user" | "assistant");
        self.by_uuid.insert(uuid.clone(), self.nodes.len());
        self.nodes.push(Node {
            uuid,
            parent: head.parent_uuid.clone(),
            is_message,
            is_progress: kind == "progress",
            is_sidechain: head.is_sidechain == true,
            timestamp: head.timestamp.clone().unwrap_or_default(),
            answer: message.id.as_str().filter(|_| kind == "assistant").map(str::to_owned),
            tool_uses: ids(&message.content, "tool_use", "id"),
            tool_results: ids(&message.content, "tool_result", "tool_use_id"),
            entry: if is_message || kind == "system" { Entry::new(&head, &raw) } else { None },
        });
    }

    /// Returns the messages of the conversation in order. Those of the main conversation are not marked as side chains; in the
    /// transcript of a sub-agent all are.
    pub(crate) fn entries(mut self, of_subagent: bool) -> Vec<Entry> {
        for preserved in std::mem::take(&mut self.preserved) {
            preserved.link(&mut self.nodes, &self.by_uuid);
        }
        let path = self.with_parallel(self.path(of_subagent));
        let mut nodes: Vec<Option<Node>> = self.nodes.into_iter().map(Some).collect();
        path.into_iter().filter_map(|index| nodes[index].take()?.entry).collect()
    }

    /// Returns the lines from the first to the last message.
    fn path(&self, of_subagent: bool) -> Vec<usize> {
        let mut path = Vec::new();
        let mut seen = HashSet::new();
        let mut next = self.last_message(of_subagent);
        while let Some(index) = next.filter(|index| seen.insert(*index)) {
            path.push(index);
            next = self.parent(index);
        }
        path.reverse();
        path
    }

    fn parent(&self, index: usize) -> Option<usize> {
        self.by_uuid.get(self.nodes[index].parent.as_ref()?).copied()
    }

    /// Returns the message at the end of the branch that was written last.
    fn last_message(&self, of_subagent: bool) -> Option<usize> {
        let is_own = |node: &&Node| (of_subagent || !node.is_sidechain) && !node.is_progress;
        let parents: HashSet<&str> = self.nodes.iter().filter(is_own).filter_map(|node| node.parent.as_deref()).collect();
        let ends = (0..self.nodes.len()).rev().filter(|index| {
            let node = &self.nodes[*index];
            is_own(&node) && !parents.contains(node.uuid.as_str()) && self.by_uuid.get(&node.uuid) == Some(index)
        });
        let mut seen = HashSet::new();
        for end in ends {
            let mut next = Some(end);
            while let Some(index) = next.filter(|index| seen.insert(*index)) {
                if self.nodes[index].is_message {
                    return Some(index);
                }
                next = self.parent(index);
            }
        }
        None
    }

    /// Adds the lines that are beside the path: the other blocks of an answer with several tool uses, and the results of these
    /// tools. Only one of them is an ancestor of the next message.
    fn with_parallel(&self, path: Vec<usize>) -> Vec<usize> {
        let mut on_path: HashSet<usize> = path.iter().copied().collect();
        let mut answers: HashMap<&str, Vec<usize>> = HashMap::new();
        for (index, node) in self.nodes.iter().enumerate() {
            if let Some(answer) = &node.answer {
                answers.entry(answer).or_default().push(index);
            }
        }
        // The position of an answer is that of its last block on the path.
        let mut last: HashMap<&str, usize> = HashMap::new();
        for index in &path {
            if let Some(answer) = &self.nodes[*index].answer {
                last.insert(answer, *index);
            }
        }
        let mut out = Vec::with_capacity(path.len());
        for index in path {
            out.push(index);
            let Some(answer) = &self.nodes[index].answer else { continue };
            if last.get(answer.as_str()) == Some(&index) {
                let beside = self.beside(&answers[answer.as_str()], &on_path);
                on_path.extend(&beside);
                out.extend(beside);
            }
        }
        out
    }

    /// Returns the blocks of an answer that are not on the path, then the results of its tool uses that are not.
    fn beside(&self, blocks: &[usize], on_path: &HashSet<usize>) -> Vec<usize> {
        let uuids: HashSet<&str> = blocks.iter().map(|block| self.nodes[*block].uuid.as_str()).collect();
        let tool_uses: HashSet<&String> = blocks.iter().flat_map(|block| &self.nodes[*block].tool_uses).collect();
        let mut answered: HashSet<&String> = on_path.iter().flat_map(|index| &self.nodes[*index].tool_results).collect();
        let by_time = |index: &usize| (self.nodes[*index].timestamp.clone(), *index);
        let is_current = |index: &usize| self.by_uuid.get(&self.nodes[*index].uuid) == Some(index);
        let mut beside: Vec<usize> =
            blocks.iter().copied().filter(|block| !on_path.contains(block) && is_current(block)).collect();
        beside.sort_by_key(by_time);
        let mut results: Vec<usize> = (0..self.nodes.len())
            .filter(|index| {
                let node = &self.nodes[*index];
                let follows = node.parent.as_ref().is_some_and(|parent| uuids.contains(parent.as_str()));
                !node.tool_results.is_empty()
                    && !on_path.contains(index)
                    && is_current(index)
                    && (follows || node.tool_results.iter().any(|result| tool_uses.contains(result)))
            })
            .collect();
        results.sort_by_key(by_time);
        // A tool use has one result. Another one belongs to a branch that was left.
        results.retain(|index| {
            let is_new = self.nodes[*index].tool_results.iter().any(|result| !answered.contains(result));
            answered.extend(&self.nodes[*index].tool_results);
            is_new
        });
        beside.extend(results);
        beside
    }
}

/// Returns the ids in the blocks of this type.
fn ids(content: &Value, kind: &str, field: &str) -> Vec<String> {
    let blocks = content.as_array().into_iter().flatten().filter(|block| block["type"] == kind);
    blocks.filter_map(|block| block[field].as_str().map(str::to_owned)).collect()
}
