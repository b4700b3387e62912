//! The total usage of sessions.

use std::collections::BTreeMap;

use super::account::{Account, Reported, Spent};
use super::price::Prices;
use super::tokens::Tokens;
use crate::message::{Message, StreamEvent, TurnResult};

/// Adds up the usage of sessions: over turns, models and sub-agents.
///
/// Feed it every message of one or more sessions. The totals in a result are taken unchanged: they include sub-agents
/// and API requests for which there are no messages. Between results, [`estimate`](Self::estimate) adds the usage in
/// the messages since the last result. Without partial messages this is too low: the complete messages report all input
/// tokens of an answer, but only a few of its output tokens.
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
    tokens: Tokens,
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
                self.answer(&said.id, &said.model, assistant.parent_tool_use_id.as_deref(), Tokens::from(&said.usage));
            }
            Message::Stream(partial) => match &partial.event {
                StreamEvent::MessageStart(said) => {
                    self.answer(&said.id, &said.model, partial.parent_tool_use_id.as_deref(), Tokens::from(&said.usage));
                }
                StreamEvent::MessageDelta { usage, .. } => {
                    if let Some(id) = &partial.api_message_id {
                        self.answer(id, "", partial.parent_tool_use_id.as_deref(), Tokens::from(&**usage));
                    }
                }
                _ => {}
            },
            _ => {}
        }
    }

    pub(crate) fn feed_result(&mut self, result: &TurnResult, session: &str) {
        self.turns += 1;
        let models = result.model_usage.iter().map(|(model, usage)| {
            let spent =
                Spent { tokens: Tokens::from(usage), cost_usd: usage.cost_usd, web_searches: usage.web_search_requests };
            (model.clone(), spent)
        });
        let reported = Reported { cost_usd: result.total_cost_usd, models: models.collect() };
        self.sessions.entry(session.to_owned()).or_default().record(reported, result.result_index);
        for answer in std::mem::take(&mut self.open).into_values() {
            if let Some(agent) = answer.parent {
                *self.agents.entry(agent).or_default() += answer.tokens;
            }
        }
    }

    /// Several messages report the usage of the same answer, each time with higher counts.
    fn answer(&mut self, id: &str, model: &str, parent: Option<&str>, tokens: Tokens) {
        let answer = self.open.entry(id.to_owned()).or_default();
        answer.tokens = answer.tokens.at_least(tokens);
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

    /// Returns the cost of all sessions, as reported in the last result of each.
    pub fn cost_usd(&self) -> f64 {
        self.reported().map(|reported| reported.cost_usd).sum()
    }

    /// Returns the usage of each model, as reported in the last results.
    pub fn models(&self) -> BTreeMap<&str, Spent> {
        let mut models: BTreeMap<&str, Spent> = BTreeMap::new();
        for (model, spent) in self.reported().flat_map(|reported| &reported.models) {
            *models.entry(model).or_default() += *spent;
        }
        models
    }

    /// Returns the number of tokens of all models, as reported in the last results.
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
                *agents.entry(agent).or_default() += answer.tokens;
            }
        }
        agents
    }

    /// Returns the usage in the messages since the last result, by model.
    pub fn since_result(&self) -> BTreeMap<&str, Tokens> {
        let mut models: BTreeMap<&str, Tokens> = BTreeMap::new();
        for answer in self.open.values() {
            *models.entry(&answer.model).or_default() += answer.tokens;
        }
        models
    }

    /// Estimates the cost: the reported cost, plus an estimate for the messages since the last result. Models without a
    /// price are not counted.
    pub fn estimate(&self, prices: &Prices) -> f64 {
        let open = self.since_result().into_iter().filter_map(|(model, tokens)| prices.cost(model, tokens));
        self.cost_usd() + open.sum::<f64>()
    }

    /// Returns a copy without estimates. It is the same for all readers of a session, regardless of which partial
    /// messages they have seen.
    pub(crate) fn settled(&self) -> Self {
        Self { open: BTreeMap::new(), agents: BTreeMap::new(), ..self.clone() }
    }

    fn reported(&self) -> impl Iterator<Item = &Reported> {
        self.sessions.values().flat_map(|account| [&account.before, &account.now])
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

    fn result(session: &str, index: u64, cost: f64) -> Value {
        json!({"type": "result", "subtype": "success", "session_id": session, "result_index": index,
               "total_cost_usd": cost, "modelUsage": {"m": {"inputTokens": 10 * (index + 1), "costUSD": cost}}})
    }

    fn answer(id: &str, output: u64, parent: Option<&str>) -> Value {
        json!({"type": "assistant", "parent_tool_use_id": parent,
               "message": {"id": id, "model": "m", "usage": {"input_tokens": 100, "output_tokens": output}}})
    }

    #[test]
    fn results_of_one_process_are_cumulative_and_processes_add_up() {
        let mut tally = Tally::new();
        for message in [result("a", 0, 1.0), result("a", 1, 3.0), result("b", 0, 10.0)] {
            feed(&mut tally, message);
        }
        assert_eq!((tally.cost_usd(), tally.turns(), tally.tokens().input), (13.0, 3, 30));
        // Session a is resumed: a new process, which counts from zero. Its first result may be higher than the last one
        // before.
        feed(&mut tally, result("a", 0, 5.0));
        assert_eq!((tally.cost_usd(), tally.models()["m"].cost_usd), (18.0, 18.0));
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
        assert!((tally.estimate(&prices) - 314e-6).abs() < 1e-12);
        feed(&mut tally, result("a", 0, 0.5));
        assert_eq!((tally.estimate(&prices), tally.since_result().len()), (0.5, 0));
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
