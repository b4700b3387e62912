//! The command `mcp-guard explain`.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::json;

fn explain(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mcp-guard"));
    command.arg("explain").args(arguments).env_clear();
    command.arg("--directory").arg(folder.join("work")).arg("--home").arg(folder.join("home")).output().unwrap()
}

#[test]
fn the_decision_and_the_rules_behind_it_are_printed() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    for name in ["work/.claude", "home/.claude"] {
        fs::create_dir_all(root.join(name)).unwrap();
    }
    let settings = json!({"permissions": {"allow": ["Bash"], "deny": ["Read(.env)"]}});
    fs::write(root.join("home/.claude/settings.json"), settings.to_string()).unwrap();
    let output = explain(root, &["Bash", r#"{"command": "cat .env"}"#]);
    let expected = "deny: the rule Read(.env) denies it\n  user deny Read(.env): matches\n  user allow Bash: matches\n";
    assert_eq!((String::from_utf8_lossy(&output.stdout).as_ref(), output.status.code()), (expected, Some(0)));
    let output = explain(root, &["Bash", r#"{"command": "cat $F"}"#]);
    assert!(String::from_utf8_lossy(&output.stdout).starts_with("ask: the rule Read(.env) may deny it\n"));
    let inner = root.join("work/inner");
    let input = r#"{"command": "cat ../.env"}"#;
    let output = explain(root, &["Bash", input, "--in", inner.to_str().unwrap()]);
    assert!(String::from_utf8_lossy(&output.stdout).starts_with("deny: the rule Read(.env) denies it\n"));
    assert!(String::from_utf8_lossy(&explain(root, &["Bash", input]).stdout).starts_with("allow: "), "not in the directory");
}

#[test]
fn a_wrong_command_line_is_an_error_that_says_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    for (arguments, error) in [(vec!["Bash"], "usage: mcp-guard explain"), (vec!["Bash", "{"], "not valid JSON")] {
        let output = explain(folder.path(), &arguments);
        assert_eq!(output.status.code(), Some(2));
        assert!(String::from_utf8_lossy(&output.stderr).contains(error), "{arguments:?}");
    }
}

// Not on Windows: one process cannot have another folder for the settings of the administrator there.
#[cfg(target_os = "linux")]
mod managed {
    use std::fs;
    use std::path::Path;
    use std::process::{Command, Output};

    use serde_json::json;
    use test_env::{Missing, needs};

    /// Runs `explain` with an `/etc` that has only this folder `claude-code`. Returns `None` if the system does not allow it.
    fn explain_with_managed(folder: &Path, managed: &Path) -> Option<Output> {
        let mut command = Command::new("unshare");
        command.args(["--user", "--map-root-user", "--mount", "sh", "-c", r#"mount --bind "$0" /etc && exec "$@""#]);
        command.arg(managed).arg(env!("CARGO_BIN_EXE_mcp-guard")).args(["explain", "Bash", r#"{"command": "ls"}"#]);
        command.arg("--directory").arg(folder.join("work")).arg("--home").arg(folder.join("home"));
        let mut probe = Command::new("unshare");
        let can_mount =
            probe.args(["--user", "--map-root-user", "--mount", "true"]).output().is_ok_and(|it| it.status.success());
        let found = if can_mount { Ok(()) } else { Err(Missing::new("user namespaces", "`unshare --user --mount` fails")) };
        needs(found)?;
        Some(command.output().unwrap())
    }

    #[test]
    fn settings_of_the_administrator_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let managed = folder.path().join("etc");
        fs::create_dir_all(managed.join("claude-code/managed-settings.d")).unwrap();
        let write = |name: &str, rule: &str| {
            let settings = json!({"permissions": {"deny": [rule]}});
            fs::write(managed.join("claude-code").join(name), settings.to_string()).unwrap();
        };
        write("managed-settings.json", "Bash(ls *)");
        let Some(output) = explain_with_managed(folder.path(), &managed) else { return };
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(text.starts_with("deny: the rule Bash(ls *) denies it\n  policy deny"), "{output:?}");
        write("managed-settings.json", "Bash(rm *)");
        write("managed-settings.d/10.json", "Bash(ls)");
        let output = explain_with_managed(folder.path(), &managed).unwrap();
        assert!(String::from_utf8_lossy(&output.stdout).starts_with("deny: the rule Bash(ls) denies it\n"), "{output:?}");
    }
}
