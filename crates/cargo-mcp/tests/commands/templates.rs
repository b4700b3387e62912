//! Tests of what `cargo mcp new` creates: every template builds, and its tests hold for the user's own tools.

use std::process::Output;

use crate::project::Project;

fn text(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

#[test]
fn the_tests_of_a_project_survive_renaming_its_tool() {
    let Some(project) = Project::new("renamed-server") else { return };
    project.write("src/lib.rs", |text| text.replace("greet", "welcome"));
    let test = |update: &str| {
        project.cargo().arg("test").env("UPDATE_SNAPSHOTS", update).env("RUST_BACKTRACE", "0").output().unwrap()
    };
    let reviewed = test("0");
    assert!(!reviewed.status.success(), "a reviewer must see the new name");
    assert!(text(&reviewed).contains("welcome") && text(&reviewed).contains("UPDATE_SNAPSHOTS=1"), "{}", text(&reviewed));
    let updated = test("1");
    assert!(updated.status.success(), "{}", text(&updated));
    assert!(test("0").status.success());

    // A finding is a sentence, with the fix.
    project.write("src/lib.rs", |text| text.replace("    /// the name of the person\n", ""));
    let found = text(&test("1"));
    let sentence = "\nwarning: tool `welcome`: argument `name` has no description: add a doc comment to the parameter\n";
    assert!(found.contains(sentence) && !found.contains("Finding {"), "{found}");
}

#[test]
fn every_template_builds_and_passes_its_tests() {
    for template in ["http", "sqlite", "agent"] {
        let Some(project) = Project::of_template(&format!("{template}-project"), &["--template", template]) else { return };
        let tested = project.cargo().args(["test", "--quiet"]).output().unwrap();
        assert!(tested.status.success(), "{template}: {}", text(&tested));
        let formatted = project.cargo().args(["fmt", "--check"]).output().unwrap();
        assert!(formatted.status.success(), "{template}: {}", text(&formatted));
    }
}

#[test]
fn the_minimal_template_is_one_file() {
    let Some(project) = Project::of_template("minimal-project", &["--template", "minimal"]) else { return };
    let called = project.cargo().args(["run", "--quiet", "--", "call", "greet", "name=Ada"]).output().unwrap();
    assert_eq!(text(&called), "Hello, Ada!\n");
    assert!(!project.folder.join("tests").exists() && !project.folder.join("src/lib.rs").exists());
    let formatted = project.cargo().args(["fmt", "--check"]).output().unwrap();
    assert!(formatted.status.success(), "{}", text(&formatted));
}

#[test]
fn the_program_of_the_sqlite_template_keeps_its_notes() {
    let Some(project) = Project::of_template("sqlite-project", &["--template", "sqlite"]) else { return };
    let call = |arguments: &[&str]| {
        let output = project.cargo().args(["run", "--quiet", "--", "call"]).args(arguments).output().unwrap();
        assert!(output.status.success(), "{}", text(&output));
        String::from_utf8(output.stdout).unwrap()
    };
    assert_eq!(call(&["add_note", "text=buy eggs"]), "1\n");
    assert!(call(&["find_notes", "text=egg"]).contains("buy eggs"));
    assert!(project.folder.join("data.db").exists());
}
