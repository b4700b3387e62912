//! The results of the tools for scheduled jobs, notifications and remote work.

use crate::builtin::tool_types;

tool_types! {
    /// A job that was scheduled.
    #[serde(rename_all = "camelCase")]
    pub struct CronCreateOutput {
        /// The id of the job.
        id: String,
        /// When the job runs, for display.
        human_schedule: String,
        /// Whether the job runs more than once.
        recurring: bool,
        ;
        /// Whether the job still exists after the session has ended.
        durable: bool,
        /// When the job runs next, in milliseconds since 1970.
        next_fire_at: f64,
    }

    /// A job that was removed.
    #[serde(rename_all = "camelCase")]
    pub struct CronDeleteOutput {
        /// The id of the job.
        id: String,
        ;
        /// Whether removing the job has ended a loop.
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
        /// The id of the job.
        id: String,
        /// When the job runs, as a cron expression.
        cron: String,
        /// When the job runs, for display.
        human_schedule: String,
        /// The prompt that the job sends.
        prompt: String,
        ;
        /// Whether the job runs more than once.
        recurring: bool,
        /// Whether the job still exists after the session has ended.
        durable: bool,
        /// When the job runs next, in milliseconds since 1970.
        next_fire_at: f64,
    }

    /// When the turn is continued.
    #[serde(rename_all = "camelCase")]
    pub struct ScheduleWakeupOutput {
        /// When the turn continues, in milliseconds since 1970.
        scheduled_for: f64,
        /// The delay in seconds, within the limits of the CLI.
        clamped_delay_seconds: f64,
        /// Whether the limits of the CLI changed the delay.
        was_clamped: bool,
        ;
        /// Whether the loop has ended.
        stopped: bool,
        /// The number of other scheduled continuations that were removed.
        cancelled_wakeups: u64,
    }

    /// A command or a WebSocket that is watched.
    #[serde(rename_all = "camelCase")]
    pub struct MonitorOutput {
        /// The id of the background task that watches.
        task_id: String,
        /// The time limit for watching, in milliseconds.
        timeout_ms: f64,
        ;
        /// Whether watching continues until the end of the session.
        persistent: bool,
        /// Whether a check of the CLI kept the command in the sandbox.
        kept_in_sandbox_by_check: bool,
    }

    /// A notification to the devices of the user.
    #[serde(rename_all = "camelCase")]
    pub struct PushNotificationOutput {
        /// The text for the model.
        message: String,
        ;
        /// Whether the notification was sent to a phone.
        push_sent: bool,
        /// Whether the notification was shown on this machine.
        local_sent: bool,
        /// Why the notification was not sent: `config_off`, `user_present` or `no_transport`.
        disabled_reason: String,
        /// When the notification was sent, in ISO 8601.
        sent_at: String,
    }

    /// The notifications of the session.
    pub struct ReadNotificationsOutput {
        /// The notifications that were read.
        notifications: Vec<QueuedNotification>,
        /// The number of notifications that are still unread.
        remaining: u64,
        ;
        /// When the notifications were read, in ISO 8601.
        read_at: String,
    }

    /// A notification of the session.
    pub struct QueuedNotification {
        /// The id of the notification.
        notification_id: String,
        /// Where the notification comes from.
        origin: String,
        /// When the notification was queued, in ISO 8601.
        queued_at: String,
        /// The text of the notification.
        content: String,
        ;
        /// When the notification arrived, in ISO 8601.
        arrived_at: String,
    }

    /// The response of the service for jobs in the cloud.
    pub struct RemoteTriggerOutput {
        /// The HTTP status of the response.
        status: u16,
        /// The body of the response.
        json: String,
        ;
        /// A summary of the response.
        summary: String,
    }

    /// A workflow that was started.
    #[serde(rename_all = "camelCase")]
    pub struct WorkflowOutput {
        /// `async_launched` if the workflow runs in the background, `remote_launched` if it runs on another machine.
        status: String,
        /// The id of the background task.
        task_id: String,
        ;
        /// The type of the background task: `local_workflow` or `remote_agent`.
        task_type: String,
        /// The name of the workflow.
        workflow_name: String,
        /// The id of this run of the workflow.
        run_id: String,
        /// A summary of the workflow.
        summary: String,
        /// The folder of the workflow's transcripts.
        transcript_dir: String,
        /// The file with the script of the workflow.
        script_path: String,
        /// The web page of the workflow's session.
        session_url: String,
        /// A warning about the workflow.
        warning: String,
        /// Why the workflow could not be started.
        error: String,
    }
}
