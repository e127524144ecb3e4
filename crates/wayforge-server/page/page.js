// Draws /openapi.json as a page. Plain script, no outside network: everything is made by textContent, nothing by markup.
"use strict";

const make = (tag, attributes = {}, ...children) => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
};

const nameOf = (reference) => reference.split("/").pop();

// A schema in a few words, with links to the schemas that it names.
const brief = (schema) => {
  if (!schema || schema === true) return "anything";
  if (schema.$ref) return make("a", { href: `#schema-${nameOf(schema.$ref)}` }, nameOf(schema.$ref));
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  const several = schema.anyOf || schema.oneOf || schema.allOf;
  if (several) return make("span", {}, ...several.flatMap((one, i) => (i ? [" | ", brief(one)] : [brief(one)])));
  const type = [].concat(schema.type ?? "anything").join(" | ");
  if (type === "array") return make("span", {}, "list of ", brief(schema.items));
  const bounds = [];
  if (schema.minimum !== undefined) bounds.push(`from ${schema.minimum}`);
  if (schema.maximum !== undefined) bounds.push(`to ${schema.maximum}`);
  if (schema.pattern) bounds.push(schema.pattern);
  return [type, ...bounds].join(" ");
};

const table = (head, rows) =>
  make("table", {},
    make("thead", {}, make("tr", {}, ...head.map((text) => make("th", {}, text)))),
    make("tbody", {}, ...rows.map((row) => make("tr", {}, ...row.map((cell) => make("td", {}, cell ?? ""))))));

const curl = (method, path, operation) => {
  const parts = ["curl"];
  if (method !== "get") parts.push("-X", method.toUpperCase());
  const body = operation.requestBody?.content;
  if (body) parts.push("-H", `'Content-Type: ${Object.keys(body)[0]}'`, "-d", "'{}'");
  if (operation.security) parts.push("-H", "'Authorization: Bearer TOKEN'");
  const seed = (operation.parameters ?? []).some((parameter) => parameter.name === "seed");
  parts.push(`'${location.origin}${path}${seed ? "?seed=42" : ""}'`);
  return parts.join(" ");
};

const showOperation = (method, path, operation) => {
  const inside = make("div", { class: "inside" }, make("pre", {}, curl(method, path, operation)));
  const parameters = operation.parameters ?? [];
  if (parameters.length) {
    inside.append(make("h3", {}, "Parameters"), table(["name", "in", "what it is", ""],
      parameters.map((one) => {
        const schema = one.schema ?? Object.values(one.content ?? {})[0]?.schema;
        return [make("code", {}, one.name), one.in, brief(schema), one.description];
      })));
  }
  const body = operation.requestBody?.content ?? {};
  for (const [media, content] of Object.entries(body)) {
    inside.append(make("h3", {}, "Body"), make("p", {}, make("code", {}, media), " ", brief(content.schema)));
  }
  inside.append(make("h3", {}, "Answers"), table(["status", "what it means", "form"],
    Object.entries(operation.responses).map(([status, response]) => [
      make("code", {}, status), response.description,
      make("span", {}, ...Object.entries(response.content ?? {}).flatMap(([media, content], i) =>
        [i ? ", " : "", make("code", {}, media), " ", content.schema ? brief(content.schema) : ""])),
    ])));
  return make("details", { class: "operation", id: `operation-${operation.operationId}` },
    make("summary", {}, make("span", { class: `method ${method}` }, method.toUpperCase()), make("code", {}, path),
      make("span", {}, operation.summary ?? "")), inside);
};

const showSchema = (name, schema) => {
  const inside = make("div", { class: "inside" });
  if (schema.description) inside.append(make("p", {}, schema.description));
  const members = Object.entries(schema.properties ?? {});
  if (members.length) {
    inside.append(table(["member", "what it is", ""], members.map(([member, one]) => [
      make("span", {}, make("code", {}, member), (schema.required ?? []).includes(member) ? " *" : ""),
      brief(one), one.description,
    ])));
  } else {
    inside.append(make("p", {}, brief(schema)));
  }
  inside.append(make("details", {}, make("summary", {}, "JSON Schema"), make("pre", {}, JSON.stringify(schema, null, 2))));
  return make("details", { class: "schema", id: `schema-${name}` }, make("summary", {}, make("code", {}, name)), inside);
};

const openTarget = () => {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (target?.tagName === "DETAILS") target.open = true;
  target?.scrollIntoView();
};

const draw = (api) => {
  document.getElementById("about").textContent = api.info.description;
  const [contents, page] = [document.getElementById("contents"), document.getElementById("operations")];
  const all = Object.entries(api.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method, path, operation })));
  for (const tag of api.tags) {
    const own = all.filter(({ operation }) => operation.tags.includes(tag.name));
    if (!own.length) continue;
    contents.append(make("h2", {}, tag.name));
    page.append(make("h2", { class: "tag" }, tag.name), make("p", { class: "tag" }, tag.description));
    for (const { method, path, operation } of own) {
      contents.append(make("a", { href: `#operation-${operation.operationId}` },
        make("span", { class: `method ${method}` }, method.toUpperCase()), " ", path));
      page.append(showOperation(method, path, operation));
    }
  }
  page.append(make("h2", { class: "tag" }, "problems"),
    make("p", { class: "tag" }, "Every refusal is one of these, as application/problem+json (RFC 9457)."),
    table(["type", "status", "what it means"], api["x-problems"].map((one) =>
      [make("code", { id: `problem-${one.name}` }, one.name), String(one.status), one.title])));
  page.append(make("h2", { class: "tag" }, "schemas"));
  for (const [name, schema] of Object.entries(api.components.schemas)) page.append(showSchema(name, schema));
  document.getElementById("find").addEventListener("input", ({ target }) => {
    const words = target.value.toLowerCase().split(/\s+/);
    for (const card of page.querySelectorAll("details.operation, details.schema")) {
      card.hidden = !words.every((word) => card.textContent.toLowerCase().includes(word));
    }
  });
  addEventListener("hashchange", openTarget);
  openTarget();
};

fetch("/openapi.json")
  .then((response) => response.json())
  .then(draw)
  .catch((error) => { document.getElementById("operations").textContent = `The description could not be read: ${error}`; });
