// The calls that both npm clients make to the calculator, and their results.
import { readFileSync } from "node:fs";

export async function printReport({ client, revision, package: name }) {
  const { tools } = await client.listTools();
  const report = {
    client: installed(name),
    revision,
    server: client.getServerVersion(),
    capabilities: client.getServerCapabilities(),
    tools,
    add: await call(client, "add", { a: 2, b: 3 }),
    divide: await call(client, "divide", { a: 1, b: 0 }),
    // The client checks this result against the output schema from the list.
    statistics: await call(client, "statistics", { numbers: [1, 2, 6] }),
    wrong_arguments: await call(client, "add", { a: "two", b: 3 }),
    unknown_tool: await errorOf(() => client.callTool({ name: "no_such_tool", arguments: {} })),
    ping: await errorOf(() => client.ping()),
  };
  await client.close();
  console.log(JSON.stringify(report));
}

// The error of a request that may fail, or its result.
async function errorOf(attempt) {
  try {
    return { result: await attempt() };
  } catch (error) {
    return { kind: error.constructor.name, code: error.code, message: error.message };
  }
}

// The installed version of a package.
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
