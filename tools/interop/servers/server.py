"""A server with the official Python SDK: over stdio, or over HTTP at the port that is its argument."""

import sys

from mcp.server import MCPServer

mcp = MCPServer("python")


@mcp.tool()
async def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


@mcp.tool()
async def fail() -> str:
    """Fail."""
    raise ValueError("it is broken")


@mcp.resource("board://x")
def board() -> str:
    """The board."""
    return "hello"


@mcp.prompt()
def review(code: str) -> str:
    """Review."""
    return f"Review: {code}"


if __name__ == "__main__":
    if len(sys.argv) > 1:
        mcp.run(transport="streamable-http", host="127.0.0.1", port=int(sys.argv[1]))
    else:
        mcp.run()
