//! Requests about the turn and the conversation.

use serde_json::{Value, json};

use super::reply::TextReply;
use super::{Handle, InterruptReceipt, Nothing};
use crate::error::Error;
use crate::options::ThinkingDisplay;
use crate::permission::PermissionMode;
use crate::wire::Typed;

/// Turn and conversation
impl Handle {
    /// Breaks the turn off. Tools that run are cancelled; the turn fails with
    /// [`TurnFailure::Interrupted`](crate::TurnFailure::Interrupted); prompts that wait are taken next.
    ///
    /// # Errors
    /// When the CLI refuses or is gone.
    pub async fn interrupt(&self) -> Result<Typed<InterruptReceipt>, Error> {
        self.ask("interrupt", Nothing {}).await
    }

    /// Breaks the turn off and takes back the prompts that wait.
    ///
    /// # Errors
    /// When the CLI refuses or is gone.
    pub async fn interrupt_all(&self) -> Result<Typed<InterruptReceipt>, Error> {
        self.ask("interrupt", json!({"cancel_queued": true})).await
    }

    /// Takes back a prompt that waits, by its id. Says whether it was still there to be taken back.
    ///
    /// # Errors
    /// When the CLI refuses or is gone.
    pub async fn cancel_prompt(&self, uuid: &str) -> Result<bool, Error> {
        let answer: Value = self.ask("cancel_async_message", json!({"message_uuid": uuid})).await?;
        Ok(answer["cancelled"].as_bool().unwrap_or(false))
    }

    /// Changes the model; back to the default with `None`. Gives the model's full name. The CLI takes any name.
    ///
    /// # Errors
    /// When the CLI refuses or is gone.
    pub async fn set_model(&self, model: Option<&str>) -> Result<Option<String>, Error> {
        let fields = model.map_or_else(|| json!({}), |model| json!({"model": model}));
        Ok(self.ask::<Option<TextReply>>("set_model", fields).await?.and_then(|reply| reply.model))
    }

    /// Changes how permission is given. [`PermissionMode::BypassPermissions`] is refused unless the agent was opened with
    /// leave for it.
    ///
    /// # Errors
    /// When the CLI refuses or is gone.
    pub async fn set_permission_mode(&self, mode: PermissionMode) -> Result<(), Error> {
        self.order("set_permission_mode", json!({"mode": mode})).await
    }

    /// Changes the permission mode for the tools of one MCP server; back to the session's with `None`.
    ///
    /// # Errors
    /// When the CLI refuses or is gone.
    pub async fn set_mcp_permission_mode(&self, server: &str, mode: Option<PermissionMode>) -> Result<(), Error> {
        self.order("set_mcp_permission_mode_override", json!({"serverName": server, "mode": mode})).await
    }

    /// Changes how many tokens the model may think; as it sees fit with `None`.
    ///
    /// # Errors
    /// When the CLI refuses or is gone.
    pub async fn set_max_thinking_tokens(&self, tokens: Option<u32>, display: Option<ThinkingDisplay>) -> Result<(), Error> {
        let mut fields = json!({"max_thinking_tokens": tokens});
        if let Some(display) = display {
            fields["thinking_display"] = json!(display);
        }
        self.order("set_max_thinking_tokens", fields).await
    }

    /// Changes the session's title.
    ///
    /// # Errors
    /// When the CLI refuses or is gone.
    pub async fn rename(&self, title: &str) -> Result<(), Error> {
        self.order("rename_session", json!({"title": title})).await
    }

    /// Lets the model find a title for a description.
    ///
    /// # Errors
    /// When the CLI refuses or is gone.
    pub async fn generate_title(&self, description: &str) -> Result<Option<String>, Error> {
        let fields = json!({"description": description, "persist": false});
        Ok(self.ask::<Option<TextReply>>("generate_session_title", fields).await?.and_then(|reply| reply.title))
    }

    /// Changes the session's colour. Today's CLI refuses it without a terminal.
    ///
    /// # Errors
    /// When the CLI refuses or is gone.
    pub async fn set_color(&self, color: &str) -> Result<(), Error> {
        self.order("set_color", json!({"color": color})).await
    }

    /// Asks the model something beside the conversation, which does not remember it.
    ///
    /// # Errors
    /// When the CLI refuses or is gone.
    pub async fn side_question(&self, question: &str) -> Result<Option<String>, Error> {
        let fields = json!({"question": question});
        Ok(self.ask::<Option<TextReply>>("side_question", fields).await?.and_then(|reply| reply.response))
    }

    /// Tells the CLI whether anybody is watching.
    ///
    /// # Errors
    /// When the CLI refuses or is gone.
    pub async fn set_has_subscribers(&self, on: bool) -> Result<(), Error> {
        self.order("set_has_subscribers", json!({"has_subscribers": on})).await
    }

    /// Stops a background task.
    ///
    /// # Errors
    /// When the CLI refuses or is gone.
    pub async fn stop_task(&self, task_id: &str) -> Result<(), Error> {
        self.order("stop_task", json!({"task_id": task_id})).await
    }

    /// Sends what runs to the background: one tool use, or all.
    ///
    /// # Errors
    /// When the CLI refuses or is gone.
    pub async fn background_tasks(&self, tool_use_id: Option<&str>) -> Result<Value, Error> {
        let fields = tool_use_id.map_or_else(|| json!({}), |id| json!({"tool_use_id": id}));
        self.ask("background_tasks", fields).await
    }

    /// What a background task has said.
    ///
    /// # Errors
    /// When the CLI refuses or is gone.
    pub async fn task_output(&self, task_id: &str) -> Result<Value, Error> {
        self.ask("get_task_output", json!({"task_id": task_id})).await
    }

    /// Asks the CLI to end the session. It then goes by itself; [`Session::close`](crate::Session::close) does not need this.
    ///
    /// # Errors
    /// When the CLI refuses or is gone.
    pub async fn end_session(&self) -> Result<(), Error> {
        self.order("end_session", Nothing {}).await
    }
}
