// Form controls for composite values (groups, lists, tables, alternatives), and the form of a
// family.

import {
  choiceControl,
  flagControl,
  labelled,
  jsonControl,
  linesControl,
  numberControl,
  pairControl,
  textControl,
} from "./controls.js";
import { h, iconButton, labelOf, uniqueId } from "./dom.js";
import { ORDER } from "./families.js";
import { initialValue, isEqual } from "./schema.js";

/** @typedef {import("./types.js").Shape} Shape */
/** @typedef {import("./types.js").Control} Control */
/** @typedef {import("./types.js").Field} Field */
/** @typedef {import("./controls.js").Change} Change */
/**
 * @typedef {{ sliderMax: { [field: string]: number }, hints: { [field: string]: string[] } }} Hints
 */

/**
 * Creates the control for a shape.
 * @param {string} name
 * @param {Shape} shape
 * @param {Change} change
 * @param {Hints} hints
 * @returns {Control}
 */
export function control(name, shape, change, hints) {
  switch (shape.kind) {
    case "integer":
    case "number":
      return numberControl(name, shape, change, hints.sliderMax[name]);
    case "flag":
      return flagControl(name, shape, change);
    case "choice":
      return choiceControl(name, shape, change);
    case "text":
    case "amount":
      return textControl(name, shape, change, hints.hints[name] ?? []);
    case "lines":
      return linesControl(name, shape, change);
    case "pair":
      return pairControl(name, shape, change);
    case "flags":
      return flagsControl(name, shape, change);
    case "list":
      return listControl(name, shape, change, hints);
    case "table":
      return tableControl(name, shape, change, hints);
    case "group":
      return groupControl(name, shape, change, hints);
    case "either":
      return eitherControl(name, shape, change, hints);
    default:
      return jsonControl(name, shape, change);
  }
}

/**
 * Set of options: one checkbox each. @param {string} name @param {Shape} shape @param {Change}
 * change @returns {Control}
 */
function flagsControl(name, shape, change) {
  const options = shape.options ?? [];
  const boxes = options.map(() => h("input", { type: "checkbox" }));
  const send = () => {
    const value = options.filter((_, i) => boxes[i].checked).map((option) => option.value);
    change(isEqual(value, shape.defaultValue) ? undefined : value);
  };
  boxes.forEach((box) => box.addEventListener("change", send));
  const labels = options.map((option, i) =>
    h("label", { class: "chip" }, boxes[i], String(option.value)),
  );
  const element = h(
    "fieldset",
    { class: "field flags", "data-field": name },
    h("legend", { title: shape.description || false }, labelOf(name)),
    ...labels,
  );
  element.dataset.description = shape.description;
  return {
    element,
    set(value) {
      const chosen = value ?? shape.defaultValue ?? [];
      options.forEach((option, i) => (boxes[i].checked = chosen.includes(option.value)));
    },
  };
}

/**
 * Group of fields. Optional groups are off by default.
 * @param {string} name
 * @param {Shape} shape
 * @param {Change} change
 * @param {Hints} hints
 * @returns {Control}
 */
function groupControl(name, shape, change, hints) {
  const defaults =
    shape.defaultValue && typeof shape.defaultValue === "object" ? shape.defaultValue : {};
  /** @type {any} */
  let current = {};
  const rank = (/** @type {Field} */ field) =>
    (ORDER.indexOf(field.name) + ORDER.length + 1) % (ORDER.length + 1);
  const fields = [...(shape.fields ?? [])]
    .sort((a, b) => rank(a) - rank(b))
    .map((field) => {
      const inner =
        field.name in defaults
          ? { ...field, shape: { ...field.shape, defaultValue: defaults[field.name] } }
          : field;
      const part = control(
        field.name,
        inner.shape,
        (value) => {
          const next = { ...current };
          if (value === undefined && !field.required && !(field.name in defaults))
            delete next[field.name];
          else
            next[field.name] =
              value === undefined ? (defaults[field.name] ?? initialValue(inner.shape)) : value;
          current = next;
          change(isEqual(sorted(next), sorted(shape.defaultValue)) ? undefined : next);
        },
        hints,
      );
      return { field: inner, part };
    });
  const body = h("div", { class: "group-body" }, ...fields.map(({ part }) => part.element));
  const optional = shape.nullable;
  const on = h("input", { type: "checkbox", role: "switch", id: uniqueId() });
  const element = optional
    ? h(
        "div",
        { class: "field group", "data-field": name },
        h(
          "div",
          { class: "row" },
          h("label", { for: on.id, title: shape.description || false }, labelOf(name)),
          on,
        ),
        body,
      )
    : h(
        "details",
        { class: "field group", "data-field": name },
        h("summary", { title: shape.description || false }, labelOf(name)),
        body,
      );
  element.dataset.description = shape.description;
  on.addEventListener("change", () =>
    change(on.checked ? initialValue({ ...shape, nullable: false }) : undefined),
  );
  return {
    element,
    set(value) {
      const present = value !== undefined && value !== null;
      current = present ? value : structuredClone(defaults);
      on.checked = present;
      body.hidden = optional && !present;
      for (const { field, part } of fields) part.set(current[field.name]);
    },
    showError(path, message) {
      if (path.length === 0) fields.forEach(({ part }) => part.showError?.([], ""));
      const found = fields.find(({ field }) => field.name === path[0]);
      if (found && element instanceof HTMLDetailsElement && message) element.open = true;
      return found?.part.showError?.(path.slice(1), message) ?? false;
    },
  };
}

/**
 * Sorts the members of objects, so that equal values have equal JSON. @param {any} value @returns
 * {any}
 */
function sorted(value) {
  if (!value || typeof value !== "object" || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sorted(value[key])]),
  );
}

/**
 * List whose items can be added, edited and removed.
 * @param {string} name
 * @param {Shape} shape
 * @param {Change} change
 * @param {Hints} hints
 * @returns {Control}
 */
function listControl(name, shape, change, hints) {
  const items = /** @type {Shape} */ (shape.items);
  /** @type {any[]} */
  let current = [];
  /** @type {Control[]} */
  let parts = [];
  const list = h("ol", { class: "items" });
  const count = h("span", { class: "count" });
  const send = () => {
    const value = structuredClone(current);
    count.textContent = String(current.length);
    change(isEqual(value, shape.defaultValue) ? undefined : value);
  };
  const itemName = labelOf(name).toLowerCase().replace(/s$/, "");
  const draw = () => {
    parts = [];
    list.replaceChildren(
      ...current.map((value, i) => {
        const part = control(
          itemName,
          { ...items, defaultValue: undefined },
          (next) => ((current[i] = next ?? initialValue(items)), send()),
          hints,
        );
        part.set(value);
        if (part.element instanceof HTMLDetailsElement) {
          part.element.open = current.length <= 2;
          const summary = part.element.querySelector("summary");
          if (summary) summary.textContent = summaryOf(value, itemName, i);
        }
        parts.push(part);
        const remove = iconButton("cross", `Remove ${itemName} ${i + 1}`, () => {
          current.splice(i, 1);
          draw();
          send();
        });
        return h("li", {}, part.element, remove);
      }),
    );
    count.textContent = String(current.length);
  };
  const add = h("button", { type: "button", class: "add" }, `Add ${itemName}`);
  add.addEventListener("click", () => {
    if (shape.maxItems && current.length >= shape.maxItems) return;
    current.push(initialValue({ ...items, defaultValue: undefined }));
    draw();
    const last = list.lastElementChild?.querySelector("details");
    if (last) last.open = true;
    list.lastElementChild?.querySelector("input")?.focus();
    send();
  });
  const element = h(
    "details",
    { class: "field list", "data-field": name },
    h("summary", { title: shape.description || false }, labelOf(name), " ", count),
    list,
    add,
  );
  element.dataset.description = shape.description;
  return {
    element,
    set(value) {
      const next = value ?? shape.defaultValue ?? [];
      if (isEqual(next, current) && parts.length === current.length)
        return void (count.textContent = String(current.length));
      current = structuredClone(next);
      draw();
    },
    showError(path, message) {
      if (path.length === 0) parts.forEach((part) => part.showError?.([], ""));
      const index = Number(path[0]);
      if (message) element.open = true;
      return parts[index]?.showError?.(path.slice(1), message) ?? false;
    },
  };
}

/** Summary of a list item. @param {any} value @param {string} itemName @param {number} i */
function summaryOf(value, itemName, i) {
  if (value?.name) return value.name;
  if (value?.row !== undefined && value?.col !== undefined)
    return `${value.col},${value.row}${value.kind ? ` ${value.kind}` : ""}`;
  if (value?.field) return labelOf(value.field);
  return `${labelOf(itemName)} ${i + 1}`;
}

/**
 * Map from names to values. @param {string} name @param {Shape} shape @param {Change} change @param
 * {Hints} hints @returns {Control}
 */
function tableControl(name, shape, change, hints) {
  const items = /** @type {Shape} */ (shape.items);
  /** @type {[string, any][]} */
  let current = [];
  const list = h("ol", { class: "items" });
  const send = () => change(Object.fromEntries(current.filter(([key]) => key !== "")));
  const draw = () =>
    list.replaceChildren(
      ...current.map(([key, value], i) => {
        const box = h("input", { type: "text", value: key, "aria-label": "Name", class: "key" });
        box.addEventListener("input", () => ((current[i][0] = box.value.trim()), send()));
        const part = control(
          key || "value",
          { ...items, defaultValue: undefined },
          (next) => ((current[i][1] = next ?? initialValue(items)), send()),
          hints,
        );
        part.set(value);
        const remove = iconButton(
          "cross",
          `Remove ${key}`,
          () => (current.splice(i, 1), draw(), send()),
        );
        return h("li", {}, box, part.element, remove);
      }),
    );
  const add = h("button", { type: "button", class: "add" }, "Add");
  add.addEventListener(
    "click",
    () => (
      current.push(["", initialValue(items)]),
      draw(),
      list.lastElementChild?.querySelector("input")?.focus()
    ),
  );
  const element = h(
    "fieldset",
    { class: "field table", "data-field": name },
    h("legend", {}, labelOf(name)),
    list,
    add,
  );
  return {
    element,
    set(value) {
      const next = Object.entries(value ?? {});
      if (
        isEqual(
          next,
          current.filter(([key]) => key !== ""),
        )
      )
        return;
      current = structuredClone(next);
      draw();
    },
  };
}

/**
 * Value with several alternative shapes. @param {string} name @param {Shape} shape @param {Change}
 * change @param {Hints} hints @returns {Control}
 */
function eitherControl(name, shape, change, hints) {
  const either = shape.either ?? [];
  const select = h("select", {});
  /** @type {{ fits: (value: any) => boolean, first: any, part: Control | null, text: string }[]} */
  const cases = [];
  if (shape.nullable)
    cases.push({
      fits: (value) => value === null,
      first: null,
      part: null,
      text: name === "kinds" ? "Untyped" : "None",
    });
  for (const one of either) {
    if (one.kind === "choice") {
      for (const option of one.options ?? [])
        cases.push({
          fits: (value) => isEqual(value, option.value),
          first: option.value,
          part: null,
          text: String(option.value),
        });
    } else if (one.kind === "text") {
      for (const hint of hints.hints[name] ?? [])
        cases.push({ fits: (value) => value === hint, first: hint, part: null, text: hint });
    } else {
      const part = control(
        name,
        { ...one, nullable: false, defaultValue: undefined },
        change,
        hints,
      );
      if (part.element instanceof HTMLDetailsElement) part.element.open = true;
      cases.push({
        fits: (value) => typeof value === "object" && value !== null,
        first: customKinds(name) ?? initialValue(one),
        part,
        text: "Custom",
      });
    }
  }
  cases.forEach((one, i) => select.append(h("option", { value: i }, one.text)));
  select.addEventListener("change", () => {
    const value = structuredClone(cases[Number(select.value)].first);
    change(isEqual(value, shape.defaultValue) ? undefined : value);
    set(value);
  });
  const frame = labelled(name, shape, select, { row: true });
  const element = h(
    "div",
    { class: "either", "data-field": name },
    frame.element,
    ...cases.flatMap((one) => (one.part ? [one.part.element] : [])),
  );
  /** @param {any} value */
  const set = (value) => {
    const shown = value === undefined ? (shape.defaultValue ?? null) : value;
    const index = Math.max(
      0,
      cases.findIndex((one) => one.fits(shown)),
    );
    select.value = String(index);
    cases.forEach((one, i) => {
      if (!one.part) return;
      one.part.element.hidden = i !== index;
      if (i === index) one.part.set(shown);
    });
  };
  return {
    element,
    set,
    showError: (path, message) => {
      const shown = cases[Number(select.value)]?.part;
      return (
        (path.length > 0 && shown?.showError?.(path, message)) || frame.showError(path, message)
      );
    },
  };
}

/** Initial value of custom room types. @param {string} name */
function customKinds(name) {
  if (name !== "kinds") return undefined;
  return {
    kinds: [
      { name: "monster", weight: 50, symbol: "M", icon: "swords" },
      { name: "event", weight: 25, symbol: "?", icon: "question" },
      { name: "elite", weight: 10, symbol: "E", icon: "skull", earliest: 4, no_repeat: true },
      { name: "shop", weight: 8, symbol: "$", icon: "bag", no_repeat: true },
      { name: "rest", weight: 12, symbol: "R", icon: "fire", earliest: 4, no_repeat: true },
      { name: "boss", weight: 0, symbol: "B", icon: "crown" },
    ],
    fixed: [
      { row: 0, kind: "monster" },
      { row: -1, kind: "rest" },
    ],
    boss: "boss",
  };
}

/**
 * Creates the form of a configuration.
 * @param {Field[]} fields
 * @param {import("./families.js").Plan} plan
 * @param {(field: string, value: any) => void} change
 * @returns {{ element: HTMLElement, set: (config: import("./types.js").Config) => void, showError:
 *   (path: string, message: string) => boolean }}
 */
export function form(fields, plan, change) {
  const parts = new Map(
    fields.map((field) => [
      field.name,
      control(field.name, field.shape, (value) => change(field.name, value), plan),
    ]),
  );
  const named = new Set(plan.sections.flatMap(([, names]) => names));
  const rest = fields.map((field) => field.name).filter((name) => !named.has(name));
  const sections = [...plan.sections, /** @type {[string, string[]]} */ (["More", rest])];
  const element = h("div", { class: "form" });
  sections.forEach(([title, names], i) => {
    const inside = names.flatMap((name) => parts.get(name)?.element ?? []);
    const [only] = inside;
    if (
      inside.length === 1 &&
      only instanceof HTMLDetailsElement &&
      only.classList.contains("group")
    )
      only.open = true;
    if (inside.length)
      element.append(
        h("details", { class: "section", open: i < 2 }, h("summary", {}, title), ...inside),
      );
  });
  return {
    element,
    set: (config) => parts.forEach((part, name) => part.set(config[name])),
    showError(path, message) {
      parts.forEach((part) => part.showError?.([], ""));
      const [name, ...inner] = path.split(/[.[\]]+/).filter(Boolean);
      const part = parts.get(name);
      if (!part || !message) return false;
      const section = part.element.closest("details.section");
      if (section instanceof HTMLDetailsElement) section.open = true;
      return part.showError?.(inner, message) ?? false;
    },
  };
}
