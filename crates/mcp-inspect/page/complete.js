// Inputs whose values the server completes.

import { h } from "./dom.js";
import { request } from "./api.js";

let ids = 0;

/** Returns a labelled input for an argument. `target` is `{prompt}` or `{template}`; `known` returns the other values. */
export function completedInput({ name, about, required }, target, known, completes) {
  const id = `argument-${ids += 1}`;
  const values = h("datalist", { id: `${id}-values` });
  const input = h("input", { id, list: completes ? values.id : null, autocomplete: "off" });
  let waiting = null, number = 0;
  const ask = async () => {
    const mine = number += 1;
    const others = known().filter(([other, value]) => other !== name && value);
    try {
      const found = await request("complete", { ...target, argument: name, begun: input.value, known: others });
      if (mine !== number) return;
      values.replaceChildren(...found.values.slice(0, 100).map(value => h("option", { value })));
    } catch {
      // The journal has the error. Without completion the user types the value.
      values.replaceChildren();
    }
  };
  if (completes) {
    input.addEventListener("focus", ask);
    input.addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(ask, 150); });
  }
  const element = h("div", { class: "field", "data-name": name },
    h("label", { for: id }, name, required && h("span", { class: "must", title: "required" }, "*")),
    about && h("div", { class: "about" }, about), input, values);
  return { element, name, required, read: () => input.value, input };
}
