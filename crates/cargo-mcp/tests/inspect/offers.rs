//! Resources, templates, prompts, the server itself, and the journal.

use serde_json::{Value, json};

use crate::page::{answered, click, drive, fill, item, see, shown, text, wait};

/// Waits until an input offers these values.
fn completes(field: &str, values: &[&str]) -> Value {
    let options = format!("[...document.querySelectorAll('[data-name={field}] option')].map(option => option.value).join()");
    wait(&format!("{options} === {}", json!(values.join(","))))
}

#[test]
fn resources_and_templates_are_read_and_their_variables_completed() {
    let Some(seen) = drive([
        click("#tab-resources"),
        see("[...document.querySelectorAll('#items b')].map(item => item.innerText)"),
        shown("#result", "Feed the cat."),
        item("notes://logo"),
        wait("document.querySelector('#result img')?.naturalWidth === 1"),
        item("notes://days/{day}"),
        fill("day", ""),
        completes("day", &["monday", "tuesday", "sunday"]),
        fill("day", "mon"),
        completes("day", &["monday"]),
        fill("day", "a day/é"),
        text("form .card .address"),
        click("form .primary"),
        shown("#result", "The notes of"),
        text("#result pre"),
    ]) else {
        return;
    };
    assert_eq!(seen[0], json!(["notes://today", "notes://logo", "notes://days/{day}"]));
    assert_eq!(seen[1..], ["notes://days/a%20day%2F%C3%A9", "The notes of a day/é."]);
}

#[test]
fn prompts_are_completed_and_filled_in() {
    let Some(seen) = drive([
        click("#tab-prompts"),
        click("form .primary"),
        text("#notice"),
        fill("name", "A"),
        completes("name", &["Ada", "Alan"]),
        fill("name", "Ada"),
        fill("style", "brief"),
        click("form .primary"),
        shown("#result", "With pleasure."),
        see("[...document.querySelectorAll('#result .caption')].map(caption => caption.innerText)"),
        text("#result pre"),
    ]) else {
        return;
    };
    assert_eq!(seen[0], "“name” is required.");
    assert_eq!(seen[1..], [json!(["user", "assistant"]), json!("Greet Ada, please. Be brief.")]);
}

#[test]
fn the_journal_shows_the_messages_of_both_eras_and_repeats_calls() {
    let lines = "[...document.querySelectorAll('#journal .entry')].map(entry => [...entry.querySelectorAll('button > span')].slice(1, 3).map(span => span.innerText).join(' '))";
    let call = [item("add"), fill("a", "2"), fill("b", "3"), click("#call"), answered()];
    let Some(seen) = drive(
        call.into_iter()
            .chain([
                text("#server-name"),
                shown("#journal", "tools/call result"),
                see(lines),
                json!({"select": ["#revision", "2025-06-18"]}),
                shown("#state", "connected"),
                shown("#journal", "notifications/initialized"),
                wait("!document.querySelector('#server-name').innerText.includes('…')"),
                click("#journal-clear"),
                click("#tab-tools"),
                item("add"),
            ])
            .chain([fill("a", "4"), fill("b", "5"), click("#call"), answered(), shown("#journal", "tools/call result")])
            .chain([
                see(lines),
                // The message is shown, and its call goes back into the form.
                click("#journal .entry > button"),
                text("#journal .entry pre"),
                fill("a", "6"),
                click("text=Edit and call again"),
                see("document.querySelector('[data-name=a] input').value"),
                json!({"fill": ["#journal-filter", "nothing like it"]}),
                see("document.querySelectorAll('#journal .entry').length"),
            ]),
    ) else {
        return;
    };
    let texts = |value: &Value| serde_json::from_value::<Vec<String>>(value.clone()).unwrap();
    assert!(seen[0].as_str().unwrap().starts_with("playground "), "{}", seen[0]);
    let newest = texts(&seen[1]);
    assert!(newest.contains(&"→ server/discover".to_owned()) && !newest.contains(&"→ initialize".to_owned()), "{newest:?}");
    assert_eq!(texts(&seen[2]), ["→ tools/call", "← tools/call result"]);
    let message = seen[3].as_str().unwrap();
    assert!(message.contains("\"arguments\": {") && !message.contains("io.modelcontextprotocol"), "{message}");
    assert_eq!(seen[4..], [json!("4"), json!(0)]);
}

#[test]
fn logs_and_the_facts_about_the_server_are_shown() {
    let Some(seen) = drive([
        item("count"),
        fill("to", "3"),
        fill("pause", "0"),
        click("#call"),
        answered(),
        shown("#journal", "counting to 3"),
        click("#tab-server"),
        text("#detail"),
        json!({"fill": ["#roots", "file:///home/ada"]}),
        click("#set-roots"),
        shown("#notice", "The server was told."),
        click("#ping"),
        shown("#notice", "The server answered in"),
        json!({"reload": ""}),
        shown("#state", "connected"),
        wait("document.querySelector('[aria-selected=true]').id === 'tab-server'"),
        see("location.hash"),
    ]) else {
        return;
    };
    let server = seen[0].as_str().unwrap();
    for part in ["One of everything", "without a handshake", "completions", "claude mcp add playground -- "] {
        assert!(server.contains(part), "{part:?} is missing in:\n{server}");
    }
    // The token is no longer in the address.
    assert_eq!(seen[1], "#/server");
}
