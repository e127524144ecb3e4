// Runs the test suite in Node, with the installed package. `scripts/check-wasm` installs it.

import { readFileSync } from "node:fs";
import test from "node:test";
import { fileURLToPath } from "node:url";
import * as wayforge from "wayforge";
import { cases } from "./suite.js";

const lines = (name) =>
  readFileSync(new URL(`catalogue/${name}.jsonl`, import.meta.url), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
const catalogue = Object.fromEntries(
  ["act", "level", "floor", "archipelago"].map((name) => [name, lines(name)]),
);

test("the package is the installed one", () => {
  const installed = fileURLToPath(new URL("node_modules/wayforge/node.js", import.meta.url));
  const resolved = fileURLToPath(import.meta.resolve("wayforge"));
  if (resolved !== installed) throw new Error(`wayforge is imported from ${resolved}`);
});

test("bundlers find the WebAssembly file", () => {
  const bytes = readFileSync(new URL(import.meta.resolve("wayforge/wayforge.wasm")));
  if (!WebAssembly.validate(bytes)) throw new Error("wayforge/wayforge.wasm is invalid");
});

for (const [name, run] of cases(wayforge, catalogue)) test(name, run);

test("100,000 rounds leak no memory", async () => {
  const once = (seed) => {
    const map = wayforge.floor(BigInt(seed));
    const play = map.play();
    play.moves.length;
    play.free();
    map.free();
    if (seed % 10 === 0) {
      try {
        wayforge.floor("1", { minPathLength: 40 });
      } catch (error) {
        if (error.field !== "minPathLength") throw error;
      }
    }
  };
  for (let seed = 0; seed < 5_000; seed += 1) once(seed);
  globalThis.gc?.();
  const before = process.memoryUsage().rss;
  for (let seed = 0; seed < 100_000; seed += 1) once(seed);
  globalThis.gc?.();
  const growth = process.memoryUsage().rss - before;
  if (growth > 24e6) throw new Error(`memory grew by ${growth} bytes`);
});
