// A browser, a studio of its own, and how its pages are walked.

import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { crc32, inflateRawSync } from "node:zlib";
import { chromium } from "playwright-core";

/** Starts the binary that `WAYFORGE` names, on a free port, over a database of its own. */
export async function startStudio(given = ["studio", "--no-open", "--port", "0"]) {
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
    async ([row, col]) => {
      const seed = document.querySelector("#seed").value;
      const query = new URLSearchParams(location.hash.split("?")[1] ?? "");
      const config = {};
      for (const [key, value] of query) if (key !== "seed" && !key.startsWith("@")) config[key] = (() => { try { return JSON.parse(value); } catch { return value; } })();
      const response = await fetch("/v1/scene/act", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ seed, config }) });
      const scene = await response.json();
      const node = scene.nodes.find((node) => (row === "boss" ? node.boss : !node.boss && node.row === row && node.col === col));
      const box = document.querySelector(".over").getBoundingClientRect();
      const scale = box.width / scene.width;
      return node ? { x: box.left + node.x * scale, y: box.top + node.y * scale, kind: node.kind } : null;
    },
    [row, col],
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
    const start = local + 30 + bytes.readUInt16LE(local + 26);
    files[title] = inflateRawSync(bytes.subarray(start, start + packed));
    if (crc32(files[title]) !== sum) throw new Error(`${title} is damaged`);
    at += 46 + name;
  }
  return files;
}

/** Presses a cell of a grid of the first map. */
export async function pressCell(page, family, floor, x, y) {
  const at = await page.evaluate(
    async ([family, floor, x, y]) => {
      const query = new URLSearchParams(location.hash.split("?")[1] ?? "");
      const config = {};
      for (const [key, value] of query) if (key !== "seed" && !key.startsWith("@")) config[key] = (() => { try { return JSON.parse(value); } catch { return value; } })();
      const body = JSON.stringify({ seed: document.querySelector("#seed").value, config });
      const scene = await (await fetch(`/v1/scene/${family}`, { method: "POST", headers: { "Content-Type": "application/json" }, body })).json();
      const box = document.querySelector(".over").getBoundingClientRect();
      const scale = box.width / scene.width;
      const grid = scene.grids[floor];
      return { x: box.left + (grid.x + (x + 0.5) * grid.tile) * scale, y: box.top + (grid.y + (y + 0.5) * grid.tile) * scale };
    },
    [family, floor, x, y],
  );
  await page.mouse.click(at.x, at.y);
}
