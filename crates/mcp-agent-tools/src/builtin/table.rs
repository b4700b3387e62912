//! The table of the built-in tools, and the enum generated from it.

use serde_json::Value;

use super::{
    ArtifactInput, AskUserQuestionInput, BashInput, BashOutputInput, ClaudeDesignInput, CronCreateInput, CronDeleteInput,
    CronListInput, EditInput, EnterPlanModeInput, EnterWorktreeInput, ExecuteCodeInput, ExitPlanModeInput,
    ExitWorktreeInput, GetDiagnosticsInput, GlobInput, GrepInput, KillShellInput, ListAgentsInput, ListMcpResourcesInput,
    MonitorInput, MultiEditInput, NotebookEditInput, OfferChromeSetupInput, ProjectsInput, ProposeSkillsInput,
    PushNotificationInput, ReadInput, ReadMcpResourceDirInput, ReadMcpResourceInput, ReadNotificationsInput,
    RefreshMcpToolsInput, RemoteTriggerInput, ReportFindingsInput, ScheduleWakeupInput, SendFeedbackInput, SendMessageInput,
    SetGoalInput, ShowOnboardingRolePickerInput, SkillInput, TaskCreateInput, TaskGetInput, TaskInput, TaskListInput,
    TaskStopInput, TaskUpdateInput, TodoWriteInput, ToolSearchInput, WebFetchInput, WebSearchInput, WorkflowInput,
    WriteInput,
};

/// Generates the enum of tools from the table of names.
macro_rules! builtins {
    ($($(#[$meta:meta])* $variant:ident($input:ty) = $name:literal $(| $alias:literal)*;)+) => {
        /// A built-in tool of the CLI with its typed input.
        ///
        /// A tool that is not in the table, or whose input does not have the expected format, is [`Builtin::Other`]. So
        /// a match on `Builtin::Bash` always has a command, and an input that cannot be parsed never matches a known
        /// tool.
        ///
        /// ```
        /// use mcp_agent_tools::builtin::Builtin;
        /// use serde_json::json;
        ///
        /// let input = json!({"file_path": "/code/README.md", "content": "# Title"});
        /// match Builtin::parse("Write", &input) {
        ///     Builtin::Write(write) => assert_eq!(write.file_path, "/code/README.md"),
        ///     other => panic!("unexpected tool {}", other.name()),
        /// }
        /// ```
        #[derive(Debug, Clone, PartialEq)]
        #[expect(clippy::large_enum_variant, reason = "one value at a time, and a match on a box is harder to write")]
        #[non_exhaustive]
        pub enum Builtin {
            $($(#[$meta])* $variant($input),)+
            /// Any other tool, or one whose input could not be parsed.
            Other(Raw),
        }

        impl Builtin {
            /// The names of every tool in the table, including its names in other CLI versions.
            pub const NAMES: &[&[&str]] = &[$(&[$name $(, $alias)*],)+];

            /// Parses the input of a tool.
            pub fn parse(name: &str, input: &Value) -> Self {
                let typed = match name {
                    $($name $(| $alias)* => serde_json::from_value(input.clone()).ok().map(Self::$variant),)+
                    _ => None,
                };
                typed.unwrap_or_else(|| Self::Other(Raw { name: name.to_owned(), input: input.clone() }))
            }

            /// Returns the name of the tool; the first one if it has several.
            pub fn name(&self) -> &str {
                match self {
                    $(Self::$variant(_) => $name,)+
                    Self::Other(raw) => &raw.name,
                }
            }

            /// Converts the input back to JSON, for a permission callback that changes it.
            pub fn to_input(&self) -> Value {
                match self {
                    $(Self::$variant(input) => serde_json::to_value(input).unwrap_or_default(),)+
                    Self::Other(raw) => raw.input.clone(),
                }
            }
        }
    };
}

builtins! {
    /// Reads a file.
    Read(ReadInput) = "Read";
    /// Writes a complete file.
    Write(WriteInput) = "Write";
    /// Replaces text in a file.
    Edit(EditInput) = "Edit";
    /// Makes several edits.
    MultiEdit(MultiEditInput) = "MultiEdit";
    /// Edits a cell of a notebook.
    NotebookEdit(NotebookEditInput) = "NotebookEdit";
    /// Finds files by name.
    Glob(GlobInput) = "Glob";
    /// Searches the content of files.
    Grep(GrepInput) = "Grep";
    /// Runs a shell command.
    Bash(BashInput) = "Bash";
    /// Reads the output of a background command.
    BashOutput(BashOutputInput) = "BashOutput";
    /// Stops a background command.
    KillShell(KillShellInput) = "KillShell" | "KillBash";
    /// Fetches a web page.
    WebFetch(WebFetchInput) = "WebFetch";
    /// Searches the web.
    WebSearch(WebSearchInput) = "WebSearch";
    /// Starts a sub-agent.
    Task(TaskInput) = "Task" | "Agent";
    /// Stops a background task.
    TaskStop(TaskStopInput) = "TaskStop";
    /// Writes the to-do list.
    TodoWrite(TodoWriteInput) = "TodoWrite";
    /// Presents a plan and asks to leave plan mode.
    ExitPlanMode(ExitPlanModeInput) = "ExitPlanMode";
    /// Asks to enter plan mode.
    EnterPlanMode(EnterPlanModeInput) = "EnterPlanMode";
    /// Asks the user questions.
    AskUserQuestion(AskUserQuestionInput) = "AskUserQuestion";
    /// Uses a skill.
    Skill(SkillInput) = "Skill";
    /// Searches for tools that are not in the model's initial list.
    ToolSearch(ToolSearchInput) = "ToolSearch";
    /// Lists resources of MCP servers.
    ListMcpResources(ListMcpResourcesInput) = "ListMcpResources" | "ListMcpResourcesTool";
    /// Reads a resource of an MCP server.
    ReadMcpResource(ReadMcpResourceInput) = "ReadMcpResource" | "ReadMcpResourceTool";
    /// Gets diagnostics from the editor.
    GetDiagnostics(GetDiagnosticsInput) = "mcp__ide__getDiagnostics";
    /// Runs code in the notebook of the editor.
    ExecuteCode(ExecuteCodeInput) = "mcp__ide__executeCode";
    /// Schedules a prompt.
    CronCreate(CronCreateInput) = "CronCreate";
    /// Removes a scheduled job.
    CronDelete(CronDeleteInput) = "CronDelete";
    /// Lists the scheduled jobs.
    CronList(CronListInput) = "CronList";
    /// Continues the turn later.
    ScheduleWakeup(ScheduleWakeupInput) = "ScheduleWakeup";
    /// Watches a command or a WebSocket.
    Monitor(MonitorInput) = "Monitor";
    /// Sends a notification to the devices of the user.
    PushNotification(PushNotificationInput) = "PushNotification";
    /// Reads the notifications of the session.
    ReadNotifications(ReadNotificationsInput) = "ReadNotifications";
    /// Manages jobs that run in the cloud.
    RemoteTrigger(RemoteTriggerInput) = "RemoteTrigger";
    /// Runs a workflow.
    Workflow(WorkflowInput) = "Workflow";
    /// Sends a message to another agent or session.
    SendMessage(SendMessageInput) = "SendMessage";
    /// Lists the agents and sessions that messages can be sent to.
    ListAgents(ListAgentsInput) = "ListAgents" | "ListPeers";
    /// Creates a task.
    TaskCreate(TaskCreateInput) = "TaskCreate";
    /// Reads a task.
    TaskGet(TaskGetInput) = "TaskGet";
    /// Changes a task.
    TaskUpdate(TaskUpdateInput) = "TaskUpdate";
    /// Lists the tasks.
    TaskList(TaskListInput) = "TaskList";
    /// Moves the session to a worktree.
    EnterWorktree(EnterWorktreeInput) = "EnterWorktree";
    /// Moves the session out of its worktree.
    ExitWorktree(ExitWorktreeInput) = "ExitWorktree";
    /// Reports the findings of a review.
    ReportFindings(ReportFindingsInput) = "ReportFindings";
    /// Sets the goal of the session.
    SetGoal(SetGoalInput) = "SetGoal" | "ProposeGoal";
    /// Proposes skills to the user.
    ProposeSkills(ProposeSkillsInput) = "propose_skills";
    /// Publishes and reads artifacts.
    Artifact(ArtifactInput) = "Artifact";
    /// Uses the design tool.
    ClaudeDesign(ClaudeDesignInput) = "ClaudeDesign";
    /// Reads and writes a project.
    Projects(ProjectsInput) = "Projects";
    /// Sends feedback.
    SendFeedback(SendFeedbackInput) = "SendFeedback";
    /// Asks the user for a role.
    ShowOnboardingRolePicker(ShowOnboardingRolePickerInput) = "ShowOnboardingRolePicker";
    /// Offers to set up the browser.
    OfferChromeSetup(OfferChromeSetupInput) = "OfferChromeSetup";
    /// Asks MCP servers for their tools again.
    RefreshMcpTools(RefreshMcpToolsInput) = "RefreshMcpTools";
    /// Lists a directory of resources of an MCP server.
    ReadMcpResourceDir(ReadMcpResourceDirInput) = "ReadMcpResourceDir" | "ReadMcpResourceDirTool";
}

/// A tool that is not in the table, or whose input could not be parsed.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Raw {
    /// The name of the tool; [`ToolName`](crate::ToolName) parses it.
    pub name: String,
    /// The input of the tool use, unchanged.
    pub input: Value,
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// Returns an example input for every tool.
    fn inputs() -> Vec<(&'static str, Value)> {
        vec![
            ("Read", json!({"file_path": "/a", "offset": 3, "limit": 20})),
            ("Write", json!({"file_path": "/a", "content": "x"})),
            ("Edit", json!({"file_path": "/a", "old_string": "a", "new_string": "b", "replace_all": true})),
            ("MultiEdit", json!({"edits": [{"file_path": "/a", "old_string": "a", "new_string": "b"}]})),
            ("NotebookEdit", json!({"notebook_path": "/n.ipynb", "new_source": "1", "cell_type": "code"})),
            ("Glob", json!({"pattern": "**/*.rs", "path": "/w"})),
            ("Grep", json!({"pattern": "x", "-i": true, "-C": 3, "output_mode": "content", "type": "rust"})),
            ("Bash", json!({"command": "ls -la", "timeout": 1000, "description": "List"})),
            ("BashOutput", json!({"bash_id": "b1", "filter": "error"})),
            ("KillShell", json!({"shell_id": "b1"})),
            ("WebFetch", json!({"url": "https://example.com", "prompt": "what?"})),
            ("WebSearch", json!({"query": "rust", "allowed_domains": ["example.com"]})),
            ("Task", json!({"description": "d", "prompt": "p", "subagent_type": "general-purpose"})),
            ("TaskStop", json!({"task_id": "t"})),
            ("TodoWrite", json!({"todos": [{"content": "c", "status": "in_progress", "activeForm": "doing c"}]})),
            ("ExitPlanMode", json!({"plan": "# first"})),
            ("EnterPlanMode", json!({})),
            ("AskUserQuestion", json!({"questions": [{"question": "q", "options": [{"label": "a"}]}]})),
            ("Skill", json!({"skill": "s", "args": "x"})),
            ("ToolSearch", json!({"query": "q", "max_results": 5})),
            ("ListMcpResources", json!({"server": "s"})),
            ("ReadMcpResource", json!({"server": "s", "uri": "notes://1"})),
            ("mcp__ide__getDiagnostics", json!({"uri": "file:///a"})),
            ("mcp__ide__executeCode", json!({"code": "1"})),
            ("CronCreate", json!({"cron": "0 9 * * *", "prompt": "p", "recurring": true})),
            ("CronDelete", json!({"id": "c"})),
            ("CronList", json!({})),
            ("ScheduleWakeup", json!({"delaySeconds": 60.5, "reason": "r"})),
            ("Monitor", json!({"description": "d", "timeout_ms": 5, "ws": {"url": "ws://x"}})),
            ("PushNotification", json!({"message": "m", "status": "proactive"})),
            ("ReadNotifications", json!({})),
            ("RemoteTrigger", json!({"action": "list", "cursor": "c"})),
            ("Workflow", json!({"script": "s", "args": {"a": 1}, "resumeFromRunId": "r"})),
            ("SendMessage", json!({"to": "a", "message": "m", "notify_when_idle": true})),
            ("ListAgents", json!({"q": "x"})),
            ("TaskCreate", json!({"subject": "s", "description": "d", "activeForm": "a"})),
            ("TaskGet", json!({"taskId": "1"})),
            ("TaskUpdate", json!({"taskId": "1", "status": "deleted", "addBlockedBy": ["2"]})),
            ("TaskList", json!({})),
            ("EnterWorktree", json!({"name": "n"})),
            ("ExitWorktree", json!({"action": "keep", "discard_changes": false})),
            (
                "ReportFindings",
                json!({"findings": [{"file": "f", "summary": "s", "failure_scenario": "x", "line": 3}], "level": "low"}),
            ),
            ("SetGoal", json!({"condition": "c", "ask_user": false})),
            (
                "propose_skills",
                json!({"proposals": [{"name": "n", "kind": "improvement", "description": "d", "edits": [{"old_string": "a", "new_string": "b"}]}]}),
            ),
            ("Artifact", json!({"action": "read", "url": "u", "file_paths": ["f"]})),
            ("ClaudeDesign", json!({"operation": "o", "arguments": {"a": 1}})),
            ("Projects", json!({"method": "project_read", "path": "p", "n": 3})),
            ("SendFeedback", json!({"type": "bug", "title": "t", "details": "d"})),
            ("ShowOnboardingRolePicker", json!({})),
            ("OfferChromeSetup", json!({"reason": "r"})),
            ("RefreshMcpTools", json!({"server": "s"})),
            ("ReadMcpResourceDir", json!({"server": "s", "uri": "notes://"})),
        ]
    }

    #[test]
    fn every_tool_of_the_table_round_trips() {
        let inputs = inputs();
        assert_eq!(inputs.len(), Builtin::NAMES.len());
        for ((name, mut input), names) in inputs.into_iter().zip(Builtin::NAMES) {
            assert_eq!(name, names[0]);
            input["from_a_later_cli"] = json!([1]);
            for name in *names {
                let tool = Builtin::parse(name, &input);
                assert!(!matches!(tool, Builtin::Other(_)), "{name}");
                assert_eq!((tool.name(), tool.to_input()), (names[0], input.clone()));
            }
        }
    }

    #[test]
    fn an_input_that_cannot_be_parsed_is_kept_unchanged() {
        for (name, input) in [
            ("Bash", json!({"command": ["rm", "-rf", "/"]})),
            ("Bash", json!({})),
            ("Write", json!({"file_path": "/a"})),
            ("Read", Value::Null),
            ("mcp__calc__add", json!({"a": 1})),
            ("bash", json!({"command": "ls"})),
            ("LaterTool", json!({"x": 1})),
        ] {
            let tool = Builtin::parse(name, &input);
            assert_eq!(tool, Builtin::Other(Raw { name: name.to_owned(), input: input.clone() }), "{name}");
        }
    }

    #[test]
    fn an_unknown_enum_value_is_kept() {
        let input = json!({"todos": [{"content": "c", "status": "blocked"}]});
        let Builtin::TodoWrite(list) = Builtin::parse("TodoWrite", &input) else { panic!("a list") };
        assert_eq!(list.todos[0].status.as_str(), "blocked");
    }

    #[test]
    fn the_files_of_several_edits_are_listed_without_duplicates() {
        let edit = |path| json!({"file_path": path, "old_string": "a", "new_string": "b"});
        let input = json!({"edits": [edit("/a"), edit("/b"), edit("/a")]});
        let Builtin::MultiEdit(edits) = Builtin::parse("MultiEdit", &input) else { panic!("edits") };
        assert_eq!(edits.files().collect::<Vec<_>>(), ["/a", "/b"]);
    }
}
