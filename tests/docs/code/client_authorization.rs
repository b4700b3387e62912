//! The code of `docs/client-authorization.md`.

use std::error::Error;

use mcp_client::{Client, FileStore, OAuth, PrivateKey, RegisteredClient};

async fn log_in() -> Result<(), Box<dyn Error>> {
    let oauth = OAuth::new().client_name("My editor").store(FileStore::of_user()?);
    let client = Client::http("https://mcp.example.com/mcp").authorize(oauth).await?;
    client.call("search", ()).await?;
    Ok(())
}

async fn without_a_user(secret: String) -> Result<(), Box<dyn Error>> {
    let reports = RegisteredClient::new("reports").secret(secret).issuer("https://login.example.com");
    let client = Client::http("https://mcp.example.com/mcp").authorize(OAuth::client_credentials(reports)).await?;
    client.call("search", ()).await?;
    Ok(())
}

async fn with_a_key() -> Result<(), Box<dyn Error>> {
    let key = PrivateKey::from_pem(&std::fs::read_to_string("client.pem")?)?;
    let reports = RegisteredClient::new("reports").private_key(key).issuer("https://login.example.com");
    let oauth = OAuth::client_credentials(reports);
    let client = Client::http("https://mcp.example.com/mcp").authorize(oauth).await?;
    client.call("search", ()).await?;
    Ok(())
}

async fn in_a_terminal() -> Result<(), Box<dyn Error>> {
    let oauth = OAuth::new().open_browser(async |url| {
        println!("Open this page to log in: {url}");
        Ok(())
    });
    let client = Client::http("https://mcp.example.com/mcp").authorize(oauth).await?;
    client.call("search", ()).await?;
    Ok(())
}
