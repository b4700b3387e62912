// The page: the connection and the lists of the server.

import { byId, h, notify, textBox } from "./dom.js";
import { follow, request } from "./api.js";
import { addEntries, startJournal } from "./journal.js";
import { listChanged, showCall, showFirst, showResource, startLists } from "./list.js";
import { showQuestions } from "./questions.js";

const LEVELS = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"];

/** What the parts of the page share. */
const app = { server: {}, revision: "", capabilities: {}, found: null, tools: [], resources: [], templates: [], prompts: [],
  watched: new Set(), open: showResource, callAgain: showCall };

async function connect(again = false, revision = undefined) {
  byId("server-name").textContent = "Connecting…";
  try {
    const found = await request("connect", { again, revision });
    Object.assign(app, { server: found.server, revision: found.revision, capabilities: found.capabilities ?? {}, found });
  } catch (error) {
    byId("server-name").textContent = "Not connected";
    byId("detail").replaceChildren(h("div", { class: "card" }, h("h2", { class: "bad" }, "Cannot connect to the server"), textBox(error.message),
      h("p", { class: "muted" }, "The journal has the messages, and what the server wrote to standard error.")));
    return;
  }
  showServer(revision);
  app.watched.clear();
  await Promise.all(["tools", "resources", "prompts"].map(load));
  showFirst();
}

function showServer(revision) {
  const { info, revision: agreed, revisions, server } = app.found;
  byId("server-name").textContent = info ? `${info.title ?? info.name} ${info.version ?? ""}` : "A server without a name";
  document.title = `${info?.name ?? "server"} – MCP inspector`;
  const address = server.url ?? server.words.join(" ");
  byId("server-address").textContent = address;
  byId("server-address").title = address;
  byId("revision").replaceChildren(h("option", { value: "" }, revision ? "newest" : `newest (${agreed})`),
    ...revisions.map(name => h("option", { value: name, selected: name === revision }, name)));
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
  listChanged(name);
}

function showState(state) {
  const chip = byId("state");
  chip.textContent = state;
  chip.className = `chip ${{ connected: "good", connecting: "warn", waiting: "warn" }[state] ?? "bad"}`;
}

async function ping() {
  try {
    notify(`The server answered in ${(await request("ping")).milliseconds.toFixed(1)} ms.`, true);
  } catch (error) {
    notify(error.message);
  }
}

function showEntries(batch) {
  addEntries(batch);
  const states = batch.filter(entry => entry.kind === "state");
  if (states.length) showState(states.at(-1).state);
  const changed = batch.filter(entry => entry.kind === "change" && ["tools", "resources", "prompts"].includes(entry.list));
  for (const list of new Set(changed.map(entry => entry.list))) load(list);
}

function start() {
  startJournal(app);
  startLists(app);
  byId("log-level").append(...LEVELS.map(level => h("option", {}, level)));
  byId("log-level").addEventListener("change", event => request("log-level", { level: event.target.value }).catch(error => notify(error.message)));
  const again = () => connect(true, byId("revision").value || undefined);
  byId("reconnect").addEventListener("click", again);
  byId("revision").addEventListener("change", again);
  byId("ping").addEventListener("click", ping);
  follow({
    entries: showEntries,
    questions: showQuestions,
    online: is => { if (!is) showState("inspector ended"); },
    refused: reason => {
      showState("refused");
      byId("server-name").textContent = "Not connected";
      byId("detail").replaceChildren(h("div", { class: "card" }, h("p", { class: "bad" }, reason)));
    },
  });
  connect();
}

start();
