// The items of a chat as DOM nodes: prompts, texts, thinking, tool calls, notices.

import { code, element, render } from "./markdown.js";

// How many lines of a change are shown in the log. A question shows all of them.
const MAX_LINES = 400;

// Characters that have no width, or change the order in which others are shown: a command must look as it is.
const HIDDEN = /[\u{ad}\u{61c}\u{180e}\u{200b}-\u{200f}\u{2028}-\u{202e}\u{2060}-\u{206f}\u{feff}\u{e0000}-\u{e007f}]/gu;
const CONTROL = /[\u{0}-\u{8}\u{b}-\u{1f}\u{7f}-\u{9f}]/gu;
const codeOf = char => `<U+${char.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}>`;
export const visible = text => String(text).replace(HIDDEN, codeOf).replace(CONTROL, codeOf);

export function box(kind, ...children) {
  const node = element("div", ...children);
  node.className = kind;
  return node;
}

const short = (text, length = 120) => visible(text.length > length ? `${text.slice(0, length)}…` : text);

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
  return visible(tool ? `${tool} (${server})` : name);
}

// The difference of two texts, line by line, as [mark, line].
function diff(before, after) {
  // A new file has no lines before. The line break at its end is not shown as an empty line.
  const a = before ? before.split("\n") : [], b = (before ? after : after.replace(/\n$/, "")).split("\n");
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

function diffBox(before, after, limit) {
  const lines = diff(before, after), kinds = { "+": "added", "-": "removed", " ": "same" };
  const rows = lines.slice(0, limit).map(([mark, line]) => {
    const row = element("span", `${mark} ${visible(line)}\n`);
    row.className = kinds[mark];
    return row;
  });
  if (lines.length > limit) rows.push(`[${lines.length - limit} more lines]`);
  const node = element("pre", ...rows);
  node.className = "diff";
  return node;
}

// The fields of an input that are not shown in another way. A switch that is off is the default of all tools.
function others(input, ...shown) {
  const rest = Object.entries(input).filter(([key, value]) => !shown.includes(key) && value !== null && value !== false);
  return rest.map(([key, value]) => {
    const node = element("p", element("code", visible(key)), ` ${visible(typeof value === "string" ? value : JSON.stringify(value))}`);
    node.className = "field";
    return node;
  });
}

// The arguments of a tool call: a command, a change of a file, or JSON. `limit` is how many lines of a change are shown.
export function inputBox(name, input, limit = MAX_LINES) {
  if (typeof input === "string") return code(visible(input));
  const { file_path: path, command, old_string: before, new_string: after, content, edits, plan, todos: list } = input ?? {};
  const isText = (...values) => values.every(value => typeof value === "string");
  const file = isText(path) ? element("p", element("code", visible(relative(path)))) : "";
  if (name === "Bash" && isText(command)) return box("", code(visible(command), "sh"), ...others(input, "command"));
  if (name === "Edit" && isText(path, before, after))
    return box("change", file, diffBox(before, after, limit), ...others(input, "file_path", "old_string", "new_string"));
  if (name === "MultiEdit" && isText(path) && Array.isArray(edits) && edits.every(edit => isText(edit?.old_string, edit?.new_string))) {
    const parts = edits.flatMap(edit => [diffBox(edit.old_string, edit.new_string, limit), ...others(edit, "old_string", "new_string")]);
    return box("change", file, ...parts, ...others(input, "file_path", "edits"));
  }
  if (name === "Write" && isText(path, content))
    return box("change", file, diffBox("", content, limit), ...others(input, "file_path", "content"));
  if (name === "ExitPlanMode" && isText(plan)) return box("text", render(plan));
  if (name === "TodoWrite" && Array.isArray(list)) return todos(list);
  return code(visible(JSON.stringify(input ?? {}, null, 2)), "json");
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
