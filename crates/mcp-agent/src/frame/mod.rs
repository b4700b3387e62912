//! The frames of the control protocol: one JSON object per line, in both directions.

mod id;
mod incoming;
mod outgoing;

pub use id::RequestId;
pub(crate) use incoming::{Frame, Refusal};
pub(crate) use outgoing::{Outgoing, Reply, mcp_response};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::Message;
    use proptest::prelude::*;
    use serde_json::{Value, json};

    #[test]
    fn an_id_of_any_json_type_is_returned_unchanged() {
        for id in ["7", r#""a-b""#, "null", r#"{"x":[1.50]}"#] {
            let line = format!(r#"{{"type":"control_request","request_id":{id},"request":{{"subtype":"x"}}}}"#);
            let Frame::Request { id: parsed, .. } = Frame::parse(line.as_bytes()) else { panic!("{id}: not a request") };
            let reply = Outgoing::Response { response: Reply::Success { request_id: &parsed, response: &json!({}) } };
            let expected = format!(
                r#"{{"type":"control_response","response":{{"subtype":"success","request_id":{id},"response":{{}}}}}}"#
            );
            assert_eq!(String::from_utf8(reply.to_line().expect("serialises")).expect("text"), expected);
        }
    }

    #[test]
    fn the_response_of_a_mounted_server_is_framed_like_any_other_response() {
        let response =
            mcp_core::transport::Response::refusal(Some("a\"b".into()), mcp_core::transport::RpcError::invalid_params("no"));
        let payload: Value = serde_json::from_str(&response.to_json()).expect("json");
        let (id, payload) = (RequestId::numbered(1), json!({ "mcp_response": payload }));
        let usual = Outgoing::Response { response: Reply::Success { request_id: &id, response: &payload } };
        let parsed = |line: Result<Vec<u8>, _>| serde_json::from_slice::<Value>(&line.expect("serialises")).expect("json");
        assert_eq!(parsed(mcp_response(&id, &response)), parsed(usual.to_line()));
    }

    #[test]
    fn a_response_may_have_no_payload() {
        let line = br#"{"type":"control_response","response":{"subtype":"success","request_id":"req_1"}}"#;
        let Frame::Response { id, answer, .. } = Frame::parse(line) else { panic!("not a response") };
        assert_eq!(id, RequestId::numbered(1));
        assert!(answer.expect("a success").is_none());
    }

    #[test]
    fn an_error_response_keeps_its_code() {
        let line = br#"{"type":"control_response","response":{"subtype":"error","request_id":"r","error":"no","error_code":"unsupported_request"}}"#;
        let Frame::Response { answer: Err(refusal), .. } = Frame::parse(line) else { panic!("not a refusal") };
        assert_eq!(refusal, Refusal { message: "no".to_owned(), code: Some("unsupported_request".to_owned()) });
    }

    #[test]
    fn unanswered_questions_of_a_response_are_kept_also_if_it_is_an_error() {
        for subtype in ["success", "error"] {
            let question = |id: Value| json!({"type": "control_request", "request_id": id, "request": {"subtype": "x"}});
            let line = json!({"type": "control_response", "response": {
                "subtype": subtype, "request_id": "r", "error": "no",
                "pending_permission_requests": [question(json!("a")), {"request_id": "none"}, 7],
                "pending_user_dialog_requests": [question(json!(2))],
                "pending_elicitation_requests": {},
            }});
            let Frame::Response { unanswered, .. } = Frame::parse(line.to_string().as_bytes()) else {
                panic!("no response")
            };
            let ids: Vec<String> = unanswered.iter().map(|(id, _)| id.text()).collect();
            assert_eq!(ids, ["a", "2"]);
            assert_eq!(unanswered[1].1.get(), r#"{"subtype":"x"}"#);
        }
    }

    #[test]
    fn lines_that_are_not_objects_are_ignored() {
        for line in
            ["", "  ", "[SandboxDebug] hello", "[1,2]", "\"text\"", "{\"type\":", "null", "{\"type\":\"keep_alive\"}"]
        {
            assert!(matches!(Frame::parse(line.as_bytes()), Frame::Ignored), "{line}");
        }
    }

    #[test]
    fn an_object_of_any_type_is_a_message() {
        for line in
            [r#"{"type":"news","x":1}"#, r#"{"x":1}"#, r#"{"type":5}"#, r#" {"type":"user","message":{"content":"x"}} "#]
        {
            let Frame::Message(message) = Frame::parse(line.as_bytes()) else { panic!("{line}: not a message") };
            assert_eq!(serde_json::to_string(&message).expect("serialises"), line.trim());
        }
    }

    #[test]
    fn a_line_with_a_duplicate_key_is_still_a_frame() {
        let line = br#"{"type":"assistant","type":"result","uuid":"a","uuid":"b","num_turns":3}"#;
        let Frame::Message(Message::Result(result)) = Frame::parse(line) else { panic!("not a result") };
        assert_eq!(result.num_turns, 3);
        let line = br#"{"type":"control_response","response":{"request_id":"x","subtype":"success","request_id":"req_1"}}"#;
        let Frame::Response { id, .. } = Frame::parse(line) else { panic!("not a response") };
        assert_eq!(id, RequestId::numbered(1));
    }

    fn any_json() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<f64>().prop_map(Value::from),
            ".*".prop_map(Value::from),
        ];
        leaf.prop_recursive(3, 24, 6, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
                prop::collection::hash_map("[a-z_]{1,12}", inner, 0..6)
                    .prop_map(|map| Value::Object(map.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn parsing_never_fails(line in prop::collection::vec(any::<u8>(), 0..200)) {
            let _ = Frame::parse(&line);
        }

        #[test]
        fn a_message_with_any_type_and_fields_serializes_unchanged(
            kind in 0..Message::KINDS.len(),
            fields in prop::collection::hash_map("[a-z_]{1,12}|message|result|event|usage|tools", any_json(), 0..8),
        ) {
            let (kind, subtype) = Message::KINDS[kind];
            let mut object: serde_json::Map<String, Value> = fields.into_iter().collect();
            object.insert("type".to_owned(), kind.into());
            if let Some(subtype) = subtype {
                object.insert("subtype".to_owned(), subtype.into());
            }
            let line = serde_json::to_string(&object).expect("serialises");
            let Frame::Message(message) = Frame::parse(line.as_bytes()) else { panic!("not a message") };
            prop_assert!(!matches!(message, Message::Other(_)));
            prop_assert_eq!(serde_json::to_string(&message).expect("serialises"), line);
        }
    }
}
