"""The tools of examples/bench.rs with FastMCP."""

from typing import Optional

from fastmcp import FastMCP

from search import Filter, Found, run_search

server = FastMCP("bench")


@server.tool(output_schema=None)
async def add(a: int, b: int) -> str:
    """Add two numbers."""
    return str(a + b)


@server.tool(output_schema=None)
async def echo(text: str) -> str:
    """Say the same."""
    return text


@server.tool()
async def search(query: str, limit: int = 10, filter: Optional[Filter] = None) -> Found:
    """Search."""
    return run_search(query, limit, filter)


if __name__ == "__main__":
    server.run(show_banner=False)
