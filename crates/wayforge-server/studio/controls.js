// Form controls for single values: numbers, switches, choices and text.

import { h, labelOf, uniqueId } from "./dom.js";
import { isEqual } from "./schema.js";

/** @typedef {import("./types.js").Shape} Shape */
/** @typedef {import("./types.js").Control} Control */
/**
 * @typedef {(value: any) => void} Change Called with the new value; undefined means the default.
 */

/**
 * Wraps an input with its label, description and error message.
 * @param {string} name
 * @param {Shape} shape
 * @param {HTMLElement} input
 * @param {{ row?: boolean, extra?: HTMLElement[] }} [options]
 * @returns {{ element: HTMLElement, showError: (path: string[], message: string) => boolean }}
 */
export function labelled(name, shape, input, options = {}) {
  input.id ||= uniqueId();
  const description = h(
    "span",
    { class: "description", id: `${input.id}-description` },
    shape.description,
  );
  const error = h("span", { class: "error", id: `${input.id}-error` });
  const describedBy = [shape.description ? description.id : "", error.id].filter(Boolean).join(" ");
  input.setAttribute("aria-describedby", describedBy);
  const label = h("label", { for: input.id, title: shape.description || false }, labelOf(name));
  const element = h(
    "div",
    { class: options.row ? "field row" : "field", "data-field": name },
    label,
    ...(options.extra ?? []),
    input,
    description,
    error,
  );
  element.dataset.description = shape.description;
  return {
    element,
    showError(path, message) {
      error.textContent = message;
      if (message) input.setAttribute("aria-invalid", "true");
      else input.removeAttribute("aria-invalid");
      return true;
    },
  };
}

/** Placeholder of an empty input. @param {Shape} shape */
function placeholder(shape) {
  if (shape.defaultText !== undefined) return shape.defaultText;
  if (shape.defaultValue !== undefined && shape.defaultValue !== null)
    return String(shape.defaultValue);
  return shape.nullable ? "none" : "";
}

/**
 * @param {string} name
 * @param {Shape} shape
 * @param {Change} change
 * @param {number | undefined} sliderMax
 * @returns {Control}
 */
export function numberControl(name, shape, change, sliderMax) {
  const whole = shape.kind === "integer";
  const step = whole ? "1" : "0.01";
  const input = h("input", {
    type: "number",
    inputmode: whole ? "numeric" : "decimal",
    step,
    placeholder: placeholder(shape),
  });
  if (shape.min !== undefined) input.min = String(shape.min);
  if (shape.max !== undefined) input.max = String(shape.max);
  const end = Math.min(sliderMax ?? Infinity, shape.max ?? Infinity);
  const hasSlider = shape.min !== undefined && (sliderMax !== undefined || end - shape.min <= 200);
  const sliderDefault = Number(shape.defaultValue ?? shape.defaultText ?? shape.min ?? 0);
  const slider = h("input", {
    type: "range",
    tabindex: "-1",
    "aria-hidden": "true",
    min: shape.min ?? 0,
    max: Number.isFinite(end) ? end : 0,
    step,
  });
  /** @param {string} text */
  const send = (text) => {
    if (text === "")
      return change(shape.nullable || shape.defaultValue !== undefined ? undefined : 0);
    const number = Number(text);
    if (Number.isFinite(number) && (!whole || Number.isInteger(number)))
      change(isEqual(number, shape.defaultValue) ? undefined : number);
  };
  input.addEventListener("input", () => {
    if (input.value !== "") slider.value = input.value;
    send(input.value);
  });
  slider.addEventListener("input", () => {
    input.value = slider.value;
    send(slider.value);
  });
  const frame = labelled(name, shape, input, { row: true, extra: hasSlider ? [slider] : [] });
  frame.element.classList.toggle("sliding", hasSlider);
  return {
    ...frame,
    set(value) {
      const shown = value ?? shape.defaultValue ?? null;
      const text = shown === null ? "" : String(shown);
      if (document.activeElement !== input || Number(input.value) !== Number(text))
        input.value = text;
      slider.value = String(shown ?? sliderDefault);
    },
  };
}

/** @param {string} name @param {Shape} shape @param {Change} change @returns {Control} */
export function flagControl(name, shape, change) {
  if (shape.nullable) {
    const options = [
      { value: true, description: "" },
      { value: false, description: "" },
    ];
    return choiceControl(name, { ...shape, options, defaultText: "Auto" }, change);
  }
  const input = h("input", { type: "checkbox", role: "switch" });
  input.addEventListener("change", () =>
    change(input.checked === shape.defaultValue ? undefined : input.checked),
  );
  return {
    ...labelled(name, shape, input, { row: true }),
    set: (value) => (input.checked = value ?? shape.defaultValue ?? false),
  };
}

/** @param {string} name @param {Shape} shape @param {Change} change @returns {Control} */
export function choiceControl(name, shape, change) {
  const options = shape.options ?? [];
  const select = h("select", {});
  if (shape.nullable) select.append(h("option", { value: "" }, shape.defaultText ?? "none"));
  options.forEach((option, i) => {
    const text =
      typeof option.value === "boolean"
        ? option.value
          ? "yes"
          : "no"
        : String(option.value).replaceAll("_", " ");
    select.append(h("option", { value: i, title: option.description || false }, text));
  });
  select.addEventListener("change", () => {
    const value = select.value === "" ? undefined : options[Number(select.value)].value;
    change(isEqual(value, shape.defaultValue) ? undefined : value);
  });
  return {
    ...labelled(name, shape, select, { row: true }),
    set(value) {
      const shown = value ?? shape.defaultValue;
      const index = options.findIndex((option) => isEqual(option.value, shown));
      select.value = index < 0 ? (shape.nullable ? "" : "0") : String(index);
    },
  };
}

/**
 * Text, or an amount: a number or a percentage.
 * @param {string} name
 * @param {Shape} shape
 * @param {Change} change
 * @param {string[]} hints
 * @returns {Control}
 */
export function textControl(name, shape, change, hints) {
  const input = h("input", {
    type: "text",
    spellcheck: "false",
    autocomplete: "off",
    placeholder: placeholder(shape),
  });
  if (shape.pattern) input.pattern = shape.pattern.replace(/^\^/, "").replace(/\$$/, "");
  if (shape.max) input.maxLength = shape.max;
  const extra = [];
  if (hints.length) {
    const list = h(
      "datalist",
      { id: uniqueId() },
      ...hints.map((hint) => h("option", { value: hint })),
    );
    input.setAttribute("list", list.id);
    extra.push(list);
  }
  input.addEventListener("input", () => {
    const text = input.value.trim();
    const value = shape.kind === "amount" && /^\d+$/.test(text) ? Number(text) : text;
    const blank = text === "" && (shape.nullable || shape.defaultValue !== undefined);
    change(blank || isEqual(value, shape.defaultValue) ? undefined : value);
  });
  return {
    ...labelled(name, shape, input, { row: true, extra }),
    set(value) {
      const text = String(value ?? shape.defaultValue ?? "");
      if (document.activeElement !== input || input.value.trim() !== text) input.value = text;
    },
  };
}

/**
 * List of strings, one per line. @param {string} name @param {Shape} shape @param {Change} change
 * @returns {Control}
 */
export function linesControl(name, shape, change) {
  const input = h("textarea", { rows: 3, spellcheck: "false", class: "drawing" });
  input.addEventListener("input", () => {
    const lines = input.value === "" ? [] : input.value.replace(/\n$/, "").split("\n");
    change(isEqual(lines, shape.defaultValue) ? undefined : lines);
  });
  return {
    ...labelled(name, shape, input),
    set(value) {
      const text = (value ?? shape.defaultValue ?? []).join("\n");
      if (input.value.replace(/\n$/, "") !== text) input.value = text;
      input.rows = Math.min(12, Math.max(2, text.split("\n").length));
    },
  };
}

/**
 * Any value, edited as JSON. @param {string} name @param {Shape} shape @param {Change} change
 * @returns {Control}
 */
export function jsonControl(name, shape, change) {
  const input = h("textarea", { rows: 2, spellcheck: "false", class: "drawing" });
  const frame = labelled(name, shape, input);
  input.addEventListener("input", () => {
    try {
      change(input.value.trim() === "" ? undefined : JSON.parse(input.value));
      frame.showError([], "");
    } catch {
      frame.showError([], "not valid JSON");
    }
  });
  return {
    ...frame,
    set(value) {
      if (document.activeElement !== input)
        input.value = value === undefined ? "" : JSON.stringify(value);
    },
  };
}

/**
 * Cell: two numbers. @param {string} name @param {Shape} shape @param {Change} change @returns
 * {Control}
 */
export function pairControl(name, shape, change) {
  const box = (/** @type {string} */ axis) =>
    h("input", {
      type: "number",
      inputmode: "numeric",
      "aria-label": `${labelOf(name)}: ${axis}`,
      min: shape.min ?? 0,
      max: shape.max ?? 65535,
    });
  const [x, y] = [box("x"), box("y")];
  const send = () => change([Number(x.value), Number(y.value)]);
  x.addEventListener("input", send);
  y.addEventListener("input", send);
  const element = h(
    "div",
    { class: "field row pair", "data-field": name },
    h("span", { class: "name" }, labelOf(name)),
    x,
    y,
  );
  return {
    element,
    set(value) {
      const [a, b] = value ?? [0, 0];
      if (Number(x.value) !== a || x.value === "") x.value = String(a);
      if (Number(y.value) !== b || y.value === "") y.value = String(b);
    },
  };
}
