// Writes small PNG files with a palette of at most 256 colours.

import { crc32, deflateSync } from "node:zlib";

/**
 * Encodes an image.
 * @param {{ width: number, height: number, data: Uint8Array }} picture Four bytes per pixel.
 * @returns {Buffer} A PNG with a palette.
 */
export function encode(picture) {
  const { width, height, data } = picture;
  const boxes = new Map();
  for (let i = 0; i < data.length; i += 4) {
    const key = ((data[i] >> 2) << 12) | ((data[i + 1] >> 2) << 6) | (data[i + 2] >> 2);
    const box = boxes.get(key) ?? [0, 0, 0, 0];
    box[0] += data[i];
    box[1] += data[i + 1];
    box[2] += data[i + 2];
    box[3] += 1;
    boxes.set(key, box);
  }
  const palette = medianCut([...boxes.values()]);
  const nearest = new Map();
  for (const [key, [r, g, b, n]] of boxes) {
    const distances = palette.map(
      (colour) => (colour[0] - r / n) ** 2 + (colour[1] - g / n) ** 2 + (colour[2] - b / n) ** 2,
    );
    nearest.set(key, distances.indexOf(Math.min(...distances)));
  }
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const i = (y * width + x) * 4;
      rows[y * (width + 1) + 1 + x] = nearest.get(
        ((data[i] >> 2) << 12) | ((data[i + 1] >> 2) << 6) | (data[i + 2] >> 2),
      );
    }
  }
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 3, 0, 0, 0], 8);
  const colours = Buffer.from(palette.flatMap((colour) => colour.map(Math.round)));
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", head),
    chunk("PLTE", colours),
    chunk("IDAT", deflateSync(rows, { level: 9, memLevel: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** Median cut (Heckbert 1982): splits the box with the highest score until there are 256. */
function medianCut(colours) {
  let boxes = [colours];
  const spread = (box) =>
    Math.max(...[0, 1, 2].map((c) => range(box, c))) *
    Math.log2(1 + box.reduce((sum, colour) => sum + colour[3], 0));
  const scored = boxes.map((box) => ({ box, score: spread(box) }));
  while (scored.length < 256) {
    scored.sort((a, b) => b.score - a.score);
    const { box } = scored[0];
    if (box.length < 2) break;
    const channel = [0, 1, 2].reduce((best, c) => (range(box, c) > range(box, best) ? c : best), 0);
    box.sort((a, b) => a[channel] / a[3] - b[channel] / b[3]);
    const half = box.length >> 1;
    const parts = [box.slice(0, half), box.slice(half)];
    scored.splice(0, 1, ...parts.map((part) => ({ box: part, score: spread(part) })));
  }
  return scored.map(({ box }) => {
    const sum = box.reduce((all, colour) => colour.map((part, i) => all[i] + part), [0, 0, 0, 0]);
    return [sum[0] / sum[3], sum[1] / sum[3], sum[2] / sum[3]];
  });
}

function range(box, channel) {
  let [min, max] = [255, 0];
  for (const colour of box) {
    const value = colour[channel] / colour[3];
    min = Math.min(min, value);
    max = Math.max(max, value);
  }
  return max - min;
}

function chunk(name, data) {
  const body = Buffer.concat([Buffer.from(name, "latin1"), data]);
  const out = Buffer.alloc(body.length + 8);
  out.writeUInt32BE(data.length, 0);
  body.copy(out, 4);
  out.writeUInt32BE(crc32(body), body.length + 4);
  return out;
}
