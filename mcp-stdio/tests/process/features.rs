//! The commands for tools, resources and prompts: their arguments, their output and their help.

use std::io::Write as _;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

use crate::client::example;

fn command(name: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new(example(name));
    command.args(arguments).stdin(Stdio::null()).env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE");
    command
}

fn run(name: &str, arguments: &[&str]) -> Output {
    command(name, arguments).output().unwrap()
}

/// Runs a command that must succeed. Returns its output.
fn said(name: &str, arguments: &[&str]) -> String {
    let output = run(name, arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Runs a command that must fail with this status. Returns its error.
fn refused(name: &str, status: i32, arguments: &[&str]) -> String {
    let output = run(name, arguments);
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(status), "{arguments:?}: {error}");
    error
}

#[test]
fn resources_are_listed_and_read() {
    let list = said("notes", &["resources"]);
    assert!(
        list.starts_with("notes://\n    The titles of all notes.\nnotes://{title}  text/markdown\n    A note."),
        "{list}"
    );
    let json: Value = serde_json::from_str(&said("notes", &["resources", "--json"])).unwrap();
    assert_eq!(json["resources"][0]["uri"], "notes://");
    assert_eq!(json["resourceTemplates"][0]["uriTemplate"], "notes://{title}");
    assert_eq!(said("notes", &["read", "notes://tea"]), "Green, 80 °C.\n");
    let json: Value = serde_json::from_str(&said("notes", &["read", "notes://tea", "--json"])).unwrap();
    assert_eq!(json["contents"][0]["mimeType"], "text/markdown");
    let error = refused("notes", 1, &["read", "nots://tea"]);
    assert!(error.contains("the resources are: notes://, notes://{title}"), "{error}");
    assert_eq!(String::from_utf8_lossy(&run("calculator", &["resources"]).stderr), "this server has no resources\n");
}

#[test]
fn prompts_are_listed_rendered_and_completed() {
    assert!(said("notes", &["prompts"]).starts_with("work_on title=TEXT work=TEXT [language=TEXT]\n    Work on a note."));
    let messages = said("notes", &["get", "work_on", "title=tea", "work=shorten"]);
    assert_eq!(messages, "user: Shorten this note to one sentence in English.\nuser: Green, 80 °C.\n");
    let json: Value =
        serde_json::from_str(&said("notes", &["get", "work_on", "title=tea", "work=shorten", "--json"])).unwrap();
    assert_eq!(json["messages"].as_array().unwrap().len(), 2);
    let saved = said("notes", &["get", "work_on", "title=tea", "work=shorten", "--output", "-"]);
    assert_eq!(saved, "Shorten this note to one sentence in English.\nGreen, 80 °C.");
    assert_eq!(said("notes", &["complete", "work_on", "title=egg"]), "egg-cups\neggs\n");
    assert_eq!(said("notes", &["complete", "notes://{title}", "title=t"]), "tea\n");
    assert!(refused("notes", 2, &["get", "work_off"]).contains("did you mean `work_on`?"));
    assert!(refused("notes", 2, &["complete", "work_on"]).contains("ARGUMENT=BEGINNING"));
}

#[test]
fn arguments_can_be_in_files_and_on_standard_input() {
    let folder = std::env::temp_dir().join(format!("mcp-arguments-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let (object, text) = (folder.join("arguments.json"), folder.join("text"));
    std::fs::write(&object, r#"{"a": 2, "b": 3}"#).unwrap();
    std::fs::write(&text, "so it is").unwrap();
    assert_eq!(said("calculator", &["call", "add", &format!("@{}", object.display())]), "5\n");
    assert_eq!(said("calculator", &["call", "add", &format!("@{}", object.display()), "b=4"]), "6\n");
    assert_eq!(said("tools", &["call", "words", &format!("text=@{}", text.display())]), "[\"so\",\"it\",\"is\"]\n");
    assert_eq!(said("tools", &["call", "words", "text=@@ada"]), "[\"@ada\"]\n");
    for (word, input) in [("-", r#"{"text": "one two"}"#), ("text=@-", "one two")] {
        let mut child =
            command("tools", &["call", "words", word]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
        assert_eq!(String::from_utf8_lossy(&child.wait_with_output().unwrap().stdout), "[\"one\",\"two\"]\n");
    }
    let error = refused("calculator", 2, &["call", "add", "@/no/such/file"]);
    assert!(error.contains("cannot read the file `/no/such/file`"), "{error}");
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn broken_json_is_shown_with_the_place_of_the_fault() {
    let error = refused("calculator", 2, &["call", "add", r#"{"a": 2, "b": }"#]);
    let lines: Vec<&str> = error.lines().collect();
    assert_eq!(lines[0], "the arguments are not valid JSON: expected value at line 1 column 15");
    assert_eq!(lines[2].find('^'), lines[1].find('}'), "{error}");
    let error = refused("tools", 2, &["call", "around", r#"place={"x": 1"#]);
    assert!(error.starts_with("`place` is not valid JSON: EOF"), "{error}");
}

#[test]
fn binary_content_is_saved_in_files() {
    let folder = std::env::temp_dir().join(format!("mcp-output-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("part.bin");
    let shown = said("tools", &["call", "show"]);
    assert!(shown.contains("[image: image/gif, 6 bytes; --output FILE saves it]"), "{shown}");
    said("tools", &["call", "show", "--output", file.to_str().unwrap()]);
    assert_eq!(std::fs::read(folder.join("part-1.bin")).unwrap(), b"GIF89a");
    assert_eq!(std::fs::read(folder.join("part-2.bin")).unwrap(), b"RIFF");
    said("notes", &["read", "notes://tea", "--output", file.to_str().unwrap()]);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "Green, 80 °C.");
    assert_eq!(said("notes", &["read", "notes://tea", "--output", "-"]), "Green, 80 °C.");
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn each_command_has_help() {
    let help = said("notes", &["--help"]);
    let commands = help.lines().filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let commands: Vec<&str> = commands.filter_map(|line| line.split_whitespace().nth(1)).collect();
    assert!(commands.len() > 14, "{commands:?}");
    for command in commands.iter().filter(|command| !command.starts_with('-')) {
        let own = said("notes", &[command, "--help"]);
        assert!(own.contains("\nUsage: ") && own.contains(command), "{command}: {own}");
        assert_eq!(said("notes", &["help", command]), own);
    }
    assert!(refused("notes", 2, &["help", "chek"]).contains("did you mean `check`?"));
}

/// Returns the example in the help of a tool.
// Not on Windows: the examples are pasted into a POSIX shell.
#[cfg(unix)]
fn pasted(tool: &str) -> String {
    let help = said("tools", &["call", tool, "--help"]);
    let (_, example) = help.split_once("\nExample\n  ").unwrap_or_else(|| panic!("{help}"));
    example.lines().next().unwrap().to_owned()
}

/// Replaces the spaces that align columns by one space.
fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn the_help_of_a_tool_shows_its_arguments() {
    let help = words(&said("tools", &["call", "around", "--help"]));
    for part in [
        "Find places around a place.",
        "place {x: number, y: number} the centre of the search place.x number to the east",
        "{kind: circle, radius: number} | {kind: box, width: number, height: number}",
        "near|far",
        "(default near)",
    ] {
        assert!(help.contains(part), "no {part} in {help}");
    }
}

/// Runs a line in a shell that finds the examples. The arguments of the call must be valid.
// Not on Windows: the lines are for a POSIX shell.
#[cfg(unix)]
fn paste(line: &str) {
    let mut path = std::path::Path::new(&example("tools")).parent().unwrap().as_os_str().to_owned();
    path.push(":");
    path.push(std::env::var_os("PATH").unwrap_or_default());
    let output = Command::new("sh").args(["-c", line]).env("PATH", path).stdin(Stdio::null()).output().unwrap();
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    // A tool may fail for its own reasons.
    assert!(matches!(output.status.code(), Some(0 | 1)) && !error.contains("invalid arguments"), "{line}: {error}");
}

// Not on Windows: the examples are pasted into a POSIX shell.
#[cfg(unix)]
#[test]
fn the_example_in_the_help_of_each_tool_works_when_it_is_pasted() {
    let tools: Value = serde_json::from_str(&said("tools", &["tools", "--json"])).unwrap();
    let names: Vec<&str> = tools["tools"].as_array().unwrap().iter().filter_map(|tool| tool["name"].as_str()).collect();
    let mut without = Vec::new();
    for name in &names {
        match pasted(name) {
            line if line.starts_with("There is none: ") => without.push(line),
            line => paste(&line),
        }
    }
    assert!(names.len() > 15);
    // A value for a pattern is not invented.
    assert_eq!(without, ["There is none: write a value for `pin`, which matches `^\\d{4}$`."]);
}

// Not on Windows: the examples are pasted into a POSIX shell.
#[cfg(unix)]
#[test]
fn each_command_in_the_docs_of_a_server_works_when_it_is_pasted() {
    let page = said("tools", &["docs"]);
    let commands: Vec<&str> = page.split("```sh\n").skip(1).map(|block| block.split_once("\n```").unwrap().0).collect();
    assert!(commands.len() > 15 && commands.contains(&"tools call add a=1 b=1"), "{commands:?}");
    commands.iter().for_each(|line| paste(line));
    assert!(page.contains("Example: There is none: write a value for `pin`"), "{page}");
}

#[test]
fn tools_are_listed_with_the_shapes_of_their_arguments_in_declared_order() {
    let list = said("tools", &["tools"]);
    assert!(list.contains("search word=STRING [author=STRING] [limit=INTEGER] [language=STRING] [whole_words=BOOLEAN]"));
    let list = words(&list);
    assert!(list.contains("place {x: number, y: number} the centre of the search place.x number"), "{list}");
    // Limits are those of the author, and not those of an integer type.
    assert!(list.contains("guests integer (1 to 12)") && list.contains("offset? integer (default 0)"), "{list}");
    let page = said("tools", &["docs"]);
    assert!(page.contains("| `order` | near\\|far | no |"), "{page}");
    assert!(page.contains("\ntools call add a=1 b=1\n"), "the name of the program without its folder: {page}");
}

#[test]
fn colours_are_for_terminals_and_no_color_turns_them_off() {
    let list = |variables: &[(&str, &str)]| {
        let output = command("calculator", &["tools"]).envs(variables.iter().copied()).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    assert!(!list(&[]).contains('\u{1b}'), "standard output is a pipe");
    assert!(list(&[("CLICOLOR_FORCE", "1")]).contains("\u{1b}[1madd\u{1b}[0m"));
    assert!(!list(&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]).contains('\u{1b}'));
}
