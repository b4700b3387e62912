// Forms made from JSON Schemas. A schema that has no form is edited as JSON.

import { h } from "./dom.js";
import { json, parse } from "./json.js";

/** How deep references and unions are followed. */
const DEEPEST = 16;

/** How many fields are created, and how many references are followed, for one action of the user. A server can ask for any number. */
const MOST_FIELDS = 1000, MOST_STEPS = 50_000;

let ids = 0, fieldsLeft = 0, stepsLeft = 0;

/** Allows new fields, because the user has done something. */
function refill() {
  fieldsLeft = MOST_FIELDS;
  stepsLeft = MOST_STEPS;
}

/** A value that is not valid, with its place in the form. */
class Invalid extends Error {}

/** Creates a form for an object schema, which can also be edited as JSON. `read()` returns the value or throws. */
export function createForm(schema, initial, title = "Arguments") {
  const root = schema ?? {};
  let editor, isJson = false;
  const body = h("div");
  const toggle = h("button", { type: "button", class: "small", onclick: () => swap() }, "Edit as JSON");
  const show = (asJson, value) => {
    isJson = asJson;
    refill();
    editor = asJson ? jsonField(value ?? {}, 8) : field(root, root, { required: true, depth: 0, initial: value, top: true });
    body.replaceChildren(editor.element);
    toggle.textContent = asJson ? "Edit as form" : "Edit as JSON";
  };
  const swap = () => {
    let value;
    try { value = editor.read(); } catch (error) { if (isJson) return; }
    show(!isJson, value);
  };
  show(false, initial);
  return {
    element: h("div", { class: "form" }, h("div", { class: "row" }, h("h3", { class: "grow" }, title), toggle), body),
    read: () => editor.read() ?? {},
    fill: value => show(isJson, value),
  };
}

/** Follows `$ref` inside the document, and merges `allOf`. */
function resolve(schema, root, depth = 0) {
  if (schema === null || typeof schema !== "object" || depth > DEEPEST || (stepsLeft -= 1) < 0) return {};
  if (typeof schema.$ref === "string") {
    const { $ref, ...rest } = schema;
    const target = $ref.startsWith("#") && $ref.slice(1).split("/").slice(1).reduce(
      (at, key) => at?.[decodeURIComponent(key).replaceAll("~1", "/").replaceAll("~0", "~")], root);
    return { ...resolve(target || {}, root, depth + 1), ...rest };
  }
  if (Array.isArray(schema.allOf)) {
    const { allOf, ...rest } = schema;
    return [...allOf, rest].reduce((all, part) => {
      const one = resolve(part, root, depth + 1);
      return { ...all, ...one, properties: all.properties || one.properties ? { ...all.properties, ...one.properties } : undefined,
        required: [...(all.required ?? []), ...(one.required ?? [])] };
    }, {});
  }
  return schema;
}

const types = schema => [schema.type ?? (schema.properties ? "object" : schema.items ? "array" : [])].flat();
const isNull = schema => types(schema).join() === "null" || schema.const === null;

/** Returns the schema without `null`, and whether `null` was allowed. */
function withoutNull(schema, root) {
  const variants = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(variants)) {
    const kept = variants.map(one => resolve(one, root)).filter(one => !isNull(one));
    if (kept.length < variants.length) {
      const { anyOf, oneOf, ...rest } = schema;
      return [kept.length === 1 ? { ...kept[0], ...rest } : { ...rest, anyOf: kept }, true];
    }
  }
  const kept = types(schema).filter(type => type !== "null");
  return kept.length < types(schema).length && kept.length ? [{ ...schema, type: kept }, true] : [schema, false];
}

/** Returns the values that a schema lists, with their labels, or `null`. */
function choices(schema) {
  if (Array.isArray(schema.enum)) {
    return schema.enum.filter(value => value !== null).map((value, at) => [value, schema.enumNames?.[at] ?? label(value)]);
  }
  const variants = schema.oneOf ?? schema.anyOf;
  if (!Array.isArray(variants) || !variants.length) return null;
  const all = variants.map(one => "const" in Object(one) ? [[one.const, one.title ?? label(one.const)]]
    : Array.isArray(one?.enum) && !one.properties ? one.enum.map(value => [value, label(value)]) : null);
  return all.includes(null) ? null : all.flat();
}

const label = value => typeof value === "string" ? value : JSON.stringify(value);

/** Creates the editor of a value: `{element, read, control}`. `read` returns `undefined` if the value is left out. */
function field(schema, root, { required, depth, initial, top = false }) {
  const [resolved, nullable] = withoutNull(resolve(schema, root), root);
  const start = initial !== undefined ? initial : resolved.default;
  const optional = !required || nullable;
  const context = { root, depth: depth + 1, required: !optional, initial: start };
  if ((fieldsLeft -= 1) < 0) return jsonField(start, 2, !optional);
  if ("const" in resolved) return fixed(resolved.const);
  const listed = choices(resolved);
  if (listed) return listed.length > MOST_FIELDS ? jsonField(start, 1, !optional) : choice(listed, context);
  const variants = resolved.anyOf ?? resolved.oneOf;
  if (Array.isArray(variants) && depth < DEEPEST) return union(resolved, variants, context);
  const [type, ...others] = types(resolved);
  if (others.length || depth >= DEEPEST) return jsonField(start, 2, !optional);
  switch (type) {
    case "string": return text(resolved, context);
    case "integer": case "number": return number(resolved, type, context);
    case "boolean": return bool(context);
    case "array": return resolved.items && !Array.isArray(resolved.items) ? list(resolved, context) : jsonField(start, 2, !optional);
    case "object":
      if (!resolved.properties || !Object.keys(resolved.properties).length) {
        return top ? nothing(resolved, start) : jsonField(start, 2, !optional);
      }
      if (Object.keys(resolved.properties).length > MOST_FIELDS) return jsonField(start, 4, !optional);
      return optional && !top ? absent(() => object(resolved, context), start) : object(resolved, context);
    default: return top ? nothing(resolved, start) : jsonField(start, 2, !optional);
  }
}

function fixed(value) {
  return { element: h("code", {}, label(value)), read: () => value };
}

/** A tool without arguments. */
function nothing(schema, initial) {
  if (schema.additionalProperties) return jsonField(initial ?? {}, 4);
  return { element: h("p", { class: "muted" }, "No arguments."), read: () => ({}) };
}

function choice(listed, { required, initial }) {
  const select = h("select", {}, h("option", { value: "" }, required ? "(choose)" : "(not set)"),
    listed.map(([value, name], at) => h("option", { value: at, selected: JSON.stringify(value) === JSON.stringify(initial) }, name)));
  const read = () => {
    if (select.value === "") return required ? invalid(select, "choose a value") : undefined;
    valid(select);
    return listed[select.value][0];
  };
  return { element: select, control: select, read };
}

function bool({ required, initial }) {
  if (!required && initial === undefined) return choice([[true, "true"], [false, "false"]], { required, initial });
  const box = h("input", { type: "checkbox", checked: initial === true });
  return { element: box, control: box, read: () => box.checked };
}

const EXAMPLES = { duration: "PT1H30M", uuid: "123e4567-e89b-12d3-a456-426614174000", email: "ada@example.com", uri: "https://example.com" };
const INPUTS = { date: "date", "date-time": "datetime-local", time: "time", email: "email", uri: "url", password: "password" };

function text(schema, { required, initial }) {
  const kind = INPUTS[schema.format];
  const shown = kind === "datetime-local" && initial ? localTime(initial) : initial ?? "";
  const bounds = { minlength: schema.minLength, maxlength: schema.maxLength };
  const placeholder = schema.examples?.[0] ?? EXAMPLES[schema.format];
  const control = kind ? h("input", { type: kind, value: shown, placeholder, step: kind === "datetime-local" || kind === "time" ? 1 : null })
    : h("textarea", { rows: 1, placeholder, ...bounds }, shown);
  const read = () => {
    if (control.value === "") return required && !kind ? "" : required ? invalid(control, "a value is required") : undefined;
    if (!control.validity.valid) invalid(control, control.validationMessage);
    valid(control);
    if (kind === "datetime-local") return new Date(control.value).toISOString();
    return kind === "time" && control.value.length === 5 ? `${control.value}:00` : control.value;
  };
  return { element: control, control, read };
}

function localTime(iso) {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return "";
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}

function number(schema, type, { required, initial }) {
  const control = h("input", { type: "number", value: initial ?? "", min: schema.minimum, max: schema.maximum,
    step: schema.multipleOf ?? (type === "integer" ? 1 : "any") });
  const read = () => {
    if (control.validity.badInput) invalid(control, "this is not a number");
    if (control.value === "") return required ? invalid(control, "a number is required") : undefined;
    if (type === "integer" && !/^-?[0-9]+$/.test(control.value)) invalid(control, "this is not a whole number");
    valid(control);
    if (type === "integer" && !Number.isSafeInteger(Number(control.value)) && JSON.rawJSON) return JSON.rawJSON(String(BigInt(control.value)));
    // Bounds are checked by the server, so that its messages can be tried.
    return Number(control.value);
  };
  return { element: control, control, read };
}

function object(schema, { root, depth, initial }) {
  const required = new Set(schema.required ?? []);
  const fields = Object.entries(schema.properties).map(([name, property]) => {
    const inner = field(property, root, { required: required.has(name), depth, initial: initial?.[name] });
    return [name, inner, labelled(name, resolve(property, root), required.has(name), inner, root)];
  });
  const element = h("div", { class: depth > 1 ? "group" : "" }, fields.map(([, , row]) => row));
  return { element, read: () => Object.fromEntries(fields.map(([name, inner]) => [name, inner.read()]).filter(([, value]) => value !== undefined)) };
}

/** A field with its name, type and description. */
function labelled(name, schema, required, inner, root) {
  const id = `field-${ids += 1}`;
  inner.control?.setAttribute("id", id);
  const kind = withoutNull(schema, root)[0];
  const zone = kind.format === "date-time" && "in your time zone";
  const type = [types(kind).join(" or "), kind.format, zone, ...limits(kind)].filter(Boolean).join(", ");
  const heading = [schema.title ? `${schema.title} (${name})` : name, required && h("span", { class: "must", title: "required" }, "*"),
    h("span", { class: "kind" }, type)];
  return h("div", { class: "field", "data-name": name },
    inner.control ? h("label", { for: id }, heading) : h("div", { class: "legend" }, heading),
    schema.description && h("div", { class: "about" }, schema.description), inner.element);
}

/** Returns the limits of a schema in words. */
function limits(schema) {
  const between = (least, most, what = "") => least !== undefined && most !== undefined ? `${what}${least} to ${most}`
    : least !== undefined ? `${what}at least ${least}` : most !== undefined ? `${what}at most ${most}` : "";
  return [between(schema.minimum, schema.maximum), between(schema.minLength, schema.maxLength, "length "),
    between(schema.minItems, schema.maxItems, "length "), schema.pattern && `matches ${schema.pattern}`];
}

/** An optional object: it is created when the user adds it, so recursive schemas end. */
function absent(create, initial) {
  let inner = null;
  const element = h("div");
  const show = () => element.replaceChildren(...(inner
    ? [inner.element, button("Remove", () => { inner = null; show(); })]
    : [button("Add", () => { refill(); inner = create(); show(); })]));
  if (initial !== undefined && initial !== null) inner = create();
  show();
  return { element, read: () => inner?.read() };
}

function list(schema, { root, depth, required, initial }) {
  const items = resolve(schema.items, root);
  const listed = choices(items);
  if (listed && schema.uniqueItems !== false && listed.length <= 30) return checks(listed, required, initial);
  const elements = [], rows = h("div");
  const add = value => {
    const inner = field(schema.items, root, { required: true, depth, initial: value });
    const remove = button("Remove", () => {
      elements.splice(elements.findIndex(each => each.inner === inner), 1);
      row.remove();
      more.focus();
    });
    const row = h("div", { class: "element" }, h("div", {}, inner.element), remove);
    elements.push({ inner });
    rows.append(row);
    return row;
  };
  const more = button("Add an item", () => { refill(); add().querySelector("input, select, textarea, button").focus(); });
  if (Array.isArray(initial)) initial.forEach(add);
  else for (let at = 0; at < Math.min(schema.minItems ?? 0, 20); at += 1) add();
  const read = () => elements.length || required ? elements.map(({ inner }) => inner.read() ?? null) : undefined;
  return { element: h("div", { class: "group" }, rows, more), read };
}

/** A list of choices: several can be checked. */
function checks(listed, required, initial) {
  const chosen = new Set((Array.isArray(initial) ? initial : []).map(value => JSON.stringify(value)));
  const boxes = listed.map(([value, name]) => [value, h("input", { type: "checkbox", checked: chosen.has(JSON.stringify(value)) }), name]);
  const element = h("div", { class: "checks" }, boxes.map(([, box, name]) => h("label", {}, box, ` ${name}`)));
  const read = () => {
    const values = boxes.filter(([, box]) => box.checked).map(([value]) => value);
    return values.length || required ? values : undefined;
  };
  return { element, read };
}

/** One of several schemas: the user chooses one, or writes JSON. */
function union(schema, variants, { root, depth, required, initial }) {
  const resolved = variants.map(one => resolve(one, root));
  const names = resolved.map((one, at) => one.title ?? tag(one, root) ?? (types(one).join(" or ") || `variant ${at + 1}`));
  const fits = initial === undefined || initial === null ? (required ? 0 : -1) : Math.max(0, resolved.findIndex(one => matches(one, initial, root)));
  const select = h("select", {}, !required && h("option", { value: -1 }, "(not set)"),
    names.map((name, at) => h("option", { value: at }, name)), h("option", { value: "json" }, "JSON"));
  const place = h("div");
  let inner = null;
  const show = value => {
    const common = schema.properties ? { properties: { ...schema.properties, ...resolved[select.value]?.properties } } : {};
    inner = select.value === "json" ? jsonField(value, 3)
      : select.value === "-1" ? null : field({ ...resolved[select.value], ...common }, root, { required: true, depth, initial: value });
    place.replaceChildren(...(inner ? [inner.element] : []));
  };
  select.value = String(fits);
  select.addEventListener("change", () => { refill(); show(); });
  show(initial);
  return { element: h("div", {}, select, place), control: select, read: () => inner?.read() };
}

/** The constant member that tells the variants of a union apart. */
function tag(schema, root) {
  const constant = Object.values(schema.properties ?? {}).map(one => resolve(one, root)).find(one => "const" in one);
  return constant && label(constant.const);
}

function matches(schema, value, root) {
  const type = Array.isArray(value) ? "array" : value === null ? "null" : typeof value;
  if (types(schema).length && !types(schema).includes(type) && !(types(schema).includes("integer") && type === "number")) return false;
  return Object.entries(schema.properties ?? {}).every(([name, one]) => !("const" in resolve(one, root)) || value?.[name] === resolve(one, root).const);
}

/** A value as JSON. */
function jsonField(initial, rows = 2, required = true) {
  const control = h("textarea", { class: "json", rows, spellcheck: "false", placeholder: "JSON" }, initial === undefined ? "" : json(initial));
  const read = () => {
    if (!control.value.trim()) return required ? invalid(control, "JSON is required") : undefined;
    let value;
    try { value = parse(control.value); } catch (error) { invalid(control, error.message); }
    valid(control);
    return value;
  };
  return { element: control, control, read };
}

function button(name, onclick) {
  return h("button", { type: "button", class: "small", onclick }, name);
}

function valid(control) {
  control.classList.remove("invalid");
  control.removeAttribute("aria-invalid");
  if (control.nextElementSibling?.classList.contains("error")) control.nextElementSibling.remove();
}

function invalid(control, reason) {
  valid(control);
  control.classList.add("invalid");
  control.setAttribute("aria-invalid", "true");
  control.after(h("div", { class: "error" }, reason));
  control.focus();
  throw new Invalid(reason);
}
