//! Servers of this workspace as users start them: as a process, and over HTTP.

use std::process::Command;

use interop::{Everything, calculator};
use mcp_client::{CallError, Client, Revision};
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

/// The tools of the calculator, as a program declares them that has no other source of the server than its documentation.
mod declared {
    use mcp_core::tool;

    /// Add two numbers.
    #[tool]
    pub(super) fn add(a: i64, b: i64) -> i64 {
        a + b
    }

    /// Divide one number by another.
    #[tool]
    pub(super) fn divide(a: f64, b: f64) -> Result<f64, String> {
        Ok(a / b)
    }
}

#[test]
fn declared_functions_call_the_tools_of_a_process_in_every_revision() {
    let calculator = calculator();
    run(async {
        for revision in Revision::ALL {
            let client = Client::spawn(Command::new(calculator)).revision(revision).await.unwrap();
            assert_eq!(declared::add::on(&client).call(2, 3).await.unwrap(), 5, "{revision}");
            assert!((declared::divide::on(&client).call(1.0, 4.0).await.unwrap() - 0.25).abs() < f64::EPSILON);
            let error = declared::divide::on(&client).call(1.0, 0.0).await.unwrap_err();
            assert!(matches!(&error, CallError::Tool(result) if result.to_text().contains("division by zero")), "{error}");
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
