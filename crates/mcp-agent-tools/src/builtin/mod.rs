//! The built-in tools of the CLI with typed inputs and results, for permission callbacks and hooks.

mod agent;
mod file;
mod hosted;
mod mcp;
mod names;
pub mod output;
mod plan;
mod question;
mod schedule;
mod search;
mod shell;
mod table;
mod team;
mod web;

pub use agent::{TaskInput, TaskStopInput, Todo, TodoStatus, TodoWriteInput};
pub use file::{
    EditInput, MultiEditInput, NotebookCell, NotebookEditInput, NotebookEditMode, ReadInput, Replacement, WriteInput,
};
pub use hosted::{
    ArtifactInput, ClaudeDesignInput, OfferChromeSetupInput, ProjectsInput, ReadMcpResourceDirInput, RefreshMcpToolsInput,
    SendFeedbackInput, ShowOnboardingRolePickerInput,
};
pub use mcp::{ExecuteCodeInput, GetDiagnosticsInput, ListMcpResourcesInput, ReadMcpResourceInput};
pub use names::{BUILTIN_TOOL_NAMES, LEGACY_TOOL_NAMES};
pub use plan::{EnterPlanModeInput, ExitPlanModeInput, SkillInput, ToolSearchInput};
pub use question::{AskUserQuestionInput, Choice, Question, QuestionAnnotation, QuestionMetadata};
pub use schedule::{
    CronCreateInput, CronDeleteInput, CronListInput, MonitorInput, MonitorSocket, PushNotificationInput,
    ReadNotificationsInput, RemoteTriggerInput, ScheduleWakeupInput, WorkflowInput,
};
pub use search::{GlobInput, GrepInput, GrepOutput};
pub use shell::{BashInput, BashOutputInput, KillShellInput};
pub use table::{Builtin, Raw};
pub use team::{
    EnterWorktreeInput, ExitWorktreeInput, Finding, ListAgentsInput, ProposeSkillsInput, ReportFindingsInput,
    SendMessageInput, SetGoalInput, SkillEdit, SkillProposal, TaskCreateInput, TaskGetInput, TaskListInput, TaskUpdateInput,
};
pub use web::{WebFetchInput, WebSearchInput};

/// Declares structs of inputs and results. Fields before `;` are required, fields after it are optional, and unknown fields are kept in
/// `rest`.
macro_rules! tool_types {
    ($($(#[$meta:meta])* pub struct $name:ident {
        $($(#[$req_meta:meta])* $req:ident: $req_type:ty,)*
        $(; $($(#[$opt_meta:meta])* $opt:ident: $opt_type:ty,)*)?
    })+) => {$(
        #[derive(Debug, Clone, Default, PartialEq, ::serde::Serialize, ::serde::Deserialize)]
        #[non_exhaustive]
        $(#[$meta])*
        pub struct $name {
            $($(#[$req_meta])* pub $req: $req_type,)*
            $($(
                $(#[$opt_meta])*
                #[serde(default, skip_serializing_if = "Option::is_none")]
                pub $opt: Option<$opt_type>,
            )*)?
            /// Unknown fields, kept so that nothing is lost when the value is serialized again.
            #[serde(flatten)]
            pub rest: ::serde_json::Map<String, ::serde_json::Value>,
        }
    )+};
}
pub(crate) use tool_types;
