"""Hostile servers over stdio. Each case is a function with what it asks of a client."""

import json
import os
import signal

from client import runs, wait_until
from wire import BAD, CAPABILITIES, GOOD, TOOL, Weak, Wire, is_timeout

CASES = []


def case(asks, connect=True, stateless=False, stubborn=False):
    """Adds a case. Its function gets a wire, which is connected unless `connect` is false."""

    def add(function):
        def run(command, scale):
            wire = Wire(command, scale, stateless, stubborn)
            try:
                if connect:
                    wire.connect()
                return function(wire) or ""
            finally:
                wire.close()

        CASES.append({"id": function.__name__, "asks": asks, "run": run})
        return function

    return add


def odd_answer(wire, make, also=()):
    """Sends an answer that is not valid, then the right one. Only the right one counts."""
    id = wire.call()
    wire.line(make(id))
    wire.answer(id)
    outcome = wire.outcome()
    if outcome.get("ok") not in ("good", *also):
        raise Weak(f"took the wrong answer: {outcome}")
    wire.still_works()


# --------------------------------------------------------------------------- answers


@case("an answer of 64 MiB: the result or an error, memory under 256 MiB more")
def an_oversized_answer(wire):
    id = wire.call()
    wire.send(f'{{"jsonrpc":"2.0","id":{id},"result":{{"content":[{{"type":"text","text":"')
    for _ in range(256):
        wire.send(b"x" * (256 << 10))
    wire.send('"}]}}\n')
    wire.outcome()
    wire.survives(256)


@case("256 MiB without a newline: the call ends, memory under 160 MiB more")
def an_endless_line(wire):
    wire.call()
    for _ in range(1024):
        wire.send(b"x" * (256 << 10))
    wire.outcome()
    wire.send("\n")
    wire.survives()


@case("an answer with an id that nobody used: ignored")
def an_answer_with_an_unknown_id(wire):
    odd_answer(wire, lambda id: {"jsonrpc": "2.0", "id": id + 1000, "result": BAD})


@case("an answer whose id is the number as text: not taken for the answer")
def an_answer_with_the_id_as_text(wire):
    odd_answer(wire, lambda id: {"jsonrpc": "2.0", "id": str(id), "result": BAD})


@case("an answer whose id has a million digits: not taken for the answer")
def an_answer_with_a_huge_id(wire):
    odd_answer(wire, lambda id: f'{{"jsonrpc":"2.0","id":{id}{"0" * (1 << 20)},"result":{json.dumps(BAD)}}}')


@case("a second and 1,000 more answers to one call: the first counts")
def a_duplicate_answer(wire):
    id = wire.call()
    wire.answer(id)
    for _ in range(1000):
        wire.answer(id, BAD)
    wire.expect_good()
    wire.still_works()


@case("an answer with a result and an error: the call ends")
def a_result_and_an_error(wire):
    id = wire.call()
    wire.line({"jsonrpc": "2.0", "id": id, "result": GOOD, "error": {"code": -1, "message": "both"}})
    if is_timeout(wire.outcome()):
        raise Weak("only the time limit ended the call")
    wire.still_works()


@case("an answer with neither result nor error: an error at once")
def neither_result_nor_error(wire):
    wire.line({"jsonrpc": "2.0", "id": wire.call()})
    wire.expect_error()
    wire.still_works()


@case("an error that is a string: an error at once")
def an_error_that_is_not_an_object(wire):
    wire.line({"jsonrpc": "2.0", "id": wire.call(), "error": "broken"})
    wire.expect_error()
    wire.still_works()


@case("lines that are not messages between answers: ignored")
def garbage_between_answers(wire):
    for garbage in ["Welcome!", "{", "[]", "null", "42", "{}", '{"jsonrpc":"2.0"}', "}{", "[[[[", "\ufeff{}"]:
        wire.line(garbage)
    wire.still_works()


@case("an answer that is not UTF-8: an error, never changed text")
def an_answer_that_is_not_utf_8(wire):
    id = wire.call()
    wire.send(f'{{"jsonrpc":"2.0","id":{id},"result":{{"content":[{{"type":"text","text":"'.encode() + b"\xff\xfe\"}]}}\n\xc3\n")
    wire.expect_error(promptly=False)
    wire.still_works()


@case("a lone surrogate in an answer: the text or an error at once")
def a_lone_surrogate(wire):
    id = wire.call()
    wire.line(f'{{"jsonrpc":"2.0","id":{id},"result":{{"content":[{{"type":"text","text":"\\ud800"}}]}}}}')
    if is_timeout(wire.outcome()):
        raise Weak("only the time limit ended the call")
    wire.still_works()


@case("a million nested arrays in an answer: the call ends")
def deep_nesting(wire):
    deep = "[" * 1_000_000 + "]" * 1_000_000
    wire.line(f'{{"jsonrpc":"2.0","id":{wire.call()},"result":{{"content":[],"structuredContent":{deep}}}}}')
    wire.outcome()
    wire.line(f'{{"jsonrpc":"2.0","method":"notifications/message","params":{{"level":"info","data":{deep}}}}}')
    wire.survives(256)


@case("an answer with two ids: the call ends, and the connection works")
def a_duplicate_id_key(wire):
    odd_answer(wire, lambda id: f'{{"jsonrpc":"2.0","id":{id},"id":{id + 1},"result":{json.dumps(BAD)}}}', also=["bad"])


@case("keys that only look like `result`: an error at once")
def look_alike_keys(wire):
    wire.line({"jsonrpc": "2.0", "id": wire.call(), "Result": GOOD, "result\0": GOOD, "re\u017fult": GOOD})
    wire.expect_error()
    wire.still_works()


@case("results of another shape (null, 1, [], a string as content): an error at once")
def a_result_of_another_shape(wire):
    for result in [None, 1, [], {"content": "text"}]:
        wire.answer(wire.call(), result)
        wire.expect_error()
    wire.still_works()


@case("NUL bytes, blank lines and CRLF: accepted or ignored")
def nul_bytes_and_blank_lines(wire):
    wire.send(b"\0\0\0\n\r\n\n \t \n\r\r\n")
    id = wire.call()
    wire.send(json.dumps({"jsonrpc": "2.0", "id": id, "result": GOOD}) + "\r\n")
    wire.expect_good()


@case("an answer in a batch: the call ends, and the connection works")
def an_answer_in_a_batch(wire):
    wire.line([[], 1, {"jsonrpc": "2.0", "id": wire.call(), "result": GOOD}])
    wire.outcome()
    wire.still_works()


@case("the server ends in the middle of an answer: an error at once")
def the_end_in_the_middle_of_a_call(wire):
    wire.call()
    wire.send('{"jsonrpc":"2.0","id":')
    wire.peer.shutdown(2)
    wire.expect_error()


@case("a server that ignores the end of its input and SIGTERM: closing ends within 12 s, and the process is gone", stubborn=True)
def a_server_that_ignores_its_end(wire):
    process = wire.server_process()
    try:
        outcome = wire.client.do("close", 12)
        if "error" in outcome:
            raise Weak(f"closing failed: {outcome['error']}")
        if not wait_until(lambda: not runs(process), 12 * wire.client.scale):
            raise Weak("the server still runs")
    finally:
        if runs(process):
            os.kill(process, signal.SIGKILL)


@case("an error with a message of 4 MiB: an error, and the connection works")
def an_error_with_a_huge_message(wire):
    id = wire.call()
    wire.line({"jsonrpc": "2.0", "id": id, "error": {"code": -1, "message": "x" * (4 << 20)}})
    if "error" not in wire.outcome():
        raise Weak("accepted")
    wire.survives()


# --------------------------------------------------------------------------- floods


@case("50,000 log messages of 1 KB: memory under 160 MiB more")
def log_messages(wire):
    for number in range(50_000):
        wire.note("notifications/message", {"level": "info", "data": {"number": number, "text": "x" * 1000}})
    wire.survives()


@case("50,000 progress messages during a call: memory under 160 MiB more")
def progress_of_one_call(wire):
    wire.client.send("call")
    message = wire.request()
    token = message["params"].get("_meta", {}).get("progressToken", message["id"])
    for number in range(50_000):
        wire.note("notifications/progress", {"progressToken": token, "progress": number, "message": "x" * 500})
    wire.answer(message["id"])
    # A client without a progress stream may stop at its time limit while it reads these.
    wire.outcome(30)
    wire.survives()


@case("50,000 progress messages for calls that do not exist: ignored")
def progress_of_unknown_calls(wire):
    for number in range(50_000):
        wire.note("notifications/progress", {"progressToken": number + 10_000, "progress": 1})
    for token in ["a", [], None, -1, 1.5]:
        wire.note("notifications/progress", {"progressToken": token, "progress": 1})
    wire.survives()


@case("100,000 pings from a server that does not read: memory under 160 MiB more")
def pings_from_a_server_that_does_not_read(wire):
    wire.reading.clear()
    for number in range(100_000):
        wire.line({"jsonrpc": "2.0", "id": number, "method": "ping"})
    wire.reading.set()
    wire.survives()


@case("100,000 list changes in 5 batches: the connection works")
def batches_of_notifications(wire):
    note = {"jsonrpc": "2.0", "method": "notifications/tools/list_changed"}
    for _ in range(5):
        wire.line([note] * 20_000)
    wire.survives()


@case("2,000 calls to a server that does not read: each ends, memory under 160 MiB more")
def calls_to_a_server_that_does_not_read(wire):
    wire.reading.clear()
    failed = wire.client.do("calls 2000", 20)
    if failed.get("ok") != 2000:
        raise Weak(f"not every call failed: {failed}")
    wire.bounded()


@case("50,000 notifications with unknown methods: memory under 160 MiB more")
def unknown_notifications(wire):
    for number in range(50_000):
        wire.note(f"odd/{number}", {"text": "x" * 500})
    wire.survives()


# --------------------------------------------------------------------------- requests of the server


@case("requests for capabilities that the client does not have: each gets an error under 10 KB")
def a_question_that_was_not_offered(wire):
    for method in ["sampling/createMessage", "roots/list", "tools/call", "initialize", "x" * (1 << 20)]:
        wire.line({"jsonrpc": "2.0", "id": "q", "method": method, "params": {"message": "?"}})
        response = wire.responses.get(timeout=5 * wire.client.scale) if not wire.client.outcomes.qsize() else {}
        if "error" not in response:
            raise Weak(f"`{method[:30]}` got {str(response)[:100]}")
        if len(str(response)) > 10_000:
            raise Weak(f"an error of {len(str(response))} bytes")
    wire.still_works()


@case("1,000 forms at once: each gets an answer, and the connection works")
def questions_all_at_once(wire):
    for number in range(1000):
        schema = {"type": "object", "properties": {}}
        params = {"mode": "form", "message": "x" * 1000, "requestedSchema": schema}
        wire.line({"jsonrpc": "2.0", "id": number, "method": "elicitation/create", "params": params})
    for _ in range(1000):
        wire.responses.get(timeout=10 * wire.client.scale)
    wire.survives()


@case("forms of another shape: an answer or an error for each")
def a_form_of_another_shape(wire):
    for params in [{}, {"message": 1}, {"message": "?", "mode": "url"}, {"message": "?", "requestedSchema": "no schema"}]:
        wire.line({"jsonrpc": "2.0", "id": 1, "method": "elicitation/create", "params": params})
        wire.responses.get(timeout=5 * wire.client.scale)
    wire.still_works()


@case("cancellations of requests that never existed: ignored")
def questions_that_never_existed_are_taken_back(wire):
    for params in [{"requestId": 9}, {"requestId": {}}, {}, {"requestId": None}, {"requestId": "x"}, []]:
        wire.note("notifications/cancelled", params)
    wire.still_works()


# --------------------------------------------------------------------------- lists and schemas


def listing(wire, results):
    """Lets the client list the tools. The server answers with these results in turn, and then with the last one."""
    results = list(results)

    def reply(message):
        wire.answer(message["id"], results.pop(0) if len(results) > 1 else results[0])

    wire.replies["tools/list"] = reply
    return wire.client.do("list", 20)


@case("pages without end: the listing ends, or returns one page at a time")
def ten_thousand_pages(wire):
    pages = ({"tools": [{**TOOL, "name": f"t{number}"}], "nextCursor": str(number)} for number in range(100_000))

    def reply(message):
        wire.answer(message["id"], next(pages))

    wire.replies["tools/list"] = reply
    outcome = wire.client.do("list", 30)
    if is_timeout(outcome):
        raise Weak("only the time limit ended the listing")
    del wire.replies["tools/list"]
    wire.survives()


@case("the same cursor again and again: the listing ends, or returns one page at a time")
def the_same_cursor_for_ever(wire):
    if is_timeout(listing(wire, [{"tools": [], "nextCursor": "again"}])):
        raise Weak("only the time limit ended the listing")


@case("a list with items that are not tools: the one that is a tool, or an error")
def tools_that_are_not_tools(wire):
    listing(wire, [{"tools": [1, {}, {"name": 1}, {"name": "no schema"}, [], None, TOOL]}])
    del wire.replies["tools/list"]
    wire.still_works()


@case("a list that is not a list: an error")
def a_list_that_is_not_a_list(wire):
    for result in [[], "tools", {"tools": {}}, {"tools": None}, {"tools": [], "nextCursor": 1}]:
        outcome = listing(wire, [result])
        if "error" not in outcome:
            raise Weak(f"{json.dumps(result)} was accepted")
        if is_timeout(outcome):
            raise Weak(f"{json.dumps(result)}: only the time limit ended the listing")


def with_schema(wire, schema, result):
    """Lists a tool with this output schema, and calls it with this result."""
    wire.replies["tools/list"] = lambda message: wire.answer(message["id"], {"tools": [{**TOOL, "outputSchema": schema}]})
    wire.client.do("list")
    wire.answer(wire.call(), result)
    return wire.outcome()


@case("an output schema that refers to itself: the call ends")
def an_output_schema_that_refers_to_itself(wire):
    for schema in [{"$ref": "#"}, {"type": "object", "allOf": [{"$ref": "#"}]}]:
        with_schema(wire, schema, {"content": [], "structuredContent": {"a": 1}})


@case("an output schema whose validation doubles with each level: the call ends within 5 s")
def an_output_schema_that_doubles(wire):
    definitions = {f"d{number}": {"anyOf": [{"$ref": f"#/$defs/d{number + 1}"}] * 2} for number in range(40)}
    definitions["d40"] = {"type": "string"}
    schema = {"type": "object", "properties": {"a": {"$ref": "#/$defs/d0"}}, "$defs": definitions}
    wire.replies["tools/list"] = lambda message: wire.answer(message["id"], {"tools": [{**TOOL, "outputSchema": schema}]})
    wire.client.do("list")
    wire.answer(wire.call(), {"content": [], "structuredContent": {"a": 1}})
    wire.outcome(8)


@case("structured output that violates its schema: an error")
def output_against_its_schema(wire):
    schema = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
    outcome = with_schema(wire, schema, {"content": [], "structuredContent": {"n": "text"}})
    if "error" not in outcome:
        raise Weak("accepted")


@case("structured output that is missing: an error")
def output_that_is_missing(wire):
    outcome = with_schema(wire, {"type": "object", "required": ["n"]}, GOOD)
    if "error" not in outcome:
        raise Weak("accepted")


@case("a capability that is a lie: an error at once")
def a_capability_that_is_a_lie(wire):
    error = {"code": -32601, "message": "method not found"}
    wire.replies["tools/list"] = lambda message: wire.line({"jsonrpc": "2.0", "id": message["id"], "error": error})
    outcome = wire.client.do("list")
    if "error" not in outcome or is_timeout(outcome):
        raise Weak(f"the listing got {outcome}")


# --------------------------------------------------------------------------- handshakes


def initialized(wire, result):
    wire.replies["initialize"] = lambda message: wire.answer(message["id"], result)
    wire.start()
    outcome = wire.client.outcome(15)
    if "error" not in outcome:
        raise Weak("connected")
    if is_timeout(outcome):
        raise Weak("only the time limit ended the handshake")


@case("an unknown revision: an error", connect=False)
def an_unknown_revision(wire):
    initialized(wire, {"protocolVersion": "1999-01-01", "capabilities": {}, "serverInfo": {"name": "x", "version": "1"}})


@case("no revision at all: an error", connect=False)
def no_revision_at_all(wire):
    initialized(wire, {})


@case("a result of `initialize` that is null: an error at once", connect=False)
def a_handshake_without_a_result(wire):
    initialized(wire, None)


@case("a server that never answers: an error by the time limit", connect=False)
def silence(wire):
    wire.replies["initialize"] = lambda message: None
    wire.start()
    if "error" not in wire.client.outcome(15):
        raise Weak("connected")


@case("a server that supports only an unknown revision: an error", connect=False, stateless=True)
def a_lie_about_versions(wire):
    found = {"supportedVersions": ["2030-01-01"], "capabilities": CAPABILITIES, "resultType": "complete"}
    wire.replies["server/discover"] = lambda message: wire.answer(message["id"], found)
    wire.start()
    if "error" not in wire.client.outcome(15):
        raise Weak("connected")


# --------------------------------------------------------------------------- 2026-07-28

QUESTION = {
    "method": "elicitation/create",
    "params": {"mode": "form", "message": "?", "requestedSchema": {"type": "object", "properties": {}}},
}


def always(wire, result, promptly=True):
    """Answers every call with this result. The call must end in an error."""
    wire.replies["tools/call"] = lambda message: wire.answer(message["id"], result)
    wire.client.send("call")
    wire.expect_error(promptly)
    del wire.replies["tools/call"]
    wire.still_works()


@case("input that is required again and again: an error before the time limit", stateless=True)
def input_required_for_ever(wire):
    always(wire, {"resultType": "input_required", "inputRequests": {"a": QUESTION}, "requestState": "s"})


@case("input that is required without a question: an error", stateless=True)
def input_required_for_nothing(wire):
    always(wire, {"resultType": "input_required"})


@case("input from a method that is not a question: an error", stateless=True)
def input_required_from_an_unknown_method(wire):
    always(wire, {"resultType": "input_required", "inputRequests": {"a": {"method": "tools/call", "params": {}}}})


@case("5,000 questions in one result: an error", stateless=True)
def thousands_of_questions_at_once(wire):
    questions = {str(number): QUESTION for number in range(5000)}
    always(wire, {"resultType": "input_required", "inputRequests": questions})


@case("a result of an unknown type: an error", stateless=True)
def an_unknown_result_type(wire):
    always(wire, {"resultType": "x" * (1 << 20), "content": []})


@case("a task that never ends: the call ends by its time limit, with at most 100 polls", stateless=True)
def a_task_without_end(wire):
    task = {"taskId": "t", "status": "working", "ttlMs": 1, "pollIntervalMs": 0, "createdAt": "2026-01-01T00:00:00Z",
            "lastUpdatedAt": "2026-01-01T00:00:00Z"}
    wire.replies["tools/call"] = lambda message: wire.answer(message["id"], {"resultType": "task", **task})
    wire.replies["tasks/get"] = lambda message: wire.answer(message["id"], {"resultType": "complete", **task})
    wire.client.send("call")
    wire.expect_error(promptly=False)
    polls = wire.requests.count("tasks/get")
    if polls > 100:
        raise Weak(f"{polls} polls")


@case("lifetimes of a list such as 1e300 and -1: accepted or an error", stateless=True)
def a_lifetime_of_an_age(wire):
    for lifetime in [1e300, -1, "soon", 2**64 - 1]:
        listing(wire, [{"tools": [TOOL], "ttlMs": lifetime, "cacheScope": "public", "resultType": "complete"}])
    wire.still_works()


@case("a request to a client without a handshake: an error or no answer, and the connection works", stateless=True)
def a_request_to_the_client(wire):
    wire.line({"jsonrpc": "2.0", "id": 1, **QUESTION})
    wire.still_works()
