// One map on the page: its image and the marks over it.

import { announce, h, svgElement } from "./dom.js";
import { pinMark, ring, sameSpot, spotAt, neighbouringSpot } from "./spots.js";

/** @typedef {import("./types.js").MapScene} MapScene */
/** @typedef {import("./spots.js").Spot} Spot */

/**
 * @typedef {object} Host Callbacks of the page.
 * @property {(pane: Pane, spot: Spot) => void} press
 * @property {(pane: Pane, spot: Spot) => string} describe Describes a spot in words.
 * @property {(pane: Pane) => void} choose
 */

/**
 * The bundled font as a CSS rule to embed in images: an SVG in an `img` element cannot use the
 * fonts of the page.
 * @type {Promise<string>}
 */
const fontFace = fetch(new URL("serif.ttf", import.meta.url))
  .then((response) => response.blob())
  .then(
    (font) =>
      new Promise((resolve) => {
        const reader = new FileReader();
        reader.onload = () =>
          resolve(
            `<style>@font-face{font-family:"Wayforge Serif";src:url("${reader.result}")}</style>`,
          );
        reader.onerror = () => resolve("");
        reader.readAsDataURL(font);
      }),
  )
  .catch(() => "");

export class Pane {
  /** @param {string} letter @param {Host} host */
  constructor(letter, host) {
    this.letter = letter;
    this.host = host;
    /** @type {MapScene | null} */
    this.scene = null;
    /** @type {Spot | null} */
    this.cursor = null;
    /** @type {Spot[]} */
    this.pins = [];
    /** @type {Spot[]} */
    this.legal = [];
    /** @type {(SVGElement | null)[]} */
    this.extra = [];
    this.imageUrl = "";
    this.head = h("button", {
      type: "button",
      class: "pane-head",
      onclick: () => host.choose(this),
    });
    this.image = h("img", { alt: "", class: "picture", draggable: "false" });
    this.marks = svgElement("g");
    this.over = svgElement(
      "svg",
      {
        class: "over",
        tabindex: "0",
        role: "application",
        "aria-label": `Map ${letter}: arrow keys move, Enter selects`,
      },
      this.marks,
    );
    this.problem = h("p", { class: "problem", role: "alert", hidden: true });
    this.frame = h("div", { class: "frame" }, this.image, this.over);
    this.element = h(
      "section",
      { class: "pane", "aria-label": `Map ${letter}` },
      this.head,
      this.frame,
      this.problem,
    );
    this.listen();
  }

  listen() {
    /** @param {PointerEvent | MouseEvent} event */
    const spotOf = (event) => {
      if (!this.scene) return null;
      const box = this.over.getBoundingClientRect();
      const scale = this.scene.width / box.width;
      return spotAt(
        this.scene,
        (event.clientX - box.left) * scale,
        (event.clientY - box.top) * scale,
      );
    };
    this.over.addEventListener("pointermove", (event) => this.point(spotOf(event), false));
    this.over.addEventListener("pointerleave", () => this.point(null, false));
    this.over.addEventListener("click", (event) => {
      const spot = spotOf(event);
      if (spot) this.host.press(this, spot);
    });
    this.over.addEventListener("keydown", (event) => {
      /** @type {{ [key: string]: [number, number] }} */
      const directions = {
        ArrowLeft: [-1, 0],
        ArrowRight: [1, 0],
        ArrowUp: [0, -1],
        ArrowDown: [0, 1],
      };
      const direction = directions[event.key];
      if (direction && this.scene) {
        event.preventDefault();
        this.point(neighbouringSpot(this.scene, this.cursor, ...direction), true);
      } else if ((event.key === "Enter" || event.key === " ") && this.cursor) {
        event.preventDefault();
        this.host.press(this, this.cursor);
      }
    });
    this.over.addEventListener("blur", () => this.point(null, false));
  }

  /** @param {Spot | null} spot @param {boolean} speak */
  point(spot, speak) {
    if (sameSpot(spot, this.cursor)) return;
    this.cursor = spot;
    const text = spot ? this.host.describe(this, spot) : "";
    if (speak) announce(text);
    this.over.classList.toggle("on-spot", spot !== null);
    this.hint(text);
    this.draw();
  }

  /** @param {string} text */
  hint(text) {
    const line = document.getElementById("spot");
    if (line) line.textContent = text;
  }

  /**
   * Shows a map. Resolves when its image is decoded.
   * @param {MapScene} scene
   */
  async show(scene) {
    const style = await fontFace;
    const svg = scene.svg.replace(/^<svg [^>]*>/, (tag) => tag + style);
    const url = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
    const next = new Image();
    next.className = "picture";
    next.draggable = false;
    next.alt = descriptionOf(scene.svg);
    next.src = url;
    await next.decode().catch(() => undefined);
    const previousUrl = this.imageUrl;
    this.imageUrl = url;
    this.scene = scene;
    this.image.replaceWith(next);
    this.image = next;
    if (previousUrl) URL.revokeObjectURL(previousUrl);
    this.over.setAttribute("viewBox", `0 0 ${scene.width} ${scene.height}`);
    this.frame.classList.toggle("wide", scene.width > scene.height * 1.1);
    this.problem.hidden = true;
    this.element.classList.remove("stale");
    this.extra = [];
    this.draw();
  }

  /** @param {import("./types.js").Problem} problem */
  showProblem(problem) {
    this.problem.textContent = problem.detail;
    this.problem.hidden = false;
    this.element.classList.add("stale");
  }

  /** Draws the marks over the image. */
  draw() {
    const scene = this.scene;
    if (!scene) return;
    const marks = [
      ...this.extra,
      ...this.legal.map((spot) => ring(scene, spot, "legal")),
      ...this.pins.map((spot) => pinMark(scene, spot)),
      this.cursor ? ring(scene, this.cursor, "cursor") : null,
    ];
    this.marks.replaceChildren(...marks.flatMap((mark) => mark ?? []));
  }

  close() {
    if (this.imageUrl) URL.revokeObjectURL(this.imageUrl);
    this.element.remove();
  }
}

/** Description of an SVG, from its `desc` element. @param {string} svg */
function descriptionOf(svg) {
  const match = /<desc[^>]*>([^<]*)<\/desc>/.exec(svg);
  /** @type {{ [name: string]: string }} */
  const entities = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };
  return match ? match[1].replace(/&(\w+);/g, (whole, name) => entities[name] ?? whole) : "Map";
}
