// The detail of a resource and of a resource template.

import { copyButton, h, notify } from "./dom.js";
import { json } from "./json.js";
import { request } from "./api.js";
import { completedInput } from "./complete.js";
import { showResource } from "./content.js";

export function resourceDetail(resource, app) {
  const output = h("div", { id: "result", "aria-live": "polite" });
  const read = () => show(resource.uri, output);
  const watched = h("input", { type: "checkbox", checked: app.watched.has(resource.uri), onchange: async () => {
    try {
      await request("watch", { uri: resource.uri, on: watched.checked });
      app.watched[watched.checked ? "add" : "delete"](resource.uri);
    } catch (error) {
      watched.checked = false;
      notify(error.message);
    }
  } });
  read();
  return h("div", {}, h("h2", {}, resource.title ?? resource.name ?? resource.uri), h("code", { class: "address" }, resource.uri),
    resource.description && h("p", { class: "description" }, resource.description),
    h("div", { class: "row" }, h("button", { type: "button", class: "primary", onclick: read }, "Read"),
      h("label", {}, watched, " Tell me when it changes")),
    output);
}

export function templateDetail(template, app) {
  const inputs = [];
  const known = () => inputs.map(input => [input.name, input.read()]);
  const completes = Boolean(app.capabilities.completions);
  for (const name of variables(template.uriTemplate)) {
    inputs.push(completedInput({ name }, { template: template.uriTemplate }, known, completes));
  }
  const uri = h("code", { class: "address" }), output = h("div", { id: "result", "aria-live": "polite" });
  const expanded = () => expand(template.uriTemplate, Object.fromEntries(known()));
  const update = () => { uri.textContent = expanded(); };
  update();
  const run = event => { event.preventDefault(); show(expanded(), output); };
  return h("form", { class: "call", novalidate: true, onsubmit: run, oninput: update },
    h("h2", {}, template.title ?? template.name ?? template.uriTemplate), h("code", { class: "address" }, template.uriTemplate),
    template.description && h("p", { class: "description" }, template.description),
    h("div", { class: "card" }, inputs.map(input => input.element),
      h("div", { class: "row" }, h("button", { type: "submit", class: "primary" }, "Read"), uri)),
    output);
}

async function show(uri, output) {
  try {
    const { contents } = await request("read", { uri });
    output.replaceChildren(h("div", { class: "card" }, copyButton("Copy JSON", () => json(contents)),
      contents.map(each => h("div", { class: "block" }, showResource(each)))));
  } catch (error) {
    output.replaceChildren(h("div", { class: "card" }, h("p", { class: "bad description" }, error.message)));
  }
}

const EXPRESSION = /\{([+#./;?&]?)([^{}]+)\}/g;

/** Returns the names of the variables of a URI template. */
function variables(template) {
  const names = [...template.matchAll(EXPRESSION)].flatMap(([, , list]) => list.split(",").map(name => name.replace(/[*]$|:[0-9]+$/, "")));
  return [...new Set(names)];
}

/** Expands a URI template (RFC 6570) with texts. Empty variables are left out. */
function expand(template, values) {
  const kinds = { "": ["", ",", false], "+": ["", ",", false], "#": ["#", ",", false], ".": [".", ".", false], "/": ["/", "/", false],
    ";": [";", ";", true], "?": ["?", "&", true], "&": ["&", "&", true] };
  return template.replaceAll(EXPRESSION, (_, operator, list) => {
    const [first, between, named] = kinds[operator];
    const encode = operator === "+" || operator === "#" ? encodeURI : text => encodeURIComponent(text).replaceAll(/[!'()*]/g, c => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
    const parts = list.split(",").map(name => name.replace(/[*]$/, "").split(":")).filter(([name]) => values[name])
      .map(([name, length]) => [name, encode([...values[name]].slice(0, length ? Number(length) : undefined).join(""))])
      .map(([name, text]) => named ? `${name}=${text}` : text);
    return parts.length ? first + parts.join(between) : "";
  });
}
