// Node's side of `benches/packages/run`: the work that a line asks for, by the package in the folder that is named.

import { resolve } from "node:path";
import { createInterface } from "node:readline";

const wayforge = await import(resolve(process.argv[2], "node.js"));

function answer(work, family, count) {
    const start = performance.now();
    let sum = 0;
    if (work === "batch") {
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
    const [work, family, count, threads] = line.split(" ");
    if (threads !== "1") console.log("? one thread is all there is");
    else console.log(answer(work, family, Number(count)).join(" "));
}
