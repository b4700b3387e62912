//! Logins, registrations and scopes.

use mcp_client::{OAuth, PrivateKey, RegisteredClient};
use serde_json::json;

use crate::browser::user;
use crate::test_server::{Reply, World, basic};

#[tokio::test]
async fn a_login_brings_a_token_for_the_server() {
    let world = World::start().await;
    let client = world.connect(user()).await.unwrap();
    assert_eq!(client.call("look", ()).await.unwrap().to_text(), "seen");
    assert_eq!((world.logins(), world.count("auth POST /register"), world.count("auth POST /token")), (1, 1, 1));
    let state = world.state();
    assert_eq!(state.queries[0]["resource"], world.mcp.as_str());
    assert_eq!(state.forms[0]["resource"], world.mcp.as_str());
    assert_eq!(state.queries[0].get("scope"), None);
    // The first request had no token, all others have it.
    assert_eq!(state.headers.iter().filter(|header| header.is_none()).count(), 1);
}

#[tokio::test]
async fn calls_at_the_same_time_share_one_login() {
    let world = World::start().await;
    world.state().discover_needs_token = false;
    let client = world.connect(user()).await.unwrap();
    assert_eq!(world.logins(), 0);
    let calls = (0..8).map(|_| {
        let client = client.clone();
        tokio::spawn(async move { client.call("look", ()).await.unwrap().to_text() })
    });
    for call in calls.collect::<Vec<_>>() {
        assert_eq!(call.await.unwrap(), "seen");
    }
    assert_eq!((world.logins(), world.count("auth POST /token")), (1, 1));
}

#[tokio::test]
async fn a_metadata_document_comes_before_dynamic_registration() {
    let world = World::start().await;
    let oauth = || user().client_metadata("https://example.com/client.json");
    world.connect(oauth()).await.unwrap();
    assert_eq!(world.count("auth POST /register"), 1, "the authorization server does not support documents");
    world.state().metadata = json!({"client_id_metadata_document_supported": true});
    world.connect(oauth()).await.unwrap();
    assert_eq!(world.count("auth POST /register"), 1);
    assert_eq!(world.state().queries[1]["client_id"], "https://example.com/client.json");
}

#[tokio::test]
async fn a_registered_client_comes_before_everything_else() {
    let world = World::start().await;
    world.state().metadata = json!({"client_id_metadata_document_supported": true});
    let oauth = user().client_metadata("https://example.com/client.json").client(RegisteredClient::new("registered"));
    world.connect(oauth).await.unwrap();
    assert_eq!(world.state().queries[0]["client_id"], "registered");
    assert_eq!(world.state().forms[0]["client_id"], "registered");
}

#[tokio::test]
async fn without_any_registration_the_error_says_what_to_do() {
    let world = World::start().await;
    world.state().metadata = json!({"registration_endpoint": null});
    let error = world.refusal(user()).await;
    assert!(error.contains("OAuth::client"), "{error}");
}

#[tokio::test]
async fn a_secret_is_sent_in_the_way_that_the_authorization_server_names() {
    let world = World::start().await;
    let oauth = || OAuth::client_credentials(RegisteredClient::new("a:b").secret("x y%").issuer(world.auth.clone()));
    for method in ["client_secret_basic", "client_secret_post"] {
        world.state().metadata = json!({"token_endpoint_auth_methods_supported": [method]});
        world.connect(oauth()).await.unwrap();
    }
    let state = world.state();
    assert_eq!(basic(&state.forms[0]["authorization"]), "a%3Ab:x+y%25");
    assert!(!state.forms[0].contains_key("client_secret"));
    assert_eq!((&*state.forms[1]["client_id"], &*state.forms[1]["client_secret"]), ("a:b", "x y%"));
    assert!(!state.forms[1].contains_key("authorization"));
    assert!(
        state.forms.iter().all(|form| form["grant_type"] == "client_credentials" && form["resource"] == world.mcp.as_str())
    );
}

#[tokio::test]
async fn a_private_key_signs_for_the_issuer() {
    use aws_lc_rs::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair};
    let world = World::start().await;
    let key = EcdsaKeyPair::generate(&ECDSA_P256_SHA256_FIXED_SIGNING).unwrap().to_pkcs8v1().unwrap();
    let pem = data_encoding::BASE64.encode(key.as_ref());
    let key = PrivateKey::from_pem(&format!("-----BEGIN PRIVATE KEY-----\n{pem}\n-----END PRIVATE KEY-----\n")).unwrap();
    world.connect(OAuth::client_credentials(RegisteredClient::new("me").private_key(key))).await.unwrap();
    let form = world.state().forms[0].clone();
    assert_eq!(form["client_assertion_type"], "urn:ietf:params:oauth:client-assertion-type:jwt-bearer");
    let claims = form["client_assertion"].split('.').nth(1).unwrap();
    let claims: serde_json::Value =
        serde_json::from_slice(&data_encoding::BASE64URL_NOPAD.decode(claims.as_bytes()).unwrap()).unwrap();
    assert_eq!(claims["aud"], world.auth);
}

#[tokio::test]
async fn more_scopes_are_requested_together_with_those_before() {
    let world = World::start().await;
    let client = world.connect(user().scopes(["read"])).await.unwrap();
    world.state().call_scopes = vec!["write".into()];
    assert_eq!(client.call("look", ()).await.unwrap().to_text(), "seen");
    let state = world.state();
    assert_eq!(state.queries.iter().map(|query| &*query["scope"]).collect::<Vec<_>>(), ["read", "read write"]);
}

#[tokio::test]
async fn a_scope_that_was_requested_in_vain_is_not_requested_again() {
    let world = World::start().await;
    let client = world.connect(user().scopes(["write"])).await.unwrap();
    world.state().call_scopes = vec!["write".into()];
    for scopes in world.state().access.values_mut() {
        scopes.clear();
    }
    assert!(client.call("look", ()).await.is_err());
    assert_eq!(world.logins(), 1);
}

#[tokio::test]
async fn a_server_that_always_wants_one_more_scope_gets_five_logins() {
    let world = World::start().await;
    let client = world.connect(user()).await.unwrap();
    world.state().greedy = true;
    for _ in 0..10 {
        assert!(client.call("look", ()).await.is_err());
    }
    assert_eq!(world.logins(), 5);
}

#[tokio::test]
async fn scopes_come_from_the_metadata_if_the_challenge_names_none() {
    let world = World::start().await;
    let mut resource = world.resource();
    resource["scopes_supported"] = json!(["a", "b"]);
    world.reply("mcp /.well-known/oauth-protected-resource/mcp", Reply::Json(resource));
    world.state().metadata = json!({"scopes_supported": ["offline_access", "other"]});
    world.connect(user()).await.unwrap();
    assert_eq!(world.state().queries[0]["scope"], "a b offline_access");
}

#[tokio::test]
async fn a_server_without_metadata_is_its_own_authorization_server() {
    let world = World::start().await;
    world.reply("mcp /.well-known/oauth-protected-resource/mcp", Reply::Status(404));
    let error = world.refusal(user()).await;
    // The default endpoints of 2025-03-26, which this server does not have either.
    assert_eq!(world.count("mcp POST /register"), 1, "{error}");
    assert!(error.contains("404"), "{error}");
}
