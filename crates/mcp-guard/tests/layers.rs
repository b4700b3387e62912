//! Tests for layers, modes and settings, and for properties that hold for all rules.

use mcp_agent_tools::PermissionMode;
use mcp_guard::{Behavior, Layer, Reason, Rules, SettingsError};
use proptest::prelude::*;
use serde_json::{Value, json};

use Behavior::{Allow, Ask as AskFirst, Deny};

const LAYERS: [Layer; 5] = [Layer::Session, Layer::Local, Layer::Project, Layer::User, Layer::Policy];

fn ls() -> Value {
    json!({"command": "ls"})
}

#[test]
fn deny_precedes_ask_and_ask_precedes_allow_in_all_layers() {
    for [denying, asking, allowing] in
        [[Layer::Policy, Layer::User, Layer::Session], [Layer::Session, Layer::Policy, Layer::Project]]
    {
        let rules = Rules::new("/work").allow(allowing, "Bash(ls)").unwrap();
        let verdict = rules.resolve("Bash", &ls());
        assert_eq!((verdict.behavior, verdict.why), (Allow, Reason::Rule { layer: allowing, rule: "Bash(ls)".into() }));
        let rules = rules.ask(asking, "Bash").unwrap();
        let verdict = rules.resolve("Bash", &ls());
        assert_eq!((verdict.behavior, verdict.why), (AskFirst, Reason::Rule { layer: asking, rule: "Bash".into() }));
        let rules = rules.deny(denying, "Bash(ls *)").unwrap();
        let verdict = rules.resolve("Bash", &ls());
        assert_eq!((verdict.behavior, verdict.why), (Deny, Reason::Rule { layer: denying, rule: "Bash(ls *)".into() }));
    }
}

#[test]
fn an_ask_rule_for_some_commands_precedes_an_allow_rule_for_all() {
    let rules = Rules::new("/work").allow(Layer::Local, "Bash").unwrap().ask(Layer::Local, "Bash(git push *)").unwrap();
    let behavior = |command: &str| rules.resolve("Bash", &json!({"command": command})).behavior;
    assert_eq!((behavior("git status"), behavior("git push"), behavior("$X")), (Allow, AskFirst, AskFirst));
}

#[test]
fn project_settings_cannot_escalate_the_mode_or_add_directories() {
    let touch = json!({"command": "touch pwned"});
    for layer in [Layer::Project, Layer::Local] {
        for mode in ["bypassPermissions", "acceptEdits", "auto", "of a later cli"] {
            let settings = json!({"permissions": {"defaultMode": mode, "additionalDirectories": ["/"]}});
            let rules = Rules::new("/work").settings(layer, &settings).unwrap();
            assert_eq!(rules.resolve("Bash", &touch).behavior, AskFirst, "{mode}");
            assert_eq!(rules.resolve("Write", &json!({"file_path": "/work/a", "content": ""})).behavior, AskFirst, "{mode}");
            assert_eq!(rules.resolve("Read", &json!({"file_path": "/etc/passwd"})).behavior, AskFirst, "{mode}");
        }
        let allow = json!({"permissions": {"allow": ["Bash"]}});
        assert_eq!(Rules::new("/work").settings(layer, &allow).unwrap().resolve("Bash", &touch).behavior, AskFirst);
        assert_eq!(Rules::new("/work").trusted_settings(layer, &allow).unwrap().resolve("Bash", &touch).behavior, Allow);
        let rules = Rules::new("/work").settings(layer, &json!({"permissions": {"defaultMode": "dontAsk"}})).unwrap();
        assert_eq!(rules.resolve("Bash", &touch).behavior, Deny, "a stricter mode is taken");
    }
    let settings = json!({"permissions": {"defaultMode": "bypassPermissions", "additionalDirectories": ["/more"]}});
    let rules = Rules::new("/work").settings(Layer::User, &settings).unwrap();
    assert_eq!(rules.resolve("Bash", &touch).behavior, Allow, "the user may choose it");
    let rules =
        Rules::new("/work").settings(Layer::User, &json!({"permissions": {"additionalDirectories": ["/more"]}})).unwrap();
    assert_eq!(rules.resolve("Read", &json!({"file_path": "/more/x"})).behavior, Allow);
}

#[test]
fn settings_of_any_layer_can_disable_bypassing_permissions() {
    for layer in LAYERS {
        let settings = json!({"permissions": {"disableBypassPermissionsMode": "disable"}});
        let before = Rules::new("/work").mode(PermissionMode::BypassPermissions).settings(layer, &settings).unwrap();
        let after = Rules::new("/work").settings(layer, &settings).unwrap().mode(PermissionMode::BypassPermissions);
        for rules in [before, after] {
            assert_eq!(rules.resolve("Bash", &ls()).behavior, AskFirst, "{layer:?}");
        }
    }
}

#[test]
fn a_project_rule_that_allows_does_not_beat_a_rule_of_the_administrator_that_asks() {
    let rules = Rules::new("/work").ask(Layer::Policy, "Bash(touch *)").unwrap();
    let rules = rules.trusted_settings(Layer::Project, &json!({"permissions": {"allow": ["Bash"]}})).unwrap();
    assert_eq!(rules.resolve("Bash", &json!({"command": "touch x"})).behavior, AskFirst);
}

#[test]
fn an_administrator_can_let_only_managed_rules_allow() {
    let managed = json!({"allowManagedPermissionRulesOnly": true, "permissions": {"allow": ["Bash(ls)"]}});
    let user = json!({"permissions": {"allow": ["Bash"], "deny": ["Bash(rm *)"], "additionalDirectories": ["/more"]}});
    let rules = |layer| Rules::new("/work").settings(Layer::User, &user).unwrap().settings(layer, &managed).unwrap();
    let behavior = |rules: &Rules, command: &str| rules.resolve("Bash", &json!({"command": command})).behavior;
    let policy = rules(Layer::Policy).allow(Layer::Session, "Bash(make)").unwrap();
    assert_eq!(
        ["ls", "touch x", "make", "rm x"].map(|command| behavior(&policy, command)),
        [Allow, AskFirst, AskFirst, Deny]
    );
    assert_eq!(policy.resolve("Read", &json!({"file_path": "/more/x"})).behavior, AskFirst);
    let user_cannot = rules(Layer::User);
    assert_eq!(behavior(&user_cannot, "touch x"), Allow, "the switch counts only in managed settings");
}

#[test]
fn settings_can_keep_file_tools_inside_of_the_working_directories() {
    let settings = json!({"permissions": {
        "blockReadsOutsideWorkingDirectories": true, "blockWritesOutsideWorkingDirectories": true, "allow": ["Read", "Edit", "Bash"],
    }});
    for layer in LAYERS {
        let rules = Rules::new("/work").mode(PermissionMode::BypassPermissions).trusted_settings(layer, &settings).unwrap();
        let behavior = |tool: &str, input: Value| rules.resolve(tool, &input).behavior;
        assert_eq!(behavior("Read", json!({"file_path": "/etc/passwd"})), Deny, "{layer:?}");
        assert_eq!(behavior("Grep", json!({"pattern": "x", "path": ".."})), Deny);
        assert_eq!(behavior("Write", json!({"file_path": "/work/../x", "content": ""})), Deny);
        assert_eq!(behavior("Read", json!({"file_path": "/work/a"})), Allow);
        assert_eq!(behavior("Bash", json!({"command": "cat /etc/passwd"})), AskFirst);
        assert_eq!(behavior("Bash", json!({"command": "cat $F"})), AskFirst);
        assert_eq!(behavior("Bash", json!({"command": "cat a"})), Allow);
    }
    let rules = Rules::new("/work").allow(Layer::User, "Write").unwrap();
    let rules = rules.settings(Layer::Local, &json!({"permissions": {"blockWritesOutsideWorkingDirectories": 1}})).unwrap();
    assert_eq!(rules.resolve("Write", &json!({"file_path": "/x", "content": ""})).behavior, Deny, "a mistyped value is on");
}

#[test]
fn settings_can_deny_instead_of_prompting() {
    let rules = Rules::new("/work").ask(Layer::User, "Bash(touch *)").unwrap().allow(Layer::User, "Bash(ls)").unwrap();
    let rules = rules.settings(Layer::Project, &json!({"permissions": {"denyInsteadOfPrompting": true}})).unwrap();
    let behavior = |command: &str| rules.resolve("Bash", &json!({"command": command})).behavior;
    assert_eq!(["touch x", "make", "ls"].map(behavior), [Deny, Deny, Allow]);
}

#[test]
fn settings_can_disable_auto_mode_and_use_the_alias_manual() {
    let settings = json!({"permissions": {"disableAutoMode": "disable", "defaultMode": "auto"}});
    let rules = Rules::new("/work").settings(Layer::User, &settings).unwrap();
    let default_by = |layer| Reason::Mode { mode: PermissionMode::Default, layer: Some(layer) };
    assert_eq!(rules.resolve("Bash", &ls()).why, default_by(Layer::User));
    let mode = |mode: &str| json!({"permissions": {"defaultMode": mode}});
    let rules = Rules::new("/work").settings(Layer::User, &mode("dontAsk")).unwrap();
    let rules = rules.settings(Layer::Project, &mode("manual")).unwrap();
    assert_eq!(rules.resolve("Bash", &ls()).why, default_by(Layer::Project));
}

#[test]
fn the_mode_of_the_layer_with_the_highest_precedence_counts_in_every_order() {
    let by_precedence = [Layer::User, Layer::Project, Layer::Local, Layer::Session, Layer::Policy];
    let mode = |mode: &str| json!({"permissions": {"defaultMode": mode}});
    let none = Rules::new("/work");
    assert_eq!(none.resolve("Bash", &ls()).why, Reason::Mode { mode: PermissionMode::Default, layer: None });
    for (at, higher) in by_precedence.into_iter().enumerate() {
        let why = Reason::Mode { mode: PermissionMode::DontAsk, layer: Some(higher) };
        for lower in &by_precedence[..at] {
            let both = [(higher, mode("dontAsk")), (*lower, mode("default"))];
            for files in [[&both[0], &both[1]], [&both[1], &both[0]]] {
                let add = |rules: Rules, (layer, settings): &(Layer, Value)| rules.settings(*layer, settings).unwrap();
                let rules = files.into_iter().fold(none.clone(), add);
                assert_eq!(rules.resolve("Bash", &ls()).why, why, "{higher:?} {lower:?}");
            }
        }
        let program = Reason::Mode { mode: PermissionMode::Plan, layer: Some(Layer::Session) };
        let before = none.clone().mode(PermissionMode::Plan).settings(higher, &mode("dontAsk")).unwrap();
        let after = none.clone().settings(higher, &mode("dontAsk")).unwrap().mode(PermissionMode::Plan);
        assert_eq!([before, after].map(|rules| rules.resolve("Bash", &ls()).why), [program.clone(), program]);
    }
}

#[test]
fn a_mode_that_a_repository_may_not_choose_leaves_no_other_mode_of_the_user_that_allows_more() {
    let mode = |mode: &str| json!({"permissions": {"defaultMode": mode}});
    for layer in [Layer::Project, Layer::Local] {
        for (of_repository, of_user, expected) in [
            ("acceptEdits", "bypassPermissions", AskFirst),
            ("bypassPermissions", "acceptEdits", AskFirst),
            ("bypassPermissions", "bypassPermissions", Allow),
            ("bypassPermissions", "dontAsk", Deny),
        ] {
            let rules = Rules::new("/work").settings(layer, &mode(of_repository)).unwrap();
            let rules = rules.settings(Layer::User, &mode(of_user)).unwrap();
            assert_eq!(rules.resolve("Bash", &ls()).behavior, expected, "{layer:?} {of_repository} {of_user}");
            let managed = rules.settings(Layer::Policy, &mode("bypassPermissions")).unwrap();
            assert_eq!(managed.resolve("Bash", &ls()).behavior, Allow, "a higher layer is not affected");
        }
    }
}

#[test]
fn a_settings_file_of_a_repository_that_is_a_link_to_a_device_or_very_large_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let (work, home) = (folder.path().join("work"), folder.path().join("home"));
    std::fs::create_dir_all(work.join(".claude")).unwrap();
    for name in ["settings.json", "settings.local.json"] {
        let file = work.join(".claude").join(name);
        // Not on Windows: it has no such device.
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink("/dev/zero", &file).unwrap();
            let error = Rules::load(&work, &home).unwrap_err();
            assert!(matches!(&error, SettingsError::Io { path, .. } if *path == file), "{error}");
            std::fs::remove_file(&file).unwrap();
        }
        std::fs::write(&file, " ".repeat(2 << 20)).unwrap();
        assert!(matches!(Rules::load(&work, &home), Err(SettingsError::Io { path, .. }) if path == file));
        std::fs::write(&file, "{}").unwrap();
        assert!(Rules::load(&work, &home).is_ok());
    }
}

#[test]
fn managed_settings_are_read_from_a_file_and_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    let parts = folder.path().join("managed-settings.d");
    std::fs::create_dir(&parts).unwrap();
    let write = |path: std::path::PathBuf, rule: &str| {
        std::fs::write(path, json!({"permissions": {"deny": [rule]}}).to_string()).unwrap();
    };
    write(folder.path().join("managed-settings.json"), "Bash(rm *)");
    write(parts.join("10-more.json"), "Bash(mv *)");
    write(parts.join("ignored.txt"), "Bash(ls *)");
    let rules = Rules::new("/work").allow(Layer::Session, "Bash").unwrap().managed(folder.path()).unwrap();
    let behavior = |command: &str| rules.resolve("Bash", &json!({"command": command})).behavior;
    assert_eq!([behavior("rm x"), behavior("mv x y"), behavior("ls")], [Deny, Deny, Allow]);
    std::fs::write(parts.join("20-broken.json"), "{").unwrap();
    assert!(Rules::new("/work").managed(folder.path()).is_err(), "a file that cannot be read is not skipped");
    assert!(Rules::new("/work").managed(&folder.path().join("absent")).is_ok());
}

#[test]
fn settings_in_the_repository_root_apply_in_subfolders() {
    let folder = tempfile::tempdir().unwrap();
    let (root, inner, home) = (folder.path().join("repo"), folder.path().join("repo/a/b"), folder.path().join("home"));
    for at in [&root.join(".git"), &root.join(".claude"), &inner, &home] {
        std::fs::create_dir_all(at).unwrap();
    }
    let settings = json!({"permissions": {"deny": ["Bash(rm *)"]}});
    std::fs::write(root.join(".claude/settings.json"), settings.to_string()).unwrap();
    let rules = Rules::load(&inner, &home).unwrap();
    assert_eq!(rules.resolve("Bash", &json!({"command": "rm x"})).behavior, Deny);
}

#[test]
fn a_pattern_that_cannot_be_resolved_may_match_every_file() {
    // Without a home directory it is not known which file this is.
    let rules = Rules::new("/work").allow(Layer::User, "Bash").unwrap().deny(Layer::User, "Read(~/x)").unwrap();
    let behavior = |tool: &str, input: Value| rules.resolve(tool, &input).behavior;
    assert_eq!(behavior("Bash", json!({"command": "cat a"})), AskFirst);
    assert_eq!(behavior("Read", json!({"file_path": "/work/a"})), AskFirst);
    assert_eq!(rules.resolve("Bash", &ls()).why, Reason::Unclear { layer: Layer::User, rule: "Read(~/x)".into() });
}

#[test]
fn plan_mode_asks_before_exit_plan_mode_and_ask_user_question() {
    let rules = Rules::new("/work").mode(PermissionMode::Plan);
    for tool in ["ExitPlanMode", "AskUserQuestion"] {
        assert_eq!(rules.resolve(tool, &json!({})).behavior, AskFirst, "{tool}");
    }
}

#[test]
fn the_mode_decides_if_no_rule_matches() {
    let table = [
        (PermissionMode::Default, [Allow, AskFirst, AskFirst, AskFirst, AskFirst]),
        (PermissionMode::AcceptEdits, [Allow, AskFirst, Allow, AskFirst, AskFirst]),
        (PermissionMode::Plan, [Allow, AskFirst, AskFirst, AskFirst, AskFirst]),
        (PermissionMode::DontAsk, [Allow, Deny, Deny, Deny, Deny]),
        (PermissionMode::BypassPermissions, [Allow, Allow, Allow, Allow, Allow]),
        (PermissionMode::Auto, [Allow, AskFirst, AskFirst, AskFirst, AskFirst]),
        (PermissionMode::from("of a later cli"), [Allow, AskFirst, AskFirst, AskFirst, AskFirst]),
    ];
    for (mode, expected) in table {
        let rules = Rules::new("/work").add_dir("/more").mode(mode.clone());
        let write = |path: &str| json!({"file_path": path, "content": ""});
        let subjects = [
            ("Read", json!({"file_path": "/more/a"})),
            ("Read", json!({"file_path": "/work/../etc/passwd"})),
            ("Write", write("/work/a")),
            ("Write", write("/work/../a")),
            ("Bash", ls()),
        ];
        let found = subjects.map(|(tool, input)| rules.resolve(tool, &input).behavior);
        assert_eq!(found, expected, "{mode}");
    }
}

#[test]
fn settings_are_read_from_the_files_of_the_cli() {
    let folder = tempfile::tempdir().unwrap();
    let (work, home) = (folder.path().join("work"), folder.path().join("home"));
    for at in [&work, &home] {
        std::fs::create_dir_all(at.join(".claude")).unwrap();
    }
    let write = |path: std::path::PathBuf, settings: Value| std::fs::write(path, settings.to_string()).unwrap();
    write(
        home.join(".claude/settings.json"),
        json!({"permissions": {"deny": ["Read(.env)"], "additionalDirectories": ["/more"], "defaultMode": "plan"}}),
    );
    write(
        work.join(".claude/settings.json"),
        json!({"model": "x", "permissions": {"allow": ["Bash(cargo test *)"], "later": 1}}),
    );
    let rules = Rules::load(&work, &home).unwrap();
    let cargo = json!({"command": "cargo test"});
    assert_ne!(rules.resolve("Bash", &cargo).behavior, Allow, "the project is not trusted yet");
    let known = json!({"projects": {work.to_str().unwrap(): {"hasTrustDialogAccepted": true}}});
    write(home.join(".claude.json"), known);
    write(
        work.join(".claude/settings.local.json"),
        json!({"permissions": {"ask": ["Bash(cargo publish *)"], "defaultMode": "dontAsk"}}),
    );
    let rules = Rules::load(&work, &home).unwrap();
    let behavior = |tool: &str, input: Value| rules.resolve(tool, &input).behavior;
    assert_eq!(behavior("Bash", json!({"command": "cargo test"})), Allow);
    assert_eq!(behavior("Bash", json!({"command": "cargo publish"})), AskFirst);
    assert_eq!(behavior("Read", json!({"file_path": work.join(".env")})), Deny);
    assert_eq!(behavior("Read", json!({"file_path": "/more/x"})), Allow);
    assert_eq!(
        behavior("Write", json!({"file_path": work.join("a"), "content": ""})),
        Deny,
        "the mode nearest to the project counts"
    );
}

#[test]
fn an_invalid_rule_is_an_error_and_is_not_skipped() {
    for rule in ["", "Bash(rm", "(x)", "Ba sh", "Read({a)", "Bash,Read"] {
        let settings = json!({"permissions": {"deny": [rule]}});
        let error = Rules::new("/work").settings(Layer::User, &settings).unwrap_err();
        assert!(matches!(&error, SettingsError::Rule(error) if error.rule == rule), "{rule}: {error}");
    }
    let error = Rules::new("/work").settings(Layer::User, &json!({"permissions": {"deny": "Bash"}})).unwrap_err();
    assert!(matches!(error, SettingsError::Json(_)));
}

fn commands() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("rm -rf x".to_owned()),
        Just("git status".to_owned()),
        Just("ls".to_owned()),
        "[a-z$'\"(){};&|<> \\\\`\n]{0,6}",
    ];
    proptest::collection::vec(piece, 1..5).prop_map(|pieces| pieces.concat())
}

fn entries() -> impl Strategy<Value = Vec<(usize, usize, &'static str)>> {
    let rule =
        proptest::sample::select(vec!["Bash", "Bash(git *)", "Bash(rm *)", "Bash(ls)", "Read(./src/**)", "*", "mcp__a"]);
    proptest::collection::vec((0..5usize, 0..3usize, rule), 0..6)
}

fn build(entries: &[(usize, usize, &'static str)]) -> Rules {
    let behaviors = [Allow, AskFirst, Deny];
    entries.iter().fold(Rules::new("/work"), |rules, (layer, behavior, rule)| {
        rules.with(LAYERS[*layer], behaviors[*behavior], rule).unwrap()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn an_additional_deny_rule_never_allows_more(entries in entries(), command in commands(), layer in 0..5usize) {
        let input = json!({"command": command});
        let before = build(&entries).resolve("Bash", &input).behavior;
        let after = build(&entries).deny(LAYERS[layer], "Bash(rm *)").unwrap().resolve("Bash", &input).behavior;
        prop_assert!(after == before || after == Deny || (before == Allow && after == AskFirst), "{before:?} became {after:?}");
    }

    #[test]
    fn an_allowed_line_is_not_allowed_with_an_additional_command(command in commands()) {
        let rules = Rules::new("/work").allow(Layer::User, "Bash(git *)").unwrap().allow(Layer::User, "Bash(ls)").unwrap();
        if rules.resolve("Bash", &json!({"command": command})).behavior == Allow {
            for more in [format!("{command}\nmake"), format!("{command}; make"), format!("make && {command}")] {
                prop_assert_eq!(rules.resolve("Bash", &json!({"command": more})).behavior, AskFirst, "{}", more);
            }
        }
    }

    #[test]
    fn a_line_that_contains_a_denied_command_is_denied(before in commands(), after in commands()) {
        let rules = Rules::new("/work").allow(Layer::User, "Bash").unwrap().deny(Layer::User, "Bash(rm *)").unwrap();
        let line = format!("{before}\nrm -rf x\n{after}");
        let behavior = rules.resolve("Bash", &json!({"command": line})).behavior;
        // After these characters the command may be quoted text, a comment or part of another construct.
        let quoted = before.contains(['\'', '"', '`', '\\', '$', '(', '{', '<', '#']);
        prop_assert!(behavior == Deny || quoted, "{behavior:?} for {line:?}");
    }

    #[test]
    fn no_path_outside_an_allowed_directory_is_allowed(parts in proptest::collection::vec(proptest::sample::select(vec!["..", ".", "src", "a", "", "etc"]), 0..8)) {
        let rules = Rules::new("/work").mode(PermissionMode::DontAsk).allow(Layer::User, "Edit(./src/**)").unwrap();
        let path = format!("/work/{}", parts.join("/"));
        let input = json!({"file_path": path, "content": ""});
        if rules.resolve("Write", &input).behavior == Allow {
            let mut at: Vec<&str> = Vec::new();
            for part in path.split('/') {
                match part {
                    ".." => { at.pop(); }
                    "" | "." => {}
                    part => at.push(part),
                }
            }
            prop_assert!(at.starts_with(&["work", "src"]), "{path}");
        }
    }
}

#[test]
fn local_settings_of_a_project_that_is_not_trusted_allow_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let (work, home) = (folder.path().join("work"), folder.path().join("home"));
    for at in [work.join(".git"), work.join(".claude"), home.clone()] {
        std::fs::create_dir_all(at).unwrap();
    }
    let settings = json!({"permissions": {"allow": ["Bash"], "deny": ["Bash(mv *)"], "additionalDirectories": ["/more"]}});
    std::fs::write(work.join(".claude/settings.local.json"), settings.to_string()).unwrap();
    let behavior = |tool: &str, input: Value| Rules::load(&work, &home).unwrap().resolve(tool, &input).behavior;
    assert_eq!(behavior("Bash", ls()), AskFirst);
    assert_eq!(behavior("Read", json!({"file_path": "/more/x"})), AskFirst);
    assert_eq!(behavior("Bash", json!({"command": "mv a b"})), Deny, "restrictions count");
    let known = json!({"projects": {work.to_str().unwrap(): {"hasTrustDialogAccepted": true}}});
    std::fs::write(home.join(".claude.json"), known.to_string()).unwrap();
    assert_eq!(behavior("Bash", ls()), Allow);
}

#[test]
fn beside_a_deny_rule_a_program_that_runs_others_is_allowed_only_by_a_rule_that_names_it() {
    let all = |deny: &str| Rules::new("/work").allow(Layer::User, "Bash").unwrap().deny(Layer::User, deny).unwrap();
    let behavior = |rules: &Rules, command: &str| rules.resolve("Bash", &json!({"command": command})).behavior;
    for deny in ["Bash(rm *)", "Read(.env)", "Edit(.env)"] {
        let rules = all(deny);
        for command in ["cargo test", "make", "npm run build", "./script", "git fetch", "grep --unknown x a", "(ls)"] {
            assert_eq!(behavior(&rules, command), AskFirst, "{command} with {deny}");
        }
        for command in [
            "ls -la",
            "[ -d a ] || mkdir a",
            "git status",
            "cat a | sort -u | head -3",
            "RUST_LOG=x ls # all files",
            "echo a > b",
        ] {
            assert_eq!(behavior(&rules, command), Allow, "{command} with {deny}");
        }
        let rules = rules.allow(Layer::Local, "Bash(cargo test *)").unwrap().allow(Layer::User, "Bash(* build)").unwrap();
        for command in ["cargo test", "cargo test --all 2>&1 | tail -5"] {
            assert_eq!(behavior(&rules, command), Allow, "{command} with {deny}");
        }
        for command in ["cargo run", "cargo test *", "cargo build", "cargo test | xargs foo", "cargo test; ./script"] {
            assert_eq!(behavior(&rules, command), AskFirst, "{command} with {deny}");
        }
    }
    assert_eq!(behavior(&all("Bash(rm *)"), "grep -rn x src"), Allow, "no file is denied");
    assert_eq!(behavior(&all("Read(.env)"), "grep -rn x src"), AskFirst);
    let rules = Rules::new("/work").allow(Layer::User, "Bash").unwrap().deny(Layer::User, "WebFetch").unwrap();
    assert_eq!(behavior(&rules, "make"), Allow, "no rule denies a command or a file");
}

#[test]
fn a_named_program_with_an_option_that_may_open_unnamed_files_is_asked_about_where_files_are_denied() {
    let rules = Rules::new("/work").allow(Layer::Session, "Bash(grep *)").unwrap();
    let rules = rules.allow(Layer::Session, "Bash(sort *)").unwrap();
    let denying = rules.clone().deny(Layer::User, "Read(.env)").unwrap();
    let behavior = |rules: &Rules, command: &str| rules.resolve("Bash", &json!({"command": command})).behavior;
    for command in [
        "grep --rec s3",
        "grep -d recurse s3",
        "grep -drecurse s3",
        "grep --directories=rec s3",
        "grep --dereference-rec s3",
        "sort --files0=list",
    ] {
        assert_eq!(behavior(&denying, command), AskFirst, "{command}");
        assert_eq!(behavior(&rules, command), Allow, "{command} where nothing is denied");
    }
    for command in ["grep -n s3 notes", "grep -e s3 notes", "sort -k2 notes"] {
        assert_eq!(behavior(&denying, command), Allow, "{command}");
    }
}
