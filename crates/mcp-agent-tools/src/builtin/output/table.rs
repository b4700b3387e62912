//! The table of the results, and the enum generated from it.

use serde_json::Value;

use super::{
    AgentOutput, ArtifactOutput, AskUserQuestionOutput, BashOutput, ClaudeDesignOutput, CronCreateOutput, CronDeleteOutput,
    CronListOutput, EditOutput, EnterPlanModeOutput, EnterWorktreeOutput, ExitPlanModeOutput, ExitWorktreeOutput,
    GlobOutput, GrepMatches, ListedResource, MonitorOutput, NotebookEditOutput, OfferChromeSetupOutput, ProjectsOutput,
    ProposeSkillsOutput, PushNotificationOutput, ReadMcpResourceDirOutput, ReadMcpResourceOutput, ReadNotificationsOutput,
    ReadOutput, RefreshedServer, RemoteTriggerOutput, ReportFindingsOutput, ScheduleWakeupOutput, SendFeedbackOutput,
    SetGoalOutput, ShowOnboardingRolePickerOutput, TaskCreateOutput, TaskGetOutput, TaskListOutput, TaskStopOutput,
    TaskUpdateOutput, TodoWriteOutput, WebFetchOutput, WebSearchOutput, WorkflowOutput, WriteOutput,
};
use crate::builtin::Raw;

/// Generates the enum of results from the table of names.
macro_rules! results {
    ($($(#[$meta:meta])* $variant:ident($output:ty) = $name:literal $(| $alias:literal)*;)+) => {
        /// The structured result of a built-in tool.
        ///
        /// The result of a tool that is not in the table, or one that does not have the expected format, is
        /// [`BuiltinOutput::Other`]. The result of a tool that failed is usually a text, and so it is `Other` too.
        ///
        /// ```
        /// use mcp_agent_tools::builtin::output::BuiltinOutput;
        /// use serde_json::json;
        ///
        /// let result = json!({"stdout": "hello", "stderr": "", "interrupted": false});
        /// match BuiltinOutput::parse("Bash", &result) {
        ///     BuiltinOutput::Bash(bash) => assert_eq!(bash.stdout, "hello"),
        ///     other => panic!("unexpected result {other:?}"),
        /// }
        /// ```
        #[derive(Debug, Clone, PartialEq)]
        #[expect(clippy::large_enum_variant, reason = "one value at a time, and a match on a box is harder to write")]
        #[non_exhaustive]
        pub enum BuiltinOutput {
            $($(#[$meta])* $variant($output),)+
            /// The result of any other tool, or one that could not be parsed.
            Other(Raw),
        }

        impl BuiltinOutput {
            /// The names of every tool in the table, including its names in other CLI versions.
            pub const NAMES: &[&[&str]] = &[$(&[$name $(, $alias)*],)+];

            /// Parses the result of a tool.
            pub fn parse(name: &str, result: &Value) -> Self {
                let typed = match name {
                    $($name $(| $alias)* => serde_json::from_value(result.clone()).ok().map(Self::$variant),)+
                    _ => None,
                };
                typed.unwrap_or_else(|| Self::Other(Raw { name: name.to_owned(), input: result.clone() }))
            }
        }
    };
}

results! {
    /// A file was read.
    Read(ReadOutput) = "Read";
    /// A file was written.
    Write(WriteOutput) = "Write";
    /// A file was edited.
    Edit(EditOutput) = "Edit";
    /// A notebook was edited.
    NotebookEdit(NotebookEditOutput) = "NotebookEdit";
    /// Files were searched by name.
    Glob(GlobOutput) = "Glob";
    /// Files were searched by content.
    Grep(GrepMatches) = "Grep";
    /// A shell command has run.
    Bash(BashOutput) = "Bash";
    /// A page of the web was read.
    WebFetch(WebFetchOutput) = "WebFetch";
    /// The web was searched.
    WebSearch(WebSearchOutput) = "WebSearch";
    /// A sub-agent was started.
    Task(AgentOutput) = "Task" | "Agent";
    /// A background task was stopped.
    TaskStop(TaskStopOutput) = "TaskStop" | "KillShell" | "KillBash";
    /// The to-do list was written.
    TodoWrite(TodoWriteOutput) = "TodoWrite";
    /// Plan mode was left.
    ExitPlanMode(ExitPlanModeOutput) = "ExitPlanMode";
    /// Plan mode was entered.
    EnterPlanMode(EnterPlanModeOutput) = "EnterPlanMode";
    /// The user has answered questions.
    AskUserQuestion(AskUserQuestionOutput) = "AskUserQuestion";
    /// Resources were listed.
    ListMcpResources(Vec<ListedResource>) = "ListMcpResources" | "ListMcpResourcesTool";
    /// A resource was read.
    ReadMcpResource(ReadMcpResourceOutput) = "ReadMcpResource" | "ReadMcpResourceTool";
    /// A directory of resources was listed.
    ReadMcpResourceDir(ReadMcpResourceDirOutput) = "ReadMcpResourceDir" | "ReadMcpResourceDirTool";
    /// Servers were asked for their tools again.
    RefreshMcpTools(Vec<RefreshedServer>) = "RefreshMcpTools";
    /// A job was scheduled.
    CronCreate(CronCreateOutput) = "CronCreate";
    /// A job was removed.
    CronDelete(CronDeleteOutput) = "CronDelete";
    /// Jobs were listed.
    CronList(CronListOutput) = "CronList";
    /// The turn is continued later.
    ScheduleWakeup(ScheduleWakeupOutput) = "ScheduleWakeup";
    /// Something is watched.
    Monitor(MonitorOutput) = "Monitor";
    /// A notification was sent.
    PushNotification(PushNotificationOutput) = "PushNotification";
    /// Notifications were read.
    ReadNotifications(ReadNotificationsOutput) = "ReadNotifications";
    /// The service for jobs in the cloud has answered.
    RemoteTrigger(RemoteTriggerOutput) = "RemoteTrigger";
    /// A workflow was started.
    Workflow(WorkflowOutput) = "Workflow";
    /// A task was created.
    TaskCreate(TaskCreateOutput) = "TaskCreate";
    /// A task was read.
    TaskGet(TaskGetOutput) = "TaskGet";
    /// A task was changed.
    TaskUpdate(TaskUpdateOutput) = "TaskUpdate";
    /// Tasks were listed.
    TaskList(TaskListOutput) = "TaskList";
    /// The session has moved to a worktree.
    EnterWorktree(EnterWorktreeOutput) = "EnterWorktree";
    /// The session has moved out of its worktree.
    ExitWorktree(ExitWorktreeOutput) = "ExitWorktree";
    /// Findings were reported.
    ReportFindings(ReportFindingsOutput) = "ReportFindings";
    /// The goal was set.
    SetGoal(SetGoalOutput) = "SetGoal" | "ProposeGoal";
    /// Skills were proposed.
    ProposeSkills(ProposeSkillsOutput) = "propose_skills";
    /// Artifacts were published or read.
    Artifact(ArtifactOutput) = "Artifact";
    /// The design tool was used.
    ClaudeDesign(ClaudeDesignOutput) = "ClaudeDesign";
    /// A project was read or written.
    Projects(ProjectsOutput) = "Projects";
    /// Feedback was sent.
    SendFeedback(SendFeedbackOutput) = "SendFeedback";
    /// The user has chosen a role.
    ShowOnboardingRolePicker(ShowOnboardingRolePickerOutput) = "ShowOnboardingRolePicker";
    /// The setup of the browser was offered.
    OfferChromeSetup(OfferChromeSetupOutput) = "OfferChromeSetup";
}

#[cfg(test)]
mod tests {
    use super::super::{ProjectsOutput, WebSearchPart};
    use super::*;
    use crate::builtin::Builtin;
    use serde_json::json;

    #[test]
    fn every_result_belongs_to_a_tool_with_the_same_names() {
        for names in BuiltinOutput::NAMES {
            for name in *names {
                let inputs = if name.starts_with("Kill") { "KillShell" } else { names[0] };
                assert!(Builtin::NAMES.iter().any(|tool| tool.contains(name) && tool.contains(&inputs)), "{name}");
            }
        }
    }

    #[test]
    fn results_with_several_forms_are_distinguished() {
        let launched =
            json!({"status": "async_launched", "agentId": "a", "description": "d", "prompt": "p", "outputFile": "f"});
        let BuiltinOutput::Task(AgentOutput::AsyncLaunched(agent)) = BuiltinOutput::parse("Agent", &launched) else {
            panic!("a sub-agent in the background")
        };
        assert_eq!((agent.agent_id.as_str(), agent.output_file.as_str()), ("a", "f"));

        let picture = json!({"type": "image", "file": {"base64": "eA==", "type": "image/png", "originalSize": 1}});
        let BuiltinOutput::Read(ReadOutput::Image(read)) = BuiltinOutput::parse("Read", &picture) else {
            panic!("a picture")
        };
        assert_eq!(read.file.media_type, "image/png");

        let found = json!({"query": "q", "durationSeconds": 0.5, "results": [
            {"tool_use_id": "t", "content": [{"title": "a", "url": "u"}]}, "text"]});
        let BuiltinOutput::WebSearch(search) = BuiltinOutput::parse("WebSearch", &found) else { panic!("a search") };
        assert!(
            matches!(&search.results[..], [WebSearchPart::Hits(hits), WebSearchPart::Text(_)] if hits.content[0].url == "u")
        );

        let written = json!({"method": "project_write", "path": "p", "doc_uuid": "u", "replaced": true});
        let BuiltinOutput::Projects(ProjectsOutput::Write(file)) = BuiltinOutput::parse("Projects", &written) else {
            panic!("a file")
        };
        assert!(file.replaced);
    }

    #[test]
    fn a_result_that_cannot_be_parsed_is_kept_unchanged() {
        for (name, result) in [
            ("Bash", json!("Error: no such command")),
            ("Bash", json!({"stdout": "x"})),
            ("Agent", json!({"status": "launched_on_the_moon"})),
            ("mcp__calc__add", json!([{"type": "text", "text": "5"}])),
        ] {
            let Raw { name: kept, input } = match BuiltinOutput::parse(name, &result) {
                BuiltinOutput::Other(raw) => raw,
                other => panic!("{other:?}"),
            };
            assert_eq!((kept.as_str(), input), (name, result));
        }
    }

    #[test]
    fn fields_of_a_later_cli_are_kept() {
        let result = json!({"stdout": "", "stderr": "", "interrupted": false, "isImage": null, "exitCode": 3});
        let BuiltinOutput::Bash(bash) = BuiltinOutput::parse("Bash", &result) else { panic!("a command") };
        assert_eq!((bash.is_image, &bash.rest["exitCode"]), (None, &json!(3)));
    }
}
