"""The calls that both Python clients make to the calculator, and their results."""

from collections.abc import Awaitable, Callable
from typing import Any

from mcp.shared.exceptions import MCPError

Call = Callable[[str, dict[str, Any]], Awaitable[Any]]


async def call_tools(call: Call) -> dict[str, Any]:
    return {
        "add": await result_of(call("add", {"a": 2, "b": 3})),
        "divide": await result_of(call("divide", {"a": 1, "b": 0})),
        # The client checks this result against the output schema from the list.
        "statistics": await result_of(call("statistics", {"numbers": [1, 2, 6]})),
        "wrong_arguments": await result_of(call("add", {"a": "two", "b": 3})),
        "unknown_tool": await error_of(call("no_such_tool", {})),
    }


async def result_of(response: Awaitable[Any]) -> dict[str, Any]:
    result = await response
    return {
        "is_error": bool(result.is_error),
        "text": "\n".join(block.text for block in result.content),
        "structured": result.structured_content,
    }


async def error_of(response: Awaitable[Any]) -> dict[str, Any]:
    """The error of a request that may fail, or its result."""
    try:
        return {"result": repr(await response)}
    except MCPError as error:
        return {"kind": type(error).__name__, "code": error.error.code, "message": error.error.message}


def listed(tools: list[Any]) -> list[dict[str, Any]]:
    return [tool.model_dump(mode="json", by_alias=True, exclude_none=True) for tool in tools]
