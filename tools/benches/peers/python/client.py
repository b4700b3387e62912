"""The client of the PyPI package mcp: python client.py ONE_AT_A_TIME IN_FLIGHT SERVER.."""

import asyncio
import itertools
import sys
import time

from mcp import Client, StdioServerParameters


async def many(client: Client, calls: int, window: int) -> float:
    """Makes the calls with this many in flight, and returns the mean nanoseconds of a call."""
    start, ids = time.perf_counter_ns(), iter(range(calls))

    async def worker() -> None:
        for id in ids:
            a, b = id * 7 + 1, (id * 13) % 1009 - 500
            result = await client.call_tool("add", {"a": a, "b": b})
            assert result.content[0].text == str(a + b), f"wrong reply to {id}: {result}"

    await asyncio.gather(*(worker() for _ in itertools.repeat(None, window)))
    return (time.perf_counter_ns() - start) / calls


async def main(one: int, flight: int, command: str, args: list[str]) -> None:
    async with Client(StdioServerParameters(command=command, args=args)) as client:
        await many(client, 50, 1)
        print(await many(client, one, 1), await many(client, flight, 64))


asyncio.run(main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], sys.argv[4:]))
