"""A server over stdio that sends exactly the bytes that a case chooses.

The client starts `relay.py`, which connects its standard input and output to a socket of this program.
"""

import json
import os
import queue
import socket
import struct
import sys
import tempfile
import threading

from client import Client, Dead, Hang

HERE = os.path.dirname(os.path.abspath(__file__))
GOOD = {"content": [{"type": "text", "text": "good"}], "resultType": "complete"}
BAD = {"content": [{"type": "text", "text": "bad"}], "resultType": "complete"}
TOOL = {"name": "t", "inputSchema": {"type": "object"}}
CAPABILITIES = {"tools": {}, "resources": {}, "prompts": {}, "logging": {}}


class Weak(Exception):
    """The client ended the call, but not as the case requires."""


class Wire:
    """A server, and the client that is connected to it.

    What a client sends besides calls is answered in the background, unless the case has another answer in `replies`.
    """

    def __init__(self, command, scale, stateless=False, stubborn=False):
        self.stateless = stateless
        self.calls = queue.Queue()
        self.responses = queue.Queue()
        self.requests = []
        self.replies = {}
        self.reading = threading.Event()
        self.reading.set()
        self.folder = tempfile.TemporaryDirectory()
        path = os.path.join(self.folder.name, "socket")
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(path)
        self.listener.listen()
        self.peer = None
        self.lock = threading.Lock()
        mode = "stateless" if stateless else "legacy"
        relay = [sys.executable, os.path.join(HERE, "relay.py"), path, *(["--stubborn"] if stubborn else [])]
        self.client = Client([*command, mode, *relay], scale)

    # ------------------------------------------------------------------ the connection

    def start(self):
        """Sends `connect`, and waits until the client has started the server."""
        self.client.send("connect")
        self.listener.settimeout(20 * self.client.scale)
        try:
            self.peer, _ = self.listener.accept()
        except OSError:
            raise Hang("the client did not start the server") from None
        threading.Thread(target=self._serve, daemon=True).start()

    def connect(self):
        """Connects, with a valid handshake."""
        self.start()
        outcome = self.client.outcome(20)
        if "error" in outcome:
            raise Weak(f"cannot connect: {outcome['error']}")
        self.client.mark()
        return self

    def _serve(self):
        buffer = b""
        while True:
            self.reading.wait()
            try:
                chunk = self.peer.recv(1 << 16)
            except OSError:
                chunk = b""
            if not chunk:
                self.calls.put(None)
                return
            *lines, buffer = (buffer + chunk).split(b"\n")
            for line in lines:
                try:
                    message = json.loads(line)
                except ValueError:
                    continue
                self._receive(message)

    def _receive(self, message):
        method = message.get("method")
        if method is None:
            self.responses.put(message)
        elif "id" in message:
            self.requests.append(method)
            if method in self.replies:
                self.replies[method](message)
            elif method == "tools/call":
                self.calls.put(message)
            else:
                self.line(self._reply(message["id"], method, message.get("params") or {}))

    def _reply(self, id, method, params):
        results = {
            "tools/list": {"tools": [TOOL], "resultType": "complete", "ttlMs": 0, "cacheScope": "private"},
            "ping": {},
            "logging/setLevel": {},
        }
        if self.stateless:
            results["server/discover"] = {
                "supportedVersions": ["2026-07-28"], "capabilities": CAPABILITIES, "resultType": "complete",
                "ttlMs": 0, "cacheScope": "private", "serverInfo": {"name": "hostile", "version": "1"},
            }
        else:
            results["initialize"] = {
                "protocolVersion": "2025-11-25", "capabilities": CAPABILITIES, "serverInfo": {"name": "hostile", "version": "1"},
            }
        if method in results:
            return {"jsonrpc": "2.0", "id": id, "result": results[method]}
        return {"jsonrpc": "2.0", "id": id, "error": {"code": -32601, "message": "method not found"}}

    # ------------------------------------------------------------------ what a case uses

    def send(self, data):
        """Sends these bytes. If the client is gone, its outcome shows that."""
        with self.lock:
            try:
                self.peer.sendall(data if isinstance(data, bytes) else data.encode())
            except OSError:
                pass

    def line(self, message):
        self.send((message if isinstance(message, (str, bytes)) else json.dumps(message)) + "\n")

    def note(self, method, params):
        self.line({"jsonrpc": "2.0", "method": method, "params": params})

    def answer(self, id, result=GOOD):
        self.line({"jsonrpc": "2.0", "id": id, "result": result})

    def request(self, seconds=10):
        """The next call of the client."""
        try:
            message = self.calls.get(timeout=seconds * self.client.scale)
        except queue.Empty:
            raise Weak("the client sent no call") from None
        if message is None:
            raise Weak("the client closed the connection")
        return message

    def call(self):
        """Lets the client call the tool. Returns the id of the request."""
        self.client.send("call")
        return self.request()["id"]

    def outcome(self, seconds=12):
        return self.client.outcome(seconds)

    def expect_good(self, seconds=12):
        outcome = self.outcome(seconds)
        if outcome.get("ok") != "good":
            raise Weak(f"the call got {shown(outcome)}")

    def expect_error(self, promptly=True):
        """The call must fail, and not only by its time limit."""
        outcome = self.outcome()
        if "error" not in outcome:
            raise Weak(f"accepted: {shown(outcome)}")
        if promptly and is_timeout(outcome):
            raise Weak("only the time limit ended the call")
        if outcome["length"] > 100_000:
            raise Weak(f"an error message of {outcome['length']} bytes")
        return outcome

    def still_works(self):
        id = self.call()
        self.answer(id)
        try:
            self.expect_good()
        except Weak as error:
            raise Weak(f"later calls fail: {error}") from None

    def survives(self, limit=160):
        """The connection works, and memory is bounded."""
        self.still_works()
        self.bounded(limit)

    def bounded(self, limit=160):
        grown = self.client.grown() >> 20
        if grown > limit:
            raise Weak(f"memory grew by {grown} MiB")
        return f"memory grew by {grown} MiB"

    def server_process(self):
        """The id of the process that the client has started."""
        return struct.unpack("3i", self.peer.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i")))[0]

    def close(self):
        self.client.close()
        for end in (self.peer, self.listener):
            if end:
                end.close()
        self.folder.cleanup()


def is_timeout(outcome):
    text = outcome.get("error", "").lower()
    return "timeout" in text or "timed out" in text or "no answer within" in text


def shown(outcome):
    return json.dumps(outcome.get("ok", outcome.get("error")))[:100]


__all__ = ["BAD", "CAPABILITIES", "Dead", "GOOD", "Hang", "TOOL", "Weak", "Wire", "is_timeout", "shown"]
