//! The servers in `examples/`, compiled into the test so that it can call their `server()` functions in memory.

#[path = "../../examples/asking.rs"]
#[allow(dead_code, reason = "no test calls its `main`")]
pub(crate) mod asking;
#[path = "../../examples/caching.rs"]
#[allow(dead_code, reason = "no test calls its `main`")]
pub(crate) mod caching;
#[path = "../../examples/calculator.rs"]
#[allow(dead_code, reason = "no test calls its `main`")]
pub(crate) mod calculator;
#[path = "../../examples/completion.rs"]
#[allow(dead_code, reason = "no test calls its `main`")]
pub(crate) mod completion;
#[path = "../../examples/dynamic.rs"]
#[allow(dead_code, reason = "no test calls its `main`")]
pub(crate) mod dynamic;
#[path = "../../examples/http.rs"]
#[allow(dead_code, reason = "no test calls its `main`")]
pub(crate) mod http;
#[path = "../../examples/live.rs"]
#[allow(dead_code, reason = "no test calls its `main`")]
pub(crate) mod live;
#[path = "../../examples/notes.rs"]
#[allow(dead_code, reason = "no test calls its `main`")]
pub(crate) mod notes;
#[path = "../../examples/progress.rs"]
#[allow(dead_code, reason = "no test calls its `main`")]
pub(crate) mod progress;
#[path = "../../examples/prompts.rs"]
#[allow(dead_code, reason = "no test calls its `main`")]
pub(crate) mod prompts;
#[path = "../../examples/resources.rs"]
#[allow(dead_code, reason = "no test calls its `main`")]
pub(crate) mod resources;
#[path = "../../examples/search.rs"]
#[allow(dead_code, reason = "no test calls its `main`")]
pub(crate) mod search;
#[path = "../../examples/state.rs"]
#[allow(dead_code, reason = "no test calls its `main`")]
pub(crate) mod state;
#[path = "../../examples/tasks.rs"]
#[allow(dead_code, reason = "no test calls its `main`")]
pub(crate) mod tasks;
#[path = "../../examples/tools.rs"]
#[allow(dead_code, reason = "no test calls its `main`")]
pub(crate) mod tools;
