"""Uses every feature of a server besides tools, with the PyPI package fastmcp: python features_fastmcp.py auto|legacy|REVISION COMMAND [ARGUMENT...]"""

import asyncio
import json
import sys
from importlib.metadata import version
from typing import Any

from fastmcp import Client
from fastmcp.client.elicitation import ElicitResult
from fastmcp.client.transports import StdioTransport
from mcp import types

from mcp.client.subscriptions import listen

from features import ACCOUNT, SAMPLED, WATCHED, Changes, change, collect


async def elicit(message: str, response_type: Any, params: Any, context: Any) -> ElicitResult:
    return ElicitResult(action="accept", content=response_type(**ACCOUNT) if response_type else ACCOUNT)


async def sample(messages: Any, params: Any, context: Any) -> str:
    return SAMPLED


async def main(mode: str, command: str, args: list[str]) -> dict[str, Any]:
    transport, changes, progress = StdioTransport(command, args, keep_alive=False), Changes(), []

    async def report(done: float, total: float | None, message: str | None) -> None:
        progress.append([done, total])

    client = Client(
        transport,
        mode=mode,
        timeout=60,
        elicitation_handler=elicit,
        sampling_handler=sample,
        message_handler=changes.handle,
    )
    async with client:

        async def text(tool: str, arguments: dict[str, Any], **more: Any) -> str:
            return (await client.call_tool(tool, arguments, **more)).content[0].text

        prompt = await client.get_prompt("test_prompt_with_arguments", {"arg1": "one", "arg2": "two"})
        reference = types.PromptReference(type="ref/prompt", name="test_prompt_with_arguments")
        completion = await client.complete(reference, {"name": "arg1", "value": "par"})
        result = {
            "client": version("fastmcp"),
            "revision": client.protocol_version,
            "resources": [str(one.uri) for one in await client.list_resources()],
            "templates": [one.uri_template for one in await client.list_resource_templates()],
            "read": (await client.read_resource("test://template/7/data"))[0].text,
            "prompts": [one.name for one in await client.list_prompts()],
            "prompt": prompt.messages[0].content.text,
            "completion": completion.values,
            "elicited": await text("test_elicitation", {"message": "Who are you?"}),
            "sampled": await text("test_sampling", {"prompt": "Say something."}),
            "progressed": await text("test_tool_with_progress", {}, progress_handler=report),
            "progress": progress,
        }
        if client.protocol_version < "2026-07-28":
            # The client has no method for subscriptions, but its session has.
            await client.session.subscribe_resource(WATCHED)
            result["changes"] = await change(text, changes)
        else:
            async with listen(client.session, tools_list_changed=True, resource_subscriptions=[WATCHED]) as stream:
                collecting = asyncio.create_task(collect(stream, changes))
                result["changes"] = await change(text, changes)
                collecting.cancel()
    return result


print(json.dumps(asyncio.run(main(sys.argv[1], sys.argv[2], sys.argv[3:]))))
