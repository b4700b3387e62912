//! The total usage of sessions.

use std::collections::BTreeMap;

use super::account::{Account, ModelCost};
use super::answer::AnswerUsage;
use super::price_list::{Prices, UnpricedModel};
use super::tokens::Tokens;
use crate::message::{Message, StreamEvent, TurnResult};

/// Adds up the usage of sessions: over turns, models and sub-agents.
///
/// Feed it every message of one or more sessions. What a result reports is taken unchanged: it includes sub-agents and API
/// requests for which there are no messages. A session that was resumed or forked counts from where this tally saw it last:
/// what it had cost before that is not counted again. Between results, [`estimate`](Self::estimate) adds the usage in the
/// messages since the last result. Without partial messages these report the input tokens of an answer but only few of its
/// output tokens.
///
/// ```
/// # use mcp_agent::{Message, cost::{Prices, Tally}};
/// let mut tally = Tally::new();
/// let result = r#"{"type":"result","subtype":"success","session_id":"s","total_cost_usd":0.25,
///     "modelUsage":{"claude-opus-5-5":{"inputTokens":10,"outputTokens":20,"costUSD":0.25}}}"#;
/// tally.feed(&serde_json::from_str::<Message>(result)?);
/// assert_eq!((tally.cost_usd(), tally.turns(), tally.tokens().output), (0.25, 1, 20));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Tally {
    sessions: BTreeMap<String, Account>,
    // Usage since the last result, by the id of the answer.
    open: BTreeMap<String, Answer>,
    agents: BTreeMap<String, Tokens>,
    turns: u64,
}

/// One answer of a model, with the usage reported so far.
#[derive(Debug, Clone, Default, PartialEq)]
struct Answer {
    model: String,
    parent: Option<String>,
    usage: AnswerUsage,
}

impl Tally {
    /// Creates an empty tally.
    pub fn new() -> Self {
        Self::default()
    }

    /// Counts a message.
    pub fn feed(&mut self, message: &Message) {
        match message {
            Message::Result(result) => self.feed_result(result, &message.head().session_id.unwrap_or_default()),
            Message::Assistant(assistant) => {
                let said = &assistant.message;
                self.answer(&said.id, &said.model, assistant.parent_tool_use_id.as_deref(), AnswerUsage::from(&said.usage));
            }
            Message::Stream(partial) => match &partial.event {
                StreamEvent::MessageStart(said) => {
                    self.answer(
                        &said.id,
                        &said.model,
                        partial.parent_tool_use_id.as_deref(),
                        AnswerUsage::from(&said.usage),
                    );
                }
                StreamEvent::MessageDelta { usage, .. } => {
                    if let Some(id) = &partial.api_message_id {
                        self.answer(id, "", partial.parent_tool_use_id.as_deref(), AnswerUsage::from(&**usage));
                    }
                }
                _ => {}
            },
            _ => {}
        }
    }

    pub(crate) fn feed_result(&mut self, result: &TurnResult, session: &str) {
        self.turns += 1;
        self.sessions.entry(session.to_owned()).or_default().record(result);
        for answer in std::mem::take(&mut self.open).into_values() {
            if let Some(agent) = answer.parent {
                *self.agents.entry(agent).or_default() += answer.usage.tokens;
            }
        }
    }

    /// Records the usage of an answer. Several messages report the usage of the same answer, each time with higher counts.
    fn answer(&mut self, id: &str, model: &str, parent: Option<&str>, usage: AnswerUsage) {
        let answer = self.open.entry(id.to_owned()).or_default();
        answer.usage = answer.usage.at_least(usage);
        if !model.is_empty() {
            model.clone_into(&mut answer.model);
        }
        if let Some(parent) = parent {
            answer.parent = Some(parent.to_owned());
        }
    }
}

/// # Usage
impl Tally {
    /// Returns the number of finished turns.
    pub fn turns(&self) -> u64 {
        self.turns
    }

    /// Returns the cost of all sessions, as reported in their results.
    pub fn cost_usd(&self) -> f64 {
        self.sessions.values().map(|account| account.sum.cost_usd).sum()
    }

    /// Returns the usage of each model, as reported in the results.
    pub fn models(&self) -> BTreeMap<&str, ModelCost> {
        let mut models: BTreeMap<&str, ModelCost> = BTreeMap::new();
        for (model, spent) in self.sessions.values().flat_map(|account| &account.sum.models) {
            *models.entry(model).or_default() += *spent;
        }
        models
    }

    /// Returns the number of tokens of all models, as reported in the results.
    pub fn tokens(&self) -> Tokens {
        self.models().into_values().map(|spent| spent.tokens).sum()
    }

    /// Returns the usage of each sub-agent, by the id of the tool use that started it. It is included in the totals.
    ///
    /// The CLI only sends messages of sub-agents if [`forward_subagent_text`](crate::Agent::forward_subagent_text) is
    /// set.
    pub fn agents(&self) -> BTreeMap<&str, Tokens> {
        let mut agents: BTreeMap<&str, Tokens> =
            self.agents.iter().map(|(agent, tokens)| (agent.as_str(), *tokens)).collect();
        for answer in self.open.values() {
            if let Some(agent) = &answer.parent {
                *agents.entry(agent).or_default() += answer.usage.tokens;
            }
        }
        agents
    }

    /// Returns the usage in the messages since the last result, by model.
    pub fn since_result(&self) -> BTreeMap<&str, Tokens> {
        let mut models: BTreeMap<&str, Tokens> = BTreeMap::new();
        for answer in self.open.values() {
            *models.entry(&answer.model).or_default() += answer.usage.tokens;
        }
        models
    }

    /// Estimates the cost: the reported cost, plus an estimate for the messages since the last result.
    ///
    /// For a model that the CLI does not know, the CLI assumes the prices of another model. That part of the reported cost
    /// is replaced by an estimate too.
    ///
    /// # Errors
    /// If a model that was used has no price.
    pub fn estimate(&self, prices: &Prices) -> Result<f64, UnpricedModel> {
        let mut cost = self.cost_usd();
        for (model, spent) in self.models() {
            if spent.is_assumed && !spent.usage().is_nothing() {
                cost += prices.estimate(model, spent.usage())? - spent.assumed_usd;
            }
        }
        for answer in self.open.values() {
            cost += prices.estimate(&answer.model, answer.usage)?;
        }
        Ok(cost)
    }

    /// Returns a copy without estimates. It is the same for all readers of a session, regardless of which partial
    /// messages they have seen.
    pub(crate) fn settled(&self) -> Self {
        Self { open: BTreeMap::new(), agents: BTreeMap::new(), ..self.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cost::Price;
    use serde_json::{Value, json};

    fn feed(tally: &mut Tally, message: Value) {
        tally.feed(&serde_json::from_value(message).expect("a message"));
    }

    /// Returns a result message with cumulative totals. `since` adds the usage since the previous result, which newer CLIs also
    /// send.
    fn result(session: &str, total: f64, since: Option<f64>) -> Value {
        let usage = |cost: f64| json!({"m": {"inputTokens": (cost * 10.0) as u64, "costUSD": cost}});
        let mut result = json!({"type": "result", "subtype": "success", "session_id": session,
                                "total_cost_usd": total, "modelUsage": usage(total)});
        if let Some(since) = since {
            result["model_usage_since_last_result"] = usage(since);
        }
        result
    }

    fn answer(id: &str, output: u64, parent: Option<&str>) -> Value {
        json!({"type": "assistant", "parent_tool_use_id": parent,
               "message": {"id": id, "model": "m", "usage": {"input_tokens": 100, "output_tokens": output}}})
    }

    #[test]
    fn results_of_one_session_are_cumulative_and_sessions_add_up() {
        for has_since in [true, false] {
            let since = |cost| has_since.then_some(cost);
            let mut tally = Tally::new();
            for message in [result("a", 1.0, since(1.0)), result("a", 3.0, since(2.0)), result("b", 10.0, since(10.0))] {
                feed(&mut tally, message);
            }
            assert_eq!((tally.cost_usd(), tally.turns()), (13.0, 3));
            // Session "a" is resumed: its next total of 5 dollars includes the earlier 3 dollars.
            feed(&mut tally, result("a", 5.0, since(2.0)));
            assert_eq!((tally.cost_usd(), tally.models()["m"].cost_usd, tally.tokens().input), (15.0, 15.0, 150));
        }
    }

    #[test]
    fn what_a_session_had_cost_before_the_tally_saw_it_is_not_counted() {
        let mut tally = Tally::new();
        feed(&mut tally, result("fork", 9.0, Some(1.0)));
        assert_eq!((tally.cost_usd(), tally.tokens().input), (1.0, 10));
    }

    #[test]
    fn a_model_without_a_price_is_an_error_and_never_free() {
        let mut tally = Tally::new();
        feed(&mut tally, answer("1", 7, None));
        let prices = Prices::default();
        assert_eq!(tally.estimate(&prices).expect_err("no price").model, "m");
        let price = Price::new(1_000_000.0, 0.0);
        assert_eq!(tally.estimate(&prices.clone().otherwise(price)), Ok(100.0));
        // The CLI has no price for model "m" either: it reports an assumed cost of half a dollar.
        let mut assumed = result("a", 0.5, None);
        assumed["modelUsage"]["m"]["costBasis"] = json!("unknown");
        feed(&mut tally, assumed);
        assert!(tally.estimate(&prices).is_err());
        assert_eq!(tally.estimate(&prices.with("m", price)), Ok(5.0));
        assert_eq!(tally.cost_usd(), 0.5);
    }

    #[test]
    fn a_model_that_the_cli_assumes_to_be_free_is_not_free() {
        for has_since in [true, false] {
            let mut tally = Tally::new();
            let mut free = result("a", 0.0, has_since.then_some(0.0));
            let usage = json!({"m": {"inputTokens": 5, "costUSD": 0.0, "costBasis": "unknown"}});
            free["modelUsage"] = usage.clone();
            if has_since {
                free["model_usage_since_last_result"] = usage;
            }
            feed(&mut tally, free);
            let prices = Prices::default();
            assert_eq!(tally.estimate(&prices).expect_err("no price").model, "m");
            assert_eq!(tally.estimate(&prices.with("m", Price::new(1_000_000.0, 0.0))), Ok(5.0));
            assert!(tally.models()["m"].is_assumed);
        }
        let mut tally = Tally::new();
        let mut known = result("a", 0.0, None);
        known["modelUsage"] = json!({"m": {"inputTokens": 5, "costUSD": 0.0, "costBasis": "list"}});
        feed(&mut tally, known);
        assert_eq!(tally.estimate(&Prices::default()), Ok(0.0), "the CLI knows that it costs nothing");
    }

    #[test]
    fn an_answer_reported_several_times_counts_once_until_the_result() {
        let mut tally = Tally::new();
        feed(&mut tally, answer("1", 1, None));
        feed(&mut tally, answer("1", 1, None));
        let delta = json!({"type": "stream_event", "api_message_id": "1",
                           "event": {"type": "message_delta", "delta": {}, "usage": {"output_tokens": 50}}});
        feed(&mut tally, delta);
        feed(&mut tally, answer("2", 7, Some("toolu_1")));
        let prices = Prices::none().with("m", Price::new(1.0, 2.0));
        assert_eq!(tally.since_result()["m"], Tokens::new(200, 57));
        assert_eq!(tally.agents()["toolu_1"], Tokens::new(100, 7));
        assert!((tally.estimate(&prices).expect("priced") - 314e-6).abs() < 1e-12);
        feed(&mut tally, result("a", 0.5, None));
        assert_eq!((tally.estimate(&prices), tally.since_result().len()), (Ok(0.5), 0));
        assert_eq!(tally.agents()["toolu_1"], Tokens::new(100, 7), "what a sub-agent used is still known");
    }

    #[test]
    fn huge_counts_do_not_overflow() {
        let mut tally = Tally::new();
        for id in ["1", "2"] {
            feed(&mut tally, answer(id, u64::MAX, None));
        }
        assert_eq!(tally.since_result()["m"].total(), u64::MAX);
    }
}
