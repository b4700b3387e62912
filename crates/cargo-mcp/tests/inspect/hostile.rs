//! Servers that attack the page: with their texts, their schemas, and their amounts.

use serde_json::{Value, json};

use crate::chromium::Browser;
use crate::page::{Inspector, answered, click, drive, drive_page, fill, item, see, shown, text, wait};

/// What a script of the server would leave in the page.
const TRACES: &str = "[window.hacked ?? null, document.querySelectorAll('main script, main iframe, [onerror], [srcdoc], a[href]').length, \
     [...document.images].filter(image => !image.src.startsWith('data:image/')).length]";

#[test]
fn text_of_the_server_is_never_run_and_its_svg_is_not_shown() {
    let Some(seen) = drive([
        item("attack"),
        click("#call"),
        answered(),
        shown("#journal", "<script>window.hacked=1</script>"),
        text("#result .block pre"),
        see("[...document.querySelectorAll('#result .block')].map(block => block.querySelectorAll('img, audio').length)"),
        // The link to `javascript:` is read as a resource, which the server does not have.
        click("#result .block[data-kind=resource_link] button"),
        shown("#result .bad", "javascript:window.hacked=1"),
        see(TRACES),
    ]) else {
        return;
    };
    assert!(seen[0].as_str().unwrap().contains("<img src=x onerror="), "{}", seen[0]);
    assert_eq!(seen[1], json!([0, 0, 0, 0, 0]));
    assert_eq!(seen[2], json!([null, 0, 0]));
}

#[test]
fn a_flood_of_messages_and_a_huge_text_leave_the_page_usable() {
    let Some(seen) = drive([
        item("flood"),
        fill("messages", "5000"),
        fill("bytes", "3000000"),
        click("#call"),
        answered(),
        text("#outcome"),
        see("document.querySelector('#result pre').innerText.length"),
        text("#result .block .muted"),
        see("document.querySelectorAll('#journal .entry').length <= 500"),
        item("add"),
        fill("a", "1"),
        fill("b", "1"),
        click("#call"),
        shown("#result", "2"),
    ]) else {
        return;
    };
    assert_eq!(seen, [json!("ok"), json!(100_000), json!("2,900,000 more characters. Save all"), json!(true)]);
}

#[test]
fn schemas_that_grow_without_end_and_hostile_names_are_shown() {
    let Some(browser) = Browser::or_skip() else { return };
    let user = crate::setup::User::new();
    let server = user.write("hostile.mjs", include_str!("hostile.mjs"));
    let node = which("node");
    let inspector = Inspector::of(&["--", &node, server.to_str().unwrap()]);
    let names = see("[...document.querySelectorAll('#items b')].map(item => item.innerText)");
    let open = |at: usize| click(&format!("#items button:nth-of-type({at})"));
    let fields = || see("document.querySelectorAll('#detail .field, #detail textarea').length < 5000");
    let steps: Vec<Value> = [names]
        .into_iter()
        .chain((1..=6).flat_map(|at| [open(at), wait("document.querySelector('#call')"), fields()]))
        .chain([
            open(1),
            click("#call"),
            answered(),
            text("#outcome"),
            see("document.title"),
            see(TRACES),
            open(6),
            click("#call"),
            wait("document.querySelector('#question').open"),
            text("#question"),
            see("document.querySelector('#accept') === null"),
            click("#decline"),
            shown("#result", "done"),
            open(5),
            click("#call"),
            answered(),
            text("#outcome"),
            text("#result pre"),
            click("#result summary"),
            shown("#result details", "not a number"),
        ])
        .collect();
    let seen = drive_page(&browser, &inspector, steps);
    let names: Vec<String> = serde_json::from_value(seen[0].clone()).unwrap();
    assert_eq!(names[0], "<img src=x onerror=window.hacked=1>");
    assert_eq!(seen[1..7], vec![json!(true); 6]);
    assert_eq!((&seen[7], &seen[9]), (&json!("error"), &json!([null, 0, 0])));
    assert!(seen[10].as_str().unwrap().contains("This is not the address of a web page"), "{}", seen[10]);
    assert_eq!((&seen[11], &seen[12]), (&json!(true), &json!("error")));
    assert!(seen[13].as_str().unwrap().contains("does not match its output schema"), "{}", seen[13]);
}

fn which(program: &str) -> String {
    let path = std::env::var_os("PATH").unwrap();
    let found = std::env::split_paths(&path).map(|folder| folder.join(program)).find(|path| path.is_file());
    found.unwrap().display().to_string()
}
