// Follows a chat and sends commands to it.

import { askForm } from "./asks.js";
import { ItemView, setFolder } from "./items.js";
import { element } from "./markdown.js";

const AGENT = "agent";
const at = id => document.getElementById(id);
const state = { chat: null, source: null, views: [], asks: new Map(), cost: 0, tokens: 0, window: 0 };

// ---- What the chat looks like ----

// Whether the end of the log is visible. Then it stays visible when the log grows or gets less room.
let isAtEnd = true;
const log = at("log");
log.addEventListener("scroll", () => { isAtEnd = log.scrollHeight - log.scrollTop - log.clientHeight < 60; });
const follow = () => { if (isAtEnd) log.scrollTop = log.scrollHeight; };
new ResizeObserver(follow).observe(log);

function show(item) {
  const view = new ItemView(item), parent = state.views.find(other => other.item.kind === "tool" && other.item.id === item.parent);
  (parent?.children ?? log).append(view.node);
  state.views.push(view);
  at("empty").hidden = true;
  isAtEnd ||= item.kind === "prompt";
  follow();
  return view;
}

// Draws a changed item in the next frame, at most once.
function redraw(view) {
  if (view.isScheduled) return;
  view.isScheduled = true;
  requestAnimationFrame(() => {
    view.isScheduled = false;
    view.update();
    follow();
  });
}

function remove(isGone) {
  state.views = state.views.filter(view => {
    if (isGone(view.item)) view.node.remove();
    return !isGone(view.item);
  });
}

function clear() {
  remove(() => true);
  for (const form of state.asks.values()) form.remove();
  state.asks.clear();
  mark();
  at("empty").hidden = false;
}

const dropDrafts = parent => remove(item => item.isDraft && (parent === undefined || item.parent === parent));
const call = id => state.views.findLast(view => view.item.kind === "tool" && view.item.id === id);

function busy(isBusy, outcome) {
  document.body.dataset.state = isBusy ? "running" : outcome ?? "idle";
}

function meter() {
  const percent = state.window ? Math.min(100, Math.round(100 * state.tokens / state.window)) : 0;
  at("meter").hidden = !state.cost && !state.tokens;
  at("cost").textContent = `$${state.cost.toFixed(state.cost < 1 ? 4 : 2)}`;
  at("context").hidden = !state.tokens;
  at("context-bar").hidden = !state.window;
  at("context-bar").value = percent;
  const tokens = state.tokens > 999 ? `${(state.tokens / 1000).toFixed(1)}k` : state.tokens;
  at("context-text").textContent = state.window ? `${tokens} tokens, ${percent}%` : `${tokens} tokens`;
}

function model(name, mode) {
  if (name) at("model").textContent = name;
  if (mode && [...at("mode").options].some(option => option.value === mode)) at("mode").value = mode;
}

// The plan is not part of the question: it is in the tool call, or in the file that the model wrote.
function planOf(question) {
  const isPlan = view => view.item.name === "Write" && /[/\\]plans[/\\][^/\\]+\.md$/.test(view.item.input?.file_path ?? "");
  return question.input?.plan ?? call(question.tool_use_id)?.item.input?.plan ?? state.views.findLast(isPlan)?.item.input.content ?? "";
}

function ask(question) {
  if (state.asks.has(question.id)) return;
  const form = askForm(question, planOf(question), (id, answer) => command({ command: "answer", id, answer }));
  state.asks.set(question.id, form);
  at("asks").append(form);
  mark(question.tool_use_id);
}

const isAsked = use => [...state.asks.values()].some(form => form.dataset.use === use);

function answered(raw) {
  const form = state.asks.get(raw.id);
  form?.remove();
  state.asks.delete(raw.id);
  mark(form?.dataset.use);
}

// Marks the tool call that waits for an answer, here and in the title of the window.
function mark(use) {
  const view = call(use);
  if (view) { view.item.isAsked = isAsked(use); redraw(view); }
  document.title = state.asks.size ? "(?) Agent" : "Agent";
}

// The complete texts follow the partial messages, so nothing is lost.
function dropped(count) {
  remove(item => item.isDropped);
  const text = `${count} partial messages were left out, because they came faster than they could be stored. The complete texts follow.`;
  if (count) show({ kind: "notice", text, isDropped: true });
}

function problem(text) {
  if (state.views.at(-1)?.item.text !== text) show({ kind: "notice", text, isError: true });
}

// ---- Events ----

const block = (content, parent, id) => ({
  text: () => ({ kind: "text", text: content.text ?? "", parent, id }),
  thinking: () => ({ kind: "thinking", text: content.thinking ?? "", parent, id }),
  tool_use: () => ({ kind: "tool", id: content.id, name: content.name, input: content.input, text: "", parent }),
  server_tool_use: () => ({ kind: "tool", id: content.id, name: content.name, input: content.input, text: "", parent }),
})[content.type]?.();

function answer(raw) {
  const parent = raw.parent_tool_use_id ?? null, usage = raw.message.usage ?? {};
  const tokens = (usage.input_tokens ?? 0) + (usage.cache_read_input_tokens ?? 0) + (usage.cache_creation_input_tokens ?? 0);
  if (!parent && tokens) state.tokens = tokens + (usage.output_tokens ?? 0);
  if (raw.supersedes) remove(item => item.kind !== "tool" && raw.supersedes.includes(item.id));
  for (const content of raw.message.content) {
    const item = block(content, parent, raw.uuid);
    if (item?.kind === "tool") item.isAsked = isAsked(item.id);
    // Complete blocks arrive in the order of their drafts. The draft becomes the complete item.
    const draft = state.views.find(view => view.item.isDraft && view.item.parent === parent);
    if (draft && item?.kind === draft.item.kind) {
      draft.item = item;
      redraw(draft);
    } else {
      if (draft) remove(other => other === draft.item);
      if (item) show(item);
    }
  }
  meter();
}

function draft(raw) {
  const { event } = raw, parent = raw.parent_tool_use_id ?? null;
  if (["message_start", "message_stop", "error"].includes(event.type)) dropDrafts(parent);
  if (event.type === "content_block_start") {
    const item = block(event.content_block, parent, "") ?? { kind: "text", text: "", parent };
    if (item.kind === "tool") item.input = "";
    show({ ...item, isDraft: true });
  }
  if (event.type === "content_block_delta") {
    const view = state.views.findLast(view => view.item.isDraft && view.item.parent === parent);
    if (!view) return;
    const { text, thinking, partial_json } = event.delta;
    if (view.item.kind === "tool") view.item.input += partial_json ?? "";
    else view.item.text += text ?? thinking ?? "";
    redraw(view);
  }
}

function results(raw) {
  if (!Array.isArray(raw.message?.content)) return;
  for (const part of raw.message.content) {
    const view = part.type === "tool_result" && call(part.tool_use_id);
    if (!view) continue;
    const texts = Array.isArray(part.content) ? part.content.map(block => block.text ?? "[content that is not text]") : [part.content];
    Object.assign(view.item, { text: texts.join("\n"), isDone: true, isError: Boolean(part.is_error) });
    redraw(view);
  }
}

function result(raw) {
  dropDrafts();
  state.cost = raw.total_cost_usd ?? state.cost;
  const windows = Object.values(raw.modelUsage ?? {}).map(usage => usage.contextWindow ?? 0);
  state.window = Math.max(0, ...windows) || state.window;
  for (const denial of raw.permission_denials ?? []) {
    const view = call(denial.tool_use_id);
    if (view) { view.item.isDenied = true; redraw(view); }
  }
  meter();
}

function snapshot(raw) {
  clear();
  setFolder(raw.cwd);
  if (raw.dropped) show({ kind: "notice", text: `${raw.dropped} earlier items are not shown.` });
  for (const item of raw.items) show({ ...item, parent: item.parent ?? null });
  dropped(raw.dropped_partials);
  raw.asks.forEach(ask);
  [state.cost, state.tokens, state.window] = [raw.cost_usd, raw.context_tokens, raw.context_window];
  model(raw.model, raw.mode);
  busy(raw.is_busy);
  meter();
  if (raw.is_ended) ended();
}

const handlers = {
  "chat.snapshot": snapshot,
  "chat.prompt": raw => {
    if (!state.views.some(view => view.item.kind === "prompt" && view.item.id === raw.id)) show({ kind: "prompt", id: raw.id, text: raw.text });
    busy(true);
  },
  "chat.ask": ask,
  "chat.answered": answered,
  "chat.dropped": raw => dropped(raw.partials),
  "chat.mode": raw => model(null, raw.mode),
  "chat.end": ended,
  "claude.system.init": raw => { setFolder(raw.cwd); model(raw.model, raw.permissionMode); busy(true); },
  "claude.system.compact_boundary": () => show({ kind: "notice", text: "The conversation was compacted." }),
  "claude.system": raw => {
    if (raw.permissionMode) model(null, raw.permissionMode);
    if (raw.subtype === "local_command_output") show({ kind: "notice", text: raw.content ?? "" });
  },
  "claude.assistant": answer,
  "claude.user": results,
  "claude.error": raw => problem(raw.error),
  "claude.turn_end": raw => {
    dropDrafts();
    if (raw.error_msg) problem(raw.error_msg);
    busy(false, raw.result);
    listSessions();
  },
};

function receive({ event, data }) {
  if (event.startsWith("claude.stream_event.")) draft(data.raw);
  else if (event.startsWith("claude.result.")) result(data.raw);
  else handlers[event]?.(data.raw);
}

// ---- The connection ----

function status(text) { at("connection").textContent = text; }

function ended() {
  state.source?.close();
  busy(false, "ended");
  status("This chat has ended.");
}

// Shows a chat.
function open(chat) {
  Object.assign(state, { chat, delay: 500 });
  location.hash = chat;
  empty();
  connect();
  listSessions();
}

function empty() {
  clear();
  Object.assign(state, { cost: 0, tokens: 0, window: 0 });
  meter();
  busy(false);
  at("model").textContent = "";
  setFolder("");
}

const events = () => `${AGENT}/chats/${state.chat}/events`;

// When the connection is lost, the browser connects again by itself and continues after the last event that it has seen.
// After an answer that is not a stream of events it gives up. Then another source starts from the beginning.
function connect() {
  state.source?.close();
  const source = state.source = new EventSource(events());
  let isFirst = true;
  source.onopen = () => {
    state.delay = 500;
    status("");
    if (isFirst) empty();
    isFirst = false;
  };
  source.onmessage = message => receive(JSON.parse(message.data));
  source.onerror = () => {
    if (source !== state.source) return;
    status("Connecting again…");
    if (source.readyState === EventSource.CLOSED) connectAgain(source);
  };
}

async function connectAgain(source) {
  state.delay = Math.min(2 * state.delay, 30_000);
  await new Promise(done => setTimeout(done, state.delay));
  // The browser does not say why it has given up.
  const stop = new AbortController();
  const response = await fetch(events(), { signal: stop.signal }).catch(() => null);
  const reason = [400, 401, 403].includes(response?.status) ? await problemOf(response).catch(String) : null;
  stop.abort();
  if (source !== state.source) return;
  if (response?.status === 204) ended();
  else if (reason !== null) status(reason);
  else connect();
}

async function problemOf(response) {
  const text = await response.text();
  return text.startsWith("{") ? JSON.parse(text).error : text;
}

async function command(body) {
  // The id of a prompt makes sending it again safe, so a lost connection is no reason to give up.
  for (let attempt = 0; ; attempt++) {
    try {
      const response = await fetch(`${AGENT}/chats/${state.chat}/commands`, {
        method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body),
      });
      if (response.ok) return status("");
      throw new Refused(await problemOf(response));
    } catch (error) {
      if (error instanceof Refused || attempt === 4) { status(error.message); throw error; }
      status("Connecting again…");
      await new Promise(done => setTimeout(done, 500 * 2 ** attempt));
    }
  }
}

class Refused extends Error {}

// ---- Earlier sessions ----

async function listSessions() {
  const response = await fetch(`${AGENT}/sessions`).catch(() => null);
  if (!response) return;
  if (!response.ok) return;
  const { sessions } = await response.json();
  at("sessions").replaceChildren(...sessions.map(session => {
    const when = element("small", new Date(session.modified).toLocaleString([], { dateStyle: "medium", timeStyle: "short" }));
    const node = element("button", element("span", session.title || "Untitled"), when);
    node.type = "button";
    if (session.id === state.chat) node.setAttribute("aria-current", "true");
    node.addEventListener("click", () => { drawer(false); if (session.id !== state.chat) open(session.id); });
    return element("li", node);
  }));
}

function drawer(isOpen) {
  document.body.classList.toggle("drawer-open", isOpen);
  at("menu").setAttribute("aria-expanded", String(isOpen));
}

// ---- What the user does ----

function grow() {
  const field = at("prompt");
  field.style.height = "auto";
  field.style.height = `${Math.min(field.scrollHeight + 2, 240)}px`;
  at("send").disabled = !field.value.trim();
}

async function submit(event) {
  event?.preventDefault();
  const field = at("prompt"), text = field.value.trim();
  if (!text) return;
  field.value = "";
  grow();
  const id = crypto.randomUUID();
  busy(true);
  await command({ command: "prompt", id, text }).catch(() => { field.value = text; grow(); busy(false, "fail"); });
}

const interrupt = () => document.body.dataset.state === "running" && command({ command: "interrupt" }).catch(() => {});

at("composer").addEventListener("submit", submit);
at("prompt").addEventListener("input", grow);
at("prompt").addEventListener("keydown", event => {
  if (event.key === "Enter" && !event.shiftKey && !event.isComposing) submit(event);
});
document.addEventListener("keydown", event => {
  if (event.key !== "Escape") return;
  if (document.body.classList.contains("drawer-open")) drawer(false);
  else interrupt();
});
at("stop").addEventListener("click", interrupt);
at("mode").addEventListener("change", () => command({ command: "mode", mode: at("mode").value }).catch(() => {}));
at("new").addEventListener("click", () => { drawer(false); open(crypto.randomUUID()); at("prompt").focus(); });
at("menu").addEventListener("click", () => drawer(!document.body.classList.contains("drawer-open")));
at("shade").addEventListener("click", () => drawer(false));

const wanted = () => /^#([0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.exec(location.hash)?.[1];
addEventListener("hashchange", () => { if (wanted() && wanted() !== state.chat) open(wanted()); });
grow();
open(wanted() ?? crypto.randomUUID());
