// Screenshots that are compared with files, with a tolerance for other fonts and browser versions.

import assert from "node:assert/strict";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import pixelmatch from "pixelmatch";
import { PNG } from "pngjs";
import { encode } from "./palette.js";

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));
const TARGET = resolve(ROOT, process.env.CARGO_TARGET_DIR ?? "target");
const OUT = pathToFileURL(resolve(TARGET, "golden-diff/studio") + "/");
/** Tolerated share of pixels that differ. */
const TOLERANCE = 0.01;

/**
 * Compares a screenshot with the file `studio-NAME.png` in a folder.
 *
 * `WAYFORGE_REFRESH=1` creates a missing file, `WAYFORGE_REFRESH=overwrite` also replaces a file
 * that differs. On failure, the screenshot and a picture of the differences are written.
 * @param {URL} folder
 * @param {string} name
 * @param {Buffer} screenshot A PNG file.
 * @returns {Promise<string>} A description of the comparison.
 */
export async function compareScreenshot(folder, name, screenshot) {
  const file = new URL(`studio-${name}.png`, folder);
  const [out, outDiff] = [`${name}.png`, `${name}.diff.png`].map((name) => new URL(name, OUT));
  const actual = PNG.sync.read(screenshot);
  const refresh = process.env.WAYFORGE_REFRESH;
  const write = async (change) => {
    await writeFile(file, encode(actual));
    return `${change} ${fileURLToPath(file)}`;
  };
  await Promise.all([out, outDiff].map((file) => rm(file, { force: true })));
  const bytes = await readFile(file).catch(() => null);
  if (!bytes && refresh) return write("created");
  assert.ok(bytes, `${fileURLToPath(file)} is missing; scripts/refresh creates it`);
  const expected = PNG.sync.read(bytes);
  const { width, height } = expected;
  const diff = new PNG({ width, height });
  const isSameSize = width === actual.width && height === actual.height;
  const count = isSameSize
    ? pixelmatch(actual.data, expected.data, diff.data, width, height, { threshold: 0.2 })
    : width * height;
  const limit = Math.floor(width * height * TOLERANCE);
  const result = `${count} of ${width * height} pixels differ; at most ${limit} may`;
  if (count <= limit) return result;
  if (refresh === "overwrite") return write("replaced");
  await mkdir(OUT, { recursive: true });
  await writeFile(out, screenshot);
  await writeFile(outDiff, PNG.sync.write(diff));
  assert.fail(
    `${name}: ${isSameSize ? result : `expected ${width} x ${height} pixels`}\n` +
      `  actual: ${fileURLToPath(out)}\n  diff: ${fileURLToPath(outDiff)}\n` +
      "If the change is intended, accept it by `scripts/refresh --overwrite`.",
  );
}
