"""The steps that both Python clients take on a calculator, and what they saw of it."""

from collections.abc import Awaitable, Callable
from typing import Any

from mcp.shared.exceptions import MCPError

Call = Callable[[str, dict[str, Any]], Awaitable[Any]]


async def visit(call: Call) -> dict[str, Any]:
    return {
        "add": await told(call("add", {"a": 2, "b": 3})),
        "divide": await told(call("divide", {"a": 1, "b": 0})),
        # The client itself holds this result against the output schema that it has listed.
        "statistics": await told(call("statistics", {"numbers": [1, 2, 6]})),
        "wrong_arguments": await told(call("add", {"a": "two", "b": 3})),
        "unknown_tool": await refusal(call("no_such_tool", {})),
    }


async def told(answer: Awaitable[Any]) -> dict[str, Any]:
    result = await answer
    return {
        "is_error": bool(result.is_error),
        "text": "\n".join(block.text for block in result.content),
        "structured": result.structured_content,
    }


async def refusal(answer: Awaitable[Any]) -> dict[str, Any]:
    """How the server takes what it may refuse."""
    try:
        return {"answered": repr(await answer)}
    except MCPError as error:
        return {"kind": type(error).__name__, "code": error.error.code, "message": error.error.message}


def listed(tools: list[Any]) -> list[dict[str, Any]]:
    return [tool.model_dump(mode="json", by_alias=True, exclude_none=True) for tool in tools]
