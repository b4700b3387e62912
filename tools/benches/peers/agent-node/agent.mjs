// A program with an agent, written with the official TypeScript SDK: `agent.mjs CLI SESSIONS`. It does the same as examples/agent_host.rs.
import { readFileSync } from "node:fs";
import { createSdkMcpServer, query, tool } from "@anthropic-ai/claude-agent-sdk";
import { z } from "zod";

const [cli, sessions] = process.argv.slice(2);
const turns = Number(process.env.BENCH_TURNS ?? 1);
const text = (text) => ({ content: [{ type: "text", text }] });

async function session() {
  const bench = createSdkMcpServer({
    name: "bench",
    version: "0",
    tools: [
      tool("add", "Add two numbers.", { a: z.int(), b: z.int() }, async ({ a, b }) => text(String(a + b)), {
        annotations: { readOnlyHint: true },
      }),
      tool("echo", "Say the same.", { text: z.string() }, async (given) => text(given.text), {
        annotations: { readOnlyHint: true },
      }),
    ],
  });
  // Resolved when a turn has its result. The input stays open until the last turn is over.
  let next;
  async function* prompts() {
    const message = { role: "user", content: process.env.BENCH_PROMPT };
    for (let turn = 0; turn < turns; turn += 1) {
      const ended = new Promise((resolve) => (next = resolve));
      yield { type: "user", message, parent_tool_use_id: null, session_id: "" };
      await ended;
    }
  }
  const options = {
    pathToClaudeCodeExecutable: cli,
    mcpServers: { bench },
    allowedTools: ["mcp__bench__add", "mcp__bench__echo"],
    hooks: { PreToolUse: [{ hooks: [async () => ({})] }] },
    canUseTool: async (_name, input) => ({ behavior: "allow", updatedInput: input }),
    includePartialMessages: true,
  };
  let [events, first, last] = [0, 0, 0];
  for await (const message of query({ prompt: prompts(), options })) {
    if (message.type === "stream_event") {
      events += 1;
      last = performance.now();
      first ||= last;
    } else if (message.type === "result") {
      if (message.is_error) throw new Error(message.result);
      next();
    }
  }
  return [events, (last - first) / 1000];
}

const start = performance.now();
const all = await Promise.all(Array.from({ length: Number(sessions) }, session));
const { user, system } = process.cpuUsage();
// The peak of `process.resourceUsage()` would include the memory of the program that started this one.
const [, peak] = readFileSync("/proc/self/status", "utf8").match(/^VmHWM:\s*(\d+) kB$/m);
console.log(
  JSON.stringify({
    cpu_us: user + system,
    peak_kib: Number(peak),
    events: all.reduce((sum, [events]) => sum + events, 0),
    events_s: all.reduce((sum, [, seconds]) => sum + seconds, 0),
    took_us: (performance.now() - start) * 1000,
  }),
);
