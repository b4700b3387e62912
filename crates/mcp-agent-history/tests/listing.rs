//! Tests of lists of sessions: pages, worktrees, programs, names of directories, archived sessions.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use mcp_agent::store::project_folder;
use mcp_agent_history::{Filter, History, SessionInfo};
use serde_json::json;
use tempfile::TempDir;

struct Setup {
    root: TempDir,
    history: History,
}

impl Setup {
    fn new() -> Self {
        let root = tempfile::tempdir().unwrap();
        let history = History::at(root.path().join("claude"));
        Self { root, history }
    }

    fn folder(&self, name: &str) -> PathBuf {
        let folder = self.root.path().join(name);
        fs::create_dir_all(&folder).unwrap();
        folder.canonicalize().unwrap()
    }

    /// Writes a session that was modified `age` seconds ago.
    fn session(&self, id: &str, cwd: &Path, entrypoint: &str, age: u64) -> PathBuf {
        let project = self.root.path().join("claude/projects").join(project_folder(cwd));
        fs::create_dir_all(&project).unwrap();
        let path = project.join(format!("{id}.jsonl"));
        let line = json!({"type": "user", "uuid": "u", "cwd": cwd, "entrypoint": entrypoint, "timestamp": "2026-11-16T00:00:00Z",
                          "message": {"role": "user", "content": id}});
        fs::write(&path, format!("{line}\n")).unwrap();
        let file = File::options().write(true).open(&path).unwrap();
        file.set_modified(SystemTime::now() - Duration::from_secs(age)).unwrap();
        path
    }

    fn ids(&self, filter: &Filter) -> Vec<String> {
        self.history.list(filter).unwrap().into_iter().map(|session| session.id).collect()
    }
}

#[test]
fn a_list_has_pages_and_leaves_out_sessions_of_programs() {
    let setup = Setup::new();
    let work = setup.folder("work");
    for (age, (id, entrypoint)) in
        [("a", "cli"), ("b", "sdk-rs"), ("c", "cli"), ("d", "sdk-cli"), ("e", "cli")].iter().enumerate()
    {
        setup.session(id, &work, entrypoint, age as u64 * 10);
    }
    let all = Filter::new().of(&work);
    assert_eq!(setup.ids(&all), ["a", "b", "c", "d", "e"]);
    assert_eq!(setup.ids(&all.clone().offset(1).limit(2)), ["b", "c"]);
    let by_users = Filter::new().programmatic(false);
    assert_eq!(setup.ids(&by_users), ["a", "c", "e"]);
    assert_eq!(setup.ids(&by_users.clone().offset(2).limit(2)), ["e"]);
    assert!(setup.ids(&by_users.offset(3)).is_empty());
}

#[test]
fn sessions_of_other_worktrees_are_listed_unless_they_are_left_out() {
    let setup = Setup::new();
    let (main, tree, other) = (setup.folder("main"), setup.folder("tree"), setup.folder("other"));
    let git = setup.folder("main/.git/worktrees/tree");
    fs::write(git.join("gitdir"), format!("{}\n", tree.join(".git").display())).unwrap();
    fs::write(git.join("commondir"), "../..\n").unwrap();
    fs::write(tree.join(".git"), format!("gitdir: {}\n", git.display())).unwrap();
    setup.session("in-main", &main, "cli", 0);
    setup.session("in-tree", &tree, "cli", 10);
    setup.session("in-other", &other, "cli", 20);
    for top in [&main, &tree] {
        assert_eq!(setup.ids(&Filter::new().of(top)), ["in-main", "in-tree"], "{}", top.display());
    }
    assert_eq!(setup.ids(&Filter::new().of(&tree).worktrees(false)), ["in-tree"]);
    assert_eq!(setup.ids(&Filter::new().of(&other)), ["in-other"]);
}

#[test]
fn directories_with_names_in_other_scripts_are_found() {
    let setup = Setup::new();
    setup.session("emoji", &setup.folder("café-😀"), "cli", 0);
    assert_eq!(setup.ids(&Filter::new().of(setup.root.path().join("café-😀"))), ["emoji"]);
}

// Not on Windows: Wine cannot resolve a path that is longer than 260 characters.
#[cfg(unix)]
#[test]
fn directories_with_long_names_are_found() {
    let setup = Setup::new();
    let part = "d".repeat(60);
    for (id, name) in [("long", &[part.as_str(); 4].join("/")), ("like", &format!("{}/x", [part.as_str(); 4].join("/")))] {
        setup.session(id, &setup.folder(name), "cli", 0);
        assert_eq!(setup.ids(&Filter::new().of(setup.root.path().join(name))), [id]);
    }
    // Another version of the CLI had another hash at the end of a long name.
    let long = setup.folder(&[part.as_str(); 4].join("/"));
    let projects = setup.root.path().join("claude/projects");
    let name = project_folder(&long);
    fs::rename(projects.join(&name), projects.join(format!("{}-otherhash", &name[..200]))).unwrap();
    assert_eq!(setup.ids(&Filter::new().of(&long)), ["long"]);
}

#[test]
fn directories_that_have_the_same_name_in_the_history_are_not_mixed_up() {
    let setup = Setup::new();
    let (one, two) = (setup.folder("a/b"), setup.folder("a-b"));
    assert_eq!(project_folder(&one), project_folder(&two));
    setup.session("one", &one, "cli", 0);
    setup.session("two", &two, "cli", 0);
    assert_eq!(
        (setup.ids(&Filter::new().of(&one)), setup.ids(&Filter::new().of(&two))),
        (vec!["one".into()], vec!["two".into()])
    );
}

#[cfg(windows)]
#[test]
fn a_directory_is_found_by_its_name_in_another_case() {
    let setup = Setup::new();
    setup.session("s", &setup.folder("real"), "cli", 0);
    assert_eq!(setup.history.sessions_of(setup.root.path().join("REAL")).unwrap().len(), 1);
}

// Windows: a_directory_is_found_by_its_name_in_another_case
#[cfg(unix)]
#[test]
fn a_directory_is_found_by_a_link_to_it() {
    let setup = Setup::new();
    let real = setup.folder("real");
    let link = setup.root.path().join("link");
    std::os::unix::fs::symlink(&real, &link).unwrap();
    setup.session("s", &real, "cli", 0);
    assert_eq!(setup.history.sessions_of(&link).unwrap().len(), 1);
}

#[test]
fn an_archived_session_is_listed_and_a_prompt_removes_the_mark() {
    let setup = Setup::new();
    let path = setup.session("s", &setup.folder("work"), "cli", 0);
    let archived = || setup.history.session("s").unwrap().archived;
    assert_eq!(archived(), None);
    setup.history.archive("s").unwrap();
    assert_eq!(archived(), Some(true));
    assert_eq!(setup.history.sessions().unwrap().len(), 1);
    setup.history.unarchive("s").unwrap();
    assert_eq!(archived(), Some(false));
    setup.history.archive("s").unwrap();
    let append = |line: serde_json::Value| {
        fs::write(&path, format!("{}{line}\n", fs::read_to_string(&path).unwrap())).unwrap();
        archived()
    };
    let at = "2999-01-01T00:00:00Z";
    let result = json!([{"type": "tool_result", "tool_use_id": "t", "content": "x"}]);
    assert_eq!(append(json!({"type": "user", "timestamp": at, "message": {"content": result}})), Some(true));
    assert_eq!(append(json!({"type": "user", "timestamp": at, "isMeta": true, "message": {"content": "x"}})), Some(true));
    assert_eq!(
        append(json!({"type": "user", "timestamp": "2026-01-01T00:00:00Z", "message": {"content": "x"}})),
        Some(true)
    );
    assert_eq!(append(json!({"type": "user", "timestamp": at, "message": {"content": "again"}})), Some(false));
}

#[test]
fn the_title_in_a_file_of_its_own_is_used_if_the_end_of_the_transcript_has_none() {
    let setup = Setup::new();
    let path = setup.session("s", &setup.folder("work"), "cli", 0);
    let title = || setup.history.session("s").unwrap().title;
    fs::create_dir_all(path.with_extension("")).unwrap();
    fs::write(path.with_extension("").join("custom-title.json"), r#"{"customTitle":"beside"}"#).unwrap();
    assert_eq!(title().as_deref(), Some("beside"));
    setup.history.rename("s", "inside").unwrap();
    assert_eq!(title().as_deref(), Some("inside"));
    // Now the title is neither in the first nor in the last 64 KiB.
    let filler = json!({"type": "mode", "mode": "x".repeat(1000)}).to_string() + "\n";
    let text = fs::read_to_string(&path).unwrap();
    let (prompt, title_line) = text.split_once('\n').unwrap();
    fs::write(&path, format!("{prompt}\n{0}{title_line}{0}", filler.repeat(70))).unwrap();
    assert_eq!(title().as_deref(), Some("beside"));
    let label = |session: &SessionInfo| session.label().map(str::to_owned);
    assert_eq!(label(&setup.history.session("s").unwrap()).as_deref(), Some("beside"));
}
