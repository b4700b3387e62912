// The page: the connection, the lists, and what is selected.

import { byId, h, json, notify, textBox } from "./dom.js";
import { follow, request } from "./api.js";
import { addEntries, startJournal } from "./journal.js";
import { showQuestions } from "./questions.js";
import { toolDetail } from "./tools.js";
import { promptDetail } from "./prompts.js";
import { resourceDetail, templateDetail } from "./resources.js";

const LEVELS = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"];

const app = { server: {}, revision: "", capabilities: {}, tools: [], resources: [], templates: [], prompts: [], watched: new Set(),
  open: uri => { select("resources"); choose({ uri, name: uri }, "resource"); } };
let tab = "tools", chosen = null;

async function connect(again = false, revision = undefined) {
  byId("server-name").textContent = "Connecting…";
  try {
    const found = await request("connect", { again, revision });
    Object.assign(app, { server: found.server, revision: found.revision, capabilities: found.capabilities ?? {}, found });
  } catch (error) {
    byId("server-name").textContent = "Not connected";
    byId("detail").replaceChildren(h("div", { class: "card" }, h("h2", { class: "bad" }, "Cannot connect to the server"), textBox(error.message)));
    return;
  }
  const { info, revision: agreed, revisions, server } = app.found;
  byId("server-name").textContent = info ? `${info.title ?? info.name} ${info.version ?? ""}` : "A server without a name";
  document.title = `${info?.name ?? "server"} – MCP inspector`;
  const address = server.url ?? server.words.join(" ");
  byId("server-address").textContent = address;
  byId("server-address").title = address;
  byId("revision").replaceChildren(h("option", { value: "" }, `newest (${agreed})`),
    revisions.map(name => h("option", { value: name, selected: name === revision }, name)));
  app.watched.clear();
  chosen = null;
  await Promise.all(["tools", "resources", "prompts"].map(load));
  select(tab);
}

/** Loads a list again. */
async function load(name) {
  const offered = app.capabilities[name] !== undefined && app.capabilities[name] !== null;
  const get = async list => {
    try {
      return offered ? await request("list", { list }) : [];
    } catch (error) {
      notify(`${list}: ${error.message}`);
      return [];
    }
  };
  if (name === "resources") [app.resources, app.templates] = await Promise.all([get("resources"), get("templates")]);
  else app[name] = await get(name);
  const count = app[name].length + (name === "resources" ? app.templates.length : 0);
  byId(`tab-${name}`).replaceChildren(name[0].toUpperCase() + name.slice(1), h("span", { class: "count" }, count));
  if (name === tab) draw();
}

function select(name) {
  tab = name;
  for (const button of document.querySelectorAll("nav button")) {
    const is = button.id === `tab-${name}`;
    button.setAttribute("aria-selected", String(is));
    button.tabIndex = is ? 0 : -1;
  }
  byId("filter").value = "";
  draw();
  byId("view").classList.toggle("single", name === "server");
  if (name === "server") byId("detail").replaceChildren(serverDetail());
  else {
    const first = byId("items").querySelector("button");
    if (first) first.click();
    else byId("detail").replaceChildren(h("p", { class: "muted" }, `The server has no ${name}.`));
  }
}

/** Draws the list of the tab. */
function draw() {
  const wanted = byId("filter").value.toLowerCase();
  const fits = item => !wanted || [item.name, item.title, item.uri, item.uriTemplate, item.description].some(text => String(text ?? "").toLowerCase().includes(wanted));
  const part = (items, kind) => items.filter(fits).map(item => h("button", { type: "button", class: "item", "aria-current": String(item === chosen), onclick: () => choose(item, kind) },
    h("b", {}, item.uri ?? item.uriTemplate ?? item.name), h("small", {}, item.description ?? item.title ?? "")));
  byId("items").replaceChildren(...{
    tools: () => part(app.tools, "tool"), prompts: () => part(app.prompts, "prompt"), server: () => [],
    resources: () => [app.resources.length ? h("h3", {}, "Resources") : "", ...part(app.resources, "resource"), app.templates.length ? h("h3", {}, "Templates") : "", ...part(app.templates, "template")],
  }[tab]());
}

function choose(item, kind) {
  chosen = item;
  draw();
  const detail = { tool: toolDetail, prompt: promptDetail, resource: resourceDetail, template: templateDetail }[kind](item, app);
  byId("detail").replaceChildren(detail);
  byId("detail").scrollTop = 0;
  byId("items").querySelector("[aria-current=true]")?.focus({ preventScroll: false });
}

function serverDetail() {
  const { info, revision, instructions, capabilities } = app.found ?? {};
  const roots = h("textarea", { rows: 2, id: "roots", placeholder: "file:///home/ada/project" });
  const setRoots = async () => {
    try {
      await request("roots", { roots: roots.value.split("\n").map(line => line.trim()).filter(Boolean) });
      notify("The server was told.", true);
    } catch (error) { notify(error.message); }
  };
  return h("div", {}, h("h2", {}, info?.title ?? info?.name ?? "Server"), h("p", { class: "muted" }, `revision ${revision}`),
    instructions && h("p", { class: "description" }, instructions),
    h("h3", {}, "Capabilities"), textBox(json(capabilities)), info && [h("h3", {}, "Implementation"), textBox(json(info))],
    h("div", { class: "card field" }, h("label", { for: "roots" }, "Roots"), h("div", { class: "about" }, "The folders that the server may ask for, one URI in each line."), roots,
      h("button", { type: "button", onclick: setRoots }, "Set")));
}

function showState(state) {
  const chip = byId("state");
  chip.textContent = state;
  chip.className = `chip ${{ connected: "good", connecting: "warn", waiting: "warn" }[state] ?? "bad"}`;
}

/** Handles keys of the whole page: `/` filters, arrows move in lists and tabs. */
function pressed(event) {
  const typing = event.target.matches("input, textarea, select");
  if (event.key === "/" && !typing && !byId("question").open) {
    event.preventDefault();
    byId("filter").focus();
    return;
  }
  const inTabs = event.target.closest("nav"), inItems = event.target.closest("#items");
  const step = { ArrowDown: inItems && 1, ArrowUp: inItems && -1, ArrowRight: inTabs && 1, ArrowLeft: inTabs && -1 }[event.key];
  if (!step) return;
  event.preventDefault();
  const all = [...(inTabs ?? inItems).querySelectorAll("button")];
  const next = all[all.indexOf(event.target) + step];
  next?.focus();
  if (inTabs && next) { next.click(); byId(next.id).focus(); }
}

function start() {
  startJournal(app);
  byId("log-level").append(...LEVELS.map(level => h("option", {}, level)));
  byId("log-level").addEventListener("change", event => request("log-level", { level: event.target.value }).catch(error => notify(error.message)));
  byId("filter").addEventListener("input", draw);
  byId("reconnect").addEventListener("click", () => connect(true, byId("revision").value || undefined));
  byId("revision").addEventListener("change", () => connect(true, byId("revision").value || undefined));
  byId("ping").addEventListener("click", async () => {
    try { notify(`The server answered in ${(await request("ping")).milliseconds.toFixed(1)} ms.`, true); } catch (error) { notify(error.message); }
  });
  for (const name of ["tools", "resources", "prompts", "server"]) byId(`tab-${name}`).addEventListener("click", () => select(name));
  document.addEventListener("keydown", pressed);
  follow({
    entries: batch => {
      addEntries(batch);
      const states = batch.filter(entry => entry.kind === "state");
      if (states.length) showState(states.at(-1).state);
      for (const list of new Set(batch.filter(entry => entry.kind === "change").map(entry => entry.list))) load(list);
    },
    questions: showQuestions,
    online: is => { if (!is) showState("inspector ended"); },
    refused: reason => { showState("refused"); byId("detail").replaceChildren(h("div", { class: "card" }, h("p", { class: "bad" }, reason))); },
  });
  connect();
}

start();
