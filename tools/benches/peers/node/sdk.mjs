// The tools of examples/bench.rs with @modelcontextprotocol/sdk.
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import * as tools from "./tools.mjs";

const server = new McpServer({ name: "bench", version: "0.0.0" });
server.registerTool("add", { description: "Add two numbers.", inputSchema: tools.add }, async ({ a, b }) => tools.text(String(a + b)));
server.registerTool("echo", { description: "Say the same.", inputSchema: tools.echo }, async ({ text }) => tools.text(text));
server.registerTool(
  "search",
  { description: "Search.", inputSchema: tools.search, outputSchema: tools.found },
  async (query) => tools.runSearch(query),
);
await server.connect(new StdioServerTransport());
