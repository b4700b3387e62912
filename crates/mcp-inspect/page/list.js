// The tabs, the list of a tab, and what is selected.

import { byId, h } from "./dom.js";
import { toolDetail } from "./tools.js";
import { promptDetail } from "./prompts.js";
import { resourceDetail, templateDetail } from "./resources.js";
import { serverDetail } from "./server.js";

const TABS = ["tools", "resources", "prompts", "server"];
const DETAILS = { tool: toolDetail, prompt: promptDetail, resource: resourceDetail, template: templateDetail };

/** The number of items that are shown at once. */
const MOST = 500;

/** The details that were shown, so that a form keeps its values and a call goes on while another item is selected. */
const details = new Map();
let app = null, tab = "tools", shown = [];

export function startLists(the) {
  app = the;
  for (const name of TABS) byId(`tab-${name}`).addEventListener("click", () => showTab(name));
  byId("filter").addEventListener("input", draw);
  document.addEventListener("keydown", pressed);
}

/** Returns what identifies an item in its list. */
const idOf = item => String(item.uri ?? item.uriTemplate ?? item.name);

/** Shows the item of the address, or the first one. */
export function showFirst() {
  details.clear();
  const [name, id] = location.hash.slice(2).split("/").map(part => {
    try { return decodeURIComponent(part); } catch { return ""; }
  });
  showTab(TABS.includes(name) ? name : tab, id);
}

export function showTab(name, id = undefined) {
  tab = name;
  for (const button of document.querySelectorAll("nav button")) {
    const is = button.id === `tab-${name}`;
    button.setAttribute("aria-selected", String(is));
    button.tabIndex = is ? 0 : -1;
  }
  byId("filter").value = "";
  byId("view").classList.toggle("single", name === "server");
  byId("view").setAttribute("aria-labelledby", `tab-${name}`);
  draw();
  if (name === "server") {
    remember(name);
    byId("detail").replaceChildren(serverDetail(app));
    return;
  }
  const wanted = shown.find(({ item }) => idOf(item) === id) ?? shown[0];
  if (wanted) choose(wanted);
  else byId("detail").replaceChildren(h("p", { class: "muted" }, `The server has no ${name}.`));
}

/** Shows a tool with these arguments in its form. */
export function showCall(name, values) {
  const tool = app.tools.find(tool => tool.name === name);
  if (!tool) return;
  tool.lastArguments = values;
  details.delete(keyOf(tool, "tool"));
  showTab("tools", name);
  byId("detail").scrollIntoView({ block: "nearest" });
}

/** Shows a resource, also one that is not in the list. */
export function showResource(uri) {
  const item = app.resources.find(item => item.uri === uri) ?? { uri, name: uri };
  details.delete(keyOf(item, "resource"));
  showTab("resources", uri);
  if (shown.every(each => each.item.uri !== uri)) choose({ item, kind: "resource" });
}

/** A list has changed. */
export function listChanged(name) {
  const items = name === "resources" ? [...app.resources, ...app.templates] : app[name];
  byId(`tab-${name}`).replaceChildren(name[0].toUpperCase() + name.slice(1), h("span", { class: "count" }, items.length));
  if (name === tab) draw();
}

/** Draws the list of the tab. */
function draw() {
  const wanted = byId("filter").value.trim().toLowerCase();
  const fits = item => [item.name, item.title, item.uri, item.uriTemplate, item.description].some(text => String(text ?? "").toLowerCase().includes(wanted));
  const part = (items, kind, title) => {
    const found = items.filter(fits).map(item => ({ item, kind, button: null }));
    for (const each of found.slice(0, MOST)) each.button = itemButton(each);
    shown.push(...found.slice(0, MOST));
    return [found.length && title ? h("h3", {}, title) : "", ...found.slice(0, MOST).map(each => each.button),
      found.length > MOST ? h("p", { class: "muted" }, `${(found.length - MOST).toLocaleString()} more: use the filter.`) : ""];
  };
  shown = [];
  const rows = tab === "resources" ? [...part(app.resources, "resource", "Resources"), ...part(app.templates, "template", "Templates")]
    : tab === "server" ? [] : part(app[tab], tab.slice(0, -1));
  byId("items").replaceChildren(...rows, wanted && !shown.length ? h("p", { class: "muted" }, "Nothing matches.") : "");
  mark();
}

function itemButton(each) {
  const { item } = each;
  return h("button", { type: "button", class: "item", onclick: () => {
    choose(each);
    if (matchMedia("(max-width: 46rem)").matches) byId("detail").scrollIntoView();
  } }, h("b", {}, idOf(item)), h("small", {}, item.description ?? item.title ?? ""));
}

const keyOf = (item, kind) => {
  const { lastArguments, ...rest } = item;
  return `${kind} ${JSON.stringify(rest)}`;
};

function choose({ item, kind }) {
  remember(tab, idOf(item));
  const key = keyOf(item, kind);
  if (!details.has(key)) details.set(key, DETAILS[kind](item, app));
  byId("detail").replaceChildren(details.get(key));
  byId("detail").dataset.key = key;
  byId("detail").scrollTop = 0;
  mark();
}

/** Marks the selected item. It is the one that the Tab key reaches; the arrow keys reach the others. */
function mark() {
  const key = byId("detail").dataset.key;
  const current = shown.find(({ item, kind }) => keyOf(item, kind) === key);
  for (const each of shown) {
    each.button.setAttribute("aria-current", String(each === current));
    each.button.tabIndex = each === (current ?? shown[0]) ? 0 : -1;
  }
  current?.button.scrollIntoView({ block: "nearest" });
}

/** Keeps what is selected in the address, for a reload. */
function remember(...parts) {
  const fragment = parts.join("/").length < 500 ? `#/${parts.map(encodeURIComponent).join("/")}` : "";
  history.replaceState(null, "", location.pathname + fragment);
}

/** Handles keys of the whole page: `/` filters, arrows move in lists and tabs, Ctrl+Enter calls. */
function pressed(event) {
  if (byId("question").open) return;
  const typing = event.target.matches("input, textarea, select");
  if (event.key === "/" && !typing) {
    event.preventDefault();
    byId("filter").focus();
    return;
  }
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    byId("detail").querySelector("form")?.requestSubmit();
    return;
  }
  if (event.target === byId("filter") && event.key === "ArrowDown") {
    event.preventDefault();
    shown[0]?.button.focus();
    return;
  }
  const inTabs = event.target.closest("nav"), inItems = event.target.closest("#items");
  const all = [...(inTabs ?? inItems)?.querySelectorAll("button") ?? []], at = all.indexOf(event.target);
  const next = all[{ [inTabs ? "ArrowRight" : "ArrowDown"]: at + 1, [inTabs ? "ArrowLeft" : "ArrowUp"]: at - 1, Home: 0, End: all.length - 1 }[event.key]];
  if (!next) return;
  event.preventDefault();
  next.focus();
  if (inTabs) next.click();
}
