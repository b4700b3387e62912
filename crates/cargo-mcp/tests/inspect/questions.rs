//! Questions of the server: forms, pages, and answers of a model.

use serde_json::{Value, json};

use crate::page::{answered, choose, click, drive, fill, item, press, shown, text, wait};

/// Calls a tool, and waits for its question.
fn asked(tool: &str) -> [Value; 3] {
    [item(tool), click("#call"), wait("document.querySelector('#question').open")]
}

fn result() -> [Value; 2] {
    [answered(), text("#result pre")]
}

#[test]
fn the_form_of_an_elicitation_is_filled_in_declined_or_cancelled() {
    let steps = asked("coffee")
        .into_iter()
        .chain([text("#question"), click("#accept"), text("#question .error")])
        .chain([choose("size", "large"), fill("name", "Ada"), fill("shots", "2"), choose("milk", "true")])
        .chain([fill("receipt", "no address"), click("#accept"), text("#question [data-name=receipt] .error")])
        .chain([fill("receipt", "ada@example.com"), click("#accept")])
        .chain(result())
        .chain([click("#call"), wait("document.querySelector('#question').open"), click("#decline")])
        .chain([shown("#result", "declined"), click("#call"), wait("document.querySelector('#question').open")])
        .chain([press("Escape"), shown("#result", "cancelled"), text("#outcome")]);
    let Some(seen) = drive(steps) else { return };
    let seen: Vec<&str> = seen.iter().map(|text| text.as_str().unwrap()).collect();
    assert!(seen[0].contains("What would you like to drink?") && seen[0].contains("the name on the cup"), "{}", seen[0]);
    assert!(seen[1].contains("choose a value"), "{}", seen[1]);
    assert!(seen[2].contains('@'), "{}", seen[2]);
    assert_eq!(seen[3], "a large coffee for Ada, shots: 2, milk: true, receipt: Some(\"ada@example.com\")");
    assert_eq!(seen[4], "ok");
}

#[test]
fn a_page_to_open_is_shown_before_it_is_opened_and_a_model_can_be_played() {
    let steps = asked("sign_in").into_iter().chain([text("#question"), click("#decline")]).chain(result()).chain([
        item("think"),
        fill("question", "Why?"),
        click("#call"),
        wait("document.querySelector('#question').open"),
        text("#question pre"),
        json!({"fill": ["#sample-text", "Because."]}),
        click("#accept"),
        shown("#result", "the model says"),
        text("#result pre"),
    ]);
    let Some(seen) = drive(steps) else { return };
    assert!(seen[0].as_str().unwrap().contains("login.example.com"), "{}", seen[0]);
    assert_eq!(seen[1..], ["declined", "Why?", "the model says: Because."]);
}
