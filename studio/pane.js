// One map on the page: its picture, and what is drawn over it.

import { announce, h, s } from "./dom.js";
import { pinMark, ring, sameSpot, spotAt, spotBeside } from "./places.js";

/** @typedef {import("./types.js").MapScene} MapScene */
/** @typedef {import("./places.js").Spot} Spot */

/**
 * @typedef {object} Host What a pane asks of the page.
 * @property {(pane: Pane, spot: Spot) => void} press
 * @property {(pane: Pane, spot: Spot) => string} tell A spot in words.
 * @property {(pane: Pane) => void} choose
 */

/**
 * The bundled face as a rule inside a picture: pictures see nothing of the page they stand on, and would be written in whatever
 * face the machine has.
 * @type {Promise<string>}
 */
const face = fetch(new URL("serif.ttf", import.meta.url))
  .then((answer) => answer.blob())
  .then((font) => new Promise((done) => {
    const reader = new FileReader();
    reader.onload = () => done(`<style>@font-face{font-family:"Wayforge Serif";src:url("${reader.result}")}</style>`);
    reader.onerror = () => done("");
    reader.readAsDataURL(font);
  }))
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
    this.address = "";
    this.head = h("button", { type: "button", class: "pane-head", onclick: () => host.choose(this) });
    this.image = h("img", { alt: "", class: "picture", draggable: "false" });
    this.marks = s("g");
    this.over = s("svg", { class: "over", tabindex: "0", role: "application", "aria-label": `Map ${letter}: arrow keys go from place to place, Enter chooses` }, this.marks);
    this.problem = h("p", { class: "problem", role: "alert", hidden: true });
    this.frame = h("div", { class: "frame" }, this.image, this.over);
    this.element = h("section", { class: "pane", "aria-label": `Map ${letter}` }, this.head, this.frame, this.problem);
    this.listen();
  }

  listen() {
    /** @param {PointerEvent | MouseEvent} event */
    const at = (event) => {
      if (!this.scene) return null;
      const box = this.over.getBoundingClientRect();
      const scale = this.scene.width / box.width;
      return spotAt(this.scene, (event.clientX - box.left) * scale, (event.clientY - box.top) * scale);
    };
    this.over.addEventListener("pointermove", (event) => this.point(at(event), false));
    this.over.addEventListener("pointerleave", () => this.point(null, false));
    this.over.addEventListener("click", (event) => {
      const spot = at(event);
      if (spot) this.host.press(this, spot);
    });
    this.over.addEventListener("keydown", (event) => {
      /** @type {{ [key: string]: [number, number] }} */
      const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
      const way = ways[event.key];
      if (way && this.scene) {
        event.preventDefault();
        this.point(spotBeside(this.scene, this.cursor, ...way), true);
      } else if ((event.key === "Enter" || event.key === " ") && this.cursor) {
        event.preventDefault();
        this.host.press(this, this.cursor);
      }
    });
    this.over.addEventListener("blur", () => this.point(null, false));
  }

  /** @param {Spot | null} spot @param {boolean} aloud */
  point(spot, aloud) {
    if (sameSpot(spot, this.cursor)) return;
    this.cursor = spot;
    const words = spot ? this.host.tell(this, spot) : "";
    if (aloud) announce(words);
    this.over.classList.toggle("on-place", spot !== null);
    this.hint(words);
    this.draw();
  }

  /** @param {string} words */
  hint(words) {
    const line = document.getElementById("place");
    if (line) line.textContent = words;
  }

  /**
   * Shows a map. Resolves when its picture can be seen.
   * @param {MapScene} scene
   */
  async show(scene) {
    const rule = await face;
    const drawn = scene.svg.replace(/^<svg [^>]*>/, (open) => open + rule);
    const address = URL.createObjectURL(new Blob([drawn], { type: "image/svg+xml" }));
    const next = new Image();
    next.className = "picture";
    next.draggable = false;
    next.alt = told(scene.svg);
    next.src = address;
    await next.decode().catch(() => undefined);
    const former = this.address;
    this.address = address;
    this.scene = scene;
    this.image.replaceWith(next);
    this.image = next;
    if (former) URL.revokeObjectURL(former);
    this.over.setAttribute("viewBox", `0 0 ${scene.width} ${scene.height}`);
    this.frame.classList.toggle("wide", scene.width > scene.height * 1.1);
    this.problem.hidden = true;
    this.element.classList.remove("stale");
    this.extra = [];
    this.draw();
  }

  /** @param {import("./types.js").Problem} problem */
  refuse(problem) {
    this.problem.textContent = problem.detail;
    this.problem.hidden = false;
    this.element.classList.add("stale");
  }

  /** Draws what lies over the picture. */
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
    if (this.address) URL.revokeObjectURL(this.address);
    this.element.remove();
  }
}

/** The picture in words, as it tells itself. @param {string} svg */
function told(svg) {
  const words = /<desc[^>]*>([^<]*)<\/desc>/.exec(svg);
  /** @type {{ [name: string]: string }} */
  const signs = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };
  return words ? words[1].replace(/&(\w+);/g, (whole, name) => signs[name] ?? whole) : "The map";
}
