//! Inputs of the tools for scheduled jobs, notifications and remote work.

use serde_json::{Map, Value};

use super::tool_types;

tool_types! {
    /// Schedules a prompt.
    pub struct CronCreateInput {
        /// When it is sent, as a cron expression.
        cron: String,
        /// The prompt.
        prompt: String,
        ;
        /// Whether it is sent more than once.
        recurring: bool,
        /// Whether the job is kept after the session.
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
        /// After how many seconds.
        #[serde(rename = "delaySeconds")]
        delay_seconds: f64,
        /// Why, for display.
        reason: String,
        /// The prompt.
        prompt: String,
        /// Whether the loop ends.
        stop: bool,
        /// Whether nothing is done.
        noop: bool,
    }

    /// Watches a command or a WebSocket, and reports what it prints.
    pub struct MonitorInput {
        /// What is watched, for display.
        description: String,
        /// The time limit in milliseconds.
        timeout_ms: u64,
        ;
        /// The command line.
        command: String,
        /// The WebSocket.
        ws: MonitorSocket,
    }

    /// A WebSocket that is watched.
    pub struct MonitorSocket {
        /// Its URL.
        url: String,
        ;
        /// The protocols to offer.
        protocols: Vec<String>,
    }

    /// Sends a notification to the devices of the user.
    pub struct PushNotificationInput {
        /// The text.
        message: String,
        ;
        /// `proactive` if the user did not ask for it.
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
        /// Where a page of a list begins.
        cursor: String,
        /// The job.
        body: Map<String, Value>,
    }

    /// Runs a workflow: a script that starts sub-agents.
    pub struct WorkflowInput {
        ;
        /// The script.
        script: String,
        /// The name of a stored workflow.
        name: String,
        /// What it does, for display.
        description: String,
        /// Its title, for display.
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
