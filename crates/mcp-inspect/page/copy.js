// Texts to copy: a curl command, a command line, and a Rust test.

/** The keys of `_meta` without which a stateless server refuses a request. */
const META = "io.modelcontextprotocol/";

/** Quotes a word for a POSIX shell. */
const quote = word => /^[A-Za-z0-9_\-./=:,+@]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;

/** Returns curl commands that send this request. Secrets of headers are variables of the shell. */
export function curl(server, message, tools = []) {
  const meta = message.params?._meta ?? {};
  const revision = meta[`${META}protocolVersion`];
  const own = (server.headers ?? []).map(name => `  -H ${quote(`${name}: `).slice(0, -1)}'"$${variable(name)}" \\`);
  const common = ["  -H 'Content-Type: application/json' \\", "  -H 'Accept: application/json, text/event-stream' \\", ...own];
  if (revision) {
    const named = message.params.name ?? message.params.uri;
    const routing = [`  -H 'MCP-Protocol-Version: ${revision}' \\`, `  -H ${quote(`Mcp-Method: ${message.method}`)} \\`,
      ...(named !== undefined ? [`  -H ${quote(`Mcp-Name: ${headerValue(named)}`)} \\`] : []), ...argumentHeaders(message, tools)];
    return [`curl -sS ${quote(server.url)} \\`, ...common, ...routing, `  --data-raw ${quote(JSON.stringify(message))}`].join("\n");
  }
  const version = server.revision;
  const begin = { jsonrpc: "2.0", id: 0, method: "initialize", params: { protocolVersion: version, capabilities: {}, clientInfo: { name: "curl", version: "1" } } };
  const session = [...common, `  -H 'MCP-Protocol-Version: ${version}' \\`, `  -H "Mcp-Session-Id: $SESSION" \\`];
  return ["# The handshake gives the id of a session.",
    `SESSION=$(curl -sS -D - -o /dev/null ${quote(server.url)} \\`, ...common, `  --data-raw ${quote(JSON.stringify(begin))} \\`,
    `  | tr -d '\\r' | sed -n 's/^[Mm][Cc][Pp]-[Ss]ession-[Ii]d: //p')`,
    `curl -sS ${quote(server.url)} \\`, ...session, `  --data-raw '{"jsonrpc":"2.0","method":"notifications/initialized"}'`,
    `curl -sS ${quote(server.url)} \\`, ...session, `  --data-raw ${quote(JSON.stringify(message))}`].join("\n");
}

const variable = name => name.toUpperCase().replaceAll(/[^A-Z0-9]/g, "_");

/** A value that is not plain ASCII is sent in base64. */
function headerValue(value) {
  const text = String(value);
  if (/^[!-~]([ -~]*[!-~])?$/.test(text) && !text.startsWith("=?base64?")) return text;
  return `=?base64?${btoa(String.fromCharCode(...new TextEncoder().encode(text)))}?=`;
}

/** The arguments that a tool repeats in headers. */
function argumentHeaders(message, tools) {
  const tool = message.method === "tools/call" && tools.find(tool => tool.name === message.params.name);
  return Object.entries(tool?.inputSchema?.properties ?? {}).flatMap(([name, schema]) => {
    const value = message.params.arguments?.[name];
    const header = schema?.["x-mcp-header"];
    return typeof header === "string" && value !== undefined && value !== null ? [`  -H ${quote(`Mcp-Param-${header}: ${headerValue(value)}`)} \\`] : [];
  });
}

/** Returns a command line that calls a tool. */
export function commandLine(server, tool, args) {
  const target = server.kind === "process" ? quote(server.words.map(quote).join(" ")) : quote(server.url);
  const headers = (server.headers ?? []).map(name => ` --header '${name}: \${${variable(name)}}'`).join("");
  return `cargo mcp call ${target} ${quote(tool)} ${quote(JSON.stringify(args))}${server.kind === "sse" ? " --sse" : ""}${headers}`;
}

/** Returns the entry of this server for `.mcp.json`. Secrets of headers are variables of the environment. */
export function clientEntry(name, server) {
  if (server.kind === "process") return { [name]: { command: server.words[0], args: server.words.slice(1) } };
  const headers = Object.fromEntries((server.headers ?? []).map(header => [header, `\${${variable(header)}}`]));
  return { [name]: { type: server.kind, url: server.url, ...(server.headers?.length ? { headers } : {}) } };
}

/** Returns the command that adds this server to Claude Code. */
export function addCommand(name, server) {
  if (server.kind === "process") return `claude mcp add ${quote(name)} -- ${server.words.map(quote).join(" ")}`;
  const headers = (server.headers ?? []).map(header => ` --header "${header}: $${variable(header)}"`).join("");
  return `claude mcp add --transport ${server.kind} ${quote(name)} ${quote(server.url)}${headers}`;
}

/** Returns a Rust test that repeats a call and expects the same result. */
export function rustTest(server, tool, args, result) {
  const name = tool.toLowerCase().replaceAll(/[^a-z0-9]+/g, "_").replace(/^(?=[0-9])|^$/, "tool_");
  const connect = server.kind === "process"
    ? [`    let ${server.words.length > 1 ? "mut " : ""}server = std::process::Command::new(${rust(server.words[0])});`,
      ...(server.words.length > 1 ? [`    server.args([${server.words.slice(1).map(rust).join(", ")}]);`] : []),
      "    let client = mcp_client::Client::spawn(server).await.unwrap();"]
    : [`    let client = mcp_client::Client::${server.kind === "sse" ? "sse" : "http"}(${rust(server.url)}).await.unwrap();`];
  const content = result.content ?? [];
  const plain = content.length === 1 && content[0].type === "text" && !("structuredContent" in result);
  const check = plain ? `    assert_eq!(result.to_text(), ${rust(content[0].text)});`
    : "structuredContent" in result ? `    assert_eq!(result.structured_as::<serde_json::Value>().unwrap(), serde_json::json!(${rustJson(result.structuredContent)}));`
    : `    assert_eq!(serde_json::json!(result.content), serde_json::json!(${rustJson(content)}));`;
  return ["#[tokio::test]", `async fn ${name}_returns_the_same_as_before() {`, ...connect,
    `    let result = client.call(${rust(tool)}, serde_json::json!(${rustJson(args)})).await.unwrap();`,
    `    assert!(${result.isError === true ? "" : "!"}result.is_error, "{}", result.to_text());`, check, "}", ""].join("\n");
}

/** A Rust string literal. */
function rust(text) {
  const escape = character => ({ "\\": "\\\\", "\"": "\\\"", "\n": "\\n", "\t": "\\t", "\r": "\\r" })[character]
    ?? `\\u{${character.codePointAt(0).toString(16)}}`;
  return `"${String(text).replaceAll(/["\\]|[^\P{C}]/gu, escape)}"`;
}

/** JSON with Rust string literals, for `json!`. */
function rustJson(value) {
  if (typeof value === "string") return rust(value);
  if (Array.isArray(value)) return `[${value.map(rustJson).join(", ")}]`;
  if (value === null || typeof value !== "object" || JSON.isRawJSON?.(value)) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, inner]) => `${rust(key)}: ${rustJson(inner)}`);
  return `{${members.join(", ")}}`;
}
