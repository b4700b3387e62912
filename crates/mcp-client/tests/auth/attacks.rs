//! Hostile servers, and pages that interfere with a login.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use mcp_client::{
    AuthRequest, Authorize, AuthorizeError, Boxed, Challenge, Client, Credentials, Next, OAuth, Recovery, RegisteredClient,
    Revision,
};
use serde_json::json;
use url::Url;

use crate::browser::user;
use crate::test_server::{Reply, World};

const RESOURCE: &str = "mcp /.well-known/oauth-protected-resource/mcp";
const ISSUER: &str = "auth /.well-known/oauth-authorization-server";

/// Checks that connecting fails with this error, and that no login page was opened.
async fn refused_before_the_login(world: &World, expected: &str) {
    let error = world.refusal(user().fetch_timeout(Duration::from_secs(10))).await;
    assert!(error.contains(expected), "{error}");
    assert_eq!((world.logins(), world.count("auth POST /register"), world.count("auth POST /token")), (0, 0, 0));
}

/// Checks that connecting fails with this error after the login, and that no code is exchanged.
async fn refused_after_the_login(world: &World, oauth: OAuth, expected: &str) -> String {
    let error = world.refusal(oauth).await;
    assert!(error.contains(expected), "{error}");
    assert_eq!((world.logins(), world.count("auth POST /token")), (1, 0));
    error
}

#[tokio::test]
async fn metadata_of_another_issuer_is_refused() {
    for issuer in ["https://honest.example.com".to_owned(), "{auth}/".to_owned()] {
        let world = World::start().await;
        world.state().metadata = json!({"issuer": issuer.replace("{auth}", &world.auth)});
        refused_before_the_login(&world, "names another issuer").await;
    }
}

#[tokio::test]
async fn metadata_of_another_resource_is_refused() {
    let world = World::start().await;
    let resource = json!({"resource": "https://honest.example.com/mcp", "authorization_servers": [world.auth]});
    world.reply(RESOURCE, Reply::Json(resource));
    refused_before_the_login(&world, "is for the resource").await;
}

#[tokio::test]
async fn a_server_without_pkce_is_refused() {
    let world = World::start().await;
    world.state().metadata = json!({"code_challenge_methods_supported": ["plain"]});
    refused_before_the_login(&world, "PKCE").await;
}

#[tokio::test]
async fn endless_metadata_is_refused() {
    for path in [RESOURCE, ISSUER] {
        let world = World::start().await;
        world.reply(path, Reply::Endless);
        refused_before_the_login(&world, "larger than").await;
    }
}

#[tokio::test]
async fn slow_metadata_is_given_up() {
    for path in [RESOURCE, ISSUER] {
        let world = World::start().await;
        world.reply(path, Reply::Never);
        let error = world.refusal(user().fetch_timeout(Duration::from_millis(300))).await;
        assert!(error.contains("timed out"), "{error}");
        assert_eq!(world.logins(), 0);
    }
}

#[tokio::test]
async fn redirects_of_metadata_are_not_followed() {
    for path in [RESOURCE, ISSUER] {
        let world = World::start().await;
        let trap = format!("{}/trap", world.auth);
        world.reply(path, Reply::Redirect(trap));
        refused_before_the_login(&world, "redirects are not followed").await;
        assert_eq!(world.count("auth GET /trap"), 0);
    }
}

#[tokio::test]
async fn a_code_or_secret_does_not_follow_a_redirect_of_the_token_endpoint() {
    let world = World::start().await;
    world.reply("auth /token", Reply::Redirect(format!("{}/trap", world.auth)));
    let error = world.refusal(user()).await;
    assert!(error.contains("redirects are not followed"), "{error}");
    let trapped = |line: &String| line.ends_with("/trap");
    assert!(!world.state().log.iter().any(trapped));
}

#[tokio::test]
async fn addresses_without_encryption_are_refused() {
    for key in ["authorization_endpoint", "token_endpoint", "registration_endpoint"] {
        let world = World::start().await;
        world.state().metadata = json!({key: "http://auth.example.com/x"});
        refused_before_the_login(&world, "must use https").await;
    }
    let world = World::start().await;
    world.reply(RESOURCE, Reply::Json(json!({"resource": world.mcp, "authorization_servers": ["http://auth.example.com"]})));
    refused_before_the_login(&world, "must use https").await;
}

#[tokio::test]
async fn addresses_of_metadata_services_are_refused() {
    for address in ["https://169.254.169.254", "https://[fd00:ec2::254]", "https://[::ffff:169.254.169.254]"] {
        let world = World::start().await;
        world.reply(RESOURCE, Reply::Json(json!({"resource": world.mcp, "authorization_servers": [address]})));
        refused_before_the_login(&world, "internal address").await;
    }
}

#[tokio::test]
async fn a_program_is_not_started_for_a_login_page_with_another_scheme() {
    for page in ["file:///bin/sh", "javascript:alert(1)", "calc:x"] {
        let world = World::start().await;
        world.state().metadata = json!({"authorization_endpoint": page});
        refused_before_the_login(&world, "must use https").await;
    }
}

#[tokio::test]
async fn a_response_of_another_issuer_is_refused_and_not_shown() {
    let world = World::start().await;
    world.state().redirected = |url| {
        url.query_pairs_mut().append_pair("iss", "https://evil.example.com").append_pair("error", "shown-by-mistake");
    };
    let error = refused_after_the_login(&world, user(), "another authorization server").await;
    assert!(!error.contains("shown-by-mistake") && !error.contains("evil"), "{error}");
}

#[tokio::test]
async fn a_response_without_its_promised_issuer_is_refused() {
    let world = World::start().await;
    world.state().metadata = json!({"authorization_response_iss_parameter_supported": true});
    refused_after_the_login(&world, user(), "`iss` is missing").await;
}

#[tokio::test]
async fn a_response_with_another_state_is_discarded() {
    let world = World::start().await;
    world.state().redirected = |url| {
        let code = url.query_pairs().find(|(name, _)| name == "code").unwrap().1.into_owned();
        url.query_pairs_mut().clear().append_pair("code", &code).append_pair("state", "guessed");
    };
    let oauth = user().login_timeout(Duration::from_millis(500));
    refused_after_the_login(&world, oauth, "nobody logged in").await;
}

#[tokio::test]
async fn a_login_survives_requests_of_others_to_its_port() {
    let world = World::start().await;
    let oauth = OAuth::new().open_browser(async |url: Url| {
        let redirect = url.query_pairs().find(|(name, _)| name == "redirect_uri").unwrap().1.into_owned();
        for query in ["?code=stolen&state=guessed", "?error=access_denied", "/other", ""] {
            let status = reqwest::get(format!("{redirect}{query}")).await.unwrap().status();
            assert!(status.is_client_error(), "{query}");
        }
        // A connection that sends nothing does not block the others.
        let port = Url::parse(&redirect).unwrap().port().unwrap();
        let _silent = tokio::net::TcpStream::connect(("127.0.0.1", port)).await.unwrap();
        crate::browser::visit(url).await
    });
    world.connect(oauth).await.unwrap();
    assert_eq!(world.state().forms[0]["code"], "code-3");
}

#[tokio::test]
async fn a_replayed_response_is_refused() {
    let world = World::start().await;
    let statuses = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&statuses);
    let oauth = OAuth::new().open_browser(move |url: Url| {
        let seen = Arc::clone(&seen);
        async move {
            let stop = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).build().unwrap();
            let page = stop.get(url).send().await.unwrap();
            let back = page.headers()["location"].to_str().unwrap().to_owned();
            let both = [tokio::spawn(reqwest::get(back.clone())), tokio::spawn(reqwest::get(back))];
            tokio::spawn(async move {
                for visited in both {
                    let status = visited.await.unwrap().map(|page| page.status().as_u16());
                    seen.lock().unwrap().push(status.unwrap_or(0));
                }
            });
            std::future::pending().await
        }
    });
    world.connect(oauth).await.unwrap();
    assert_eq!(world.count("auth POST /token"), 1);
    while statuses.lock().unwrap().len() < 2 {
        tokio::task::yield_now().await;
    }
    assert_eq!(statuses.lock().unwrap().iter().filter(|status| **status == 200).count(), 1, "{statuses:?}");
}

#[tokio::test]
async fn a_secret_is_not_sent_to_another_authorization_server() {
    let world = World::start().await;
    let client = RegisteredClient::new("me").secret("s3cret").issuer("https://login.example.com");
    let error = world.refusal(OAuth::client_credentials(client)).await;
    assert!(error.contains("is registered at `https://login.example.com`"), "{error}");
    assert_eq!(world.count("auth POST /token"), 0);
}

#[tokio::test]
async fn a_secret_stays_with_the_first_authorization_server() {
    let (world, other) = (World::start().await, World::start().await);
    let oauth = OAuth::client_credentials(RegisteredClient::new("me").secret("s3cret"));
    let client = world.connect(oauth).await.unwrap();
    world.reply(RESOURCE, Reply::Json(json!({"resource": world.mcp, "authorization_servers": [other.auth]})));
    world.state().access.clear();
    let error = client.call("look", ()).await.unwrap_err().to_string();
    assert!(error.contains("now names the authorization server"), "{error}");
    assert_eq!(other.count("auth POST /token"), 0);
}

/// Shares one OAuth value between two clients.
struct Shared(Arc<OAuth>);

impl Authorize for Shared {
    fn credentials<'a>(&'a self, request: &'a AuthRequest) -> Boxed<'a, Result<Option<Credentials>, AuthorizeError>> {
        self.0.credentials(request)
    }

    fn challenged<'a>(&'a self, challenge: &'a Challenge) -> Boxed<'a, Result<Next, AuthorizeError>> {
        self.0.challenged(challenge)
    }
}

#[tokio::test]
async fn a_token_is_sent_to_its_server_only() {
    let (world, other) = (World::start().await, World::start().await);
    let oauth = Arc::new(user());
    let client = world.connect_with(Shared(Arc::clone(&oauth))).await.unwrap();
    assert!(other.connect_with(Shared(oauth)).await.is_err());
    // A redirect does not send the token there either.
    world.reply("mcp /mcp", Reply::Redirect(other.mcp.to_string()));
    assert!(client.call("look", ()).await.is_err());
    assert!(other.state().headers.iter().all(Option::is_none));
    assert!(!other.state().headers.is_empty());
}

#[tokio::test]
async fn a_token_is_not_sent_without_encryption() {
    let world = World::start().await;
    // Reaches this machine, but is not a loopback address.
    let url = world.mcp.as_str().replace("127.0.0.1", "0.0.0.0");
    let builder = Client::http(url).revision(Revision::NEWEST).recovery(Recovery::off()).authorize(user());
    let error = builder.await.unwrap_err();
    let text = format!("{error:?}");
    assert!(text.contains("https only"), "{text}");
    assert_eq!(world.logins(), 0);
}

#[tokio::test]
async fn errors_and_debug_output_show_no_secret() {
    let world = World::start().await;
    world.state().metadata = json!({"token_endpoint_auth_methods_supported": ["client_secret_post"]});
    let oauth = user().client(RegisteredClient::new("me").secret("s3cret"));
    assert!(!format!("{oauth:?}").contains("s3cret"));
    // The code is unknown, and the error of the server repeats the whole request.
    world.state().redirected = |url| {
        let state = url.query_pairs().find(|(name, _)| name == "state").unwrap().1.into_owned();
        url.query_pairs_mut().clear().append_pair("code", "c0de").append_pair("state", &state);
    };
    let error = world.connect(oauth).await.unwrap_err();
    let text = format!("{error} {error:?}");
    assert!(text.contains("invalid_grant") && !text.contains("s3cret") && !text.contains("c0de"), "{text}");
}

#[tokio::test]
async fn a_refused_login_ends_with_the_reason() {
    let world = World::start().await;
    world.state().redirected = |url| {
        let state = url.query_pairs().find(|(name, _)| name == "state").unwrap().1.into_owned();
        url.query_pairs_mut().clear().append_pair("error", "access_denied").append_pair("state", &state);
    };
    refused_after_the_login(&world, user(), "access_denied").await;
}
