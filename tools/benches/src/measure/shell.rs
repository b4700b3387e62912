//! Test servers of a few lines of shell, correct and incorrect ones.

use crate::contender::{Contender, Kind, Many};
use crate::dialect::Dialect;

/// Counts the requests and answers each with the expected sum.
pub(super) const HONEST: &str = r#"
id=0
while read -r line; do
    case $line in
    *'"id"'*)
        sum=$((id * 7 + 1 + (id * 13) % 1009 - 500))
        echo "{\"jsonrpc\":\"2.0\",\"id\":$id,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"$sum\"}]}}"
        id=$((id + 1)) ;;
    esac
done
"#;

pub(super) fn server(script: &str) -> Contender {
    Contender {
        key: "shell",
        command: ["sh", "-c", script].map(Into::into).into(),
        dialect: Dialect::Handshake,
        kind: Kind::Native,
        many: Many::No,
    }
}

/// The correct server with one replacement in its source.
pub(super) fn liar(honest: &str, lie: &str) -> Contender {
    assert!(HONEST.contains(honest));
    server(&HONEST.replace(honest, lie))
}
