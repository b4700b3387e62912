"""The tools of examples/bench.rs with the official Python SDK."""

from typing import Optional

from mcp.server import MCPServer

from search import Filter, Found, run_search

server = MCPServer("bench")


@server.tool(structured_output=False)
async def add(a: int, b: int) -> str:
    """Add two numbers."""
    return str(a + b)


@server.tool(structured_output=False)
async def echo(text: str) -> str:
    """Say the same."""
    return text


@server.tool()
async def search(query: str, limit: int = 10, filter: Optional[Filter] = None) -> Found:
    """Search."""
    return run_search(query, limit, filter)


if __name__ == "__main__":
    server.run()
