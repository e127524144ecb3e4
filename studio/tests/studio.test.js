// The studio, walked through in a real browser: every page draws, pins, plays, compares, saves, and comes back from its link.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";
import { digest, nodeAt, openPage, startBrowser, startStudio, verdict } from "./walk.js";

const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
let studio;
let browser;

before(async () => {
  studio = await startStudio();
  browser = await startBrowser();
});

after(async () => {
  await browser?.close();
  assert.equal(await studio?.stop(), 0, "the studio ends well when it is asked to");
});

/** Walks with a page that must not complain. */
async function walk(hash, steps, options) {
  const opened = await openPage(browser, studio.address, hash, options);
  try {
    await steps(opened.page);
    assert.deepEqual(opened.wrong, []);
  } finally {
    await opened.close();
  }
}

const post = async (path, body) => (await fetch(`${studio.address}${path}`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) })).json();

const PAGES = [
  ["act", "#/act?seed=42", { seed: "42" }],
  ["act", "#/act?seed=42&ruleset=rows", { seed: "42", config: { ruleset: "rows" } }],
  ["act", "#/act?seed=42&ruleset=spire&act=2", { seed: "42", config: { ruleset: "spire", act: 2 } }],
  ["level", "#/level?seed=7&walls=caves", { seed: "7", config: { walls: "caves" } }],
  ["floor", "#/floor?seed=first%20light&width=9&height=7", { seed: "first light", config: { width: 9, height: 7 } }],
  ["tower", "#/tower?seed=3&floors=6", { seed: "3", config: { floors: 6 } }],
];

for (const [family, hash, ask] of PAGES) {
  test(`${hash} draws the map that the service makes, and all rules hold`, () =>
    walk(hash, async (page) => {
      const expected = (await post(`v1/${family}`, ask)).digest;
      assert.equal(await digest(page), expected);
      assert.equal(await verdict(page), "true");
      assert.ok((await page.locator(".rule.good").count()) >= 15);
      assert.ok((await page.locator("img.picture").getAttribute("alt")).length > 30, "the picture tells itself");
    }));
}

test("every field of every schema has a control with a label", () =>
  walk("#/act", async (page) => {
    const schemas = await (await fetch(`${studio.address}studio/${await version(page)}/schemas.json`)).json();
    const defs = (family, name) => Object.keys(schemas[family].$defs[name].properties).filter((field) => field !== "ruleset");
    const wanted = [
      ["#/act", defs("act", "WalksConfig")],
      ["#/act?seed=1&ruleset=rows", defs("act", "RowsConfig")],
      ["#/act?seed=1&ruleset=spire", defs("act", "SpireConfig")],
      ["#/level", defs("level", "LevelConfig")],
      ["#/floor", defs("floor", "FloorConfig")],
      ["#/tower", [...defs("tower", "TowerConfig"), ...defs("floor", "FloorConfig")]],
      ["#/water", Object.keys(schemas.water.properties)],
    ];
    for (const [hash, fields] of wanted) {
      await page.evaluate((hash) => (location.hash = hash), hash);
      await page.locator(`nav a[aria-current][data-family=${hash.slice(2).split("?")[0]}]`).waitFor();
      await page.waitForTimeout(150);
      for (const field of fields) assert.ok((await page.locator(`#controls [data-field="${field}"]`).count()) > 0, `${hash}: ${field}`);
    }
    await page.goto(`${studio.address}#/level`);
    const width = page.locator('[data-field="width"] input[type=number]').first();
    const { minimum, maximum } = schemas.level.$defs.LevelConfig.properties.width;
    assert.equal(await width.getAttribute("min"), String(minimum));
    assert.equal(await width.getAttribute("max"), String(maximum));
  }));

async function version(page) {
  return /studio\/([0-9a-f]{16})\//.exec(await page.locator("script[type=module]").getAttribute("src"))[1];
}

test("a change of a field changes map, link and figures; undo and redo bring them back", () =>
  walk("#/act?seed=42", async (page) => {
    const first = await digest(page);
    await page.locator('[data-field="rows"] input[type=number]').fill("9");
    const second = await digest(page, first);
    assert.equal(second, (await post("v1/act", { seed: "42", config: { rows: 9 } })).digest);
    await page.waitForFunction(() => location.hash === "#/act?seed=42&rows=9");
    await page.keyboard.press("Control+z");
    assert.equal(await digest(page, second), first);
    await page.waitForFunction(() => location.hash === "#/act?seed=42");
    assert.equal(await page.locator('[data-field="rows"] input[type=number]').inputValue(), "15");
    await page.locator("#redo").click();
    assert.equal(await digest(page, first), second);
    await page.reload();
    assert.equal(await digest(page), second, "the link brings the same map");
  }));

test("a refusal is told beside the field that it names, and the last picture stays", () =>
  walk("#/act?seed=42", async (page) => {
    await digest(page);
    await page.locator('[data-field="rows"] input[type=number]').fill("0");
    await page.locator(".problem:not([hidden])").waitFor();
    assert.match(await page.locator('[data-field="rows"] .fault').textContent(), /rows = 0: out of range; use 1 to 4096/);
    assert.equal(await page.locator('[data-field="rows"] input[type=number]').getAttribute("aria-invalid"), "true");
    assert.ok(await page.locator("img.picture").isVisible());
    await page.locator('[data-field="rows"] input[type=number]').fill("12");
    await page.locator(".problem").waitFor({ state: "hidden" });
    assert.equal(await page.locator('[data-field="rows"] .fault').textContent(), "");
  }));

test("dice roll a new seed, and the history brings the old one back", () =>
  walk("#/floor?seed=abc", async (page) => {
    const first = await digest(page);
    await page.locator("#dice").click();
    await digest(page, first);
    assert.notEqual(await page.locator("#seed").inputValue(), "abc");
    await page.locator("#seed-history").focus();
    await page.locator("#seed-history").selectOption("sabc");
    await page.waitForFunction((first) => document.querySelector("#stage").dataset.digest === first, first);
    assert.equal(await page.locator("#seed").inputValue(), "abc");
  }));

test("a node that is pinned stays while the rest is rolled again", () =>
  walk("#/act?seed=42", async (page) => {
    const first = await digest(page);
    const shop = await nodeAt(page, 13, 3);
    assert.equal(shop.kind, "shop");
    await page.mouse.click(shop.x, shop.y);
    const pinned = await digest(page, first);
    await page.locator(".pin").waitFor();
    await page.waitForFunction(() => decodeURIComponent(location.hash).includes('pins=[{"row":13,"col":3,"kind":"shop"}]'));
    await page.keyboard.press("Escape");
    await page.locator("#dice").click();
    await digest(page, pinned);
    assert.equal((await nodeAt(page, 13, 3)).kind, "shop");
    assert.equal(await verdict(page), "true");
  }));

test("a cell that is pinned stays, by keys alone", () =>
  walk("#/level?seed=7&width=20&height=14", async (page) => {
    const first = await digest(page);
    await page.locator("h1").click();
    await page.keyboard.press("m");
    for (let i = 0; i < 9; i++) await page.keyboard.press("ArrowRight");
    for (let i = 0; i < 7; i++) await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await digest(page, first);
    await page.waitForFunction(() => decodeURIComponent(location.hash).includes("pins="));
    const drawing = JSON.parse(new URLSearchParams((await page.evaluate(() => location.hash)).split("?")[1]).get("pins"));
    assert.equal(drawing.join("").replaceAll("?", "").length, 1, "one cell is pinned");
    assert.match(await page.locator("#announcer").textContent(), /is pinned as/);
    assert.equal(await page.locator(".pin").count(), 1);
  }));

test("an act is played through the fog to the boss, and a step is taken back", () =>
  walk("#/act?seed=42&@fog=2", async (page) => {
    await digest(page);
    await page.locator("label.tab", { hasText: "Play" }).click();
    await page.locator(".legal").first().waitFor();
    let steps = 0;
    while (!/goal is reached/.test(await page.locator("#run").textContent())) {
      const before = await page.evaluate(() => location.hash);
      await page.locator(".legal").first().evaluate((ring) => {
        const box = ring.getBoundingClientRect();
        const at = { bubbles: true, clientX: box.left + box.width / 2, clientY: box.top + box.height / 2 };
        ring.closest("svg").dispatchEvent(new MouseEvent("click", at));
      });
      await page.waitForFunction((before) => location.hash !== before, before);
      await page.waitForTimeout(120);
      steps += 1;
      assert.ok(steps < 40);
    }
    assert.equal(steps, 16, "fifteen rows and the boss");
    assert.match(await page.evaluate(() => location.hash), /;boss&@fog=2$/);
    await page.locator("h1").click();
    await page.keyboard.press("Backspace");
    await page.waitForFunction(() => !/boss/.test(location.hash));
    await page.waitForFunction(() => /1 legal move/.test(document.querySelector("#run").textContent));
  }));

test("a tower is climbed by clicks", () =>
  walk("#/tower?seed=3&@play=", async (page) => {
    await digest(page);
    await page.locator(".legal").first().waitFor();
    await page.locator(".legal").first().evaluate((ring) => {
      const box = ring.getBoundingClientRect();
      ring.closest("svg").dispatchEvent(new MouseEvent("click", { bubbles: true, clientX: box.left + box.width / 2, clientY: box.top + box.height / 2 }));
    });
    await page.waitForFunction(() => /@play=(north|east|south|west)/.test(location.hash));
  }));

test("two maps stand side by side with what differs", () =>
  walk("#/act?seed=42", async (page) => {
    await digest(page);
    await page.locator("#compare").click();
    await page.locator(".pane.active .pane-head", { hasText: "B" }).waitFor();
    await page.locator('[data-field="cols"] input[type=number]').fill("9");
    await page.locator("#difference tr", { hasText: "Cols" }).waitFor();
    assert.equal(await page.locator(".panes.two img.picture").count(), 2);
    await page.waitForFunction(() => /@b=/.test(location.hash));
    const hash = await page.evaluate(() => location.hash);
    await page.reload();
    await page.locator("#difference tr", { hasText: "Cols" }).waitFor();
    assert.equal(await page.evaluate(() => location.hash), hash);
    await page.locator("#compare").click();
    await page.locator(".panes.two").waitFor({ state: "detached" });
  }));

test("a route with the most elites is shown on the map", () =>
  walk("#/act?seed=42", async (page) => {
    await page.locator(".routes-count", { hasText: "184" }).waitFor();
    await page.locator("table.routes tr", { hasText: "elite" }).locator("button").last().click();
    assert.ok((await page.locator("path.witness").getAttribute("d")).split("M").length > 14);
  }));

test("a damaged map is opened: the broken rule is red, and its place lights up", () =>
  walk("#/act?seed=1", async (page) => {
    await digest(page);
    const document = await post("v1/act", { seed: 42 });
    document.map.edges.splice(5, 1);
    await page.locator("#document").setInputFiles({ name: "map.json", mimeType: "application/json", buffer: Buffer.from(JSON.stringify(document)) });
    await page.locator('.verdict[data-valid="false"]').waitFor();
    assert.equal(await page.locator("#seed").inputValue(), "42");
    assert.ok((await page.locator(".rule.bad").count()) >= 2, "the digest, and what the edge was needed for");
    await page.locator(".places button").last().hover();
    await page.locator(".fault-mark, .fault-line").first().waitFor();
  }));

test("the map is saved in every form", () =>
  walk("#/level?seed=7&@witness=all", async (page) => {
    const shown = await digest(page);
    const begins = { json: '{"format"', svg: "<svg ", png: "\u0089PNG", txt: "O" };
    for (const [form, begin] of Object.entries(begins)) {
      const [saved] = await Promise.all([page.waitForEvent("download"), page.locator(`[data-form=${form}]`).click()]);
      assert.equal(saved.suggestedFilename(), `level-7.${form}`);
      const bytes = await readFile(await saved.path());
      assert.equal(bytes.subarray(0, begin.length).toString("latin1").replace(/\s/g, "").slice(0, 4), begin.replace(/\s/g, "").slice(0, 4), form);
      if (form === "json") assert.equal(JSON.parse(bytes.toString()).digest, shown);
    }
  }));

test("a way over water is found, watched and compared with plain search", () =>
  walk("#/water?seed=7&width=160&height=100&scale=60", async (page) => {
    await page.locator("#figures meter").first().waitFor();
    await page.waitForFunction(() => Number(document.querySelector("#sea").dataset.way) > 20);
    const hash = await page.evaluate(() => location.hash);
    const query = new URLSearchParams(hash.split("?")[1]);
    const ends = (name) => query.get(name).split(";").map((end) => end.split(",").map(Number));
    const config = { width: 160, height: 100, scale: 60 };
    const answer = await post("v1/way", { seed: "7", config, sources: ends("@from"), targets: ends("@to"), method: "pieces" });
    const told = await page.locator("#figures").textContent();
    assert.ok(told.includes(`${answer.counts.visited.toLocaleString("en-US")} visited`) && told.includes(`${answer.bfs.visited.toLocaleString("en-US")} visited`));
    await page.locator("#step").fill("0");
    assert.equal(await page.locator("#search-told").textContent(), "0 tiles visited");
    assert.equal(await page.locator("#sea").getAttribute("data-way"), "0");
    await page.locator("#step").fill(await page.locator("#step").getAttribute("max"));
    const watched = `${answer.counts.visited.toLocaleString("en-US")} tiles visited; a way of ${answer.way.steps} steps`;
    assert.equal(await page.locator("#search-told").textContent(), watched, "all that was visited has been watched");
    await page.locator("#method").selectOption("bfs");
    await page.waitForFunction(() => /@method=bfs/.test(location.hash));
    await page.locator("#figures .label", { hasText: "bfs" }).waitFor();
    const before = await page.evaluate(() => location.hash);
    await page.locator("label.tab", { hasText: "Target" }).click();
    const box = await page.locator("#sea").boundingBox();
    const [x, y] = ends("@from")[0];
    await page.mouse.click(box.x + ((x + 8.5) / 160) * box.width, box.y + ((y + 0.5) / 100) * box.height);
    await page.waitForFunction((before) => location.hash !== before, before);
  }));

test("maps from files are read: a drawing, Moving AI's, OpenFront's", () =>
  walk("#/water?seed=7&width=60&height=40&scale=20", async (page) => {
    await page.locator("#figures meter").first().waitFor();
    const take = (files) => page.locator("#sea-file").setInputFiles(files.map(([name, text]) => ({ name, mimeType: "application/octet-stream", buffer: Buffer.from(text) })));
    await take([["little.txt", "......\n.####.\n......\n"]]);
    await page.locator("#from-file", { hasText: "little.txt, 6 x 3 tiles" }).waitFor();
    await page.waitForFunction(() => Number(document.querySelector("#sea").dataset.way) > 3);
    await take([["m.map", "type octile\nheight 2\nwidth 5\nmap\n..@..\n.....\n"]]);
    await page.locator("#from-file", { hasText: "m.map, 5 x 2 tiles" }).waitFor();
    await take([["map.bin", [1, 1, 128, 1, 1, 2]], ["manifest.json", '{"map":{"width":3,"height":2}}']]);
    await page.locator("#from-file", { hasText: "map.bin, 3 x 2 tiles" }).waitFor();
    await page.locator(".chart").evaluate((chart) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(["....\n.##.\n....\n"], "dropped.txt"));
      chart.dispatchEvent(new DragEvent("drop", { bubbles: true, cancelable: true, dataTransfer }));
    });
    await page.locator("#from-file", { hasText: "dropped.txt, 4 x 3 tiles" }).waitFor();
    await take([["bad.txt", "..\n.x\n"]]);
    await page.locator(".problem", { hasText: '"x" at 1,1 is no tile' }).waitFor();
  }));

test("keys reach everything: pages, seed, map, list of keys", () =>
  walk("#/act", async (page) => {
    await digest(page);
    await page.keyboard.press("?");
    assert.ok(await page.locator("#shortcuts").isVisible());
    await page.keyboard.press("Escape");
    await page.keyboard.press("4");
    await page.waitForFunction(() => location.hash.startsWith("#/tower"));
    await page.keyboard.press("s");
    assert.equal(await page.evaluate(() => document.activeElement.id), "seed");
    await page.keyboard.type("9");
    await page.waitForFunction(() => /seed=429/.test(location.hash));
  }));

test("the space bar runs the search, and presses the button that has the focus", () =>
  walk("#/water?seed=7&width=160&height=100&scale=60", async (page) => {
    await page.waitForFunction(() => Number(document.querySelector("#sea").dataset.way) > 20);
    await page.locator("#keys").focus();
    await page.keyboard.press("Space");
    assert.ok(await page.locator("#shortcuts").isVisible());
    await page.keyboard.press("Escape");
    await page.evaluate(() => document.activeElement.blur());
    await page.keyboard.press("Space");
    await page.waitForFunction(() => document.querySelector("#sea").dataset.way === "0");
    await page.waitForFunction(() => Number(document.querySelector("#sea").dataset.way) > 20);
  }));

test("the command without a word opens the studio, with a database of its own beside it", async () => {
  const plain = await startStudio([]);
  const page = await (await fetch(plain.address)).text();
  assert.match(page, /<title>Wayforge studio<\/title>/);
  assert.equal((await fetch(`${plain.address}readyz`)).status, 200);
  assert.equal(await plain.stop(), 0);
});

test("nothing runs that is not a file of the studio", () =>
  walk("#/act", async (page) => {
    const headers = (await fetch(studio.address)).headers;
    const policy = headers.get("content-security-policy");
    assert.match(policy, /default-src 'none'; script-src 'self'; style-src 'self'/);
    assert.doesNotMatch(policy, /unsafe|\*|http/);
    const html = await (await fetch(studio.address)).text();
    assert.doesNotMatch(html, /<script(?![^>]*src=)|\son\w+=|style=|https?:/);
    const file = await fetch(`${studio.address}studio/${await version(page)}/main.js`);
    assert.match(file.headers.get("cache-control"), /immutable/);
    const again = await fetch(file.url, { headers: { "If-None-Match": file.headers.get("etag") } });
    assert.equal(again.status, 304);
    assert.equal((await fetch(`${studio.address}studio/0000000000000000/main.js`)).status, 404);
  }));

for (const scheme of ["light", "dark"]) {
  for (const width of [1280, 390]) {
    test(`axe finds nothing, ${scheme}, ${width} pixels wide`, () =>
      Promise.all(
        ["#/act?seed=42", "#/level?seed=7", "#/floor?seed=1", "#/tower?seed=3", "#/act?seed=42&@play=0,1", "#/act?seed=1&@b=seed%3D2", "#/water?seed=7&width=80&height=50&scale=30", "#/act?seed=1&rows=0"].map((hash) =>
          walk(
            hash,
            async (page) => {
              await page.locator("#verdict .verdict, #figures meter").first().waitFor();
              await page.evaluate(() => document.querySelectorAll("details").forEach((one) => (one.open = true)));
              await page.evaluate(axe);
              const { violations } = await page.evaluate(() => globalThis.axe.run());
              assert.deepEqual(violations.map((one) => `${hash} ${one.id}: ${one.nodes.map((node) => node.html).slice(0, 3).join(" ")}`), []);
              const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
              assert.ok(wide <= 0, `${hash}: ${wide} pixels too wide`);
            },
            { colorScheme: scheme, viewport: { width, height: 844 }, bypassCSP: true },
          ),
        ),
      ));
  }
}
