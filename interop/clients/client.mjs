// Drives a server with the npm package @modelcontextprotocol/client:
// node client.mjs legacy|auto|REVISION COMMAND [ARGUMENT...]
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

import { installed, refusal, visit } from "./visit.mjs";

const [wanted, command, ...args] = process.argv.slice(2);
const mode = ["legacy", "auto"].includes(wanted) ? wanted : { pin: wanted };
const client = new Client({ name: "interop-client", version: "1.0.0" }, { versionNegotiation: { mode } });

await client.connect(new StdioClientTransport({ command, args, stderr: "inherit" }));
const seen = await visit(client);
seen.revision = client.getNegotiatedProtocolVersion();
seen.ping = await refusal(() => client.ping());
seen.client = installed("@modelcontextprotocol/client");
await client.close();
console.log(JSON.stringify(seen));
