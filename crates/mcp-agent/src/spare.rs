//! A CLI that is started before it is known which session it will serve.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde_json::{Map, Value};

use crate::agent::Agent;
use crate::error::{Error, StartError};
use crate::handle::Handle;
use crate::initialize::{Welcome, WelcomeFields};
use crate::options::{AgentDefinition, Environment, OptionsError, Origin};
use crate::permission::PermissionMode;
use crate::session::Session;
use crate::transport::Ending;
use crate::wire::{Typed, view};
use crate::{sys, uuid};

/// A CLI that is started, and waits for the session that it will serve. [`Agent::prewarm`] starts one.
///
/// [`claim`](Self::claim) gives it a working directory and opens the session. Dropping it shuts the CLI down.
#[derive(Debug)]
pub struct Spare {
    session: Session,
    // Removed when the CLI has moved to the directory of its session, or has exited.
    parking: Option<Parking>,
}

/// What is only known when a session starts. Everything else is fixed when the spare is started.
///
/// ```
/// # use mcp_agent::{Claim, PermissionMode};
/// Claim::new("/code").model("haiku").permission_mode(PermissionMode::Plan).title("Tests");
/// ```
#[derive(Debug, Clone, Default)]
pub struct Claim {
    fields: ClaimFields,
    model: Option<String>,
    thinking_tokens: Option<Option<u32>>,
    settings: Map<String, Value>,
}

#[derive(Debug, Clone, Default, Serialize)]
struct ClaimFields {
    cwd: PathBuf,
    #[serde(skip_serializing_if = "Option::is_none")]
    permission_mode: Option<PermissionMode>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    env: BTreeMap<String, String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    additional_directories: Vec<PathBuf>,
    #[serde(skip_serializing_if = "Option::is_none")]
    append_system_prompt: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    agents: BTreeMap<String, AgentDefinition>,
    sdk_mcp_servers: Vec<String>,
    include_initialize: bool,
}

view! {
    /// What the CLI reports about the session of a [`Claim`].
    pub struct Claimed {
        /// The working directory.
        cwd: String,
        /// The id of the session.
        session_id: String,
        /// How long the CLI has waited for the session.
        parked_ms: Option<u64>,
        /// Whether the mounted servers are connected.
        sdk_mcp_settled: bool,
        /// The information about the CLI, for this session.
        initialize: Option<Typed<WelcomeFields>>,
    }
}

/// Settings that a CLI must know before it runs a hook. They can only be set when the spare is started.
const FIXED_SETTINGS: [&str; 5] =
    ["hooks", "disableAllHooks", "allowManagedHooksOnly", "allowedHttpHookUrls", "httpHookAllowedEnvVars"];

/// Settings that the CLI applies after it has moved to the directory of the session.
const LATE_SETTINGS: [&str; 6] = ["model", "agent", "fastMode", "permissions", "availableModels", "disableAutoMode"];

impl Agent {
    /// Starts the CLI before it is known which session it will serve, so that the session opens faster.
    ///
    /// The CLI starts in the [working directory](Self::cwd) of this agent, which must not be that of a session, by default in a
    /// new private folder of the settings of the user. It loads its tools, the user's plugins and skills, and connects the MCP
    /// servers of this agent. [`Spare::claim`] then opens the session.
    ///
    /// # Errors
    /// As [`open`](Self::open); also if this agent resumes a session, if it runs the CLI as another user without a working directory, and if the CLI is
    /// too old.
    pub async fn prewarm(mut self) -> Result<Spare, Error> {
        let conversation = &self.options.conversation;
        if conversation.fork || !matches!(conversation.origin, Origin::New) {
            return Err(OptionsError::Conflict { one: "prewarm", other: "an option that resumes a session" }.into());
        }
        let parking = match &self.options.environment.cwd {
            Some(_) => None,
            // That user cannot enter a private folder of this one.
            None if self.process.has_user() => {
                return Err(OptionsError::Conflict { one: "prewarm", other: "user without cwd" }.into());
            }
            None => Some(Parking::create(&self.options.environment)?),
        };
        if let Some(parking) = &parking {
            self = self.cwd(&parking.0);
        }
        let session = self.extra_arg("await-claim", None).open().await?;
        Ok(Spare { session, parking })
    }
}

impl Spare {
    /// Opens the session: moves the CLI to its working directory and applies the options of the claim.
    ///
    /// The CLI rejects a claim that it cannot keep, for instance of a directory that does not exist, or of one whose settings
    /// must be known at the start. It has no session then: open one with [`Agent::open`].
    ///
    /// # Errors
    /// [`Error::Refused`] with a code, for instance `cwd_not_found`, if the CLI rejects the claim or one of its options. The CLI is shut down then, and nothing
    /// was sent to the model. [`Error::Options`] for settings that can only be set at the start.
    pub async fn claim(self, claim: Claim) -> Result<(Session, Typed<Claimed>), Error> {
        if let Some(name) = FIXED_SETTINGS.into_iter().find(|name| claim.settings.contains_key(*name)) {
            let reason = "settings of hooks must be set before the spare is started";
            return Err(OptionsError::InvalidValue { option: "Claim::settings", value: name.to_owned(), reason }.into());
        }
        let Self { mut session, parking } = self;
        let handle = session.handle();
        match claim.send(&handle).await {
            Ok(claimed) => {
                if let Some(welcome) = &claimed.initialize {
                    session.replace_welcome(welcome.clone());
                }
                Ok((session, claimed))
            }
            Err(error) => {
                let _ = session.close().await;
                drop(parking);
                Err(error)
            }
        }
    }

    /// Returns the CLI's response to `initialize`, as it is without a session.
    pub fn welcome(&self) -> &Welcome {
        self.session.welcome()
    }

    /// Returns the process id of the CLI, or `None` if it does not run as a local process.
    pub fn pid(&self) -> Option<u32> {
        self.session.pid()
    }

    /// Waits until the CLI has exited. A spare that exits without a claim has to be replaced.
    pub async fn exited(&self) -> Ending {
        self.session.handle().ended().await.ending.clone()
    }

    /// Shuts the CLI down and waits until it has exited.
    ///
    /// # Errors
    /// [`Error::Ended`] if the CLI had already exited unexpectedly.
    pub async fn close(self) -> Result<Ending, Error> {
        self.session.close().await
    }
}

impl Claim {
    /// Creates a claim for a session in this directory.
    pub fn new(cwd: impl Into<PathBuf>) -> Self {
        let fields = ClaimFields { cwd: cwd.into(), include_initialize: true, ..ClaimFields::default() };
        Self { fields, ..Self::default() }
    }

    /// Sets the model.
    #[must_use]
    pub fn model(mut self, model: impl Into<String>) -> Self {
        self.model = Some(model.into());
        self
    }

    /// Sets the permission mode. The CLI rejects the claim if it cannot take it.
    #[must_use]
    pub fn permission_mode(mut self, mode: PermissionMode) -> Self {
        self.fields.permission_mode = Some(mode);
        self
    }

    /// Sets how many tokens the model may use for thinking; `None` removes the limit.
    #[must_use]
    pub fn max_thinking_tokens(mut self, tokens: Option<u32>) -> Self {
        self.thinking_tokens = Some(tokens);
        self
    }

    /// Sets an environment variable. The CLI accepts `CLAUDE_CODE_OAUTH_TOKEN`, `CLAUDE_CODE_SESSION_ACCESS_TOKEN` and
    /// `CLAUDE_CODE_HOST_SESSION_ID`, and rejects the claim for any other.
    #[must_use]
    pub fn env(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.fields.env.insert(name.into(), value.into());
        self
    }

    /// Adds a directory that tools may access, besides the working directory.
    #[must_use]
    pub fn add_dir(mut self, directory: impl Into<PathBuf>) -> Self {
        self.fields.additional_directories.push(directory.into());
        self
    }

    /// Applies settings to the session, as [`Handle::apply_settings`] does.
    #[must_use]
    pub fn settings(mut self, settings: impl Into<Map<String, Value>>) -> Self {
        self.settings = settings.into();
        self
    }

    /// Appends a text to the system prompt.
    #[must_use]
    pub fn append_system_prompt(mut self, text: impl Into<String>) -> Self {
        self.fields.append_system_prompt = Some(text.into());
        self
    }

    /// Sets the title of the session.
    #[must_use]
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.fields.title = Some(title.into());
        self
    }

    /// Defines a sub-agent that the model can delegate work to.
    #[must_use]
    pub fn define_agent(mut self, name: impl Into<String>, definition: AgentDefinition) -> Self {
        self.fields.agents.insert(name.into(), definition);
        self
    }

    /// Sends the claim and its options. The order is that in which the CLI must apply them.
    async fn send(mut self, handle: &Handle) -> Result<Typed<Claimed>, Error> {
        let (late, early): (Map<_, _>, Map<_, _>) =
            self.settings.into_iter().partition(|(name, _)| LATE_SETTINGS.contains(&name.as_str()));
        if !early.is_empty() {
            handle.apply_settings(early).await?;
        }
        self.fields.sdk_mcp_servers = handle.mounted_names();
        let claimed = handle.claim_session(&self.fields).await?;
        if let Some(model) = &self.model {
            handle.set_model(Some(model)).await?;
        }
        if let Some(tokens) = self.thinking_tokens {
            handle.set_max_thinking_tokens(tokens, None).await?;
        }
        if !late.is_empty() {
            handle.apply_settings(late).await?;
        }
        Ok(claimed)
    }
}

/// A private folder in which a CLI waits. It is removed on drop.
#[derive(Debug)]
struct Parking(PathBuf);

impl Parking {
    /// Creates a folder below the settings of the user of the CLI: in a folder that others can write, the CLI could find a
    /// configuration of theirs.
    fn create(environment: &Environment) -> Result<Self, Error> {
        let variable = |name: &str| environment.variable(name).map(PathBuf::from).filter(|path| path.is_absolute());
        let settings = variable("CLAUDE_CONFIG_DIR").or_else(|| Some(variable("HOME").or_else(sys::home)?.join(".claude")));
        let folder = settings.unwrap_or_else(env::temp_dir).join("spares").join(format!("spare-{}", uuid::random()));
        let failed = |source| StartError::Spawn { program: folder.clone(), source };
        sys::private_folder().create(&folder).map_err(failed)?;
        Ok(Self(folder))
    }

    fn remove(folder: &Path) {
        // If this fails, an empty folder is left.
        let _ = fs::remove_dir_all(folder);
    }
}

impl Drop for Parking {
    fn drop(&mut self) {
        Self::remove(&self.0);
    }
}
