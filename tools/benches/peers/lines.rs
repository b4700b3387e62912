// What the in-process programs ask and expect, included by each of them: the same calls, the same check.
fn operands(id: u64) -> (i64, i64) {
    let id = id as i64;
    (id * 7 + 1, (id * 13) % 1009 - 500)
}

fn request(id: u64) -> String {
    let (a, b) = operands(id);
    format!(
        r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"add","arguments":{{"a":{a},"b":{b}}}}}}}"#
    )
}

fn check(id: u64, reply: &[u8]) {
    assert!(is_right(id, reply), "wrong reply to {id}: {}", String::from_utf8_lossy(reply));
}

/// Always looks for both, so that it costs the same whatever it finds.
#[inline(never)]
fn is_right(id: u64, reply: &[u8]) -> bool {
    let (a, b) = operands(id);
    let reply = str::from_utf8(reply).unwrap_or_default();
    let (text, id) = (format!(r#""text":"{}""#, a + b), format!(r#""id":{id},"#));
    reply.contains(&text) & reply.contains(&id)
}

/// What everything around a call costs: its request is made, a reply is looked through.
fn nothing(calls: u64) {
    let reply = br#"{"jsonrpc":"2.0","id":1234,"result":{"content":[{"type":"text","text":"5678"}]}}"#;
    for id in 1..=calls {
        std::hint::black_box(request(id));
        std::hint::black_box(is_right(id, std::hint::black_box(reply)));
    }
}

/// The case and the number of calls that the command line asks for.
fn asked() -> (String, u64) {
    let mut arguments = std::env::args().skip(1);
    let case = arguments.next().expect("a case");
    (case, arguments.next().and_then(|calls| calls.parse().ok()).expect("a number of calls"))
}
