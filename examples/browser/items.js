// The items of a chat as DOM nodes: prompts, texts, thinking, tool calls, notices.

import { code, element, render } from "./markdown.js";

const MAX_LINES = 400;

export function box(kind, ...children) {
  const node = element("div", ...children);
  node.className = kind;
  return node;
}

const short = (text, length = 120) => text.length > length ? `${text.slice(0, length)}…` : text;

// The working directory of the session. Paths inside of it are shown without it.
let folder = "";
export function setFolder(path) { folder = path ? `${path.replace(/[/\\]$/, "")}/` : ""; }
const relative = path => folder && path.startsWith(folder) ? path.slice(folder.length) : path;

// What a tool call is about, in one line.
export function summaryOf(name, input) {
  if (typeof input === "string") return short(input);
  const { command, file_path, path, pattern, url, query, description, prompt, skill } = input ?? {};
  if (typeof file_path === "string") return short(relative(file_path));
  const what = command ?? pattern ?? url ?? query ?? description ?? prompt ?? skill ?? path;
  if (typeof what === "string") return short(what.replace(/\s+/g, " "));
  return short(Object.entries(input ?? {}).map(([key, value]) => `${key}: ${JSON.stringify(value)}`).join(", "));
}

// The name of a tool for people: `mcp__calc__add` is "add (calc)".
export function titleOf(name) {
  const [, server, tool] = /^mcp__(.+?)__(.+)$/.exec(name) ?? [];
  return tool ? `${tool} (${server})` : name;
}

// The difference of two texts, line by line, as [mark, line].
function diff(before, after) {
  const a = before.split("\n"), b = after.split("\n");
  let start = 0, end = 0;
  while (start < Math.min(a.length, b.length) && a[start] === b[start]) start++;
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  const left = a.slice(start, a.length - end), right = b.slice(start, b.length - end);
  const same = lines => lines.map(line => [" ", line]);
  return [...same(a.slice(0, start)), ...middle(left, right), ...same(end ? a.slice(-end) : [])];
}

function middle(a, b) {
  // The table of the longest common subsequences is too big for long texts.
  if (a.length * b.length > 250000) return [...a.map(line => ["-", line]), ...b.map(line => ["+", line])];
  const length = Array.from({ length: a.length + 1 }, () => new Uint32Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      length[i][j] = a[i] === b[j] ? length[i + 1][j + 1] + 1 : Math.max(length[i + 1][j], length[i][j + 1]);
  const out = [];
  let i = 0, j = 0;
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) { out.push([" ", a[i++]]); j++; }
    else if (j >= b.length || (i < a.length && length[i + 1][j] >= length[i][j + 1])) out.push(["-", a[i++]]);
    else out.push(["+", b[j++]]);
  }
  return out;
}

function diffBox(before, after) {
  const lines = diff(before, after), kinds = { "+": "added", "-": "removed", " ": "same" };
  const rows = lines.slice(0, MAX_LINES).map(([mark, line]) => {
    const row = element("span", `${mark} ${line}\n`);
    row.className = kinds[mark];
    return row;
  });
  if (lines.length > MAX_LINES) rows.push(`[${lines.length - MAX_LINES} more lines]`);
  const node = element("pre", ...rows);
  node.className = "diff";
  return node;
}

// The arguments of a tool call: a command, a change of a file, or JSON.
export function inputBox(name, input) {
  if (typeof input === "string") return code(input);
  const file = typeof input?.file_path === "string" && element("p", element("code", relative(input.file_path)));
  const change = (before, after) => box("change", file || "", diffBox(before ?? "", after ?? ""));
  const edits = Array.isArray(input?.edits) ? input.edits : null;
  if (name === "Bash") return code(input?.command ?? "", "sh");
  if (name === "Edit") return change(input?.old_string, input?.new_string);
  if (name === "MultiEdit" && edits)
    return box("change", file || "", ...edits.map(edit => diffBox(edit.old_string ?? "", edit.new_string ?? "")));
  if (name === "Write") return change("", input?.content);
  if (name === "ExitPlanMode" && typeof input?.plan === "string") return box("text", render(input.plan));
  if (name === "TodoWrite" && Array.isArray(input?.todos)) return todos(input.todos);
  return code(JSON.stringify(input ?? {}, null, 2), "json");
}

function todos(items) {
  const marks = { completed: "☑", in_progress: "▸", pending: "☐" };
  const lines = items.map(item => {
    const line = element("li", `${marks[item.status] ?? "☐"} ${item.content ?? ""}`);
    line.className = String(item.status ?? "").replace(/\W/g, "");
    return line;
  });
  const node = element("ul", ...lines);
  node.className = "todos";
  return node;
}

// An item of the log. `update` shows its current state.
export class ItemView {
  constructor(item) {
    this.item = item;
    this.node = item.kind === "tool" ? this.tool() : item.kind === "thinking" ? this.thinking() : box(`item ${item.kind}`);
    this.update();
  }

  tool() {
    this.head = element("span");
    this.state = element("span");
    this.state.className = "state";
    this.body = box("body");
    this.children = box("children");
    const node = element("details", element("summary", this.head, this.state), this.body, this.children);
    node.className = "item tool";
    return node;
  }

  thinking() {
    this.body = box("body");
    const node = element("details", element("summary", "Thinking"), this.body);
    node.className = "item thinking";
    return node;
  }

  update() {
    const { item, node } = this;
    node.classList.toggle("draft", Boolean(item.isDraft));
    node.classList.toggle("failed", Boolean(item.isError || item.isDenied));
    if (item.kind === "prompt" || item.kind === "notice") node.textContent = item.text;
    else if (item.kind === "thinking") {
      this.body.textContent = item.text;
      // Models may think without showing it.
      node.hidden = !item.text;
    } else if (item.kind === "text") {
      node.replaceChildren(render(item.text));
      node.hidden = !item.text;
    } else this.updateTool();
  }

  updateTool() {
    const { item } = this, name = element("b", titleOf(item.name)), what = summaryOf(item.name, item.input);
    this.head.replaceChildren(name, " ", element("code", what));
    const running = item.isAsked ? "waits for you" : "…";
    this.state.textContent = item.isDenied ? "denied" : item.isError ? "failed" : item.isDone ? "done" : running;
    this.state.title = item.isDone || item.isAsked ? "" : "running";
    this.state.classList.toggle("waiting", Boolean(item.isAsked && !item.isDone));
    const parts = [inputBox(item.name, item.input)], isChange = ["Edit", "MultiEdit", "Write"].includes(item.name);
    // The result of a change says no more than the change.
    if (item.isDone && (item.isError || !isChange)) {
      const result = code(item.text || "(no output)");
      result.classList.add("result");
      parts.push(result);
    }
    this.body.replaceChildren(...parts);
    // A change of a file is shown at once.
    if (isChange && !item.isDraft && !this.wasShown) this.node.open = this.wasShown = true;
  }
}
