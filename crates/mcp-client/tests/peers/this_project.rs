//! Servers of this workspace as users start them: as a process, and over HTTP.

use std::process::Command;

use interop::{Everything, calculator};
use mcp_client::{Client, Revision};
use serde_json::json;

use crate::run;

#[test]
fn the_calculator_is_called_over_stdio_in_every_revision() {
    let calculator = calculator();
    run(async {
        for revision in Revision::ALL {
            let client = Client::spawn(Command::new(calculator)).revision(revision).await.unwrap();
            assert_eq!(client.tools().all().await.unwrap().len(), 3, "{revision}");
            assert_eq!(client.call_as::<i64>("add", json!({"a": 2, "b": 3})).await.unwrap(), 5, "{revision}");
            assert!(client.call("divide", json!({"a": 1, "b": 0})).await.unwrap().is_error, "{revision}");
            client.close().await;
        }
    });
}

#[test]
fn everything_is_listed_and_called_over_http_in_every_revision() {
    let server = Everything::start();
    run(async {
        for revision in Revision::ALL {
            let client = Client::http(server.url()).revision(revision).await.unwrap();
            let tools = client.tools().all().await.unwrap();
            assert!(tools.iter().any(|tool| tool.name == "test_simple_text"), "{revision}: {tools:?}");
            assert!(!client.call("test_simple_text", ()).await.unwrap().is_error, "{revision}");
            assert!(client.call("test_error_handling", ()).await.unwrap().is_error, "{revision}");
            let resources = client.resources().all().await.unwrap();
            assert!(!client.read(&resources[0].uri).await.unwrap().is_empty(), "{revision}");
            assert!(!client.prompts().all().await.unwrap().is_empty(), "{revision}");
            client.close().await;
        }
    });
}
