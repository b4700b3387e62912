// Connects one of the two npm clients to a server, which is a command or a URL, and returns the negotiated revision.
// `prepare` gets the client before it connects.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Client as SdkClient } from "@modelcontextprotocol/sdk/client/index.js";
import { SSEClientTransport as SdkSse } from "@modelcontextprotocol/sdk/client/sse.js";
import { StdioClientTransport as SdkStdio } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as SdkHttp } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

// The package @modelcontextprotocol/sdk.
export async function connectSdk(command, args, options = {}, prepare = () => {}) {
  const client = new SdkClient({ name: "interop-sdk", version: "1.0.0" }, options);
  prepare(client);
  const transport = sdkTransport(command, args);
  // This SDK does not expose the revision, but passes it to its transport.
  let revision = null;
  const setVersion = transport.setProtocolVersion?.bind(transport);
  transport.setProtocolVersion = (version) => {
    revision = version;
    setVersion?.(version);
  };
  await client.connect(transport);
  return { client, revision, package: "@modelcontextprotocol/sdk" };
}

function sdkTransport(command, args) {
  if (!command.startsWith("http")) return new SdkStdio({ command, args, stderr: "inherit" });
  return command.endsWith("/sse") ? new SdkSse(new URL(command)) : new SdkHttp(new URL(command));
}

// The package @modelcontextprotocol/client. `wanted` is legacy, auto or a revision.
export async function connectClient(wanted, command, args, options = {}, prepare = () => {}) {
  const mode = ["legacy", "auto"].includes(wanted) ? wanted : { pin: wanted };
  const client = new Client({ name: "interop-client", version: "1.0.0" }, { ...options, versionNegotiation: { mode } });
  prepare(client);
  const isUrl = command.startsWith("http");
  const stdio = () => new StdioClientTransport({ command, args, stderr: "inherit" });
  await client.connect(isUrl ? new StreamableHTTPClientTransport(new URL(command)) : stdio());
  return { client, revision: client.getNegotiatedProtocolVersion(), package: "@modelcontextprotocol/client" };
}
