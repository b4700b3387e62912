// Drives a server with the npm package @modelcontextprotocol/sdk: node sdk.mjs COMMAND [ARGUMENT...]
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

import { installed, refusal, visit } from "./visit.mjs";

const [command, ...args] = process.argv.slice(2);
const client = new Client({ name: "interop-sdk", version: "1.0.0" });
const transport = new StdioClientTransport({ command, args, stderr: "inherit" });
// This SDK keeps the revision to itself but tells its transport.
let revision = null;
transport.setProtocolVersion = (version) => (revision = version);

await client.connect(transport);
const seen = await visit(client);
seen.ping = await refusal(() => client.ping());
seen.revision = revision;
seen.client = installed("@modelcontextprotocol/sdk");
await client.close();
console.log(JSON.stringify(seen));
