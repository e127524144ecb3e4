// Reads grid files: OpenFront (map.bin with manifest.json), Moving AI (.map) and text drawings.

/**
 * @typedef {{ width: number, height: number, tiles: Uint8Array, name: string }} TileGrid One byte
 * per tile: 128 for land, otherwise the distance of water from land.
 */

export const LAND = 128;
const MAX_SIDE = 16384;

/**
 * Reads the files of one grid.
 * @param {File[]} files
 * @returns {Promise<TileGrid>}
 */
export async function readGrid(files) {
  const find = (/** @type {RegExp} */ name) =>
    files.find((file) => name.test(file.name.toLowerCase()));
  const bin = find(/\.bin$/);
  const manifest = find(/\.json$/);
  if (bin) {
    if (!manifest) throw new Error("map.bin needs its manifest.json: open both together.");
    return readOpenFront(await manifest.text(), new Uint8Array(await bin.arrayBuffer()), bin.name);
  }
  const [file] = files;
  if (!file) throw new Error("No file selected.");
  const text = await file.text();
  return /^type\s/.test(text) ? readMovingAi(text, file.name) : readDrawing(text, file.name);
}

/** Throws if a side is out of range. @param {number} width @param {number} height */
function checkSize(width, height) {
  const isValid = (/** @type {number} */ n) => Number.isInteger(n) && n >= 1 && n <= MAX_SIDE;
  if (!isValid(width) || !isValid(height))
    throw new Error(`${width} x ${height} tiles: use sides from 1 to ${MAX_SIDE}.`);
}

/** @param {string} manifest @param {Uint8Array} bytes @param {string} name @returns {TileGrid} */
export function readOpenFront(manifest, bytes, name) {
  const { width, height } = JSON.parse(manifest).map ?? {};
  checkSize(width, height);
  if (bytes.length !== width * height)
    throw new Error(
      `map.bin has ${bytes.length} bytes; ${width} x ${height} tiles need ${width * height}.`,
    );
  return { width, height, name, tiles: bytes.map((tile) => (tile & LAND ? LAND : tile & 31)) };
}

/** @param {string} text @param {string} name @returns {TileGrid} */
export function readMovingAi(text, name) {
  const lines = text.split(/\r?\n/);
  const number = (/** @type {number} */ index, /** @type {string} */ name) =>
    Number((lines[index] ?? "").replace(name, "").trim());
  const [height, width] = [number(1, "height"), number(2, "width")];
  checkSize(width, height);
  return parseTiles(lines.slice(4), width, height, name, { open: ".GS", land: "@OTW" });
}

/** @param {string} text @param {string} name @returns {TileGrid} */
export function readDrawing(text, name) {
  const lines = text.replace(/\s+$/, "").split(/\r?\n/);
  checkSize(lines[0].length, lines.length);
  return parseTiles(lines, lines[0].length, lines.length, name, {
    open: ".~0123456789",
    land: "#@",
  });
}

/**
 * @param {string[]} lines @param {number} width @param {number} height @param {string} name @param
 * {{ open: string, land: string }} symbols @returns {TileGrid}
 */
function parseTiles(lines, width, height, name, symbols) {
  const tiles = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) {
    const line = lines[y] ?? "";
    if (line.length !== width)
      throw new Error(`Row ${y} has ${line.length} tiles; expected ${width}.`);
    for (let x = 0; x < width; x++) {
      const symbol = line[x];
      if (symbols.land.includes(symbol)) tiles[y * width + x] = LAND;
      else if (!symbols.open.includes(symbol))
        throw new Error(
          `"${symbol}" at ${x},${y} is not a tile: use ${symbols.open} or ${symbols.land}.`,
        );
    }
  }
  return withDepths({ width, height, tiles, name });
}

/**
 * Computes the distance of water from land, for shading: two-pass distance transform (Rosenfeld &
 * Pfaltz 1966).
 * @param {TileGrid} grid
 */
function withDepths(grid) {
  const { width, height, tiles } = grid;
  const distances = new Uint8Array(width * height).fill(60);
  const pass = (/** @type {number} */ i, /** @type {number} */ a, /** @type {number} */ b) => {
    if (tiles[i] === LAND) distances[i] = 0;
    else distances[i] = Math.min(distances[i], a + 1, b + 1);
  };
  for (let i = 0; i < distances.length; i++)
    pass(i, i % width ? distances[i - 1] : 60, i >= width ? distances[i - width] : 60);
  for (let i = distances.length - 1; i >= 0; i--)
    pass(
      i,
      (i + 1) % width ? distances[i + 1] : 60,
      i + width < distances.length ? distances[i + width] : 60,
    );
  for (let i = 0; i < distances.length; i++)
    if (tiles[i] !== LAND) tiles[i] = Math.min(31, Math.ceil(distances[i] / 2));
  return grid;
}

/**
 * Packs the grid as the service reads it: one bit per tile, set for open tiles. @param {TileGrid}
 * grid
 */
export function openBits(grid) {
  const bits = new Uint8Array(Math.ceil(grid.tiles.length / 8));
  grid.tiles.forEach((tile, i) => {
    if (tile !== LAND) bits[i >> 3] |= 1 << (i & 7);
  });
  return bits;
}

/**
 * Returns a source and a target far apart in the largest connected component, or null if it has
 * fewer than two tiles.
 * @param {TileGrid} grid
 */
export function distantEnds(grid) {
  const { width, height, tiles } = grid;
  const label = new Int32Array(tiles.length);
  let [largest, largestSize, count] = [0, 0, 0];
  /** @type {number[]} */
  const stack = [];
  for (let i = 0; i < tiles.length; i++) {
    if (label[i] || tiles[i] === LAND) continue;
    count += 1;
    let size = 0;
    stack.push(i);
    label[i] = count;
    for (let tile = stack.pop(); tile !== undefined; tile = stack.pop()) {
      size += 1;
      const x = tile % width;
      for (const [ok, to] of /** @type {[boolean, number][]} */ ([
        [x > 0, tile - 1],
        [x < width - 1, tile + 1],
        [tile >= width, tile - width],
        [tile + width < tiles.length, tile + width],
      ])) {
        if (ok && !label[to] && tiles[to] !== LAND) {
          label[to] = count;
          stack.push(to);
        }
      }
    }
    if (size > largestSize) [largest, largestSize] = [count, size];
  }
  if (largestSize < 2) return null;
  const nearest = (/** @type {number} */ x, /** @type {number} */ y) => {
    let [best, lowest] = [0, Infinity];
    for (let i = 0; i < tiles.length; i++) {
      const distance =
        label[i] === largest
          ? Math.abs((i % width) - x) + Math.abs(Math.floor(i / width) - y)
          : Infinity;
      if (distance < lowest) [best, lowest] = [i, distance];
    }
    return /** @type {[number, number]} */ ([best % width, Math.floor(best / width)]);
  };
  return {
    sources: [nearest(width * 0.06, height * 0.8)],
    targets: [nearest(width * 0.92, height * 0.2)],
  };
}
