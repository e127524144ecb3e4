// Runs the test suite in Chromium, over HTTP, with the installed package.

import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import test from "node:test";
import { chromium } from "playwright-core";

const project = import.meta.dirname;
const folders = {
  "/npm/": join(project, "node_modules/wayforge"),
  "/tests/": project,
  "/catalogue/": join(project, "catalogue"),
};
const mediaTypes = {
  ".js": "text/javascript",
  ".wasm": "application/wasm",
  ".jsonl": "text/plain",
};

const server = createServer(async (request, response) => {
  const path = new URL(request.url, "http://localhost").pathname;
  if (path === "/")
    return response
      .setHeader("content-type", "text/html")
      .end("<!doctype html><title>Wayforge</title>");
  const prefix = Object.keys(folders).find((folder) => path.startsWith(folder));
  try {
    const bytes = await readFile(
      join(folders[prefix], path.slice(prefix.length).replaceAll("..", "")),
    );
    response
      .setHeader("content-type", mediaTypes[extname(path)] ?? "application/octet-stream")
      .end(bytes);
  } catch {
    response.writeHead(404).end();
  }
});

test("every case in Chromium", { timeout: 300_000 }, async (context) => {
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
  });
  try {
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${server.address().port}/`);
    const names = await page.evaluate(async () => {
      const [wayforge, { cases }] = await Promise.all([
        import("/npm/web.js"),
        import("/tests/suite.js"),
      ]);
      const lines = async (name) =>
        (await (await fetch(`/catalogue/${name}.jsonl`)).text())
          .trim()
          .split("\n")
          .map((line) => JSON.parse(line));
      const catalogue = {};
      for (const name of ["act", "level", "floor", "archipelago"])
        catalogue[name] = await lines(name);
      globalThis.suite = cases(wayforge, catalogue);
      return globalThis.suite.map(([name]) => name);
    });
    for (const [index, name] of names.entries()) {
      await context.test(name, async () => {
        const failure = await page.evaluate((index) => {
          try {
            globalThis.suite[index][1]();
            return null;
          } catch (error) {
            return String(error.stack ?? error);
          }
        }, index);
        if (failure !== null) throw new Error(failure);
      });
    }
  } finally {
    await browser.close();
    server.close();
  }
});
