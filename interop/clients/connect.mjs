// Connects one of the two npm clients to a server, and tells its revision.
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Client as SdkClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as SdkTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

// The package @modelcontextprotocol/sdk.
export async function connectSdk(command, args) {
  const client = new SdkClient({ name: "interop-sdk", version: "1.0.0" });
  const transport = new SdkTransport({ command, args, stderr: "inherit" });
  // This SDK keeps the revision to itself but tells its transport.
  let revision = null;
  transport.setProtocolVersion = (version) => (revision = version);
  await client.connect(transport);
  return { client, revision, package: "@modelcontextprotocol/sdk" };
}

// The package @modelcontextprotocol/client, with `wanted` as legacy, auto or a revision.
export async function connectClient(wanted, command, args) {
  const mode = ["legacy", "auto"].includes(wanted) ? wanted : { pin: wanted };
  const client = new Client({ name: "interop-client", version: "1.0.0" }, { versionNegotiation: { mode } });
  await client.connect(new StdioClientTransport({ command, args, stderr: "inherit" }));
  return { client, revision: client.getNegotiatedProtocolVersion(), package: "@modelcontextprotocol/client" };
}
