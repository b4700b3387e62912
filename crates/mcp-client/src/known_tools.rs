//! Cached data of listed tools: output schemas and header parameters.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use mcp_core::dynamic::HeaderParam;
use mcp_core::schema::OutputSchema;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::schema_guard::{self, Steps};
use crate::tools::Tool;

/// The maximum number of tools in the cache, and the maximum size of their schemas. Other tools are used without validation.
const MOST: usize = 10_000;
const MOST_BYTES: usize = 64 << 20;

/// The listed tools, by name.
#[derive(Debug, Default)]
pub(crate) struct KnownTools(Mutex<Tools>);

#[derive(Debug, Default)]
struct Tools {
    by_name: HashMap<String, Arc<Known>>,
    bytes: usize,
}

/// The cached data of a tool.
#[derive(Debug)]
pub(crate) struct Known {
    output: Option<Result<(OutputSchema, Steps), String>>,
    headers: Vec<HeaderParam>,
    /// The size of the schemas as text.
    bytes: usize,
    /// Whether the tool runs only as a task, in revision 2025-11-25.
    pub(crate) needs_task: bool,
}

impl KnownTools {
    /// Caches a tool. Returns the reason as an error if the tool's header parameters are invalid, so that it must not be used over
    /// HTTP.
    pub(crate) fn learn(&self, tool: &Tool, over_http: bool) -> Result<(), String> {
        let headers = match HeaderParam::of(&tool.input_schema) {
            Err(reason) if over_http => return Err(reason),
            headers => headers.unwrap_or_default(),
        };
        let output = tool.output_schema.as_ref().map(|schema| {
            let steps = schema_guard::check(schema)?;
            Ok((OutputSchema::from_json(schema.clone()), steps))
        });
        let needs_task =
            tool.execution.as_ref().is_some_and(|execution| execution.get("taskSupport") == Some(&"required".into()));
        let bytes =
            tool.name.len() + [Some(&tool.input_schema), tool.output_schema.as_ref()].map(text_length).iter().sum::<usize>();
        let mut tools = self.tools();
        if let Some(old) = tools.by_name.remove(&tool.name) {
            tools.bytes -= old.bytes;
        }
        if tools.by_name.len() < MOST && tools.bytes + bytes <= MOST_BYTES {
            tools.bytes += bytes;
            tools.by_name.insert(tool.name.clone(), Arc::new(Known { output, headers, bytes, needs_task }));
        }
        Ok(())
    }

    pub(crate) fn get(&self, name: &str) -> Option<Arc<Known>> {
        self.tools().by_name.get(name).cloned()
    }

    /// Forgets all tools, because the server was replaced.
    pub(crate) fn clear(&self) {
        *self.tools() = Tools::default();
    }

    fn tools(&self) -> MutexGuard<'_, Tools> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Known {
    /// Validates structured output; `None` if the result has none.
    pub(crate) fn check_output(&self, output: Option<&RawValue>) -> Result<(), String> {
        match (&self.output, output) {
            (None, _) => Ok(()),
            (Some(_), None) => Err("- the tool has an output schema, but its result has no structured content".to_owned()),
            (Some(Ok((schema, steps))), Some(output)) => {
                steps.allow(output.get()).map_err(|reason| format!("- {reason}"))?;
                schema.check(output)
            }
            (Some(Err(reason)), Some(_)) => Err(format!("- the output schema cannot be used: {reason}")),
        }
    }

    /// Returns the arguments that are sent in headers, by the name of the header without its prefix.
    pub(crate) fn header_arguments(&self, arguments: &Value) -> Vec<(String, Value)> {
        let values = self.headers.iter().filter_map(|header| {
            let value = header.path().iter().try_fold(arguments, |value, key| value.get(key))?;
            (!value.is_null()).then(|| (header.name().to_owned(), value.clone()))
        });
        values.collect()
    }
}

fn text_length(schema: Option<&Value>) -> usize {
    schema.map_or(0, |schema| serde_json::to_string(schema).map_or(0, |text| text.len()))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn tool(name: &str, size: usize) -> Tool {
        let schema = json!({"type": "object", "title": "x".repeat(size)});
        serde_json::from_value(json!({"name": name, "inputSchema": {"type": "object"}, "outputSchema": schema})).unwrap()
    }

    #[test]
    fn the_schemas_of_all_tools_take_bounded_memory() {
        let known = KnownTools::default();
        for _ in 0..3 {
            known.learn(&tool("a", MOST_BYTES / 2), false).unwrap();
        }
        known.learn(&tool("b", MOST_BYTES / 2), false).unwrap();
        known.learn(&tool("c", 100), false).unwrap();
        assert_eq!(["a", "b", "c"].map(|name| known.get(name).is_some()), [true, false, true]);
        known.clear();
        known.learn(&tool("b", MOST_BYTES / 2), false).unwrap();
        assert_eq!(["a", "b"].map(|name| known.get(name).is_some()), [false, true]);
    }
}
