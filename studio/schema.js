// JSON Schema, read into the shapes that controls are made from.

/** @typedef {import("./types.js").Shape} Shape */

/**
 * The first paragraph of a description: what stands below is for programmers.
 * @param {string | undefined} text
 */
function plain(text) {
  return (text ?? "").split("\n\n")[0].replaceAll("`", "").replaceAll("\n", " ").replaceAll("*", "").trim();
}

/**
 * Follows references; what stands beside a reference counts more.
 * @param {any} root
 * @param {any} schema
 * @returns {any}
 */
export function follow(root, schema) {
  let found = schema;
  for (let i = 0; i < 16 && found.$ref; i++) {
    const { $ref, ...beside } = found;
    found = { ...root.$defs[$ref.replace("#/$defs/", "")], ...beside };
  }
  return found;
}

/**
 * The shape of a schema.
 * @param {any} root
 * @param {any} schema
 * @returns {Shape}
 */
export function shapeOf(root, schema) {
  const whole = follow(root, schema);
  const about = plain(whole.description);
  const told = /\[default: ([^\]]+)\]/.exec(about);
  /** @type {Shape} */
  const base = { kind: "json", about: about.replace(/\s*\[default: [^\]]+\]/, ""), empty: false, fallback: whole.default };
  if (told) base.told = told[1].split(",")[0];
  if (whole.anyOf) {
    const rest = whole.anyOf.filter((/** @type {any} */ one) => one.type !== "null");
    const empty = rest.length < whole.anyOf.length;
    if (rest.length === 1) {
      const inner = shapeOf(root, rest[0]);
      return { ...inner, about: base.about || inner.about, empty: empty || inner.empty, fallback: base.fallback, told: base.told };
    }
    /** @type {Shape[]} */
    const either = rest.map((/** @type {any} */ one) => shapeOf(root, one));
    const amount = either.length === 2 && either[0].kind === "integer" && either[1].kind === "text";
    return { ...base, empty, kind: amount ? "amount" : "either", either };
  }
  const types = [whole.type].flat();
  const type = types.find((one) => one !== "null");
  base.empty = types.includes("null");
  const options = optionsOf(whole);
  if (options) return { ...base, kind: "choice", options };
  if (type === "boolean") return { ...base, kind: "flag" };
  if (type === "integer" || type === "number") return { ...base, kind: type, least: whole.minimum, most: whole.maximum };
  if (type === "string") return { ...base, kind: "text", pattern: whole.pattern, most: whole.maxLength };
  if (type === "array") return { ...base, ...listOf(root, whole) };
  if (type === "object" && whole.properties) return { ...base, kind: "group", fields: fieldsOf(root, whole) };
  if (type === "object" && typeof whole.additionalProperties === "object") {
    return { ...base, kind: "table", items: shapeOf(root, whole.additionalProperties) };
  }
  return base;
}

/** @param {any} whole */
function optionsOf(whole) {
  if (whole.enum) return whole.enum.map((/** @type {any} */ value) => ({ value, about: "" }));
  if (whole.oneOf?.every((/** @type {any} */ one) => "const" in one)) {
    return whole.oneOf.map((/** @type {any} */ one) => ({ value: one.const, about: plain(one.description) }));
  }
  return undefined;
}

/** @param {any} root @param {any} whole @returns {Partial<Shape>} */
function listOf(root, whole) {
  if (whole.prefixItems) {
    const first = shapeOf(root, whole.prefixItems[0]);
    return { kind: "pair", least: first.least, most: first.most };
  }
  const items = shapeOf(root, whole.items ?? {});
  if (items.kind === "choice") return { kind: "flags", options: items.options, items };
  if (items.kind === "text") return { kind: "lines", items };
  return { kind: "list", items, mostItems: whole.maxItems };
}

/** @param {any} root @param {any} whole @returns {import("./types.js").Field[]} */
export function fieldsOf(root, whole) {
  const required = whole.required ?? [];
  return Object.entries(whole.properties).map(([name, schema]) => ({
    name,
    shape: shapeOf(root, schema),
    required: required.includes(name),
  }));
}

/** A value that a required field may begin with. @param {Shape} shape @returns {any} */
export function firstValue(shape) {
  if (shape.fallback !== undefined) return structuredClone(shape.fallback);
  if (shape.empty) return null;
  switch (shape.kind) {
    case "flag":
      return false;
    case "integer":
    case "number":
      return Math.max(shape.least ?? 0, Math.min(shape.most ?? 0, 0));
    case "choice":
      return shape.options?.[0]?.value;
    case "amount":
      return 0;
    case "list":
    case "flags":
    case "lines":
      return [];
    case "pair":
      return [0, 0];
    case "table":
      return {};
    case "either":
      return firstValue(/** @type {Shape} */ (shape.either?.[0]));
    case "group": {
      /** @type {any} */
      const value = {};
      for (const field of shape.fields ?? []) if (field.required) value[field.name] = firstValue(field.shape);
      return value;
    }
    default:
      return "";
  }
}

/** @param {any} a @param {any} b */
export function same(a, b) {
  return JSON.stringify(a) === JSON.stringify(b);
}
