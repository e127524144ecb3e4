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
  make("div", { class: "wide" }, make("table", {},
    make("thead", {}, make("tr", {}, ...head.map((text) => make("th", {}, text)))),
    make("tbody", {}, ...rows.map((row) => make("tr", {}, ...row.map((cell) => make("td", {}, cell ?? "")))))));

const BODIES = {
  MapRequest: '{"family": "act", "seed": 42}', MoveRequest: '{"move": "1,0"}', RestoreRequest: '{"revision": 1}',
  ReseedRequest: '{"seed": 43}', RoutesRequest: '{"seed": 42}',
};

const curl = (method, path, operation) => {
  const parts = ["curl"];
  const body = Object.entries(operation.requestBody?.content ?? {})[0];
  if (method !== "get" && !(method === "post" && body)) parts.push("-X", method.toUpperCase());
  if (operation.security) parts.push("-H", "\"Authorization: Bearer $TOKEN\"");
  const parameters = operation.parameters ?? [];
  if (parameters.some((one) => one.name === "If-Match" && one.required)) parts.push("-H", "'If-Match: \"1\"'");
  if (body) {
    const name = nameOf(body[1].schema?.$ref ?? "");
    const file = /Lines|Document/.test(name);
    parts.push("-H", `'Content-Type: ${body[0]}'`, file ? "--data-binary @FILE" : `-d '${BODIES[name] ?? '{"seed": 42}'}'`);
  }
  const seed = parameters.some((one) => one.name === "seed");
  const where = path.replace("{guild}", "my-guild").replace("{channel}", "general").replace("{revision}", "1");
  parts.push(`'${location.origin}${where}${seed ? "?seed=42" : ""}'`);
  return parts.join(" ");
};

// The routes that say the same: one method and another, with and without a suffix, in a guild and in a direct message.
const FORM = /(?<!openapi)\.(json|svg|png|txt)$/;
const stemOf = (path) => path.replace(FORM, "");
const gather = (all) => {
  const plain = ({ method, path }) => all.find((one) => one.method === method && one.path === stemOf(path)).operation;
  const groups = new Map();
  for (const one of all) {
    const path = stemOf(one.path).replace("/v1/channels", "/v1/guilds/{guild}/channels").replace(/channels\/(maps|export|import)$/, "$1");
    const key = `${path} ${plain(one).summary}`;
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  // Guilds first, plain paths before those with a suffix.
  const rank = ({ path, method }) => [FORM.test(path), path.startsWith("/v1/channels"), method === "post"].map(Number).join("");
  const sorted = [...groups.values()].map((group) => group.sort((a, b) => rank(a).localeCompare(rank(b))));
  // A channel's map before what is about all of a guild; looking before changing.
  const order = ([{ path, method }]) => `${path.includes("{channel}") ? 0 : 1} ${path} ${["get", "put", "post", "delete"].indexOf(method)}`;
  return sorted.sort((a, b) => (order(a) < order(b) ? -1 : 1));
};

const describe = ({ method, path, operation }) => {
  const inside = [make("pre", {}, curl(method, path, operation))];
  const parameters = operation.parameters ?? [];
  if (parameters.length) {
    inside.push(make("h3", {}, "Parameters"), table(["name", "in", "what it is", ""],
      parameters.map((one) => {
        const schema = one.schema ?? Object.values(one.content ?? {})[0]?.schema;
        return [make("code", {}, one.name), one.required ? `${one.in}, needed` : one.in, brief(schema), one.description];
      })));
  }
  for (const [media, content] of Object.entries(operation.requestBody?.content ?? {})) {
    inside.push(make("h3", {}, "Body"), make("p", {}, make("code", {}, media), " ", brief(content.schema)));
  }
  return inside;
};

const answers = (group) => {
  const all = new Map();
  for (const { operation } of group) {
    for (const [status, response] of Object.entries(operation.responses)) {
      const row = all.get(status) ?? { said: new Set(), media: new Map() };
      row.said.add(response.description);
      for (const [media, content] of Object.entries(response.content ?? {})) row.media.set(media, content.schema);
      all.set(status, row);
    }
  }
  return table(["status", "what it means", "form"], [...all].sort(([a], [b]) => a - b).map(([status, { said, media }]) => [
    make("code", {}, status), [...said].join(" "),
    make("span", {}, ...[...media].flatMap(([name, schema], i) => [i ? ", " : "",
      status < 400 ? make("code", {}, name) : "", " ", schema ? brief(schema) : ""])),
  ]));
};

const showGroup = (group) => {
  const [{ path, operation }] = group;
  const plain = group.filter((one) => !FORM.test(one.path));
  const here = plain.filter((one) => one.path === path);
  const methods = [...new Set(here.map((one) => one.method))];
  const forms = [...new Set(group.map((one) => FORM.exec(one.path)?.[0]).filter(Boolean))];
  const inside = make("div", { class: "inside" });
  // Every operation has its place, so that links to it arrive.
  group.slice(1).forEach((one) => inside.append(make("span", { id: `operation-${one.operation.operationId}` })));
  here.forEach((one) => inside.append(...describe(one)));
  const direct = plain.find((one) => one.path !== path);
  if (direct) inside.append(make("p", {}, "In a direct message, which has no guild: ", make("code", {}, direct.path)));
  if (forms.length) {
    const links = forms.flatMap((form, i) => [i ? ", " : "", make("code", {}, path + form)]);
    inside.append(make("p", {}, "In one form, whatever Accept says: ", ...links));
  }
  inside.append(make("h3", {}, "Answers"), answers(group));
  return make("details", { class: "operation", id: `operation-${operation.operationId}` },
    make("summary", {}, ...methods.map((method) => make("span", { class: `method ${method}` }, method.toUpperCase())),
      make("code", {}, path), make("span", { class: "forms" }, forms.join(" ")),
      make("span", { class: "about" }, operation.summary ?? "")), inside);
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
  const card = target?.closest("details");
  if (card) card.open = true;
  (card ?? target)?.scrollIntoView();
};

// What the service makes, made by it just now. A server that wants a token shows none.
const showSamples = () => {
  const theme = matchMedia("(prefers-color-scheme: dark)").matches ? "night" : "parchment";
  const list = document.getElementById("samples");
  for (const family of ["act", "level", "floor", "tower"]) {
    const path = `/v1/${family}.svg?seed=42&theme=${theme}`;
    const picture = make("img", { src: path, alt: `The ${family} of seed 42`, loading: "lazy" });
    const item = make("li", {}, make("a", { href: path }, picture, `/v1/${family}.svg?seed=42`));
    picture.addEventListener("error", () => item.remove());
    list.append(item);
  }
  const json = "-H 'Content-Type: application/json'";
  document.getElementById("first").textContent = [
    `at=${location.origin} map=$at/v1/guilds/my-guild/channels/general/map`,
    "curl \"$at/v1/act.png?seed=42\" -o map.png  # a picture",
    `curl ${json} -d '{"seed": 42}' $at/v1/act  # the same map as JSON`,
    `curl -i ${json} -d '{"family": "act", "seed": 42}' $map  # keep it: ETag "1"`,
    `curl ${json} -H 'If-Match: "1"' -d '{"move": "1,0"}' $map/move  # and play it`,
  ].join("\n");
};

const showSection = (contents, page, name, about) => {
  contents.append(make("a", { class: "tag", href: `#${name}` }, name));
  page.append(make("h2", { class: "tag", id: name }, name), make("p", { class: "tag" }, about));
};

const draw = (api) => {
  document.getElementById("about").textContent = api.info.description;
  const [contents, page] = [document.getElementById("contents"), document.getElementById("operations")];
  const all = Object.entries(api.paths).filter(([path]) => !path.startsWith("/docs/")).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method, path, operation })));
  for (const tag of api.tags) {
    const own = all.filter(({ operation }) => operation.tags.includes(tag.name));
    if (!own.length) continue;
    showSection(contents, page, tag.name, tag.description);
    for (const group of gather(own)) {
      const [{ method, path, operation }] = group;
      contents.append(make("a", { href: `#operation-${operation.operationId}`, title: operation.summary },
        make("span", { class: `method ${method}` }, method.toUpperCase()), path.replace("/v1/guilds/{guild}/channels/{channel}", "\u2026").replace("/v1/guilds/{guild}", "\u2026").replace("/v1", "")));
      page.append(showGroup(group));
    }
  }
  showSection(contents, page, "problems", "Every refusal is one of these, as application/problem+json (RFC 9457).");
  const problems = table(["type", "status", "what it means"], api["x-problems"].map((one) =>
    [make("code", {}, one.name), String(one.status), one.title]));
  problems.querySelectorAll("tbody tr").forEach((row, i) => { row.id = `problem-${api["x-problems"][i].name}`; });
  page.append(problems);
  showSection(contents, page, "schemas", "What goes in and out, by name; * is a member that must be there.");
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

showSamples();
fetch("/openapi.json")
  .then((response) => response.json())
  .then(draw)
  .catch((error) => { document.getElementById("operations").textContent = `The description could not be read: ${error}`; });
