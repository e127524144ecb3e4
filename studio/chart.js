// A sea on a canvas: land, water by depth, the search over it, and the way.

import { LAND } from "./mapfiles.js";

/** @typedef {[number, number, number]} Colour */

/** @type {{ [theme: string]: { land: Colour, coast: Colour, shoal: Colour, deep: Colour, rings: Colour[], visited: [Colour, Colour], way: string, source: string, target: string, halo: string } }} */
export const COLOURS = {
  parchment: {
    land: [228, 207, 160],
    coast: [110, 84, 55],
    shoal: [207, 227, 230],
    deep: [150, 191, 205],
    rings: [[244, 226, 170], [240, 207, 140], [235, 188, 112], [229, 169, 88]],
    visited: [[222, 138, 92], [176, 62, 48]],
    way: "#6d1010",
    source: "#2a6d2f",
    target: "#8c1d5e",
    halo: "#fff8e8",
  },
  night: {
    land: [52, 62, 92],
    coast: [139, 151, 194],
    shoal: [28, 58, 104],
    deep: [13, 26, 56],
    rings: [[70, 74, 104], [96, 84, 104], [122, 94, 98], [148, 106, 92]],
    visited: [[58, 132, 168], [130, 214, 226]],
    way: "#ffd27a",
    source: "#8fe07a",
    target: "#ff8ad0",
    halo: "#0b0f1e",
  },
};

/** @param {Colour} a @param {Colour} b @param {number} part @returns {Colour} */
function between(a, b, part) {
  return [a[0] + (b[0] - a[0]) * part, a[1] + (b[1] - a[1]) * part, a[2] + (b[2] - a[2]) * part];
}

export class Chart {
  /** @param {HTMLCanvasElement} canvas */
  constructor(canvas) {
    this.canvas = canvas;
    /** The tiles, one pixel each. */
    this.small = document.createElement("canvas");
    this.scale = 1;
  }

  /**
   * Draws all of it.
   * @param {import("./mapfiles.js").Sea} sea
   * @param {import("./replay.js").Replay | null} replay
   * @param {{ theme: string, way: [number, number][], sources: [number, number][], targets: [number, number][], cursor: [number, number] | null }} over
   */
  draw(sea, replay, over) {
    const { width, height } = sea;
    const scale = Math.max(1, Math.min(8, Math.floor(2200 / Math.max(width, height))));
    if (this.canvas.width !== width * scale || this.canvas.height !== height * scale) {
      [this.canvas.width, this.canvas.height] = [width * scale, height * scale];
    }
    this.scale = scale;
    this.tiles(sea, replay, over.theme);
    const pen = /** @type {CanvasRenderingContext2D} */ (this.canvas.getContext("2d"));
    pen.imageSmoothingEnabled = false;
    pen.drawImage(this.small, 0, 0, width * scale, height * scale);
    const colours = COLOURS[over.theme];
    const wide = Math.max(2.5, Math.max(width, height) * scale * 0.0035);
    if (over.way.length > 1) this.line(pen, over.way, [[colours.halo, wide * 2.2], [colours.way, wide]]);
    for (const [x, y] of over.sources) this.dot(pen, x, y, colours.source, colours.halo, wide * 2.2);
    for (const [x, y] of over.targets) this.flag(pen, x, y, colours.target, colours.halo, wide * 2.6);
    if (over.cursor) this.cross(pen, over.cursor, colours.way, wide * 5);
  }

  /** @param {import("./mapfiles.js").Sea} sea @param {import("./replay.js").Replay | null} replay @param {string} theme */
  tiles(sea, replay, theme) {
    const { width, height, tiles } = sea;
    if (this.small.width !== width || this.small.height !== height) [this.small.width, this.small.height] = [width, height];
    const pen = /** @type {CanvasRenderingContext2D} */ (this.small.getContext("2d"));
    const image = pen.createImageData(width, height);
    const colours = COLOURS[theme];
    const depths = Array.from({ length: 32 }, (_, depth) => between(colours.shoal, colours.deep, Math.min(1, depth / 14)));
    const end = Math.max(1, replay?.length ?? 1);
    const shades = Array.from({ length: 64 }, (_, i) => between(colours.visited[0], colours.visited[1], i / 63));
    const isLand = (/** @type {number} */ i) => tiles[i] === LAND;
    for (let i = 0; i < tiles.length; i++) {
      /** @type {Colour} */
      let colour;
      if (isLand(i)) {
        const x = i % width;
        const shore = (x > 0 && !isLand(i - 1)) || (x < width - 1 && !isLand(i + 1)) || (i >= width && !isLand(i - width)) || (i + width < tiles.length && !isLand(i + width));
        colour = shore ? colours.coast : colours.land;
      } else if (replay?.visited[i]) colour = shades[Math.floor((replay.visited[i] / end) * 63)];
      else if (replay?.allowed[i]) colour = between(colours.rings[Math.min(3, replay.allowed[i] - 1)], depths[tiles[i] & 31], 0.35);
      else colour = depths[tiles[i] & 31];
      const at = i * 4;
      image.data[at] = colour[0];
      image.data[at + 1] = colour[1];
      image.data[at + 2] = colour[2];
      image.data[at + 3] = 255;
    }
    pen.putImageData(image, 0, 0);
  }

  /** @param {CanvasRenderingContext2D} pen @param {[number, number][]} way @param {[string, number][]} strokes */
  line(pen, way, strokes) {
    pen.lineJoin = pen.lineCap = "round";
    for (const [colour, wide] of strokes) {
      pen.beginPath();
      way.forEach(([x, y], i) => (i ? pen.lineTo((x + 0.5) * this.scale, (y + 0.5) * this.scale) : pen.moveTo((x + 0.5) * this.scale, (y + 0.5) * this.scale)));
      [pen.strokeStyle, pen.lineWidth] = [colour, wide];
      pen.stroke();
    }
  }

  /** @param {CanvasRenderingContext2D} pen @param {number} x @param {number} y @param {string} colour @param {string} halo @param {number} radius */
  dot(pen, x, y, colour, halo, radius) {
    pen.beginPath();
    pen.arc((x + 0.5) * this.scale, (y + 0.5) * this.scale, radius, 0, 7);
    [pen.fillStyle, pen.strokeStyle, pen.lineWidth] = [colour, halo, radius / 2.5];
    pen.fill();
    pen.stroke();
  }

  /** @param {CanvasRenderingContext2D} pen @param {number} x @param {number} y @param {string} colour @param {string} halo @param {number} size */
  flag(pen, x, y, colour, halo, size) {
    const [cx, cy] = [(x + 0.5) * this.scale, (y + 0.5) * this.scale];
    pen.beginPath();
    pen.moveTo(cx, cy - size);
    pen.lineTo(cx + size, cy);
    pen.lineTo(cx, cy + size);
    pen.lineTo(cx - size, cy);
    pen.closePath();
    [pen.fillStyle, pen.strokeStyle, pen.lineWidth] = [colour, halo, size / 3];
    pen.fill();
    pen.stroke();
  }

  /** @param {CanvasRenderingContext2D} pen @param {[number, number]} at @param {string} colour @param {number} size */
  cross(pen, at, colour, size) {
    const [x, y] = [(at[0] + 0.5) * this.scale, (at[1] + 0.5) * this.scale];
    pen.beginPath();
    pen.moveTo(x - size, y);
    pen.lineTo(x + size, y);
    pen.moveTo(x, y - size);
    pen.lineTo(x, y + size);
    [pen.strokeStyle, pen.lineWidth] = [colour, size / 6];
    pen.stroke();
  }
}
