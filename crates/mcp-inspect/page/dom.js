// Elements of the page. Text always becomes a text node, so text of the server is never parsed as HTML.

/** Creates an element. Attributes that begin with `on` are event listeners; `null` and `false` are left out. */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== null && value !== undefined && value !== false) element.setAttribute(name, String(value));
  }
  element.append(...children.flat(Infinity).filter(child => child !== null && child !== undefined && child !== false));
  return element;
}

export const byId = id => document.getElementById(id);

/** The length of the text that a box shows. */
export const LONGEST = 100_000;

/** Returns text in a box. Long text is cut, with a button that shows the rest. */
export function textBox(text, className = "") {
  text = String(text);
  const pre = h("pre", { class: className }, text.slice(0, LONGEST));
  if (text.length <= LONGEST) return pre;
  const note = `${(text.length - LONGEST).toLocaleString()} more characters. `;
  const more = h("button", { type: "button", class: "small", onclick: () => save(text, "text.txt", "text/plain") }, "Save all");
  return h("div", {}, pre, h("p", { class: "muted" }, note, more));
}

/** Shows a message for some seconds. */
export function notify(text, fine = false) {
  const notice = byId("notice");
  notice.textContent = text.slice(0, 2000);
  notice.classList.toggle("fine", fine);
  notice.hidden = false;
  clearTimeout(notify.timer);
  notify.timer = setTimeout(() => { notice.hidden = true; }, fine ? 2500 : 12000);
}

/** Lets the user save data as a file. */
export function save(data, name, type) {
  const url = URL.createObjectURL(new Blob([data], { type }));
  h("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** A button that copies the text that `make` returns. */
export function copyButton(label, make) {
  return h("button", { type: "button", class: "small", onclick: async () => {
    const text = make();
    try {
      await navigator.clipboard.writeText(text);
      notify("Copied.", true);
    } catch {
      window.prompt("Copy this text:", text);
    }
  } }, label);
}
