// The detail of a tool: its form, a running call, and the result.

import { copyButton, h, json, notify, textBox } from "./dom.js";
import { callTool } from "./api.js";
import { createForm } from "./form.js";
import { showContent } from "./content.js";
import { commandLine, curl, rustTest } from "./copy.js";
import { lastSent } from "./journal.js";

/** Returns the detail of a tool. `app` has the server, the list of tools, and `open(uri)`. */
export function toolDetail(tool, app) {
  const form = createForm(tool.inputSchema, tool.lastArguments);
  const output = h("div", { id: "result", "aria-live": "polite" });
  const call = h("button", { type: "submit", class: "primary", id: "call" }, "Call");
  const cancel = h("button", { type: "button", id: "cancel", hidden: true }, "Cancel");
  let running = null;
  const run = async () => {
    if (running) return;
    let args;
    try { args = form.read(); } catch (error) { return notify(error.message); }
    tool.lastArguments = args;
    running = new AbortController();
    cancel.hidden = false;
    call.disabled = true;
    const progress = progressBar();
    output.replaceChildren(progress.element);
    output.scrollIntoView({ block: "nearest" });
    try {
      const answer = await callTool(tool.name, args, running.signal, progress.update);
      output.replaceChildren(showAnswer(tool, args, answer, app));
      output.scrollIntoView({ block: "nearest" });
    } catch (error) {
      const text = running.signal.aborted ? "Cancelled." : error.message;
      output.replaceChildren(h("div", { class: "card" }, h("p", { class: running.signal.aborted ? "warn" : "bad" }, text)));
    } finally {
      running = null;
      cancel.hidden = true;
      call.disabled = false;
    }
  };
  cancel.addEventListener("click", () => running?.abort());
  const element = h("form", { novalidate: true, onsubmit: event => { event.preventDefault(); run(); } },
    h("h2", {}, tool.title ?? tool.annotations?.title ?? tool.name),
    h("div", { class: "row" }, h("code", {}, tool.name), hints(tool.annotations)),
    tool.description && h("p", { class: "description" }, tool.description),
    h("div", { class: "card" }, form.element,
      h("div", { class: "row" }, call, cancel, h("span", { class: "muted" }, "Ctrl+Enter"))),
    output,
    h("details", {}, h("summary", {}, "Schemas"), h("h3", {}, "Input"), textBox(json(tool.inputSchema), "json"),
      tool.outputSchema && [h("h3", {}, "Output"), textBox(json(tool.outputSchema), "json")]));
  element.addEventListener("keydown", event => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) { event.preventDefault(); run(); }
  });
  return element;
}

function hints(annotations) {
  const known = [["readOnlyHint", "read only", "good"], ["destructiveHint", "destructive", "bad"], ["idempotentHint", "idempotent", "good"], ["openWorldHint", "open world", "warn"]];
  return known.filter(([key]) => annotations?.[key] === true).map(([, name, look]) => h("span", { class: `chip ${look}` }, name));
}

function progressBar() {
  const bar = h("progress", {}), text = h("p", { class: "muted" }, "Running…");
  const update = ({ progress, total, message }) => {
    if (total > 0) { bar.max = total; bar.value = Math.min(Math.max(progress, 0), total); }
    text.textContent = `${progress}${total ? ` of ${total}` : ""} ${message ?? ""}`.slice(0, 500);
  };
  return { element: h("div", { class: "card", id: "progress" }, bar, text), update };
}

function showAnswer(tool, args, answer, app) {
  const sent = lastSent("tools/call", tool.name);
  const isHttp = app.server.kind === "http";
  const again = [isHttp && sent && copyButton("Copy as curl", () => curl({ ...app.server, revision: app.revision }, sent, app.tools)),
    copyButton("Copy as command", () => commandLine(app.server, tool.name, args)),
    answer.result && copyButton("Copy as test", () => rustTest(app.server, tool.name, args, answer.result))];
  const time = h("span", { class: "muted" }, `${(answer.milliseconds ?? 0).toFixed(1)} ms`);
  if (answer.error) {
    return h("div", { class: "card" }, h("div", { class: "row" }, h("span", { class: "chip bad", id: "outcome" }, "error"), time, again),
      textBox(answer.error, "bad"), answer.rpc?.data !== undefined && textBox(json(answer.rpc.data)));
  }
  const { result } = answer, failed = result.isError === true;
  return h("div", { class: "card" },
    h("div", { class: "row" }, h("span", { class: `chip ${failed ? "bad" : "good"}`, id: "outcome" }, failed ? "the tool failed" : "ok"), time, again),
    showContent(result.content, app.open),
    "structuredContent" in result && h("details", { open: true }, h("summary", {}, "Structured output"), textBox(json(result.structuredContent), "structured")),
    h("details", {}, h("summary", {}, "Result as JSON"), copyButton("Copy JSON", () => json(result)), textBox(json(result))));
}
