// JSON: exact numbers, and boxes with colours.

import { h, LONGEST, textBox } from "./dom.js";

/** Returns a value as indented JSON. */
export const json = value => JSON.stringify(value, null, 2) ?? "";

/** Parses JSON. Whole numbers that JavaScript would round are kept as they are written, if the browser can do that. */
export function parse(text) {
  const keep = (_, value, context) => Number.isInteger(value) && !Number.isSafeInteger(value) && /^-?[0-9]+$/.test(context?.source ?? "")
    ? JSON.rawJSON?.(context.source) ?? value : value;
  return JSON.parse(text, keep);
}

const TOKENS = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false|null)\b|-?[0-9][0-9.eE+-]*/g;

/** Returns a value as indented JSON in a box, with colours. */
export function jsonBox(value, className = "") {
  const text = json(value);
  if (text.length > LONGEST / 4) return textBox(text, className);
  const parts = [];
  let end = 0;
  for (const found of text.matchAll(TOKENS)) {
    const [token, string, colon] = found;
    const look = colon ? "key" : string ? "string" : "number";
    parts.push(text.slice(end, found.index), h("span", { class: look }, string ?? token), colon ?? "");
    end = found.index + token.length;
  }
  return h("pre", { class: className }, parts, text.slice(end));
}
