//! How the page looks and is used: light and dark, small windows, and only with the keyboard.

use std::path::Path;

use serde_json::{Value, json};

use crate::page::{answered, choose, click, drive, fill, item, press, see, text, wait};

/// The lowest contrast of text on its background in the page, and the text that has it.
const CONTRAST: &str = "(() => {\
    const light = color => { const [r, g, b] = color.match(/[0-9.]+/g).map(v => v / 255).map(v => v <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4); return .2126 * r + .7152 * g + .0722 * b; };\
    const behind = node => { for (; node; node = node.parentElement) { const c = getComputedStyle(node).backgroundColor; if (!/, 0\\)$/.test(c)) return c; } return 'rgb(255, 255, 255)'; };\
    const own = node => [...node.childNodes].some(child => child.nodeType === 3 && child.data.trim());\
    return [...document.querySelectorAll('body *')].filter(node => own(node) && node.checkVisibility() && !node.disabled).map(node => {\
      const [a, b] = [light(getComputedStyle(node).color), light(behind(node))].sort((x, y) => y - x);\
      return [(a + .05) / (b + .05), node.outerHTML.slice(0, 80)];\
    }).sort((x, y) => x[0] - y[0])[0];\
  })()";

#[test]
fn text_has_contrast_in_light_and_in_dark() {
    let each = |scheme: &str| {
        [
            json!({"scheme": scheme}),
            wait("!document.getAnimations().length"),
            see(CONTRAST),
            see("getComputedStyle(document.body).backgroundColor"),
        ]
    };
    let call = [
        item("book"),
        fill("from", "Bern"),
        click("#call"),
        wait("document.querySelector('.error')"),
        item("gallery"),
        click("#call"),
        answered(),
    ];
    let Some(seen) = drive(call.into_iter().chain(each("light")).chain(each("dark"))) else { return };
    for contrast in [&seen[0], &seen[2]] {
        assert!(contrast[0].as_f64().unwrap() >= 4.5, "{contrast}");
    }
    assert_ne!(seen[1], seen[3]);
}

/// Whether the journal shows its newest entry, which it does until the user scrolls away from it.
const AT_END: &str =
    "(() => { const j = document.querySelector('#journal'); return j.scrollHeight - j.scrollTop - j.clientHeight < 2; })()";

#[test]
fn a_small_window_shows_everything_without_scrolling_sideways() {
    let narrow = || see("document.documentElement.scrollWidth <= innerWidth");
    let tab = |name: &str| [click(&format!("#tab-{name}")), narrow()];
    let steps = [
        json!({"size": [360, 640]}),
        json!({"reload": ""}),
        wait("document.querySelector('#call')"),
        narrow(),
        item("book"),
    ]
    .into_iter()
    .chain([click("[data-name=passengers] button"), choose("payment", "card"), narrow()])
    .chain([item("add"), fill("a", "1"), fill("b", "2"), click("#call"), answered(), narrow()])
    .chain([see("document.querySelector('#result').getBoundingClientRect().top < innerHeight")])
    .chain(["resources", "prompts", "server"].into_iter().flat_map(tab))
    .chain([click("#journal-fold"), wait(AT_END), json!({"size": [360, 500]}), wait(AT_END)])
    .chain([click("#journal .entry:last-child > button"), narrow()]);
    let Some(seen) = drive(steps) else { return };
    assert_eq!(seen, vec![json!(true); seen.len()]);
}

#[test]
fn everything_is_done_with_the_keyboard() {
    let letters = |text: &str| text.chars().map(|letter| press(&letter.to_string())).collect::<Vec<Value>>();
    let focused = || see("document.activeElement.closest('.field')?.dataset.name ?? document.activeElement.id");
    let steps = [press("/"), focused()]
        .into_iter()
        .chain(letters("ad"))
        .chain([
            press("ArrowDown"),
            press("Enter"),
            wait("document.querySelector('[data-name=a]')"),
            press("Tab"),
            press("Tab"),
            focused(),
        ])
        .chain(letters("20"))
        .chain([press("Tab"), focused()])
        .chain(letters("22"))
        .chain([press("Control+Enter"), answered(), text("#result pre")])
        // Between the tabs and in the list the arrow keys move.
        .chain([
            json!({"focus": "#tab-tools"}),
            press("ArrowRight"),
            see("document.querySelector('[aria-selected=true]').id"),
        ])
        .chain([press("Tab"), focused(), press("Tab"), press("ArrowDown"), press("Enter")])
        .chain([see("document.querySelector('#detail h2').innerText")])
        .chain([json!({"focus": "#journal-grip"}), see("window.before = document.querySelector('aside').clientHeight")])
        .chain([press("ArrowUp"), see("document.querySelector('aside').clientHeight > window.before")]);
    let Some(seen) = drive(steps) else { return };
    assert_eq!(seen[..3], ["filter", "a", "b"]);
    assert!(seen[3].as_str().unwrap().contains("42"), "{}", seen[3]);
    assert_eq!(seen[4..7], ["tab-resources", "filter", "logo"]);
    assert_eq!(seen[8], true);
}

/// With `UPDATE_PICTURES=1` this makes the pictures of the README and of the page about the inspector.
#[test]
fn the_pictures_in_the_documentation_are_calls_of_a_tool() {
    for (name, scheme, size) in [
        ("inspector", "light", [1280, 900]),
        ("inspector-dark", "dark", [1280, 900]),
        ("inspector-small", "light", [390, 844]),
    ] {
        let saved = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../docs/pictures/{name}.png"));
        assert!(saved.is_file() || is_updated(), "UPDATE_PICTURES=1 makes {}", saved.display());
        let shot = if is_updated() { saved } else { Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.png")) };
        let Some(seen) = drive(picture(&shot, scheme, size)) else { return };
        assert_eq!(seen.last(), Some(&json!("ok")), "{name}");
    }
}

fn is_updated() -> bool {
    std::env::var_os("UPDATE_PICTURES").is_some()
}

/// Calls a tool twice: in the first call the server prepares the schemas, so it takes longer.
fn picture(shot: &Path, scheme: &str, size: [u32; 2]) -> Vec<Value> {
    vec![
        json!({"scheme": scheme}),
        json!({"size": size}),
        json!({"reload": ""}),
        wait("document.querySelector('#detail h2')"),
        see("void (document.querySelector('#server-address').textContent = 'target/debug/examples/playground')"),
        item("book"),
        fill("from", "Bern"),
        fill("to", "Basel"),
        fill("date", "2026-12-24"),
        choose("class", "second"),
        click("[data-name=passengers] button"),
        fill("name", "Ada Lovelace"),
        press("Control+Enter"),
        answered(),
        see("void document.querySelector('#outcome').setAttribute('id', 'first-outcome')"),
        press("Control+Enter"),
        answered(),
        text("#outcome"),
        json!({"shot": shot}),
    ]
}
