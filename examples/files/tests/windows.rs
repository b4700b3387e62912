//! Paths of Windows: drives, separators, spellings of a name, and ways out of the folder.
#![cfg(windows)]

use std::fs;
use std::path::PathBuf;

use files_server::{Folders, server};
use mcp_test::Client;
use serde_json::json;

/// A server of the folder `root`, next to which there is a file that it must not read.
struct Setup {
    home: tempfile::TempDir,
    client: Client,
}

impl Setup {
    fn new() -> Setup {
        let home = tempfile::tempdir().unwrap();
        fs::create_dir_all(home.path().join(r"root\sub")).unwrap();
        fs::write(home.path().join(r"root\sub\a.txt"), "inside").unwrap();
        fs::write(home.path().join("outside.txt"), "s3cr3t").unwrap();
        let (folders, warnings) = Folders::open(&[home.path().join("root").display().to_string()]);
        assert_eq!(warnings, Vec::<String>::new());
        Setup { home, client: Client::new(server(folders)) }
    }

    fn root(&self) -> PathBuf {
        self.home.path().join("root")
    }

    /// Returns the text of a file, or the error.
    async fn read(&self, path: &str) -> Result<String, String> {
        let result = self.client.call("read_text_file", json!({"path": path})).await;
        if result.is_error { Err(result.to_text()) } else { Ok(result.to_text()) }
    }
}

#[tokio::test]
async fn a_file_is_read_by_each_form_of_its_path() {
    let setup = Setup::new();
    let root = setup.root().display().to_string();
    let real = fs::canonicalize(setup.root()).unwrap().display().to_string();
    assert!(real.starts_with(r"\\?\"), "{real}");
    for path in [
        format!(r"{root}\sub\a.txt"),
        format!(r"{real}\sub\a.txt"),
        format!("{}/sub/a.txt", root.replace('\\', "/")),
        format!(r"{root}\sub\..\sub\.\a.txt"),
        r"sub\a.txt".to_owned(),
        "sub/a.txt".to_owned(),
    ] {
        assert_eq!(setup.read(&path).await.as_deref(), Ok("inside"), "{path}");
    }
}

#[tokio::test]
async fn no_path_leads_out_of_the_folder() {
    let setup = Setup::new();
    let outside = setup.home.path().join("outside.txt").display().to_string();
    let root = setup.root().display().to_string();
    for path in [
        outside.clone(),
        format!(r"\\?\{outside}"),
        outside.replace('\\', "/"),
        format!(r"{root}\..\outside.txt"),
        format!("{root}/sub/../../outside.txt"),
        r"..\outside.txt".to_owned(),
        r"sub\a.txt\..\..\..\outside.txt".to_owned(),
        // Relative to the current folder of a drive, and to the root of the current drive.
        "C:outside.txt".to_owned(),
        outside[2..].to_owned(),
        r"\\localhost\C$\outside.txt".to_owned(),
    ] {
        let error = setup.read(&path).await.expect_err(&path);
        assert!(!error.contains("s3cr3t"), "{path}: {error}");
    }
}

#[tokio::test]
async fn a_file_is_moved_only_to_a_free_name() {
    let setup = Setup::new();
    let rename =
        async |from: &str, to: &str| setup.client.call("move_file", json!({"source": from, "destination": to})).await;
    fs::write(setup.root().join("taken.txt"), "taken").unwrap();
    assert!(rename(r"sub\a.txt", "taken.txt").await.is_error);
    assert_eq!(fs::read_to_string(setup.root().join("taken.txt")).unwrap(), "taken");
    assert!(!rename(r"sub\a.txt", "free.txt").await.is_error);
    assert_eq!(fs::read_to_string(setup.root().join("free.txt")).unwrap(), "inside");
}
