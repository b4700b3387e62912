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
        /// Whether the CLI can report limits for this account.
        rate_limits_available: bool,
        /// How much of each limit is used.
        rate_limits: Option<UsageLimits>,
        /// What contributed to the usage, from the transcripts on this machine.
        behaviors: Option<UsageBehaviors>,
    }

    /// The cost and usage of the session.
    pub struct SessionUsage {
        /// The cost of the session in US dollars.
        total_cost_usd: f64,
        /// The time spent in API requests, in milliseconds.
        total_api_duration_ms: u64,
        /// The time since the start of the session, in milliseconds.
        total_duration_ms: u64,
        /// The number of lines that were added to files.
        total_lines_added: u64,
        /// The number of lines that were removed from files.
        total_lines_removed: u64,
        /// The usage of each model, by its name.
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
        /// Usage beyond the limits of the plan, which the account pays for.
        extra_usage: Option<ExtraUsage>,
    }

    /// How much of a limit is used.
    pub struct UsageWindow {
        /// The used part of the limit in percent.
        utilization: Option<f64>,
        /// When the limit resets, in ISO 8601.
        resets_at: Option<String>,
    }

    /// How much of the limit of a model is used.
    pub struct ModelUsageWindow {
        /// The name of the model, for display.
        display_name: String,
        /// The used part of the limit in percent.
        utilization: Option<f64>,
        /// When the limit resets, in ISO 8601.
        resets_at: Option<String>,
    }

    /// Usage beyond the limits of the plan, which the account pays for.
    pub struct ExtraUsage {
        /// Whether the account may go beyond the limits of its plan and pay for that.
        is_enabled: bool,
        /// The monthly limit of paid usage.
        monthly_limit: Option<f64>,
        /// How much of the monthly limit was used.
        used_credits: Option<f64>,
        /// The used part of the monthly limit in percent.
        utilization: Option<f64>,
        /// The currency of the amounts.
        currency: Option<String>,
    }

    /// What contributed to the usage, in two periods.
    pub struct UsageBehaviors {
        /// What contributed in the last 24 hours.
        day: UsagePeriod,
        /// What contributed in the last 7 days.
        week: UsagePeriod,
    }

    /// What used tokens in a period. One request can count for several entries, so the percentages can add up to more than 100.
    pub struct UsagePeriod {
        /// The number of API requests.
        request_count: u64,
        /// The number of sessions.
        session_count: u64,
        /// How much of the usage was of each kind, for instance a cache miss.
        behaviors: Vec<UsageBehavior>,
        /// Recommended changes, for display.
        recommendations: Option<Vec<UsageRecommendation>>,
        /// What the CLI can change by itself.
        fix: Option<UsageFix>,
        /// How much of the usage each sub-agent caused.
        agents: Vec<UsageShare>,
        /// How much of the usage each skill caused.
        skills: Vec<UsageShare>,
        /// How much of the usage each plugin caused.
        plugins: Vec<UsageShare>,
        /// How much of the usage each MCP server caused.
        mcp_servers: Vec<UsageShare>,
    }

    /// A kind of usage.
    pub struct UsageBehavior {
        /// The name of the kind of usage, for instance `cache_miss` or `long_context`.
        key: String,
        /// How much of the usage was of this kind, in percent.
        pct: f64,
        /// The number of requests of this kind.
        count: u64,
    }

    /// A recommended change.
    pub struct UsageRecommendation {
        /// The kind of usage or the source that the change concerns.
        key: String,
        /// How much of the usage that kind or source caused, in percent.
        pct: f64,
        /// What the user should do.
        title: String,
        /// Details of the recommendation.
        detail: Option<String>,
    }

    /// What the CLI can change by itself.
    pub struct UsageFix {
        /// The keys of the recommendations that the prompts follow.
        keys: Vec<String>,
        /// The prompts to send, in order.
        messages: Vec<String>,
    }

    /// How much of the usage one sub-agent, skill, plugin or server caused.
    pub struct UsageShare {
        /// The name of the sub-agent, skill, plugin or server.
        name: String,
        /// The share in the usage, in percent.
        pct: f64,
    }
}
