// The steps that both npm clients take on a calculator, and what they saw of it.
import { readFileSync } from "node:fs";

export async function report({ client, revision, package: name }) {
  const { tools } = await client.listTools();
  const seen = {
    client: installed(name),
    revision,
    server: client.getServerVersion(),
    capabilities: client.getServerCapabilities(),
    tools,
    add: await call(client, "add", { a: 2, b: 3 }),
    divide: await call(client, "divide", { a: 1, b: 0 }),
    // The client itself holds this result against the output schema that it has just listed.
    statistics: await call(client, "statistics", { numbers: [1, 2, 6] }),
    wrong_arguments: await call(client, "add", { a: "two", b: 3 }),
    unknown_tool: await refusal(() => client.callTool({ name: "no_such_tool", arguments: {} })),
    ping: await refusal(() => client.ping()),
  };
  await client.close();
  console.log(JSON.stringify(seen));
}

// How the server takes what it may refuse.
async function refusal(attempt) {
  try {
    return { answered: await attempt() };
  } catch (error) {
    return { kind: error.constructor.name, code: error.code, message: error.message };
  }
}

// The version that is really installed, beside this script.
export function installed(name) {
  return JSON.parse(readFileSync(new URL(`node_modules/${name}/package.json`, import.meta.url))).version;
}

export async function call(client, name, args) {
  const result = await client.callTool({ name, arguments: args });
  return {
    is_error: result.isError ?? false,
    text: result.content.map((block) => block.text).join("\n"),
    structured: result.structuredContent ?? null,
  };
}
