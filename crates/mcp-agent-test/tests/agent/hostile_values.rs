//! Option values and answers that must not weaken the permissions of the real CLI or reveal secrets.

use mcp_agent::hook::PreToolUse;
use mcp_agent::{Agent, Decision, Error, Hook, McpServer, PermissionBehavior, Plugin, Prompt, Session};
use mcp_agent_test::{Script, ScriptedCli, Turn, prompt};
use serde_json::{Map, Value, json};

use crate::test_setup::{ask, read_run, setup_or_skip, within};

fn object(value: Value) -> Map<String, Value> {
    value.as_object().cloned().unwrap()
}

fn touching(file: &str) -> [Turn; 2] {
    [Turn::tool("Bash", json!({"command": format!("touch {file}"), "description": "touch"})), Turn::text("done")]
}

/// Returns the rules of the CLI with this behavior and source.
async fn rules(session: &Session, behavior: PermissionBehavior, source: &str) -> Vec<String> {
    let listed = within(session.handle().permission_rules()).await.unwrap();
    let wanted = listed.state.rules.iter().filter(|rule| rule.behavior == behavior && rule.source == source);
    wanted.map(|rule| rule.rule.clone()).collect()
}

#[tokio::test]
async fn each_allowed_and_denied_tool_is_exactly_one_rule_of_the_cli() {
    let setup = setup_or_skip!();
    let allowed = ["Bash(git *)", "Edit(/src/**, x)", "mcp__a__b", "Bash(echo (a,Bash(*)", "Read"];
    let agent = setup.agent().allow_tools(allowed).skills(["team:review"]).disallow_tools(["Bash(rm *, x)", "Write"]);
    let session = within(agent.open()).await.unwrap();
    let listed = rules(&session, PermissionBehavior::Allow, "cliArg").await;
    assert_eq!(listed.len(), allowed.len() + 1, "{listed:?}");
    assert!(listed.contains(&"Skill(team:review)".to_owned()) && !listed.contains(&"Bash(*)".to_owned()), "{listed:?}");
    assert_eq!(rules(&session, PermissionBehavior::Deny, "cliArg").await, ["Bash(rm *, x)", "Write"]);
    within(session.close()).await.unwrap();
    for agent in [setup.agent().skills(["a),Bash(*"]), setup.agent().allow_tools(["Read Bash"])] {
        assert!(matches!(within(agent.open()).await, Err(Error::Options(_))));
    }
}

// Not on Windows: the arguments of processes are read from /proc.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn no_secret_is_in_the_arguments_of_the_running_cli() {
    let setup = setup_or_skip!();
    let secret = "s3cr3t-value";
    let settings = || object(json!({"env": {"TOKEN": secret}}));
    let agent = setup
        .agent()
        .env("TOKEN", secret)
        .system_prompt(secret)
        .mcp_server("a", McpServer::stdio("/nowhere").args([secret]).env("TOKEN", secret))
        .mcp_server("b", McpServer::http(format!("http://127.0.0.1:1/?key={secret}")).header("Authorization", secret))
        .settings(settings())
        .managed_settings(settings());
    let session = within(agent.open()).await.unwrap();
    let arguments = std::fs::read(format!("/proc/{}/cmdline", session.pid().unwrap())).unwrap();
    let arguments = String::from_utf8(arguments).unwrap();
    assert!(arguments.contains("--mcp-config=") && arguments.contains("--settings="), "{arguments}");
    assert!(!arguments.contains(secret), "{arguments}");
    for flag in ["--mcp-config=", "--settings="] {
        let file = arguments.split('\0').find_map(|argument| argument.strip_prefix(flag)).unwrap();
        let mode = std::os::unix::fs::PermissionsExt::mode(&std::fs::metadata(file).unwrap().permissions());
        assert_eq!(mode & 0o777, 0o600, "{file}");
    }
    within(session.close()).await.unwrap();
}

#[tokio::test]
async fn managed_settings_hold_together_with_plugins() {
    let setup = setup_or_skip!();
    let plugin = setup.sandbox.file("plugin/.claude-plugin/plugin.json", r#"{"name": "probe", "version": "1.0.0"}"#);
    let plugin = Plugin::local(plugin.unwrap().ancestors().nth(2).unwrap());
    let managed = object(json!({"permissions": {"deny": ["Bash(touch *)"]}}));
    for delivery in [mcp_agent::PluginDelivery::Arguments, mcp_agent::PluginDelivery::Initialize] {
        let agent = setup.agent().allow_tools(["Bash"]).managed_settings(managed.clone()).plugin(plugin.clone());
        let mut session = within(agent.plugin_delivery(delivery).open()).await.unwrap();
        assert_eq!(rules(&session, PermissionBehavior::Deny, "policySettings").await, ["Bash(touch *)"]);
        within(session.send(prompt("go", touching("made")))).await.unwrap();
        let messages = read_run(&mut session).await.0;
        let has_plugin = |message: &mcp_agent::Message| matches!(message, mcp_agent::Message::Init(init) if init.plugins.iter().any(|plugin| plugin.name == "probe"));
        assert!(messages.iter().any(has_plugin), "{delivery:?}");
        assert!(!setup.sandbox.work().join("made").exists());
        within(session.close()).await.unwrap();
    }
}

#[tokio::test]
async fn without_a_sandbox_program_no_command_runs_outside_of_a_sandbox() {
    let setup = setup_or_skip!();
    // A PATH without the program that makes sandboxes.
    let programs = setup.sandbox.tmp().join("programs");
    std::fs::create_dir(&programs).unwrap();
    for program in ["sh", "bash", "touch", "env", "cat"] {
        let found = ["/usr/bin", "/bin"].map(|folder| std::path::Path::new(folder).join(program));
        let found = found.iter().find(|path| path.exists()).unwrap();
        std::os::unix::fs::symlink(found, programs.join(program)).unwrap();
    }
    let agent = || setup.agent().env("PATH", &programs).allow_tools(["Bash"]);
    if let Ok(mut session) = within(agent().sandbox(json!({"enabled": true})).open()).await {
        // The CLI may also end at the first prompt.
        let _ = within(session.send(prompt("go", touching("unsandboxed")))).await;
        while let Ok(Some(_)) = within(session.next()).await {}
    }
    assert!(!setup.sandbox.work().join("unsandboxed").exists());
    // The caller may choose otherwise; this also shows that the command works here.
    let sandbox = json!({"enabled": true, "failIfUnavailable": false});
    let mut session = within(agent().sandbox(sandbox).open()).await.unwrap();
    assert_eq!(ask(&mut session, touching("by-choice")).await, "done");
    assert!(setup.sandbox.work().join("by-choice").exists());
    within(session.close()).await.unwrap();
}

#[tokio::test]
async fn the_sandbox_option_keeps_the_deny_lists_of_inline_settings() {
    let setup = setup_or_skip!();
    let inline = object(json!({"sandbox": {"filesystem": {"denyRead": ["/inline"]}, "enabled": false}}));
    let agent = setup.agent().settings(inline).sandbox(json!({"filesystem": {"denyRead": ["/option"]}}));
    let session = within(agent.open()).await.unwrap();
    let settings = within(session.handle().settings()).await.unwrap();
    let sandbox = &settings["effective"]["sandbox"];
    assert_eq!(sandbox["filesystem"]["denyRead"], json!(["/inline", "/option"]), "{settings}");
    assert_eq!(sandbox["failIfUnavailable"], json!(true));
    within(session.close()).await.unwrap();
}

#[tokio::test]
async fn a_rewrite_to_something_other_than_an_object_runs_nothing() {
    let setup = setup_or_skip!();
    for input in [json!(null), json!("touch other"), json!(["touch other"])] {
        let agent = setup.agent().permission(move |_| {
            let input = input.clone();
            async move { Decision::allow().with_input(input) }
        });
        let mut session = within(agent.open()).await.unwrap();
        assert_eq!(ask(&mut session, touching("made")).await, "done");
        assert!(!setup.sandbox.work().join("made").exists() && !setup.sandbox.work().join("other").exists());
        let result = setup.model.tool_results().remove(0);
        assert!(result.is_error && result.text.contains("not a JSON object"), "{}", result.text);
        within(session.close()).await.unwrap();
    }
}

#[tokio::test]
async fn a_clone_of_a_prompt_gets_an_answer_of_its_own() {
    let setup = setup_or_skip!();
    let mut session = within(setup.agent().open()).await.unwrap();
    let first = Prompt::text(prompt("go", [Turn::text("done")]));
    for prompt in [first.clone(), first] {
        within(session.send(prompt)).await.unwrap();
        assert_eq!(read_run(&mut session).await.1.result.as_deref(), Some("done"));
    }
    // With an id of the caller the second one is an error: the CLI would ignore it.
    let chosen = Prompt::text(prompt("go", [Turn::text("done")])).with_uuid("5c121973-0000-4000-8000-00000000000b");
    within(session.send(chosen.clone())).await.unwrap();
    assert!(matches!(within(session.send(chosen)).await, Err(Error::DuplicatePrompt { .. })));
    assert_eq!(read_run(&mut session).await.1.result.as_deref(), Some("done"));
    within(session.close()).await.unwrap();
}

#[tokio::test]
async fn a_cli_that_ignores_block_on_failure_or_managed_settings_is_not_used() {
    let hooked = || Agent::new().hook(Hook::<PreToolUse>::new().block_on_failure(), |_| async {});
    let managed = || Agent::new().managed_settings(object(json!({"permissions": {"deny": ["Bash"]}})));
    let agents: [(Agent, &str); 2] = [(hooked(), "hook_on_failure_supported"), (managed(), "managed_settings_applied")];
    for (agent, field) in agents {
        for (reply, is_used) in [(json!({}), false), (json!({field: false}), false), (json!({field: true}), true)] {
            let script = Script::new()
                .expect_as("initialize", json!({"request": {"subtype": "initialize"}}))
                .reply("initialize", reply.clone());
            let opened = within(agent.clone().transport(ScriptedCli::new(script)).open()).await;
            assert_eq!(opened.is_ok(), is_used, "{field}: {reply}");
            assert!(is_used || matches!(opened, Err(Error::Unsupported { .. })));
        }
    }
}
