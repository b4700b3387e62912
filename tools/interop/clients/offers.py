"""What both Python clients can be asked, and what they answer; and what came of their visit to the server that has one of everything."""

import asyncio
from typing import Any

WATCHED = "test://watched-resource"
ACCOUNT = {"username": "ada", "email": "ada@example.com"}
SAMPLED = "from the client's model"


class Changes:
    """Notifications, until there are enough."""

    def __init__(self) -> None:
        self.came: list[str] = []
        self.more = asyncio.Event()

    def note(self, what: str) -> None:
        self.came.append(what)
        self.more.set()

    async def handle(self, message: Any) -> None:
        method = getattr(getattr(message, "root", message), "method", None)
        if method == "notifications/resources/updated":
            self.note("resource")
        elif method == "notifications/tools/list_changed":
            self.note("tools")

    async def wait(self, count: int) -> list[str]:
        while len(self.came) < count:
            self.more.clear()
            await self.more.wait()
        return self.came


async def collect(subscription: Any, changes: Changes) -> None:
    """Notes what comes on a stream of changes, by the names of its typed events."""
    async for event in subscription:
        changes.note("tools" if "Tool" in type(event).__name__ else "resource")


async def change(text: Any, changes: Changes) -> list[str]:
    """What comes of it that a resource and the tools change."""
    changes.came.clear()
    await text("touch_watched_resource", {})
    await text("test_trigger_tool_change", {})
    return await changes.wait(2)
