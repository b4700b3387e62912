// The detail of a prompt.

import { copyButton, h, notify } from "./dom.js";
import { json } from "./json.js";
import { request } from "./api.js";
import { completedInput } from "./complete.js";
import { showContent } from "./content.js";

export function promptDetail(prompt, app) {
  const inputs = [];
  const known = () => inputs.map(input => [input.name, input.read()]);
  const completes = Boolean(app.capabilities.completions);
  for (const argument of prompt.arguments ?? []) {
    const about = argument.description ?? argument.title;
    inputs.push(completedInput({ ...argument, about }, { prompt: prompt.name }, known, completes));
  }
  const output = h("div", { id: "result", "aria-live": "polite" });
  const run = async event => {
    event.preventDefault();
    const missing = inputs.find(input => input.required && !input.read());
    if (missing) { missing.input.focus(); return notify(`“${missing.name}” is required.`); }
    try {
      const args = known().filter(([, value]) => value !== "");
      const result = await request("prompt", { name: prompt.name, arguments: args });
      output.replaceChildren(h("div", { class: "card" }, copyButton("Copy JSON", () => json(result)),
        result.messages.map(message => h("div", { class: "block" }, h("div", { class: "caption" }, message.role), showContent([message.content], app.open)))));
    } catch (error) {
      output.replaceChildren(h("div", { class: "card" }, h("p", { class: "bad description" }, error.message)));
    }
  };
  return h("form", { class: "call", novalidate: true, onsubmit: run },
    h("h2", {}, prompt.title ?? prompt.name), h("code", {}, prompt.name),
    prompt.description && h("p", { class: "description" }, prompt.description),
    h("div", { class: "card" }, inputs.length ? inputs.map(input => input.element) : h("p", { class: "muted" }, "No arguments."),
      h("button", { type: "submit", class: "primary" }, "Get")),
    output);
}
