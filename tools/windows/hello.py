#!/usr/bin/env python3
"""A client of the example `hello`: performs the handshake, lists the tools, calls one, and closes the input.

    hello.py COMMAND...        for instance: hello.py wine hello.exe

Standard library only. Exits with 0 if every response is right, and the server ends by itself with status 0.
"""

import json
import subprocess
import sys

TIMEOUT = 120

MESSAGES = [
    {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "hello.py ☂", "version": "1"}},
    },
    {"jsonrpc": "2.0", "method": "notifications/initialized"},
    {"jsonrpc": "2.0", "id": "liste-ü", "method": "tools/list"},
    {"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": {"name": "add", "arguments": {"a": 2, "b": 3}}},
]


def main():
    # Lines end as Windows programs end them. The texts are not in the code page of Windows.
    lines = "".join(json.dumps(message, ensure_ascii=False) + "\r\n" for message in MESSAGES)
    server = subprocess.run(sys.argv[1:], input=lines.encode(), capture_output=True, timeout=TIMEOUT, check=False)
    output = server.stdout.decode()
    assert server.returncode == 0, f"exit status {server.returncode}: {server.stderr.decode(errors='replace')}"
    assert "\r" not in output, f"a line ends with a carriage return: {output!r}"
    replies = {reply["id"]: reply["result"] for reply in map(json.loads, output.splitlines())}
    assert list(replies) == [1, "liste-ü", 3], f"the responses are {output}"
    assert replies[1]["protocolVersion"] == "2025-11-25", replies[1]
    assert [tool["name"] for tool in replies["liste-ü"]["tools"]] == ["add"], replies["liste-ü"]
    assert replies[3]["content"][0]["text"] == "5", replies[3]
    print("hello: handshake, list and call were answered, and the server ended at the end of its input")


main()
