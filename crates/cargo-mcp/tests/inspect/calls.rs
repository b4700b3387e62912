//! Calls of tools: forms, progress, cancellation, and every kind of result.

use serde_json::{Value, json};

use crate::page::{answered, choose, click, drive, fill, item, press, see, shown, text, wait};

/// The structured output that the page shows.
fn structured() -> Value {
    see("JSON.parse(document.querySelector('.structured').innerText)")
}

#[test]
fn a_form_has_a_field_for_every_argument_and_calls_the_tool() {
    let Some(seen) = drive([
        item("book"),
        see("[...document.querySelectorAll('.form > div > div > .field')].map(field => field.dataset.name)"),
        see("document.querySelector('[data-name=date] input').type"),
        fill("from", "Bern"),
        fill("to", "Basel\nSBB"),
        fill("date", "2026-12-24"),
        choose("class", "second"),
        click("[data-name=passengers] button"),
        fill("name", "Ada"),
        fill("age", "36"),
        choose("payment", "invoice"),
        fill("company", "Analytical Engines"),
        fill("days", "30"),
        click("#call"),
        answered(),
        text("#outcome"),
        structured(),
    ]) else {
        return;
    };
    assert_eq!(seen[0], json!(["from", "to", "date", "class", "passengers", "window", "price", "payment"]));
    assert_eq!(seen[1], "date");
    assert_eq!(seen[2], "ok");
    let ticket = json!({
        "route": "Bern - Basel\nSBB", "date": "2026-12-24", "class": "second", "passengers": [{"name": "Ada", "age": 36}],
        "window": true, "price": 19.5, "payment": {"pay": "invoice", "company": "Analytical Engines", "days": 30},
    });
    assert_eq!(seen[3], ticket);
}

#[test]
fn missing_values_are_shown_at_their_field_and_faults_of_the_server_as_it_says_them() {
    let Some(seen) = drive([
        item("add"),
        fill("a", "1"),
        click("#call"),
        text("[data-name=b] .error"),
        see("document.activeElement.closest('.field').dataset.name"),
        click("text=Edit as JSON"),
        json!({"fill": ["#detail textarea.json", "{\"a\": 1, \"b\": \"two\", \"c\": 3}"]}),
        click("#call"),
        answered(),
        text("#outcome"),
        text("#result"),
        json!({"fill": ["#detail textarea.json", "{\"a\": "]}),
        click("#call"),
        text(".form .error"),
        item("fail"),
        fill("reason", "No more seats."),
        click("#call"),
        answered(),
        text("#outcome"),
        text("#result pre"),
    ]) else {
        return;
    };
    let texts: Vec<&str> = seen.iter().map(|text| text.as_str().unwrap()).collect();
    assert_eq!((texts[0], texts[1]), ("a number is required", "b"));
    assert_eq!(texts[2], "the tool failed");
    assert!(texts[3].contains("`b`: expected an integer") && texts[3].contains("`c`: unknown"), "{}", texts[3]);
    assert!(texts[4].contains("JSON"), "{}", texts[4]);
    assert_eq!((texts[5], texts[6]), ("the tool failed", "No more seats."));
}

#[test]
fn whole_numbers_are_not_rounded() {
    let Some(seen) = drive([
        item("add"),
        fill("a", "9007199254740993"),
        fill("b", "0"),
        click("#call"),
        answered(),
        text("#result pre"),
        shown("#journal", "\"a\":9007199254740993"),
        click("text=Edit as JSON"),
        see("document.querySelector('#detail textarea.json').value"),
    ]) else {
        return;
    };
    assert_eq!(seen[0], "9007199254740993");
    assert!(seen[1].as_str().unwrap().contains("\"a\": 9007199254740993"), "{}", seen[1]);
}

#[test]
fn progress_is_shown_and_a_cancelled_call_ends_in_the_server() {
    let Some(seen) = drive([
        item("wait"),
        click("#call"),
        shown("#progress-text", "1 of 2 waiting"),
        // Another tool can be called meanwhile, and the first call goes on.
        item("add"),
        fill("a", "2"),
        fill("b", "3"),
        press("Control+Enter"),
        answered(),
        item("wait"),
        see("document.querySelector('#progress progress').value"),
        click("#cancel"),
        shown("#result", "Cancelled."),
        shown("#journal", "waiting is over"),
        see("document.querySelector('#call').disabled"),
        // The values and the result of the other tool are still there.
        item("add"),
        see("document.querySelector('[data-name=b] input').value"),
        text("#outcome"),
    ]) else {
        return;
    };
    assert_eq!(seen, [json!(1), json!(false), json!("3"), json!("ok")]);
}

#[test]
fn pictures_sounds_links_and_embedded_resources_are_shown() {
    let Some(seen) = drive([
        item("gallery"),
        click("#call"),
        answered(),
        see("[...document.querySelectorAll('#result .block')].map(block => block.dataset.kind)"),
        wait("document.querySelector('#result img').complete"),
        see("document.querySelector('#result img').naturalWidth"),
        see("document.querySelector('#result audio').src.slice(0, 22)"),
        text("#result .block:last-of-type pre"),
        click("#result .block[data-kind=resource_link] button"),
        shown("#result", "Feed the cat."),
        see("document.querySelector('[aria-selected=true]').id"),
    ]) else {
        return;
    };
    assert_eq!(seen[0], json!(["text", "image", "audio", "resource_link", "resource"]));
    assert_eq!(seen[1..], [json!(1), json!("data:audio/wav;base64,"), json!("An embedded note."), json!("tab-resources")]);
}
