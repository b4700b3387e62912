// The detail of a tool: its form, a running call, and the result.

import { copyButton, h, notify, textBox } from "./dom.js";
import { json, jsonBox, parse } from "./json.js";
import { callTool } from "./api.js";
import { createForm } from "./form.js";
import { showContent } from "./content.js";
import { commandLine, curl, rustTest } from "./copy.js";
import { lastAnswer, lastSent } from "./journal.js";

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
      progress.end();
      running = null;
      cancel.hidden = true;
      call.disabled = false;
    }
  };
  cancel.addEventListener("click", () => running?.abort());
  const element = h("form", { class: "call", novalidate: true, onsubmit: event => { event.preventDefault(); run(); } },
    h("h2", {}, tool.title ?? tool.annotations?.title ?? tool.name),
    h("div", { class: "row" }, h("code", {}, tool.name), hints(tool.annotations)),
    tool.description && h("p", { class: "description" }, tool.description),
    h("div", { class: "left" },
      h("div", { class: "card" }, form.element,
        h("div", { class: "row actions" }, call, cancel, h("span", { class: "muted" }, "Ctrl+Enter"))),
      h("details", {}, h("summary", {}, "Schemas"), h("h3", {}, "Input"), jsonBox(tool.inputSchema),
        tool.outputSchema && [h("h3", {}, "Output"), jsonBox(tool.outputSchema)])),
    output);
  return element;
}

function hints(annotations) {
  const known = [["readOnlyHint", "read only", "good"], ["destructiveHint", "destructive", "bad"], ["idempotentHint", "idempotent", "good"], ["openWorldHint", "open world", "warn"]];
  return known.filter(([key]) => annotations?.[key] === true).map(([, name, look]) => h("span", { class: `chip ${look}` }, name));
}

function progressBar() {
  const bar = h("progress", {}), text = h("p", { class: "muted", id: "progress-text" }), time = h("span", { class: "muted" });
  const began = Date.now();
  const tick = () => { time.textContent = `Running for ${Math.round((Date.now() - began) / 1000)} s`; };
  const timer = setInterval(tick, 1000);
  tick();
  const update = ({ progress, total, message }) => {
    if (total > 0) { bar.max = total; bar.value = Math.min(Math.max(progress, 0), total); }
    text.textContent = `${progress}${total ? ` of ${total}` : ""} ${message ?? ""}`.slice(0, 500);
  };
  return { element: h("div", { class: "card", id: "progress" }, bar, time, text), update, end: () => clearInterval(timer) };
}

function showAnswer(tool, args, answer, app) {
  const request = () => {
    const sent = lastSent("tools/call", tool.name);
    return sent ? curl({ ...app.server, revision: app.revision }, sent, app.tools) : "The journal no longer has the request.";
  };
  const again = [app.server.kind === "http" && copyButton("Copy as curl", request),
    copyButton("Copy as command", () => commandLine(app.server, tool.name, args)),
    answer.result && copyButton("Copy as test", () => rustTest(app.server, tool.name, args, answer.result))];
  const time = h("span", { class: "muted" }, `${(answer.milliseconds ?? 0).toFixed(1)} ms`);
  if (answer.error) {
    return h("div", { class: "card" }, h("div", { class: "row" }, h("span", { class: "chip bad", id: "outcome" }, "error"), time, again),
      textBox(answer.error, "bad"), answer.rpc?.data !== undefined && answer.rpc?.data !== null && jsonBox(answer.rpc.data),
      answer.invalid && rejected(tool));
  }
  const { result } = answer, failed = result.isError === true, structured = "structuredContent" in result;
  return h("div", { class: "card" },
    h("div", { class: "row" }, h("span", { class: `chip ${failed ? "bad" : "good"}`, id: "outcome" }, failed ? "the tool failed" : "ok"), time, again),
    structured && repeats(result) ? h("p", { class: "muted" }, "The text is the structured output.") : showContent(result.content, app.open),
    structured && h("details", { open: true }, h("summary", {}, "Structured output"), jsonBox(result.structuredContent, "structured")),
    h("details", {}, h("summary", {}, "Result as JSON"), copyButton("Copy JSON", () => json(result)), jsonBox(result)));
}

/** Whether the only content is the structured output as text. */
function repeats({ content, structuredContent }) {
  if (content?.length !== 1 || content[0].type !== "text") return false;
  try { return JSON.stringify(parse(content[0].text)) === JSON.stringify(structuredContent); } catch { return false; }
}

/** The result that a client must not use, because it does not match the output schema. */
function rejected(tool) {
  const place = h("div");
  return h("details", { ontoggle: () => {
    const answer = lastAnswer("tools/call", tool.name);
    place.replaceChildren(answer ? jsonBox(answer) : h("p", { class: "muted" }, "The journal does not have the whole result."));
  } }, h("summary", {}, "The result that the server sent"), place);
}
