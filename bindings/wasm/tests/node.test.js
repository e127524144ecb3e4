// Runs the test suite in Node: `WAYFORGE_NPM=target/npm node --expose-gc --test
// bindings/wasm/tests/node.test.js`.

import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import test from "node:test";
import { pathToFileURL } from "node:url";
import { cases } from "./suite.js";

const folder = resolve(process.env.WAYFORGE_NPM ?? "target/npm");
const wayforge = await import(pathToFileURL(`${folder}/node.js`));
const lines = (name) =>
  readFileSync(new URL(`../../../testsuite/catalogue/${name}.jsonl`, import.meta.url), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
const catalogue = Object.fromEntries(
  ["act", "level", "floor", "archipelago"].map((name) => [name, lines(name)]),
);

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
