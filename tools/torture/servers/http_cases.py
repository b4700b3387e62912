"""Hostile servers over streamable HTTP. Each case is a function with what it asks of a client."""

import json
import socket
import threading
import time
import zlib

import network
from wire import BAD, CAPABILITIES
from web import GOOD, Weak, Web

CASES = []


def case(asks, initialize=None, own_network=False):
    """Adds a case. Its function is the answer to a call; the function that it returns checks the outcome."""

    def add(function):
        def run(command, scale):
            if own_network and not network.is_inside():
                return network.again(function.__name__, command, scale)
            called, check = function()
            web = Web(command, scale, called, initialize)
            try:
                return check(web if initialize else web.connect()) or ""
            finally:
                web.close()

        CASES.append({"id": function.__name__, "asks": asks, "run": run})
        return function

    return add


def fails(web):
    web.expect_error()


def succeeds(web):
    web.expect_good()


def redirect(address, port):
    """Answers with a redirect to a server of this machine, which must not be visited."""
    inner, visits = socket.create_server((address, port)), []

    def accept():
        try:
            peer, _ = inner.accept()
        except OSError:
            return
        visits.append(peer)

    threading.Thread(target=accept, daemon=True).start()
    location = f"location: http://{address}:{inner.getsockname()[1]}/latest/meta-data/\r\n"

    def check(web):
        web.expect_error()
        inner.close()
        if visits:
            raise Weak("the redirect was followed")

    return lambda visit: visit.respond("307 Temporary Redirect", location), check


@case("a redirect to another port of this machine: not followed")
def a_redirect_to_loopback():
    return redirect("127.0.0.1", 0)


@case("a redirect to the metadata address of a cloud: not followed", own_network=True)
def a_redirect_to_a_metadata_address():
    network.set_up()
    return redirect(network.METADATA, 80)


@case("a JSON body without end: an error, memory under 160 MiB more")
def a_body_without_end():
    def called(visit):
        visit.write("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n\r\n")
        sent = 0
        while sent < 1 << 30 and visit.write(b" " * (256 << 10)):
            sent += 256 << 10

    def check(web):
        web.expect_error(promptly=False)

    return called, check


@case("a body that ends early: an error at once")
def a_body_that_ends_early():
    def called(visit):
        visit.write("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n{\"jsonrpc\"")

    return called, fails


@case("an event of 1 GiB: an error, memory under 160 MiB more")
def an_endless_event():
    def called(visit):
        visit.events()
        visit.write('data: {"jsonrpc":"2.0","id":%d,"result":"' % visit.id)
        sent = 0
        while sent < 1 << 30 and visit.write(b"x" * (256 << 10)):
            sent += 256 << 10

    def check(web):
        web.expect_error(promptly=False)

    return called, check


@case("comments without end in an event stream: the call ends, memory under 160 MiB more")
def an_endless_stream_of_comments():
    def called(visit):
        visit.events()
        while visit.write(": still here\n\n" * 1000):
            time.sleep(0.001)

    def check(web):
        web.expect_error(promptly=False)

    return called, check


@case("20,000 events for other requests, then the answer: the answer")
def events_for_other_requests():
    def called(visit):
        visit.events()
        other = json.dumps({"jsonrpc": "2.0", "id": visit.id + 1000, "result": BAD})
        for _ in range(200):
            visit.write(f"data: {other}\n\n" * 100)
        own = json.dumps({"jsonrpc": "2.0", "id": visit.id, "result": GOOD})
        visit.write(f"data: {own}\n\n")

    return called, succeeds


@case("events that are not messages, then the answer: the answer")
def events_that_are_not_messages():
    def called(visit):
        visit.events()
        own = json.dumps({"jsonrpc": "2.0", "id": visit.id, "result": GOOD})
        visit.write(f"data: garbage\n\nevent: odd\ndata: {{}}\n\nid: \0\ndata:\n\nretry: -1\n\ndata: {own}\n\n")

    return called, succeeds


@case("a page of HTML: an error at once")
def html():
    return lambda visit: visit.respond("200 OK", "content-type: text/html\r\n", "<p>Please log in"), fails


@case("status 202 without an answer: an error at once")
def accepted_but_not_answered():
    return lambda visit: visit.respond("202 Accepted"), fails


@case("the answer to another request: an error")
def an_answer_to_another_request():
    def check(web):
        web.expect_error(promptly=False)

    return lambda visit: visit.json({"jsonrpc": "2.0", "id": visit.id + 1, "result": BAD}), check


@case("512 MiB of blanks, compressed to 2 MiB: an error, memory under 160 MiB more")
def a_compressed_bomb():
    compressor = zlib.compressobj(1, wbits=31)
    blanks = b" " * (1 << 20)
    bomb = b"".join(compressor.compress(blanks) for _ in range(512)) + compressor.flush()

    def called(visit):
        visit.write("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-encoding: gzip\r\n")
        visit.write(f"content-length: {len(bomb)}\r\nconnection: close\r\n\r\n")
        visit.write(bomb)

    def check(web):
        web.expect_error(promptly=False)

    return called, check


@case("an error page without end: an error under 100 KB, memory under 160 MiB more")
def an_error_page_without_end():
    def called(visit):
        visit.write("HTTP/1.1 500 Oops\r\nconnection: close\r\n\r\n")
        sent = 0
        while sent < 1 << 30 and visit.write(b"x" * (256 << 10)):
            sent += 256 << 10

    def check(web):
        web.expect_error(promptly=False)

    return called, check


@case("headers without end: an error, memory under 160 MiB more")
def headers_without_end():
    def called(visit):
        visit.write("HTTP/1.1 200 OK\r\n")
        sent = 0
        while sent < 1 << 28 and visit.write(f"x-{'x' * 1000}: y\r\n" * 64):
            sent += 64 << 10

    def check(web):
        web.expect_error(promptly=False)

    return called, check


def forgotten(visit):
    result = {"protocolVersion": "2025-11-25", "capabilities": CAPABILITIES, "serverInfo": {"name": "x", "version": "1"}}
    visit.result(result, "mcp-session-id: s\r\n")


@case("a session that is always forgotten (status 404): an error, and not more than 50 requests", initialize=forgotten)
def a_session_that_is_always_forgotten():
    def check(web):
        web.connect()
        web.expect_error()
        if len(web.visits) > 50:
            raise Weak(f"{len(web.visits)} requests")

    return lambda visit: visit.respond("404 Not Found"), check


def garbage_session(visit):
    result = {"protocolVersion": "2025-11-25", "capabilities": CAPABILITIES, "serverInfo": {"name": "x", "version": "1"}}
    visit.result(result, "mcp-session-id: " + "\u00e9\u0080" * 100 + "\r\n")


@case("a session id that is not ASCII: the call works, or an error", initialize=garbage_session)
def a_session_id_of_garbage():
    def check(web):
        outcome = web.client.do("connect", 20)
        if "ok" in outcome:
            web.call()

    return lambda visit: visit.result(GOOD), check


@case("status 401 without a challenge: an error at once")
def a_refusal_without_a_challenge():
    return lambda visit: visit.respond("401 Unauthorized"), fails


@case("an event stream that ends without the answer: an error at once")
def an_event_stream_that_ends_at_once():
    return lambda visit: visit.events(), fails
