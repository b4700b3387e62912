//! The results of the tool for artifacts.

use serde_json::{Map, Value};

use super::SeenArtifact;
use crate::builtin::tool_types;

tool_types! {
    /// The result of the tool for artifacts. Which fields are set depends on the action; all actions share this type,
    /// because the CLI does not name the action in the result.
    pub struct ArtifactOutput {
        ;
        /// The URL of a published artifact.
        url: String,
        /// The file that was published.
        path: String,
        /// The id.
        artifact_id: String,
        /// The title.
        title: String,
        /// The version.
        version: String,
        /// What the artifact may do.
        capabilities: Value,
        /// The contract that is stored with it.
        stored: ArtifactStored,
        /// Warnings.
        warnings: Vec<String>,
        /// How many more times it can be published.
        #[serde(rename = "publishesRemaining")]
        publishes_remaining: u64,
        /// When that number is reset.
        #[serde(rename = "publishesResetAt")]
        publishes_reset_at: f64,
        /// The version of its interface.
        contract: String,
        /// Whether an existing one was updated.
        updated: bool,
        /// Whether it belongs to the user.
        owned: bool,
        /// The icon in lists.
        icon: String,
        /// Whether the icon of the page was sent.
        #[serde(rename = "faviconSent")]
        favicon_sent: bool,
        /// Whether the icon in lists was left out.
        #[serde(rename = "iconDropped")]
        icon_dropped: bool,
        /// Who can see it.
        audience: String,
        /// Who can see its folder: `others` or `unknown`.
        folder_audience: String,
        /// The number of this version.
        seq: u64,
        /// Whether nothing was changed.
        unchanged: bool,
        /// The subscription to its changes.
        #[serde(rename = "liveSubscription")]
        live_subscription: String,
        /// Whether it is pinned.
        pinned: bool,
        /// A list of artifacts.
        artifacts: Vec<ArtifactSummary>,
        /// Whether the list is not complete.
        truncated: bool,
        /// The number of artifacts.
        total: u64,
        /// Whether there may be more of them.
        total_at_least: bool,
        /// Where the next page of the list begins.
        next_page_token: String,
        /// Whether artifacts can be pinned.
        pins_enabled: bool,
        /// Whose artifacts: `shared` or `all`.
        scope: String,
        /// Whether artifacts of others are in the list.
        external_listed: bool,
        /// An artifact that was read.
        read: ArtifactRead,
        /// The version that was read.
        #[serde(rename = "artifactRead")]
        artifact_read: SeenArtifact,
        /// An artifact that is watched now.
        watch: ArtifactWatch,
        /// An artifact that is no longer watched.
        unwatch: ArtifactUnwatch,
        /// All artifacts that are watched.
        watches: Vec<ArtifactWatched>,
        /// The artifact that `watches` is about.
        filter_url: String,
        /// The connections that are being made.
        arms: Vec<ArtifactArm>,
        /// The artifact that was changed.
        written: ArtifactWritten,
        /// A file that was uploaded.
        asset_upload: ArtifactUpload,
        /// Files that were uploaded.
        asset_uploads: ArtifactUploads,
        /// The files of an artifact.
        asset_list: ArtifactAssetList,
        /// A file that was read.
        asset_read: ArtifactAssetRead,
        /// A file that was deleted.
        asset_delete: ArtifactAssetDeleted,
        /// An artifact that was pinned or unpinned.
        pin: ArtifactPin,
    }

    /// The contract that is stored with an artifact.
    #[serde(rename_all = "camelCase")]
    pub struct ArtifactStored {
        /// The version of its interface.
        contract: String,
        ;
        /// The version that should be used.
        preferred_contract: String,
        /// What the artifact may do.
        capabilities: Map<String, Value>,
        /// Whether it was taken over from the last version.
        carried: bool,
        /// How it is read.
        read: String,
    }

    /// An artifact in a list.
    pub struct ArtifactSummary {
        /// Its title.
        title: String,
        /// Its URL.
        url: String,
        ;
        /// Its icon.
        favicon: String,
        /// When it was changed, in ISO 8601.
        #[serde(rename = "updatedAt")]
        updated_at: String,
        /// `mine` or `shared`.
        rel: String,
        /// Whether it belongs to another organization.
        external: bool,
        /// `editor`, `commenter`, `reader` or `viewer`.
        role: String,
        /// Whether others may have changed it.
        #[serde(rename = "outsidersMayHaveWritten")]
        outsiders_may_have_written: bool,
        /// Whether it is pinned.
        pinned: bool,
    }

    /// An artifact that was read.
    #[serde(rename_all = "camelCase")]
    pub struct ArtifactRead {
        /// Its URL.
        url: String,
        /// Its size.
        bytes: u64,
        /// The HTTP status.
        code: u16,
        /// The text of the HTTP status.
        code_text: String,
        /// Its content, or the answer to a question about it.
        result: String,
        /// How long it took.
        duration_ms: f64,
        ;
        /// Its title.
        title: String,
    }

    /// An artifact that is watched now.
    pub struct ArtifactWatch {
        /// Its URL.
        url: String,
        /// Whether it is watched.
        watching: bool,
        /// What was done.
        outcome: String,
        ;
        /// Why.
        reason: String,
        /// Why it is not watched after the session.
        durable_skip_reason: String,
        /// The id of the task.
        task_id: String,
        /// Since when, in milliseconds since 1970.
        since: f64,
        /// When the access ends, in milliseconds since 1970.
        token_expires_at: f64,
        /// The kind of connection.
        rail: String,
        /// The id of the trigger.
        trigger_id: String,
        /// Since when it is watched after the session, in ISO 8601.
        durable_since: String,
        /// The HTTP status of an error.
        status: u16,
        /// Details of an error.
        detail: String,
        /// A note.
        note: String,
        /// The events that are watched.
        events: Vec<String>,
    }

    /// An artifact that is no longer watched.
    pub struct ArtifactUnwatch {
        /// Its URL.
        url: String,
        /// Whether it was watched.
        was_watching: bool,
    }

    /// An artifact that is watched. Which fields are set depends on the kind of connection.
    pub struct ArtifactWatched {
        /// Its URL.
        url: String,
        ;
        /// The id of the task.
        task_id: String,
        /// Since when: milliseconds since 1970, or ISO 8601.
        since: Value,
        /// Whether that was asked for.
        explicit: bool,
        /// Whether it is connected.
        connected: bool,
        /// Whether it is being connected.
        connecting: bool,
        /// When the access ends, in milliseconds since 1970.
        token_expires_at: f64,
        /// What started it.
        armed_via: String,
        /// The kind of connection.
        rail: String,
        /// The id of the trigger.
        trigger_id: String,
        /// The events that are watched.
        events: Vec<String>,
        /// Whether it was started again with the session.
        restored: bool,
        /// Why it was stopped.
        stop_kind: String,
    }

    /// A connection that is being made.
    pub struct ArtifactArm {
        /// The URL of the artifact.
        url: String,
        /// Its state.
        state: String,
        ;
        /// The kind of connection.
        rail: String,
        /// Whether it is made again.
        reconnect: bool,
        /// The number of failures.
        failures: u64,
        /// The maximum number of failures.
        max_failures: u64,
        /// When it is tried again, in seconds.
        next_in_s: f64,
        /// Why it failed the last time.
        last_failure: String,
        /// Why.
        reason: String,
        /// Details.
        detail: String,
        /// The message of the server.
        server_message: String,
        /// When, in milliseconds since 1970.
        at: f64,
    }

    /// The artifact that was changed.
    pub struct ArtifactWritten {
        /// Its URL.
        url: String,
    }

    /// A file that was uploaded, or not.
    pub struct ArtifactUpload {
        ;
        /// The path of the local file.
        file_path: String,
        /// `uploaded`, `failed` or `not_attempted`, if there are several files.
        status: String,
        /// The id of the file.
        id: String,
        /// Its URL.
        url: String,
        /// Its size.
        size_bytes: u64,
        /// Its media type.
        content_type: String,
        /// Its hash.
        sha256: String,
        /// Its name.
        file_name: String,
        /// Why it failed.
        reason: String,
        /// The error message.
        message: String,
        /// Whether it may have been stored in spite of the error.
        may_be_stored: bool,
    }

    /// Files that were uploaded.
    pub struct ArtifactUploads {
        /// The URL of the artifact.
        url: String,
        /// The files.
        results: Vec<ArtifactUpload>,
    }

    /// The files of an artifact.
    pub struct ArtifactAssetList {
        /// The URL of the artifact.
        url: String,
        /// The files.
        assets: Vec<ArtifactAsset>,
        /// How much space they use.
        usage: ArtifactAssetUsage,
        ;
        /// Where the next page of the list begins.
        next: String,
        /// Whether others have changed it.
        cowritten: bool,
        /// Whether someone of another organization has changed it.
        outside_writer: bool,
    }

    /// A file of an artifact.
    pub struct ArtifactAsset {
        /// Its id.
        id: String,
        /// Its URL.
        url: String,
        /// Its media type.
        content_type: String,
        /// Its size.
        size_bytes: u64,
        /// When it was created, in ISO 8601.
        created_at: String,
        ;
        /// Its hash.
        sha256: String,
    }

    /// How much space the files of an artifact use.
    pub struct ArtifactAssetUsage {
        /// The number of files.
        files: u64,
        /// Their size.
        bytes: u64,
        /// The limit of files.
        max_files: u64,
        /// The limit of their size.
        max_bytes: u64,
    }

    /// A file of an artifact that was read.
    pub struct ArtifactAssetRead {
        /// Its id.
        id: String,
        /// The local file with its content.
        path: String,
        /// Its size.
        size_bytes: u64,
        /// Its media type.
        content_type: String,
        /// Its hash.
        sha256: String,
        ;
        /// Whether others have changed the artifact.
        cowritten: bool,
        /// Whether someone of another organization has changed the artifact.
        outside_writer: bool,
        /// Whether everyone can read it.
        public_read: bool,
        /// Whether it belongs to another artifact.
        foreign: bool,
    }

    /// A file of an artifact that was deleted.
    pub struct ArtifactAssetDeleted {
        /// Its id.
        id: String,
        /// Whether it existed.
        deleted: bool,
    }

    /// An artifact that was pinned or unpinned.
    pub struct ArtifactPin {
        /// `pin` or `unpin`.
        action: String,
        /// Its URL.
        url: String,
        /// Whether it is pinned now.
        pinned: bool,
        ;
        /// Its title.
        title: String,
    }
}
