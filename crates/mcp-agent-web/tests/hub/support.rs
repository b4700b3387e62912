//! A hub whose CLI is scripted, and watchers that wait for events.

use std::time::Duration;

use mcp_agent::event::Event;
use mcp_agent::{Agent, random_uuid};
use mcp_agent_test::{Script, ScriptedCli};
use mcp_agent_web::{Command, Hub, HubBuilder, Transcript, Update, Watch};
use serde_json::{Value, json};

/// Generous, because CI machines are slow under load.
pub(crate) const TIMEOUT: Duration = Duration::from_secs(60);

/// Returns a hub whose CLI runs this script, and the CLI.
pub(crate) fn hub(script: Script) -> (Hub, ScriptedCli) {
    hub_with(script, |builder| builder)
}

pub(crate) fn hub_with(script: Script, options: impl FnOnce(HubBuilder) -> HubBuilder) -> (Hub, ScriptedCli) {
    let cli = ScriptedCli::new(script);
    let transport = cli.clone();
    let builder = Hub::builder(move |chat| Agent::new().transport(transport.clone()).permission(chat.ask()));
    (options(builder).build(), cli)
}

/// Returns a script with one turn that says these texts.
pub(crate) fn turn<'a>(texts: impl IntoIterator<Item = &'a str>) -> Script {
    let said = texts.into_iter().fold(Script::new().prompt(), Script::text);
    said.result("done").idle()
}

pub(crate) fn prompt(text: &str) -> Command {
    Command::Prompt { id: random_uuid(), text: text.to_owned() }
}

/// Reads updates until one is an event with this name. Returns all that was read.
pub(crate) async fn until(watch: &mut Watch, name: &str) -> Vec<Update> {
    let mut seen = Vec::new();
    loop {
        let update = tokio::time::timeout(TIMEOUT, watch.next()).await;
        let update = update.unwrap_or_else(|_| panic!("no {name} in {:?}", names(&seen)));
        let update = update.unwrap().unwrap_or_else(|| panic!("the stream ended without {name}: {:?}", names(&seen)));
        let is_last = matches!(&update, Update::Event { data, .. } if event(data).name == name);
        seen.push(update);
        if is_last {
            return seen;
        }
    }
}

/// Waits until a condition is true.
pub(crate) async fn eventually(is_true: impl AsyncFn() -> bool) {
    let wait = async {
        while !is_true().await {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(TIMEOUT, wait).await.expect("the condition becomes true");
}

pub(crate) fn event(data: &str) -> Event {
    serde_json::from_str(data).unwrap()
}

pub(crate) fn names(updates: &[Update]) -> Vec<String> {
    let name = |update: &Update| match update {
        Update::Event { data, .. } => event(data).name,
        _ => "snapshot".to_owned(),
    };
    updates.iter().map(name).collect()
}

pub(crate) fn id(update: &Update) -> &str {
    match update {
        Update::Event { id, .. } | Update::Snapshot { id, .. } => id,
        other => panic!("{other:?}"),
    }
}

/// Returns the data of the first event with this name.
pub(crate) fn raw(updates: &[Update], name: &str) -> Value {
    let found = updates.iter().find_map(|update| match update {
        Update::Event { data, .. } => Some(event(data)).filter(|event| event.name == name),
        _ => None,
    });
    serde_json::from_str(found.unwrap_or_else(|| panic!("no {name}")).raw.get()).unwrap()
}

/// Returns the transcript after these updates.
pub(crate) fn transcript(updates: &[Update]) -> Transcript {
    let mut transcript = Transcript::default();
    for update in updates {
        match update {
            Update::Snapshot { data, .. } => transcript = serde_json::from_str(data).unwrap(),
            Update::Event { data, .. } => transcript.feed(&event(data)),
            other => panic!("{other:?}"),
        }
    }
    transcript
}

/// A request of the CLI to use `Bash`.
pub(crate) fn ask(id: &str, command: &str) -> Value {
    json!({"subtype": "can_use_tool", "tool_name": "Bash", "input": {"command": command}, "tool_use_id": id})
}
