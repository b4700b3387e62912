//! Maps options to environment variables.

use std::ffi::OsString;

use crate::options::Options;

/// Returns the changes to the environment: first those that the official SDKs make too, then the variables of the
/// caller, which override them.
pub(super) fn of(options: &Options) -> Vec<(OsString, Option<OsString>)> {
    let set = |name: &str, value: &str| (OsString::from(name), Some(OsString::from(value)));
    let remove = |name: &str| (OsString::from(name), None);
    let mut env = vec![
        // Set if this program itself runs inside Claude Code: the CLI would detect a nested session.
        remove("CLAUDECODE"),
        // Meant for other programs; both change what the CLI prints.
        remove("NODE_OPTIONS"),
        remove("DEBUG"),
        set("CLAUDE_CODE_ENTRYPOINT", "sdk-rs"),
        set("CLAUDE_AGENT_SDK_VERSION", env!("CARGO_PKG_VERSION")),
        // Makes the CLI report when a session is idle.
        set("CLAUDE_CODE_SDK_READS_SESSION_STATE", "1"),
    ];
    if options.conversation.checkpoints {
        env.push(set("CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING", "true"));
    }
    if let Some(search) = options.tools.search {
        env.push(set("ENABLE_TOOL_SEARCH", if search { "true" } else { "false" }));
    }
    if let Some(format) = &options.tools.question_preview {
        env.push(set("CLAUDE_CODE_QUESTION_PREVIEW_FORMAT", format.as_str()));
    }
    if options.tools.extended_questions {
        env.push(set("CLAUDE_CODE_QUESTION_EXTENDED", "1"));
    }
    if options.tools.optional_question_descriptions {
        env.push(set("CLAUDE_CODE_QUESTION_OPTIONAL_DESCRIPTIONS", "1"));
    }
    env.extend(options.limits.variables().map(|(name, value)| (name, Some(value))));
    env.extend(options.environment.variables.iter().cloned());
    env
}
