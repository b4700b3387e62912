"""The tools that torture.py calls, written with the Python SDK as its documentation shows."""

import time

import anyio
from mcp.server import MCPServer

mcp = MCPServer("torture")


@mcp.tool(structured_output=False)
async def echo(text: str) -> str:
    """Return the text."""
    return text


@mcp.tool(structured_output=False)
async def slow(ms: float) -> str:
    """Sleep without blocking the thread."""
    await anyio.sleep(ms / 1000)
    return "slept"


@mcp.tool(structured_output=False)
def block(ms: float) -> str:
    """Sleep and block the thread."""
    time.sleep(ms / 1000)
    return "blocked"


@mcp.tool(structured_output=False)
async def flood(bytes: int) -> str:
    """Return that many bytes of text."""
    return "x" * bytes


@mcp.tool(structured_output=False)
async def panic() -> str:
    """Raise."""
    raise RuntimeError("secret-in-panic")


@mcp.tool(structured_output=False)
async def pollute() -> str:
    """Print to stdout."""
    print("printed by a tool", flush=True)
    return "printed"


if __name__ == "__main__":
    mcp.run()
