//! The results of the tools for scheduled jobs, notifications and remote work.

use crate::builtin::tool_types;

tool_types! {
    /// A job that was scheduled.
    #[serde(rename_all = "camelCase")]
    pub struct CronCreateOutput {
        /// Its id.
        id: String,
        /// When it runs, for display.
        human_schedule: String,
        /// Whether it runs more than once.
        recurring: bool,
        ;
        /// Whether it is kept after the session.
        durable: bool,
        /// When it runs next, in milliseconds since 1970.
        next_fire_at: f64,
    }

    /// A job that was removed.
    #[serde(rename_all = "camelCase")]
    pub struct CronDeleteOutput {
        /// Its id.
        id: String,
        ;
        /// Whether that has ended a loop.
        ended_loop_wakeup: bool,
    }

    /// The scheduled jobs.
    pub struct CronListOutput {
        /// The jobs.
        jobs: Vec<CronJob>,
    }

    /// A scheduled job.
    #[serde(rename_all = "camelCase")]
    pub struct CronJob {
        /// Its id.
        id: String,
        /// When it runs, as a cron expression.
        cron: String,
        /// When it runs, for display.
        human_schedule: String,
        /// Its prompt.
        prompt: String,
        ;
        /// Whether it runs more than once.
        recurring: bool,
        /// Whether it is kept after the session.
        durable: bool,
        /// When it runs next, in milliseconds since 1970.
        next_fire_at: f64,
    }

    /// When the turn is continued.
    #[serde(rename_all = "camelCase")]
    pub struct ScheduleWakeupOutput {
        /// The time, in milliseconds since 1970.
        scheduled_for: f64,
        /// The delay, within the limits of the CLI.
        clamped_delay_seconds: f64,
        /// Whether the limits have changed it.
        was_clamped: bool,
        ;
        /// Whether the loop has ended.
        stopped: bool,
        /// The number of other times that were removed.
        cancelled_wakeups: u64,
    }

    /// A command or a WebSocket that is watched.
    #[serde(rename_all = "camelCase")]
    pub struct MonitorOutput {
        /// The id of the task.
        task_id: String,
        /// For how long.
        timeout_ms: f64,
        ;
        /// Whether it is watched until the end of the session.
        persistent: bool,
        /// Whether a check has kept it in the sandbox.
        kept_in_sandbox_by_check: bool,
    }

    /// A notification to the devices of the user.
    #[serde(rename_all = "camelCase")]
    pub struct PushNotificationOutput {
        /// The text for the model.
        message: String,
        ;
        /// Whether it was sent to a phone.
        push_sent: bool,
        /// Whether it was shown on this machine.
        local_sent: bool,
        /// Why it was not sent: `config_off`, `user_present` or `no_transport`.
        disabled_reason: String,
        /// When it was sent, in ISO 8601.
        sent_at: String,
    }

    /// The notifications of the session.
    pub struct ReadNotificationsOutput {
        /// The notifications.
        notifications: Vec<QueuedNotification>,
        /// How many more there are.
        remaining: u64,
        ;
        /// When they were read, in ISO 8601.
        read_at: String,
    }

    /// A notification of the session.
    pub struct QueuedNotification {
        /// Its id.
        notification_id: String,
        /// Where it comes from.
        origin: String,
        /// When it was queued, in ISO 8601.
        queued_at: String,
        /// Its text.
        content: String,
        ;
        /// When it arrived, in ISO 8601.
        arrived_at: String,
    }

    /// The response of the service for jobs in the cloud.
    pub struct RemoteTriggerOutput {
        /// The HTTP status.
        status: u16,
        /// The body of the response.
        json: String,
        ;
        /// A summary.
        summary: String,
    }

    /// A workflow that was started.
    #[serde(rename_all = "camelCase")]
    pub struct WorkflowOutput {
        /// `async_launched` or `remote_launched`.
        status: String,
        /// The id of the task.
        task_id: String,
        ;
        /// `local_workflow` or `remote_agent`.
        task_type: String,
        /// The name of the workflow.
        workflow_name: String,
        /// The id of this run.
        run_id: String,
        /// A summary.
        summary: String,
        /// The folder of its transcripts.
        transcript_dir: String,
        /// The file with its script.
        script_path: String,
        /// The page of its session.
        session_url: String,
        /// A warning.
        warning: String,
        /// Why it failed.
        error: String,
    }
}
