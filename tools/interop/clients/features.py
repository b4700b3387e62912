"""What both Python clients answer to requests of the server, and the notifications that they get."""

import asyncio
from typing import Any

WATCHED = "test://watched-resource"
ACCOUNT = {"username": "ada", "email": "ada@example.com"}
SAMPLED = "from the client's model"


class Changes:
    """Collects notifications until there are enough."""

    def __init__(self) -> None:
        self.received: list[str] = []
        self.more = asyncio.Event()

    def add(self, what: str) -> None:
        self.received.append(what)
        self.more.set()

    async def handle(self, message: Any) -> None:
        method = getattr(getattr(message, "root", message), "method", None)
        if method == "notifications/resources/updated":
            self.add("resource")
        elif method == "notifications/tools/list_changed":
            self.add("tools")

    async def wait(self, count: int) -> list[str]:
        while len(self.received) < count:
            self.more.clear()
            await self.more.wait()
        return self.received


async def collect(subscription: Any, changes: Changes) -> None:
    """Collects the events of a subscription stream."""
    async for event in subscription:
        changes.add("tools" if "Tool" in type(event).__name__ else "resource")


async def change(text: Any, changes: Changes) -> list[str]:
    """Changes a resource and the tools, and returns the notifications."""
    changes.received.clear()
    await text("touch_watched_resource", {})
    await text("test_trigger_tool_change", {})
    return await changes.wait(2)
