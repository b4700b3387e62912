// The detail of the server: what it is, what it can do, and how to add it to a client.

import { copyButton, h, notify } from "./dom.js";
import { json, jsonBox } from "./json.js";
import { request } from "./api.js";
import { addCommand, clientEntry } from "./copy.js";

export function serverDetail(app) {
  const { info, revision, instructions, capabilities } = app.found ?? {};
  if (!app.found) return h("p", { class: "muted" }, "There is no connection.");
  const name = (info?.name ?? "server").replaceAll(/[^A-Za-z0-9_-]/g, "-");
  const chips = Object.entries(capabilities ?? {}).filter(([, value]) => value !== null)
    .map(([key, value]) => h("span", { class: "chip" }, [key, ...Object.entries(Object(value)).filter(([, is]) => is === true).map(([flag]) => flag)].join(", ")));
  return h("div", {},
    h("h2", {}, info?.title ?? info?.name ?? "Server"),
    h("p", { class: "muted" }, `version ${info?.version ?? "unknown"}, revision ${revision} of MCP, ${app.found.stateless ? "without a handshake" : "with a handshake"}`),
    instructions && h("p", { class: "description" }, instructions),
    h("div", { class: "row" }, chips),
    roots(),
    h("div", { class: "card" }, h("h3", {}, "Add it to a client"),
      h("pre", {}, addCommand(name, app.server)),
      h("div", { class: "row" }, copyButton("Copy as claude mcp add", () => addCommand(name, app.server)),
        copyButton("Copy as .mcp.json", () => json({ mcpServers: clientEntry(name, app.server) })))),
    h("details", {}, h("summary", {}, "Capabilities and implementation as JSON"), jsonBox({ capabilities, serverInfo: info })));
}

function roots() {
  const input = h("textarea", { rows: 2, id: "roots", placeholder: "file:///home/ada/project" });
  const set = async () => {
    try {
      await request("roots", { roots: input.value.split("\n").map(line => line.trim()).filter(Boolean) });
      notify("The server was told.", true);
    } catch (error) { notify(error.message); }
  };
  return h("div", { class: "card field" }, h("label", { for: "roots" }, "Roots"),
    h("div", { class: "about" }, "The folders that the server may ask for, one URI in each line."), input,
    h("div", { class: "row" }, h("button", { type: "button", id: "set-roots", onclick: set }, "Set")));
}
