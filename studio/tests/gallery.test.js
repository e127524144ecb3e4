// The gallery of the README: screens of stable seeds. `WAYFORGE_REFRESH=1` takes them anew; otherwise they are compared.

import assert from "node:assert/strict";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import pixelmatch from "pixelmatch";
import { PNG } from "pngjs";
import { encode } from "./palette.js";
import { digest, openPage, startBrowser, startStudio } from "./walk.js";

const FOLDER = new URL("../../docs/images/", import.meta.url);
const OUT = new URL("./out/", import.meta.url);
/** Fonts are not the same on every machine: so many pixels of a thousand may differ. */
const PER_THOUSAND = 1;

const SCREENS = [
  ["act", "#/act?seed=42&pins=[{%22row%22:13,%22col%22:3,%22kind%22:%22shop%22}]", "light"],
  ["play", "#/act?seed=42&@play=1,0;0,1;2,2;2,3;1,4&@fog=4", "dark"],
  ["compare", "#/act?seed=7&ruleset=rows&@b=seed%3D7%26ruleset%3Drows%26max_nodes%3D7%26cols%3D9", "light"],
  ["level", "#/level?seed=11&walls=caves&fuel=refuel_chain&puddles={%22amount%22:%223%25%22,%22zones%22:[]}&@witness=all", "dark"],
  ["floor", "#/floor?seed=first%20light&width=11&height=8&doorBudget=1&trapBudget=2&enemyBudget=4&waterBudget=3", "light"],
  ["tower", "#/tower?seed=3", "dark"],
  ["ways", "#/water?seed=11&width=360&height=230&scale=110&land=38&@method=mask-optimal", "light"],
];

let studio;
let browser;
before(async () => {
  studio = await startStudio();
  browser = await startBrowser();
});
after(async () => {
  await browser?.close();
  await studio?.stop();
});

for (const [name, hash, colorScheme] of SCREENS) {
  test(`the screen of ${name} looks as it did`, async (context) => {
    const { page, wrong, close } = await openPage(browser, studio.address, hash, { colorScheme, viewport: { width: 1280, height: 800 } });
    if (name === "ways") {
      await page.waitForFunction(() => Number(document.querySelector("#sea")?.dataset.way) > 20);
      await page.locator("#figures meter").first().waitFor();
      // In the middle of the search there is most to see.
      await page.locator("#step").fill(String(Math.round(Number(await page.locator("#step").getAttribute("max")) * 0.7)));
      await page.locator("#step").blur();
    } else {
      await digest(page);
      await page.locator("#verdict .verdict").waitFor();
      await page.locator("#figures table").first().waitFor();
    }
    await page.evaluate(() => document.fonts.ready);
    // What a clock measured is not the same twice.
    await page.evaluate(() => (document.querySelector("#time").textContent = ""));
    await page.waitForTimeout(200);
    const seen = PNG.sync.read(await page.screenshot());
    const file = new URL(`studio-${name}.png`, FOLDER);
    if (process.env.WAYFORGE_REFRESH) {
      await writeFile(file, encode(seen));
    } else {
      const kept = PNG.sync.read(await readFile(file));
      assert.deepEqual([seen.width, seen.height], [kept.width, kept.height]);
      const differ = pixelmatch(seen.data, kept.data, undefined, seen.width, seen.height, { threshold: 0.2 });
      context.diagnostic(`${differ} pixels of ${seen.width * seen.height} differ`);
      const most = (seen.width * seen.height * PER_THOUSAND) / 1000;
      if (differ > most) {
        await mkdir(OUT, { recursive: true });
        await writeFile(new URL(`${name}.png`, OUT), PNG.sync.write(seen));
      }
      assert.ok(differ <= most, `${differ} pixels differ, at most ${most} may; what was seen is in studio/tests/out`);
    }
    assert.deepEqual(wrong, []);
    await close();
  });
}

test("a map is drawn soon after every key", async (context) => {
  for (const [hash, field] of [["#/act?seed=1", "rows"], ["#/level?seed=1", "width"], ["#/floor?seed=1", "width"], ["#/tower?seed=1", "floors"]]) {
    const { page, close } = await openPage(browser, studio.address, hash);
    let before = await digest(page);
    const took = [];
    for (let i = 0; i < 14; i++) {
      const input = page.locator(`#controls [data-field="${field}"] input[type=number]`).first();
      await input.press("ArrowUp");
      before = await digest(page, before);
      await page.waitForFunction(() => /drawn/.test(document.querySelector("#time").textContent));
      took.push(Number(/\d+/.exec(await page.locator("#time").textContent())[0]));
    }
    took.sort((a, b) => a - b);
    context.diagnostic(`${hash}: from key to picture ${took[0]} ms at best, ${took[7]} ms in the middle, ${took[13]} ms at worst`);
    // The best of many: a busy machine says nothing about the page.
    assert.ok(took[0] < 100, `${hash}: ${took}`);
    await close();
  }
});
