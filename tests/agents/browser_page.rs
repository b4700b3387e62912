//! The example `browser` in a real browser, with the real CLI and a scripted model.

use std::io::Write as _;
use std::net::{TcpListener, TcpStream};
use std::thread::{self, JoinHandle};

use mcp_agent_test::{Block, PausePoint, Turn, Usage, prompt};
use serde_json::{Value, json};

use crate::chromium::Browser;
use crate::setup::{PipedProgram, Setup};

/// The example, a browser, and the address to open.
struct Page {
    setup: Setup,
    browser: Browser,
    url: String,
    server: PipedProgram,
}

impl Page {
    fn or_skip() -> Option<Page> {
        let setup = Setup::or_skip()?;
        let browser = Browser::or_skip()?;
        let (url, server) = serve(&setup);
        Some(Page { setup, browser, url, server })
    }

    /// Opens the page and runs steps in it.
    fn drive(&self, steps: impl IntoIterator<Item = Value>) -> Vec<Value> {
        let first = [json!({"goto": self.url})];
        self.browser.drive(&first.into_iter().chain(steps).collect::<Vec<_>>())
    }
}

/// Starts the example. Returns the address that it prints.
fn serve(setup: &Setup) -> (String, PipedProgram) {
    let mut server = PipedProgram::run(&mut setup.command("browser"));
    let url = server.wait_for("\n").trim().to_owned();
    (url, server)
}

/// The steps that send a prompt, to which the model replies with these turns.
fn say(text: &str, turns: impl IntoIterator<Item = Turn>) -> [Value; 2] {
    [json!({"fill": ["#prompt", prompt(text, turns)]}), json!({"press": "Enter"})]
}

/// The step that waits until the model has said a text.
fn shown(text: &str) -> Value {
    json!({"wait": format!("[...document.querySelectorAll('.item.text')].some(node => node.innerText.includes({}))", json!(text))})
}

fn idle() -> Value {
    json!({"wait": "!['idle', 'running'].includes(document.body.dataset.state)"})
}

fn texts(selector: &str) -> Value {
    json!({"see": format!("[...document.querySelectorAll({})].map(node => node.textContent)", json!(selector))})
}

/// Waits for a request of the browser, and then lets the model go on.
fn release_on_request(pause: PausePoint) -> (String, JoinHandle<()>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let opener = thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        pause.release();
        stream.write_all(b"HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n").unwrap();
    });
    (address, opener)
}

#[test]
fn the_page_shows_a_session_while_it_runs_and_when_it_is_done() {
    let Some(page) = Page::or_skip() else { return };
    let pause = page.setup.model.pause_point("the rest");
    let first = Turn::of([Block::thinking("Hm, adding."), Block::tool("mcp__calc__add", json!({"a": 2, "b": 3}))]);
    let last = Turn::text("It is **five** & more.").pause_midway(&pause).usage(Usage::new(30_000, 42));
    let (go, opener) = release_on_request(pause);
    let mut steps = say("2 + 3?", [first, last]).to_vec();
    steps.extend([
        json!({"wait": "document.querySelector('.item.text:last-child')?.textContent.startsWith('It is')"}),
        json!({"see": "document.body.dataset.state"}),
        json!({"fetch": go}),
        idle(),
        json!({"see": "document.body.dataset.state"}),
        texts(".item.thinking .body"),
        texts(".item.tool summary"),
        texts(".item.tool .result code"),
        json!({"see": "document.querySelector('.item.text:last-child').innerHTML"}),
        json!({"see": "['cost', 'context-text'].map(id => document.getElementById(id).textContent)"}),
        json!({"see": "document.getElementById('context-bar').value"}),
        // The page in another window, and the same page again.
        json!({"see": "location.href"}),
        json!({"reload": true}),
        shown("It is five"),
        texts(".item.tool .result code"),
    ]);
    let seen = page.drive(steps);
    opener.join().unwrap();
    assert_eq!(seen[..2], [json!("running"), json!("success")]);
    assert_eq!(seen[2..4], [json!(["Hm, adding."]), json!(["add (calc) a: 2, b: 3done"])]);
    assert_eq!((&seen[4], &seen[5]), (&json!(["5"]), &json!("<p>It is <strong>five</strong> &amp; more.</p>")));
    let cost: f64 = seen[6][0].as_str().unwrap().trim_start_matches('$').parse().unwrap();
    assert!(cost > 0.0 && cost < 1.0, "{cost}");
    assert_eq!((&seen[6][1], &seen[7]), (&json!("30.0k tokens, 3%"), &json!(3)));
    assert_eq!(seen[9], json!(["5"]), "a page that is loaded again shows the same");
    assert_eq!(page.setup.model.requests().len(), 2, "a page that is loaded again runs nothing again");
}

#[test]
fn the_user_allows_once_always_and_denies_with_a_reason() {
    let Some(page) = Page::or_skip() else { return };
    let work = page.setup.sandbox.work().canonicalize().unwrap();
    page.setup.sandbox.file("old.txt", "one\ntwo\nthree\n").unwrap();
    let write = |name: &str| Turn::tool("Write", json!({"file_path": work.join(name), "content": "text\n"}));
    let click = |text: &str| json!({"click": format!("#asks button:text-is({})", json!(text))});
    let asked = |text: &str| json!({"wait": format!("document.getElementById('asks').innerText.includes({})", json!(text))});
    let mut steps =
        say("Go.", [write("a.txt"), write("b.txt"), write("b.txt"), write("c.txt"), Turn::text("Finished.")]).to_vec();
    steps.extend([
        asked("a.txt"),
        texts("#asks h3"),
        texts("#asks .added"),
        click("Allow once"),
        asked("b.txt"),
        click("Always this file"),
        asked("c.txt"),
        json!({"fill": ["#asks input", "not that one"]}),
        click("Deny"),
        shown("Finished."),
        idle(),
        texts("#asks form"),
        json!({"wait": "[...document.querySelectorAll('.item.tool .state')].at(-1).textContent === 'denied'"}),
        texts(".item.tool .state"),
        texts(".item.tool .diff .added"),
    ]);
    let read = Turn::tool("Read", json!({"file_path": work.join("old.txt")}));
    let edit = json!({"file_path": work.join("old.txt"), "old_string": "one\ntwo", "new_string": "one\n2"});
    steps.extend(say("Edit.", [read, Turn::tool("Edit", edit), Turn::text("Edited.")]));
    steps.extend([
        asked("Edit"),
        texts("#asks .removed"),
        texts("#asks .added"),
        click("Allow once"),
        shown("Edited."),
        idle(),
    ]);
    let seen = page.drive(steps);
    assert_eq!((&seen[0], &seen[1][0]), (&json!(["Allow Write?"]), &json!("+ text\n")));
    assert_eq!(seen[2], json!([]), "no question is open");
    assert_eq!(seen[3], json!(["done", "done", "done", "denied"]));
    assert_eq!((&seen[5], &seen[6]), (&json!(["- two\n"]), &json!(["+ 2\n"])));
    assert!(work.join("a.txt").exists() && work.join("b.txt").exists() && !work.join("c.txt").exists());
    assert_eq!(std::fs::read_to_string(work.join("old.txt")).unwrap(), "one\n2\nthree\n");
    let results =
        format!("{:?}", page.setup.model.requests().iter().map(|request| request.tool_results()).collect::<Vec<_>>());
    assert!(results.contains("not that one"), "{results}");
}

#[test]
fn all_of_what_is_asked_is_shown() {
    let Some(page) = Page::or_skip() else { return };
    let work = page.setup.sandbox.work().canonicalize().unwrap();
    page.setup.sandbox.file("old.txt", "one\ntwo\none\n").unwrap();
    let lines: Vec<String> = (1..=500).map(|number| format!("line {number}")).collect();
    let write = json!({"file_path": work.join("long"), "content": lines.join("\n")});
    let edit = json!({"file_path": work.join("old.txt"), "old_string": "one", "new_string": "1", "replace_all": true});
    // The text after U+202E would be shown from right to left: `sh.exe` as `exe.hs`.
    let bash = json!({"command": "touch a\u{202e}hs.exe", "description": "Touch it", "run_in_background": true});
    let read = Turn::tool("Read", json!({"file_path": work.join("old.txt")}));
    let turns = [Turn::tool("Write", write), read, Turn::tool("Edit", edit), Turn::tool("Bash", bash), Turn::text("Done.")];
    let asked = |name: &str| json!({"wait": format!("document.querySelector('#asks h3')?.innerText === 'Allow {name}?'")});
    let deny = || json!({"click": "#asks button:text-is('Deny')"});
    let mut steps = say("Go.", turns).to_vec();
    steps.extend([asked("Write"), texts("#asks .diff span"), deny()]);
    steps.extend([asked("Edit"), texts("#asks .diff span"), texts("#asks .field"), deny()]);
    steps.extend([asked("Bash"), texts("#asks pre"), texts("#asks .field"), deny(), shown("Done.")]);
    let seen = page.drive(steps);
    assert_eq!(seen[0], lines.iter().map(|line| format!("+ {line}\n")).collect::<Value>());
    assert_eq!(seen[1..3], [json!(["- one\n", "+ 1\n"]), json!(["replace_all true"])]);
    assert_eq!(seen[3], json!(["touch a<U+202E>hs.exe"]));
    assert_eq!(seen[4], json!(["description Touch it", "run_in_background true"]));
}

#[test]
fn questions_of_the_model_and_plans_are_forms() {
    let Some(page) = Page::or_skip() else { return };
    let option = |label: &str| json!({"label": label, "description": format!("the {label} one")});
    let questions = json!({"questions": [
        {"question": "Which colour?", "header": "Colour", "multiSelect": false, "options": [option("red"), option("blue")]},
        {"question": "Which sizes?", "header": "Sizes", "multiSelect": true, "options": [option("small"), option("large")]},
    ]});
    let mut steps = say("Ask.", [Turn::tool("AskUserQuestion", questions), Turn::text("Thanks.")]).to_vec();
    steps.extend([
        json!({"wait": "document.querySelectorAll('#asks fieldset').length === 2"}),
        texts("#asks legend"),
        json!({"click": "#asks button:text-is('Answer')"}),
        texts("#asks .problem"),
        json!({"fill": ["#asks fieldset:first-of-type input[type=text]", "green"]}),
        json!({"click": "#asks input[value=blue]"}),
        json!({"see": "document.querySelector('#asks fieldset input[type=text]').value"}),
        json!({"click": "#asks input[value=small]"}),
        json!({"click": "#asks input[value=large]"}),
        json!({"click": "#asks button:text-is('Answer')"}),
        shown("Thanks."),
        idle(),
    ]);
    steps.push(json!({"see": "(() => { const mode = document.getElementById('mode'); mode.value = 'plan'; mode.dispatchEvent(new Event('change')); })()"}));
    let plan = Turn::tool("ExitPlanMode", json!({"plan": "# Steps\n\n1. Look\n2. Change"}));
    steps.extend(say("Plan.", [plan.clone(), plan, Turn::text("Planned.")]));
    let planned = json!({"wait": "document.querySelector('#asks h3')?.textContent === 'Follow this plan?'"});
    steps.extend([
        planned.clone(),
        texts("#asks li"),
        json!({"fill": ["#asks input", "also test"]}),
        json!({"click": "#asks button:text-is('Keep planning')"}),
        json!({"wait": "!document.querySelector('#asks input[disabled]')"}),
        planned,
        json!({"click": "#asks button:text-is('Follow the plan')"}),
        shown("Planned."),
    ]);
    let seen = page.drive(steps);
    assert_eq!(seen[0], json!(["Which colour?", "Which sizes?"]));
    assert_eq!(seen[1], json!(["Choose an answer: Which colour?"]));
    assert_eq!(seen[2], json!(""), "a choice replaces an own answer");
    assert_eq!(seen[4], json!(["Look", "Change"]));
    let results =
        format!("{:?}", page.setup.model.requests().iter().map(|request| request.tool_results()).collect::<Vec<_>>());
    for text in ["blue", "small, large", "also test"] {
        assert!(results.contains(text), "{text}: {results}");
    }
    assert!(!results.contains("green"), "{results}");
}

#[test]
fn output_of_the_model_never_becomes_markup() {
    let Some(page) = Page::or_skip() else { return };
    let hostile = "<img src=x onerror=\"document.title='hacked'\"><script>document.title='hacked'</script>\n\n\
                   [a](javascript:document.title='hacked') [b](data:text/html,x) [c](https://example.com/?a=\"b\") \
                   <b>bold</b>\n\n```html\n<i>code</i>\n```\n\n| <u>x</u> |\n|---|\n| [d](vbscript:x) |";
    let tool = Turn::tool("mcp__calc__add", json!({"a": 1, "b": 2, "note": "<img src=x onerror=alert(1)>"}));
    let mut steps = say("<b>Hello</b>", [tool, Turn::text(hostile)]).to_vec();
    steps.extend([
        idle(),
        json!({"see": "document.querySelectorAll('#log :is(img, script, b, i, u, iframe, style)').length - document.querySelectorAll('summary b').length"}),
        json!({"see": "[...document.querySelectorAll('#log a')].map(node => node.href)"}),
        json!({"see": "document.title"}),
        json!({"see": "document.querySelector('.item.prompt').textContent.startsWith('<b>Hello</b>')"}),
    ]);
    let seen = page.drive(steps);
    assert_eq!(seen[0], 0);
    assert_eq!(seen[1], json!(["https://example.com/?a=%22b%22"]));
    assert_eq!((&seen[2], &seen[3]), (&json!("Agent"), &json!(true)));
}

#[test]
fn a_second_window_sees_the_same_and_a_turn_can_be_interrupted() {
    let Some(page) = Page::or_skip() else { return };
    let pause = page.setup.model.pause_point("never");
    let mut steps = say("Talk.", [Turn::text("A long answer.").pause_midway(&pause)]).to_vec();
    steps.extend([
        json!({"wait": "document.querySelector('.item.text')"}),
        json!({"see": "localStorage.chat = location.hash"}),
        json!({"window": "second"}),
        json!({"goto": page.url}),
        json!({"see": "location.hash = localStorage.chat"}),
        json!({"wait": "document.body.dataset.state === 'running'"}),
        json!({"press": "Escape"}),
        json!({"wait": "document.body.dataset.state === 'fail'"}),
        texts(".item.notice"),
        json!({"window": "first"}),
        json!({"wait": "document.body.dataset.state === 'fail'"}),
    ]);
    steps.extend(say("Go on.", [Turn::text("Here I am.")]));
    steps.extend([shown("Here I am."), json!({"window": "second"}), shown("Here I am."), texts(".item.prompt")]);
    let seen = page.drive(steps);
    pause.release();
    assert!(seen[2][0].as_str().unwrap().contains("interrupted"), "{}", seen[2]);
    assert_eq!(seen[3].as_array().unwrap().len(), 2);
}

#[test]
fn a_session_is_continued_after_a_restart_of_the_program() {
    let Some(page) = Page::or_skip() else { return };
    let mut steps = say("Remember the word pelican.", [Turn::text("I remember it.")]).to_vec();
    steps.extend([shown("I remember it."), idle(), json!({"see": "location.hash"})]);
    let seen = page.drive(steps);
    let Page { setup, browser, server, .. } = page;
    server.ctrl_c();
    assert_eq!(server.end().0, Some(0), "the program ends at Ctrl-C");

    let (url, _server) = serve(&setup);
    let mut steps = vec![
        json!({"goto": url}),
        json!({"wait": "document.querySelector('#sessions button')"}),
        texts("#sessions button span"),
        json!({"click": "#sessions button"}),
        shown("I remember it."),
        json!({"see": "location.hash"}),
    ];
    steps.extend(say("Which word?", [Turn::text("Pelican.")]));
    steps.push(shown("Pelican."));
    let again = browser.drive(&steps);
    assert!(again[0][0].as_str().unwrap().contains("pelican"), "{}", again[0]);
    assert_eq!(again[1], seen[0], "the chat has the same address");
    let requests = setup.model.requests();
    assert!(
        requests.iter().any(|request| request.mentions("the word pelican") && request.mentions("Which word?")),
        "{:#?}",
        requests.iter().map(|request| request.messages().to_vec()).collect::<Vec<_>>()
    );
}

#[test]
fn half_a_request_does_not_keep_the_program_from_ending() {
    let Some(setup) = Setup::or_skip() else { return };
    let (url, server) = serve(&setup);
    let address = url.strip_prefix("http://").and_then(|rest| rest.split('/').next()).unwrap();
    let mut half = TcpStream::connect(address).unwrap();
    half.write_all(b"GET / HTTP/1.1\r\nhost: localhost\r\n").unwrap();
    server.ctrl_c();
    assert_eq!(server.end().0, Some(0));
}

#[test]
fn without_the_token_the_page_shows_nothing_and_says_why() {
    let Some(page) = Page::or_skip() else { return };
    let address = page.url.split("/agent").next().unwrap();
    let steps = [
        json!({"goto": address}),
        json!({"wait": "document.getElementById('connection').textContent.includes('token')"}),
        json!({"fill": ["#prompt", "Hello"]}),
        json!({"press": "Enter"}),
        json!({"wait": "document.body.dataset.state === 'fail'"}),
        json!({"see": "document.querySelectorAll('.item').length"}),
    ];
    assert_eq!(page.browser.drive(&steps), [json!(0)]);
    assert!(page.setup.model.all_requests().is_empty());
}

/// With `SCREENSHOTS=FOLDER`, the test also stores what it sees.
#[test]
fn the_page_fits_wide_and_narrow_windows_in_light_and_dark() {
    let Some(page) = Page::or_skip() else { return };
    let work = page.setup.sandbox.work().canonicalize().unwrap();
    let code = "fn parse(text: &str) -> Result<u16, Error> {\n    text.trim().parse().map_err(Error::Port)\n}\n";
    page.setup.sandbox.file("port.rs", code).unwrap();
    let file = work.join("port.rs");
    let edit = json!({"file_path": file, "old_string": "    text.trim().parse().map_err(Error::Port)",
                      "new_string": "    let port = text.trim().parse().map_err(Error::Port)?;\n    if port == 0 { Err(Error::Zero) } else { Ok(port) }"});
    let look = [Block::text("I will read the parser first."), Block::tool("Read", json!({"file_path": file}))];
    let done = "Port **0** is now an error of its own:\n\n- `parse` returns `Error::Zero`\n- every other port is unchanged\n\n\
                | input | before | now |\n|---|---|---|\n| `80` | 80 | 80 |\n| `0` | 0 | `Error::Zero` |\n\n```sh\ncargo test -p ports\n```\n";
    let test = Turn::tool("Bash", json!({"command": "cargo test -p ports && touch tested", "description": "Run the tests"}))
        .usage(Usage::new(31_000, 80));
    let turns = [Turn::of(look), Turn::tool("Edit", edit), Turn::text(done).usage(Usage::new(20_000, 900)), test];
    // The prompts contain no script, because they are on the pictures.
    turns.into_iter().for_each(|turn| page.setup.model.push(turn));
    let say = |text: &str| [json!({"fill": ["#prompt", text]}), json!({"press": "Enter"})];
    let allow = json!({"click": "#asks button:text-is('Allow once')"});
    let mut steps = say("Reject port 0 in the parser.").to_vec();
    steps.extend([json!({"wait": "document.querySelector('#asks form')"}), allow, shown("cargo test -p ports"), idle()]);
    steps.extend(say("Run the tests."));
    steps.push(json!({"wait": "document.querySelector('#asks form')"}));
    let folder = std::env::var("SCREENSHOTS").ok();
    for (width, height) in [(1280, 1000), (390, 844)] {
        for scheme in ["light", "dark"] {
            steps.extend([
                json!({"size": [width, height]}),
                json!({"scheme": scheme}),
                json!({"see": "document.documentElement.scrollWidth <= innerWidth && document.documentElement.scrollHeight <= innerHeight"}),
                json!({"see": "[...document.querySelectorAll('#asks button, #prompt, #send, #stop')].every(node => { const box = node.getBoundingClientRect(); return !box.width || (box.left >= 0 && box.right <= innerWidth && box.bottom <= innerHeight + 1); })"}),
            ]);
            if let Some(folder) = &folder {
                steps.push(json!({"shot": format!("{folder}/{scheme}-{width}.png")}));
            }
        }
    }
    steps.extend([
        json!({"click": "#menu"}),
        json!({"wait": "document.getElementById('drawer').getBoundingClientRect().left >= 0"}),
    ]);
    if let Some(folder) = &folder {
        steps.push(json!({"shot": format!("{folder}/drawer.png")}));
    }
    let fits = page.drive(steps);
    assert!(fits.len() == 8 && fits.iter().all(|fits| fits == true), "{fits:?}");
    drop(page.server);
}
