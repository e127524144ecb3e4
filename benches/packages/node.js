// Node runner of `benches/packages/run`: reads tasks and runs them with the package in the given
// directory.

import { resolve } from "node:path";
import { createInterface } from "node:readline";

const wayforge = await import(resolve(process.argv[2], "node.js"));

function runTask(task, family, count) {
  const start = performance.now();
  let sum = 0;
  if (task === "batch") {
    const { columns } = wayforge.batch(family, 0n, count);
    const seconds = (performance.now() - start) / 1000;
    for (const column of Object.values(columns)) for (const value of column) sum += value;
    return [seconds, sum];
  }
  for (let seed = 0n; seed < BigInt(count); seed++) {
    const map = wayforge.generate(family, seed);
    sum += map.toText().length;
    map.free();
  }
  return [(performance.now() - start) / 1000, sum];
}

for await (const line of createInterface({ input: process.stdin })) {
  const [task, family, count, threads] = line.split(" ");
  if (threads !== "1") console.log("? only one thread is supported");
  else console.log(runTask(task, family, Number(count)).join(" "));
}
