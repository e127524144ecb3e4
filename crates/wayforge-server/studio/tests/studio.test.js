// Tests of the studio in a real browser: drawing, pinning, playing, comparing, saving, and
// restoring pages from links.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";
import {
  digest,
  nodeAt,
  openPage,
  clickCell,
  startBrowser,
  startStudio,
  STATIC,
  unzip,
  validity,
} from "./harness.js";

const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
let studio;
let browser;

before(async () => {
  studio = await startStudio();
  browser = await startBrowser();
});

after(async () => {
  await browser?.close();
  assert.equal(await studio?.stop(), 0, "the studio exits cleanly on SIGTERM");
});

/** Runs steps on a page and checks that it reports no errors. */
async function withPage(hash, steps, options) {
  const opened = await openPage(browser, studio.address, hash, options);
  try {
    await steps(opened.page);
    assert.deepEqual(opened.errors, []);
  } finally {
    await opened.close();
  }
}

const post = async (path, body) =>
  (
    await fetch(`${studio.expected}${path}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    })
  ).json();

const PAGES = [
  ["act", "#/act?seed=42", { seed: "42" }],
  ["act", "#/act?seed=42&ruleset=rows", { seed: "42", config: { ruleset: "rows" } }],
  [
    "act",
    "#/act?seed=42&ruleset=spire&act=2",
    { seed: "42", config: { ruleset: "spire", act: 2 } },
  ],
  ["level", "#/level?seed=7&walls=caves", { seed: "7", config: { walls: "caves" } }],
  [
    "floor",
    "#/floor?seed=first%20light&width=9&height=7",
    { seed: "first light", config: { width: 9, height: 7 } },
  ],
  ["tower", "#/tower?seed=3&floors=6", { seed: "3", config: { floors: 6 } }],
];

for (const [family, hash, request] of PAGES) {
  test(`${hash} shows the service's map, which is valid`, () =>
    withPage(hash, async (page) => {
      const expected = (await post(`v1/${family}`, request)).digest;
      assert.equal(await digest(page), expected);
      assert.equal(await validity(page), "true");
      assert.ok((await page.locator(".rule.good").count()) >= 15);
      assert.ok(
        (await page.locator("img.picture").getAttribute("alt")).length > 30,
        "the image has a description",
      );
    }));
}

test("every field of every schema has a control with a label", () =>
  withPage("#/act", async (page) => {
    const schemas = await (
      await fetch(`${studio.address}studio/${await version(page)}/schemas.json`)
    ).json();
    const defs = (family, name) =>
      Object.keys(schemas[family].$defs[name].properties).filter((field) => field !== "ruleset");
    const pages = [
      ["#/act", defs("act", "WalksConfig")],
      ["#/act?seed=1&ruleset=rows", defs("act", "RowsConfig")],
      ["#/act?seed=1&ruleset=spire", defs("act", "SpireConfig")],
      ["#/level", defs("level", "LevelConfig")],
      ["#/floor", defs("floor", "FloorConfig")],
      ["#/tower", [...defs("tower", "TowerConfig"), ...defs("floor", "FloorConfig")]],
      ["#/path", Object.keys(schemas.path.properties)],
    ];
    for (const [hash, fields] of pages) {
      await page.evaluate((hash) => (location.hash = hash), hash);
      await page
        .locator(`nav a[aria-current][data-family=${hash.slice(2).split("?")[0]}]`)
        .waitFor();
      await page.waitForTimeout(150);
      for (const field of fields)
        assert.ok(
          (await page.locator(`#controls [data-field="${field}"]`).count()) > 0,
          `${hash}: ${field}`,
        );
    }
    await page.goto(`${studio.address}#/level`);
    const width = page.locator('[data-field="width"] input[type=number]').first();
    const { minimum, maximum } = schemas.level.$defs.LevelConfig.properties.width;
    assert.equal(await width.getAttribute("min"), String(minimum));
    assert.equal(await width.getAttribute("max"), String(maximum));
  }));

async function version(page) {
  return /studio\/([0-9a-f]{16})\//.exec(
    await page.locator("script[type=module]").getAttribute("src"),
  )[1];
}

test("editing a field updates map and link; undo and redo restore them", () =>
  withPage("#/act?seed=42", async (page) => {
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
    await page.waitForFunction(() => location.hash === "#/act?seed=42&rows=9");
    await page.reload();
    assert.equal(await digest(page), second, "the link restores the map");
  }));

test("an error is shown next to its field, and the last image stays", () =>
  withPage("#/act?seed=42", async (page) => {
    await digest(page);
    await page.locator('[data-field="rows"] input[type=number]').fill("0");
    await page.locator(".problem:not([hidden])").waitFor();
    assert.match(
      await page.locator('[data-field="rows"] .error').textContent(),
      /rows = 0: out of range; use 1 to 4096/,
    );
    assert.equal(
      await page.locator('[data-field="rows"] input[type=number]').getAttribute("aria-invalid"),
      "true",
    );
    assert.ok(await page.locator("img.picture").isVisible());
    await page.locator('[data-field="rows"] input[type=number]').fill("12");
    await page.locator(".problem").waitFor({ state: "hidden" });
    assert.equal(await page.locator('[data-field="rows"] .error').textContent(), "");
  }));

test("the dice choose a random seed, and recent seeds restore the old one", () =>
  withPage("#/floor?seed=abc", async (page) => {
    const first = await digest(page);
    await page.locator("#dice").click();
    await digest(page, first);
    assert.notEqual(await page.locator("#seed").inputValue(), "abc");
    await page.locator("#seed-history").focus();
    await page.locator("#seed-history").selectOption("sabc");
    await page.waitForFunction(
      (first) => document.querySelector("#stage").dataset.digest === first,
      first,
    );
    assert.equal(await page.locator("#seed").inputValue(), "abc");
  }));

test("a pinned node stays when the seed changes", () =>
  withPage("#/act?seed=42", async (page) => {
    const first = await digest(page);
    const shop = await nodeAt(page, 13, 3);
    assert.equal(shop.kind, "shop");
    await page.mouse.click(shop.x, shop.y);
    const pinned = await digest(page, first);
    await page.locator(".pin").waitFor();
    await page.waitForFunction(() =>
      decodeURIComponent(location.hash).includes('pins=[{"row":13,"col":3,"kind":"shop"}]'),
    );
    await page.keyboard.press("Escape");
    await page.locator("#dice").click();
    await digest(page, pinned);
    assert.equal((await nodeAt(page, 13, 3)).kind, "shop");
    assert.equal(await validity(page), "true");
  }));

test("a cell is pinned with the keyboard", () =>
  withPage("#/level?seed=7&width=20&height=14", async (page) => {
    const first = await digest(page);
    await page.locator("h1").click();
    await page.keyboard.press("m");
    for (let i = 0; i < 9; i++) await page.keyboard.press("ArrowRight");
    for (let i = 0; i < 7; i++) await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await digest(page, first);
    await page.waitForFunction(() => decodeURIComponent(location.hash).includes("pins="));
    const drawing = JSON.parse(
      new URLSearchParams((await page.evaluate(() => location.hash)).split("?")[1]).get("pins"),
    );
    assert.equal(drawing.join("").replaceAll("?", "").length, 1, "one cell is pinned");
    assert.match(await page.locator("#announcer").textContent(), /^Pinned .+ at \d+,\d+$/);
    assert.equal(await page.locator(".pin").count(), 1);
  }));

test("a pinned cell of a floor stays when the seed changes", () =>
  withPage("#/floor?seed=first%20light&width=9&height=7", async (page) => {
    const first = await digest(page);
    const { map } = await post("v1/floor", {
      seed: "first light",
      config: { width: 9, height: 7 },
    });
    const chest = map.tiles.find((tile) => tile.kind === "chest").pos;
    const enemy = map.entities.find((entity) => entity.kind === "enemy").pos;
    await clickCell(page, "floor", 0, chest.x, chest.y);
    const second = await digest(page, first);
    await page.waitForFunction(() => /pins=/.test(location.hash));
    await page.locator(".pin").waitFor();
    const config = () =>
      page.evaluate(() =>
        JSON.parse(new URLSearchParams(location.hash.split("?")[1]).get("pins")).join(""),
      );
    assert.equal((await config()).replaceAll("?", ""), "$");
    await page.locator("#dice").click();
    await digest(page, second);
    const seed = await page.locator("#seed").inputValue();
    const rolled = await post("v1/floor", {
      seed,
      config: {
        width: 9,
        height: 7,
        pins: JSON.parse(
          await page.evaluate(() => new URLSearchParams(location.hash.split("?")[1]).get("pins")),
        ),
      },
    });
    assert.equal(
      rolled.map.tiles.find((tile) => tile.pos.x === chest.x && tile.pos.y === chest.y).kind,
      "chest",
    );
    assert.equal(await validity(page), "true");
    assert.ok(enemy);
    await clickCell(page, "floor", 0, chest.x, chest.y);
    await page.waitForFunction(() => !/pins=/.test(location.hash));
  }));

for (const ruleset of ["rows", "spire"]) {
  test(`pinned nodes of ${ruleset} stay: the next seed with them is found`, () =>
    withPage(`#/act?seed=42&ruleset=${ruleset}`, async (page) => {
      const first = await digest(page);
      const { map } = await post("v1/act", { seed: "42", config: { ruleset } });
      const nodes = [
        map.nodes[Math.floor(map.nodes.length / 3)],
        map.nodes[Math.floor(map.nodes.length / 2)],
      ];
      for (const { row, col } of nodes) {
        const { x, y } = await nodeAt(page, row, col);
        await page.mouse.click(x, y);
      }
      await page.waitForFunction(() => document.querySelectorAll(".pin").length === 2);
      assert.equal(await digest(page), first, "a pin does not change the map");
      await page.waitForFunction(() => /@pins=/.test(location.hash));
      await page.locator("#dice").click();
      const rolled = await digest(page, first);
      for (const { row, col, kind } of nodes)
        assert.equal((await nodeAt(page, row, col)).kind, kind);
      assert.equal(await page.locator(".pin").count(), 2);
      assert.equal(await validity(page), "true");
      await page.waitForTimeout(100);
      await page.reload();
      assert.equal(await digest(page), rolled, "the link restores map and pins");
      await page.waitForFunction(() => document.querySelectorAll(".pin").length === 2);
      await page.locator("#seed").fill("77");
      await page.locator("#spot", { hasText: "not on this map" }).waitFor();
    }));
}

test("pinned cells of a tower stay: the next seed with them is found", () =>
  withPage("#/tower?seed=3", async (page) => {
    const first = await digest(page);
    const { map } = await post("v1/tower", { seed: "3" });
    const { pos } = map.floors[1].tiles.find((tile) => tile.kind === "chest");
    await clickCell(page, "tower", 1, pos.x, pos.y);
    await page.locator(".pin").waitFor();
    await page.locator("#dice").click();
    await digest(page, first);
    const tower = await post("v1/tower", { seed: await page.locator("#seed").inputValue() });
    assert.equal(
      tower.map.floors[1].tiles.find((tile) => tile.pos.x === pos.x && tile.pos.y === pos.y).kind,
      "chest",
    );
    assert.equal(await page.locator(".pin").count(), 1);
  }));

test("pins that no map has are reported", () =>
  withPage("#/act?seed=42&ruleset=rows&@pins=[{%22row%22:0,%22col%22:0}]", async (page) => {
    const first = await digest(page);
    await page.locator("#spot", { hasText: "not on this map" }).waitFor();
    await page.locator("#dice").click();
    await page
      .locator(".problem:not([hidden])", { hasText: "0,0 is missing most often" })
      .waitFor();
    assert.equal(await digest(page), first, "the map stays");
  }));

test("an act map is played to the boss in fog, and a move is undone", () =>
  withPage("#/act?seed=42&@fog=2", async (page) => {
    await digest(page);
    await page.locator("label.tab", { hasText: "Play" }).click();
    await page.locator(".legal").first().waitFor();
    let steps = 0;
    while (!/Goal reached/.test(await page.locator("#run").textContent())) {
      const before = await page.evaluate(() => location.hash);
      await page
        .locator(".legal")
        .first()
        .evaluate((ring) => {
          const box = ring.getBoundingClientRect();
          const at = {
            bubbles: true,
            clientX: box.left + box.width / 2,
            clientY: box.top + box.height / 2,
          };
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
    await page.waitForFunction(() =>
      /1 legal move/.test(document.querySelector("#run").textContent),
    );
  }));

test("a tower is played with clicks", () =>
  withPage("#/tower?seed=3&@play=", async (page) => {
    await digest(page);
    await page.locator(".legal").first().waitFor();
    await page
      .locator(".legal")
      .first()
      .evaluate((ring) => {
        const box = ring.getBoundingClientRect();
        ring.closest("svg").dispatchEvent(
          new MouseEvent("click", {
            bubbles: true,
            clientX: box.left + box.width / 2,
            clientY: box.top + box.height / 2,
          }),
        );
      });
    await page.waitForFunction(() => /@play=(north|east|south|west)/.test(location.hash));
  }));

test("two maps are compared side by side", () =>
  withPage("#/act?seed=42", async (page) => {
    await digest(page);
    await page.locator("#compare").click();
    await page.locator(".pane.active .pane-head", { hasText: "B" }).waitFor();
    await page.locator('[data-field="cols"] input[type=number]').fill("9");
    await page.locator("#difference tr", { hasText: "Columns" }).waitFor();
    assert.equal(await page.locator(".panes.two img.picture").count(), 2);
    await page.waitForFunction(() => /@b=/.test(location.hash));
    const hash = await page.evaluate(() => location.hash);
    await page.reload();
    await page.locator("#difference tr", { hasText: "Columns" }).waitFor();
    assert.equal(await page.evaluate(() => location.hash), hash);
    await page.locator("#compare").click();
    await page.locator(".panes.two").waitFor({ state: "detached" });
  }));

test("node labels are switched on, stored in the link and saved with the image", () =>
  withPage("#/act?seed=42", async (page) => {
    const shown = await digest(page);
    const labels = page.getByLabel("Labels");
    const written = async () => (await saved(page, "svg")).bytes.toString().includes(">3,5</text>");
    // Images are blobs, which only the page can read.
    await page.evaluate(() => {
      const make = URL.createObjectURL.bind(URL);
      URL.createObjectURL = (blob) => (
        blob.text().then((text) => (globalThis.picture = text)),
        make(blob)
      );
    });
    assert.equal(await written(), false);
    await labels.check();
    await page.waitForFunction(() => globalThis.picture?.includes(">3,5</text>"));
    await page.waitForFunction(() => location.hash.includes("&@labels=true"));
    assert.equal(await digest(page), shown);
    assert.equal(await written(), true);
    await page.keyboard.press("n");
    await page.waitForFunction(() => !location.hash.includes("@labels"));
    assert.equal(await labels.isChecked(), false);
    await page.keyboard.press("Control+z");
    await page.waitForFunction(() => location.hash.includes("&@labels=true"));
    await page.reload();
    await digest(page);
    assert.equal(await labels.isChecked(), true);
    assert.equal(await written(), true);
    await page.evaluate(() => (location.hash = "#/floor?seed=42&@labels=true"));
    await page.locator('[data-field="wallDensity"]').waitFor();
    assert.equal(await labels.count(), 0);
  }));

test("a route with the most elites is shown on the map", () =>
  withPage("#/act?seed=42", async (page) => {
    await page.locator(".routes-count", { hasText: "184" }).waitFor();
    await page.locator("table.routes tr", { hasText: "elite" }).locator("button").last().click();
    assert.ok((await page.locator("path.witness").getAttribute("d")).split("M").length > 14);
  }));

for (const family of ["act", "level", "floor", "tower"]) {
  test(`the stats of a ${family} are its metrics, with descriptions`, () =>
    withPage(`#/${family}?seed=42`, async (page) => {
      await page.locator("#stats table").nth(1).waitFor();
      const { metrics } = await post(`v1/scene/${family}`, { seed: 42 });
      const rows = await page.locator("#stats tbody tr").evaluateAll((rows) =>
        rows.map((row) => ({
          ...row.dataset,
          title: row.title,
          cells: [...row.children].map((cell) => cell.textContent),
        })),
      );
      const heads = await page
        .locator("#stats thead th[title]")
        .evaluateAll((heads) => heads.map((head) => [head.dataset.metric, head.title]));
      for (const { name, metric, argument, unit, description, value } of metrics) {
        if (name === "routes") continue; // The route table shows the exact number.
        const ratio = unit === "thousandths";
        const title = ratio ? description : `${description}, in ${unit}`;
        const shown = !ratio
          ? value.toLocaleString("en-US")
          : name.endsWith("_share")
            ? `${(value / 10).toFixed(1)} %`
            : (value / 1000).toFixed(2);
        if (argument === null) {
          const row = rows.find((row) => row.metric === name);
          assert.deepEqual([row.cells.length, row.cells[1], row.title], [2, shown, title], name);
        } else if (value !== 0) {
          const row = rows.find((row) => row.argument === argument);
          const column = heads.findIndex(([head]) => head === metric);
          assert.equal(heads[column][1], title);
          assert.equal(row.cells[column + 1], shown, name);
        }
      }
    }));
}

test("a damaged map is opened: violated rules are red, and their positions are highlighted", () =>
  withPage("#/act?seed=1", async (page) => {
    await digest(page);
    const document = await post("v1/act", { seed: 42 });
    document.map.edges.splice(5, 1);
    await page.locator("#document").setInputFiles({
      name: "map.json",
      mimeType: "application/json",
      buffer: Buffer.from(JSON.stringify(document)),
    });
    await page.locator('.report[data-valid="false"]').waitFor();
    assert.equal(await page.locator("#seed").inputValue(), "42");
    assert.ok(
      (await page.locator(".rule.bad").count()) >= 2,
      "the digest and the rules that need the edge",
    );
    await page.locator(".violations button").last().hover();
    await page.locator(".violation-mark, .violation-line").first().waitFor();
  }));

test("an invalid walk is highlighted where it is broken", () =>
  withPage("#/act?seed=1", async (page) => {
    await digest(page);
    const document = await post("v1/act", { seed: 42 });
    // The third walk jumps from one side to the other.
    document.map.walks[2][6] = document.map.walks[2][6] > 3 ? 0 : 6;
    await page.locator("#document").setInputFiles({
      name: "map.json",
      mimeType: "application/json",
      buffer: Buffer.from(JSON.stringify(document)),
    });
    await page.locator('.report[data-valid="false"]').waitFor();
    await page.locator(".violations button", { hasText: "walk 2 at row" }).first().hover();
    await page.locator("path.violation-walk").waitFor();
    assert.ok(
      (await page.locator("path.violation-walk").getAttribute("d")).split("M").length > 8,
      "the walk is drawn",
    );
    assert.equal(await page.locator("rect.violation-mark").count(), 0, "not the whole map");
  }));

/** Checks of each file format; `digest` is that of the map on the page. */
const FORMATS = {
  json: (bytes, digest) => assert.equal(JSON.parse(bytes).digest, digest),
  svg: (bytes) => assert.match(bytes.toString(), /^<svg /),
  png: (bytes) => assert.equal(bytes.toString("latin1", 1, 4), "PNG"),
  txt: (bytes) => assert.ok(bytes.toString().split("\n").length > 4),
  apng: (bytes) => assert.ok(bytes.includes("acTL") && bytes.includes("fdAT")),
  dot: (bytes) => assert.match(bytes.toString(), /^digraph act {\n.*seed 7"/),
  graphml: (bytes, digest) => assert.ok(bytes.includes("<graphml") && bytes.includes(digest)),
  mmd: (bytes) => assert.match(bytes.toString(), /^(%%.*\n|---[\s\S]*?---\n)*(flowchart|graph) /),
  csv: (bytes, digest) =>
    assert.ok(bytes.toString().trim().split("\n").length === 2 && bytes.includes(digest)),
  "tmx.zip": (bytes, digest) =>
    checkArchive(bytes, "tmx", (text) => text.includes("<map ") && text.includes(digest)),
  "tmj.zip": (bytes, digest) =>
    checkArchive(bytes, "tmj", (text) => JSON.parse(text).type === "map" && text.includes(digest)),
  "world.zip": (bytes) =>
    checkArchive(bytes, "world", (text, files) =>
      JSON.parse(text).maps.every(({ fileName }) => files[fileName]),
    ),
  "ldtk.zip": (bytes, digest) =>
    checkArchive(
      bytes,
      "ldtk",
      (text) => JSON.parse(text).levels.length > 0 && text.includes(digest),
    ),
  zombie: (bytes) => assert.equal(JSON.parse(bytes).grid.length, 14),
};

/** Checks the main file of an archive, and that it contains an image of the tiles. */
function checkArchive(bytes, suffix, check) {
  const files = unzip(bytes);
  const [name] = Object.keys(files).filter((name) => name.endsWith(`.${suffix}`));
  assert.ok(check(files[name].toString(), files), name);
  assert.ok(
    Object.entries(files).some(
      ([name, content]) => name.endsWith(".png") && content.toString("latin1", 1, 4) === "PNG",
    ),
  );
}

/** Clicks a save button and reads the downloaded file. */
async function saved(page, format) {
  // Chromium allows ten downloads per second.
  await page.waitForTimeout(150);
  const fail = async () =>
    assert.fail(`${format} is not saved: ${await page.locator(".problem").first().textContent()}`);
  const [download] = await Promise.all([
    page.waitForEvent("download", { timeout: 20_000 }).catch(fail),
    page.locator(`[data-format="${format}"]`).click(),
  ]);
  return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
}

for (const [hash, name, formats] of [
  ["#/act?seed=7", "act-7", "json svg png txt apng dot graphml mmd csv"],
  ["#/act?seed=7&ruleset=spire", "act-7", "json svg png txt apng dot graphml mmd csv"],
  [
    "#/level?seed=7&width=20&height=14&@witness=all",
    "level-7",
    "json svg png txt apng csv tmx.zip tmj.zip ldtk.zip zombie",
  ],
  [
    "#/floor?seed=first%20light",
    "floor-first-light",
    "json svg png txt apng csv tmx.zip tmj.zip ldtk.zip",
  ],
  ["#/tower?seed=3&floors=4", "tower-3", "json svg png txt apng csv world.zip ldtk.zip"],
]) {
  test(`${hash} is saved in every format`, () =>
    withPage(hash, async (page) => {
      const shown = await digest(page);
      const offered = await page
        .locator("[data-format]")
        .evaluateAll((all) => all.map((one) => one.dataset.format));
      assert.deepEqual([...offered].sort(), formats.split(" ").sort());
      for (const format of offered) {
        const file = await saved(page, format);
        assert.equal(file.name, `${name}.${format}`);
        FORMATS[format](file.bytes, shown);
      }
    }));
}

test("grid and path are saved in every format, from a seed and from a file", () =>
  withPage("#/path?seed=7&width=60&height=40&scale=20", async (page) => {
    const text = (bytes) =>
      bytes
        .toString()
        .replace(/[0-9~]/g, ".")
        .replaceAll("@", "#");
    const check = async (begins) => {
      const offered = await page
        .locator("[data-format]")
        .evaluateAll((all) => all.map((one) => one.dataset.format));
      assert.deepEqual(
        [...offered].sort(),
        "animation bin.zip csv image ldtk.zip map path pgm png tmj.zip tmx.zip txt".split(" "),
      );
      const files = {};
      for (const format of offered) files[format] = (await saved(page, format)).bytes;
      assert.ok(text(files.txt).startsWith(begins));
      assert.ok(text(files.map).includes(`map\n${begins}`));
      for (const format of ["png", "image", "animation"])
        assert.equal(files[format].toString("latin1", 1, 4), "PNG", format);
      assert.ok(files.animation.includes("acTL"));
      assert.equal(files.pgm.toString("latin1", 0, 2), "P5");
      assert.ok(JSON.parse(files.path).tiles.length > 2);
      for (const [format, suffix] of [
        ["tmx.zip", "tmx"],
        ["tmj.zip", "tmj"],
        ["ldtk.zip", "ldtk"],
      ])
        checkArchive(files[format], suffix, (text) => text.length > 100);
      const openFront = unzip(files["bin.zip"]);
      const { map } = JSON.parse(openFront["manifest.json"]);
      assert.equal(openFront["grid.bin"].length, map.width * map.height);
      return openFront["grid.bin"];
    };
    await page.waitForFunction(() => Number(document.querySelector("#grid")?.dataset.path) > 3);
    const archipelago = await post("v1/archipelago", {
      seed: "7",
      config: { width: 60, height: 40, scale: 20 },
    });
    const tiles = Buffer.from(archipelago.tiles, "base64");
    await check([...tiles.subarray(0, 60)].map((tile) => (tile === 128 ? "#" : ".")).join(""));
    const imported = [1, 1, 128, 1, 1, 2, 3, 2, 4, 1, 1, 5];
    const files = [
      ["map.bin", imported],
      ["manifest.json", '{"map":{"width":6,"height":2}}'],
    ];
    await page.locator("#grid-file").setInputFiles(
      files.map(([name, bytes]) => ({
        name,
        mimeType: "application/octet-stream",
        buffer: Buffer.from(bytes),
      })),
    );
    await page.locator("#from-file", { hasText: "6 x 2 tiles" }).waitFor();
    // The path on the previous grid was longer.
    await page.waitForFunction(() =>
      [3, 4, 5, 6, 7].includes(Number(document.querySelector("#grid")?.dataset.path)),
    );
    const back = await check("..#...");
    assert.deepEqual(
      [...back].map((tile) => (tile & 128 ? 128 : tile & 31)),
      imported,
      "depths are preserved",
    );
  }));

test("a path is found, replayed and compared with plain BFS", () =>
  withPage("#/path?seed=7&width=160&height=100&scale=60", async (page) => {
    await page.locator("#stats meter").first().waitFor();
    await page.waitForFunction(() => Number(document.querySelector("#grid")?.dataset.path) > 20);
    const hash = await page.evaluate(() => location.hash);
    const query = new URLSearchParams(hash.split("?")[1]);
    const ends = (name) =>
      query
        .get(name)
        .split(";")
        .map((end) => end.split(",").map(Number));
    const config = { width: 160, height: 100, scale: 60 };
    const response = await post("v1/path", {
      seed: "7",
      config,
      sources: ends("@from"),
      targets: ends("@to"),
      method: "components",
    });
    const stats = await page.locator("#stats").textContent();
    assert.ok(
      stats.includes(`${response.stats.visited.toLocaleString("en-US")} visited`) &&
        stats.includes(`${response.bfs.visited.toLocaleString("en-US")} visited`),
    );
    await page.locator("#step").fill("0");
    assert.equal(await page.locator("#search-status").textContent(), "0 tiles visited");
    assert.equal(await page.locator("#grid").getAttribute("data-path"), "0");
    await page.locator("#step").fill(await page.locator("#step").getAttribute("max"));
    const visited = response.stats.visited.toLocaleString("en-US");
    const expected = `${visited} tiles visited; path of ${response.path.steps} steps`;
    assert.equal(
      await page.locator("#search-status").textContent(),
      expected,
      "the replay covers every visited tile",
    );
    await page.locator("#method").selectOption("bfs");
    await page.waitForFunction(() => /@method=bfs/.test(location.hash));
    await page.locator("#stats .label", { hasText: /^bfs/ }).waitFor();
    const before = await page.evaluate(() => location.hash);
    await page.locator("label.tab", { hasText: "Target" }).click();
    const box = await page.locator("#grid").boundingBox();
    const [x, y] = ends("@from")[0];
    await page.mouse.click(
      box.x + ((x + 8.5) / 160) * box.width,
      box.y + ((y + 0.5) / 100) * box.height,
    );
    await page.waitForFunction((before) => location.hash !== before, before);
  }));

test("corridor options change the search, and only methods with a corridor show them", () =>
  withPage("#/path?seed=7&width=160&height=100&scale=60&@method=mask-f2", async (page) => {
    await page.waitForFunction(() => Number(document.querySelector("#grid")?.dataset.path) > 20);
    const visited = () => page.locator("#stats .label b").first().textContent();
    const before = await visited();
    await page.locator('#corridor [data-field="radius"] input[type="number"]').fill("16");
    await page.waitForFunction(
      (before) => document.querySelector("#stats .label b")?.textContent !== before,
      before,
    );
    await page.waitForFunction(() =>
      decodeURIComponent(location.hash).includes('@corridor={"radius":16}'),
    );
    await page.locator('#corridor [data-field="radius"] input[type="number"]').fill("9999");
    await page
      .locator('#corridor [data-field="radius"] .error', { hasText: "use 0 to 1024" })
      .waitFor();
    await page.locator('#corridor [data-field="radius"] input[type="number"]').fill("");
    await page.waitForFunction(
      (before) => document.querySelector("#stats .label b")?.textContent === before,
      before,
    );
    await page.locator("#method").selectOption("bfs");
    await page.locator("#corridor").waitFor({ state: "hidden" });
  }));

test("sources and targets stay when the seed changes", () =>
  withPage("#/path?seed=7&width=160&height=100&scale=60", async (page) => {
    await page.waitForFunction(() => Number(document.querySelector("#grid")?.dataset.path) > 20);
    const ends = () =>
      page.evaluate(() =>
        ["@from", "@to"].map((name) => new URLSearchParams(location.hash.split("?")[1]).get(name)),
      );
    await page.waitForFunction(() => /@from=/.test(location.hash));
    const defaults = await ends();
    await page.locator("#dice").click();
    await page.waitForFunction(
      (seed) => /@from=/.test(location.hash) && !location.hash.includes(seed),
      `seed=7&`,
    );
    await page.waitForFunction(() => Number(document.querySelector("#grid")?.dataset.path) > 20);
    assert.notDeepEqual(await ends(), defaults, "default ends are chosen again");
    const before = await ends();
    const box = await page.locator("#grid").boundingBox();
    const [x, y] = before[1].split(";")[0].split(",").map(Number);
    await page.mouse.click(
      box.x + ((x + 0.5) / 160) * box.width,
      box.y + ((y + 0.5) / 100) * box.height,
    );
    await page.waitForFunction(
      (before) => new URLSearchParams(location.hash.split("?")[1]).get("@from") !== before,
      before[0],
    );
    const chosen = await ends();
    const seed = await page.locator("#seed").inputValue();
    await page.locator("#dice").click();
    await page.waitForFunction(
      (seed) =>
        document.querySelector("#seed").value !== seed ||
        !document.querySelector(".problem").hidden,
      seed,
    );
    if (await page.locator(".problem").isHidden()) {
      const rolled = await post("v1/archipelago", {
        seed: await page.locator("#seed").inputValue(),
        config: { width: 160, height: 100, scale: 60 },
      });
      const tiles = Buffer.from(rolled.tiles, "base64");
      for (const end of chosen.join(";").split(";")) {
        const [x, y] = end.split(",").map(Number);
        assert.notEqual(tiles[y * 160 + x], 128, end);
      }
    }
    assert.deepEqual(await ends(), chosen);
  }));

test("grid files are read: text drawings, Moving AI and OpenFront", () =>
  withPage("#/path?seed=7&width=60&height=40&scale=20", async (page) => {
    await page.locator("#stats meter").first().waitFor();
    const openFiles = (files) =>
      page.locator("#grid-file").setInputFiles(
        files.map(([name, text]) => ({
          name,
          mimeType: "application/octet-stream",
          buffer: Buffer.from(text),
        })),
      );
    await openFiles([["little.txt", "......\n.####.\n......\n"]]);
    await page.locator("#from-file", { hasText: "little.txt, 6 x 3 tiles" }).waitFor();
    await page.waitForFunction(() => Number(document.querySelector("#grid")?.dataset.path) > 3);
    await openFiles([["m.map", "type octile\nheight 2\nwidth 5\nmap\n..@..\n.....\n"]]);
    await page.locator("#from-file", { hasText: "m.map, 5 x 2 tiles" }).waitFor();
    await openFiles([
      ["map.bin", [1, 1, 128, 1, 1, 2]],
      ["manifest.json", '{"map":{"width":3,"height":2}}'],
    ]);
    await page.locator("#from-file", { hasText: "map.bin, 3 x 2 tiles" }).waitFor();
    await page.locator(".chart").evaluate((chart) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(["....\n.##.\n....\n"], "dropped.txt"));
      chart.dispatchEvent(new DragEvent("drop", { bubbles: true, cancelable: true, dataTransfer }));
    });
    await page.locator("#from-file", { hasText: "dropped.txt, 4 x 3 tiles" }).waitFor();
    await openFiles([["bad.txt", "..\n.x\n"]]);
    await page.locator(".problem", { hasText: '"x" at 1,1 is not a tile' }).waitFor();
  }));

test("keyboard shortcuts reach pages, seed and the list of shortcuts", () =>
  withPage("#/act", async (page) => {
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

test("the space bar plays the search, or presses the focused button", () =>
  withPage("#/path?seed=7&width=160&height=100&scale=60", async (page) => {
    await page.waitForFunction(() => Number(document.querySelector("#grid")?.dataset.path) > 20);
    await page.locator("#keys").focus();
    await page.keyboard.press("Space");
    assert.ok(await page.locator("#shortcuts").isVisible());
    await page.keyboard.press("Escape");
    await page.evaluate(() => document.activeElement.blur());
    await page.keyboard.press("Space");
    await page.waitForFunction(() => document.querySelector("#grid")?.dataset.path === "0");
    await page.waitForFunction(() => Number(document.querySelector("#grid")?.dataset.path) > 20);
  }));

// Tests of the service's responses do not apply to an exported studio.
const servedTest = STATIC ? () => {} : test;

test("the page sends requests to its service only", () =>
  withPage("#/act?seed=42", async (page) => {
    const methods = [];
    page.on("request", (request) => methods.push(request.method()));
    const before = await digest(page);
    await page.locator("#seed").fill("43");
    await page.locator("#seed").press("Enter");
    await digest(page, before);
    assert.equal(await validity(page), "true");
    assert.equal(methods.includes("POST"), !STATIC);
  }));

servedTest("the command without arguments starts the studio with its own database", async () => {
  const plain = await startStudio([]);
  const page = await (await fetch(plain.address)).text();
  assert.match(page, /<title>Wayforge studio<\/title>/);
  assert.equal((await fetch(`${plain.address}readyz`)).status, 200);
  assert.equal(await plain.stop(), 0);
});

servedTest("the API page shows samples and operations", () =>
  withPage("docs", async (page) => {
    await page.locator("details.operation").first().waitFor();
    assert.equal(await page.locator("#samples li").count(), 4);
  }),
);

servedTest("the content security policy allows only files of the studio", () =>
  withPage("#/act", async (page) => {
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
  }),
);

for (const scheme of ["light", "dark"]) {
  for (const width of [1280, 390]) {
    test(`axe finds no accessibility violations, ${scheme}, ${width} pixels wide`, () =>
      Promise.all(
        [
          "#/act?seed=42",
          "#/level?seed=7",
          "#/floor?seed=1",
          "#/tower?seed=3",
          "#/act?seed=42&@play=0,1",
          "#/act?seed=1&@b=seed%3D2",
          "#/path?seed=7&width=80&height=50&scale=30",
          "#/act?seed=1&rows=0",
        ].map((hash) =>
          withPage(
            hash,
            async (page) => {
              await page.locator("#validation .report, #stats meter").first().waitFor();
              await page.evaluate(() =>
                document.querySelectorAll("details").forEach((one) => (one.open = true)),
              );
              await page.evaluate(axe);
              const { violations } = await page.evaluate(() => globalThis.axe.run());
              assert.deepEqual(
                violations.map(
                  (one) =>
                    `${hash} ${one.id}: ${one.nodes
                      .map((node) => node.html)
                      .slice(0, 3)
                      .join(" ")}`,
                ),
                [],
              );
              const overflow = await page.evaluate(
                () => document.documentElement.scrollWidth - innerWidth,
              );
              assert.ok(overflow <= 0, `${hash}: ${overflow} pixels too wide`);
            },
            { colorScheme: scheme, viewport: { width, height: 844 }, bypassCSP: true },
          ),
        ),
      ));
  }
}
