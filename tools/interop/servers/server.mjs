// A server with the current TypeScript SDK: over stdio, or over HTTP at the port that is its argument.
import { createServer } from "node:http";
import { McpServer, createMcpHandler } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { z } from "zod";

function build() {
  const server = new McpServer({ name: "typescript", version: "1.0.0" });
  server.registerTool(
    "add",
    { description: "Add two numbers.", inputSchema: z.object({ a: z.number(), b: z.number() }), outputSchema: z.object({ sum: z.number() }) },
    async ({ a, b }) => ({ content: [{ type: "text", text: String(a + b) }], structuredContent: { sum: a + b } }),
  );
  server.registerTool("fail", { description: "Fail.", inputSchema: z.object({}) }, async () => {
    throw new Error("it is broken");
  });
  server.registerResource("board", "board://", { description: "The board." }, async (uri) => ({
    contents: [{ uri: uri.href, text: "hello" }],
  }));
  server.registerPrompt("review", { description: "Review.", argsSchema: z.object({ code: z.string() }) }, ({ code }) => ({
    messages: [{ role: "user", content: { type: "text", text: `Review: ${code}` } }],
  }));
  return server;
}

const port = process.argv[2];
if (port === undefined) {
  serveStdio(build);
} else {
  const handler = createMcpHandler(build);
  createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = chunks.length === 0 ? undefined : Buffer.concat(chunks);
    const headers = Object.entries(request.headers).filter(([, value]) => typeof value === "string");
    const answer = await handler.fetch(new Request(`http://${request.headers.host}${request.url}`, { method: request.method, headers, body }));
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    if (answer.body !== null) for await (const chunk of answer.body) response.write(chunk);
    response.end();
  }).listen(Number(port), "127.0.0.1");
}
