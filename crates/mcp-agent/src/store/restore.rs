//! Writes the transcripts of a store to disk, so that the CLI can resume from them.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::{Map, Value};

use super::{SessionKey, SessionStore, StoreError, StoreOptions, StoredLine, project_folder};
use crate::error::StartError;
use crate::options::{Environment, Options, Origin};
use crate::sys;
use crate::transport::Pending;
use crate::uuid;

/// Writes the session that the options resume from the store to disk. "The latest session" becomes the id of a session.
///
/// Does nothing without a store, for a new session, and for a session that the store does not have.
pub(crate) async fn restore(options: &mut Options) -> Result<(), StartError> {
    let StoreOptions { store: Some(store), project, .. } = &options.conversation.store else { return Ok(()) };
    if matches!(options.conversation.origin, Origin::New) {
        return Ok(());
    }
    let (projects, folder) = directories(&options.environment).map_err(|source| failed("find the disk's copy", source))?;
    let loader = Loader {
        store: Arc::clone(store),
        options: options.conversation.store.clone(),
        project: project.clone().unwrap_or_else(|| folder.clone()),
    };
    let id = match &options.conversation.origin {
        Origin::Session(id) => id.clone(),
        _ => match loader.latest().await? {
            Some(id) => id,
            None => return Ok(()),
        },
    };
    if loader.restore(&id, &projects.join(folder)).await? {
        options.conversation.origin = Origin::Session(id);
    }
    Ok(())
}

struct Loader {
    store: Arc<dyn SessionStore>,
    options: StoreOptions,
    project: String,
}

impl Loader {
    /// Returns the id of the session that was changed last.
    async fn latest(&self) -> Result<Option<String>, StartError> {
        let sessions = self.request("list the sessions", self.store.sessions(&self.project)).await?;
        let own = sessions.into_iter().filter(|session| session.is_sidechain != Some(true) && is_id(&session.session_id));
        Ok(own.max_by_key(|session| session.modified).map(|session| session.session_id))
    }

    /// Writes a session and its sub-agents. Returns false if the store does not have the session.
    async fn restore(&self, id: &str, folder: &Path) -> Result<bool, StartError> {
        let key = SessionKey::new(&self.project, id);
        let Some(lines) = self.load(&key).await? else { return Ok(false) };
        write(folder.join(format!("{id}.jsonl")), lines).await?;
        for subpath in self.request("list the sub-agents", self.store.subpaths(&key)).await? {
            let key = key.with_subpath(&subpath).map_err(|source| failed("list the sub-agents", source))?;
            if let Some(lines) = self.load(&key).await? {
                write(folder.join(id).join(format!("{subpath}.jsonl")), lines).await?;
            }
        }
        Ok(true)
    }

    async fn load(&self, key: &SessionKey) -> Result<Option<Vec<StoredLine>>, StartError> {
        let lines = self.request("load a transcript", self.store.load(key)).await?;
        Ok(lines.filter(|lines| !lines.is_empty()))
    }

    async fn request<T>(&self, action: &'static str, request: Pending<'_, Result<T, StoreError>>) -> Result<T, StartError> {
        let limit = self.options.load_timeout();
        match tokio::time::timeout(limit, request).await {
            Ok(answer) => answer.map_err(|source| StartError::SessionStore { action, source }),
            Err(_) => Err(failed(action, io::Error::new(io::ErrorKind::TimedOut, format!("no answer within {limit:?}")))),
        }
    }
}

fn failed(action: &'static str, source: impl std::error::Error + Send + Sync + 'static) -> StartError {
    StartError::SessionStore { action, source: Box::new(source) }
}

/// Returns whether the id can be part of a file name.
fn is_id(id: &str) -> bool {
    !id.is_empty() && id.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'))
}

/// Returns the directory of projects, and the CLI's name for the working directory.
fn directories(environment: &Environment) -> io::Result<(PathBuf, String)> {
    let home = || environment.variable(sys::HOME).map(PathBuf::from);
    let config = environment.variable("CLAUDE_CONFIG_DIR").map(PathBuf::from).or_else(|| Some(home()?.join(".claude")));
    let config = config.ok_or_else(|| io::Error::other("the environment of the CLI has no home directory"))?;
    let cwd = environment.cwd.clone().map_or_else(std::env::current_dir, Ok)?.canonicalize()?;
    Ok((config.join("projects"), project_folder(cwd)))
}

async fn write(path: PathBuf, lines: Vec<StoredLine>) -> Result<(), StartError> {
    let task = tokio::task::spawn_blocking(move || write_transcript(&path, &lines));
    let written = task.await.unwrap_or_else(|error| Err(io::Error::other(error)));
    written.map_err(|source| failed("write a transcript", source))
}

/// Writes a transcript. The metadata of a sub-agent, which is a line in a store, becomes a file of its own.
fn write_transcript(path: &Path, lines: &[StoredLine]) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        sys::private_folder().create(folder)?;
    }
    let (metadata, lines): (Vec<_>, Vec<_>) = lines.iter().partition(|line| line.kind() == "agent_metadata");
    if let Some(metadata) = metadata.last() {
        let mut fields: Map<String, Value> = serde_json::from_str(metadata.as_str())?;
        fields.remove("type");
        replace(&path.with_extension("meta.json"), |file| Ok(serde_json::to_writer(file, &fields)?))?;
    }
    if lines.is_empty() || has_all(path, &lines)? {
        return Ok(());
    }
    replace(path, |file| lines.iter().try_for_each(|line| writeln!(file, "{}", line.as_str())))
}

/// Returns whether the file has all these lines. If it has other lines too, and not all of these, it is renamed.
fn has_all(path: &Path, lines: &[&StoredLine]) -> io::Result<bool> {
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        Err(error) => return Err(error),
    };
    let mut on_disk = HashSet::new();
    for line in BufReader::new(file).split(b'\n') {
        let line = String::from_utf8_lossy(&line?).into_owned();
        on_disk.extend(StoredLine::parse(&line).ok().and_then(|line| line.uuid()));
    }
    let stored: HashSet<String> = lines.iter().filter_map(|line| line.uuid()).collect();
    if stored.is_subset(&on_disk) {
        return Ok(true);
    }
    if !on_disk.is_subset(&stored) {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let kept = path.with_added_extension(format!("replaced-{}", since.as_millis()));
        tracing::warn!(file = %path.display(), kept = %kept.display(), "the session store has other lines than the disk");
        fs::rename(path, kept)?;
    }
    Ok(false)
}

/// Writes a file under another name first, so that the CLI never reads an incomplete one.
fn replace(path: &Path, write: impl FnOnce(&mut io::BufWriter<File>) -> io::Result<()>) -> io::Result<()> {
    let partial = path.with_added_extension(format!("{}.partial", uuid::random()));
    let mut file = io::BufWriter::new(sys::private_file().open(&partial)?);
    let written = write(&mut file).and_then(|()| file.flush());
    drop(file);
    let done = written.and_then(|()| fs::rename(&partial, path));
    if done.is_err() {
        let _ = fs::remove_file(&partial);
    }
    done
}
