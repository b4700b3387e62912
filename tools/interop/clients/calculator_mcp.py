"""Calls the calculator with the PyPI package mcp: python calculator_mcp.py auto|legacy|REVISION COMMAND|ADDRESS [ARGUMENT...]"""

import asyncio
import json
import sys
from importlib.metadata import version
from typing import Any

from mcp import Client, StdioServerParameters

from calculator import call_tools, error_of, listed


async def main(mode: str, command: str, args: list[str]) -> dict[str, Any]:
    is_address = command.startswith("http")
    server = command if is_address else StdioServerParameters(command=command, args=args)
    async with Client(server, mode=mode, read_timeout_seconds=60) as client:
        tools = await client.list_tools()
        report = {
            "client": version("mcp"),
            "revision": client.protocol_version,
            "server": client.server_info and client.server_info.model_dump(mode="json", exclude_none=True),
            "capabilities": client.server_capabilities.model_dump(mode="json", by_alias=True, exclude_none=True),
            "tools": listed(tools.tools),
            **await call_tools(client.call_tool),
        }
        report["ping"] = await error_of(client.send_ping())
    return report


print(json.dumps(asyncio.run(main(sys.argv[1], sys.argv[2], sys.argv[3:]))))
