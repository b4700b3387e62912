#!/usr/bin/env python3
"""A client of one server over standard input and output: performs the handshake, lists the tools, calls one, and closes the input.

    client.py [--call TOOL ARGUMENTS TEXT] COMMAND...
    client.py --call add '{"a": 2, "b": 3}' 5 wine hello.exe

ARGUMENTS is JSON. TEXT must be in the first text of the result. Without --call no tool is called. Standard library only. Exits with 0
if every response is right, and the server ends by itself with status 0.
"""

import argparse
import json
import subprocess

TIMEOUT = 120

HANDSHAKE = [
    {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "client.py ☂", "version": "1"}},
    },
    {"jsonrpc": "2.0", "method": "notifications/initialized"},
]

# Servers without tools reject it.
LIST = {"jsonrpc": "2.0", "id": "liste-ü", "method": "tools/list"}


def call_request(tool, arguments):
    return {"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": {"name": tool, "arguments": json.loads(arguments)}}


def replies_of(command, messages):
    """Sends messages to a server. Returns its responses by their ids."""
    # Lines end as Windows programs end them. The texts are not in the code page of Windows.
    lines = "".join(json.dumps(message, ensure_ascii=False) + "\r\n" for message in messages)
    server = subprocess.run(command, input=lines.encode(), capture_output=True, timeout=TIMEOUT, check=False)
    output = server.stdout.decode()
    assert server.returncode == 0, f"exit status {server.returncode}: {server.stderr.decode(errors='replace')}"
    assert "\r" not in output, f"a line ends with a carriage return: {output!r}"
    replies = [reply for reply in map(json.loads, output.splitlines()) if "id" in reply]
    assert {reply["id"] for reply in replies} == {message["id"] for message in messages if "id" in message}, output
    return {reply["id"]: reply for reply in replies}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--call", nargs=3, metavar=("TOOL", "ARGUMENTS", "TEXT"), help="the call, and a text in its result")
    parser.add_argument("command", nargs=argparse.REMAINDER, help="the command that starts the server")
    arguments = parser.parse_args()
    messages = HANDSHAKE + [LIST]
    if arguments.call:
        messages.append(call_request(*arguments.call[:2]))
    replies = replies_of(arguments.command, messages)
    opened = replies[1]["result"]
    assert opened["protocolVersion"] == "2025-11-25", opened
    listed = replies[LIST["id"]]
    assert ("result" in listed) == ("tools" in opened["capabilities"]), listed
    names = [tool["name"] for tool in listed.get("result", {}).get("tools", [])]
    said = ""
    if arguments.call:
        tool, _, text = arguments.call
        assert tool in names, names
        content = replies[3]["result"]["content"]
        assert text in content[0]["text"], content
        said = f", {tool} was called"
    print(f"{opened['serverInfo']['name']}: {len(names)} tools were listed{said}, and the server ended at the end of its input")


main()
