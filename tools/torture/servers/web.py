"""An HTTP server that sends exactly the bytes that a case chooses."""

import json
import socket
import threading

from client import Client
from wire import CAPABILITIES, GOOD, TOOL, Weak, is_timeout, shown


class Visit:
    """One request, and the connection for its response."""

    def __init__(self, peer):
        self.peer = peer
        data = b""
        while b"\r\n\r\n" not in data:
            chunk = peer.recv(1 << 16)
            if not chunk:
                raise OSError("closed")
            data += chunk
        head, body = data.split(b"\r\n\r\n", 1)
        self.head = head.decode(errors="replace")
        headers = dict(line.lower().split(": ", 1) for line in self.head.split("\r\n")[1:] if ": " in line)
        while len(body) < int(headers.get("content-length", 0)):
            body += peer.recv(1 << 16)
        try:
            self.body = json.loads(body)
        except ValueError:
            self.body = {}
        self.headers = headers
        self.method = self.body.get("method") if isinstance(self.body, dict) else None
        self.id = self.body.get("id") if isinstance(self.body, dict) else None

    def write(self, data):
        """Whether the client still reads."""
        try:
            self.peer.sendall(data if isinstance(data, bytes) else data.encode())
            return True
        except OSError:
            return False

    def respond(self, status, headers="", body=""):
        self.write(f"HTTP/1.1 {status}\r\n{headers}content-length: {len(body.encode())}\r\nconnection: close\r\n\r\n{body}")

    def json(self, message, headers=""):
        self.respond("200 OK", "content-type: application/json\r\n" + headers, json.dumps(message))

    def result(self, result, headers=""):
        self.json({"jsonrpc": "2.0", "id": self.id, "result": result}, headers)

    def events(self):
        self.write("HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n")


class Web:
    """A server whose answer to a call is the case, and the client that is connected to it."""

    def __init__(self, command, scale, called, initialize=None):
        self.called, self.initialize, self.visits = called, initialize, []
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.url = f"http://127.0.0.1:{self.listener.getsockname()[1]}/mcp"
        threading.Thread(target=self._accept, daemon=True).start()
        self.client = Client([*command, "legacy", self.url], scale)

    def _accept(self):
        while True:
            try:
                peer, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self._visit, args=(peer,), daemon=True).start()

    def _visit(self, peer):
        with peer:
            try:
                visit = Visit(peer)
            except OSError:
                return
            self.visits.append(visit)
            if visit.method == "initialize" and self.initialize:
                self.initialize(visit)
            elif visit.method == "initialize":
                server = {"name": "hostile", "version": "1"}
                visit.result({"protocolVersion": "2025-11-25", "capabilities": CAPABILITIES, "serverInfo": server})
            elif visit.method == "tools/call":
                self.called(visit)
            elif visit.method == "tools/list":
                visit.result({"tools": [TOOL]})
            elif visit.id is not None:
                visit.json({"jsonrpc": "2.0", "id": visit.id, "error": {"code": -32601, "message": "method not found"}})
            elif visit.head.startswith("POST"):
                visit.respond("202 Accepted")
            else:
                visit.respond("405 Method Not Allowed")

    def connect(self):
        outcome = self.client.do("connect", 20)
        if "error" in outcome:
            raise Weak(f"cannot connect: {outcome['error']}")
        self.client.mark()
        return self

    def call(self, seconds=12):
        return self.client.do("call", seconds)

    def bounded(self, limit=160):
        grown = self.client.grown() >> 20
        if grown > limit:
            raise Weak(f"memory grew by {grown} MiB")

    def expect_error(self, promptly=True):
        outcome = self.call()
        if "error" not in outcome:
            raise Weak(f"accepted: {shown(outcome)}")
        if promptly and is_timeout(outcome):
            raise Weak("only the time limit ended the call")
        if outcome["length"] > 100_000:
            raise Weak(f"an error message of {outcome['length']} bytes")
        self.bounded()

    def expect_good(self):
        outcome = self.call()
        if outcome.get("ok") != "good":
            raise Weak(f"the call got {shown(outcome)}")
        self.bounded()

    def close(self):
        self.client.close()
        self.listener.close()


__all__ = ["GOOD", "Visit", "Weak", "Web", "shown"]
