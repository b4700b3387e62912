//! Tools that change the tools and prompts of their own server.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};

use mcp_core::{Builder, Context, Live, PromptSpec, ToolError, ToolSpec, prompt_fn, tool_fn};
use serde_json::Value;

/// A live server and the number of changes made to it.
pub struct Changing {
    build: fn() -> Builder,
    live: OnceLock<Live>,
    tools: AtomicU32,
    prompts: AtomicU32,
}

impl Changing {
    /// Starts with the server that `build` returns.
    pub fn begin(build: fn() -> Builder) -> Live {
        let changing = Changing { build, live: OnceLock::new(), tools: AtomicU32::new(0), prompts: AtomicU32::new(0) };
        let changing = Arc::new(changing);
        let live = Live::new(changing.server()).expect("the server is valid");
        changing.live.get_or_init(|| live).clone()
    }

    /// Builds the server with all changes applied.
    fn server(self: &Arc<Changing>) -> Builder {
        let mut server = (self.build)()
            .tools(self.trigger("test_trigger_tool_change", "Add a tool.", |changing| &changing.tools))
            .tools(self.trigger("test_trigger_prompt_change", "Add a prompt.", |changing| &changing.prompts));
        // Each change adds or removes one item, so a server that runs for a long time does not grow.
        if self.tools.load(Ordering::Acquire) % 2 == 1 {
            let spec = ToolSpec::new("test_added_tool", "A tool that was added at run time.");
            server = server.tools(tool_fn(spec, |_: Value, _: Context| async { "here I am" }));
        }
        if self.prompts.load(Ordering::Acquire) % 2 == 1 {
            let spec = PromptSpec::new("test_added_prompt", "A prompt that was added at run time.");
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
                let live = changing.live.get().ok_or_else(|| ToolError::new("the server is not running yet"))?;
                live.replace(changing.server()).map_err(|error| ToolError::new(error.to_string()))?;
                Ok::<_, ToolError>("changed")
            }
        })
    }
}
