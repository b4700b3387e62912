//! `add` with rmcp in the same process, through the in-memory duplex of tokio: `duplex CASE CALLS`, with `rmcp` or `nothing`.

use std::time::Instant;

use rmcp::handler::server::{router::tool::ToolRouter, wrapper::Parameters};
use rmcp::schemars::JsonSchema;
use rmcp::{ServerHandler, ServiceExt, tool, tool_handler, tool_router};
use serde::Deserialize;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};

include!("../../../lines.rs");

const INITIALIZE: &str = r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"bench","version":"0"}}}"#;
const INITIALIZED: &str = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;

#[derive(Deserialize, JsonSchema)]
struct Add {
    a: i64,
    b: i64,
}

#[derive(Clone)]
struct Adder {
    tool_router: ToolRouter<Self>,
}

#[tool_router]
impl Adder {
    #[tool]
    async fn add(&self, Parameters(p): Parameters<Add>) -> String {
        (p.a + p.b).to_string()
    }
}

#[tool_handler(router = self.tool_router)]
impl ServerHandler for Adder {}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let (case, calls) = asked();
    let start = Instant::now();
    match case.as_str() {
        "rmcp" => duplex(calls).await,
        "nothing" => nothing(calls),
        other => panic!("no case {other}"),
    }
    println!("{}", start.elapsed().as_nanos());
}

async fn duplex(calls: u64) {
    let (client, server) = tokio::io::duplex(64 * 1024);
    let adder = Adder { tool_router: Adder::tool_router() };
    let server = tokio::spawn(async move { adder.serve(server).await.expect("it initialises").waiting().await });
    let (reader, mut writer) = tokio::io::split(client);
    let (mut reader, mut line) = (BufReader::new(reader), String::new());
    writer.write_all(format!("{INITIALIZE}\n").as_bytes()).await.expect("the duplex is open");
    reader.read_line(&mut line).await.expect("the duplex is open");
    writer.write_all(format!("{INITIALIZED}\n").as_bytes()).await.expect("the duplex is open");
    for id in 1..=calls {
        let mut request = request(id);
        request.push('\n');
        writer.write_all(request.as_bytes()).await.expect("the duplex is open");
        line.clear();
        reader.read_line(&mut line).await.expect("the duplex is open");
        check(id, line.as_bytes());
    }
    server.abort();
}
