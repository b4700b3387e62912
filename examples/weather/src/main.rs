//! A server that wraps an HTTP API as a tool, with typed arguments, typed results, and errors that a model can act on.
//! `WEATHER_API` is the address of the API.
//!
//! ```sh
//! WEATHER_API=http://127.0.0.1:8080 cargo run -p weather-server
//! ```

use std::process::ExitCode;

use mcp_core::{Builder, Json, ToolError, server, tool, tools};
use reqwest::{Client, StatusCode};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The address of the API and a pooled HTTP client.
struct Api {
    base: String,
    http: Client,
}

#[derive(Clone, Copy, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Unit {
    Celsius,
    Fahrenheit,
}

#[derive(Deserialize, Serialize, JsonSchema)]
struct Forecast {
    city: String,
    temperature: f64,
    unit: Unit,
    /// a few words, such as `light rain`
    sky: Option<String>,
}

/// Return the weather forecast of a city.
#[tool(read_only, open_world, timeout = "10s")]
async fn forecast(
    /// the city's name in any language
    #[schemars(length(min = 1, max = 100))]
    city: String,
    /// the number of days from now; 0 is today
    #[default(0)]
    #[schemars(range(max = 14))]
    days: u8,
    #[default(Unit::Celsius)] unit: Unit,
    api: &Api,
) -> Result<Json<Forecast>, ToolError> {
    let request = api.http.get(format!("{}/forecast", api.base)).query(&Query { city: &city, days, unit });
    let answer = request.send().await?;
    if answer.status() == StatusCode::NOT_FOUND {
        return Err(format!("the city {city:?} is unknown: check its spelling").into());
    }
    Ok(Json(answer.error_for_status()?.json().await?))
}

#[derive(Serialize)]
struct Query<'a> {
    city: &'a str,
    days: u8,
    unit: Unit,
}

fn weather(base: String) -> Builder {
    server!().tools(tools![forecast]).state(Api { base, http: Client::new() })
}

fn main() -> Result<ExitCode, Box<dyn std::error::Error>> {
    let base = std::env::var("WEATHER_API").map_err(|_| "set WEATHER_API to the address of the API")?;
    Ok(mcp_stdio::run(weather(base)))
}

#[cfg(test)]
mod tests {
    use mcp_test::Client;
    use serde_json::{Value, json};
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpListener;

    use super::*;

    /// Starts a fake API that sends one response. Returns a client and the request that the API received.
    async fn api(status: &'static str, body: &'static str) -> (Client, tokio::task::JoinHandle<String>) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let client = Client::new(weather(format!("http://{}", listener.local_addr().unwrap())));
        let served = tokio::spawn(async move {
            let (mut stream, _) = listener.accept().await.unwrap();
            let mut request = vec![0; 4096];
            let length = stream.read(&mut request).await.unwrap();
            let head = format!("HTTP/1.1 {status}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}", body.len());
            stream.write_all(head.as_bytes()).await.unwrap();
            String::from_utf8_lossy(&request[..length]).lines().next().unwrap().to_owned()
        });
        (client, served)
    }

    #[tokio::test]
    async fn defaults_are_sent_and_the_response_is_typed() {
        let (client, request) = api("200 OK", r#"{"city": "Köln", "temperature": 21.5, "unit": "celsius"}"#).await;
        let forecast: Value = client.call_as("forecast", json!({"city": "Köln"})).await;
        assert_eq!(forecast, json!({"city": "Köln", "temperature": 21.5, "unit": "celsius", "sky": null}));
        assert_eq!(request.await.unwrap(), "GET /forecast?city=K%C3%B6ln&days=0&unit=celsius HTTP/1.1");
    }

    #[tokio::test]
    async fn errors_contain_a_fix_or_the_causes() {
        let (client, _request) = api("404 Not Found", "").await;
        let failure = client.call("forecast", json!({"city": "Nowhere"})).await;
        assert_eq!(failure.to_text(), "the city \"Nowhere\" is unknown: check its spelling");

        let (client, _request) = api("200 OK", "<html>").await;
        let failure = client.call("forecast", json!({"city": "Köln"})).await.to_text();
        assert!(
            failure.contains("decoding") && failure.contains("expected value"),
            "the chain of causes is missing: {failure}"
        );

        let failure =
            Client::new(weather("http://127.0.0.1:1".into())).call("forecast", json!({"city": "Köln"})).await.to_text();
        assert!(failure.contains("Connection refused"), "{failure}");
    }

    #[tokio::test]
    async fn invalid_arguments_are_not_sent_to_the_api() {
        let client = Client::new(weather("http://127.0.0.1:1".into()));
        let refusal = client.call("forecast", json!({"city": "", "days": 30, "unit": "kelvin"})).await.to_text();
        for part in ["city", "days", "14", "unit", "celsius", "fahrenheit"] {
            assert!(refusal.contains(part), "no {part} in: {refusal}");
        }
    }
}
