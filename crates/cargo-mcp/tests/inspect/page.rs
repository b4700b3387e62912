//! An inspector of the example server, and the steps that a person takes in its page.

use std::io::{BufRead, BufReader};
use std::process::{Child, Stdio};

use serde_json::{Value, json};

use crate::chromium::Browser;
use crate::setup::{User, playground};

/// A running `cargo mcp inspect`.
pub(crate) struct Inspector {
    process: Child,
    /// The address that it prints, with the token.
    pub(crate) url: String,
    _user: User,
}

impl Inspector {
    /// Starts it with the words that name the server.
    pub(crate) fn of(words: &[&str]) -> Inspector {
        let user = User::new();
        let mut command = user.command(&[&["inspect", "--no-open"], words].concat());
        let mut process = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut url = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut url).unwrap();
        Inspector { process, url: url.trim().to_owned(), _user: user }
    }

    /// The address without the token.
    pub(crate) fn address(&self) -> &str {
        self.url.trim_start_matches("http://").split('/').next().unwrap()
    }
}

impl Drop for Inspector {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Opens the page of the example server and runs steps in it. Returns what was seen; `None` without a browser.
pub(crate) fn drive(steps: impl IntoIterator<Item = Value>) -> Option<Vec<Value>> {
    let browser = Browser::or_skip()?;
    let inspector = Inspector::of(&[&playground()]);
    Some(drive_page(&browser, &inspector, steps))
}

/// Opens the page of this inspector and runs steps in it.
pub(crate) fn drive_page(browser: &Browser, inspector: &Inspector, steps: impl IntoIterator<Item = Value>) -> Vec<Value> {
    let open = [json!({"goto": inspector.url}), wait("document.querySelector('#detail h2')")];
    browser.drive(&open.into_iter().chain(steps).collect::<Vec<_>>())
}

pub(crate) fn wait(expression: &str) -> Value {
    json!({"wait": expression})
}

pub(crate) fn see(expression: &str) -> Value {
    json!({"see": expression})
}

pub(crate) fn click(selector: &str) -> Value {
    json!({"click": selector})
}

pub(crate) fn press(key: &str) -> Value {
    json!({"press": key})
}

/// Selects an item of the list by its name.
pub(crate) fn item(name: &str) -> Value {
    click(&format!("#items button:has(b:text-is({}))", json!(name)))
}

/// Fills in a field of the form.
pub(crate) fn fill(field: &str, text: &str) -> Value {
    json!({"fill": [format!("[data-name={field}] :is(input, textarea)"), text]})
}

/// Chooses an option of a field by its label.
pub(crate) fn choose(field: &str, label: &str) -> Value {
    json!({"select": [format!("[data-name={field}] select"), label]})
}

/// Waits until the result of a call is shown.
pub(crate) fn answered() -> Value {
    wait("document.querySelector('#outcome')")
}

/// The text of an element.
pub(crate) fn text(selector: &str) -> Value {
    json!({"see": format!("document.querySelector({}).innerText", json!(selector))})
}

/// Waits until an element has this text in it.
pub(crate) fn shown(selector: &str, text: &str) -> Value {
    json!({"wait": format!("document.querySelector({})?.innerText.includes({})", json!(selector), json!(text))})
}
