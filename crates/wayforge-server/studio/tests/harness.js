// Test harness: starts a studio and a browser, and opens pages.

import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer, request as httpRequest } from "node:http";
import { tmpdir } from "node:os";
import { extname, join, resolve } from "node:path";
import { crc32, inflateRawSync } from "node:zlib";
import { chromium } from "playwright-core";

/** Folder of the exported studio, if that is tested. */
export const STATIC = process.env.WAYFORGE_STATIC;

/** Path prefix under which tests reach the service; an exported page does not use it. */
const EXPECTED = STATIC ? "expected/" : "";

/**
 * Starts the service's studio, or a file host of the exported studio with a service for the tests'
 * expectations.
 */
export async function startStudio(args) {
  const service = await startService(args);
  const expected = `${service.address}${EXPECTED}`;
  if (!STATIC || args) return { ...service, expected };
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

const MEDIA_TYPES = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".json": "application/json",
  ".ttf": "font/ttf",
  ".wasm": "application/wasm",
};

/** Serves files; requests under `expected/` are forwarded to the service. */
async function startHost(folder, service) {
  const server = createServer(async (request, response) => {
    const { pathname, search } = new URL(request.url, "http://localhost");
    if (pathname.startsWith(`/${EXPECTED}`)) {
      const { method, headers } = request;
      const forwarded = httpRequest(
        `${service}${pathname.slice(EXPECTED.length + 1)}${search}`,
        { method, headers },
        (reply) => {
          response.writeHead(reply.statusCode, reply.headers);
          reply.pipe(response);
        },
      );
      return request.pipe(forwarded);
    }
    try {
      const name = pathname === "/" ? "/index.html" : pathname.replaceAll("..", "");
      const bytes = await readFile(join(folder, name));
      response
        .setHeader("Content-Type", MEDIA_TYPES[extname(name)] ?? "application/octet-stream")
        .end(bytes);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  const stop = () => new Promise((done) => (server.close(done), server.closeAllConnections()));
  return { address: `http://127.0.0.1:${server.address().port}/`, stop };
}

/** Starts the binary in `WAYFORGE` on a free port, with its own database. */
async function startService(args = ["studio", "--no-open", "--port", "0"]) {
  const binary = process.env.WAYFORGE;
  if (!binary) throw new Error("set WAYFORGE to the binary to test");
  const folder = await mkdtemp(join(tmpdir(), "wayforge-studio-"));
  // An empty PATH, so that the command finds no browser to open.
  const child = spawn(resolve(binary), args, {
    cwd: folder,
    env: { ...process.env, PATH: folder },
  });
  const address = await new Promise((resolve, reject) => {
    let output = "";
    child.stderr.on("data", (bytes) => {
      output += bytes;
      const address = /http:\/\/[\d.:]+\//.exec(output);
      if (address) resolve(address[0]);
    });
    child.on("exit", (code) => reject(new Error(`the studio exited with ${code}: ${output}`)));
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
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-background-networking",
      "--force-device-scale-factor=1",
    ],
  });
}

/** Opens a page and records its errors and every request to another host. */
export async function openPage(browser, address, hash = "", options = {}) {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 860 },
    colorScheme: "light",
    reducedMotion: "reduce",
    acceptDownloads: true,
    ...options,
  });
  const page = await context.newPage();
  const errors = [];
  page.on(
    "console",
    (message) =>
      message.type() === "error" &&
      !/status of 422/.test(message.text()) &&
      errors.push(message.text()),
  );
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on(
    "request",
    (request) =>
      !request.url().startsWith(address) &&
      !/^(blob|data):/.test(request.url()) &&
      errors.push(`outside: ${request.url()}`),
  );
  await page.goto(`${address}${hash}`);
  return { page, errors, close: () => context.close() };
}

/** Waits until the digest of the map differs from `before`, and returns it. */
export async function digest(page, before = "") {
  const stage = page.locator(`#stage[data-digest]:not([data-digest="${before}"])`);
  await stage.waitFor();
  return stage.getAttribute("data-digest");
}

/** Waits for the validation of the map, and returns "true" if it is valid. */
export async function validity(page) {
  const found = page.locator("#validation .report");
  await found.waitFor();
  return found.getAttribute("data-valid");
}

/** Returns the screen position and kind of a node of the active map. */
export async function nodeAt(page, row, col) {
  const position = await page.evaluate(
    async ([row, col, expected]) => {
      const seed = document.querySelector("#seed").value;
      const query = new URLSearchParams(location.hash.split("?")[1] ?? "");
      const config = {};
      for (const [key, value] of query)
        if (key !== "seed" && !key.startsWith("@"))
          config[key] = (() => {
            try {
              return JSON.parse(value);
            } catch {
              return value;
            }
          })();
      const response = await fetch(`${expected}v1/scene/act`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ seed, config }),
      });
      const scene = await response.json();
      const node = scene.nodes.find((node) =>
        row === "boss" ? node.boss : !node.boss && node.row === row && node.col === col,
      );
      const box = document.querySelector(".over").getBoundingClientRect();
      const scale = box.width / scene.width;
      return node
        ? { x: box.left + node.x * scale, y: box.top + node.y * scale, kind: node.kind }
        : null;
    },
    [row, col, EXPECTED],
  );
  return position;
}

/** Unpacks a ZIP archive and checks the CRC of each file. */
export function unzip(bytes) {
  const end = bytes.length - 22;
  if (bytes.readUInt32LE(end) !== 0x06054b50) throw new Error("not a ZIP archive");
  const files = {};
  for (let at = bytes.readUInt32LE(end + 16), n = bytes.readUInt16LE(end + 10); n > 0; n--) {
    const [crc, packed, nameLength, local] = [
      bytes.readUInt32LE(at + 16),
      bytes.readUInt32LE(at + 20),
      bytes.readUInt16LE(at + 28),
      bytes.readUInt32LE(at + 42),
    ];
    const name = bytes.subarray(at + 46, at + 46 + nameLength).toString();
    const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
    files[name] = inflateRawSync(bytes.subarray(start, start + packed));
    if (crc32(files[name]) !== crc) throw new Error(`${name} is damaged`);
    at += 46 + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  return files;
}

/** Clicks a cell of a grid of the first map. */
export async function clickCell(page, family, floor, x, y) {
  const at = await page.evaluate(
    async ([family, floor, x, y, expected]) => {
      const query = new URLSearchParams(location.hash.split("?")[1] ?? "");
      const config = {};
      for (const [key, value] of query)
        if (key !== "seed" && !key.startsWith("@"))
          config[key] = (() => {
            try {
              return JSON.parse(value);
            } catch {
              return value;
            }
          })();
      const body = JSON.stringify({ seed: document.querySelector("#seed").value, config });
      const scene = await (
        await fetch(`${expected}v1/scene/${family}`, {
          method: "POST",
          headers: { "Content-Type": "application/json" },
          body,
        })
      ).json();
      const box = document.querySelector(".over").getBoundingClientRect();
      const scale = box.width / scene.width;
      const grid = scene.grids[floor];
      return {
        x: box.left + (grid.x + (x + 0.5) * grid.tile) * scale,
        y: box.top + (grid.y + (y + 0.5) * grid.tile) * scale,
      };
    },
    [family, floor, x, y, EXPECTED],
  );
  await page.mouse.click(at.x, at.y);
}
