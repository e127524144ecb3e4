// Controls for values made of others: groups, lists, tables, either-or; and the whole form of a family.

import { choiceControl, flagControl, framed, jsonControl, linesControl, numberControl, pairControl, textControl } from "./controls.js";
import { fresh, h, signButton, spoken } from "./dom.js";
import { ORDER } from "./families.js";
import { firstValue, same } from "./schema.js";

/** @typedef {import("./types.js").Shape} Shape */
/** @typedef {import("./types.js").Control} Control */
/** @typedef {import("./types.js").Field} Field */
/** @typedef {import("./controls.js").Change} Change */
/** @typedef {{ reach: { [field: string]: number }, hints: { [field: string]: string[] } }} Hints */

/**
 * The control that fits a shape.
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
      return numberControl(name, shape, change, hints.reach[name]);
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

/** Several of a few: a box for each. @param {string} name @param {Shape} shape @param {Change} change @returns {Control} */
function flagsControl(name, shape, change) {
  const options = shape.options ?? [];
  const boxes = options.map(() => h("input", { type: "checkbox" }));
  const send = () => {
    const value = options.filter((_, i) => boxes[i].checked).map((option) => option.value);
    change(same(value, shape.fallback) ? undefined : value);
  };
  boxes.forEach((box) => box.addEventListener("change", send));
  const labels = options.map((option, i) => h("label", { class: "chip" }, boxes[i], String(option.value)));
  const element = h("fieldset", { class: "field flags", "data-field": name }, h("legend", { title: shape.about || false }, spoken(name)), ...labels);
  element.dataset.about = shape.about;
  return {
    element,
    set(value) {
      const chosen = value ?? shape.fallback ?? [];
      options.forEach((option, i) => (boxes[i].checked = chosen.includes(option.value)));
    },
  };
}

/**
 * A group of fields. Optional groups begin empty and can be filled in.
 * @param {string} name
 * @param {Shape} shape
 * @param {Change} change
 * @param {Hints} hints
 * @returns {Control}
 */
function groupControl(name, shape, change, hints) {
  const usual = shape.fallback && typeof shape.fallback === "object" ? shape.fallback : {};
  /** @type {any} */
  let now = {};
  const rank = (/** @type {Field} */ field) => (ORDER.indexOf(field.name) + ORDER.length + 1) % (ORDER.length + 1);
  const fields = [...(shape.fields ?? [])].sort((a, b) => rank(a) - rank(b)).map((field) => {
    const inner = field.name in usual ? { ...field, shape: { ...field.shape, fallback: usual[field.name] } } : field;
    const part = control(
      field.name,
      inner.shape,
      (value) => {
        const next = { ...now };
        if (value === undefined && !field.required && !(field.name in usual)) delete next[field.name];
        else next[field.name] = value === undefined ? (usual[field.name] ?? firstValue(inner.shape)) : value;
        now = next;
        change(same(sorted(next), sorted(shape.fallback)) ? undefined : next);
      },
      hints,
    );
    return { field: inner, part };
  });
  const body = h("div", { class: "group-body" }, ...fields.map(({ part }) => part.element));
  const optional = shape.empty;
  const on = h("input", { type: "checkbox", role: "switch", id: fresh() });
  const element = optional
    ? h("div", { class: "field group", "data-field": name }, h("div", { class: "row" }, h("label", { for: on.id, title: shape.about || false }, spoken(name)), on), body)
    : h("details", { class: "field group", "data-field": name }, h("summary", { title: shape.about || false }, spoken(name)), body);
  element.dataset.about = shape.about;
  on.addEventListener("change", () => change(on.checked ? firstValue({ ...shape, empty: false }) : undefined));
  return {
    element,
    set(value) {
      const there = value !== undefined && value !== null;
      now = there ? value : structuredClone(usual);
      on.checked = there;
      body.hidden = optional && !there;
      for (const { field, part } of fields) part.set(now[field.name]);
    },
    blame(path, why) {
      if (path.length === 0) fields.forEach(({ part }) => part.blame?.([], ""));
      const found = fields.find(({ field }) => field.name === path[0]);
      if (found && element instanceof HTMLDetailsElement && why) element.open = true;
      return found?.part.blame?.(path.slice(1), why) ?? false;
    },
  };
}

/** @param {any} value @returns {any} Members in one order, so that equal things are equal. */
function sorted(value) {
  if (!value || typeof value !== "object" || Array.isArray(value)) return value;
  return Object.fromEntries(Object.keys(value).sort().map((key) => [key, sorted(value[key])]));
}

/**
 * A list: items can be added, changed and taken away.
 * @param {string} name
 * @param {Shape} shape
 * @param {Change} change
 * @param {Hints} hints
 * @returns {Control}
 */
function listControl(name, shape, change, hints) {
  const items = /** @type {Shape} */ (shape.items);
  /** @type {any[]} */
  let now = [];
  /** @type {Control[]} */
  let parts = [];
  const list = h("ol", { class: "items" });
  const count = h("span", { class: "count" });
  const send = () => {
    const value = structuredClone(now);
    count.textContent = String(now.length);
    change(same(value, shape.fallback) ? undefined : value);
  };
  const one = spoken(name).toLowerCase().replace(/s$/, "");
  const draw = () => {
    parts = [];
    list.replaceChildren(
      ...now.map((value, i) => {
        const part = control(one, { ...items, fallback: undefined }, (next) => ((now[i] = next ?? firstValue(items)), send()), hints);
        part.set(value);
        if (part.element instanceof HTMLDetailsElement) {
          part.element.open = now.length <= 2;
          const summary = part.element.querySelector("summary");
          if (summary) summary.textContent = told(value, one, i);
        }
        parts.push(part);
        const away = signButton("cross", `Remove ${one} ${i + 1}`, () => {
          now.splice(i, 1);
          draw();
          send();
        });
        return h("li", {}, part.element, away);
      }),
    );
    count.textContent = String(now.length);
  };
  const add = h("button", { type: "button", class: "add" }, `Add ${one}`);
  add.addEventListener("click", () => {
    if (shape.mostItems && now.length >= shape.mostItems) return;
    now.push(firstValue({ ...items, fallback: undefined }));
    draw();
    const last = list.lastElementChild?.querySelector("details");
    if (last) last.open = true;
    list.lastElementChild?.querySelector("input")?.focus();
    send();
  });
  const element = h("details", { class: "field list", "data-field": name }, h("summary", { title: shape.about || false }, spoken(name), " ", count), list, add);
  element.dataset.about = shape.about;
  return {
    element,
    set(value) {
      const next = value ?? shape.fallback ?? [];
      if (same(next, now) && parts.length === now.length) return void (count.textContent = String(now.length));
      now = structuredClone(next);
      draw();
    },
    blame(path, why) {
      if (path.length === 0) parts.forEach((part) => part.blame?.([], ""));
      const at = Number(path[0]);
      if (why) element.open = true;
      return parts[at]?.blame?.(path.slice(1), why) ?? false;
    },
  };
}

/** @param {any} value @param {string} one @param {number} i */
function told(value, one, i) {
  if (value?.name) return value.name;
  if (value?.row !== undefined && value?.col !== undefined) return `${value.col},${value.row}${value.kind ? ` ${value.kind}` : ""}`;
  if (value?.field) return spoken(value.field);
  return `${spoken(one)} ${i + 1}`;
}

/** Names with values. @param {string} name @param {Shape} shape @param {Change} change @param {Hints} hints @returns {Control} */
function tableControl(name, shape, change, hints) {
  const items = /** @type {Shape} */ (shape.items);
  /** @type {[string, any][]} */
  let now = [];
  const list = h("ol", { class: "items" });
  const send = () => change(Object.fromEntries(now.filter(([key]) => key !== "")));
  const draw = () =>
    list.replaceChildren(
      ...now.map(([key, value], i) => {
        const box = h("input", { type: "text", value: key, "aria-label": "Name", class: "key" });
        box.addEventListener("input", () => ((now[i][0] = box.value.trim()), send()));
        const part = control(key || "value", { ...items, fallback: undefined }, (next) => ((now[i][1] = next ?? firstValue(items)), send()), hints);
        part.set(value);
        const away = signButton("cross", `Remove ${key}`, () => (now.splice(i, 1), draw(), send()));
        return h("li", {}, box, part.element, away);
      }),
    );
  const add = h("button", { type: "button", class: "add" }, "Add");
  add.addEventListener("click", () => (now.push(["", firstValue(items)]), draw(), list.lastElementChild?.querySelector("input")?.focus()));
  const element = h("fieldset", { class: "field table", "data-field": name }, h("legend", {}, spoken(name)), list, add);
  return {
    element,
    set(value) {
      const next = Object.entries(value ?? {});
      if (same(next, now.filter(([key]) => key !== ""))) return;
      now = structuredClone(next);
      draw();
    },
  };
}

/** One of several shapes. @param {string} name @param {Shape} shape @param {Change} change @param {Hints} hints @returns {Control} */
function eitherControl(name, shape, change, hints) {
  const either = shape.either ?? [];
  const select = h("select", {});
  /** @type {{ fits: (value: any) => boolean, first: any, part: Control | null, text: string }[]} */
  const cases = [];
  if (shape.empty) cases.push({ fits: (value) => value === null, first: null, part: null, text: "none" });
  for (const one of either) {
    if (one.kind === "choice") {
      for (const option of one.options ?? []) cases.push({ fits: (value) => same(value, option.value), first: option.value, part: null, text: String(option.value) });
    } else if (one.kind === "text") {
      for (const hint of hints.hints[name] ?? []) cases.push({ fits: (value) => value === hint, first: hint, part: null, text: hint });
    } else {
      const part = control(name, { ...one, empty: false, fallback: undefined }, change, hints);
      if (part.element instanceof HTMLDetailsElement) part.element.open = true;
      cases.push({ fits: (value) => typeof value === "object" && value !== null, first: ownKinds(name) ?? firstValue(one), part, text: "your own" });
    }
  }
  cases.forEach((one, i) => select.append(h("option", { value: i }, one.text)));
  select.addEventListener("change", () => {
    const value = structuredClone(cases[Number(select.value)].first);
    change(same(value, shape.fallback) ? undefined : value);
    set(value);
  });
  const frame = framed(name, shape, select, { row: true });
  const element = h("div", { class: "either", "data-field": name }, frame.element, ...cases.flatMap((one) => (one.part ? [one.part.element] : [])));
  /** @param {any} value */
  const set = (value) => {
    const shown = value === undefined ? (shape.fallback ?? null) : value;
    const at = Math.max(0, cases.findIndex((one) => one.fits(shown)));
    select.value = String(at);
    cases.forEach((one, i) => {
      if (!one.part) return;
      one.part.element.hidden = i !== at;
      if (i === at) one.part.set(shown);
    });
  };
  return {
    element,
    set,
    blame: (path, why) => {
      const shown = cases[Number(select.value)]?.part;
      return (path.length > 0 && shown?.blame?.(path, why)) || frame.blame(path, why);
    },
  };
}

/** Kinds of one's own begin with a few that make sense together. @param {string} name */
function ownKinds(name) {
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
    fixed: [{ row: 0, kind: "monster" }, { row: -1, kind: "rest" }],
    boss: "boss",
  };
}

/**
 * The form of a configuration.
 * @param {Field[]} fields
 * @param {import("./families.js").Plan} plan
 * @param {(field: string, value: any) => void} change
 * @returns {{ element: HTMLElement, set: (config: import("./types.js").Config) => void, blame: (path: string, why: string) => boolean }}
 */
export function form(fields, plan, change) {
  const parts = new Map(fields.map((field) => [field.name, control(field.name, field.shape, (value) => change(field.name, value), plan)]));
  const named = new Set(plan.sections.flatMap(([, names]) => names));
  const rest = fields.map((field) => field.name).filter((name) => !named.has(name));
  const sections = [...plan.sections, /** @type {[string, string[]]} */ (["More", rest])];
  const element = h("div", { class: "form" });
  sections.forEach(([title, names], i) => {
    const inside = names.flatMap((name) => parts.get(name)?.element ?? []);
    const [only] = inside;
    if (inside.length === 1 && only instanceof HTMLDetailsElement && only.classList.contains("group")) only.open = true;
    if (inside.length) element.append(h("details", { class: "section", open: i < 2 }, h("summary", {}, title), ...inside));
  });
  return {
    element,
    set: (config) => parts.forEach((part, name) => part.set(config[name])),
    blame(path, why) {
      parts.forEach((part) => part.blame?.([], ""));
      const [name, ...inner] = path.split(/[.[\]]+/).filter(Boolean);
      const part = parts.get(name);
      if (!part || !why) return false;
      const section = part.element.closest("details.section");
      if (section instanceof HTMLDetailsElement) section.open = true;
      return part.blame?.(inner, why) ?? false;
    },
  };
}
