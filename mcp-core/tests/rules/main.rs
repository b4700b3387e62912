//! Tests of a session against the rules of JSON-RPC and MCP.

mod caching;
mod calls;
mod client_requests;
mod envelope;
mod external_references;
mod lifecycle;
mod live_server;
mod load;
mod official_schemas;
mod outboxes;
mod output_limits;
mod principals;
mod prompts_and_resources;
mod random_bytes;
mod requirements;
mod revision_features;
mod session;
mod session_state;
mod spans;
mod subscriptions;
mod tasks;
mod tasks_in_another_process;
