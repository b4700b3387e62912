//! Inputs of the tools for scheduled jobs, notifications and remote work.

use serde_json::{Map, Value};

use super::tool_types;

tool_types! {
    /// Schedules a prompt.
    pub struct CronCreateInput {
        /// When the prompt is sent, as a cron expression.
        cron: String,
        /// The prompt to send.
        prompt: String,
        ;
        /// Whether the prompt is sent more than once.
        recurring: bool,
        /// Whether the job still exists after the session has ended.
        durable: bool,
    }

    /// Removes a scheduled job.
    pub struct CronDeleteInput {
        /// The id of the job.
        id: String,
    }

    /// Lists the scheduled jobs.
    pub struct CronListInput {}

    /// Continues the turn later.
    pub struct ScheduleWakeupInput {
        ;
        /// The delay in seconds before the turn continues.
        #[serde(rename = "delaySeconds")]
        delay_seconds: f64,
        /// Why the turn waits, for display.
        reason: String,
        /// The prompt that continues the turn.
        prompt: String,
        /// Whether to end the loop.
        stop: bool,
        /// Whether to do nothing.
        noop: bool,
    }

    /// Watches a command or a WebSocket, and reports what it prints.
    pub struct MonitorInput {
        /// What is watched, for display.
        description: String,
        /// The time limit in milliseconds.
        timeout_ms: u64,
        ;
        /// The command line to watch.
        command: String,
        /// The WebSocket to watch.
        ws: MonitorSocket,
    }

    /// A WebSocket that is watched.
    pub struct MonitorSocket {
        /// The URL of the WebSocket.
        url: String,
        ;
        /// The WebSocket subprotocols to offer.
        protocols: Vec<String>,
    }

    /// Sends a notification to the devices of the user.
    pub struct PushNotificationInput {
        /// The text of the notification.
        message: String,
        ;
        /// Why the notification is sent: `proactive` if the user did not ask for it.
        status: String,
    }

    /// Reads the notifications of the session.
    pub struct ReadNotificationsInput {}

    /// Manages jobs that run in the cloud.
    pub struct RemoteTriggerInput {
        /// What to do, for instance `list` or `create`.
        action: String,
        ;
        /// The id of the job.
        trigger_id: String,
        /// The id of the session.
        session_id: String,
        /// The position in the list where the page begins.
        cursor: String,
        /// The definition of the job.
        body: Map<String, Value>,
    }

    /// Runs a workflow: a script that starts sub-agents.
    pub struct WorkflowInput {
        ;
        /// The source code of the script.
        script: String,
        /// The name of a stored workflow.
        name: String,
        /// What the workflow does, for display.
        description: String,
        /// The title of the workflow, for display.
        title: String,
        /// The arguments of the script.
        args: Value,
        /// The path of the script.
        #[serde(rename = "scriptPath")]
        script_path: String,
        /// The id of an earlier run whose results are used again.
        #[serde(rename = "resumeFromRunId")]
        resume_from_run_id: String,
    }
}
