//! The structured results of the CLI's own tools.
//!
//! The model is given text. Programs get the structured result too: as `tool_use_result` of the message with the result, as
//! `tool_response` of hooks, and as `structured` in a fold.

mod agent;
mod artifact;
mod file;
mod hosted;
mod mcp;
mod plan;
mod project;
mod schedule;
mod search;
mod shell;
mod table;
mod team;

pub use agent::{AgentAnswer, AgentCompleted, AgentLaunched, AgentOutput, AgentRemote, AgentToolStats};
pub use artifact::{
    ArtifactArm, ArtifactAsset, ArtifactAssetDeleted, ArtifactAssetList, ArtifactAssetRead, ArtifactAssetUsage,
    ArtifactOutput, ArtifactPin, ArtifactRead, ArtifactStored, ArtifactSummary, ArtifactUnwatch, ArtifactUpload,
    ArtifactUploads, ArtifactWatch, ArtifactWatched, ArtifactWritten,
};
pub use file::{
    EditOutput, FileDiff, ImageDimensions, ImageFile, NotebookEditOutput, NotebookFile, PageImage, PartsFile, PatchHunk,
    PdfFile, ReadImage, ReadNotebook, ReadOutput, ReadParts, ReadPdf, ReadText, SeenArtifact, TextFile, WriteOutput,
};
pub use hosted::{ClaudeDesignOutput, OfferChromeSetupOutput, SendFeedbackOutput, ShowOnboardingRolePickerOutput};
pub use mcp::{
    ListedResource, ReadMcpResourceDirOutput, ReadMcpResourceOutput, RefreshedServer, ResourceContent, ResourceEntry,
};
pub use plan::{AskUserQuestionOutput, EnterPlanModeOutput, ExitPlanModeOutput, ReportFindingsOutput, TodoWriteOutput};
pub use project::{
    MemoryFile, ProjectDeleted, ProjectDoc, ProjectFile, ProjectHit, ProjectInfo, ProjectKnowledge, ProjectMemories,
    ProjectMemory, ProjectRead, ProjectSearch, ProjectSource, ProjectWritten, ProjectsOutput,
};
pub use schedule::{
    CronCreateOutput, CronDeleteOutput, CronJob, CronListOutput, MonitorOutput, PushNotificationOutput, QueuedNotification,
    ReadNotificationsOutput, RemoteTriggerOutput, ScheduleWakeupOutput, WorkflowOutput,
};
pub use search::{GlobOutput, GrepMatches, WebFetchOutput, WebHit, WebHits, WebSearchOutput, WebSearchPart};
pub use shell::{BashOutput, GitBranch, GitCommit, GitOperation, GitPullRequest, GitPush, TaskStopOutput};
pub use table::BuiltinOutput;
pub use team::{
    CreatedTask, EnterWorktreeOutput, ExitWorktreeOutput, ListedTask, ProposeSkillsOutput, SetGoalOutput, StatusChange,
    TaskCreateOutput, TaskDetails, TaskGetOutput, TaskListOutput, TaskUpdateOutput,
};
