// Converts JSON Schema to shapes, from which the form controls are created.

/** @typedef {import("./types.js").Shape} Shape */

/**
 * First paragraph of a description as plain text; later paragraphs are for programmers.
 * @param {string | undefined} text
 */
function firstParagraph(text) {
  return (text ?? "")
    .split("\n\n")[0]
    .replaceAll("`", "")
    .replaceAll("\n", " ")
    .replaceAll("*", "")
    .trim();
}

/**
 * Resolves references. Keywords beside a reference override the referenced schema.
 * @param {any} root
 * @param {any} schema
 * @returns {any}
 */
export function resolveRef(root, schema) {
  let resolved = schema;
  for (let i = 0; i < 16 && resolved.$ref; i++) {
    const { $ref, ...overrides } = resolved;
    resolved = { ...root.$defs[$ref.replace("#/$defs/", "")], ...overrides };
  }
  return resolved;
}

/**
 * Converts a schema to a shape.
 * @param {any} root
 * @param {any} schema
 * @returns {Shape}
 */
export function shapeOf(root, schema) {
  const resolved = resolveRef(root, schema);
  const description = firstParagraph(resolved.description);
  const documented = /\[default: ([^\]]+)\]/.exec(description);
  /** @type {Shape} */
  const base = {
    kind: "json",
    description: description.replace(/\s*\[default: [^\]]+\]/, ""),
    nullable: false,
    defaultValue: resolved.default,
  };
  if (documented) base.defaultText = documented[1].split(",")[0];
  if (resolved.anyOf) {
    const rest = resolved.anyOf.filter((/** @type {any} */ option) => option.type !== "null");
    const nullable = rest.length < resolved.anyOf.length;
    if (rest.length === 1) {
      const inner = shapeOf(root, rest[0]);
      return {
        ...inner,
        description: base.description || inner.description,
        nullable: nullable || inner.nullable,
        defaultValue: base.defaultValue,
        defaultText: base.defaultText,
      };
    }
    /** @type {Shape[]} */
    const either = rest.map((/** @type {any} */ option) => shapeOf(root, option));
    const amount = either.length === 2 && either[0].kind === "integer" && either[1].kind === "text";
    return { ...base, nullable, kind: amount ? "amount" : "either", either };
  }
  const types = [resolved.type].flat();
  const type = types.find((option) => option !== "null");
  base.nullable = types.includes("null");
  const options = optionsOf(resolved);
  if (options) return { ...base, kind: "choice", options };
  if (type === "boolean") return { ...base, kind: "flag" };
  if (type === "integer" || type === "number")
    return { ...base, kind: type, min: resolved.minimum, max: resolved.maximum };
  if (type === "string")
    return { ...base, kind: "text", pattern: resolved.pattern, max: resolved.maxLength };
  if (type === "array") return { ...base, ...listOf(root, resolved) };
  if (type === "object" && resolved.properties)
    return { ...base, kind: "group", fields: fieldsOf(root, resolved) };
  if (type === "object" && typeof resolved.additionalProperties === "object") {
    return { ...base, kind: "table", items: shapeOf(root, resolved.additionalProperties) };
  }
  return base;
}

/** @param {any} resolved */
function optionsOf(resolved) {
  if (resolved.enum)
    return resolved.enum.map((/** @type {any} */ value) => ({ value, description: "" }));
  if (resolved.oneOf?.every((/** @type {any} */ option) => "const" in option)) {
    return resolved.oneOf.map((/** @type {any} */ option) => ({
      value: option.const,
      description: firstParagraph(option.description),
    }));
  }
  return undefined;
}

/** @param {any} root @param {any} resolved @returns {Partial<Shape>} */
function listOf(root, resolved) {
  if (resolved.prefixItems) {
    const first = shapeOf(root, resolved.prefixItems[0]);
    return { kind: "pair", min: first.min, max: first.max };
  }
  const items = shapeOf(root, resolved.items ?? {});
  if (items.kind === "choice") return { kind: "flags", options: items.options, items };
  if (items.kind === "text") return { kind: "lines", items };
  return { kind: "list", items, maxItems: resolved.maxItems };
}

/** @param {any} root @param {any} resolved @returns {import("./types.js").Field[]} */
export function fieldsOf(root, resolved) {
  const required = resolved.required ?? [];
  return Object.entries(resolved.properties).map(([name, schema]) => ({
    name,
    shape: shapeOf(root, schema),
    required: required.includes(name),
  }));
}

/** Initial value of a required field. @param {Shape} shape @returns {any} */
export function initialValue(shape) {
  if (shape.defaultValue !== undefined) return structuredClone(shape.defaultValue);
  if (shape.nullable) return null;
  switch (shape.kind) {
    case "flag":
      return false;
    case "integer":
    case "number":
      return Math.max(shape.min ?? 0, Math.min(shape.max ?? 0, 0));
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
      return initialValue(/** @type {Shape} */ (shape.either?.[0]));
    case "group": {
      /** @type {any} */
      const value = {};
      for (const field of shape.fields ?? [])
        if (field.required) value[field.name] = initialValue(field.shape);
      return value;
    }
    default:
      return "";
  }
}

/** @param {any} a @param {any} b */
export function isEqual(a, b) {
  return JSON.stringify(a) === JSON.stringify(b);
}
