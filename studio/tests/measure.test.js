// The page of `wayforge measure`: it stands alone, cells show their maps by mouse and keys, and axe finds nothing.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { openPage, startBrowser } from "./walk.js";

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

/** Measures and opens the page in both schemes; it must not complain, and must not ask for anything. */
async function measured(args, steps, allowed = [0]) {
  const file = join(folder, "report.html");
  try {
    execFileSync(wayforge, ["measure", ...args, "-o", file], { stdio: "pipe" });
  } catch (error) {
    assert.ok(allowed.includes(error.status), String(error.stderr));
  }
  const { page, wrong, close } = await openPage(browser, pathToFileURL(file).href, "", { colorScheme: "light" });
  try {
    await steps(page);
    await page.evaluate(axe);
    for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
      await page.emulateMedia({ colorScheme });
      const { violations } = await page.evaluate(() => globalThis.axe.run());
      assert.deepEqual(violations.map(({ id, nodes }) => [colorScheme, id, nodes[0].html.slice(0, 200)]), []);
    }
    assert.deepEqual(wrong, []);
  } finally {
    await close();
  }
}

/** How light the page is, from 0 to 255. */
const light = (page) => page.evaluate(() => Number(/\d+/.exec(getComputedStyle(document.body).backgroundColor)[0]));

test("the page is as light or dark as its reader's screen, unless it has a theme", async () => {
  for (const [theme, wanted] of /** @type {const} */ ([["auto", [true, false]], ["parchment", [true, true]], ["night", [false, false]]])) {
    await measured(["floor", "--count", "60", "--theme", theme], async (page) => {
      const seen = [];
      for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
        await page.emulateMedia({ colorScheme });
        seen.push((await light(page)) > 128);
      }
      assert.deepEqual(seen, wanted, theme);
    });
  }
});

for (const family of ["act", "level", "floor", "tower"]) {
  test(`a cell of ${family} shows its maps`, () =>
    measured([family, "--count", "600"], async (page) => {
      const range = page.locator(".range").first();
      const maps = range.locator(".maps");
      // The fullest cell is shown from the start; the first one in order is another.
      const cell = range.locator(".cell").first();
      const label = await cell.getAttribute("aria-label");
      await cell.click();
      assert.equal(await maps.locator("h4").textContent(), label.slice(0, label.lastIndexOf(": ")));
      assert.equal(await range.locator(".cell[aria-pressed=true]").count(), 1);
      const samples = (await cell.getAttribute("data-s")).split(" ").map((sample) => sample.split(":"));
      assert.deepEqual(await maps.locator("code").allTextContents(), samples.map(([seed]) => seed));
      assert.equal(await maps.locator("li svg use").count(), samples.filter(([, id]) => id).length);
      const drawn = await maps.locator("li svg").first().boundingBox();
      assert.ok(drawn.width > 50 && drawn.height > 30, "the map is drawn");
      // The seed is that of the map: its metrics are those of the cell.
      const [, metric, low, high] = /^(\S+) ([\d,]+)(?: to ([\d,]+))?, /.exec(label) ?? [];
      if (metric) {
        const plain = (/** @type {string} */ number) => number.replaceAll(",", "");
        const condition = `${metric} >= ${plain(low)} and ${metric} <= ${plain(high ?? low)}`;
        const found = execFileSync(wayforge, ["find", family, "--seed", samples[0][0], "--limit", "1", "--where", condition, "--format", "seeds"], { stdio: "pipe" });
        assert.equal(String(found).trim(), samples[0][0]);
      }
      // Keys: from the cell that the tab key reaches to a neighbour, and Enter shows it.
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

test("two configurations stand beside each other, and lie over each other", async () => {
  const other = join(folder, "other.json");
  await writeFile(other, '{"minPathLength":7}');
  await measured(["floor", "--count", "600", "--against", other], async (page) => {
    assert.match(await page.locator(".verdict").textContent(), /metrics moved by more than 0.05/);
    assert.equal(await page.locator("tr.beyond th").first().textContent(), "path");
    assert.ok((await page.locator("path.other").count()) > 3);
    // One row of three charts of one size: both, and their difference.
    const range = page.locator(".range").first();
    const boxes = await Promise.all([0, 1, 2].map((at) => range.locator(".charts svg").nth(at).boundingBox()));
    assert.equal(new Set(boxes.map((box) => [box.y, box.width, box.height].map(Math.round).join())).size, 1);
    assert.ok(boxes[0].x < boxes[1].x && boxes[1].x < boxes[2].x);
    // A cell of the difference shows maps of both, each with its name.
    const at = await range.evaluate((range) => {
      const [first, second] = range.querySelectorAll(".charts svg");
      const cells = [...first.querySelectorAll(".cell")].map((cell) => cell.getAttribute("data-at"));
      return cells.find((at) => second.querySelector(`[data-at="${at}"]`));
    });
    await range.locator(".charts svg").nth(2).locator(`[data-at="${at}"]`).click();
    assert.equal(await range.locator(".cell[aria-pressed=true]").count(), 3);
    const sides = range.locator(".maps .both > div");
    assert.deepEqual((await sides.locator("h5").allTextContents()).map((name) => name.trim()), ["defaults", "other.json"]);
    assert.match(await sides.nth(0).locator("li use").first().getAttribute("href"), /^#a\d+$/);
    assert.match(await sides.nth(1).locator("li use").first().getAttribute("href"), /^#b\d+$/);
    // Arrow keys stay in their chart.
    const second = range.locator(".charts svg").nth(1);
    await second.locator(".cell[tabindex='0']").focus();
    for (const key of ["ArrowLeft", "ArrowRight", "ArrowRight", "ArrowUp", "ArrowDown"]) {
      await page.keyboard.press(key);
      assert.ok(await second.evaluate((chart) => chart.contains(document.activeElement)), key);
    }
    // Where the page is narrow, they stand below each other and nothing is cut off.
    await page.setViewportSize({ width: 400, height: 800 });
    const [inside, outside] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
    assert.ok(inside <= outside, `${inside} of ${outside} pixels`);
  }, [1]);
});

test("curves follow a field", () =>
  measured(["floor", "--count", "100", "--sweep", "wall_density=0:1:0.25"], async (page) => {
    assert.ok((await page.locator("path.curve").count()) > 10);
    assert.equal(await page.locator("figure").first().locator("circle").count(), 5);
    // Lines of one plot have colours of their own.
    const strokes = await page.locator("#time path.curve").evaluateAll((lines) => lines.map((line) => getComputedStyle(line).stroke));
    assert.equal(new Set(strokes).size, 3);
    await page.setViewportSize({ width: 400, height: 800 });
    const [inside, outside] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
    assert.ok(inside <= outside, `${inside} of ${outside} pixels`);
  }));

test("on a narrow screen nothing is cut off", () =>
  measured(["level", "--count", "60"], async (page) => {
    await page.setViewportSize({ width: 400, height: 800 });
    const [inside, outside] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
    assert.ok(inside <= outside, `${inside} of ${outside} pixels`);
  }));

test("without scripts it can be read", async () => {
  const file = join(folder, "plain.html");
  execFileSync(wayforge, ["measure", "floor", "--count", "100", "-o", file], { stdio: "pipe" });
  const { page, wrong, close } = await openPage(browser, pathToFileURL(file).href, "", { javaScriptEnabled: false });
  await page.locator("#range details summary").first().click();
  assert.match(await page.locator("#range details table").first().innerText(), /seeds/);
  assert.deepEqual(wrong, []);
  await close();
});
