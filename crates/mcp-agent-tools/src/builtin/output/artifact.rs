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
        /// The path of the file that was published.
        path: String,
        /// The id of the artifact.
        artifact_id: String,
        /// The title of the artifact.
        title: String,
        /// The version of the artifact.
        version: String,
        /// What the artifact may do.
        capabilities: Value,
        /// The contract that is stored with the artifact.
        stored: ArtifactStored,
        /// Warnings about the artifact.
        warnings: Vec<String>,
        /// How many more times the artifact can be published.
        #[serde(rename = "publishesRemaining")]
        publishes_remaining: u64,
        /// When the number of remaining publications is reset.
        #[serde(rename = "publishesResetAt")]
        publishes_reset_at: f64,
        /// The version of the artifact's interface.
        contract: String,
        /// Whether an existing artifact was updated.
        updated: bool,
        /// Whether the artifact belongs to the user.
        owned: bool,
        /// The icon that lists of artifacts show.
        icon: String,
        /// Whether the icon of the artifact's page was sent.
        #[serde(rename = "faviconSent")]
        favicon_sent: bool,
        /// Whether the icon for lists was left out.
        #[serde(rename = "iconDropped")]
        icon_dropped: bool,
        /// Who can see the artifact.
        audience: String,
        /// Who can see the folder of the artifact: `others` or `unknown`.
        folder_audience: String,
        /// The number of this version of the artifact.
        seq: u64,
        /// Whether the artifact was left unchanged.
        unchanged: bool,
        /// The subscription to changes of the artifact.
        #[serde(rename = "liveSubscription")]
        live_subscription: String,
        /// Whether the artifact is pinned.
        pinned: bool,
        /// The artifacts of the list.
        artifacts: Vec<ArtifactSummary>,
        /// Whether the list of artifacts is incomplete.
        truncated: bool,
        /// The number of artifacts.
        total: u64,
        /// Whether there may be more artifacts than `total`.
        total_at_least: bool,
        /// Where the next page of the list begins.
        next_page_token: String,
        /// Whether artifacts can be pinned.
        pins_enabled: bool,
        /// Whose artifacts are in the list: `shared` or `all`.
        scope: String,
        /// Whether artifacts of other organizations are in the list.
        external_listed: bool,
        /// The artifact that was read.
        read: ArtifactRead,
        /// The version of the artifact that was read.
        #[serde(rename = "artifactRead")]
        artifact_read: SeenArtifact,
        /// The artifact that is watched now.
        watch: ArtifactWatch,
        /// The artifact that is no longer watched.
        unwatch: ArtifactUnwatch,
        /// All artifacts that are watched.
        watches: Vec<ArtifactWatched>,
        /// The URL of the artifact that `watches` is limited to.
        filter_url: String,
        /// The connections to watched artifacts that are being made.
        arms: Vec<ArtifactArm>,
        /// The artifact that was changed.
        written: ArtifactWritten,
        /// The file that was uploaded.
        asset_upload: ArtifactUpload,
        /// The files that were uploaded.
        asset_uploads: ArtifactUploads,
        /// The files of the artifact.
        asset_list: ArtifactAssetList,
        /// The file of the artifact that was read.
        asset_read: ArtifactAssetRead,
        /// The file of the artifact that was deleted.
        asset_delete: ArtifactAssetDeleted,
        /// The artifact that was pinned or unpinned.
        pin: ArtifactPin,
    }

    /// The contract that is stored with an artifact.
    #[serde(rename_all = "camelCase")]
    pub struct ArtifactStored {
        /// The version of the artifact's interface.
        contract: String,
        ;
        /// The version of the interface that should be used.
        preferred_contract: String,
        /// What the artifact may do.
        capabilities: Map<String, Value>,
        /// Whether the contract was taken over from the last version of the artifact.
        carried: bool,
        /// How the artifact is read.
        read: String,
    }

    /// An artifact in a list.
    pub struct ArtifactSummary {
        /// The title of the artifact.
        title: String,
        /// The URL of the artifact.
        url: String,
        ;
        /// The icon of the artifact.
        favicon: String,
        /// When the artifact was changed, in ISO 8601.
        #[serde(rename = "updatedAt")]
        updated_at: String,
        /// Whose artifact it is: `mine` or `shared`.
        rel: String,
        /// Whether the artifact belongs to another organization.
        external: bool,
        /// The role of the user: `editor`, `commenter`, `reader` or `viewer`.
        role: String,
        /// Whether people of other organizations may have changed the artifact.
        #[serde(rename = "outsidersMayHaveWritten")]
        outsiders_may_have_written: bool,
        /// Whether the artifact is pinned.
        pinned: bool,
    }

    /// An artifact that was read.
    #[serde(rename_all = "camelCase")]
    pub struct ArtifactRead {
        /// The URL of the artifact.
        url: String,
        /// The size of the artifact in bytes.
        bytes: u64,
        /// The HTTP status of the response.
        code: u16,
        /// The text of the HTTP status.
        code_text: String,
        /// The content of the artifact, or the answer to a question about it.
        result: String,
        /// How long reading the artifact took, in milliseconds.
        duration_ms: f64,
        ;
        /// The title of the artifact.
        title: String,
    }

    /// An artifact that is watched now.
    pub struct ArtifactWatch {
        /// The URL of the artifact.
        url: String,
        /// Whether the artifact is watched.
        watching: bool,
        /// What the tool did.
        outcome: String,
        ;
        /// The reason for the outcome.
        reason: String,
        /// Why the artifact is not watched after the end of the session.
        durable_skip_reason: String,
        /// The id of the background task that watches.
        task_id: String,
        /// Since when the artifact is watched, in milliseconds since 1970.
        since: f64,
        /// When the access token expires, in milliseconds since 1970.
        token_expires_at: f64,
        /// The kind of connection.
        rail: String,
        /// The id of the trigger of the watch.
        trigger_id: String,
        /// Since when the artifact is watched after the session, in ISO 8601.
        durable_since: String,
        /// The HTTP status of an error.
        status: u16,
        /// Details of an error.
        detail: String,
        /// A note for the model.
        note: String,
        /// The events that are watched.
        events: Vec<String>,
    }

    /// An artifact that is no longer watched.
    pub struct ArtifactUnwatch {
        /// The URL of the artifact.
        url: String,
        /// Whether the artifact was watched.
        was_watching: bool,
    }

    /// An artifact that is watched. Which fields are set depends on the kind of connection.
    pub struct ArtifactWatched {
        /// The URL of the artifact.
        url: String,
        ;
        /// The id of the background task that watches.
        task_id: String,
        /// Since when the artifact is watched: milliseconds since 1970, or ISO 8601.
        since: Value,
        /// Whether watching was requested explicitly.
        explicit: bool,
        /// Whether the connection is established.
        connected: bool,
        /// Whether the connection is being established.
        connecting: bool,
        /// When the access token expires, in milliseconds since 1970.
        token_expires_at: f64,
        /// What started watching the artifact.
        armed_via: String,
        /// The kind of connection.
        rail: String,
        /// The id of the trigger of the watch.
        trigger_id: String,
        /// The events that are watched.
        events: Vec<String>,
        /// Whether watching was started again when the session was resumed.
        restored: bool,
        /// Why watching was stopped.
        stop_kind: String,
    }

    /// A connection that is being made.
    pub struct ArtifactArm {
        /// The URL of the artifact.
        url: String,
        /// The state of the connection.
        state: String,
        ;
        /// The kind of connection.
        rail: String,
        /// Whether this is an attempt to connect again.
        reconnect: bool,
        /// The number of failed attempts.
        failures: u64,
        /// The maximum number of failed attempts.
        max_failures: u64,
        /// The time until the next attempt, in seconds.
        next_in_s: f64,
        /// Why the last attempt failed.
        last_failure: String,
        /// The reason for the state.
        reason: String,
        /// Details of the reason.
        detail: String,
        /// The error message of the server.
        server_message: String,
        /// The time of the state, in milliseconds since 1970.
        at: f64,
    }

    /// The artifact that was changed.
    pub struct ArtifactWritten {
        /// The URL of the artifact.
        url: String,
    }

    /// A file that was uploaded, or not.
    pub struct ArtifactUpload {
        ;
        /// The path of the local file.
        file_path: String,
        /// The result for this file: `uploaded`, `failed` or `not_attempted`, if there are several files.
        status: String,
        /// The id of the file.
        id: String,
        /// The URL of the uploaded file.
        url: String,
        /// The size of the file in bytes.
        size_bytes: u64,
        /// The media type of the file.
        content_type: String,
        /// The SHA-256 hash of the file.
        sha256: String,
        /// The name of the file.
        file_name: String,
        /// Why the upload failed.
        reason: String,
        /// The error message of the upload.
        message: String,
        /// Whether the file may have been stored despite the error.
        may_be_stored: bool,
    }

    /// Files that were uploaded.
    pub struct ArtifactUploads {
        /// The URL of the artifact.
        url: String,
        /// The result for each file.
        results: Vec<ArtifactUpload>,
    }

    /// The files of an artifact.
    pub struct ArtifactAssetList {
        /// The URL of the artifact.
        url: String,
        /// The files of the artifact.
        assets: Vec<ArtifactAsset>,
        /// How much space the files use.
        usage: ArtifactAssetUsage,
        ;
        /// Where the next page of the list begins.
        next: String,
        /// Whether others have changed the artifact.
        cowritten: bool,
        /// Whether someone of another organization has changed the artifact.
        outside_writer: bool,
    }

    /// A file of an artifact.
    pub struct ArtifactAsset {
        /// The id of the file.
        id: String,
        /// The URL of the file.
        url: String,
        /// The media type of the file.
        content_type: String,
        /// The size of the file in bytes.
        size_bytes: u64,
        /// When the file was created, in ISO 8601.
        created_at: String,
        ;
        /// The SHA-256 hash of the file.
        sha256: String,
    }

    /// How much space the files of an artifact use.
    pub struct ArtifactAssetUsage {
        /// The number of files.
        files: u64,
        /// The total size of the files in bytes.
        bytes: u64,
        /// The maximum number of files.
        max_files: u64,
        /// The maximum total size of the files in bytes.
        max_bytes: u64,
    }

    /// A file of an artifact that was read.
    pub struct ArtifactAssetRead {
        /// The id of the file.
        id: String,
        /// The path of the local copy of the file.
        path: String,
        /// The size of the file in bytes.
        size_bytes: u64,
        /// The media type of the file.
        content_type: String,
        /// The SHA-256 hash of the file.
        sha256: String,
        ;
        /// Whether others have changed the artifact.
        cowritten: bool,
        /// Whether someone of another organization has changed the artifact.
        outside_writer: bool,
        /// Whether everyone can read the file.
        public_read: bool,
        /// Whether the file belongs to another artifact.
        foreign: bool,
    }

    /// A file of an artifact that was deleted.
    pub struct ArtifactAssetDeleted {
        /// The id of the file.
        id: String,
        /// Whether the file existed and was deleted.
        deleted: bool,
    }

    /// An artifact that was pinned or unpinned.
    pub struct ArtifactPin {
        /// What was done: `pin` or `unpin`.
        action: String,
        /// The URL of the artifact.
        url: String,
        /// Whether the artifact is pinned now.
        pinned: bool,
        ;
        /// The title of the artifact.
        title: String,
    }
}
