//! The response to `get_usage`.

use std::collections::BTreeMap;

use crate::message::ModelUsage;
use crate::wire::view;

view! {
    /// The usage of the session, and how much of the limits of the account is used. The CLI may change its form at any time.
    pub struct UsageReport {
        /// The cost and usage of the session.
        session: SessionUsage,
        /// The type of the subscription; `None` with an API key.
        subscription_type: Option<String>,
        /// Whether the account has limits that are reported.
        rate_limits_available: bool,
        /// How much of each limit is used.
        rate_limits: Option<UsageLimits>,
        /// What contributed to the usage, from the transcripts on this machine.
        behaviors: Option<UsageBehaviors>,
    }

    /// The cost and usage of the session.
    pub struct SessionUsage {
        /// The cost in US dollars.
        total_cost_usd: f64,
        /// The time of API requests.
        total_api_duration_ms: u64,
        /// The time since the start.
        total_duration_ms: u64,
        /// Lines that were added to files.
        total_lines_added: u64,
        /// Lines that were removed from files.
        total_lines_removed: u64,
        /// The usage of each model.
        model_usage: BTreeMap<String, ModelUsage>,
    }

    /// How much of each limit is used.
    pub struct UsageLimits {
        /// The limit of five hours.
        five_hour: Option<UsageWindow>,
        /// The limit of seven days.
        seven_day: Option<UsageWindow>,
        /// The limit of seven days for other programs.
        seven_day_oauth_apps: Option<UsageWindow>,
        /// The limit of seven days for Opus.
        seven_day_opus: Option<UsageWindow>,
        /// The limit of seven days for Sonnet.
        seven_day_sonnet: Option<UsageWindow>,
        /// The limits of seven days for single models.
        model_scoped: Option<Vec<ModelUsageWindow>>,
        /// Paid usage beyond the limits.
        extra_usage: Option<ExtraUsage>,
    }

    /// How much of a limit is used.
    pub struct UsageWindow {
        /// The used part in percent.
        utilization: Option<f64>,
        /// When the limit resets, in ISO 8601.
        resets_at: Option<String>,
    }

    /// How much of the limit of a model is used.
    pub struct ModelUsageWindow {
        /// The name of the model, for display.
        display_name: String,
        /// The used part in percent.
        utilization: Option<f64>,
        /// When the limit resets, in ISO 8601.
        resets_at: Option<String>,
    }

    /// Paid usage beyond the limits.
    pub struct ExtraUsage {
        /// Whether it is on.
        is_enabled: bool,
        /// The limit of each month.
        monthly_limit: Option<f64>,
        /// What was used of it.
        used_credits: Option<f64>,
        /// The used part in percent.
        utilization: Option<f64>,
        /// The currency.
        currency: Option<String>,
    }

    /// What contributed to the usage, in two periods.
    pub struct UsageBehaviors {
        /// The last 24 hours.
        day: UsagePeriod,
        /// The last 7 days.
        week: UsagePeriod,
    }

    /// What contributed to the usage in a period. The shares overlap.
    pub struct UsagePeriod {
        /// Number of API requests.
        request_count: u64,
        /// Number of sessions.
        session_count: u64,
        /// Kinds of usage.
        behaviors: Vec<UsageBehavior>,
        /// Recommended changes, for display.
        recommendations: Option<Vec<UsageRecommendation>>,
        /// What the CLI can change by itself.
        fix: Option<UsageFix>,
        /// Sub-agents.
        agents: Vec<UsageShare>,
        /// Skills.
        skills: Vec<UsageShare>,
        /// Plugins.
        plugins: Vec<UsageShare>,
        /// MCP servers.
        mcp_servers: Vec<UsageShare>,
    }

    /// A kind of usage.
    pub struct UsageBehavior {
        /// Its name, for instance `cache_miss` or `long_context`.
        key: String,
        /// Its share in percent.
        pct: f64,
        /// Number of requests.
        count: u64,
    }

    /// A recommended change.
    pub struct UsageRecommendation {
        /// The kind of usage or source.
        key: String,
        /// Its share in percent.
        pct: f64,
        /// What to do.
        title: String,
        /// Details.
        detail: Option<String>,
    }

    /// What the CLI can change by itself.
    pub struct UsageFix {
        /// The recommendations that it covers.
        keys: Vec<String>,
        /// The prompts to send, in order.
        messages: Vec<String>,
    }

    /// The share of a sub-agent, skill, plugin or server.
    pub struct UsageShare {
        /// Its name.
        name: String,
        /// Its share in percent.
        pct: f64,
    }
}
