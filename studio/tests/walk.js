// A browser, a studio of its own, and how its pages are walked.

import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer, request as ask } from "node:http";
import { tmpdir } from "node:os";
import { extname, join, resolve } from "node:path";
import { crc32, inflateRawSync } from "node:zlib";
import { chromium } from "playwright-core";

/** The exported studio to test, if that is to be tested. */
export const STATIC = process.env.WAYFORGE_STATIC;

/** Where tests ask the service what they expect; an exported page never does. */
const EXPECTED = STATIC ? "expected/" : "";

/** Starts the studio: the service's own, or the exported folder beside a service that only tests ask. */
export async function startStudio(given) {
  const service = await startService(given);
  const expected = `${service.address}${EXPECTED}`;
  if (!STATIC || given) return { ...service, expected };
  const host = await startHost(STATIC, service.address);
  return {
    address: host.address,
    expected: `${host.address}${EXPECTED}`,
    async stop() {
      await host.stop();
      return service.stop();
    },
  };
}

const KINDS = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".json": "application/json", ".ttf": "font/ttf", ".wasm": "application/wasm" };

/** A plain host of files; what stands under `expected/` goes to the service. */
async function startHost(folder, service) {
  const server = createServer(async (request, response) => {
    const { pathname, search } = new URL(request.url, "http://localhost");
    if (pathname.startsWith(`/${EXPECTED}`)) {
      const { method, headers } = request;
      const passed = ask(`${service}${pathname.slice(EXPECTED.length + 1)}${search}`, { method, headers }, (told) => {
        response.writeHead(told.statusCode, told.headers);
        told.pipe(response);
      });
      return request.pipe(passed);
    }
    try {
      const name = pathname === "/" ? "/index.html" : pathname.replaceAll("..", "");
      const bytes = await readFile(join(folder, name));
      response.setHeader("Content-Type", KINDS[extname(name)] ?? "application/octet-stream").end(bytes);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  const stop = () => new Promise((done) => (server.close(done), server.closeAllConnections()));
  return { address: `http://127.0.0.1:${server.address().port}/`, stop };
}

/** Starts the binary that `WAYFORGE` names, on a free port, over a database of its own. */
async function startService(given = ["studio", "--no-open", "--port", "0"]) {
  const binary = process.env.WAYFORGE;
  if (!binary) throw new Error("WAYFORGE does not name the binary to test");
  const folder = await mkdtemp(join(tmpdir(), "wayforge-studio-"));
  // A path without programs: there is no browser to open, and that is no matter.
  const child = spawn(resolve(binary), given, { cwd: folder, env: { ...process.env, PATH: folder } });
  const address = await new Promise((found, reject) => {
    let told = "";
    child.stderr.on("data", (bytes) => {
      told += bytes;
      const address = /http:\/\/[\d.:]+\//.exec(told);
      if (address) found(address[0]);
    });
    child.on("exit", (code) => reject(new Error(`the studio ended with ${code}: ${told}`)));
  });
  return {
    address,
    async stop() {
      const ended = new Promise((done) => child.on("exit", done));
      child.kill("SIGTERM");
      const code = await ended;
      await rm(folder, { recursive: true });
      return code;
    },
  };
}

export function startBrowser() {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--force-device-scale-factor=1"],
  });
}

/** A page that remembers everything that went wrong on it, and every request that left this machine. */
export async function openPage(browser, address, hash = "", options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, colorScheme: "light", reducedMotion: "reduce", acceptDownloads: true, ...options });
  const page = await context.newPage();
  const wrong = [];
  page.on("console", (message) => message.type() === "error" && !/status of 422/.test(message.text()) && wrong.push(message.text()));
  page.on("pageerror", (error) => wrong.push(String(error)));
  page.on("request", (request) => !request.url().startsWith(address) && !/^(blob|data):/.test(request.url()) && wrong.push(`outside: ${request.url()}`));
  await page.goto(`${address}${hash}`);
  return { page, wrong, close: () => context.close() };
}

/** The digest of the map on the page, once it is another than `before`. */
export async function digest(page, before = "") {
  const stage = page.locator(`#stage[data-digest]:not([data-digest="${before}"])`);
  await stage.waitFor();
  return stage.getAttribute("data-digest");
}

/** Waits for the verdict of the map on the page. */
export async function verdict(page) {
  const found = page.locator("#verdict .verdict");
  await found.waitFor();
  return found.getAttribute("data-valid");
}

/** Where a node of the active map is on the screen. */
export async function nodeAt(page, row, col) {
  const answer = await page.evaluate(
    async ([row, col, expected]) => {
      const seed = document.querySelector("#seed").value;
      const query = new URLSearchParams(location.hash.split("?")[1] ?? "");
      const config = {};
      for (const [key, value] of query) if (key !== "seed" && !key.startsWith("@")) config[key] = (() => { try { return JSON.parse(value); } catch { return value; } })();
      const response = await fetch(`${expected}v1/scene/act`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ seed, config }) });
      const scene = await response.json();
      const node = scene.nodes.find((node) => (row === "boss" ? node.boss : !node.boss && node.row === row && node.col === col));
      const box = document.querySelector(".over").getBoundingClientRect();
      const scale = box.width / scene.width;
      return node ? { x: box.left + node.x * scale, y: box.top + node.y * scale, kind: node.kind } : null;
    },
    [row, col, EXPECTED],
  );
  return answer;
}

/** The files of an archive, each checked against its sum. */
export function unzip(bytes) {
  const end = bytes.length - 22;
  if (bytes.readUInt32LE(end) !== 0x06054b50) throw new Error("no archive");
  const files = {};
  for (let at = bytes.readUInt32LE(end + 16), n = bytes.readUInt16LE(end + 10); n > 0; n--) {
    const [sum, packed, name, local] = [bytes.readUInt32LE(at + 16), bytes.readUInt32LE(at + 20), bytes.readUInt16LE(at + 28), bytes.readUInt32LE(at + 42)];
    const title = bytes.subarray(at + 46, at + 46 + name).toString();
    const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
    files[title] = inflateRawSync(bytes.subarray(start, start + packed));
    if (crc32(files[title]) !== sum) throw new Error(`${title} is damaged`);
    at += 46 + name + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  return files;
}

/** Presses a cell of a grid of the first map. */
export async function pressCell(page, family, floor, x, y) {
  const at = await page.evaluate(
    async ([family, floor, x, y, expected]) => {
      const query = new URLSearchParams(location.hash.split("?")[1] ?? "");
      const config = {};
      for (const [key, value] of query) if (key !== "seed" && !key.startsWith("@")) config[key] = (() => { try { return JSON.parse(value); } catch { return value; } })();
      const body = JSON.stringify({ seed: document.querySelector("#seed").value, config });
      const scene = await (await fetch(`${expected}v1/scene/${family}`, { method: "POST", headers: { "Content-Type": "application/json" }, body })).json();
      const box = document.querySelector(".over").getBoundingClientRect();
      const scale = box.width / scene.width;
      const grid = scene.grids[floor];
      return { x: box.left + (grid.x + (x + 0.5) * grid.tile) * scale, y: box.top + (grid.y + (y + 0.5) * grid.tile) * scale };
    },
    [family, floor, x, y, EXPECTED],
  );
  await page.mouse.click(at.x, at.y);
}
