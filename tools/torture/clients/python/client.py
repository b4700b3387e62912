"""The Python client that hostile_servers.py controls. See examples/client.rs of this package."""

import asyncio
import json
import sys
from typing import Any

from mcp import Client, StdioServerParameters, types

LIMIT = 3
client: Any = None


async def elicit(context: Any, params: Any) -> types.ElicitResult:
    return types.ElicitResult(action="accept", content={})


async def connect() -> bool:
    global client
    mode, command, *args = sys.argv[1:]
    server = command if command.startswith("http") else StdioServerParameters(command=command, args=args)
    mode = "2026-07-28" if mode == "stateless" else "legacy"
    made = Client(server, mode=mode, read_timeout_seconds=LIMIT, elicitation_callback=elicit)
    client = await made.__aenter__()
    return True


async def call(text: str | None = None) -> str:
    result = await client.call_tool("t", {"text": text} if text else {})
    return "".join(getattr(block, "text", "") for block in result.content)


async def tools() -> int:
    return len((await client.list_tools()).tools)


async def calls(count: int) -> int:
    """Makes many calls at once. Returns how many of them failed."""
    all = await asyncio.gather(*(call("x" * 1000) for _ in range(count)), return_exceptions=True)
    return sum(isinstance(one, BaseException) for one in all)


async def close() -> bool:
    await client.__aexit__(None, None, None)
    return True


def text_of(error: BaseException) -> str:
    """The text of an error, or of the first one in a group."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return f"{type(error).__name__}: {error}"


async def main() -> None:
    while line := await asyncio.to_thread(sys.stdin.readline):
        word, _, count = line.strip().partition(" ")
        try:
            work = {"connect": connect, "call": call, "list": tools, "calls": lambda: calls(int(count)), "close": close}[word]
            outcome: dict[str, Any] = {"ok": await work()}
        except BaseException as error:  # a failed connection cancels its task
            text = text_of(error)
            outcome = {"error": text[:300], "length": len(text)}
        print(json.dumps(outcome), flush=True)


asyncio.run(main())
