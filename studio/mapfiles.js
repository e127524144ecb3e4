// Maps of water that other programs wrote: OpenFront's (map.bin with its manifest), Moving AI's, and drawings in text.

/** @typedef {{ width: number, height: number, tiles: Uint8Array, name: string }} Sea One byte a tile: 128 is land, others are how far water is from land. */

export const LAND = 128;
const MAX_SIDE = 16384;

/**
 * Reads files that were dropped together.
 * @param {File[]} files
 * @returns {Promise<Sea>}
 */
export async function readSea(files) {
  const find = (/** @type {RegExp} */ name) => files.find((file) => name.test(file.name.toLowerCase()));
  const bin = find(/\.bin$/);
  const manifest = find(/\.json$/);
  if (bin) {
    if (!manifest) throw new Error("map.bin needs its manifest.json: drop both together.");
    return readOpenFront(await manifest.text(), new Uint8Array(await bin.arrayBuffer()), bin.name);
  }
  const [file] = files;
  if (!file) throw new Error("There is no file.");
  const text = await file.text();
  return /^type\s/.test(text) ? readMovingAi(text, file.name) : readDrawing(text, file.name);
}

/** @param {number} width @param {number} height */
function check(width, height) {
  const side = (/** @type {number} */ n) => Number.isInteger(n) && n >= 1 && n <= MAX_SIDE;
  if (!side(width) || !side(height)) throw new Error(`A map of ${width} x ${height} tiles: sides go from 1 to ${MAX_SIDE}.`);
}

/** @param {string} manifest @param {Uint8Array} bytes @param {string} name @returns {Sea} */
export function readOpenFront(manifest, bytes, name) {
  const { width, height } = JSON.parse(manifest).map ?? {};
  check(width, height);
  if (bytes.length !== width * height) throw new Error(`The manifest's ${width} x ${height} tiles need ${width * height} bytes; map.bin has ${bytes.length}.`);
  return { width, height, name, tiles: bytes.map((tile) => (tile & LAND ? LAND : tile & 31)) };
}

/** @param {string} text @param {string} name @returns {Sea} */
export function readMovingAi(text, name) {
  const lines = text.split(/\r?\n/);
  const number = (/** @type {number} */ at, /** @type {string} */ word) => Number((lines[at] ?? "").replace(word, "").trim());
  const [height, width] = [number(1, "height"), number(2, "width")];
  check(width, height);
  return fill(lines.slice(4), width, height, name, { open: ".GS", land: "@OTW" });
}

/** @param {string} text @param {string} name @returns {Sea} */
export function readDrawing(text, name) {
  const lines = text.replace(/\s+$/, "").split(/\r?\n/);
  check(lines[0].length, lines.length);
  return fill(lines, lines[0].length, lines.length, name, { open: ".~0123456789", land: "#@" });
}

/** @param {string[]} lines @param {number} width @param {number} height @param {string} name @param {{ open: string, land: string }} letters @returns {Sea} */
function fill(lines, width, height, name, letters) {
  const tiles = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) {
    const line = lines[y] ?? "";
    if (line.length !== width) throw new Error(`Row ${y} has ${line.length} tiles where ${width} belong.`);
    for (let x = 0; x < width; x++) {
      const letter = line[x];
      if (letters.land.includes(letter)) tiles[y * width + x] = LAND;
      else if (!letters.open.includes(letter)) throw new Error(`"${letter}" at ${x},${y} is no tile: use ${letters.open} and ${letters.land}.`);
    }
  }
  return withDepths({ width, height, tiles, name });
}

/**
 * Gives water its distance from land, so that it can be shaded. Two passes over the tiles.
 * @param {Sea} sea
 */
function withDepths(sea) {
  const { width, height, tiles } = sea;
  const far = new Uint8Array(width * height).fill(60);
  const pass = (/** @type {number} */ i, /** @type {number} */ a, /** @type {number} */ b) => {
    if (tiles[i] === LAND) far[i] = 0;
    else far[i] = Math.min(far[i], a + 1, b + 1);
  };
  for (let i = 0; i < far.length; i++) pass(i, i % width ? far[i - 1] : 60, i >= width ? far[i - width] : 60);
  for (let i = far.length - 1; i >= 0; i--) pass(i, (i + 1) % width ? far[i + 1] : 60, i + width < far.length ? far[i + width] : 60);
  for (let i = 0; i < far.length; i++) if (tiles[i] !== LAND) tiles[i] = Math.min(31, Math.ceil(far[i] / 2));
  return sea;
}

/** One bit a tile, set for water, as the service reads maps. @param {Sea} sea */
export function openBits(sea) {
  const bits = new Uint8Array(Math.ceil(sea.tiles.length / 8));
  sea.tiles.forEach((tile, i) => {
    if (tile !== LAND) bits[i >> 3] |= 1 << (i & 7);
  });
  return bits;
}

/**
 * Two ends far apart in the largest sea, so that there is something to see at once; none if there is no room for two.
 * @param {Sea} sea
 */
export function farEnds(sea) {
  const { width, height, tiles } = sea;
  const label = new Int32Array(tiles.length);
  let [best, most, count] = [0, 0, 0];
  /** @type {number[]} */
  const stack = [];
  for (let i = 0; i < tiles.length; i++) {
    if (label[i] || tiles[i] === LAND) continue;
    count += 1;
    let size = 0;
    stack.push(i);
    label[i] = count;
    for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
      size += 1;
      const x = at % width;
      for (const [ok, to] of /** @type {[boolean, number][]} */ ([[x > 0, at - 1], [x < width - 1, at + 1], [at >= width, at - width], [at + width < tiles.length, at + width]])) {
        if (ok && !label[to] && tiles[to] !== LAND) {
          label[to] = count;
          stack.push(to);
        }
      }
    }
    if (size > most) [best, most] = [count, size];
  }
  if (most < 2) return null;
  const nearest = (/** @type {number} */ x, /** @type {number} */ y) => {
    let [at, least] = [0, Infinity];
    for (let i = 0; i < tiles.length; i++) {
      const away = label[i] === best ? Math.abs((i % width) - x) + Math.abs(Math.floor(i / width) - y) : Infinity;
      if (away < least) [at, least] = [i, away];
    }
    return /** @type {[number, number]} */ ([at % width, Math.floor(at / width)]);
  };
  return { sources: [nearest(width * 0.06, height * 0.8)], targets: [nearest(width * 0.92, height * 0.2)] };
}
