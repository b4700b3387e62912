//! A chat with an agent in the browser: several people, or several windows, can watch and steer the same session.
//!
//! ```sh
//! cargo run --example browser    # open the printed address in a browser
//! ```
//!
//! Shows text while it is written, tool calls with their results, changes of files, and the cost. Asks for permission, shows
//! the questions and the plans of the model, interrupts, and continues earlier sessions of this directory. Permission rules
//! come from the settings of the CLI.
//!
//! Listens on the loopback interface only, and requires the token in the printed address. Requires the Claude Code CLI; if it
//! is missing, the page explains how to install it.

use std::path::PathBuf;

use axum::Router;
use axum::http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::response::IntoResponse;
use axum::routing::get;
use mcp_agent::{Agent, SettingSource};
use mcp_agent_history::History;
use mcp_agent_web::Hub;
use mcp_core::{server, tool, tools};
use mcp_guard::{Layer, Rules};

/// Add two numbers.
#[tool(read_only, always_load)]
async fn add(a: i64, b: i64) -> i64 {
    a + b
}

/// The files of the page.
const FILES: [(&str, &str, &str); 6] = [
    ("/", "text/html; charset=utf-8", include_str!("page.html")),
    ("/page.css", "text/css", include_str!("page.css")),
    ("/chat.js", "text/javascript", include_str!("chat.js")),
    ("/items.js", "text/javascript", include_str!("items.js")),
    ("/asks.js", "text/javascript", include_str!("asks.js")),
    ("/markdown.js", "text/javascript", include_str!("markdown.js")),
];

/// Scripts and styles come from files of this server only, so text of the model could not run even if it became HTML.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; \
                      base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Serves the files of the page. They contain nothing secret; the token is needed for everything else.
fn page() -> Router {
    FILES.into_iter().fold(Router::new(), |router, (path, kind, text)| {
        let file = move || async move { ([(CONTENT_TYPE, kind), (CONTENT_SECURITY_POLICY, POLICY)], text).into_response() };
        router.route(path, get(file))
    })
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let cwd = std::env::current_dir()?;
    let home = std::env::home_dir().unwrap_or_else(|| PathBuf::from("/"));
    let rules = Rules::load(&cwd, &home)?.allow(Layer::Session, "mcp__calc__add")?;
    let hub = Hub::builder(move |chat| {
        Agent::new()
            .mount("calc", server!().tools(tools![add]))
            // The settings of the project may come with a cloned repository. Only their permission rules count here.
            .setting_sources([SettingSource::User])
            .rules_or(rules.clone(), chat.ask())
    });
    let hub = hub.history(History::of_home(&home), &cwd).build();

    let token = hub.token().unwrap_or_default().to_owned();
    let app = page().nest("/agent", hub.router());
    hub.serve_with(app, "127.0.0.1:0", |address| println!("http://{address}/agent/login?token={token}")).await?;
    Ok(())
}
