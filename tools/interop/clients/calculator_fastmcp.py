"""Calls the calculator with the PyPI package fastmcp: python calculator_fastmcp.py auto|legacy|REVISION COMMAND [ARGUMENT...]"""

import asyncio
import json
import sys
from importlib.metadata import version
from typing import Any

from fastmcp import Client
from fastmcp.client.transports import StdioTransport

from calculator import call_tools, error_of, listed


async def main(mode: str, command: str, args: list[str]) -> dict[str, Any]:
    transport = StdioTransport(command, args, keep_alive=False)
    async with Client(transport, mode=mode, timeout=60) as client:
        report = {
            "client": version("fastmcp"),
            "revision": client.protocol_version,
            "server": client.server_info and client.server_info.model_dump(mode="json", exclude_none=True),
            "capabilities": client.server_capabilities.model_dump(mode="json", by_alias=True, exclude_none=True),
            "tools": listed(await client.list_tools()),
            **await call_tools(client.call_tool_mcp),
        }
        report["ping"] = await error_of(client.ping())
    return report


print(json.dumps(asyncio.run(main(sys.argv[1], sys.argv[2], sys.argv[3:]))))
