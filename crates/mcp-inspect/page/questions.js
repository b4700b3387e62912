// Questions of the server: forms, pages and requests for a model.

import { byId, h, notify, textBox } from "./dom.js";
import { json, jsonBox } from "./json.js";
import { request } from "./api.js";
import { createForm } from "./form.js";

const dialog = byId("question");
let shown = null;

/** Shows the oldest open question. */
export function showQuestions(open) {
  const first = open[0];
  if (first?.id === shown) return;
  shown = first?.id ?? null;
  if (!first) return dialog.close();
  dialog.replaceChildren(h("h2", { id: "question-title" }, "The server asks"), show(first.id, first.question),
    open.length > 1 && h("p", { class: "muted" }, `${open.length - 1} more questions wait.`) || "");
  if (!dialog.open) dialog.showModal();
}

// Escape cancels the question.
dialog.addEventListener("cancel", event => {
  event.preventDefault();
  if (shown !== null) answer(shown, { action: "cancel" });
});

async function answer(id, given) {
  try {
    await request("answer", { id, ...given });
  } catch (error) {
    notify(error.message);
  }
}

function show(id, question) {
  switch (question.kind) {
    case "form": return showForm(id, question);
    case "url": return showUrl(id, question);
    default: return showSample(id, question);
  }
}

const others = id => [
  h("button", { type: "button", id: "decline", onclick: () => answer(id, { action: "decline" }) }, "Decline"),
  h("button", { type: "button", id: "dismiss", onclick: () => answer(id, { action: "cancel" }) }, "Cancel"),
];

function showForm(id, question) {
  const form = createForm(question.schema, undefined, "Answer");
  const submit = event => {
    event.preventDefault();
    let content;
    try { content = form.read(); } catch { return; }
    answer(id, { action: "accept", content });
  };
  return h("form", { novalidate: true, onsubmit: submit }, h("p", { class: "description" }, question.message), form.element,
    h("div", { class: "row" }, h("button", { type: "submit", class: "primary", id: "accept" }, "Answer"), others(id)));
}

function showUrl(id, question) {
  let url = null;
  try { url = new URL(question.url); } catch { /* It is not a URL. */ }
  const isPage = url !== null && ["http:", "https:"].includes(url.protocol);
  const open = () => {
    window.open(url.href, "_blank", "noopener,noreferrer");
    answer(id, { action: "accept" });
  };
  return h("div", {}, h("p", { class: "description" }, question.message),
    isPage ? [h("p", {}, "It wants you to open a page of ", h("b", {}, url.host), ":"), h("p", { class: "address" }, url.href)]
      : h("p", { class: "bad" }, `This is not the address of a web page: ${question.url}`),
    h("div", { class: "row" }, isPage && h("button", { type: "button", class: "primary", id: "accept", onclick: open }, "Open the page"), others(id)));
}

function showSample(id, question) {
  const text = h("textarea", { rows: 4, id: "sample-text" });
  const submit = event => { event.preventDefault(); answer(id, { action: "accept", content: { text: text.value } }); };
  const facts = [`at most ${question.maxTokens} tokens`, question.temperature !== null && `temperature ${question.temperature}`, question.stop.length && `stop at ${question.stop.join(", ")}`];
  return h("form", { onsubmit: submit }, h("p", {}, "It asks for the answer of a model. You can write it:"),
    question.system && [h("h3", {}, "System prompt"), textBox(question.system)],
    question.messages.map(message => [h("h3", {}, String(message.role)), textBox(message.content?.text ?? json(message.content))]),
    Object.keys(question.more ?? {}).length ? h("details", {}, h("summary", {}, "More parameters"), jsonBox(question.more)) : null,
    h("p", { class: "muted" }, facts.filter(Boolean).join(", ")),
    h("div", { class: "field" }, h("label", { for: "sample-text" }, "Answer"), text),
    h("div", { class: "row" }, h("button", { type: "submit", class: "primary", id: "accept" }, "Send"), others(id)));
}
