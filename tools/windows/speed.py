#!/usr/bin/env python3
"""Compares servers with a tool `add`: the time of calls one at a time, and of many calls at once.

    speed.py SERVER FLOOR...        for instance: speed.py "wine bench.exe" "wine floor.exe" "wine floor.exe --file"

The servers are measured in turn, several times, so that other load of the machine affects all of them. Prints the medians, and the
ratio of SERVER to each FLOOR. Exits with 1 if a ratio is over LIMIT. Standard library only.
"""

import json
import shlex
import statistics
import subprocess
import sys
import threading
import time

ROUNDS = 7
SINGLE_CALLS = 3000
BATCH_CALLS = 30000
LIMIT = 2.0


def call(number):
    params = {"name": "add", "arguments": {"a": number, "b": 1}}
    return json.dumps({"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}).encode() + b"\n"


class Server:
    def __init__(self, command):
        self.process = subprocess.Popen(shlex.split(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        client = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "speed.py", "version": "1"}}
        self.send(json.dumps({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": client}).encode() + b"\n")
        self.receive(0)
        self.send(b'{"jsonrpc":"2.0","method":"notifications/initialized"}\n')

    def send(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def receive(self, number):
        reply = json.loads(self.process.stdout.readline())
        assert "result" in reply and (number is None or reply["id"] == number), reply
        if number:
            assert reply["result"]["content"][0]["text"] == str(number + 1), reply

    def close(self):
        self.process.stdin.close()
        assert self.process.wait(60) == 0, f"exit status {self.process.returncode}"


def one_at_a_time(server):
    calls = [call(number) for number in range(1, SINGLE_CALLS + 1)]
    start = time.perf_counter()
    for data in calls:
        server.send(data)
        last = server.process.stdout.readline()
    passed = time.perf_counter() - start
    assert json.loads(last)["id"] == SINGLE_CALLS, last
    return passed / SINGLE_CALLS


def pipelined(server):
    data = b"".join(call(number) for number in range(1, BATCH_CALLS + 1))
    start = time.perf_counter()
    writer = threading.Thread(target=server.send, args=(data,))
    writer.start()
    replies = [server.process.stdout.readline() for _ in range(BATCH_CALLS)]
    passed = time.perf_counter() - start
    writer.join()
    assert len({json.loads(reply)["id"] for reply in replies}) == BATCH_CALLS, "a response is missing"
    return passed / BATCH_CALLS


def main():
    server, *floors = sys.argv[1:] or [None]
    if not floors:
        sys.exit(__doc__)
    passed = True
    for measure in (one_at_a_time, pipelined):
        times = {command: [] for command in (server, *floors)}
        for _ in range(ROUNDS):
            for command, results in times.items():
                running = Server(command)
                results.append(measure(running))
                running.close()
        median = {command: statistics.median(results) for command, results in times.items()}
        print(f"{measure.__name__}: {median[server] * 1e6:.1f} us a call")
        for floor in floors:
            ratio = median[server] / median[floor]
            print(f"    {median[floor] * 1e6:.1f} us, ratio {ratio:.2f}: {shlex.split(floor)[-1]}")
            passed &= ratio <= LIMIT
    sys.exit(0 if passed else 1)


main()
