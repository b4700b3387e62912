//! The requests of the two newest revisions of MCP.

/// The revision that a client uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dialect {
    /// 2025-11-25: `initialize` first.
    Handshake,
    /// 2026-07-28: every request has the data of the handshake in `_meta`.
    Stateless,
}

const META: &str = r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"bench","version":"0"},"io.modelcontextprotocol/clientCapabilities":{}}"#;

impl Dialect {
    /// The first request, with id 0.
    pub(crate) fn hello(self) -> String {
        match self {
            Dialect::Handshake => r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"bench","version":"0"}}}"#.to_owned() + "\n",
            Dialect::Stateless => format!("{{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"server/discover\",\"params\":{{{META}}}}}\n"),
        }
    }

    /// The notification after its response, if the revision has one.
    pub(crate) fn ready(self) -> &'static str {
        match self {
            Dialect::Handshake => "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n",
            Dialect::Stateless => "",
        }
    }

    pub(crate) fn call(self, id: u64, tool: &str, arguments: &str) -> String {
        let meta = match self {
            Dialect::Handshake => String::new(),
            Dialect::Stateless => format!(",{META}"),
        };
        format!(
            "{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"tools/call\",\"params\":{{\"name\":\"{tool}\",\"arguments\":{arguments}{meta}}}}}\n"
        )
    }

    pub(crate) fn list(self, id: u64) -> String {
        let meta = if self == Dialect::Stateless { META } else { "" };
        format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"tools/list\",\"params\":{{{meta}}}}}\n")
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::Dialect;

    #[test]
    fn every_request_is_one_line_of_json() {
        for dialect in [Dialect::Handshake, Dialect::Stateless] {
            for line in [dialect.hello(), dialect.call(7, "add", "{}"), dialect.list(7)] {
                let (text, rest) = line.split_once('\n').unwrap();
                let request: Value = serde_json::from_str(text).unwrap();
                assert!(rest.is_empty() && request["id"].is_u64(), "{line}");
                let is_stateless = request["params"]["_meta"].is_object();
                assert_eq!(is_stateless, dialect == Dialect::Stateless);
            }
        }
    }
}
