//! Tools that change the server they belong to.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};

use mcp_core::{Builder, Context, Live, PromptSpec, ToolError, ToolSpec, prompt_fn, tool_fn};
use serde_json::Value;

/// A server, and how often it was changed.
pub struct Changing {
    build: fn() -> Builder,
    live: OnceLock<Live>,
    tools: AtomicU32,
    prompts: AtomicU32,
}

impl Changing {
    /// Begins with what `build` makes.
    pub fn begin(build: fn() -> Builder) -> Live {
        let changing = Changing { build, live: OnceLock::new(), tools: AtomicU32::new(0), prompts: AtomicU32::new(0) };
        let changing = Arc::new(changing);
        let live = Live::new(changing.server()).expect("the server is built right");
        changing.live.get_or_init(|| live).clone()
    }

    /// The server after all changes.
    fn server(self: &Arc<Changing>) -> Builder {
        let mut server = (self.build)()
            .tools(self.trigger("test_trigger_tool_change", "Add a tool.", |changing| &changing.tools))
            .tools(self.trigger("test_trigger_prompt_change", "Add a prompt.", |changing| &changing.prompts));
        // One more or one less, so that a server that runs for long does not grow.
        if self.tools.load(Ordering::Acquire) % 2 == 1 {
            let spec = ToolSpec::new("test_added_tool", "A tool that was not there.");
            server = server.tools(tool_fn(spec, |_: Value, _: Context| async { "here I am" }));
        }
        if self.prompts.load(Ordering::Acquire) % 2 == 1 {
            let spec = PromptSpec::new("test_added_prompt", "A prompt that was not there.");
            server = server.prompts([prompt_fn(spec, |_: Value, _: Context| async { "Here I am." })]);
        }
        server
    }

    fn trigger(
        self: &Arc<Changing>,
        name: &'static str,
        description: &'static str,
        count: fn(&Changing) -> &AtomicU32,
    ) -> impl mcp_core::Toolset + use<> {
        let changing = self.clone();
        tool_fn(ToolSpec::new(name, description), move |_: Value, _: Context| {
            let changing = changing.clone();
            async move {
                count(&changing).fetch_add(1, Ordering::AcqRel);
                let live = changing.live.get().ok_or_else(|| ToolError::new("the server has not begun"))?;
                live.replace(changing.server()).map_err(|error| ToolError::new(error.to_string()))?;
                Ok::<_, ToolError>("changed")
            }
        })
    }
}
