"""A program with an agent, written with the official Python SDK: `agent.py CLI SESSIONS`. It does the same as examples/agent_host.rs."""

import asyncio
import json
import os
import resource
import sys
import time

from claude_agent_sdk import (
    ClaudeAgentOptions,
    ClaudeSDKClient,
    HookMatcher,
    PermissionResultAllow,
    ResultMessage,
    ToolAnnotations,
    create_sdk_mcp_server,
    tool,
)
from claude_agent_sdk.types import StreamEvent


@tool("add", "Add two numbers.", {"a": int, "b": int}, annotations=ToolAnnotations(readOnlyHint=True))
async def add(arguments):
    return {"content": [{"type": "text", "text": str(arguments["a"] + arguments["b"])}]}


@tool("echo", "Say the same.", {"text": str}, annotations=ToolAnnotations(readOnlyHint=True))
async def echo(arguments):
    return {"content": [{"type": "text", "text": arguments["text"]}]}


async def hook(_input, _tool_use_id, _context):
    return {}


async def permission(_name, _input, _context):
    return PermissionResultAllow()


async def session(cli):
    options = ClaudeAgentOptions(
        cli_path=cli,
        mcp_servers={"bench": create_sdk_mcp_server("bench", "0", tools=[add, echo])},
        allowed_tools=["mcp__bench__add", "mcp__bench__echo"],
        hooks={"PreToolUse": [HookMatcher(hooks=[hook])]},
        can_use_tool=permission,
        include_partial_messages=True,
        # The default is 1 MiB, which is less than the line of a large call.
        max_buffer_size=64 << 20,
    )
    events, first, last = 0, None, None
    async with ClaudeSDKClient(options) as client:
        for _ in range(int(os.environ.get("BENCH_TURNS", "1"))):
            await client.query(os.environ["BENCH_PROMPT"])
            async for message in client.receive_response():
                if isinstance(message, StreamEvent):
                    events += 1
                    last = time.monotonic()
                    first = first or last
                elif isinstance(message, ResultMessage) and message.is_error:
                    raise RuntimeError(message.result)
    return events, (last - first) if first else 0.0


def peak_kib():
    """The peak of resident memory. `getrusage` would include the memory of the program that started this one."""
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmHWM:"))


async def main():
    start = time.monotonic()
    cli, sessions = sys.argv[1], int(sys.argv[2])
    ended = await asyncio.gather(*(session(cli) for _ in range(sessions)))
    usage = resource.getrusage(resource.RUSAGE_SELF)
    costs = {
        "cpu_us": int((usage.ru_utime + usage.ru_stime) * 1e6),
        "peak_kib": peak_kib(),
        "events": sum(events for events, _ in ended),
        "events_s": sum(seconds for _, seconds in ended),
        "took_us": int((time.monotonic() - start) * 1e6),
    }
    print(json.dumps(costs))


asyncio.run(main())
