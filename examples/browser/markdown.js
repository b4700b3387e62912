// Renders Markdown as DOM nodes. Text of the model never becomes HTML: there is no innerHTML here.

const INLINE = [
  // [pattern, element]. The first pattern that matches at the earliest place wins.
  [/(`+)([\s\S]*?[^`])\1(?!`)/, match => element("code", match[2].trim())],
  [/!?\[([^\]\n]*)\]\(\s*<?([^\s)>]*)>?(?:\s+"[^"]*")?\s*\)/, match => link(match[2], match[1] || match[2])],
  [/\*\*(?=\S)([\s\S]*?\S)\*\*/, match => element("strong", ...inline(match[1]))],
  [/__(?=\S)([\s\S]*?\S)__(?!\w)/, match => element("strong", ...inline(match[1]))],
  [/~~(?=\S)([\s\S]*?\S)~~/, match => element("del", ...inline(match[1]))],
  [/\*(?=[^\s*])([\s\S]*?[^\s*])\*(?!\*)/, match => element("em", ...inline(match[1]))],
  [/(?<!\w)_(?=[^\s_])([\s\S]*?[^\s_])_(?!\w)/, match => element("em", ...inline(match[1]))],
  [/https?:\/\/[^\s<>"'`]*[^\s<>"'`.,;:!?)\]}]/, match => link(match[0], match[0])],
  [/\\([\\`*_{}[\]()#+\-.!~|>])/, match => match[1]],
];

export function element(name, ...children) {
  const node = document.createElement(name);
  node.append(...children);
  return node;
}

// Only these schemes become links. Anything else, such as `javascript:`, stays text.
function link(address, text) {
  let url;
  try { url = new URL(address); } catch { return `${text} (${address})`; }
  if (!["http:", "https:", "mailto:"].includes(url.protocol)) return `${text} (${address})`;
  const node = element("a", text);
  node.href = url.href;
  node.target = "_blank";
  node.rel = "noopener noreferrer";
  // The reader sees where a link leads.
  node.title = url.href;
  return node;
}

function inline(text) {
  const nodes = [];
  while (text) {
    let first = null;
    for (const [pattern, make] of INLINE) {
      const match = pattern.exec(text);
      if (match && (!first || match.index < first.match.index)) first = { match, make };
    }
    if (!first) break;
    const { match, make } = first;
    nodes.push(text.slice(0, match.index), make(match));
    text = text.slice(match.index + match[0].length);
  }
  nodes.push(text);
  return nodes.filter(node => node !== "");
}

// Text with line breaks: two spaces at the end of a line, or a backslash.
function paragraph(lines) {
  return element("p", ...inline(lines.join("\n").trim()));
}

const FENCE = /^\s{0,3}(```+|~~~+)\s*([^\s`]*)[^`]*$/;
const HEADING = /^\s{0,3}(#{1,6})\s+(.*?)\s*#*\s*$/;
const RULE = /^\s{0,3}([-*_])(\s*\1){2,}\s*$/;
const QUOTE = /^\s{0,3}>\s?(.*)$/;
const BULLET = /^(\s*)([-*+]|\d{1,9}[.)])\s+(.*)$/;
const DIVIDER = /^\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$/;

const cells = line => line.trim().replace(/^\||\|$/g, "").split(/(?<!\\)\|/).map(cell => cell.trim());

function table(lines, start) {
  const head = element("tr", ...cells(lines[start]).map(cell => element("th", ...inline(cell))));
  const body = element("tbody");
  let at = start + 2;
  for (; at < lines.length && lines[at].includes("|"); at++)
    body.append(element("tr", ...cells(lines[at]).map(cell => element("td", ...inline(cell)))));
  const box = element("div", element("table", element("thead", head), body));
  box.className = "table";
  return [box, at];
}

function fence(lines, start) {
  const [, mark, language] = FENCE.exec(lines[start]);
  let at = start + 1;
  while (at < lines.length && !lines[at].trim().startsWith(mark)) at++;
  return [code(lines.slice(start + 1, at).join("\n"), language), at + 1];
}

// A block of code with a button that copies it.
export function code(text, language = "") {
  const copy = element("button", "Copy");
  copy.type = "button";
  copy.className = "copy";
  copy.addEventListener("click", async () => {
    await navigator.clipboard.writeText(text);
    copy.textContent = "Copied";
    setTimeout(() => { copy.textContent = "Copy"; }, 1500);
  });
  const box = element("div", element("pre", element("code", text)), copy);
  box.className = "code";
  box.dataset.language = language;
  return box;
}

function list(lines, start) {
  const [, indent, mark] = BULLET.exec(lines[start]);
  const isOrdered = /\d/.test(mark);
  const node = document.createElement(isOrdered ? "ol" : "ul");
  if (isOrdered) node.start = parseInt(mark, 10);
  let at = start;
  while (at < lines.length) {
    const bullet = BULLET.exec(lines[at]);
    if (!bullet || bullet[1].length > indent.length + 1 || /\d/.test(bullet[2]) !== isOrdered) break;
    if (bullet[1].length < indent.length) break;
    // The lines of an item are indented further, or continue its text.
    const width = bullet[0].length - bullet[3].length, item = [bullet[3]];
    for (at++; at < lines.length; at++) {
      const isBlank = !lines[at].trim(), depth = lines[at].search(/\S/);
      if (isBlank && (at + 1 >= lines.length || lines[at + 1].search(/\S/) < Math.min(width, indent.length + 2))) break;
      if (!isBlank && depth <= indent.length + 1 && (BULLET.test(lines[at]) || depth < indent.length)) break;
      if (!isBlank && depth <= indent.length && (HEADING.test(lines[at]) || FENCE.test(lines[at]))) break;
      item.push(lines[at].slice(Math.min(width, Math.max(depth, 0))));
    }
    node.append(listItem(item));
    while (at < lines.length && !lines[at].trim() && at + 1 < lines.length && BULLET.test(lines[at + 1])) at++;
  }
  return [node, at];
}

function listItem(lines) {
  const task = /^\[([ xX])\]\s+/.exec(lines[0]);
  if (task) lines[0] = lines[0].slice(task[0].length);
  const blocks = [...render(lines.join("\n")).childNodes];
  // One paragraph is shown without the margins of a paragraph.
  const first = blocks[0]?.nodeName === "P" ? [...blocks.shift().childNodes] : [];
  const node = element("li", ...first, ...blocks);
  if (task) {
    node.prepend(task[1] === " " ? "☐ " : "☑ ");
    node.className = "task";
  }
  return node;
}

// Returns a fragment with the blocks of a text. An incomplete text is rendered as far as it goes.
export function render(text) {
  const lines = text.split("\n"), out = document.createDocumentFragment();
  let open = [];
  const close = () => {
    if (open.length) out.append(paragraph(open));
    open = [];
  };
  for (let at = 0; at < lines.length;) {
    const line = lines[at], heading = HEADING.exec(line);
    let block = null;
    if (FENCE.test(line)) block = fence(lines, at);
    else if (heading) block = [element(`h${Math.min(heading[1].length + 2, 6)}`, ...inline(heading[2])), at + 1];
    else if (RULE.test(line)) block = [document.createElement("hr"), at + 1];
    else if (QUOTE.test(line)) {
      let end = at;
      while (end < lines.length && QUOTE.test(lines[end])) end++;
      const quoted = lines.slice(at, end).map(line => QUOTE.exec(line)[1]).join("\n");
      block = [element("blockquote", render(quoted)), end];
    } else if (BULLET.test(line) && (!open.length || /^\s*[-*+]/.test(line))) block = list(lines, at);
    else if (line.includes("|") && DIVIDER.test(lines[at + 1] ?? "") && lines[at + 1].includes("-")) block = table(lines, at);
    if (block) {
      close();
      out.append(block[0]);
      at = block[1];
      continue;
    }
    if (line.trim()) open.push(line); else close();
    at++;
  }
  close();
  return out;
}
