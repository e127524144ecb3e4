// Draws a grid on a canvas: land, water by depth, the state of the search, and the path.

import { LAND } from "./gridfiles.js";

/** @typedef {[number, number, number]} Colour */

/**
 * Colours of each theme. Every theme lists all of them: a default would hide a missing one.
 *
 * @type {{ [theme: string]: { land: Colour, coast: Colour, shoal: Colour, deep: Colour, rings:
 * Colour[], visited: [Colour, Colour], path: string, source: string, target: string, halo: string }
 * }}
 */
export const COLOURS = {
  parchment: {
    land: [228, 207, 160],
    coast: [110, 84, 55],
    shoal: [207, 227, 230],
    deep: [150, 191, 205],
    rings: [
      [244, 226, 170],
      [240, 207, 140],
      [235, 188, 112],
      [229, 169, 88],
    ],
    visited: [
      [222, 138, 92],
      [176, 62, 48],
    ],
    path: "#6d1010",
    source: "#2a6d2f",
    target: "#8c1d5e",
    halo: "#fff8e8",
  },
  night: {
    land: [52, 62, 92],
    coast: [139, 151, 194],
    shoal: [28, 58, 104],
    deep: [13, 26, 56],
    rings: [
      [70, 74, 104],
      [96, 84, 104],
      [122, 94, 98],
      [148, 106, 92],
    ],
    visited: [
      [58, 132, 168],
      [130, 214, 226],
    ],
    path: "#ffd27a",
    source: "#8fe07a",
    target: "#ff8ad0",
    halo: "#0b0f1e",
  },
};

/** @param {Colour} a @param {Colour} b @param {number} ratio @returns {Colour} */
function mix(a, b, ratio) {
  return [a[0] + (b[0] - a[0]) * ratio, a[1] + (b[1] - a[1]) * ratio, a[2] + (b[2] - a[2]) * ratio];
}

export class GridCanvas {
  /** @param {HTMLCanvasElement} canvas */
  constructor(canvas) {
    this.canvas = canvas;
    /** Tiles at one pixel each. */
    this.tileCanvas = document.createElement("canvas");
    this.scale = 1;
  }

  /**
   * Draws the grid with search, path, ends and cursor.
   * @param {import("./gridfiles.js").TileGrid} grid
   * @param {import("./replay.js").Replay | null} replay
   * @param {{ theme: string, path: [number, number][], sources: [number, number][], targets:
   *   [number, number][], cursor: [number, number] | null }} overlay
   */
  draw(grid, replay, overlay) {
    const { width, height } = grid;
    const scale = Math.max(1, Math.min(8, Math.floor(2200 / Math.max(width, height))));
    if (this.canvas.width !== width * scale || this.canvas.height !== height * scale) {
      [this.canvas.width, this.canvas.height] = [width * scale, height * scale];
    }
    this.scale = scale;
    this.drawTiles(grid, replay, overlay.theme);
    const context = /** @type {CanvasRenderingContext2D} */ (this.canvas.getContext("2d"));
    context.imageSmoothingEnabled = false;
    context.drawImage(this.tileCanvas, 0, 0, width * scale, height * scale);
    const colours = COLOURS[overlay.theme];
    const lineWidth = Math.max(2.5, Math.max(width, height) * scale * 0.0035);
    if (overlay.path.length > 1)
      this.line(context, overlay.path, [
        [colours.halo, lineWidth * 2.2],
        [colours.path, lineWidth],
      ]);
    for (const [x, y] of overlay.sources)
      this.dot(context, x, y, colours.source, colours.halo, lineWidth * 2.2);
    for (const [x, y] of overlay.targets)
      this.diamond(context, x, y, colours.target, colours.halo, lineWidth * 2.6);
    if (overlay.cursor) this.cross(context, overlay.cursor, colours.path, lineWidth * 5);
  }

  /**
   * @param {import("./gridfiles.js").TileGrid} grid @param {import("./replay.js").Replay | null}
   * replay @param {string} theme
   */
  drawTiles(grid, replay, theme) {
    const { width, height, tiles } = grid;
    if (this.tileCanvas.width !== width || this.tileCanvas.height !== height)
      [this.tileCanvas.width, this.tileCanvas.height] = [width, height];
    const context = /** @type {CanvasRenderingContext2D} */ (this.tileCanvas.getContext("2d"));
    const image = context.createImageData(width, height);
    const colours = COLOURS[theme];
    const depths = Array.from({ length: 32 }, (_, depth) =>
      mix(colours.shoal, colours.deep, Math.min(1, depth / 14)),
    );
    const end = Math.max(1, replay?.length ?? 1);
    const shades = Array.from({ length: 64 }, (_, i) =>
      mix(colours.visited[0], colours.visited[1], i / 63),
    );
    const isLand = (/** @type {number} */ i) => tiles[i] === LAND;
    for (let i = 0; i < tiles.length; i++) {
      /** @type {Colour} */
      let colour;
      if (isLand(i)) {
        const x = i % width;
        const shore =
          (x > 0 && !isLand(i - 1)) ||
          (x < width - 1 && !isLand(i + 1)) ||
          (i >= width && !isLand(i - width)) ||
          (i + width < tiles.length && !isLand(i + width));
        colour = shore ? colours.coast : colours.land;
      } else if (replay?.visited[i]) colour = shades[Math.floor((replay.visited[i] / end) * 63)];
      else if (replay?.allowed[i])
        colour = mix(
          colours.rings[Math.min(3, replay.allowed[i] - 1)],
          depths[tiles[i] & 31],
          0.35,
        );
      else colour = depths[tiles[i] & 31];
      const offset = i * 4;
      image.data[offset] = colour[0];
      image.data[offset + 1] = colour[1];
      image.data[offset + 2] = colour[2];
      image.data[offset + 3] = 255;
    }
    context.putImageData(image, 0, 0);
  }

  /**
   * @param {CanvasRenderingContext2D} context @param {[number, number][]} path @param {[string,
   * number][]} strokes
   */
  line(context, path, strokes) {
    context.lineJoin = context.lineCap = "round";
    for (const [colour, width] of strokes) {
      context.beginPath();
      path.forEach(([x, y], i) =>
        i
          ? context.lineTo((x + 0.5) * this.scale, (y + 0.5) * this.scale)
          : context.moveTo((x + 0.5) * this.scale, (y + 0.5) * this.scale),
      );
      [context.strokeStyle, context.lineWidth] = [colour, width];
      context.stroke();
    }
  }

  /**
   * @param {CanvasRenderingContext2D} context @param {number} x @param {number} y @param {string}
   * colour @param {string} halo @param {number} radius
   */
  dot(context, x, y, colour, halo, radius) {
    context.beginPath();
    context.arc((x + 0.5) * this.scale, (y + 0.5) * this.scale, radius, 0, 7);
    [context.fillStyle, context.strokeStyle, context.lineWidth] = [colour, halo, radius / 2.5];
    context.fill();
    context.stroke();
  }

  /**
   * @param {CanvasRenderingContext2D} context @param {number} x @param {number} y @param {string}
   * colour @param {string} halo @param {number} size
   */
  diamond(context, x, y, colour, halo, size) {
    const [cx, cy] = [(x + 0.5) * this.scale, (y + 0.5) * this.scale];
    context.beginPath();
    context.moveTo(cx, cy - size);
    context.lineTo(cx + size, cy);
    context.lineTo(cx, cy + size);
    context.lineTo(cx - size, cy);
    context.closePath();
    [context.fillStyle, context.strokeStyle, context.lineWidth] = [colour, halo, size / 3];
    context.fill();
    context.stroke();
  }

  /**
   * @param {CanvasRenderingContext2D} context @param {[number, number]} tile @param {string} colour
   * @param {number} size
   */
  cross(context, tile, colour, size) {
    const [x, y] = [(tile[0] + 0.5) * this.scale, (tile[1] + 0.5) * this.scale];
    context.beginPath();
    context.moveTo(x - size, y);
    context.lineTo(x + size, y);
    context.moveTo(x, y - size);
    context.lineTo(x, y + size);
    [context.strokeStyle, context.lineWidth] = [colour, size / 6];
    context.stroke();
  }
}
