// The journal: every message in both directions, log messages, standard error, and changes.

import { byId, copyButton, h, textBox } from "./dom.js";
import { json, jsonBox, parse } from "./json.js";
import { curl } from "./copy.js";

/** The number of entries in the page. The program keeps more. */
const MOST = 500;

const place = byId("journal"), filter = byId("journal-filter");
const entries = [];
/** The last requests, by direction and id, for the lines of their responses. */
const requests = new Map();
/** The last request of each method and name, and the last result. */
const sent = new Map(), answers = new Map();
let app = null, missed = 0, last = 0;
/** Whether the newest entry is shown when one arrives, or when the size of the window changes. */
let follows = true;

export function startJournal(the) {
  app = the;
  for (const id of ["show-messages", "show-logs"]) byId(id).addEventListener("change", redraw);
  filter.addEventListener("input", redraw);
  place.addEventListener("scroll", measure);
  new ResizeObserver(showEnd).observe(place);
  byId("journal-clear").addEventListener("click", () => { entries.length = 0; missed = 0; redraw(); });
  byId("journal-fold").addEventListener("click", () => fold(!document.querySelector("aside").classList.contains("folded")));
  fold(matchMedia("(max-width: 46rem)").matches);
  makeResizable(document.querySelector("aside"), byId("journal-grip"));
}

function fold(folded) {
  document.querySelector("aside").classList.toggle("folded", folded);
  byId("journal-fold").textContent = folded ? "Show" : "Hide";
  byId("journal-fold").setAttribute("aria-expanded", String(!folded));
}

/** Returns the last request of this method for this name. */
export const lastSent = (method, name) => sent.get(`${method} ${name}`);

/** Returns the last result of this method for this name. */
export const lastAnswer = (method, name) => answers.get(`${method} ${name}`);

/** Adds entries that arrived. */
export function addEntries(batch) {
  for (const entry of batch) {
    if (last && entry.seq > last + 1) missed += entry.seq - last - 1;
    last = entry.seq;
    if (entry.kind === "message") read(entry);
    entries.push(entry);
  }
  entries.splice(0, Math.max(0, entries.length - MOST));
  place.append(...batch.slice(-MOST).filter(visible).map(row));
  while (place.childElementCount > MOST) place.firstElementChild.remove();
  showEnd();
  tellMissed();
}

function measure() {
  follows = place.scrollHeight - place.scrollTop - place.clientHeight < 40;
}

/** Shows the newest entry, unless the user has scrolled away from it or reads an older one. */
function showEnd() {
  if (follows) place.scrollTop = place.scrollHeight;
}

/** Parses a message, unless it was cut. */
function read(entry) {
  const key = (isSent, id) => `${isSent} ${JSON.stringify(id)}`;
  try { entry.message = parse(entry.text); } catch { return; }
  const { id, method, params, result } = Object(entry.message);
  if (id === undefined) return;
  if (method) {
    const name = `${method} ${params?.name ?? params?.uri ?? ""}`;
    put(requests, key(entry.sent, id), { method, name, at: entry.at });
    if (entry.sent) put(sent, name, entry.message);
    return;
  }
  const request = requests.get(key(!entry.sent, id));
  if (!request) return;
  entry.method = request.method;
  entry.milliseconds = entry.at - request.at;
  if (!entry.sent && result !== undefined) put(answers, request.name, result);
}

/** Keeps the newest values of a map. */
function put(map, key, value) {
  map.delete(key);
  map.set(key, value);
  if (map.size > MOST) map.delete(map.keys().next().value);
}

function redraw() {
  place.replaceChildren(...entries.filter(visible).map(row));
  follows = true;
  showEnd();
  tellMissed();
}

function tellMissed() {
  byId("journal-missed").textContent = missed ? `${missed.toLocaleString()} entries were dropped` : "";
}

function visible(entry) {
  const box = entry.kind === "message" ? "show-messages" : "show-logs";
  return byId(box).checked && (!filter.value || JSON.stringify(entry).toLowerCase().includes(filter.value.toLowerCase()));
}

const LOOKS = { error: "bad", critical: "bad", alert: "bad", emergency: "bad", warning: "warn", failed: "bad", connected: "good" };

/** The arrow, the title and the line of an entry, and how it looks. */
function summary(entry) {
  switch (entry.kind) {
    case "message": {
      const message = Object(entry.message), error = message.error;
      const title = message.method ?? (entry.method ? `${entry.method} ${error ? "error" : "result"}` : "message");
      // `_meta` is the same in most messages; the whole message is shown when the entry is opened.
      const { _meta, ...content } = Object(message.params ?? message.result ?? { text: entry.text });
      const line = error ? `${error.code} ${error.message}` : JSON.stringify(content);
      return [entry.sent ? "→" : "←", title, line ?? "", error ? "bad" : ""];
    }
    case "log": return ["≡", entry.level, `${entry.logger ? `${entry.logger}: ` : ""}${entry.text}`, LOOKS[entry.level] ?? ""];
    case "stderr": return ["≡", "stderr", entry.text, ""];
    case "change": return ["≡", "changed", `the list of ${entry.list}`, ""];
    case "updated": return ["≡", "updated", entry.uri, ""];
    default: return ["≡", entry.state ?? entry.kind, entry.reason ?? "", LOOKS[entry.state] ?? ""];
  }
}

function row(entry) {
  const [arrow, title, line, look] = summary(entry);
  const time = new Date(entry.at).toTimeString().slice(0, 8) + `.${String(entry.at % 1000).padStart(3, "0")}`;
  const element = h("div", { class: "entry", "data-kind": entry.kind });
  const head = h("button", { type: "button", "aria-expanded": "false", onclick: () => {
    const open = element.childElementCount > 1;
    head.setAttribute("aria-expanded", String(!open));
    if (open) element.lastElementChild.remove();
    else element.append(body(entry));
    // An entry that was opened stays where it is.
    measure();
  } }, h("span", { class: "muted time" }, time), h("span", { title: arrow === "→" ? "sent" : arrow === "←" ? "received" : "" }, arrow),
    h("span", { class: look }, title), h("span", { class: "line muted" }, line.slice(0, 300)),
    h("span", { class: "muted" }, [entry.milliseconds !== undefined && `${entry.milliseconds} ms`, entry.size !== undefined && size(entry.size)].filter(Boolean).join(", ")));
  element.append(head);
  return element;
}

const size = bytes => bytes < 1024 ? `${bytes} B` : bytes < 1 << 20 ? `${(bytes / 1024).toFixed(1)} KB` : `${(bytes / (1 << 20)).toFixed(1)} MB`;

function body(entry) {
  const { message } = entry;
  const isCall = entry.sent && message?.method === "tools/call";
  const canCurl = entry.sent && message?.method && message.id !== undefined && message.method !== "initialize" && app.server.kind === "http";
  return h("div", { class: "body" }, h("div", { class: "row" }, copyButton("Copy", () => entry.text ?? json(entry)),
    canCurl && copyButton("Copy as curl", () => curl({ ...app.server, revision: app.revision }, message, app.tools)),
    isCall && h("button", { type: "button", class: "small", onclick: () => app.callAgain(message.params?.name, message.params?.arguments) }, "Edit and call again")),
    entry.kind === "message" && !message && h("p", { class: "warn" }, entry.size > (entry.text?.length ?? 0) ? "The beginning of a long message." : "This is not JSON."),
    message ? jsonBox(message) : textBox(entry.text ?? json(entry)));
}

/** Lets the user change the height of the journal with the pointer or the arrow keys. */
function makeResizable(panel, grip) {
  const set = height => { panel.style.height = `${Math.round(Math.min(Math.max(height, 80), innerHeight - 160))}px`; };
  grip.addEventListener("pointerdown", event => {
    grip.setPointerCapture(event.pointerId);
    event.preventDefault();
  });
  grip.addEventListener("pointermove", event => { if (grip.hasPointerCapture(event.pointerId)) set(innerHeight - event.clientY); });
  grip.addEventListener("keydown", event => {
    const step = { ArrowUp: 24, ArrowDown: -24 }[event.key];
    if (!step) return;
    event.preventDefault();
    set(panel.clientHeight + step);
  });
}
