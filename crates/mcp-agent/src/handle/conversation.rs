//! Requests about the turn and the conversation.

use serde_json::{Value, json};

use super::reply::TextReply;
use super::{Handle, InterruptReceipt, Nothing, TaskOutput};
use crate::error::Error;
use crate::options::ThinkingDisplay;
use crate::permission::PermissionMode;
use crate::wire::Typed;

/// # Turn and conversation
impl Handle {
    /// Interrupts the turn. Running tools are cancelled, and the turn fails with
    /// [`TurnFailure::Interrupted`](crate::TurnFailure::Interrupted). Queued prompts are processed next.
    ///
    /// # Errors
    /// [`Error::Refused`] if the CLI rejects the request, [`Error::Ended`] if the CLI has exited.
    pub async fn interrupt(&self) -> Result<Typed<InterruptReceipt>, Error> {
        self.ask("interrupt", Nothing {}).await
    }

    /// Interrupts the turn and cancels all queued prompts.
    ///
    /// # Errors
    /// [`Error::Refused`] if the CLI rejects the request, [`Error::Ended`] if the CLI has exited.
    pub async fn interrupt_all(&self) -> Result<Typed<InterruptReceipt>, Error> {
        self.ask("interrupt", json!({"cancel_queued": true})).await
    }

    /// Cancels a queued prompt, by its id. Returns false if it was no longer queued.
    ///
    /// # Errors
    /// [`Error::Refused`] if the CLI rejects the request, [`Error::Ended`] if the CLI has exited.
    pub async fn cancel_prompt(&self, uuid: &str) -> Result<bool, Error> {
        let answer: Value = self.ask("cancel_async_message", json!({"message_uuid": uuid})).await?;
        Ok(answer["cancelled"].as_bool().unwrap_or(false))
    }

    /// Changes the model; `None` restores the default. Returns the full name of the model. The CLI does not check the
    /// name.
    ///
    /// # Errors
    /// [`Error::Refused`] if the CLI rejects the request, [`Error::Ended`] if the CLI has exited.
    pub async fn set_model(&self, model: Option<&str>) -> Result<Option<String>, Error> {
        let fields = model.map_or_else(|| json!({}), |model| json!({"model": model}));
        Ok(self.ask::<Option<TextReply>>("set_model", fields).await?.and_then(|reply| reply.model))
    }

    /// Changes the permission mode. The CLI rejects [`PermissionMode::BypassPermissions`] unless the agent was opened
    /// with permission for it.
    ///
    /// # Errors
    /// [`Error::Refused`] if the CLI rejects the request, [`Error::Ended`] if the CLI has exited.
    pub async fn set_permission_mode(&self, mode: PermissionMode) -> Result<(), Error> {
        self.order("set_permission_mode", json!({"mode": mode})).await
    }

    /// Overrides the permission mode for the tools of one MCP server; `None` removes the override. Returns the warning of
    /// the CLI, if there is one: for instance that no server of this name is connected, so that nothing has changed yet.
    ///
    /// The CLI accepts only modes that allow less: [`PermissionMode::Default`] and [`PermissionMode::Auto`].
    ///
    /// # Errors
    /// [`Error::Refused`] if the CLI rejects the request, [`Error::Ended`] if the CLI has exited.
    pub async fn set_mcp_permission_mode(
        &self,
        server: &str,
        mode: Option<PermissionMode>,
    ) -> Result<Option<String>, Error> {
        #[derive(Default, serde::Deserialize)]
        struct Reply {
            warning: Option<String>,
        }

        let fields = json!({"serverName": server, "mode": mode});
        // The reply has no content if there is nothing to warn about.
        let reply: Option<Reply> = self.ask("set_mcp_permission_mode_override", fields).await?;
        Ok(reply.unwrap_or_default().warning)
    }

    /// Changes how many tokens the model may use for thinking; `None` removes the limit.
    ///
    /// # Errors
    /// [`Error::Refused`] if the CLI rejects the request, [`Error::Ended`] if the CLI has exited.
    pub async fn set_max_thinking_tokens(&self, tokens: Option<u32>, display: Option<ThinkingDisplay>) -> Result<(), Error> {
        let mut fields = json!({"max_thinking_tokens": tokens});
        if let Some(display) = display {
            fields["thinking_display"] = json!(display);
        }
        self.order("set_max_thinking_tokens", fields).await
    }

    /// Changes how thinking is returned, and leaves the number of tokens as it is; `None` restores the default of the CLI.
    ///
    /// # Errors
    /// [`Error::Refused`] if the CLI rejects the request, [`Error::Ended`] if the CLI has exited.
    pub async fn set_thinking_display(&self, display: Option<ThinkingDisplay>) -> Result<(), Error> {
        self.order("set_max_thinking_tokens", json!({"thinking_display": display})).await
    }

    /// Changes the session's title.
    ///
    /// # Errors
    /// [`Error::Refused`] if the CLI rejects the request, [`Error::Ended`] if the CLI has exited.
    pub async fn rename(&self, title: &str) -> Result<(), Error> {
        self.order("rename_session", json!({"title": title})).await
    }

    /// Changes the title to one that the user has chosen in this program. With a session id, the CLI rejects the request if it
    /// has moved to another session since, for instance with `/clear`.
    ///
    /// # Errors
    /// [`Error::Refused`] if the CLI rejects the request, [`Error::Ended`] if the CLI has exited.
    pub async fn rename_for_user(&self, title: &str, session_id: Option<&str>) -> Result<(), Error> {
        let mut fields = json!({"title": title, "source": "host"});
        if let Some(id) = session_id {
            fields["session_id"] = json!(id);
        }
        self.order("rename_session", fields).await
    }

    /// Generates a title from a description, with the model. The title is not saved.
    ///
    /// # Errors
    /// [`Error::Refused`] if the CLI rejects the request, [`Error::Ended`] if the CLI has exited.
    pub async fn generate_title(&self, description: &str) -> Result<Option<String>, Error> {
        let fields = json!({"description": description, "persist": false});
        Ok(self.ask::<Option<TextReply>>("generate_session_title", fields).await?.and_then(|reply| reply.title))
    }

    /// Changes the colour of the session. Current versions of the CLI reject this without a terminal.
    ///
    /// # Errors
    /// [`Error::Refused`] if the CLI rejects the request, [`Error::Ended`] if the CLI has exited.
    pub async fn set_color(&self, color: &str) -> Result<(), Error> {
        self.order("set_color", json!({"color": color})).await
    }

    /// Asks the model a question outside the conversation. Question and answer are not added to it.
    ///
    /// # Errors
    /// [`Error::Refused`] if the CLI rejects the request, [`Error::Ended`] if the CLI has exited.
    pub async fn side_question(&self, question: &str) -> Result<Option<String>, Error> {
        let fields = json!({"question": question});
        Ok(self.ask::<Option<TextReply>>("side_question", fields).await?.and_then(|reply| reply.response))
    }

    /// Tells the CLI whether anybody is watching the session; `None` if this is not known.
    ///
    /// # Errors
    /// [`Error::Refused`] if the CLI rejects the request, [`Error::Ended`] if the CLI has exited.
    pub async fn set_has_subscribers(&self, on: impl Into<Option<bool>>) -> Result<(), Error> {
        self.order("set_has_subscribers", json!({"has_subscribers": on.into()})).await
    }

    /// Stops a background task.
    ///
    /// # Errors
    /// [`Error::Refused`] if the CLI rejects the request, [`Error::Ended`] if the CLI has exited.
    pub async fn stop_task(&self, task_id: &str) -> Result<(), Error> {
        self.order("stop_task", json!({"task_id": task_id})).await
    }

    /// Moves a running tool use to the background, or all of them if the id is `None`. The response is JSON, because the
    /// official SDK does not declare its fields.
    ///
    /// # Errors
    /// [`Error::Refused`] if the CLI rejects the request, [`Error::Ended`] if the CLI has exited.
    pub async fn background_tasks(&self, tool_use_id: Option<&str>) -> Result<Value, Error> {
        let fields = tool_use_id.map_or_else(|| json!({}), |id| json!({"tool_use_id": id}));
        self.ask("background_tasks", fields).await
    }

    /// Returns the end of the output of a background command, at most 8 KiB.
    ///
    /// # Errors
    /// [`Error::Refused`] if the CLI rejects the request, [`Error::Ended`] if the CLI has exited.
    pub async fn task_output(&self, task_id: &str) -> Result<Typed<TaskOutput>, Error> {
        self.ask("get_task_output", json!({"task_id": task_id})).await
    }

    /// Asks the CLI to end the session and to exit. [`Session::close`](crate::Session::close) does not need this.
    ///
    /// # Errors
    /// [`Error::Refused`] if the CLI rejects the request, [`Error::Ended`] if the CLI has exited.
    pub async fn end_session(&self) -> Result<(), Error> {
        self.order("end_session", Nothing {}).await
    }
}
