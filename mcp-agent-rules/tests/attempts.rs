//! Attempts to get around rules, as a table: what was tried, and what comes of it.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;

use mcp_agent::PermissionMode;
use mcp_agent_rules::{Behavior, Layer, Rules};
use serde_json::{Value, json};
use tempfile::TempDir;

use Behavior::{Allow, Ask, Deny};

fn bash(rules: &Rules, command: &str) -> Behavior {
    rules.resolve("Bash", &json!({"command": command})).behavior
}

/// Everything is allowed but to remove and to push.
fn all_but() -> Rules {
    let rules = Rules::new("/code").allow(Layer::Session, "Bash").unwrap();
    rules.deny(Layer::Policy, "Bash(rm *)").unwrap().deny(Layer::User, "Bash(git push:*)").unwrap()
}

/// Only git and one script are allowed.
fn only() -> Rules {
    let rules = Rules::new("/code").allow(Layer::Session, "Bash(git *)").unwrap();
    rules.allow(Layer::Project, "Bash(npm run test)").unwrap().allow(Layer::Project, "Bash(echo $HOME)").unwrap()
}

#[test]
fn a_denied_command_is_denied_however_it_is_dressed() {
    let rules = all_but();
    let attempts = [
        "rm -rf x",
        "rm",
        "  rm  x",
        "\trm x",
        "ls; rm x",
        "ls && rm x",
        "ls || rm x",
        "ls | rm x",
        "ls & rm x",
        "ls\nrm x",
        "ls |& rm x",
        "true;rm x",
        "(rm x)",
        "{ rm x; }",
        "( ( rm x ) )",
        "echo $(rm x)",
        "echo \"$(rm x)\"",
        "echo `rm x`",
        "echo ${x:-$(rm x)}",
        "cat <(rm x)",
        "echo $(echo $(rm x))",
        "\"rm\" x",
        "'rm' x",
        "r\"m\" x",
        "r\\m x",
        "\\rm x",
        "r''m x",
        "/bin/rm x",
        "../../bin/rm x",
        "RM x",
        "Rm x",
        "A=1 rm x",
        "A=1 B=2 rm x",
        "LD_PRELOAD=/x rm x",
        "sudo rm x",
        "sudo -u root rm x",
        "env rm x",
        "env A=1 rm x",
        "command rm x",
        "exec rm x",
        "nohup rm x",
        "time rm x",
        "timeout 5 rm x",
        "timeout -s KILL 5 rm x",
        "nice -n 5 rm x",
        "xargs rm",
        "ls | xargs -0 rm",
        "busybox rm x",
        "find . -exec rm {} ;",
        "find . -exec rm {} +",
        "sh -c 'rm x'",
        "bash -lc \"rm x\"",
        "bash -c 'ls; rm x'",
        "sh -c \"sh -c 'rm x'\"",
        "eval rm x",
        "eval 'rm x'",
        "eval \"r\"\"m x\"",
        "if true; then rm x; fi",
        "for f in *; do rm $f; done",
        "while rm x; do :; done",
        "! rm x",
        "f() { rm x; }; f",
        "{rm,-rf,x}",
        "rm>/dev/null x",
        ">out rm x",
        "2>&1 rm x",
        "ls #\nrm x",
        "ls \\\n; rm x",
        "rm\\\n x",
        "cat <<END\n$(rm x)\nEND",
        "echo 'a' 'b; c'; rm x",
        "echo \"open; rm x",
        "echo 'open; rm x",
        "r${Y}m x",
        "git push",
        "git push origin",
        "git -C . push",
        "git --no-pager push",
        "git -c a=b push",
        "GIT PUSH",
        "git   push",
        "'git' 'push'",
        "ssh host rm x",
        "trap 'rm x' EXIT",
        "watch rm x",
    ];
    for attempt in attempts {
        assert_eq!(bash(&rules, attempt), Deny, "{attempt}");
    }
}

#[test]
fn what_cannot_be_known_is_asked_where_something_is_denied() {
    let rules = all_but();
    for attempt in ["$X x", "$(echo r)m x", "/bin/r? x", "$'\\x72m' x", "`echo rm` x", "echo 'open", "{a,b}"] {
        assert_eq!(bash(&rules, attempt), Ask, "{attempt}");
    }
    let bypass = Rules::new("/code").mode(PermissionMode::BypassPermissions).deny(Layer::Policy, "Bash(rm *)").unwrap();
    assert_eq!((bash(&bypass, "$X x"), bash(&bypass, "ls"), bash(&bypass, "rm x")), (Ask, Allow, Deny));
}

#[test]
fn what_only_looks_like_a_denied_command_is_not_denied() {
    let rules = all_but();
    for command in
        ["ls", "git rm x", "echo rm x", "echo 'a; rm x'", "echo \"rm\"", "rmdir x", "grep rm x", "cat rm", "git pushup"]
    {
        assert_eq!(bash(&rules, command), Allow, "{command}");
    }
}

#[test]
fn leave_is_given_to_what_is_understood_whole_and_to_nothing_else() {
    let rules = only();
    for command in [
        "git status",
        "git",
        "git add . && git commit -m 'a; b'",
        "git log | git shortlog",
        "git log 2>&1",
        "git log >/dev/null",
        "npm run test && git status",
        "npm run test",
        "echo $HOME",
        "git diff -- *.rs",
    ] {
        assert_eq!(bash(&rules, command), Allow, "{command}");
    }
    let attempts = [
        "gitk",
        "git-evil",
        "git status; make",
        "git status && make",
        "git status | make",
        "git status & make",
        "git status\nmake",
        "git $(make)",
        "git `make`",
        "git \"$(make)\"",
        "git <(make)",
        "(git status)",
        "{ git status; }",
        "git log > /etc/passwd",
        "git log >> ~/.bashrc",
        "git apply < evil",
        "git log >| x",
        "git log &> x",
        "git $X",
        "GIT_SSH=evil git fetch",
        "LD_PRELOAD=x git status",
        "git status #",
        "git status 'open",
        "git status \"open",
        "npm run tests",
        "npm run test --evil",
        "npm \"run test\"",
        "npm run\u{a0}test",
        "GIT status",
        "Git status",
        "echo $HOME; make",
        "echo $PATH",
        "git status;",
        "",
        ";",
        "sudo git status",
        "if git status; then git log; fi",
        "git log <<< x",
        "git {a,b}",
        "\"git status\"",
        "git\u{0}status",
        "git log\r",
        "./git status",
        "/tmp/git status",
    ];
    // A separator at the end adds nothing.
    for attempt in attempts.into_iter().filter(|attempt| *attempt != "git status;") {
        assert_eq!(bash(&rules, attempt), Ask, "{attempt:?}");
    }
    assert_eq!(bash(&rules, "git status;"), Allow);
}

/// A project with a secret in it, links to it, and something outside.
fn project() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    let work = root.join("work");
    for directory in ["work/src/deep", "work/secrets", "outside"] {
        fs::create_dir_all(root.join(directory)).unwrap();
    }
    for file in ["work/src/main.rs", "work/secrets/key", "work/.env", "outside/file"] {
        fs::write(root.join(file), "x").unwrap();
    }
    symlink(work.join("secrets"), work.join("src/link")).unwrap();
    symlink(work.join(".env"), work.join("src/innocent")).unwrap();
    symlink(root.join("outside"), work.join("src/out")).unwrap();
    symlink(work.join("secrets/new"), work.join("src/dangling")).unwrap();
    (folder, work)
}

fn file(tool: &str, path: &str) -> (String, Value) {
    let input = match tool {
        "Read" => json!({"file_path": path}),
        "Write" => json!({"file_path": path, "content": "x"}),
        "Edit" => json!({"file_path": path, "old_string": "a", "new_string": "b"}),
        "MultiEdit" => json!({"edits": [{"file_path": path, "old_string": "a", "new_string": "b"}]}),
        "NotebookEdit" => json!({"notebook_path": path, "new_source": "x"}),
        "Grep" => json!({"pattern": "x", "path": path}),
        "Glob" => json!({"pattern": "*", "path": path}),
        "Bash" => json!({"command": path}),
        _ => panic!("no such tool: {tool}"),
    };
    (tool.to_owned(), input)
}

#[test]
fn a_denied_path_is_denied_however_it_is_written() {
    let (_folder, work) = project();
    let rules = Rules::new(&work).home("/nowhere/me").mode(PermissionMode::BypassPermissions);
    let rules = rules.deny(Layer::Project, "Read(./secrets/**)").unwrap().deny(Layer::User, "Read(.env)").unwrap();
    let rules = rules.deny(Layer::Local, "Edit(.env)").unwrap().deny(Layer::Policy, "Edit(/secrets)").unwrap();
    let rules = rules.deny(Layer::Policy, "Read(~/.ssh/**)").unwrap().deny(Layer::Policy, "Read(//etc/shadow)").unwrap();
    let inside = |path: &str| work.join(path).to_string_lossy().into_owned();
    let read = [
        inside("secrets/key"),
        "secrets/key".into(),
        "./secrets/key".into(),
        inside("src/../secrets/key"),
        inside("src/./../secrets//key"),
        "src/../../work/secrets/key".into(),
        inside("SECRETS/key"),
        inside("Secrets/KEY"),
        inside("src/link/key"),
        inside("src/link"),
        inside("src/deep/../link/key"),
        inside("src/innocent"),
        inside(".env"),
        inside(".ENV"),
        inside("src/.env"),
        inside("src/deep/.Env"),
        "~/.ssh/id".into(),
        "/nowhere/me/.ssh/id".into(),
        "/etc/shadow".into(),
        "/etc/../etc/shadow".into(),
        "//etc//shadow".into(),
        inside("secrets/new/deeper"),
    ];
    for path in read {
        let (tool, input) = file("Read", &path);
        assert_eq!(rules.resolve(&tool, &input).behavior, Deny, "{path}");
    }
    for path in [".env", "src/.env", "src/innocent", "secrets", "secrets/key", "src/link/x", "src/dangling", "src/../.ENV"] {
        for tool in ["Write", "Edit", "MultiEdit", "NotebookEdit"] {
            let (tool, input) = file(tool, &inside(path));
            assert_eq!(rules.resolve(&tool, &input).behavior, Deny, "{tool} {path}");
        }
    }
    for command in [
        "cat .env",
        "cat < .env",
        "cat ./src/../.env",
        "head -1 secrets/key",
        "sed -n p src/link/key",
        "echo x > .env",
        "echo x >> src/innocent",
        "tee .env",
        "cp .env /tmp/x",
        "ls; cat '.env'",
        "dd if=.env of=x",
        "grep x .ENV",
        "sudo cat .env",
        "echo $(cat .env)",
        "sh -c 'true' < .env",
    ] {
        let (tool, input) = file("Bash", command);
        assert_eq!(rules.resolve(&tool, &input).behavior, Deny, "{command}");
    }
    for (tool, path) in [("Grep", "secrets"), ("Glob", "secrets"), ("Grep", "src/link"), ("Read", "secrets/../secrets/key")]
    {
        let (tool, input) = file(tool, path);
        assert_eq!(rules.resolve(&tool, &input).behavior, Deny, "{tool} {path}");
    }
    // A search from above would find it: who knows.
    for tool in ["Grep", "Glob"] {
        let (tool, input) = file(tool, ".");
        assert_eq!(rules.resolve(&tool, &input).behavior, Ask, "{tool}");
    }
    for (tool, path) in [
        ("Read", "src/main.rs"),
        ("Read", "secrets.md"),
        ("Read", ".envrc"),
        ("Write", "src/main.rs"),
        ("Read", "/etc/shadow-"),
        ("Bash", "cat src/main.rs"),
        ("Bash", "echo .env"),
    ] {
        let (tool, input) = file(tool, path);
        assert_eq!(rules.resolve(&tool, &input).behavior, Allow, "{tool} {path}");
    }
}

#[test]
fn leave_for_a_path_ends_where_dots_links_and_case_lead_out_of_it() {
    let (_folder, work) = project();
    let rules = Rules::new(&work).mode(PermissionMode::DontAsk);
    let rules = rules.allow(Layer::Project, "Edit(./src/**)").unwrap().allow(Layer::Project, "Read(/src)").unwrap();
    let behavior = |tool: &str, path: &str| {
        let (tool, input) = file(tool, path);
        rules.resolve(&tool, &input).behavior
    };
    for path in ["src/main.rs", "src/new.rs", "src/deep/new/er.rs", "./src/./main.rs", "src/deep/../main.rs"] {
        assert_eq!(behavior("Write", path), Allow, "{path}");
    }
    for path in [
        "main.rs",
        "src/../.env",
        "src/../../outside/file",
        "src/link/key",
        "src/out/file",
        "src/innocent",
        "src/dangling",
        "SRC/main.rs",
        "/src/main.rs",
        "srcs/main.rs",
        "~/src/main.rs",
        "",
        "src\0/x",
    ] {
        assert_eq!(behavior("Write", path), Deny, "{path:?}");
    }
    let outside = work.join("../outside/file").to_string_lossy().into_owned();
    for (tool, path) in [("Read", outside.as_str()), ("Read", "src/out/file"), ("Grep", "src/out"), ("Grep", "..")] {
        assert_eq!(behavior(tool, path), Deny, "{tool} {path}");
    }
    let glob = |pattern: &str| rules.resolve("Glob", &json!({"pattern": pattern, "path": "src"})).behavior;
    assert_eq!((glob("**/*.rs"), glob("../../**"), glob("/etc/*"), glob("~/*")), (Allow, Deny, Deny, Deny));
}

#[test]
fn tools_are_known_by_their_names_and_what_cannot_be_read_is_not_let_through() {
    let rules =
        Rules::new("/code").allow(Layer::Session, "mcp__calc__*").unwrap().allow(Layer::Session, "mcp__files").unwrap();
    let rules =
        rules.deny(Layer::User, "mcp__calc__delete").unwrap().deny(Layer::User, "WebFetch(domain:evil.org)").unwrap();
    let rules = rules.allow(Layer::User, "WebFetch(domain:example.com)").unwrap().allow(Layer::User, "Bash(ls *)").unwrap();
    let rules = rules.deny(Layer::User, "Task(danger)").unwrap().deny(Layer::Policy, "mcp__x__y(z)").unwrap();
    let table = [
        ("mcp__calc__add", json!({}), Allow),
        ("mcp__calc__delete", json!({}), Deny),
        ("mcp__calc__DELETE", json!({}), Deny),
        ("mcp__calculator__add", json!({}), Ask),
        ("mcp__CALC__add", json!({}), Ask),
        ("mcp__files__read", json!({}), Allow),
        ("mcp__filesystem__read", json!({}), Ask),
        ("mcp__x__y", json!({"anything": 1}), Deny),
        ("WebFetch", json!({"url": "https://example.com/a", "prompt": "p"}), Allow),
        ("WebFetch", json!({"url": "https://example.com@evil.org/", "prompt": "p"}), Deny),
        ("WebFetch", json!({"url": "https://EVIL.org./", "prompt": "p"}), Deny),
        ("WebFetch", json!({"url": "https://sub.example.com/", "prompt": "p"}), Ask),
        ("WebFetch", json!({"url": "not an address", "prompt": "p"}), Ask),
        ("Bash", json!({"command": ["ls"]}), Ask),
        ("Bash", json!({}), Ask),
        ("bash", json!({"command": "ls"}), Ask),
        ("Task", json!({"description": "d", "prompt": "p", "subagent_type": "danger"}), Deny),
        ("Agent", json!({"description": "d", "prompt": "p", "subagent_type": "Danger"}), Deny),
        ("Agent", json!({"description": "d", "prompt": "p", "subagent_type": "Explore"}), Ask),
    ];
    for (tool, input, expected) in table {
        assert_eq!(rules.resolve(tool, &input).behavior, expected, "{tool} {input}");
    }
    let denied = Rules::new("/code").mode(PermissionMode::BypassPermissions).deny(Layer::User, "Bash(rm *)").unwrap();
    assert_eq!(denied.resolve("Bash", &json!({"command": ["rm"]})).behavior, Deny);
}

#[test]
fn who_may_not_edit_a_file_may_still_read_it() {
    let rules = Rules::new("/code").mode(PermissionMode::BypassPermissions).deny(Layer::User, "Edit(.env)").unwrap();
    let behavior = |command: &str| bash(&rules, command);
    assert_eq!((behavior("cat .env"), behavior("rm .env"), behavior("cat x > .env")), (Allow, Deny, Deny));
}
