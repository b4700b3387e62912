//! The names of the built-in tools.

/// The names of built-in tools, as permission rules and hook matchers spell them. Which of them a session has depends on its
/// platform and settings: see the `tools` of its `init` message.
pub const BUILTIN_TOOL_NAMES: [&str; 54] = [
    "Agent",
    "Artifact",
    "AskUserQuestion",
    "Bash",
    "ClaudeDesign",
    "CronCreate",
    "CronDelete",
    "CronList",
    "Edit",
    "EndConversation",
    "EnterPlanMode",
    "EnterWorktree",
    "ExitPlanMode",
    "ExitWorktree",
    "Glob",
    "Grep",
    "ListAgents",
    "ListMcpResourcesTool",
    "LSP",
    "Monitor",
    "NotebookEdit",
    "OfferChromeSetup",
    "PowerShell",
    "Projects",
    "propose_skills",
    "PushNotification",
    "Read",
    "ReadMcpResourceDirTool",
    "ReadMcpResourceTool",
    "ReadNotifications",
    "RemoteTrigger",
    "ReportFindings",
    "ScheduleWakeup",
    "SendFeedback",
    "SendMessage",
    "SendUserFile",
    "SendUserMessage",
    "SetGoal",
    "ShareOnboardingGuide",
    "ShowOnboardingRolePicker",
    "Skill",
    "SubagentHandback",
    "TaskCreate",
    "TaskGet",
    "TaskList",
    "TaskStop",
    "TaskUpdate",
    "TodoWrite",
    "ToolSearch",
    "WaitForMcpServers",
    "WebFetch",
    "WebSearch",
    "Workflow",
    "Write",
];

/// Former names of built-in tools that permission rules and hook matchers still accept, each with the current name.
pub const LEGACY_TOOL_NAMES: [(&str, &str); 9] = [
    ("Brief", "SendUserMessage"),
    ("KillBash", "TaskStop"),
    ("KillShell", "TaskStop"),
    ("ListMcpResources", "ListMcpResourcesTool"),
    ("ListPeers", "ListAgents"),
    ("ProposeGoal", "SetGoal"),
    ("ReadMcpResource", "ReadMcpResourceTool"),
    ("ReadMcpResourceDir", "ReadMcpResourceDirTool"),
    ("Task", "Agent"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_former_name_stands_for_a_current_one() {
        for (former, current) in LEGACY_TOOL_NAMES {
            assert!(BUILTIN_TOOL_NAMES.contains(&current) && !BUILTIN_TOOL_NAMES.contains(&former), "{former}");
        }
    }
}
