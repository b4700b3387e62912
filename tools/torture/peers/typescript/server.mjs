// The tools that torture.py calls, written with the TypeScript SDK as its documentation shows.
import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { z } from "zod";

const text = (text) => ({ content: [{ type: "text", text }] });

function build() {
  const server = new McpServer({ name: "torture", version: "1.0.0" });
  const tool = (name, description, shape, run) =>
    server.registerTool(name, { description, inputSchema: z.object(shape) }, run);
  tool("echo", "Return the text.", { text: z.string() }, async (p) => text(p.text));
  tool("slow", "Sleep without blocking the thread.", { ms: z.number() }, async ({ ms }) => {
    await new Promise((done) => setTimeout(done, ms));
    return text("slept");
  });
  tool("block", "Sleep and block the thread.", { ms: z.number() }, async ({ ms }) => {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
    return text("blocked");
  });
  tool("flood", "Return that many bytes of text.", { bytes: z.number().int() }, async ({ bytes }) => text("x".repeat(bytes)));
  tool("panic", "Throw.", {}, async () => {
    throw new Error("secret-in-panic");
  });
  tool("pollute", "Print to stdout.", {}, async () => {
    console.log("printed by a tool");
    return text("printed");
  });
  return server;
}

serveStdio(build);
