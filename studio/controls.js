// Controls for single values: numbers, switches, choices, texts.

import { fresh, h, spoken } from "./dom.js";
import { same } from "./schema.js";

/** @typedef {import("./types.js").Shape} Shape */
/** @typedef {import("./types.js").Control} Control */
/** @typedef {(value: any) => void} Change Undefined: left out, so that the default holds. */

/**
 * A control within its label, its description and the place for a refusal.
 * @param {string} name
 * @param {Shape} shape
 * @param {HTMLElement} input
 * @param {{ row?: boolean, extra?: HTMLElement[] }} [look]
 * @returns {{ element: HTMLElement, blame: (path: string[], why: string) => boolean }}
 */
export function framed(name, shape, input, look = {}) {
  input.id ||= fresh();
  const about = h("span", { class: "about", id: `${input.id}-about` }, shape.about);
  const fault = h("span", { class: "fault", id: `${input.id}-fault` });
  const words = [shape.about ? about.id : "", fault.id].filter(Boolean).join(" ");
  input.setAttribute("aria-describedby", words);
  const label = h("label", { for: input.id, title: shape.about || false }, spoken(name));
  const element = h("div", { class: look.row ? "field row" : "field", "data-field": name }, label, ...(look.extra ?? []), input, about, fault);
  element.dataset.about = shape.about;
  return {
    element,
    blame(path, why) {
      fault.textContent = why;
      if (why) input.setAttribute("aria-invalid", "true");
      else input.removeAttribute("aria-invalid");
      return true;
    },
  };
}

/** What stands in an empty box. @param {Shape} shape */
function placeholder(shape) {
  if (shape.told !== undefined) return shape.told;
  if (shape.fallback !== undefined && shape.fallback !== null) return String(shape.fallback);
  return shape.empty ? "none" : "";
}

/**
 * @param {string} name
 * @param {Shape} shape
 * @param {Change} change
 * @param {number | undefined} reach How far a slider goes.
 * @returns {Control}
 */
export function numberControl(name, shape, change, reach) {
  const whole = shape.kind === "integer";
  const step = whole ? "1" : "0.01";
  const input = h("input", { type: "number", inputmode: whole ? "numeric" : "decimal", step, placeholder: placeholder(shape) });
  if (shape.least !== undefined) input.min = String(shape.least);
  if (shape.most !== undefined) input.max = String(shape.most);
  const end = Math.min(reach ?? Infinity, shape.most ?? Infinity);
  const sliding = shape.least !== undefined && (reach !== undefined || end - shape.least <= 200);
  const usual = Number(shape.fallback ?? shape.told ?? shape.least ?? 0);
  const slider = h("input", { type: "range", tabindex: "-1", "aria-hidden": "true", min: shape.least ?? 0, max: Number.isFinite(end) ? end : 0, step });
  /** @param {string} text */
  const send = (text) => {
    if (text === "") return change(shape.empty || shape.fallback !== undefined ? undefined : 0);
    const number = Number(text);
    if (Number.isFinite(number) && (!whole || Number.isInteger(number))) change(same(number, shape.fallback) ? undefined : number);
  };
  input.addEventListener("input", () => {
    if (input.value !== "") slider.value = input.value;
    send(input.value);
  });
  slider.addEventListener("input", () => {
    input.value = slider.value;
    send(slider.value);
  });
  const frame = framed(name, shape, input, { row: true, extra: sliding ? [slider] : [] });
  frame.element.classList.toggle("sliding", sliding);
  return {
    ...frame,
    set(value) {
      const shown = value ?? (shape.fallback ?? null);
      const text = shown === null ? "" : String(shown);
      if (document.activeElement !== input || Number(input.value) !== Number(text)) input.value = text;
      slider.value = String(shown ?? usual);
    },
  };
}

/** @param {string} name @param {Shape} shape @param {Change} change @returns {Control} */
export function flagControl(name, shape, change) {
  if (shape.empty) {
    const options = [{ value: true, about: "" }, { value: false, about: "" }];
    return choiceControl(name, { ...shape, options }, change);
  }
  const input = h("input", { type: "checkbox", role: "switch" });
  input.addEventListener("change", () => change(input.checked === shape.fallback ? undefined : input.checked));
  return { ...framed(name, shape, input, { row: true }), set: (value) => (input.checked = value ?? shape.fallback ?? false) };
}

/** @param {string} name @param {Shape} shape @param {Change} change @returns {Control} */
export function choiceControl(name, shape, change) {
  const options = shape.options ?? [];
  const select = h("select", {});
  if (shape.empty) select.append(h("option", { value: "" }, shape.told ?? "none"));
  options.forEach((option, i) => {
    const text = typeof option.value === "boolean" ? (option.value ? "yes" : "no") : String(option.value).replaceAll("_", " ");
    select.append(h("option", { value: i, title: option.about || false }, text));
  });
  select.addEventListener("change", () => {
    const value = select.value === "" ? undefined : options[Number(select.value)].value;
    change(same(value, shape.fallback) ? undefined : value);
  });
  return {
    ...framed(name, shape, select, { row: true }),
    set(value) {
      const at = options.findIndex((option) => same(option.value, value ?? shape.fallback));
      select.value = at < 0 ? (shape.empty ? "" : "0") : String(at);
    },
  };
}

/**
 * Text; an amount is a number or a percentage.
 * @param {string} name
 * @param {Shape} shape
 * @param {Change} change
 * @param {string[]} hints
 * @returns {Control}
 */
export function textControl(name, shape, change, hints) {
  const input = h("input", { type: "text", spellcheck: "false", autocomplete: "off", placeholder: placeholder(shape) });
  if (shape.pattern) input.pattern = shape.pattern.replace(/^\^/, "").replace(/\$$/, "");
  if (shape.most) input.maxLength = shape.most;
  const extra = [];
  if (hints.length) {
    const list = h("datalist", { id: fresh() }, ...hints.map((hint) => h("option", { value: hint })));
    input.setAttribute("list", list.id);
    extra.push(list);
  }
  input.addEventListener("input", () => {
    const text = input.value.trim();
    const value = shape.kind === "amount" && /^\d+$/.test(text) ? Number(text) : text;
    const blank = text === "" && (shape.empty || shape.fallback !== undefined);
    change(blank || same(value, shape.fallback) ? undefined : value);
  });
  return {
    ...framed(name, shape, input, { row: true, extra }),
    set(value) {
      const text = String(value ?? shape.fallback ?? "");
      if (document.activeElement !== input || input.value.trim() !== text) input.value = text;
    },
  };
}

/** Several lines of text, one item each. @param {string} name @param {Shape} shape @param {Change} change @returns {Control} */
export function linesControl(name, shape, change) {
  const input = h("textarea", { rows: 3, spellcheck: "false", class: "drawing" });
  input.addEventListener("input", () => {
    const lines = input.value === "" ? [] : input.value.replace(/\n$/, "").split("\n");
    change(same(lines, shape.fallback) ? undefined : lines);
  });
  return {
    ...framed(name, shape, input),
    set(value) {
      const text = (value ?? shape.fallback ?? []).join("\n");
      if (input.value.replace(/\n$/, "") !== text) input.value = text;
      input.rows = Math.min(12, Math.max(2, text.split("\n").length));
    },
  };
}

/** Anything, as JSON. @param {string} name @param {Shape} shape @param {Change} change @returns {Control} */
export function jsonControl(name, shape, change) {
  const input = h("textarea", { rows: 2, spellcheck: "false", class: "drawing" });
  const frame = framed(name, shape, input);
  input.addEventListener("input", () => {
    try {
      change(input.value.trim() === "" ? undefined : JSON.parse(input.value));
      frame.blame([], "");
    } catch {
      frame.blame([], "not JSON yet");
    }
  });
  return {
    ...frame,
    set(value) {
      if (document.activeElement !== input) input.value = value === undefined ? "" : JSON.stringify(value);
    },
  };
}

/** Two numbers: a cell. @param {string} name @param {Shape} shape @param {Change} change @returns {Control} */
export function pairControl(name, shape, change) {
  const box = (/** @type {string} */ axis) =>
    h("input", { type: "number", inputmode: "numeric", "aria-label": `${spoken(name)}: ${axis}`, min: shape.least ?? 0, max: shape.most ?? 65535 });
  const [x, y] = [box("x"), box("y")];
  const send = () => change([Number(x.value), Number(y.value)]);
  x.addEventListener("input", send);
  y.addEventListener("input", send);
  const element = h("div", { class: "field row pair", "data-field": name }, h("span", { class: "name" }, spoken(name)), x, y);
  return {
    element,
    set(value) {
      const [a, b] = value ?? [0, 0];
      if (Number(x.value) !== a || x.value === "") x.value = String(a);
      if (Number(y.value) !== b || y.value === "") y.value = String(b);
    },
  };
}
