//! OAuth in the browser, with the authorization server of the tests of `mcp-client`.

#[path = "../../../mcp-client/tests/auth/test_server.rs"]
#[allow(dead_code, reason = "the tests of mcp-client use the rest")]
mod test_server;

use std::os::unix::fs::PermissionsExt;

use crate::setup::{User, printed};
use test_server::World;

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_requires_a_login_opens_the_browser_once() {
    let world = World::start().await;
    let user = User::new();
    if std::process::Command::new("curl").arg("--version").output().is_err() {
        test_env::skip("curl is not installed");
        return;
    }
    // The browser of this user follows the redirects of the login page.
    user.script("xdg-open", "exec curl --silent --location \"$1\"");
    let path = format!("{}:/usr/bin:/bin", user.folder.path().display());
    let words = ["call", world.mcp.as_str(), "look"];
    let call = || printed(user.command(&words).env("PATH", &path));
    let first = tokio::task::block_in_place(call);
    assert_eq!(first.out, "seen\n", "{first:?}");
    assert!(first.err.contains("Log in with the browser: http://127.0.0.1:"), "{first:?}");
    // The tokens are kept in a folder that only the user can read, and used the next time.
    let second = tokio::task::block_in_place(call);
    assert!(second.out == "seen\n" && second.err.is_empty(), "{second:?}");
    assert_eq!(world.logins(), 1);
    let folder = user.folder.path().join(".local/share/mcp-client/tokens");
    assert_eq!(std::fs::metadata(folder).unwrap().permissions().mode() & 0o777, 0o700);

    let header = ["--header", "Authorization: Bearer ${TOKEN}"];
    let mut own = user.command(&[&words[..], &header].concat());
    let unset = tokio::task::block_in_place(|| printed(&mut own));
    assert!(unset.err.contains("the variable TOKEN in `--header` is not set"), "{unset:?}");
    let wrong = tokio::task::block_in_place(|| printed(own.env("TOKEN", "mine").env("PATH", &path)));
    assert!(wrong.status == Some(1) && wrong.err.contains("401"), "{wrong:?}");
    assert_eq!(world.state().headers.last().unwrap().as_deref(), Some("Bearer mine"));
    assert_eq!(world.logins(), 1, "a token of the user is not replaced by a login");
}
