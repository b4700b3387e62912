"""Uses every feature of a server besides tools, with the PyPI package mcp: python features_mcp.py auto|legacy|REVISION COMMAND [ARGUMENT...]"""

import asyncio
import json
import sys
from importlib.metadata import version
from typing import Any

from mcp import Client, StdioServerParameters, types

from features import ACCOUNT, SAMPLED, WATCHED, Changes, change, collect


async def elicit(context: Any, params: Any) -> types.ElicitResult:
    return types.ElicitResult(action="accept", content=ACCOUNT)


async def sample(context: Any, params: Any) -> types.CreateMessageResult:
    return types.CreateMessageResult(role="assistant", model="none", content=types.TextContent(type="text", text=SAMPLED))


async def main(mode: str, command: str, args: list[str]) -> dict[str, Any]:
    server, changes, progress = StdioServerParameters(command=command, args=args), Changes(), []

    async def report(done: float, total: float | None, message: str | None) -> None:
        progress.append([done, total])

    client = Client(
        server,
        mode=mode,
        read_timeout_seconds=60,
        elicitation_callback=elicit,
        sampling_callback=sample,
        message_handler=changes.handle,
    )
    async with client:

        async def text(tool: str, arguments: dict[str, Any], **more: Any) -> str:
            return (await client.call_tool(tool, arguments, **more)).content[0].text

        prompt = await client.get_prompt("test_prompt_with_arguments", {"arg1": "one", "arg2": "two"})
        completion = await client.complete(
            types.PromptReference(type="ref/prompt", name="test_prompt_with_arguments"), {"name": "arg1", "value": "par"}
        )
        result = {
            "client": version("mcp"),
            "revision": client.protocol_version,
            "resources": [str(one.uri) for one in (await client.list_resources()).resources],
            "templates": [one.uri_template for one in (await client.list_resource_templates()).resource_templates],
            "read": (await client.read_resource("test://template/7/data")).contents[0].text,
            "prompts": [one.name for one in (await client.list_prompts()).prompts],
            "prompt": prompt.messages[0].content.text,
            "completion": completion.completion.values,
            "elicited": await text("test_elicitation", {"message": "Who are you?"}),
            "sampled": await text("test_sampling", {"prompt": "Say something."}),
            "progressed": await text("test_tool_with_progress", {}, progress_callback=report),
            "progress": progress,
        }
        if client.protocol_version < "2026-07-28":
            await client.subscribe_resource(WATCHED)
            result["changes"] = await change(text, changes)
        else:
            async with client.listen(tools_list_changed=True, resource_subscriptions=[WATCHED]) as stream:
                collecting = asyncio.create_task(collect(stream, changes))
                result["changes"] = await change(text, changes)
                collecting.cancel()
    return result


print(json.dumps(asyncio.run(main(sys.argv[1], sys.argv[2], sys.argv[3:]))))
