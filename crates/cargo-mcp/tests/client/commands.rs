//! Every command over standard input and output.

use serde_json::{Value, json};

use crate::setup::{User, playground};

#[test]
fn list_shows_tools_with_their_arguments_resources_templates_and_prompts() {
    let (user, server) = (User::new(), playground());
    let text = user.gets(&["list", &server]);
    for part in [
        "playground 0.1.0, revision 2026-07-28\n  One of everything that a server can offer.\n",
        "  add (read only)\n      Add two numbers.\n        a (integer, required): left addend\n",
        "        date (date, required): the day of the journey\n",
        "class (first|second, required): the class of the seats",
        "passengers (list of objects, required): everybody who travels\n",
        "        passengers[].name (string, required): first and last name\n",
        "price (number, default 19.5)",
        "  notes://today (text/plain)\n      The notes of today.\n",
        "  notes://days/{day}\n",
        "  greet: Greeting\n      Greet somebody.\n        name (required): who to greet\n        style (optional)",
    ] {
        assert!(text.contains(part), "{part:?} is missing in:\n{text}");
    }
    let json: Value = serde_json::from_str(&user.gets(&["list", &server, "--json"])).unwrap();
    assert_eq!(json["server"]["info"]["name"], "playground");
    assert_eq!(json["tools"][0]["inputSchema"]["properties"]["a"]["type"], "integer");
    assert_eq!(json["resourceTemplates"][0]["uriTemplate"], "notes://days/{day}");
    let old: Value = serde_json::from_str(&user.gets(&["list", &server, "--json", "--revision", "2025-06-18"])).unwrap();
    assert_eq!(old["server"]["revision"], "2025-06-18");
}

#[test]
fn call_takes_nested_arguments_and_files_and_prints_text_or_json() {
    let (user, server) = (User::new(), playground());
    assert_eq!(user.gets(&["call", &server, "add", "a=2", "b=3"]), "5\n");
    user.write("arguments.json", r#"{"a": 40, "b": 0}"#);
    assert_eq!(user.gets(&["call", &server, "add", "@arguments.json", "b=2"]), "42\n");
    let words = ["from=Bern", "to=Chur", "date=2026-12-01", "class=first", "passengers[].name=Ada", "passengers[0].age=36"];
    let more = ["passengers[].name=Bob", "payment.pay=card", "payment.digits=0042", "--json"];
    let booked: Value = serde_json::from_str(&user.gets(&[&["call", &server, "book"][..], &words, &more].concat())).unwrap();
    let ticket = &booked["structuredContent"];
    assert_eq!(ticket["passengers"], json!([{"name": "Ada", "age": 36}, {"name": "Bob", "age": null}]), "{booked}");
    assert_eq!((&ticket["payment"]["digits"], &ticket["window"]), (&json!("0042"), &json!(true)), "{booked}");
}

#[test]
fn pictures_are_named_and_saved() {
    let (user, server) = (User::new(), playground());
    let text = user.gets(&["call", &server, "gallery"]);
    assert!(text.contains("[image: image/png, 69 bytes; save it with --output FILE]"), "{text}");
    assert!(text.contains("[link to notes://today: the notes of today]\nAn embedded note."), "{text}");
    user.gets(&["call", &server, "picture", "--output", "dot.png"]);
    assert!(std::fs::read(user.folder.path().join("dot.png")).unwrap().starts_with(b"\x89PNG"));
    let several = user.runs(&["call", &server, "gallery", "--output", "x"]);
    assert!(several.status == Some(1) && several.err.contains("the result has 4 contents"), "{several:?}");
}

#[test]
fn read_prompt_and_complete_print_their_results() {
    let (user, server) = (User::new(), playground());
    assert_eq!(user.gets(&["read", &server, "notes://today"]), "Feed the cat.\n");
    // A program that reads the output gets the bytes of a binary resource.
    let logo = user.command(&["read", &server, "notes://logo"]).output().unwrap().stdout;
    assert!(logo.starts_with(b"\x89PNG") && logo.len() == 69);
    let messages = user.gets(&["prompt", &server, "greet", "name=Ada", "style=short"]);
    assert_eq!(messages, "user: Greet Ada, please. Be short.\nassistant: With pleasure.\n");
    assert_eq!(user.gets(&["complete", &server, "greet", "name", "A"]), "Ada\nAlan\n");
    assert_eq!(user.gets(&["complete", &server, "notes://days/{day}", "day", "s"]), "sunday\n");
}

#[test]
fn errors_name_the_fault_and_suggest_what_was_meant() {
    let (user, server) = (User::new(), playground());
    let server = server.as_str();
    for (words, status, part) in [
        (&["call", server, "ad", "a=1"][..], 2, "no tool `ad`; did you mean `add`?"),
        (&["call", server, "add", "a"], 2, "`a` is not an argument: write name=value"),
        (&["call", server, "add", "a=x"], 1, "- `b`: missing"),
        (&["call", server, "fail", "reason=too late"], 1, "cargo mcp: too late\n"),
        (&["call", server], 2, "`call` needs a tool"),
        (&["prompt", server, "greet"], 2, "`greet` requires these arguments: name"),
        (&["prompt", server, "greet", "nam=A"], 2, "did you mean `name`?"),
        (&["read", server, "notes://nothing"], 1, "notes://nothing"),
        (&["list", server, "--jsn"], 2, "did you mean `--json`?"),
        (&["list", server, "--revision", "2020-01-01"], 2, "the revisions are 2024-11-05"),
        (&["list", server, "--timeout", "soon"], 2, "`soon` is not a number of seconds"),
        (&["list"], 2, "name a server"),
        (&["list", "no-such-program --x"], 2, "no program `no-such-program` on PATH"),
        (&["list", if cfg!(windows) { "cmd /c exit" } else { "true" }], 1, "the server process ended"),
        (&["list", "--header", "A: b", server], 2, "only for servers with a URL"),
        (&["lst", server], 2, "did you mean `list`?"),
    ] {
        let printed = user.runs(words);
        assert!(printed.status == Some(status) && printed.err.contains(part), "{words:?}: {printed:?}");
    }
}

#[test]
fn a_file_gets_hostile_text_unchanged_and_messages_are_made_harmless() {
    let (user, server) = (User::new(), playground());
    let printed = user.runs(&["call", &server, "attack", "--verbose"]);
    assert!(printed.out.contains("\u{1b}[2Jdone"), "{printed:?}");
    assert!(printed.err.contains("warning: <img") && !printed.err.contains('\u{1b}'), "{printed:?}");
}

#[test]
fn requests_for_a_model_or_an_answer_are_declined_with_a_line_that_says_so() {
    let (user, server) = (User::new(), playground());
    for revision in ["2026-07-28", "2025-11-25"] {
        let asked = user.runs(&["call", &server, "coffee", "--revision", revision]);
        assert!(asked.out == "declined\n" && asked.err.contains("not a terminal: What would you like"), "{asked:?}");
        let thought = user.runs(&["call", &server, "think", "question=why", "--revision", revision]);
        assert!(thought.status == Some(1) && thought.err.contains("cargo mcp has no model"), "{thought:?}");
    }
}

#[test]
fn verbose_prints_log_messages_and_the_standard_error_of_the_server() {
    let (user, server) = (User::new(), playground());
    let (shell, option, script) = if cfg!(windows) {
        ("cmd", "/c", format!("echo starting>&2&{server}"))
    } else {
        ("sh", "-c", format!("echo starting >&2; exec {server}"))
    };
    for revision in ["2026-07-28", "2025-11-25"] {
        let words = ["call", "count", "to=2", "pause=1", "--verbose", "--revision", revision, "--", shell, option, &script];
        let printed = user.runs(&words);
        assert_eq!(printed.out, "counted to 2\n");
        for line in ["starting", "info: counting to 2\n", &format!("connected to playground, revision {revision}\n")] {
            assert!(printed.err.contains(line), "{line}: {printed:?}");
        }
    }
}
