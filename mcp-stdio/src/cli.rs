//! `calc tools` and `calc call add a=2 b=3`: a first look at a server without a client.

use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::Arc;

use mcp_core::{Message, Reply, Revision, Server};
use serde_json::{Map, Value, json};

use crate::error::Error;
use crate::host::runtime;
use crate::serve::TaskHost;

/// What the command line asks for, if it is for us.
#[derive(Debug, PartialEq)]
pub(crate) enum Command {
    /// Lists the tools.
    Tools,
    /// Calls one of them.
    Call { tool: String, arguments: Vec<String> },
}

impl Command {
    /// Understands `tools` and `call TOOL NAME=VALUE ...`. Anything else is left to the program.
    pub(crate) fn parse(arguments: impl IntoIterator<Item = OsString>) -> Option<Command> {
        let mut words = arguments.into_iter().map(|word| word.to_string_lossy().into_owned());
        match (words.next()?.as_str(), words.next()) {
            ("tools", None) => Some(Command::Tools),
            ("call", Some(tool)) => Some(Command::Call { tool, arguments: words.collect() }),
            _ => None,
        }
    }

    pub(crate) fn run(&self, server: &Server) -> Result<ExitCode, Error> {
        let tools = server.tools_list_result(Revision::NEWEST_HANDSHAKE);
        let outcome = match self {
            Command::Tools => Ok(list(&tools)),
            Command::Call { tool, arguments } => match arguments_of(&tools, tool, arguments) {
                Ok(arguments) => call(server, tool, &arguments)?,
                Err(complaint) => Err(complaint),
            },
        };
        let (written, code) = match outcome {
            Ok(text) => (writeln!(io::stdout(), "{text}"), ExitCode::SUCCESS),
            Err(text) => (writeln!(io::stderr(), "{text}"), ExitCode::FAILURE),
        };
        written.map(|()| code).map_err(Error::Write)
    }
}

/// Each tool with its arguments, and what it does.
fn list(tools: &Value) -> String {
    let describe = |tool: &Value| {
        let required = tool["inputSchema"]["required"].as_array().cloned().unwrap_or_default();
        let properties = tool["inputSchema"]["properties"].as_object().cloned().unwrap_or_default();
        let arguments: Vec<String> = properties
            .iter()
            .map(|(name, schema)| {
                let kind = schema["type"].as_str().unwrap_or("json").to_uppercase();
                if required.contains(&json!(name)) { format!(" {name}={kind}") } else { format!(" [{name}={kind}]") }
            })
            .collect();
        let description = tool["description"].as_str().unwrap_or_default().replace('\n', "\n    ");
        format!("{}{}\n    {description}", tool["name"].as_str().unwrap_or_default(), arguments.concat())
    };
    tools["tools"].as_array().into_iter().flatten().map(describe).collect::<Vec<_>>().join("\n")
}

/// The arguments as the tool's schema reads them: a JSON object as one word, or words of the form `name=value`.
fn arguments_of(tools: &Value, tool: &str, words: &[String]) -> Result<Value, String> {
    let all = tools["tools"].as_array().map(Vec::as_slice).unwrap_or_default();
    let Some(found) = all.iter().find(|candidate| candidate["name"] == tool) else {
        let names: Vec<&str> = all.iter().filter_map(|tool| tool["name"].as_str()).collect();
        return Err(format!("there is no tool `{tool}`; there are: {}", names.join(", ")));
    };
    if let [word] = words
        && word.starts_with('{')
    {
        return serde_json::from_str(word).map_err(|error| format!("the arguments are no JSON: {error}"));
    }
    let mut arguments = Map::new();
    for word in words {
        let (name, text) = word.split_once('=').ok_or_else(|| format!("`{word}` is not of the form name=value"))?;
        arguments.insert(name.to_owned(), value(text, &found["inputSchema"]["properties"][name]));
    }
    Ok(Value::Object(arguments))
}

/// Text where the schema wants text; else JSON, or text where it is none.
fn value(text: &str, schema: &Value) -> Value {
    if schema["type"] == "string" {
        return json!(text);
    }
    serde_json::from_str(text).unwrap_or_else(|_| json!(text))
}

/// The text of the result, or why there is none.
fn call(server: &Server, tool: &str, arguments: &Value) -> Result<Result<String, String>, Error> {
    let runtime = runtime().map_err(Error::Start)?;
    let _context = runtime.enter();
    let session = server.session(Arc::new(TaskHost::new()), Arc::new(())).negotiated(Revision::NEWEST_HANDSHAKE);
    let params = json!({"name": tool, "arguments": arguments});
    let request = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}).to_string();
    let response = match session.receive(Message::parse(request.as_bytes())) {
        Reply::None => None,
        Reply::Now(response) => Some(response),
        Reply::Later(later) => runtime.block_on(later),
    };
    let reply: Value = response.and_then(|response| serde_json::from_str(&response.to_json()).ok()).unwrap_or_default();
    if let Some(error) = reply["error"]["message"].as_str() {
        return Ok(Err(error.to_owned()));
    }
    let content = reply["result"]["content"].as_array().map(Vec::as_slice).unwrap_or_default();
    let texts: Vec<String> =
        content.iter().map(|item| item["text"].as_str().map_or_else(|| item.to_string(), str::to_owned)).collect();
    Ok(if reply["result"]["isError"] == true { Err(texts.join("\n")) } else { Ok(texts.join("\n")) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command(words: &[&str]) -> Option<Command> {
        Command::parse(words.iter().map(OsString::from))
    }

    #[test]
    fn only_our_own_words_are_taken() {
        assert_eq!(command(&["tools"]), Some(Command::Tools));
        let call = Command::Call { tool: "add".into(), arguments: vec!["a=2".into()] };
        assert_eq!(command(&["call", "add", "a=2"]), Some(call));
        for words in [&[][..], &["call"], &["tools", "x"], &["--port", "tools"], &["serve"]] {
            assert_eq!(command(words), None, "{words:?}");
        }
    }

    #[test]
    fn values_are_read_as_the_schema_wants_them() {
        let properties = json!({"a": {"type": "integer"}, "s": {"type": "string"}, "l": {"type": "array"}});
        let tools = json!({"tools": [{"name": "t", "inputSchema": {"properties": properties}}]});
        let read = |words: &[&str]| {
            let words: Vec<String> = words.iter().map(ToString::to_string).collect();
            arguments_of(&tools, "t", &words)
        };
        assert_eq!(read(&["a=2", "s=3", "l=[1]", "k=doc"]), Ok(json!({"a": 2, "s": "3", "l": [1], "k": "doc"})));
        assert_eq!(read(&["s=a=b"]), Ok(json!({"s": "a=b"})));
        assert_eq!(read(&[r#"{"a":1}"#]), Ok(json!({"a": 1})));
        assert!(read(&["oops"]).unwrap_err().contains("name=value"));
        assert!(arguments_of(&tools, "u", &[]).unwrap_err().contains("there are: t"));
    }
}
