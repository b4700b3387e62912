//! Structured results of the CLI's own tools, as the real CLI sends them.

use std::sync::{Arc, Mutex};

use mcp_agent::builtin::Builtin;
use mcp_agent::builtin::output::{AgentOutput, BuiltinOutput, ReadOutput};
use mcp_agent::fold::Fold;
use mcp_agent::hook::PostToolUse;
use mcp_agent::{Hook, Message, PermissionMode};
use mcp_agent_test::{Turn, prompt};
use serde_json::json;

use crate::test_setup::{read_run, send, setup_or_skip, within};

#[tokio::test]
async fn the_results_of_the_tools_are_typed_in_messages_and_in_hooks() {
    let setup = setup_or_skip!();
    let file = setup.sandbox.work().join("notes.txt");
    let notebook = r##"{"cells": [{"cell_type": "code", "id": "a", "source": "1", "metadata": {}, "outputs": [], "execution_count": null}],
        "metadata": {"language_info": {"name": "python"}}, "nbformat": 4, "nbformat_minor": 5}"##;
    let notebook = setup.sandbox.file("book.ipynb", notebook).unwrap();
    let from_hooks: Arc<Mutex<Vec<BuiltinOutput>>> = Arc::default();
    let seen = Arc::clone(&from_hooks);
    let agent = setup.agent().permission_mode(PermissionMode::BypassPermissions).allow_dangerously_skip_permissions();
    let agent = agent.hook(Hook::<PostToolUse>::new(), move |call| {
        seen.lock().unwrap().push(call.output());
        async {}
    });
    // Tools for tasks are only offered with these variables.
    let agent = agent.env("CLAUDE_CODE_ENABLE_TASKS", "1").env("CLAUDE_CODE_ENABLE_TODO_TOOLS", "1");
    let mut session = within(agent.open()).await.unwrap();
    let task = json!({"description": "d", "prompt": prompt("look", [Turn::text("seen")]), "subagent_type": "general-purpose",
        "run_in_background": false});
    let uses = [
        ("Write", json!({"file_path": file, "content": "one\n"})),
        ("Edit", json!({"file_path": file, "old_string": "one", "new_string": "two"})),
        ("Read", json!({"file_path": file})),
        ("Read", json!({"file_path": notebook})),
        ("NotebookEdit", json!({"notebook_path": notebook, "cell_id": "a", "new_source": "2"})),
        ("Bash", json!({"command": "echo hello"})),
        ("TaskCreate", json!({"subject": "s", "description": "d"})),
        ("TaskUpdate", json!({"taskId": "1", "status": "in_progress"})),
        ("TaskGet", json!({"taskId": "1"})),
        ("TaskList", json!({})),
        ("CronCreate", json!({"cron": "0 9 * * *", "prompt": "p"})),
        ("CronList", json!({})),
        ("Agent", task),
    ];
    let turns = uses.iter().map(|(name, input)| Turn::tool(*name, input.clone()));
    send(&session, turns.chain([Turn::text("done")])).await;
    let mut fold = Fold::new();
    read_run(&mut session).await.0.iter().for_each(|message| fold.feed(message));
    let calls: Vec<_> = fold.calls().filter(|call| call.parent.is_none()).collect();
    assert_eq!(calls.len(), uses.len());
    for call in &calls {
        let output = call.output().unwrap_or_else(|| panic!("{} has no structured result: {call:?}", call.name));
        assert!(!matches!(output, BuiltinOutput::Other(_)), "{output:?}");
        assert!(from_hooks.lock().unwrap().contains(&output), "{output:?}");
    }
    let output = |index: usize| calls[index].output().unwrap();
    assert!(matches!(output(0), BuiltinOutput::Write(write) if write.kind == "create" && write.content == "one\n"));
    assert!(matches!(output(1), BuiltinOutput::Edit(edit) if edit.structured_patch[0].lines == ["-one", "+two"]));
    assert!(matches!(output(2), BuiltinOutput::Read(ReadOutput::Text(read)) if read.file.total_lines >= 1));
    assert!(matches!(output(3), BuiltinOutput::Read(ReadOutput::Notebook(read)) if read.file.cells.len() == 1));
    assert!(matches!(output(5), BuiltinOutput::Bash(bash) if bash.stdout == "hello"));
    assert!(matches!(output(12), BuiltinOutput::Task(AgentOutput::Completed(task)) if task.content[0].text == "seen"));
}

#[tokio::test]
async fn the_inputs_of_all_tools_that_the_cli_offers_are_typed() {
    let setup = setup_or_skip!();
    let agent = setup.agent().env("CLAUDE_CODE_ENABLE_TASKS", "1").env("CLAUDE_CODE_ENABLE_TODO_TOOLS", "1");
    let mut session = within(agent.open()).await.unwrap();
    send(&session, [Turn::text("hello")]).await;
    let messages = read_run(&mut session).await.0;
    let init = messages.iter().find_map(|message| match message {
        Message::Init(init) => Some(init),
        _ => None,
    });
    let tools = &init.unwrap().tools;
    let unknown: Vec<&String> =
        tools.iter().filter(|tool| !Builtin::NAMES.iter().any(|names| names.contains(&tool.as_str()))).collect();
    assert!(tools.len() > 20 && unknown.is_empty(), "not typed: {unknown:?} of {tools:?}");
}
