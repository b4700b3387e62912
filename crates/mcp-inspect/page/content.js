// Contents of results: text, pictures, sounds, links and resources.

import { h, save, textBox } from "./dom.js";
import { jsonBox, parse } from "./json.js";

/** The types that a browser shows without running anything. SVG is not among them. */
const PICTURES = new Set(["image/png", "image/jpeg", "image/gif", "image/webp", "image/avif", "image/bmp"]);
const SOUNDS = new Set(["audio/wav", "audio/x-wav", "audio/mpeg", "audio/mp3", "audio/ogg", "audio/webm", "audio/flac", "audio/aac", "audio/mp4"]);
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** Returns the blocks of a result. `open` reads a resource. */
export function showContent(blocks, open) {
  return (Array.isArray(blocks) ? blocks : []).map(block => h("div", { class: "block", "data-kind": kind(block) }, showBlock(block ?? {}, open)));
}

const kind = block => typeof block?.type === "string" ? block.type : "unknown";

function showBlock(block, open) {
  switch (block.type) {
    case "text": return showText(block.text ?? "");
    case "image": case "audio": return media(block.data, block.mimeType, block.type);
    case "resource_link": return link(block, open);
    case "resource": return showResource(block.resource ?? {});
    default: return [caption(`unknown content ${kind(block)}`), jsonBox(block)];
  }
}

/** Text that is JSON is indented. */
function showText(text) {
  text = String(text);
  if (text.length < 100_000 && /^\s*[{[]/.test(text)) {
    try { return jsonBox(parse(text), "json-text"); } catch { /* It is not JSON. */ }
  }
  return textBox(text, "plain-text");
}

/** Returns the contents of a resource. */
export function showResource(resource) {
  const about = [resource.uri, resource.mimeType].filter(Boolean).join(", ");
  if (typeof resource.text === "string") return [caption(about), showText(resource.text)];
  return [caption(about), media(resource.blob ?? "", resource.mimeType, String(resource.mimeType ?? "").split("/")[0])];
}

function media(data, type, what) {
  data = String(data ?? "");
  type = String(type ?? "unknown type").toLowerCase();
  const size = Math.floor(data.replace(/=+$/, "").length * 3 / 4);
  const about = caption(`${type}, ${size.toLocaleString()} bytes`);
  if (!BASE64.test(data)) return [about, h("p", { class: "bad" }, "The data is not base64."), textBox(data)];
  const download = h("button", { type: "button", class: "small", onclick: () => save(bytes(data), `${what}-${Date.now()}`, "application/octet-stream") }, "Save");
  if (PICTURES.has(type)) {
    const picture = h("img", { class: "picture", alt: `a picture of the server, ${type}`, src: `data:${type};base64,${data}` });
    picture.addEventListener("error", () => picture.replaceWith(h("p", { class: "bad" }, "The browser cannot show this picture.")));
    return [about, picture, download];
  }
  if (SOUNDS.has(type)) return [about, h("audio", { controls: true, src: `data:${type};base64,${data}` }), download];
  return [about, h("p", { class: "muted" }, "This type is not shown in the page."), download];
}

function bytes(base64) {
  return Uint8Array.from(atob(base64), character => character.charCodeAt(0));
}

function link(block, open) {
  const uri = String(block.uri ?? "");
  return [caption("link to a resource"), h("div", { class: "row" }, h("code", { class: "address" }, uri),
    h("span", {}, String(block.title ?? block.name ?? "")),
    h("button", { type: "button", class: "small", onclick: () => open(uri) }, "Read"))];
}

function caption(text) {
  return h("div", { class: "caption" }, text);
}
