// Tests of the report page of `wayforge measure`: self-contained, cells show their maps,
// accessible.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { openPage, startBrowser } from "./harness.js";

const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const wayforge = resolve(process.env.WAYFORGE ?? "");
let browser;
let folder;

before(async () => {
  browser = await startBrowser();
  folder = await mkdtemp(join(tmpdir(), "wayforge-measure-"));
});

after(async () => {
  await browser?.close();
  await rm(folder, { recursive: true });
});

/**
 * Creates a report, runs steps on it, and checks for errors, requests and accessibility in both
 * colour schemes.
 */
async function withReport(args, steps, allowed = [0]) {
  const file = join(folder, "report.html");
  try {
    execFileSync(wayforge, ["measure", ...args, "-o", file], { stdio: "pipe" });
  } catch (error) {
    assert.ok(allowed.includes(error.status), String(error.stderr));
  }
  const { page, errors, close } = await openPage(browser, pathToFileURL(file).href, "", {
    colorScheme: "light",
  });
  try {
    await steps(page);
    await page.evaluate(axe);
    for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
      await page.emulateMedia({ colorScheme });
      const { violations } = await page.evaluate(() => globalThis.axe.run());
      assert.deepEqual(
        violations.map(({ id, nodes }) => [colorScheme, id, nodes[0].html.slice(0, 200)]),
        [],
      );
    }
    assert.deepEqual(errors, []);
  } finally {
    await close();
  }
}

/** Brightness of the background, from 0 to 255. */
const brightness = (page) =>
  page.evaluate(() => Number(/\d+/.exec(getComputedStyle(document.body).backgroundColor)[0]));

test("the page follows the colour scheme unless a theme is set", async () => {
  for (const [theme, expected] of /** @type {const} */ ([
    ["auto", [true, false]],
    ["parchment", [true, true]],
    ["night", [false, false]],
  ])) {
    await withReport(["floor", "--count", "60", "--theme", theme], async (page) => {
      const isLight = [];
      for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
        await page.emulateMedia({ colorScheme });
        isLight.push((await brightness(page)) > 128);
      }
      assert.deepEqual(isLight, expected, theme);
    });
  }
});

for (const family of ["act", "level", "floor", "tower"]) {
  test(`a cell of ${family} shows its maps`, () =>
    withReport([family, "--count", "600"], async (page) => {
      const range = page.locator(".range").first();
      const maps = range.locator(".maps");
      // Initially the fullest cell is selected, which is not the first.
      const cell = range.locator(".cell").first();
      const label = await cell.getAttribute("aria-label");
      await cell.click();
      assert.equal(await maps.locator("h4").textContent(), label.slice(0, label.lastIndexOf(": ")));
      assert.equal(await range.locator(".cell[aria-pressed=true]").count(), 1);
      const samples = (await cell.getAttribute("data-s"))
        .split(" ")
        .map((sample) => sample.split(":"));
      assert.deepEqual(
        await maps.locator("code").allTextContents(),
        samples.map(([seed]) => seed),
      );
      assert.equal(await maps.locator("li svg use").count(), samples.filter(([, id]) => id).length);
      const drawn = await maps.locator("li svg").first().boundingBox();
      assert.ok(drawn.width > 50 && drawn.height > 30, "the map is visible");
      // The map of the seed has the metrics of the cell.
      const [, metric, low, high] = /^(\S+) ([\d,]+)(?: to ([\d,]+))?, /.exec(label) ?? [];
      if (metric) {
        const plain = (/** @type {string} */ number) => number.replaceAll(",", "");
        const condition = `${metric} >= ${plain(low)} and ${metric} <= ${plain(high ?? low)}`;
        const found = execFileSync(
          wayforge,
          [
            "find",
            family,
            "--seed",
            samples[0][0],
            "--limit",
            "1",
            "--where",
            condition,
            "--format",
            "seeds",
          ],
          { stdio: "pipe" },
        );
        assert.equal(String(found).trim(), samples[0][0]);
      }
      // Arrow keys move from the focused cell to a neighbour, and Enter selects it.
      await range.locator(".cell[tabindex='0']").focus();
      const before = await page.evaluate(() => document.activeElement.getAttribute("data-at"));
      let moved = before;
      for (const key of ["ArrowRight", "ArrowLeft", "ArrowUp", "ArrowDown"]) {
        await page.keyboard.press(key);
        moved = await page.evaluate(() => document.activeElement.getAttribute("data-at"));
        if (moved !== before) break;
      }
      assert.notEqual(moved, before);
      assert.equal(await range.locator(".cell[tabindex='0']").count(), 1);
      await page.keyboard.press("Enter");
      assert.equal(await range.locator(".cell[aria-pressed=true]").getAttribute("data-at"), moved);
    }));
}

test("two configurations are compared side by side and overlaid", async () => {
  const other = join(folder, "other.json");
  await writeFile(other, '{"minPathLength":7}');
  await withReport(
    ["floor", "--count", "600", "--baseline", other],
    async (page) => {
      assert.match(await page.locator("p.result").textContent(), /metrics moved by more than 0.05/);
      assert.equal(await page.locator("tr.beyond th").first().textContent(), "path");
      assert.ok((await page.locator("path.other").count()) > 3);
      // A row of three charts of the same size: both configurations and their difference.
      const range = page.locator(".range").first();
      const boxes = await Promise.all(
        [0, 1, 2].map((at) => range.locator(".charts svg").nth(at).boundingBox()),
      );
      assert.equal(
        new Set(boxes.map((box) => [box.y, box.width, box.height].map(Math.round).join())).size,
        1,
      );
      assert.ok(boxes[0].x < boxes[1].x && boxes[1].x < boxes[2].x);
      // A cell of the difference shows maps of both configurations with their names.
      const at = await range.evaluate((range) => {
        const [first, second] = range.querySelectorAll(".charts svg");
        const cells = [...first.querySelectorAll(".cell")].map((cell) =>
          cell.getAttribute("data-at"),
        );
        return cells.find((at) => second.querySelector(`[data-at="${at}"]`));
      });
      await range.locator(".charts svg").nth(2).locator(`[data-at="${at}"]`).click();
      assert.equal(await range.locator(".cell[aria-pressed=true]").count(), 3);
      const sides = range.locator(".maps .both > div");
      assert.deepEqual(
        (await sides.locator("h5").allTextContents()).map((name) => name.trim()),
        ["defaults", "other.json"],
      );
      assert.match(await sides.nth(0).locator("li use").first().getAttribute("href"), /^#a\d+$/);
      assert.match(await sides.nth(1).locator("li use").first().getAttribute("href"), /^#b\d+$/);
      // Arrow keys stay within the chart.
      const second = range.locator(".charts svg").nth(1);
      await second.locator(".cell[tabindex='0']").focus();
      for (const key of ["ArrowLeft", "ArrowRight", "ArrowRight", "ArrowUp", "ArrowDown"]) {
        await page.keyboard.press(key);
        assert.ok(await second.evaluate((chart) => chart.contains(document.activeElement)), key);
      }
      // On a narrow page the charts are stacked and nothing overflows.
      await page.setViewportSize({ width: 400, height: 800 });
      const [content, viewport] = await page.evaluate(() => [
        document.documentElement.scrollWidth,
        innerWidth,
      ]);
      assert.ok(content <= viewport, `${content} of ${viewport} pixels`);
    },
    [1],
  );
});

test("a sweep draws curves", () =>
  withReport(["floor", "--count", "100", "--sweep", "wall_density=0:1:0.25"], async (page) => {
    assert.ok((await page.locator("path.curve").count()) > 10);
    assert.equal(await page.locator("figure").first().locator("circle").count(), 5);
    // The lines of a plot have different colours.
    const strokes = await page
      .locator("#time path.curve")
      .evaluateAll((lines) => lines.map((line) => getComputedStyle(line).stroke));
    assert.equal(new Set(strokes).size, 3);
    await page.setViewportSize({ width: 400, height: 800 });
    const [content, viewport] = await page.evaluate(() => [
      document.documentElement.scrollWidth,
      innerWidth,
    ]);
    assert.ok(content <= viewport, `${content} of ${viewport} pixels`);
  }));

test("nothing overflows on a narrow screen", () =>
  withReport(["level", "--count", "60"], async (page) => {
    await page.setViewportSize({ width: 400, height: 800 });
    const [content, viewport] = await page.evaluate(() => [
      document.documentElement.scrollWidth,
      innerWidth,
    ]);
    assert.ok(content <= viewport, `${content} of ${viewport} pixels`);
  }));

test("the report is readable without JavaScript", async () => {
  const file = join(folder, "plain.html");
  execFileSync(wayforge, ["measure", "floor", "--count", "100", "-o", file], { stdio: "pipe" });
  const { page, errors, close } = await openPage(browser, pathToFileURL(file).href, "", {
    javaScriptEnabled: false,
  });
  await page.locator("#range details summary").first().click();
  assert.match(await page.locator("#range details table").first().innerText(), /seeds/);
  assert.deepEqual(errors, []);
  await close();
});
