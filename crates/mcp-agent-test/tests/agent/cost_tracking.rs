//! Costs that the real CLI reports, and cost limits.

use mcp_agent::cost::{Budget, Price, Prices, Spending, Tally, Tokens};
use mcp_agent::{Error, TurnFailure};
use mcp_agent_test::{Turn, Usage, prompt};
use serde_json::json;

use crate::test_setup::{read_run, send, setup_or_skip, within};

#[tokio::test]
async fn the_price_table_matches_the_costs_that_the_cli_reports() {
    let setup = setup_or_skip!();
    let mut session = within(setup.agent().open()).await.unwrap();
    let prices = Prices::default();
    for model in prices.models() {
        // The CLI accepts these models only by names with a date.
        let name = match model {
            "claude-3-5-haiku" => "claude-3-5-haiku-20241022",
            "claude-sonnet-4" => "claude-sonnet-4-20250514",
            model => model,
        };
        within(session.handle().set_model(Some(name))).await.unwrap();
        let usage = Usage::new(1_000, 200).cache_creation(300).cache_read(7_000);
        send(&session, [Turn::text("x").usage(usage)]).await;
        // The CLI may send other requests to another model, so only the cost of this model is compared.
        let reported = read_run(&mut session).await.1.model_usage[name].cost_usd;
        let mut tokens = Tokens::new(1_000, 200);
        (tokens.cache_write, tokens.cache_read) = (300, 7_000);
        let estimated = prices.cost(name, tokens).unwrap();
        assert!((reported - estimated).abs() < 1e-9, "{name}: reported {reported}, estimated {estimated}");
    }
    within(session.close()).await.unwrap();
}

#[tokio::test]
async fn the_costs_of_turns_and_sub_agents_add_up_to_the_reported_total() {
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
                assert!(matches!(budget.fail(&Error::Turn(error.clone())), Spending::Over(_)));
                break error.failure;
            }
            Err(error) => panic!("{error}"),
        }
    };
    assert_eq!(failure, TurnFailure::Interrupted);
    pause.release();
    within(session.close()).await.unwrap();
}
