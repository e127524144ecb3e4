// Renders /openapi.json as a page, without external resources. All text is set as text nodes, never
// as HTML.
"use strict";

const createElement = (tag, attributes = {}, ...children) => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
};

// Methods in the order in which they are shown.
const METHODS = ["get", "put", "post", "delete"];

const nameOf = (reference) => reference.split("/").pop();

// Summarises a schema, with links to the schemas it refers to.
const summariseSchema = (schema) => {
  if (!schema || schema === true) return "anything";
  if (schema.$ref)
    return createElement("a", { href: `#schema-${nameOf(schema.$ref)}` }, nameOf(schema.$ref));
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  const subschemas = schema.anyOf || schema.oneOf || schema.allOf;
  if (subschemas)
    return createElement(
      "span",
      {},
      ...subschemas.flatMap((subschema, i) => {
        const summary = summariseSchema(subschema);
        return i ? [schema.allOf ? " & " : " | ", summary] : [summary];
      }),
    );
  const type = [].concat(schema.type ?? "anything").join(" | ");
  if (type === "array") return createElement("span", {}, "list of ", summariseSchema(schema.items));
  const bounds = [];
  if (schema.minimum !== undefined) bounds.push(`from ${schema.minimum}`);
  if (schema.maximum !== undefined) bounds.push(`to ${schema.maximum}`);
  if (schema.pattern) bounds.push(schema.pattern);
  return [type, ...bounds].join(" ");
};

const table = (head, rows) => {
  const row = (tag, cells) =>
    createElement("tr", {}, ...cells.map((cell) => createElement(tag, {}, cell ?? "")));
  return createElement(
    "div",
    { class: "wide" },
    createElement(
      "table",
      {},
      createElement("thead", {}, row("th", head)),
      createElement("tbody", {}, ...rows.map((cells) => row("td", cells))),
    ),
  );
};

// Returns the example request of an operation as a command. A body without an example is read from
// a file.
const curl = (method, path, operation) => {
  const parts = ["curl"];
  const [media, body] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
  if (method !== "get" && !(method === "post" && body)) parts.push("-X", method.toUpperCase());
  if (operation.security) parts.push("-H", '"Authorization: Bearer $TOKEN"');
  const query = [];
  for (const { name, in: place, example } of operation.parameters ?? []) {
    if (example === undefined) continue;
    if (place === "path") path = path.replace(`{${name}}`, example);
    if (place === "query") query.push(`${name}=${example}`);
    if (place === "header") parts.push("-H", `'${name}: ${example}'`);
  }
  if (body) parts.push("-H", `'Content-Type: ${media}'`);
  if (body?.example) parts.push("-d", `'${JSON.stringify(body.example)}'`);
  else if (body) parts.push("--data-binary", "@FILE");
  parts.push(`'${location.origin}${path}${query.length ? `?${query.join("&")}` : ""}'`);
  return parts.join(" ");
};

// Groups routes with the same summary: several methods, with and without suffix, in a guild and in
// a direct message.
const groupRoutes = (routes) => {
  const groups = new Map();
  for (const route of routes) {
    // Only routes that negotiate the format respond with 406.
    const isPlain = ({ method, path, operation }) =>
      method === route.method && route.path.startsWith(`${path}.`) && operation.responses["406"];
    const plain = routes.find(isPlain) ?? route;
    route.suffix = route.path.slice(plain.path.length);
    const path = plain.path
      .replace("/v1/channels", "/v1/guilds/{guild}/channels")
      .replace(/channels\/(maps|export|import)$/, "$1");
    const key = `${path} ${plain.operation.summary}`;
    groups.set(key, [...(groups.get(key) ?? []), route]);
  }
  // Guilds first, paths without suffix before those with one.
  const rank = ({ path, method, suffix }) =>
    [suffix !== "", path.startsWith("/v1/channels"), method === "post"].map(Number).join("");
  const sorted = [...groups.values()].map((group) =>
    group.sort((a, b) => rank(a).localeCompare(rank(b))),
  );
  // Routes of a channel before those of a guild; reading before changing.
  const order = ([{ path, method }]) =>
    `${path.includes("{channel}") ? 0 : 1} ${path} ${METHODS.indexOf(method)}`;
  return sorted.sort((a, b) => (order(a) < order(b) ? -1 : 1));
};

const describe = ({ method, path, operation }) => {
  const inside = [createElement("pre", {}, curl(method, path, operation))];
  const parameters = operation.parameters ?? [];
  if (parameters.length) {
    inside.push(
      createElement("h3", {}, "Parameters"),
      table(
        ["name", "in", "type", "description"],
        parameters.map((parameter) => {
          const schema = parameter.schema ?? Object.values(parameter.content ?? {})[0]?.schema;
          return [
            createElement("code", {}, parameter.name),
            parameter.required ? `${parameter.in}, required` : parameter.in,
            summariseSchema(schema),
            parameter.description,
          ];
        }),
      ),
    );
  }
  for (const [media, content] of Object.entries(operation.requestBody?.content ?? {})) {
    inside.push(
      createElement("h3", {}, "Body"),
      createElement(
        "p",
        {},
        createElement("code", {}, media),
        " ",
        summariseSchema(content.schema),
      ),
    );
  }
  return inside;
};

const responseTable = (group) => {
  const all = new Map();
  for (const { operation } of group) {
    for (const [status, response] of Object.entries(operation.responses)) {
      const row = all.get(status) ?? { descriptions: new Set(), media: new Map() };
      row.descriptions.add(response.description);
      for (const [media, content] of Object.entries(response.content ?? {}))
        row.media.set(media, content.schema);
      all.set(status, row);
    }
  }
  return table(
    ["status", "description", "content"],
    [...all]
      .sort(([a], [b]) => a - b)
      .map(([status, { descriptions, media }]) => [
        createElement("code", {}, status),
        [...descriptions].join(" "),
        createElement(
          "span",
          {},
          ...[...media].flatMap(([name, schema], i) => [
            i ? ", " : "",
            status < 400 ? createElement("code", {}, name) : "",
            " ",
            schema ? summariseSchema(schema) : "",
          ]),
        ),
      ]),
  );
};

const showGroup = (group) => {
  const [{ path, operation }] = group;
  const plain = group.filter((route) => !route.suffix);
  const samePath = plain.filter((route) => route.path === path);
  const methods = [...new Set(samePath.map((route) => route.method))];
  const suffixes = [...new Set(group.map((route) => route.suffix).filter(Boolean))];
  const inside = createElement("div", { class: "inside" });
  // Every operation has an anchor for links.
  group
    .slice(1)
    .forEach((route) =>
      inside.append(createElement("span", { id: `operation-${route.operation.operationId}` })),
    );
  samePath.forEach((route) => inside.append(...describe(route)));
  const direct = plain.find((route) => route.path !== path);
  if (direct)
    inside.append(
      createElement(
        "p",
        {},
        "In a direct message, without a guild: ",
        createElement("code", {}, direct.path),
      ),
    );
  if (suffixes.length) {
    const links = suffixes.flatMap((suffix, i) => [
      i ? ", " : "",
      createElement("code", {}, path + suffix),
    ]);
    inside.append(createElement("p", {}, "In a fixed format, regardless of Accept: ", ...links));
  }
  inside.append(createElement("h3", {}, "Responses"), responseTable(group));
  return createElement(
    "details",
    { class: "operation", id: `operation-${operation.operationId}` },
    createElement(
      "summary",
      {},
      ...methods.map((method) =>
        createElement("span", { class: `method ${method}` }, method.toUpperCase()),
      ),
      createElement("code", {}, path),
      createElement("span", { class: "suffixes" }, suffixes.join(" ")),
      createElement("span", { class: "summary" }, operation.summary ?? ""),
    ),
    inside,
  );
};

const showSchema = (name, schema) => {
  const inside = createElement("div", { class: "inside" });
  if (schema.description) inside.append(createElement("p", {}, schema.description));
  const members = Object.entries(schema.properties ?? {});
  if (members.length) {
    inside.append(
      table(
        ["member", "type", "description"],
        members.map(([member, memberSchema]) => [
          createElement(
            "span",
            {},
            createElement("code", {}, member),
            (schema.required ?? []).includes(member) ? " *" : "",
          ),
          summariseSchema(memberSchema),
          memberSchema.description,
        ]),
      ),
    );
  } else {
    inside.append(createElement("p", {}, summariseSchema(schema)));
  }
  inside.append(
    createElement(
      "details",
      {},
      createElement("summary", {}, "JSON Schema"),
      createElement("pre", {}, JSON.stringify(schema, null, 2)),
    ),
  );
  return createElement(
    "details",
    { class: "schema", id: `schema-${name}` },
    createElement("summary", {}, createElement("code", {}, name)),
    inside,
  );
};

const openTarget = () => {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const card = target?.closest("details");
  if (card) card.open = true;
  (card ?? target)?.scrollIntoView();
};

// Shows maps generated by the service. A server that requires a token shows none.
const showSamples = (api) => {
  const theme = matchMedia("(prefers-color-scheme: dark)").matches ? "night" : "parchment";
  const list = document.getElementById("samples");
  for (const [route, operations] of Object.entries(api.paths)) {
    const family = /^\/v1\/([a-z]+)\.svg$/.exec(route)?.[1];
    if (!operations.get || !family) continue;
    const path = `${route}?seed=42`;
    const src = `${path}&theme=${theme}`;
    const picture = createElement("img", { src, alt: `The ${family} of seed 42`, loading: "lazy" });
    const item = createElement("li", {}, createElement("a", { href: src }, picture, path));
    picture.addEventListener("error", () => item.remove());
    list.append(item);
  }
  const json = "-H 'Content-Type: application/json'";
  document.getElementById("examples").textContent = [
    `server=${location.origin} map=$server/v1/guilds/my-guild/channels/general/map`,
    'curl "$server/v1/act.png?seed=42" -o map.png  # a map as PNG',
    `curl ${json} -d '{"seed": 42}' $server/v1/act  # the same map as JSON`,
    `curl -i ${json} -d '{"family": "act", "seed": 42}' $map  # store it: ETag "1"`,
    `curl ${json} -H 'If-Match: "1"' -d '{"move": "1,0"}' $map/move  # play it`,
  ].join("\n");
};

const showSection = (contents, page, name, description) => {
  contents.append(createElement("a", { class: "tag", href: `#${name}` }, name));
  page.append(
    createElement("h2", { class: "tag", id: name }, name),
    createElement("p", { class: "tag" }, description),
  );
};

const render = (api) => {
  showSamples(api);
  document.getElementById("description").textContent = api.info.description;
  const [contents, page] = [
    document.getElementById("contents"),
    document.getElementById("operations"),
  ];
  const routes = Object.entries(api.paths)
    .filter(([path]) => !path.startsWith("/docs/"))
    .flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => ({ method, path, operation })),
    );
  for (const tag of api.tags) {
    const tagged = routes.filter(({ operation }) => operation.tags.includes(tag.name));
    if (!tagged.length) continue;
    showSection(contents, page, tag.name, tag.description);
    for (const group of groupRoutes(tagged)) {
      const [{ method, path, operation }] = group;
      contents.append(
        createElement(
          "a",
          { href: `#operation-${operation.operationId}`, title: operation.summary },
          createElement("span", { class: `method ${method}` }, method.toUpperCase()),
          path
            .replace("/v1/guilds/{guild}/channels/{channel}", "\u2026")
            .replace("/v1/guilds/{guild}", "\u2026")
            .replace("/v1", ""),
        ),
      );
      page.append(showGroup(group));
    }
  }
  showSection(
    contents,
    page,
    "problems",
    "Types of errors. Every error is an application/problem+json document (RFC 9457).",
  );
  const problems = table(
    ["type", "status", "title"],
    api["x-problems"].map(({ name, status, title }) => [
      createElement("code", {}, name),
      String(status),
      title,
    ]),
  );
  problems.querySelectorAll("tbody tr").forEach((row, i) => {
    row.id = `problem-${api["x-problems"][i].name}`;
  });
  page.append(problems);
  showSection(
    contents,
    page,
    "schemas",
    "Schemas of requests and responses; * marks required members.",
  );
  for (const [name, schema] of Object.entries(api.components.schemas))
    page.append(showSchema(name, schema));
  document.getElementById("search").addEventListener("input", ({ target }) => {
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
  .then(render)
  .catch((error) => {
    document.getElementById("operations").textContent =
      `The OpenAPI description could not be loaded: ${error}`;
  });
