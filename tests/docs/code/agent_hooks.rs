//! The code of `docs/agent-hooks.md`.

use mcp_agent::builtin::Builtin;
use mcp_agent::{Agent, Ask, Decision, PermissionBehavior, PermissionDestination, PermissionRule, PermissionUpdate};

async fn decide(ask: Ask) -> Decision {
    match ask.builtin() {
        // The arguments are typed, and can be changed.
        Builtin::Bash(bash) if bash.command.starts_with("git status") => {
            let rules =
                PermissionUpdate::add_rules(PermissionBehavior::Allow, [PermissionRule::matching("Bash", "git status *")]);
            // The CLI does not ask again in this session.
            Decision::allow().and_remember([rules.destination(PermissionDestination::Session)])
        }
        Builtin::Bash(_) => Decision::deny("only `git status` may be run; use Read to look at files"),
        // Ends the turn as well.
        Builtin::WebFetch(_) => Decision::deny("no network").and_interrupt(),
        _ => Decision::allow(),
    }
}

fn asks() -> Agent {
    Agent::new().permission(decide)
}

use std::time::Duration;

use mcp_agent::hook::{AnyEvent, PostToolUse, PreToolUse, Stop, UserPromptSubmit};
use mcp_agent::{Hook, HookOutput};

fn with_hooks(agent: Agent) -> Agent {
    agent
        .hook(
            Hook::<PreToolUse>::new().matcher("Bash|Write").timeout(Duration::from_secs(10)).block_on_failure(),
            |call| async move {
                match call.tool_input["command"].as_str() {
                    Some(command) if command.contains("--force") => PreToolUse::deny("do not use --force"),
                    _ => HookOutput::pass(),
                }
            },
        )
        .hook(Hook::<PostToolUse>::new(), |call| async move {
            println!("{} has run in session {}", call.tool_name, call.base().session_id);
        })
        .hook(Hook::<UserPromptSubmit>::new(), |call| async move {
            if call.prompt.contains("password") { HookOutput::block("do not send passwords") } else { HookOutput::pass() }
        })
        .hook(Hook::<Stop>::new(), |call| async move {
            // `stop_hook_active` is true if this hook has already prevented a stop: without the check, the turn never ends.
            if call.stop_hook_active { HookOutput::pass() } else { HookOutput::block("run the tests before you stop") }
        })
        .hook(Hook::<AnyEvent>::named("EventOfANewerCli"), |call| async move { println!("{}", call.raw()) })
}
