//! Approval of the MCP servers of a project.

use std::fs;
use std::path::{Path, PathBuf};

use mcp_agent::mcp_config::McpConfigError;
use mcp_agent::project_servers::{Approvals, ProjectServer, ProjectServers};
use mcp_agent::{Agent, Error};
use serde_json::{Value, json};
use tempfile::TempDir;

struct Setup {
    root: TempDir,
}

impl Setup {
    fn new() -> Self {
        let root = tempfile::tempdir().unwrap();
        fs::create_dir(root.path().join("project")).unwrap();
        Self { root }
    }

    fn project(&self) -> PathBuf {
        self.root.path().join("project")
    }

    fn write(&self, servers: Value) {
        fs::write(self.project().join(".mcp.json"), json!({"mcpServers": servers}).to_string()).unwrap();
    }

    fn file(&self) -> PathBuf {
        self.root.path().join("config/mcp-agent/approved-servers.json")
    }

    fn approvals(&self) -> Approvals {
        Approvals::open(self.file())
    }

    fn only(&self) -> ProjectServer {
        pending(&self.project(), &Approvals::open("/nowhere/x")).remove(0)
    }
}

fn pending(project: &Path, approvals: &Approvals) -> Vec<ProjectServer> {
    ProjectServers::read(project).unwrap().pending(approvals).cloned().collect()
}

fn db() -> Value {
    json!({"db": {"command": "db", "args": ["a"], "env": {"T": "${TOKEN}"}}})
}

#[test]
fn an_approval_is_remembered_in_a_private_file_until_the_content_changes() {
    let setup = Setup::new();
    setup.write(db());
    assert_eq!(pending(&setup.project(), &setup.approvals()).len(), 1);
    setup.approvals().approve(&setup.only()).unwrap();
    assert!(pending(&setup.project(), &setup.approvals()).is_empty());
    // Not on Windows: files have no modes there.
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(&setup.file()), mode(setup.file().parent().unwrap())), (0o600, 0o700));
    }
    // The same content in another form.
    setup.write(json!({"db": {"env": {"T": "${TOKEN}"}, "args": ["a"], "type": "stdio", "command": "db"}}));
    assert!(pending(&setup.project(), &setup.approvals()).is_empty());

    let changes = [
        json!({"command": "other", "args": ["a"], "env": {"T": "${TOKEN}"}}),
        json!({"command": "db", "args": ["b"], "env": {"T": "${TOKEN}"}}),
        json!({"command": "db", "args": ["a"], "env": {"T": "${OTHER}"}}),
        json!({"command": "db", "args": ["a"], "env": {"U": "${TOKEN}"}}),
        json!({"command": "db", "args": ["a"], "env": {"T": "${TOKEN}"}, "cwd": "/"}),
        json!({"type": "http", "url": "https://db/"}),
    ];
    for change in changes {
        setup.write(json!({"db": change}));
        assert_eq!(pending(&setup.project(), &setup.approvals()).len(), 1, "{change}");
    }
    setup.write(json!({"db2": db()["db"]}));
    assert_eq!(pending(&setup.project(), &setup.approvals()).len(), 1, "another name");
}

#[test]
fn an_approval_holds_for_one_project_and_can_be_revoked() {
    let (setup, other) = (Setup::new(), Setup::new());
    setup.write(db());
    other.write(db());
    setup.approvals().approve(&setup.only()).unwrap();
    assert_eq!(pending(&other.project(), &setup.approvals()).len(), 1);
    setup.approvals().approve(&other.only()).unwrap();
    assert!(pending(&setup.project(), &setup.approvals()).is_empty());
    setup.approvals().revoke(&setup.only()).unwrap();
    assert_eq!(pending(&setup.project(), &setup.approvals()).len(), 1);
    assert!(pending(&other.project(), &setup.approvals()).is_empty());
}

// Not on Windows: the access list of the folder of the user protects the file.
#[cfg(unix)]
#[test]
fn approvals_that_another_user_could_have_written_are_ignored() {
    use std::fs::Permissions;
    use std::os::unix::fs::PermissionsExt as _;

    let setup = Setup::new();
    setup.write(db());
    setup.approvals().approve(&setup.only()).unwrap();
    let folder = setup.file().parent().unwrap().to_owned();
    let set = |path: &Path, mode| fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
    let is_ignored = || {
        let approvals = setup.approvals();
        assert_eq!(approvals.ignored().is_some(), !pending(&setup.project(), &approvals).is_empty());
        approvals.ignored().is_some()
    };
    for mode in [0o644, 0o660, 0o602] {
        set(&setup.file(), mode);
        assert!(is_ignored(), "{mode:o}");
    }
    set(&setup.file(), 0o600);
    set(&folder, 0o777);
    assert!(is_ignored());
    assert!(setup.approvals().approve(&setup.only()).is_err(), "others could replace the file");
    set(&folder, 0o700);
    assert!(!is_ignored());
    // Where the test runs as root, a file can be given to another user.
    if std::os::unix::fs::chown(setup.file(), Some(12345), None).is_ok() {
        assert!(is_ignored());
        std::os::unix::fs::chown(setup.file(), Some(0), None).unwrap();
    }
    let moved = folder.join("moved");
    fs::rename(setup.file(), &moved).unwrap();
    std::os::unix::fs::symlink(&moved, setup.file()).unwrap();
    assert!(is_ignored(), "a link");
    fs::remove_file(setup.file()).unwrap();
    fs::write(setup.file(), "{}").unwrap();
    set(&setup.file(), 0o600);
    assert!(is_ignored(), "damaged");
    // A new approval replaces the damaged file.
    setup.approvals().approve(&setup.only()).unwrap();
    assert!(!is_ignored());
}

#[test]
fn only_approved_servers_reach_the_agent_with_their_variables_replaced() {
    let setup = Setup::new();
    setup.write(db());
    let project = ProjectServers::read(setup.project()).unwrap();
    let variable = |name: &str| (name == "TOKEN").then(|| "secret".to_owned());
    let mut approvals = setup.approvals();
    assert!(Agent::new().project_servers(&project, &approvals, &|_| panic!("no variable is read")).is_ok());
    approvals.approve(&setup.only()).unwrap();
    assert!(Agent::new().project_servers(&project, &approvals, &variable).is_ok());
    let unset = Agent::new().project_servers(&project, &approvals, &|_| None).unwrap_err();
    assert!(matches!(&unset, McpConfigError::Unset { server, .. } if server == "db"), "{unset}");
}

#[tokio::test]
async fn an_approved_server_cannot_take_the_name_of_another_one() {
    let setup = Setup::new();
    setup.write(json!({"db__query": {"command": "evil"}}));
    let mut approvals = setup.approvals();
    approvals.approve(&setup.only()).unwrap();
    let project = ProjectServers::read(setup.project()).unwrap();
    let agent = Agent::new().project_servers(&project, &approvals, &|_| None).unwrap();
    assert!(matches!(agent.open().await, Err(Error::Options(_))));
}

#[test]
fn a_file_that_is_not_a_configuration_is_an_error_and_a_missing_one_is_not() {
    let setup = Setup::new();
    assert!(pending(&setup.project(), &setup.approvals()).is_empty());
    let file = setup.project().join(".mcp.json");
    // Not on Windows: it has no such device.
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("/dev/zero", &file).unwrap();
        assert!(ProjectServers::read(setup.project()).is_err());
        fs::remove_file(&file).unwrap();
    }
    fs::write(&file, " ".repeat(2 << 20)).unwrap();
    assert!(ProjectServers::read(setup.project()).is_err());
    fs::write(&file, "{").unwrap();
    assert!(ProjectServers::read(setup.project()).is_err());
}
