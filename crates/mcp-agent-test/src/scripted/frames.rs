//! Common frames, with all fields that the real CLI always sends.

use serde_json::{Value, json};

const SESSION: &str = "5c121973-0000-4000-8000-000000000001";
const UUID: &str = "5c121973-0000-4000-8000-0000000000ff";

pub(crate) fn success(request_id: &str, response: Value) -> Value {
    json!({"type": "control_response", "response": {"subtype": "success", "request_id": request_id, "response": response}})
}

pub(crate) fn failure(request_id: &str, error: &str) -> Value {
    json!({"type": "control_response", "response": {"subtype": "error", "request_id": request_id, "error": error}})
}

/// Returns the response to the `initialize` request.
pub(crate) fn initialized() -> Value {
    json!({
        "commands": [], "agents": [], "output_style": "default", "available_output_styles": ["default"], "models": [],
        "account": {"apiKeySource": "ANTHROPIC_API_KEY"}, "pid": 1, "claude_code_version": crate::Cli::VERSION,
        "current_permission_mode": "default", "session_state": "idle", "capabilities": [],
    })
}

pub(crate) fn init() -> Value {
    json!({
        "type": "system", "subtype": "init", "cwd": "/", "session_id": SESSION, "uuid": UUID, "tools": [],
        "mcp_servers": [], "model": "scripted", "permissionMode": "default", "slash_commands": [],
        "apiKeySource": "ANTHROPIC_API_KEY", "claude_code_version": crate::Cli::VERSION, "output_style": "default",
        "agents": [], "skills": [], "plugins": [], "capabilities": [],
    })
}

pub(crate) fn assistant(block: Value) -> Value {
    json!({
        "type": "assistant", "parent_tool_use_id": null, "session_id": SESSION, "uuid": UUID,
        "message": {
            "id": "msg_scripted", "type": "message", "role": "assistant", "model": "scripted", "content": [block],
            "stop_reason": null, "stop_sequence": null, "usage": usage(),
        },
    })
}

pub(crate) fn result(text: &str) -> Value {
    json!({
        "type": "result", "subtype": "success", "is_error": false, "duration_ms": 1, "duration_api_ms": 1,
        "num_turns": 1, "result": text, "stop_reason": "end_turn", "session_id": SESSION, "uuid": UUID,
        "total_cost_usd": 0.0, "usage": usage(), "modelUsage": {}, "permission_denials": [], "result_index": 0,
    })
}

pub(crate) fn state(state: &str) -> Value {
    json!({
        "type": "system", "subtype": "session_state_changed", "state": state, "sdk_host_only": true,
        "session_id": SESSION, "uuid": UUID,
    })
}

fn usage() -> Value {
    json!({"input_tokens": 1, "output_tokens": 1, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0})
}
