// The TypeScript client that hostile_servers.py controls. See examples/client.rs of this package.
import { createInterface } from "node:readline";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

const [wanted, command, ...args] = process.argv.slice(2);
const LIMIT = 3000;
const mode = wanted === "stateless" ? { pin: "2026-07-28" } : "legacy";
let client;

async function connect() {
  client = new Client({ name: "hostile", version: "1" }, { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode } });
  client.setRequestHandler("elicitation/create", () => ({ action: "accept", content: {} }));
  const isUrl = command.startsWith("http");
  const transport = isUrl ? new StreamableHTTPClientTransport(new URL(command)) : new StdioClientTransport({ command, args });
  await client.connect(transport, { timeout: LIMIT });
  return true;
}

async function call(text) {
  const result = await client.callTool({ name: "t", arguments: text ? { text } : {} }, { timeout: LIMIT });
  return result.content.map((block) => block.text ?? "").join("");
}

async function list() {
  return (await client.listTools(undefined, { timeout: LIMIT })).tools.length;
}

// Makes many calls at once. Returns how many of them failed.
async function calls(count) {
  const all = await Promise.allSettled(Array.from({ length: count }, () => call("x".repeat(1000))));
  return all.filter(({ status }) => status === "rejected").length;
}

async function close() {
  await client.close();
  return true;
}

for await (const line of createInterface({ input: process.stdin })) {
  const [word, count] = line.split(" ");
  let outcome;
  try {
    const work = { connect, call: () => call(), list, calls: () => calls(Number(count)), close }[word];
    outcome = { ok: await work() };
  } catch (error) {
    const text = String(error);
    outcome = { error: text.slice(0, 300), length: text.length };
  }
  process.stdout.write(`${JSON.stringify(outcome)}\n`);
}
process.exit(0);
