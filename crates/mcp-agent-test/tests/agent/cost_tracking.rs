//! The cost that the real CLI reports, and limits for it.

use std::collections::BTreeSet;
use std::process::Command;

use mcp_agent::cost::{AnswerUsage, Budget, Price, Prices, Spending, Tally, Tokens};
use mcp_agent::message::ModelUsage;
use mcp_agent::{Error, Session, TurnFailure};
use mcp_agent_test::{Cli, Turn, Usage, prompt};
use serde_json::json;

use crate::test_setup::{read_run, send, setup_or_skip, within};

/// A usage with tokens of every category, different for each of them.
///
/// The numbers are small, because the CLI makes further requests to the model when the context is full.
fn usage_of_every_kind() -> Usage {
    Usage::new(1_000, 200).cache_creation(300).cache_creation_1h(500).cache_read(7_000).web_searches(3)
}

fn answer(usage: Usage) -> AnswerUsage {
    let reported: mcp_agent::message::Usage = serde_json::from_str(&serde_json::to_string(&usage).unwrap()).unwrap();
    AnswerUsage::from(&reported)
}

/// Returns the names in the program of the CLI that look like the name of a model with a version.
fn names_in(cli: &Cli) -> BTreeSet<String> {
    let arguments = ["-aoE", "claude-[a-z0-9-]*[0-9][a-z0-9-]*"];
    let output = Command::new("grep").args(arguments).arg(cli.path()).output().expect("grep runs");
    let text = String::from_utf8(output.stdout).expect("text");
    text.lines().filter(|name| !name.ends_with('-')).map(str::to_owned).collect()
}

/// Has a turn with this usage, and returns what the CLI reports for the model, if it used that model.
async fn cost_of_turn(session: &mut Session, model: &str, usage: Usage) -> Option<ModelUsage> {
    send(session, [Turn::text("x").usage(usage)]).await;
    // By model, because the CLI may make requests to another model.
    read_run(session).await.1.model_usage_since_last_result.clone().unwrap().remove(model)
}

#[tokio::test]
async fn every_model_that_the_cli_has_a_price_for_has_the_same_price_here() {
    let setup = setup_or_skip!();
    let mut session = within(setup.agent().open()).await.unwrap();
    let prices = Prices::default();
    let mut compared = BTreeSet::new();
    let mut names = names_in(&setup.cli);
    names.extend(session.welcome().models.iter().filter_map(|model| model.resolved_model.clone()));
    names.extend(["us.anthropic.claude-opus-4-5-20251101-v1:0", "claude-sonnet-5@20260101"].map(str::to_owned));
    for name in names {
        within(session.handle().set_model(Some(&name))).await.unwrap();
        for usage in [usage_of_every_kind(), usage_of_every_kind().fast(), usage_of_every_kind().us_only()] {
            // `None`: the CLI replaces the names of some retired models by that of another model.
            let Some(reported) = cost_of_turn(&mut session, &name, usage).await else { break };
            let estimate = prices.cost(&name, answer(usage));
            if reported.cost_basis.as_deref() == Some("unknown") {
                assert_eq!(estimate, None, "{name} has no price in the CLI");
                break;
            }
            let estimate = estimate.unwrap_or_else(|| panic!("{name} has a price in the CLI and none here"));
            assert!((reported.cost_usd - estimate).abs() < 1e-9, "{name}: {} and not {estimate}", reported.cost_usd);
            compared.extend([name.clone(), reported.canonical_model.unwrap()]);
        }
    }
    let not_compared: Vec<&str> = prices.models().filter(|model| !compared.contains(*model)).collect();
    assert!(not_compared.is_empty(), "the CLI has no price for {not_compared:?}");
    within(session.close()).await.unwrap();
}

#[tokio::test]
async fn long_prompts_cost_what_the_cli_reports() {
    let setup = setup_or_skip!();
    let mut session = within(setup.agent().model("claude-haiku-5-5").open()).await.unwrap();
    for tokens in [100_000, 100_001, 150_000] {
        let usage = Usage::new(tokens - 50_000, 20).cache_read(50_000);
        let reported = cost_of_turn(&mut session, "claude-haiku-5-5", usage).await.unwrap().cost_usd;
        let estimate = Prices::default().cost("claude-haiku-5-5", answer(usage)).unwrap();
        assert!((reported - estimate).abs() < 1e-9, "{tokens} tokens: {reported} and not {estimate}");
    }
    within(session.close()).await.unwrap();
}

#[tokio::test]
async fn a_resumed_session_is_not_counted_twice() {
    let setup = setup_or_skip!();
    let turn = || [Turn::text("x").usage(Usage::new(1_000, 100))];
    let (mut tally, mut budget) = (Tally::new(), Budget::usd(1.0));
    let (mut id, mut total) = (None, 0.0);
    for _ in 0..3 {
        let agent = setup.agent().model("claude-opus-4-5");
        let agent = id.take().map_or(agent.clone(), |id: String| agent.resume(id));
        let mut session = within(agent.open()).await.unwrap();
        for _ in 0..2 {
            send(&session, turn()).await;
            let (messages, result) = read_run(&mut session).await;
            for message in &messages {
                tally.feed(message);
                budget.feed(message).unwrap();
            }
            assert!((tally.cost_usd() - result.total_cost_usd).abs() < 1e-9, "{tally:?}");
            (id, total) = (result.field("session_id"), result.total_cost_usd);
        }
        within(session.close()).await.unwrap();
    }
    assert_eq!((tally.turns(), tally.tokens()), (6, Tokens::new(6_000, 600)));
    assert!(total > 0.04, "the CLI includes earlier processes: {total}");
    assert!(matches!(budget.spending(), Ok(Spending::Within(left)) if (left - (1.0 - total)).abs() < 1e-9));
    // The CLI includes the cost of the original in that of a fork. Only what the fork costs itself is new.
    let mut fork = within(setup.agent().model("claude-opus-4-5").resume(id.unwrap()).fork().open()).await.unwrap();
    send(&fork, turn()).await;
    let (messages, result) = read_run(&mut fork).await;
    messages.iter().for_each(|message| tally.feed(message));
    assert!((tally.cost_usd() - result.total_cost_usd).abs() < 1e-9, "{} and {}", tally.cost_usd(), result.total_cost_usd);
    assert_eq!(tally.tokens(), Tokens::new(7_000, 700));
    within(fork.close()).await.unwrap();
}

#[tokio::test]
async fn a_model_without_a_price_is_an_error_of_the_budget_and_is_interrupted() {
    let setup = setup_or_skip!();
    let name = "acme-model-1";
    let mut session = within(setup.agent().partial_messages(true).model(name).open()).await.unwrap();
    let pause = setup.model.pause_point("never");
    let step = Turn::tool("Read", json!({"file_path": "/nowhere"})).usage(Usage::new(11_000_000, 10));
    send(&session, [step, Turn::text("never said").pause_before(&pause)]).await;
    let mut budget = Budget::usd(0.01);
    let mut unpriced = None;
    let failure = loop {
        match within(session.next()).await {
            Ok(Some(message)) => {
                if let Err(error) = within(budget.guard(&session.handle(), &message)).await {
                    unpriced.get_or_insert(error);
                }
            }
            Ok(None) => panic!("the turn went on"),
            Err(Error::Turn(error)) => break error.failure,
            Err(error) => panic!("{error}"),
        }
    };
    assert_eq!(failure, TurnFailure::Interrupted);
    assert!(matches!(unpriced, Some(Error::UnpricedModel(error)) if error.model == name));
    pause.release();
    // With a price of the user the same session has a cost.
    let mut budget = Budget::usd(10.0).prices(Prices::default().otherwise(Price::new(1.0, 1.0)));
    while within(session.next()).await.unwrap().is_some() {}
    send(&session, [Turn::text("x").usage(Usage::new(11_000_000, 0))]).await;
    let mut spending = None;
    while let Some(message) = within(session.next()).await.unwrap() {
        spending = Some(budget.feed(&message).unwrap());
    }
    assert!(matches!(spending, Some(Spending::Over(over)) if (over - 1.0).abs() < 1e-3), "{spending:?}");
    within(session.close()).await.unwrap();
}

#[tokio::test]
async fn turns_and_sub_agents_add_up_to_what_the_cli_reports() {
    let setup = setup_or_skip!();
    let mut session = within(setup.agent().partial_messages(true).forward_subagent_text(true).open()).await.unwrap();
    let mut tally = Tally::new();
    let inner = prompt("Say it.", [Turn::text("from below").usage(Usage::new(300, 40))]);
    let task = Turn::tool(
        "Agent",
        json!({"description": "d", "prompt": inner, "subagent_type": "general-purpose",
                                          "run_in_background": false}),
    );
    send(&session, [task.usage(Usage::new(100, 10)), Turn::text("done").usage(Usage::new(100, 10))]).await;
    let (messages, result) = read_run(&mut session).await;
    messages.iter().for_each(|message| tally.feed(message));
    assert_eq!((tally.cost_usd(), tally.turns()), (result.total_cost_usd, 1));
    assert_eq!(tally.tokens(), Tokens::new(500, 60));
    assert_eq!(tally.agents().into_values().map(|tokens| tokens.input).collect::<Vec<_>>(), [300]);
    send(&session, [Turn::text("more").usage(Usage::new(1, 1))]).await;
    read_run(&mut session).await.0.iter().for_each(|message| tally.feed(message));
    assert_eq!((tally.tokens(), tally.turns()), (Tokens::new(501, 61), 2));
    within(session.close()).await.unwrap();
}

#[tokio::test]
async fn a_turn_over_the_budget_is_interrupted_before_its_result() {
    let setup = setup_or_skip!();
    let mut session = within(setup.agent().partial_messages(true).allow_tools(["Bash"]).open()).await.unwrap();
    let mut budget = Budget::usd(1.0).prices(Prices::none().with("claude", Price::new(1.0, 1.0)));
    let pause = setup.model.pause_point("never");
    let step = Turn::tool("Bash", json!({"command": "true", "description": "d"})).usage(Usage::new(1_100_000, 10));
    send(&session, [step, Turn::text("never said").pause_before(&pause)]).await;
    let failure = loop {
        match within(session.next()).await {
            Ok(Some(message)) => {
                within(budget.guard(&session.handle(), &message)).await.unwrap();
            }
            Ok(None) => panic!("the turn was not interrupted"),
            Err(Error::Turn(error)) => {
                assert!(matches!(budget.fail(&Error::Turn(error.clone())), Ok(Spending::Over(_))));
                break error.failure;
            }
            Err(error) => panic!("{error}"),
        }
    };
    assert_eq!(failure, TurnFailure::Interrupted);
    pause.release();
    within(session.close()).await.unwrap();
}
