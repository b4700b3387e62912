//! Tokens in files that only the user can read.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

use aws_lc_rs::digest::{SHA256, digest};
use data_encoding::HEXLOWER;

use super::store::{StoredTokens, TokenStore};
use crate::authorize::AuthorizeError;
use crate::sys::{check_mode, data_folder, private_folder};

/// The maximum size of a file in bytes.
const LARGEST: u64 = 1 << 20;

/// Keeps tokens in a folder, in one file for each server.
///
/// On Unix the folder has the mode 0700 and the files 0600; a file that others could read or write is refused. Files are
/// replaced atomically: if the program is killed, the file has the old or the new tokens. To log out, delete the file.
#[derive(Clone, Debug)]
pub struct FileStore {
    folder: PathBuf,
}

impl FileStore {
    /// Keeps tokens in this folder. It is created when the first tokens are saved.
    pub fn new(folder: impl Into<PathBuf>) -> FileStore {
        FileStore { folder: folder.into() }
    }

    /// Keeps tokens in the user's data folder, in `mcp-client/tokens`.
    ///
    /// The data folder is `$XDG_DATA_HOME` or `~/.local/share`, `~/Library/Application Support` on macOS, and `%LOCALAPPDATA%` on
    /// Windows.
    ///
    /// # Errors
    /// If the user has no home folder.
    pub fn of_user() -> Result<FileStore, AuthorizeError> {
        let data = data_folder()
            .ok_or_else(|| AuthorizeError::new("cannot find the home folder: pass a folder to `FileStore::new`"))?;
        Ok(FileStore::new(data.join("mcp-client/tokens")))
    }

    /// Returns the file of a server. Its name is a hash, because a URL may contain characters that file names cannot.
    fn file(&self, server: &str) -> PathBuf {
        self.folder.join(format!("{}.json", HEXLOWER.encode(digest(&SHA256, server.as_bytes()).as_ref())))
    }
}

impl TokenStore for FileStore {
    fn load(&self, server: &str) -> Result<Option<StoredTokens>, AuthorizeError> {
        let path = self.file(server);
        let text = match read(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => {
                return Err(AuthorizeError::new(format!("cannot read tokens from {}", path.display())).source(error));
            }
        };
        // The error of serde is not shown, because it could contain a token.
        let stored = serde_json::from_str::<StoredTokens>(&text);
        let stored =
            stored.map_err(|_| AuthorizeError::new(format!("invalid tokens: delete the file {}", path.display())))?;
        Ok((stored.server == server).then_some(stored))
    }

    fn save(&self, server: &str, tokens: &StoredTokens) -> Result<(), AuthorizeError> {
        let path = self.file(server);
        let text = serde_json::to_vec(tokens).map_err(|_| AuthorizeError::new("cannot serialize the tokens"))?;
        let failed = |error| AuthorizeError::new(format!("cannot save tokens to {}", path.display())).source(error);
        write(&self.folder, &path, &text).map_err(failed)
    }
}

fn read(path: &Path) -> io::Result<String> {
    let file = File::open(path)?;
    check_mode(&file)?;
    let mut text = String::new();
    file.take(LARGEST).read_to_string(&mut text)?;
    Ok(text)
}

/// Writes a temporary file, which has the mode 0600 from its creation, and renames it.
fn write(folder: &Path, path: &Path, text: &[u8]) -> io::Result<()> {
    create(folder)?;
    let mut file = tempfile::Builder::new().prefix(".tokens").tempfile_in(folder)?;
    file.write_all(text)?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

fn create(folder: &Path) -> io::Result<()> {
    if let Some(parent) = folder.parent() {
        fs::create_dir_all(parent)?;
    }
    private_folder().recursive(true).create(folder)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::auth::client::{ClientId, Method};
    use crate::auth::scopes::Scopes;
    use crate::auth::secret::Secret;
    use crate::auth::token::Tokens;

    const SERVER: &str = "https://example.com/mcp";

    fn stored(access: &str) -> StoredTokens {
        let tokens = Tokens {
            access: Secret::new(access),
            refresh: Some(Secret::new("refresh-me")),
            issued_at: 1,
            expires_at: Some(2),
            scopes: Scopes::parse("a b"),
            refreshed: false,
        };
        StoredTokens {
            server: SERVER.into(),
            resource: SERVER.into(),
            issuer: "https://issuer".into(),
            legacy: false,
            client: ClientId::known("me".into(), Some(Secret::new("client-secret")), Method::Basic),
            tokens: Some(tokens),
        }
    }

    #[test]
    fn saved_tokens_are_loaded_again() {
        let folder = tempfile::tempdir().unwrap();
        let store = FileStore::new(folder.path().join("a/b"));
        assert!(store.load(SERVER).unwrap().is_none());
        store.save(SERVER, &stored("one")).unwrap();
        store.save(SERVER, &stored("two")).unwrap();
        assert_eq!(store.load(SERVER).unwrap().unwrap().tokens, stored("two").tokens);
        assert!(store.load("https://example.com/other").unwrap().is_none());
        assert_eq!(fs::read_dir(folder.path().join("a/b")).unwrap().count(), 1, "no temporary file is left");
    }

    #[test]
    fn a_file_that_was_renamed_to_another_server_is_not_used() {
        let folder = tempfile::tempdir().unwrap();
        let store = FileStore::new(folder.path());
        store.save(SERVER, &stored("one")).unwrap();
        fs::rename(store.file(SERVER), store.file("https://evil.com/")).unwrap();
        assert!(store.load("https://evil.com/").unwrap().is_none());
    }

    // Not on Windows: it has no limit for the size of files.
    #[cfg(unix)]
    #[test]
    fn on_a_full_disk_saving_fails_and_the_tokens_of_before_stay() {
        /// The variable with the folder of the tokens, set for the process that cannot write files.
        const FOLDER: &str = "TOKENS_ON_A_FULL_DISK";
        if let Some(folder) = std::env::var_os(FOLDER) {
            let store = FileStore::new(folder);
            let error = store.save(SERVER, &stored("new-secret")).unwrap_err();
            assert!(error.to_string().contains("cannot save tokens to "), "{error}");
            assert!(!format!("{error:?}").contains("new-secret"), "{error:?}");
            return;
        }
        let folder = tempfile::tempdir().unwrap();
        let store = FileStore::new(folder.path());
        store.save(SERVER, &stored("old")).unwrap();
        // The limit is set by a shell, for this test in a second process. Without the trap, the system ends a process at the limit.
        let mut command = std::process::Command::new("sh");
        command.args(["-c", r#"trap "" XFSZ; ulimit -f 0; exec "$0" "$@""#]).arg(std::env::current_exe().unwrap());
        let name = "on_a_full_disk_saving_fails_and_the_tokens_of_before_stay";
        command.args(["--exact", &format!("auth::file_store::tests::{name}"), "--nocapture"]);
        let output = command.env(FOLDER, folder.path()).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        assert!(String::from_utf8_lossy(&output.stdout).contains("1 passed"));
        assert_eq!(store.load(SERVER).unwrap().unwrap().tokens, stored("old").tokens);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "no temporary file is left");
        store.save(SERVER, &stored("new")).unwrap();
    }

    // Not on Windows: the access list of the folder of the user protects the files.
    #[cfg(unix)]
    #[test]
    fn only_the_user_can_read_the_tokens() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let store = FileStore::new(folder.path().join("tokens"));
        store.save(SERVER, &stored("one")).unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(&store.folder), mode(&store.file(SERVER))), (0o700, 0o600));
        fs::set_permissions(store.file(SERVER), fs::Permissions::from_mode(0o644)).unwrap();
        assert!(store.load(SERVER).is_err());
    }

    #[test]
    fn a_broken_file_gives_an_error_that_shows_no_token() {
        let folder = tempfile::tempdir().unwrap();
        let store = FileStore::new(folder.path());
        store.save(SERVER, &stored("secret-token")).unwrap();
        let text = fs::read_to_string(store.file(SERVER)).unwrap().replace("\"issuer\"", "\"other\"");
        fs::write(store.file(SERVER), text).unwrap();
        let error = store.load(SERVER).unwrap_err();
        assert!(!format!("{error:?}").contains("secret-token"), "{error:?}");
    }

    #[test]
    fn debug_output_shows_no_secret() {
        let text = format!("{:?}", stored("secret-token"));
        for secret in ["secret-token", "refresh-me", "client-secret"] {
            assert!(!text.contains(secret), "{text}");
        }
    }
}
