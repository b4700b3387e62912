//! Adds messages to a fold.

use super::server_tool::ServerBlock;
use super::{Entry, Fold, PromptEntry, TextEntry, ToolCall, ToolOutcome, TurnState};
use crate::error::{Error, TurnError};
use crate::message::{Assistant, Block, Content, Message, TurnResult, User};
use crate::prompt::Prompt;
use crate::wire::Typed;

impl Fold {
    /// Adds a message.
    pub fn feed(&mut self, message: &Message) {
        if !matches!(message, Message::Result(_)) {
            self.tally.feed(message);
        }
        match message {
            Message::Init(init) => {
                if self.settled.state.is_over() {
                    self.settled.turn = self.start_of_turn();
                }
                self.settled.model = Some(init.model.clone());
                self.settled.session_id = message.head().session_id;
                self.settled.state = TurnState::Running;
            }
            Message::SessionState(changed) => self.settled.state.session_is(&changed.state),
            Message::Assistant(assistant) => self.answer(assistant, message.head().uuid),
            Message::User(user) => self.user(user, message.head().uuid),
            Message::Stream(partial) => self.drafts.feed(partial),
            Message::PermissionDenied(denied) => self.deny(&denied.tool_use_id),
            Message::ModelRefusalFallback(refusal) => {
                self.retract(refusal.retracted_message_uuids.as_deref().unwrap_or_default());
            }
            Message::Result(result) => self.end(result, TurnError::of(result, false).as_ref()),
            _ => {}
        }
    }

    /// Adds a prompt that was sent. The CLI repeats prompts only with
    /// [`replay_prompts`](crate::Agent::replay_prompts); a prompt that arrives again is kept once.
    pub fn sent(&mut self, prompt: &Prompt) {
        self.prompt(PromptEntry {
            content: prompt.content(),
            parent: prompt.parent().map(str::to_owned),
            uuid: Some(prompt.uuid().to_owned()),
        });
    }

    /// Adds an error. The error of a turn contains its result; any other error ends the session.
    pub fn fail(&mut self, error: &Error) {
        match error {
            Error::Turn(turn) => self.end(&turn.result, Some(turn)),
            _ => {
                self.drafts.clear();
                self.settled.state = TurnState::Lost;
            }
        }
    }

    fn answer(&mut self, assistant: &Assistant, uuid: Option<String>) {
        self.retract(assistant.supersedes.as_deref().unwrap_or_default());
        if !self.settled.state.is_asking() {
            self.settled.state = TurnState::Running;
        }
        let parent = &assistant.parent_tool_use_id;
        let said = |text: &str| TextEntry { text: text.to_owned(), parent: parent.clone(), uuid: uuid.clone() };
        for block in assistant.message.content.blocks() {
            self.drafts.complete(parent.as_deref(), &assistant.message.id);
            self.settled.entries.push(match block {
                Block::Text(block) => Entry::Text(said(&block.text)),
                Block::Thinking(block) => Entry::Thinking(said(&block.thinking)),
                Block::ToolUse(block) | Block::ServerToolUse(block) => {
                    Entry::Tool(ToolCall::new(block, parent.clone(), uuid.clone()))
                }
                Block::Other(raw) => match ServerBlock::parse(raw) {
                    Some(ServerBlock::Call(block)) => Entry::Tool(ToolCall::new(&block, parent.clone(), uuid.clone())),
                    Some(ServerBlock::Result { tool_use_id, outcome }) => {
                        if let Some(call) = self.call_mut(&tool_use_id) {
                            call.outcome = Some(outcome);
                        }
                        continue;
                    }
                    None => continue,
                },
                _ => continue,
            });
        }
        if let Content::Text(text) = &assistant.message.content {
            self.settled.entries.push(Entry::Text(said(text)));
        }
    }

    fn user(&mut self, user: &User, uuid: Option<String>) {
        let content = &user.message.content;
        if content.tool_results().next().is_none() {
            // The CLI writes messages of its own in the name of the user: notes, reminders, results of commands.
            if user.is_synthetic != Some(true) {
                self.prompt(PromptEntry { content: content.clone(), parent: user.parent_tool_use_id.clone(), uuid });
            }
            return;
        }
        for result in content.tool_results() {
            if let Some(call) = self.call_mut(&result.tool_use_id) {
                call.outcome = Some(ToolOutcome {
                    content: result.content.clone(),
                    is_error: result.is_error,
                    structured: user.tool_use_result.clone(),
                });
            }
        }
    }

    fn end(&mut self, result: &Typed<TurnResult>, failure: Option<&TurnError>) {
        let session = result.field::<String>("session_id");
        self.tally.feed_result(result, session.as_deref().unwrap_or_default());
        for denial in &result.permission_denials {
            self.deny(&denial.tool_use_id);
            if !self.settled.denials.iter().any(|known| known.tool_use_id == denial.tool_use_id) {
                self.settled.denials.push(denial.clone());
            }
        }
        // The blocks of an aborted answer do not arrive complete any more.
        self.drafts.clear();
        self.settled.session_id = session.or(self.settled.session_id.take());
        self.settled.state = failure.map_or(TurnState::Done, |error| TurnState::Failed(error.failure.clone()));
        self.settled.result = Some(result.clone());
    }

    fn prompt(&mut self, prompt: PromptEntry) {
        let is_known = |entry: &Entry| entry.prompt().is_some_and(|known| known.uuid == prompt.uuid);
        if prompt.uuid.is_none() || !self.settled.entries.iter().any(is_known) {
            self.settled.entries.push(Entry::Prompt(prompt));
        }
    }

    /// Returns the index of the first entry of a new turn: its prompts may have been added already.
    fn start_of_turn(&self) -> usize {
        let is_prompt = |entry: &Entry| entry.prompt().is_some_and(|prompt| prompt.parent.is_none());
        self.settled.entries.iter().rposition(|entry| !is_prompt(entry)).map_or(0, |last| last + 1)
    }

    fn deny(&mut self, tool_use: &str) {
        if let Some(call) = self.call_mut(tool_use) {
            call.denied = true;
        }
    }

    /// Removes messages of the model that the CLI has replaced.
    fn retract(&mut self, uuids: &[String]) {
        if !uuids.is_empty() {
            self.settled.entries.retain(|entry| entry.uuid().is_none_or(|uuid| !uuids.iter().any(|gone| gone == uuid)));
            self.settled.turn = self.settled.turn.min(self.settled.entries.len());
        }
    }

    fn call_mut(&mut self, id: &str) -> Option<&mut ToolCall> {
        // Searches from the end, because recent entries are looked up most.
        self.settled.entries.iter_mut().rev().find_map(|entry| match entry {
            Entry::Tool(call) if call.id == id => Some(call),
            _ => None,
        })
    }
}
