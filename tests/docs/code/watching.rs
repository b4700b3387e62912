//! The code of `docs/watching.md`.

use mcp_agent::Agent;
use mcp_agent_web::Hub;

async fn serve() -> std::io::Result<()> {
    let hub = Hub::builder(|chat| Agent::new().permission(chat.ask())).build();
    hub.serve("127.0.0.1:8080").await
}

fn mounted(app: axum::Router, hub: &Hub) -> axum::Router {
    app.nest("/agent", hub.router())
}

use mcp_agent_web::{Decoder, Transcript};

async fn watch(url: &str, token: &str) -> Result<Transcript, Box<dyn std::error::Error>> {
    let (client, mut decoder, mut transcript) = (reqwest::Client::new(), Decoder::default(), Transcript::default());
    loop {
        let request = client.get(url).bearer_auth(token).header("last-event-id", decoder.last_id().unwrap_or_default());
        let mut response = request.send().await?.error_for_status()?;
        if response.status() == 204 {
            return Ok(transcript);
        }
        // An error is a lost connection: continue after the last event.
        while let Ok(Some(bytes)) = response.chunk().await {
            for event in decoder.feed(&bytes)? {
                transcript.follow(&event)?;
                println!("{}: {:?}", event.name, transcript.last_text());
            }
        }
    }
}

use mcp_agent_web::Access;

fn for_users_of_a_proxy() -> Access {
    let access = Access::by(|caller| async move {
        let user = caller.headers.get("x-user").and_then(|user| user.to_str().ok());
        owns(user, caller.chat.as_deref()).await
    });
    access.allow_hosts(["chat.example.com"])
}

async fn owns(user: Option<&str>, chat: Option<&str>) -> bool {
    // Look it up in your database.
    user == Some("ada") && chat.is_some()
}

use mcp_agent_history::History;

fn with_earlier_sessions(home: &str) -> Hub {
    let hub = Hub::builder(|chat| Agent::new().cwd("/code").permission(chat.ask()));
    let token = std::env::var("CHAT_TOKEN").unwrap_or_default();
    hub.history(History::of_home(home), "/code").access(Access::token(token)).build()
}

use mcp_agent_web_redis::RedisChats;

async fn on_several_instances() -> Result<Hub, Box<dyn std::error::Error>> {
    let chats = RedisChats::connect("redis://127.0.0.1:6379").await?;
    Ok(Hub::builder(|chat| Agent::new().permission(chat.ask())).store(chats).build())
}

use mcp_agent::Unread;

fn limits() -> Hub {
    let hub = Hub::builder(|chat| Agent::new().unread(Unread::interrupt().memory(4 << 20)).permission(chat.ask()));
    hub.ring(500, 1 << 20).max_watchers(100).max_sessions(20).build()
}
