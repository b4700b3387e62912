// The tools of examples/bench.rs with @modelcontextprotocol/server.
import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { z } from "zod";
import * as tools from "./tools.mjs";

serveStdio(() => {
  const server = new McpServer({ name: "bench", version: "0.0.0" });
  const register = (name, description, input, run, output) =>
    server.registerTool(
      name,
      { description, inputSchema: z.object(input), ...(output && { outputSchema: z.object(output) }) },
      run,
    );
  register("add", "Add two numbers.", tools.add, async ({ a, b }) => tools.text(String(a + b)));
  register("echo", "Say the same.", tools.echo, async ({ text }) => tools.text(text));
  register("search", "Search.", tools.search, async (query) => tools.runSearch(query), tools.found);
  return server;
});
