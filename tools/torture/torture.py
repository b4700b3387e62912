#!/usr/bin/env python3
"""Sends hostile input to an MCP stdio server and grades how it responds.

Standard library only; Linux (reads /proc for memory and CPU). Every case starts a fresh server.

    torture.py --out result.json -- ./my-server --flag
    torture.py --only bom,panic -- ./my-server
    torture.py --except sigterm,orphan -- ./my-server
    torture.py --short -- ./my-server             # without the cases that take more than a second
    torture.py --list                             # the cases, and what each one expects
    torture.py --table a.json b.json > table.md   # one column for each result file

tools.json (beside this script, or --tools) names the tools for each purpose. Cases without their tool are skipped:

    {"name": "my-server",
     "echo":    {"tool": "echo", "arg": "text"},            returns its argument as text
     "slow":    {"tool": "slow", "arg": "ms", "unit": 1},   sleeps; unit = milliseconds in one unit of arg
     "block":   {"tool": "block", "arg": "ms", "unit": 1},  the same, but blocks its thread
     "flood":   {"tool": "flood", "arg": "bytes"},          returns that many bytes of text
     "panic":   {"tool": "panic"},                          panics / throws
     "pollute": {"tool": "pollute"}}                        prints to stdout
  Every entry may have "args": {...}, merged into the call's arguments.

Grades: OK    did what the case expects
        WEAK  keeps running, but lost a response, changed data, leaked or wasted something (see the note)
        HANG  the process runs but does not respond
        DEAD  the process exited or closed its stdout
        SKIP  the case does not apply to this server
Exit status: number of HANG and DEAD (with --strict also WEAK), at most 99.
"""

import argparse
import json
import os
import queue
import select
import signal
import subprocess
import sys
import tempfile
import threading
import time

SCALE = 1.0  # --scale: stretches every wait, for slow machines
MIB = 1024 * 1024
WRAPPER = "import subprocess, sys; sys.exit(subprocess.call(sys.argv[1:]))"  # a launcher such as npx or sh -c


class Dead(Exception):
    """The server exited, or closed its stdout."""


class Hang(Exception):
    """The server runs but does not respond."""


class Skip(Exception):
    """The case does not apply to this server."""


# --------------------------------------------------------------------------- the server under test


class Server:
    """One server process, with a thread that reads its output."""

    def __init__(self, command, parts):
        self.parts = parts
        self.err = tempfile.TemporaryFile()
        self.proc = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.err,
            bufsize=0,
            start_new_session=True,
            env={**os.environ, "TORTURE_SECRET": "environment-canary-93c1", "RUST_LOG": "debug"},
        )
        os.set_blocking(self.proc.stdin.fileno(), False)
        self.gate = threading.Event()  # while cleared, the reader thread does not read stdout
        self.gate.set()
        self.lines = queue.Queue()
        self.messages = []  # every JSON-RPC object from stdout
        self.by_id = {}  # responses, by the JSON text of their id
        self.impure = []  # every stdout line that is not a JSON-RPC 2.0 object
        self.parked = threading.Event()  # set while the reader thread waits at the gate
        self.counter = 0
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        rest = b""
        while True:
            if not self.gate.is_set():
                self.parked.set()
                self.gate.wait()
                self.parked.clear()
            try:
                chunk = os.read(self.proc.stdout.fileno(), 1 << 16)
            except (OSError, ValueError):  # closed by another thread
                chunk = b""
            if not chunk:
                break
            rest += chunk
            if b"\n" in chunk:
                *whole, rest = rest.split(b"\n")
                for line in whole:
                    self.lines.put(line)
        if rest:
            self.lines.put(rest)
        self.lines.put(None)

    # -- sending

    def raw(self, data, wait=20.0):
        """Writes bytes. Raises Hang if the pipe stays full, Dead if it is closed."""
        end, view, fd = time.monotonic() + wait * SCALE, memoryview(data), self.proc.stdin.fileno()
        while view:
            if not select.select([], [fd], [], max(0.0, end - time.monotonic()))[1]:
                raise Hang(f"stopped reading stdin ({len(view)} bytes unsent)")
            try:
                view = view[os.write(fd, view[: 1 << 16]) :]
            except BlockingIOError:
                continue
            except (BrokenPipeError, ValueError):
                raise Dead("stdin closed") from None

    def send(self, message, end=b"\n"):
        self.raw(json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode() + end)

    def new_id(self):
        self.counter += 1
        return f"t{self.counter}"

    def request(self, method, params=None, id=None):
        id = self.new_id() if id is None else id
        message = {"jsonrpc": "2.0", "id": id, "method": method}
        if params is not None:
            message["params"] = params
        self.send(message)
        return id

    def notify(self, method, params=None):
        self.send({"jsonrpc": "2.0", "method": method, **({"params": params} if params is not None else {})})

    def call_params(self, part, value=None):
        if part not in self.parts:
            raise Skip(f"no {part} tool")
        spec = self.parts[part]
        arguments = dict(spec.get("args", {}))
        if value is not None:
            arguments[spec["arg"]] = value / spec["unit"] if spec.get("unit", 1) != 1 else value
        return {"name": spec["tool"], "arguments": arguments}

    def call(self, part, value=None, id=None):
        return self.request("tools/call", self.call_params(part, value), id)

    # -- receiving

    def next(self, wait):
        """The next JSON-RPC object, or None after the time limit."""
        end = time.monotonic() + wait
        while True:
            try:
                line = self.lines.get(timeout=max(0.001, end - time.monotonic()))
            except queue.Empty:
                return None
            if line is None:
                self.lines.put(None)
                raise Dead("closed stdout")
            try:
                message = json.loads(line)
            except ValueError:
                self.impure.append(line[:120])
                continue
            whole = message if isinstance(message, list) else [message]
            if not all(isinstance(m, dict) and m.get("jsonrpc") == "2.0" for m in whole):
                self.impure.append(line[:120])
                continue
            self.messages.extend(whole)
            for m in whole:
                if "id" in m and "method" not in m:
                    self.by_id.setdefault(json.dumps(m["id"]), []).append(m)
            return message

    def replies(self, id):
        return self.by_id.get(json.dumps(id), [])

    def null_errors(self):
        return [m for m in self.messages if "error" in m and m.get("id") is None]

    def reply(self, id, wait=10.0):
        """The response with this id. Raises Hang if there is none."""
        end = time.monotonic() + wait * SCALE
        while not self.replies(id):
            left = end - time.monotonic()
            if left <= 0:
                raise Hang(f"no reply to {str(id)[:40]!r}")
            self.next(left)
        return self.replies(id)[0]

    def maybe(self, id, wait=2.0):
        """The response with this id, or None."""
        try:
            return self.reply(id, wait)
        except Hang:
            return None

    def drain(self, wait=0.3):
        """Reads all output until there is none for a while."""
        while self.next(wait * SCALE) is not None:
            pass

    # -- life

    def handshake(self, version="2025-11-25"):
        id = self.request(
            "initialize",
            {"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "torture", "version": "1"}},
        )
        answer = self.reply(id, 30)
        if "result" not in answer:
            raise Dead(f"initialize refused: {answer.get('error')}")
        self.notify("notifications/initialized")
        return answer["result"]

    def probe(self):
        """Raises unless the server still responds to a ping and to its echo tool, if it has one."""
        ping = self.request("ping")
        self.reply(ping, 30)
        if "echo" in self.parts:
            said = "probe-" + ping
            if said not in json.dumps(self.reply(self.call("echo", said), 30)):
                raise Hang("echo no longer echoes")

    def close_stdin(self):
        self.proc.stdin.close()

    def exited(self, wait):
        """The exit status if the process exits in time (negative: signal), else None."""
        try:
            return self.proc.wait(wait * SCALE)
        except subprocess.TimeoutExpired:
            return None

    def memory(self, field="VmHWM"):
        try:
            with open(f"/proc/{self.proc.pid}/status") as file:
                for line in file:
                    if line.startswith(field + ":"):
                        return int(line.split()[1]) * 1024
        except OSError:
            pass
        return 0

    def cpu(self):
        with open(f"/proc/{self.proc.pid}/stat") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def stderr(self):
        self.err.seek(0)
        return self.err.read()

    def end(self):
        self.gate.set()
        try:
            os.killpg(self.proc.pid, signal.SIGKILL)  # only the processes of this case, which have their own session
        except (ProcessLookupError, PermissionError):
            pass
        self.proc.wait()
        for stream in (self.proc.stdin, self.err):
            try:
                stream.close()
            except OSError:
                pass


def child_of(pid):
    """The first child of a process, or None."""
    try:
        with open(f"/proc/{pid}/task/{pid}/children") as file:
            return next((int(child) for child in file.read().split()), None)
    except OSError:
        return None


def parent_of(pid):
    """The parent of a live process, or None (also for a zombie)."""
    try:
        with open(f"/proc/{pid}/stat") as file:
            state, parent = file.read().rsplit(")", 1)[1].split()[:2]
    except OSError:
        return None
    return None if state == "Z" else int(parent)


def text_of(reply):
    """The text in the result of tools/call, or None."""
    content = reply.get("result", {}).get("content") or [{}]
    return content[0].get("text")


def is_error(reply):
    return "error" in reply or bool(reply.get("result", {}).get("isError"))


def describe(reply):
    if reply is None:
        return "no reply"
    if "error" in reply:
        code = reply["error"].get("code") if isinstance(reply["error"], dict) else reply["error"]
        return f"error {code}" + (" with id null" if reply.get("id") is None else "")
    return "isError result" if is_error(reply) else "result"


# --------------------------------------------------------------------------- the cases

CASES = []


def case(group, asks, handshake=True, probe=True, wrapped=False, long=False):
    """Registers a case. The function returns a grade, a (grade, note) pair, or None for OK.

    wrapped: the server runs behind a launcher. long: the case always takes more than a second.
    """

    def add(function):
        CASES.append(
            {
                "id": function.__name__,
                "group": group,
                "asks": asks,
                "run": function,
                "handshake": handshake,
                "probe": probe,
                "wrapped": wrapped,
                "long": long,
            }
        )
        return function

    return add


# ---- framing


@case("framing", "a line that is not JSON: keep running (no reply or -32700)")
def garbage_line(s):
    s.raw(b"this is not json\n")
    s.drain()
    return "OK", describe(s.null_errors()[0]) if s.null_errors() else "ignored, no reply"


@case("framing", "garbage before initialize: keep running", handshake=False)
def garbage_first(s):
    s.raw(b"npm warn something\n{broken\n")
    s.handshake()


@case("framing", "UTF-8 byte order mark before the first message: accept it", handshake=False)
def bom(s):
    s.raw(b"\xef\xbb\xbf")
    try:
        s.handshake()
    except Hang:
        s.handshake()
        return "WEAK", "first message lost"


@case("framing", "lines that end in CRLF: accept them")
def crlf(s):
    s.send({"jsonrpc": "2.0", "id": "crlf", "method": "ping"}, end=b"\r\n")
    s.reply("crlf")


@case("framing", "empty and blank lines: ignore them")
def blank_lines(s):
    s.raw(b"\n\n\r\n   \n\t\n")
    s.drain()
    if s.null_errors():
        return "WEAK", f"answered {describe(s.null_errors()[0])}"


@case("framing", "a request that arrives byte by byte: answer it")
def byte_by_byte(s):
    for byte in b'{"jsonrpc":"2.0","id":"slowly","method":"ping"}\n':
        s.raw(bytes([byte]))
        time.sleep(0.002)
    s.reply("slowly")


@case("framing", "half a line, a pause, the rest: answer it", long=True)
def half_line(s):
    s.raw(b'{"jsonrpc":"2.0","id":"half",')
    time.sleep(1)
    s.raw(b'"method":"ping"}\n')
    s.reply("half")


@case("framing", "a character split between two writes: echo it whole")
def split_utf8(s):
    word = "naïve-日本-🦀"
    data = json.dumps(
        {"jsonrpc": "2.0", "id": "utf", "method": "tools/call", "params": s.call_params("echo", word)}, ensure_ascii=False
    ).encode()
    cut = data.index("🦀".encode()) + 2
    s.raw(data[:cut])
    time.sleep(0.2)
    s.raw(data[cut:] + b"\n")
    if word not in (text_of(s.reply("utf")) or ""):
        return "WEAK", "text changed"


@case("framing", "2,000 requests in one write: each answered exactly once")
def pipelined(s):
    s.raw(b"".join(b'{"jsonrpc":"2.0","id":"p%d","method":"ping"}\n' % n for n in range(2000)))
    for n in range(2000):
        s.reply(f"p{n}", 30)
    if any(len(s.replies(f"p{n}")) != 1 for n in range(0, 2000, 97)):
        return "WEAK", "more than one answer to one id"


@case("framing", "NUL bytes, alone and inside a message: keep running")
def nul_bytes(s):
    s.raw(b"\0\0\0\n")
    s.raw(b'{"jsonrpc":"2.0","id":"n\0ul","method":"ping"}\n')
    s.raw(b'\0{"jsonrpc":"2.0","id":"after","method":"ping"}\n')
    s.drain()


@case("framing", "invalid UTF-8 on a line: keep running")
def bad_utf8_line(s):
    s.raw(b"\xff\xfe\xc3\x28\n")
    s.drain()


@case("framing", "invalid UTF-8 inside an argument: refuse it, never run the tool with changed text")
def bad_utf8_argument(s):
    params = json.dumps(s.call_params("echo", "MARK")).encode().replace(b"MARK", b"a\xff\xfez")
    s.raw(b'{"jsonrpc":"2.0","id":"bad","method":"tools/call","params":' + params + b"}\n")
    answer = s.maybe("bad") or (s.null_errors() or [None])[0]
    if answer is None:
        return "WEAK", "no reply: the caller waits for ever"
    return ("OK" if is_error(answer) else "WEAK"), describe(answer) if is_error(answer) else "ran the tool with changed text"


@case("framing", "a lone surrogate in an argument: an answer, an error or the same text")
def lone_surrogate(s):
    params = json.dumps(s.call_params("echo", "MARK")).replace("MARK", "\\ud800")
    s.raw(b'{"jsonrpc":"2.0","id":"lone","method":"tools/call","params":' + params.encode() + b"}\n")
    answer = s.maybe("lone") or (s.null_errors() or [None])[0]
    if answer is None:
        return "WEAK", "no reply: the caller waits for ever"
    same = is_error(answer) or text_of(answer) == "\ud800"
    return ("OK" if same else "WEAK"), describe(answer) if same else "text changed"


@case("framing", "end of input after a request without its newline: the reply still comes out", probe=False)
def eof_no_newline(s):
    s.send({"jsonrpc": "2.0", "id": "tail", "method": "ping"}, end=b"")
    s.close_stdin()
    try:
        answer = s.maybe("tail", 5)
    except Dead:
        answer = None
    if s.exited(5) is None:
        return "HANG", "did not exit"
    return ("OK" if answer else "WEAK"), "reply delivered" if answer else "reply lost"


# ---- size


@case("size", "a 4 MiB argument: echo it exactly")
def big_4mib(s):
    text = "0123456789abcdef" * (4 * MIB // 16)
    start = time.monotonic()
    answer = s.reply(s.call("echo", text), 60)
    if is_error(answer) or len(text_of(answer) or "") < len(text):
        return "WEAK", f"{describe(answer)}, {len(text_of(answer) or '')} of {len(text)} characters"
    return "OK", f"{time.monotonic() - start:.2f} s, peak {s.memory() // MIB} MiB"


@case("size", "a 64 MiB argument: echo it, or refuse it with a reply and keep running")
def big_64mib(s):
    text = "0123456789abcdef" * (64 * MIB // 16)
    id = s.call("echo", text)
    answer = s.maybe(id, 60)
    peak = f"peak {s.memory() // MIB} MiB"
    if answer is None and not s.null_errors():
        return "WEAK", f"no reply: the caller waits for ever, {peak}"
    return "OK", f"{describe(answer or s.null_errors()[0])}, {peak}"


@case("size", "256 MiB without a newline: bounded memory (under 160 MiB more), then keep running", long=True)
def endless_line(s):
    before = s.memory()
    block = b"x" * MIB
    for _ in range(256):
        s.raw(block, 60)
    time.sleep(0.5)
    grown = (s.memory() - before) // MIB
    s.raw(b"\n")
    s.probe()
    return ("OK" if grown < 160 else "WEAK"), f"grew {grown} MiB"


@case("size", "100,000 nested arrays: refuse, keep running")
def deep_nesting(s):
    deep = b"[" * 100_000 + b"]" * 100_000
    s.raw(b'{"jsonrpc":"2.0","id":"deep","method":"tools/call","params":{"name":"x","arguments":{"a":' + deep + b"}}}\n")
    answer = s.maybe("deep")
    if answer is None and not s.null_errors():
        return "WEAK", "no reply: the caller waits for ever"
    return "OK", describe(answer or s.null_errors()[0])


@case("size", "a method name of 1 MiB: an error that does not send all of it back")
def long_method(s):
    id = s.request("x" * MIB)
    answer = s.reply(id, 20)
    size = len(json.dumps(answer))
    return ("OK" if "error" in answer and size < 2048 else "WEAK"), f"{describe(answer)}, {size} bytes"


@case("size", "300,000 keys in the arguments: an answer within 5 s, under 160 MiB more")
def many_keys(s):
    params = s.call_params("echo", "x")
    params["arguments"].update((f"key{n}", n) for n in range(300_000))
    before, start = s.memory(), time.monotonic()
    answer = s.reply(s.request("tools/call", params), 60)
    took, grown = time.monotonic() - start, (s.memory() - before) // MIB
    good = took < 5 * SCALE and grown < 160
    return ("OK" if good else "WEAK"), f"{describe(answer)} after {took:.2f} s, grew {grown} MiB"


# ---- JSON-RPC


@case("json-rpc", "duplicate keys (two ids): at most one reply", long=True)
def duplicate_keys(s):
    s.raw(b'{"jsonrpc":"2.0","id":"one","id":"two","method":"ping"}\n')
    s.drain(1)
    first, second = s.replies("one"), s.replies("two")
    if len(first) + len(second) > 1:
        return "WEAK", "answered twice"
    which = "first key wins" if first else "last key wins" if second else "refused"
    return "OK", which


@case("json-rpc", "keys that only look like known ones (Method, params with a long s): not taken for them")
def lookalike_keys(s):
    s.raw('{"jsonrpc":"2.0","id":"look","Method":"ping","METHOD":"ping"}\n'.encode())
    s.raw('{"jsonrpc":"2.0","id":"like","method":"tools/call","param\u017f":{"name":"x"}}\n'.encode())
    s.raw(b'{"jsonrpc":"2.0","id":"extra","method":"ping","Id":"other","x-extra":1}\n')
    s.drain(0.6)
    if any("result" in m for m in s.replies("look")) or s.replies("other"):
        return "WEAK", "a look-alike key was taken for the real one"
    if not s.replies("extra"):
        return "WEAK", "a request with an unknown key gets no reply"
    return "OK", ", ".join(describe(r[0]) for r in (s.replies("look"), s.replies("like")) if r) or "ignored"


@case("json-rpc", "ids 0, -1, 2^53+1, 2^63, 2^64, a string of 1,000 characters: sent back unchanged")
def number_ids(s):
    lost = []
    for text in ("0", "-1", str(2**53 + 1), str(2**63), str(2**64), json.dumps("i" * 1000)):
        s.raw(b'{"jsonrpc":"2.0","id":%s,"method":"ping"}\n' % text.encode())
        if s.maybe(json.loads(text), 0.6) is None:
            lost.append(text[:24])
    return ("WEAK", "lost or changed: " + ", ".join(lost)) if lost else "OK"


@case("json-rpc", "the same id twice in flight: at most one result, and not one reply too few or too many", long=True)
def same_id_twice(s):
    s.call("slow", 800, id="twice")
    s.call("slow", 800, id="twice")
    s.drain(1.5)
    replies = s.replies("twice")
    results = [r for r in replies if "result" in r]
    note = ", ".join(describe(r) for r in replies) or "no reply"
    return ("OK" if len(replies) == 2 and len(results) == 1 else "WEAK"), note


@case("json-rpc", "params that are a string, a number, an array: an error with the request's id")
def odd_params(s):
    silent = []
    for n, text in enumerate(('"x"', "7", "[1,2]")):
        s.raw(b'{"jsonrpc":"2.0","id":"odd%d","method":"tools/call","params":%s}\n' % (n, text.encode()))
        answer = s.maybe(f"odd{n}", 0.6)
        if answer is None or not is_error(answer):
            silent.append(f"{text}: {describe(answer)}")
    return ("WEAK", "; ".join(silent)) if silent else "OK"


@case("json-rpc", "ids that are fractional, boolean, object, array: refuse or echo, keep running", long=True)
def odd_ids(s):
    silent = []
    for text in ("1.5", "true", "{}", "[1]", "1e400"):
        before = len(s.messages)
        s.raw(b'{"jsonrpc":"2.0","id":%s,"method":"ping"}\n' % text.encode())
        s.drain(0.4)
        if not [m for m in s.messages[before:] if "method" not in m]:
            silent.append(text)
    return "OK", "no reply to: " + ", ".join(silent) if silent else "every one answered"


@case("json-rpc", "a request whose method is a number: an error reply")
def number_method(s):
    s.raw(b'{"jsonrpc":"2.0","id":"nm","method":123}\n')
    answer = s.maybe("nm") or (s.null_errors() or [None])[0]
    return ("OK" if answer else "WEAK"), describe(answer)


@case("json-rpc", 'jsonrpc "1.0" and no jsonrpc: an error reply', long=True)
def wrong_version_field(s):
    s.raw(b'{"jsonrpc":"1.0","id":"v1","method":"ping"}\n{"id":"v0","method":"ping"}\n')
    s.drain(1)
    answers = [describe(r[0]) for r in (s.replies("v1"), s.replies("v0")) if r] + ["error, id null"] * len(s.null_errors())
    return ("OK" if len(answers) == 2 else "WEAK"), ", ".join(answers) or "no reply"


@case("json-rpc", "unknown method: -32601")
def unknown_method(s):
    answer = s.reply(s.request("no/such/method"))
    return ("OK" if answer.get("error", {}).get("code") == -32601 else "WEAK"), describe(answer)


@case("json-rpc", "unknown notification: no answer")
def unknown_notification(s):
    s.notify("notifications/no_such", {"a": 1})
    s.drain(0.6)
    if s.null_errors():
        return "WEAK", f"answered {describe(s.null_errors()[0])}"


@case("json-rpc", "batches, full and empty: refuse or answer, keep running", long=True)
def batches(s):
    s.raw(b'[{"jsonrpc":"2.0","id":"b1","method":"ping"},{"jsonrpc":"2.0","id":"b2","method":"ping"}]\n[]\n')
    s.drain(1)
    if s.replies("b1") and s.replies("b2"):
        return "OK", "batch answered"
    if s.null_errors():
        return "OK", f"{len(s.null_errors())} errors"
    return "WEAK", "no reply: the caller waits for ever"


@case("json-rpc", "replies and errors nobody asked for: ignore them, start no error storm")
def stray_replies(s):
    s.raw(
        b'{"jsonrpc":"2.0","id":987654,"result":{}}\n'
        b'{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}\n'
        b'{"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error"}}\n'
        b'{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":"both"}}\n'
    )
    s.drain(0.6)
    if len(s.null_errors()) > 1:
        return "WEAK", f"sent {len(s.null_errors())} errors back"


# ---- life cycle


@case("life cycle", "tools/call before initialize: an error, then a normal start", handshake=False)
def call_too_early(s):
    id = s.call("echo", "early")
    answer = s.maybe(id, 3)
    s.handshake()
    if answer is None:
        return "WEAK", "no reply"
    return ("OK" if is_error(answer) else "WEAK"), describe(answer)


@case("life cycle", "a second initialize: answer or refuse, keep running")
def initialize_twice(s):
    id = s.request(
        "initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}
    )
    return "OK", describe(s.reply(id))


@case("life cycle", "initialize without parameters: an error or an answer, then a normal start", handshake=False)
def initialize_bare(s):
    answer = s.maybe(s.request("initialize"), 3)
    s.handshake()
    return ("OK" if answer else "WEAK"), describe(answer)


@case("life cycle", "a protocol version from nowhere: offer another, or refuse with an error", handshake=False)
def odd_version(s):
    id = s.request(
        "initialize", {"protocolVersion": "1900-01-01", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}
    )
    answer = s.reply(id, 30)
    if "error" in answer:
        s.handshake()
        return "OK", describe(answer)
    s.notify("notifications/initialized")
    return "OK", f"offers {answer['result'].get('protocolVersion')}"


@case("life cycle", "stdin closes: exit 0 within 3 s", probe=False)
def eof(s):
    s.close_stdin()
    status = s.exited(3)
    if status is None:
        return "HANG", "still there after 3 s"
    return ("OK" if status == 0 else "WEAK"), f"exit status {status}"


@case("life cycle", "a request, then at once end of input: the reply still comes out", probe=False)
def eof_after_request(s):
    id = s.call("echo", "last words")
    s.close_stdin()
    try:
        answer = s.maybe(id, 5)
    except Dead:
        answer = None
    if s.exited(5) is None:
        return "HANG", "did not exit"
    return ("OK" if answer else "WEAK"), "reply delivered" if answer else "reply lost"


@case("life cycle", "end of input while a tool sleeps 30 s: exit within 5 s", probe=False, long=True)
def eof_while_slow(s):
    s.call("slow", 30_000)
    s.drain(0.3)
    s.close_stdin()
    start = time.monotonic()
    status = s.exited(12)
    if status is None:
        return "HANG", "still there after 12 s"
    took = time.monotonic() - start
    return ("OK" if took < 5 * SCALE else "WEAK"), f"exit status {status} after {took:.1f} s"


@case("life cycle", "SIGTERM while idle: gone within 3 s", probe=False)
def sigterm(s):
    s.proc.send_signal(signal.SIGTERM)
    status = s.exited(3)
    return ("HANG", "ignored") if status is None else ("OK", f"exit status {status}")


@case("life cycle", "SIGINT while a tool sleeps: gone within 3 s", probe=False, long=True)
def sigint_while_slow(s):
    s.call("slow", 30_000)
    s.drain(0.3)
    s.proc.send_signal(signal.SIGINT)
    status = s.exited(3)
    return ("HANG", "ignored") if status is None else ("OK", f"exit status {status}")


@case("life cycle", "SIGTERM twice while a tool blocks its thread: gone within 1 s of the second", probe=False)
def sigterm_twice(s):
    s.call("block", 30_000)
    s.drain(0.3)
    s.proc.send_signal(signal.SIGTERM)
    if s.exited(0.1) is None:
        s.proc.send_signal(signal.SIGTERM)
    status = s.exited(1)
    return ("HANG", "ignored") if status is None else ("OK", f"exit status {status}")


@case("life cycle", "1,000 calls in flight, then end of input: exit within 3 s", probe=False, long=True)
def abandon_many(s):
    for _ in range(1000):
        s.call("slow", 30_000)
    s.drain(0.2)
    s.close_stdin()
    start = time.monotonic()
    status = s.exited(12)
    if status is None:
        return "HANG", "still there after 12 s"
    took = time.monotonic() - start
    return ("OK" if took < 3 * SCALE else "WEAK"), f"exit status {status} after {took:.1f} s"


@case("life cycle", "nobody reads stdout any more: exit within 3 s", probe=False)
def broken_pipe(s):
    s.gate.clear()
    ping = s.request("ping")
    if not s.parked.wait(5):
        raise Hang(f"no reply to {ping!r}")
    s.proc.stdout.close()
    for _ in range(3):
        try:
            s.request("ping")
        except Dead:
            break
        time.sleep(0.05)
    status = s.exited(3)
    return ("WEAK", "lives on with nobody to talk to") if status is None else ("OK", f"exit status {status}")


@case("life cycle", "the parent is killed while a sibling holds stdin open: gone within 6 s", probe=False, wrapped=True, long=True)
def orphan(s):
    server = child_of(s.proc.pid)
    if server is None:
        raise Skip("no /proc")
    os.kill(s.proc.pid, signal.SIGKILL)
    s.proc.wait()
    end = time.monotonic() + 6 * SCALE
    while time.monotonic() < end:
        if parent_of(server) is None:
            return "OK", f"gone after {6 * SCALE - (end - time.monotonic()):.1f} s"
        time.sleep(0.05)
    os.kill(server, signal.SIGKILL)
    return "WEAK", "an orphan that stays"


@case("life cycle", "idle for 2 s: under 3 % CPU", long=True)
def idle_cpu(s):
    s.probe()
    used = s.cpu()
    time.sleep(2)
    share = (s.cpu() - used) / 2 * 100
    return ("OK" if share < 3 else "WEAK"), f"{share:.1f} % CPU, {s.memory('VmRSS') // MIB} MiB resident"


# ---- tools


@case("tools", "unknown tool: an error reply")
def unknown_tool(s):
    answer = s.reply(s.request("tools/call", {"name": "no-such-tool", "arguments": {}}))
    return ("OK" if is_error(answer) else "WEAK"), describe(answer)


@case("tools", "an argument of the wrong type: an error reply that names the argument")
def wrong_argument_type(s):
    params = s.call_params("echo", "x")
    name = s.parts["echo"]["arg"]
    params["arguments"][name] = {"not": "a string"}
    answer = s.reply(s.request("tools/call", params))
    if not is_error(answer):
        return "WEAK", f"accepted: {text_of(answer)!r}"
    said = json.dumps(answer.get("error") or text_of(answer))
    return ("OK" if name in said else "WEAK"), f"{describe(answer)}" + ("" if name in said else f", says only {said[:90]}")


@case("tools", "a required argument is missing: an error reply that names it")
def missing_argument(s):
    name = s.parts.get("echo", {}).get("arg")
    answer = s.reply(s.request("tools/call", {**s.call_params("echo"), "arguments": {}}))
    if not is_error(answer):
        return "WEAK", "accepted"
    said = json.dumps(answer.get("error") or text_of(answer))
    return ("OK" if name in said else "WEAK"), describe(answer) + ("" if name in said else f", says only {said[:90]}")


@case("tools", "a panic in a tool: an error reply within 5 s, then keep running")
def panic(s):
    answer = s.maybe(s.call("panic"), 5)
    if answer is None:
        return "WEAK", "no reply: the caller waits for ever"
    leak = "; the panic's own text reaches the client" if "secret-in-panic" in json.dumps(answer) else ""
    return ("OK" if is_error(answer) else "WEAK"), describe(answer) + leak


@case("tools", "200 panics among 200 calls: all 400 answered")
def panic_storm(s):
    panics = [s.call("panic") for _ in range(200)]
    echoes = [s.call("echo", f"calm-{n}") for n in range(200)]
    lost = sum(s.maybe(id, 5 if n == 0 else 1) is None for n, id in enumerate(panics[:20]))
    if lost:
        return "WEAK", f"{lost} of the first 20 panics were never answered"
    for id in panics + echoes:
        s.reply(id, 20)


@case("tools", "a sleeping tool does not hold up a ping (answer within 0.5 s)", long=True)
def slow_and_ping(s):
    slow = s.call("slow", 2000)
    start = time.monotonic()
    s.reply(s.request("ping"))
    took = time.monotonic() - start
    s.reply(slow)
    return ("OK" if took < 0.5 * SCALE else "WEAK"), f"ping after {took * 1000:.0f} ms"


@case("tools", "100 sleeping tools (1 s each) run side by side: done within 3 s", long=True)
def slow_parallel(s):
    start = time.monotonic()
    ids = [s.call("slow", 1000) for _ in range(100)]
    for id in ids:
        s.reply(id, 110)
    took = time.monotonic() - start
    return ("OK" if took < 3 * SCALE else "WEAK"), f"{took:.1f} s"


@case("tools", "one thread-blocking tool does not hold up a ping (0.5 s)", long=True)
def block_and_ping(s):
    block = s.call("block", 1500)
    time.sleep(0.1)
    start = time.monotonic()
    s.reply(s.request("ping"))
    took = time.monotonic() - start
    s.reply(block)
    return ("OK" if took < 0.5 * SCALE else "WEAK"), f"ping after {took * 1000:.0f} ms"


@case("tools", "64 thread-blocking tools do not hold up a ping or a call (0.5 s)", long=True)
def blocks_and_ping(s):
    blocks = [s.call("block", 1500) for _ in range(64)]
    time.sleep(0.1)
    start = time.monotonic()
    s.reply(s.request("ping"), 120)
    pinged = time.monotonic() - start
    s.reply(s.call("echo", "x"), 120)
    called = time.monotonic() - start
    for id in blocks:
        s.reply(id, 120)
    all_done = time.monotonic() - start
    note = f"ping after {pinged * 1000:.0f} ms, call after {called * 1000:.0f} ms, all after {all_done:.1f} s"
    return ("OK" if called < 0.5 * SCALE else "WEAK"), note


@case("tools", "cancel a call in flight: no reply to it, keep running", long=True)
def cancel(s):
    id = s.call("slow", 1500)
    s.drain(0.2)
    s.notify("notifications/cancelled", {"requestId": id, "reason": "torture"})
    s.drain(2.5)
    if s.replies(id):
        return "WEAK", f"answered all the same: {describe(s.replies(id)[0])}"


@case("tools", "500 calls, each cancelled around the moment it ends: at most one reply to each, keep running")
def cancel_race(s):
    ids = []
    for n in range(500):
        id = s.call("slow", n % 5)
        ids.append(id)
        time.sleep(0.001 * (n % 4))
        s.notify("notifications/cancelled", {"requestId": id})
    s.drain(0.5)
    twice = [id for id in ids if len(s.replies(id)) > 1]
    if twice:
        return "WEAK", f"{len(twice)} answered twice"
    return "OK", f"{sum(bool(s.replies(id)) for id in ids)} of 500 were answered first"


@case("tools", "cancel what is unknown, finished, or badly typed: ignore, keep running")
def cancel_nonsense(s):
    done = s.request("ping")
    s.reply(done)
    for target in ("never-seen", done, None, {"a": 1}, 1.5):
        s.notify("notifications/cancelled", {"requestId": target})
    s.notify("notifications/cancelled")
    s.drain(0.4)
    if s.null_errors():
        return "WEAK", f"answered notifications with {len(s.null_errors())} errors"


@case("tools", "a tool prints to stdout: the print must not reach the protocol stream")
def pollute(s):
    answer = s.reply(s.call("pollute"))
    s.drain()
    if s.impure:
        return "WEAK", f"stdout carried {s.impure[0]!r}"
    return "OK", describe(answer)


@case("tools", "a secret in the arguments, the result and the environment: nothing of it on stderr")
def secret_on_stderr(s):
    s.reply(s.call("echo", "argument-canary-93c1"))
    params = s.call_params("echo", "x")
    params["arguments"][s.parts["echo"]["arg"]] = {"wrong": "argument-canary-93c1"}
    s.reply(s.request("tools/call", params))
    s.drain()
    leaked = [word for word in (b"argument-canary-93c1", b"environment-canary-93c1") if word in s.stderr()]
    return ("WEAK", f"stderr holds {leaked[0].decode()}") if leaked else "OK"


# ---- pressure


@case("pressure", "64 replies of 1 MiB while nobody reads for 2 s: all arrive whole", long=True)
def reader_sleeps(s):
    s.gate.clear()
    ids = [s.call("flood", MIB) for _ in range(64)]
    time.sleep(2)
    peak = s.memory() // MIB
    s.gate.set()
    for id in ids:
        if len(text_of(s.reply(id, 60)) or "") != MIB:
            return "WEAK", "a reply is not whole"
    return "OK", f"peak {peak} MiB while nobody read"


@case("pressure", "a client that only writes, for 8 s or 96 MiB of pings: under 160 MiB more, then every reply", long=True)
def writer_only(s):
    s.gate.clear()
    before, sent, block = s.memory(), 0, 2000
    end = time.monotonic() + 8 * SCALE
    try:
        while time.monotonic() < end and sent < 96 * MIB // 52:
            lines = b"".join(b'{"jsonrpc":"2.0","id":"w%09d","method":"ping"}\n' % n for n in range(sent, sent + block))
            s.raw(lines, 2)
            sent += block
    except Hang:
        pushed = f"pushed back after {sent * 52 // MIB} MiB"
        tail = True
    else:
        pushed, tail = f"took {sent * 52 // MIB} MiB", False
    grown = (s.memory() - before) // MIB
    s.gate.set()
    last = f"w{sent - 1:09d}"
    s.reply(last, 60)
    if tail:
        s.raw(b"\n", 30)  # ends an incomplete last line
    lost = sum(not s.replies(f"w{n:09d}") for n in range(0, sent, 101))
    note = f"{pushed}, grew {grown} MiB" + (f", {lost} replies lost in a sample" if lost else "")
    return ("OK" if grown < 160 and not lost else "WEAK"), note


@case("pressure", "10,000 calls one after the other: memory level (under 20 MiB more)")
def steady_state(s):
    for n in range(500):
        s.reply(s.call("echo", "warm"))
    before = s.memory("VmRSS")
    start = time.monotonic()
    for n in range(10_000):
        s.reply(s.call("echo", "steady"))
    took = time.monotonic() - start
    grown = (s.memory("VmRSS") - before) / MIB
    return ("OK" if grown < 20 else "WEAK"), f"{10_000 / took:.0f} calls/s in turn, grew {grown:.1f} MiB"


# --------------------------------------------------------------------------- running


def run_case(spec, command, parts):
    server = None
    try:
        launcher = [sys.executable, "-c", WRAPPER] if spec["wrapped"] else []
        server = Server(launcher + command, parts)
        if spec["handshake"]:
            server.handshake()
        result = spec["run"](server) or "OK"
        grade, note = result if isinstance(result, tuple) else (result, "")
        if spec["probe"] and grade in ("OK", "WEAK"):
            server.probe()
    except Skip as skip:
        grade, note = "SKIP", str(skip)
    except Dead as dead:
        status = server.exited(1)
        grade, note = "DEAD", f"{dead}, " + ("still running" if status is None else f"exit status {status}")
    except Hang as hang:
        status = server.exited(0.2)
        grade, note = ("HANG", str(hang)) if status is None else ("DEAD", f"exit status {status}")
    except OSError as error:
        grade, note = "DEAD", str(error)
    finally:
        if server:
            server.end()
    if server and server.impure and spec["id"] != "pollute" and grade == "OK":
        grade, note = "WEAK", f"stdout carried {server.impure[0]!r}"
    return {"id": spec["id"], "group": spec["group"], "asks": spec["asks"], "grade": grade, "note": note}


GRADES = ("OK", "WEAK", "HANG", "DEAD", "SKIP")  # from best to worst


def table(files):
    columns = []
    for name in files:
        with open(name) as file:
            columns.append(json.load(file))
    out = ["| # | case | asks | " + " | ".join(c["name"] for c in columns) + " |", "|---" * (3 + len(columns)) + "|"]
    results = [{r["id"]: r for r in c["results"]} for c in columns]
    for number, spec in enumerate(CASES, 1):
        cells = []
        for column in results:
            r = column.get(spec["id"])
            if r is None or r["grade"] == "SKIP":
                cells.append("not tried" + (f": {r['note']}" if r else ""))
            else:
                cells.append(f"**{r['grade']}** {r['note']}".replace("|", "\\|").strip())
        out.append(f"| {number} | {spec['id']} | {spec['asks']} | " + " | ".join(cells) + " |")
    totals = []
    for c in columns:
        grades = [r["grade"] for r in c["results"]]
        tried = [f"{grades.count(g)} {g}" for g in GRADES[:-1] if g in grades]
        missing = len(CASES) - sum(g != "SKIP" for g in grades)
        totals.append(", ".join(tried + ([f"{missing} not tried"] if missing else [])))
    out.append("| | **total** | | " + " | ".join(totals) + " |")
    return "\n".join(out)


def main():
    global SCALE
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    beside = os.path.join(os.path.dirname(os.path.abspath(__file__)), "tools.json")
    parser.add_argument("--tools", default=beside, help="JSON file that names the server's tools")
    parser.add_argument("--name", help="what to call this server in tables")
    parser.add_argument("--short", action="store_true", help="leave out the cases that take more than a second")
    parser.add_argument("--out", help="write the results as JSON to this file")
    parser.add_argument("--again", action="store_true", help="only what is not OK in the file of --out; the better result counts")
    parser.add_argument("--only", help="comma-separated case names")
    parser.add_argument("--except", dest="excluded", help="comma-separated names of cases to leave out")
    parser.add_argument("--scale", type=float, default=1.0, help="stretch every wait by this factor")
    parser.add_argument("--strict", action="store_true", help="WEAK fails too")
    parser.add_argument("--list", action="store_true", help="list the cases")
    parser.add_argument("--table", nargs="+", metavar="RESULT", help="print a Markdown table of result files")
    parser.add_argument("command", nargs="*", help="the server command, after --")
    args = parser.parse_args()
    SCALE = args.scale
    if args.list:
        for spec in CASES:
            print(f"{spec['group']:12} {spec['id']:22} {spec['asks']}")
        return 0
    if args.table:
        print(table(args.table))
        return 0
    if not args.command:
        parser.error("no server command")
    with open(args.tools) as file:
        parts = json.load(file)
    only = args.only.split(",") if args.only else None
    excluded = set(args.excluded.split(",")) if args.excluded else set()
    before = {}
    if args.again:
        with open(args.out) as file:
            before = {r["id"]: r for r in json.load(file)["results"]}
        only = [id for id, r in before.items() if r["grade"] not in ("OK", "SKIP")]
    unknown = (excluded | set(only or ())) - {spec["id"] for spec in CASES}
    if unknown:
        parser.error(f"no such case: {', '.join(sorted(unknown))}")
    for number in (signal.SIGINT, signal.SIGHUP):  # a background job ignores these signals, and the server would inherit that
        signal.signal(number, signal.default_int_handler)
    results = []
    for spec in CASES:
        left_out = spec["id"] in excluded or (only is not None and spec["id"] not in only)
        if left_out or (args.short and spec["long"]):
            if spec["id"] in before:
                results.append(before[spec["id"]])
            continue
        start = time.monotonic()
        result = run_case(spec, args.command, parts)
        result["seconds"] = round(time.monotonic() - start, 2)
        results.append(min([result, before.get(spec["id"], result)], key=lambda r: GRADES.index(r["grade"])))
        print(f"{result['grade']:5} {spec['id']:22} {result['note']}  [{result['seconds']} s]", flush=True)
    name = args.name or parts.get("name") or os.path.basename(args.command[0])
    if args.out:
        with open(args.out, "w") as file:
            json.dump({"name": name, "command": args.command, "results": results}, file, indent=1)
    failing = ("HANG", "DEAD", "WEAK") if args.strict else ("HANG", "DEAD")
    return min(99, sum(r["grade"] in failing for r in results))


if __name__ == "__main__":
    sys.exit(main())
