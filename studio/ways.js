// The page of ways over water: a sea, sources and targets on it, and the search to watch.

import { ask, base64Of, bytesOf, post, wanted } from "./api.js";
import { Chart, COLOURS } from "./chart.js";
import { announce, byId, grouped, h, icon, signButton } from "./dom.js";
import { CORRIDOR_PLAN, PLANS } from "./families.js";
import { form } from "./form.js";
import { Line, problemOf } from "./live.js";
import { LAND, farEnds, openBits, readSea } from "./mapfiles.js";
import { Replay } from "./replay.js";
import { save, saveButton, saveButtons, saving } from "./saving.js";
import { fieldsOf } from "./schema.js";
import { seedBox } from "./seedbox.js";
import { theme } from "./theme.js";

/** @typedef {import("./types.js").State} State */

const METHODS = [
  ["bfs", "plain breadth-first search"],
  ["restart", "corridor, restarted when too tight"],
  ["mask-f1", "mask that widens (F1)"],
  ["mask-f2", "mask that widens (F2)"],
  ["mask-optimal", "mask, shortest in its region"],
  ["pieces", "mask over connected pieces"],
  ["jump", "jump points (no steps to watch)"],
  ["wave", "bit waves (no steps to watch)"],
];

/** Methods that search inside a corridor. */
const CORRIDOR_METHODS = ["restart", "mask-f1", "mask-f2", "mask-optimal", "pieces"];

/** So many seas are looked at for one that keeps the ends. */
const TRIES = 40n;

export class WaysPage {
  /** @param {import("./store.js").Store} store @param {any} schemas */
  constructor(store, schemas) {
    this.store = store;
    this.plan = PLANS.water;
    this.line = new Line();
    /** @type {import("./mapfiles.js").Sea | null} The sea on the page. */
    this.sea = null;
    /** @type {import("./mapfiles.js").Sea | null} A sea from a file; it stands above the seed's. */
    this.given = null;
    this.made = "";
    /** @type {any} */
    this.answer = null;
    /** @type {Replay | null} */
    this.replay = null;
    /** @type {[number, number] | null} */
    this.cursor = null;
    this.timer = 0;
    this.running = 0;
    this.end = "source";
    /** Ends that the page chose itself; others are the user's, and stay. */
    this.own = "";
    this.seed = seedBox(
      (seed, tag) =>
        store.change((draft) => {
          draft.choices[0].seed = seed;
          if (this.hasEnds()) this.given = null;
          else this.reset(draft);
        }, tag),
      (seed) => this.roll(seed),
    );
    this.controls = form(fieldsOf(schemas.water, schemas.water), this.plan, (field, value) =>
      store.change((draft) => {
        const { config } = draft.choices[0];
        if (value === undefined) delete config[field];
        else config[field] = value;
        this.reset(draft);
      }, field),
    );
    const corridorFields = fieldsOf(schemas.corridor, schemas.corridor).map((field) => ({ ...field, shape: { ...field.shape, empty: true } }));
    this.corridor = form(corridorFields, CORRIDOR_PLAN, (field, value) =>
      store.change((draft) => {
        if (value === undefined) delete draft.corridor[field];
        else draft.corridor[field] = value;
      }, field),
    );
    this.corridor.element.id = "corridor";
    this.since = 0;
    const hint = h("p", { class: "hint", id: "hint", "aria-hidden": "true" }, "Point at a field to read what it does.");
    const about = (/** @type {Event} */ event) => {
      const field = event.target instanceof Element ? event.target.closest("[data-about]") : null;
      hint.textContent = (field instanceof HTMLElement && field.dataset.about) || "Point at a field to read what it does.";
    };
    byId("controls").onpointerover = about;
    const method = h("select", { id: "method" }, ...METHODS.map(([name, words]) => h("option", { value: name, title: words }, `${name}: ${words}`)));
    method.addEventListener("change", () => store.change((draft) => (draft.method = method.value)));
    const steps = h("select", { id: "steps" }, h("option", { value: "eight" }, "eight directions"), h("option", { value: "four" }, "four directions"));
    steps.addEventListener("change", () => store.change((draft) => (draft.steps = steps.value)));
    this.selects = { method, steps };
    const file = h("input", { type: "file", id: "sea-file", multiple: true, class: "hidden", tabindex: "-1", "aria-label": "A map of water", accept: ".bin,.json,.map,.txt" });
    file.addEventListener("change", () => void this.take([...(file.files ?? [])]));
    const open = h("button", { type: "button", id: "open", title: "OpenFront map.bin with manifest.json, Moving AI .map, or a drawing .txt (O)", onclick: () => file.click() }, icon("open"), "Open a map");
    this.from = h("p", { class: "lead", id: "from-file" });
    const search = h(
      "details",
      { class: "section", open: true },
      h("summary", {}, "Search"),
      h("div", { class: "field stacked" }, h("label", { for: "method" }, "Method"), method),
      h("div", { class: "field stacked" }, h("label", { for: "steps" }, "Steps"), steps),
    );
    byId("controls").replaceChildren(h("h2", {}, this.plan.title), h("p", { class: "lead" }, this.plan.lead), this.seed.element, this.controls.element, search, this.corridor.element, h("div", { class: "section" }, open, file, this.from), hint);
    const end = (/** @type {string} */ value, /** @type {string} */ text) => {
      const input = h("input", { type: "radio", name: "end", value, id: `end-${value}`, checked: value === this.end });
      input.addEventListener("change", () => (this.end = value));
      return h("label", { class: "tab" }, input, h("span", {}, text));
    };
    this.canvas = h("canvas", { tabindex: "0", role: "application", "aria-label": "Sea: arrow keys move a cross, Enter puts a source or a target there", id: "sea" });
    this.chart = new Chart(this.canvas);
    this.problem = h("p", { class: "problem", role: "alert", hidden: true });
    this.box = h("div", { class: "chart" }, this.canvas, this.problem);
    this.slider = h("input", { type: "range", id: "step", min: 0, max: 0, value: 0, "aria-label": "Step of the search" });
    this.slider.addEventListener("input", () => (this.halt(), this.go(Number(this.slider.value))));
    this.runButton = signButton("play", "Run the search (Space)", () => this.toggle(), { id: "run-search" });
    this.told = h("span", { class: "told", id: "search-told" });
    this.note = h("p", { class: "note", id: "place" });
    this.time = h("p", { class: "time", id: "time" });
    const bar = h(
      "div",
      { class: "bar" },
      h("fieldset", { class: "tabs" }, h("legend", { class: "hidden" }, "A click puts"), end("source", "Source"), end("target", "Target")),
      h("button", { type: "button", onclick: () => store.change((draft) => void ((draft.sources = []), (draft.targets = []))) }, "Clear"),
      h("span", { class: "note" }, "Click water to add, click again to remove."),
    );
    byId("stage").replaceChildren(bar, this.box, h("div", { class: "film" }, this.runButton, this.slider, this.told), h("div", { class: "under" }, this.note, this.time));
    this.figures = h("div", { id: "figures" });
    this.legend = h("div", {});
    const fail = (/** @type {unknown} */ error) => this.refuse(problemOf(error));
    const picture = { suffix: "picture", name: "Picture", about: "What is seen, as PNG" };
    const film = { suffix: "film", name: "Film", about: "The search, step by step, as animated PNG" };
    const way = { suffix: "way", name: "Way as JSON", about: "The tiles of the way" };
    /** @type {import("./saving.js").Form[]} */
    const forms = schemas.forms.water.map((/** @type {import("./saving.js").Form} */ form) => (form.suffix === "png" ? { ...form, name: "Mask" } : form));
    const buttons = [
      saveButton(picture, () => this.canvas.toBlob((blob) => blob && save(blob, "way.png")), fail),
      saveButton(film, () => this.saveFilm(), fail),
      saveButton(way, () => this.answer && save(new Blob([JSON.stringify(this.answer.way)]), "way.json"), fail),
      ...saveButtons(forms, () => ({ path: "/v1/water", look: `theme=${theme()}`, body: this.mapBody(true), name: "water" }), fail),
    ];
    byId("facts").replaceChildren(h("section", {}, h("h2", {}, "Against plain search"), this.figures), h("section", {}, h("h2", {}, "Key"), this.legend), h("section", {}, h("h2", {}, "Save"), saving(...buttons)));
    this.listen();
  }

  /** Whether somebody put sources or targets on this sea. */
  hasEnds() {
    const { sources, targets } = this.store.state;
    return !this.given && sources.length + targets.length > 0 && JSON.stringify([sources, targets]) !== this.own;
  }

  /**
   * What becomes of a seed that was rolled: the next one that has water wherever somebody put an end.
   * @param {string} first
   * @returns {Promise<string | null>}
   */
  async roll(first) {
    if (!this.hasEnds()) return first;
    const { sources, targets, choices } = this.store.state;
    try {
      for (let n = 0n; n < TRIES; n++) {
        const seed = String(BigInt(first) + n);
        const sea = await this.seaOf({ ...choices[0], seed });
        if ([...sources, ...targets].every(([x, y]) => x < sea.width && y < sea.height && sea.tiles[y * sea.width + x] !== LAND)) return seed;
      }
      this.refuse({ type: "", title: "", status: 0, detail: `None of ${TRIES} seas has water at every source and target. Take some away, or roll again.` });
    } catch (error) {
      this.refuse(problemOf(error));
    }
    return null;
  }

  /** Another sea: its ends are chosen anew. @param {State} draft */
  reset(draft) {
    draft.sources = [];
    draft.targets = [];
    this.given = null;
  }

  listen() {
    const { canvas, box } = this;
    const at = (/** @type {MouseEvent} */ event) => {
      const bounds = canvas.getBoundingClientRect();
      const [x, y] = [(event.clientX - bounds.left) / bounds.width, (event.clientY - bounds.top) / bounds.height];
      return /** @type {[number, number]} */ ([Math.floor(x * (this.sea?.width ?? 1)), Math.floor(y * (this.sea?.height ?? 1))]);
    };
    canvas.addEventListener("click", (event) => this.put(at(event)));
    canvas.addEventListener("pointermove", (event) => {
      const [x, y] = at(event);
      const tile = this.sea?.tiles[y * this.sea.width + x];
      this.note.textContent = tile === undefined ? "" : `${x},${y} ${tile === LAND ? "land" : "water"}`;
    });
    canvas.addEventListener("keydown", (event) => {
      /** @type {{ [key: string]: [number, number] }} */
      const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
      const way = ways[event.key];
      if (way && this.sea) {
        event.preventDefault();
        const far = event.shiftKey ? 20 : 1;
        const [x, y] = this.cursor ?? [this.sea.width >> 1, this.sea.height >> 1];
        this.cursor = [Math.max(0, Math.min(this.sea.width - 1, x + way[0] * far)), Math.max(0, Math.min(this.sea.height - 1, y + way[1] * far))];
        const tile = this.sea.tiles[this.cursor[1] * this.sea.width + this.cursor[0]];
        announce(`${this.cursor.join(",")} ${tile === LAND ? "land" : "water"}`);
        this.paint();
      } else if (event.key === "Enter" && this.cursor) {
        event.preventDefault();
        this.put(this.cursor);
      }
    });
    box.addEventListener("dragover", (event) => (event.preventDefault(), box.classList.add("drop")));
    box.addEventListener("dragleave", () => box.classList.remove("drop"));
    box.addEventListener("drop", (event) => {
      event.preventDefault();
      box.classList.remove("drop");
      void this.take([...(event.dataTransfer?.files ?? [])]);
    });
  }

  /** @param {State} state */
  update(state) {
    this.controls.set(state.choices[0].config);
    this.seed.set(state.choices[0].seed);
    this.selects.method.value = state.method;
    this.selects.steps.value = state.steps;
    this.corridor.set(state.corridor);
    this.corridor.element.hidden = !CORRIDOR_METHODS.includes(state.method);
    this.since = performance.now();
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void this.make(), 8);
  }

  /** Makes the sea, if it is another one, and asks for the way. */
  async make() {
    const { state } = this.store;
    try {
      await this.line.run(async (signal, current) => {
        const key = this.given ? this.given.name : JSON.stringify(state.choices[0]);
        if (key !== this.made || !this.sea) {
          const sea = this.given ?? (await this.seaOf(state.choices[0], signal));
          if (!current()) return;
          this.sea = sea;
          this.made = key;
          this.answer = this.replay = null;
          // Ends of another sea, as of a file that the link could not hold, are left out.
          const ends = [...state.sources, ...state.targets].some((end) => this.isWater(end)) ? null : farEnds(sea);
          if (ends) {
            this.own = JSON.stringify([ends.sources, ends.targets]);
            return this.store.settle((draft) => void Object.assign(draft, ends));
          }
        }
        this.problem.hidden = true;
        this.controls.blame("", "");
        this.corridor.blame("", "");
        this.paint();
        this.from.textContent = this.given ? `${this.given.name}, ${this.given.width} x ${this.given.height} tiles. Links hold no files.` : "";
        const [sources, targets] = [state.sources, state.targets].map((list) => list.filter((end) => this.isWater(end)));
        const ends = { sources, targets };
        if (!sources.length || !targets.length) {
          this.answer = this.replay = null;
          this.paint();
          return this.showFigures();
        }
        const answer = await ask("/v1/way", { ...this.mapBody(false), ...ends, ...this.searchBody() }, signal);
        if (!current()) return;
        this.halt();
        this.answer = answer;
        this.replay = new Replay(bytesOf(answer.events), answer.side, this.sea.width, this.sea.height);
        this.slider.max = String(this.replay.length);
        this.go(this.replay.length);
        this.showFigures();
        this.time.textContent = `found ${Math.round(performance.now() - this.since)} ms after the change`;
      });
    } catch (error) {
      this.refuse(problemOf(error));
    }
  }

  /** @param {import("./types.js").Choice} choice @param {AbortSignal} [signal] @returns {Promise<import("./mapfiles.js").Sea>} */
  async seaOf(choice, signal) {
    const { width, height, tiles } = await ask("/v1/water", wanted(choice), signal);
    return { width, height, tiles: bytesOf(tiles), name: "" };
  }

  /** @param {[number, number]} tile */
  isWater([x, y]) {
    const { sea } = this;
    return sea !== null && x >= 0 && x < sea.width && y >= 0 && y < sea.height && sea.tiles[y * sea.width + x] !== LAND;
  }

  /** Puts a source or a target, or takes it away. @param {[number, number]} tile */
  put(tile) {
    const { sea } = this;
    if (!sea) return;
    const reach = Math.max(1, Math.round(sea.width / 90));
    const near = (/** @type {[number, number]} */ end) => Math.max(Math.abs(end[0] - tile[0]), Math.abs(end[1] - tile[1])) <= reach;
    if (!this.isWater(tile)) return announce("That is land.");
    this.store.change((draft) => {
      const list = this.end === "source" ? draft.sources : draft.targets;
      const at = list.findIndex(near);
      if (at >= 0) list.splice(at, 1);
      else list.push(tile);
    });
    announce(`${this.end} at ${tile.join(",")}`);
  }

  /** @param {File[]} files */
  async take(files) {
    try {
      const sea = await readSea(files);
      this.store.change((draft) => this.reset(draft));
      this.given = sea;
      this.made = "";
      void this.make();
    } catch (error) {
      this.problem.textContent = error instanceof Error ? error.message : String(error);
      this.problem.hidden = false;
    }
  }

  /** @param {number} step */
  go(step) {
    if (!this.replay) return;
    this.replay.go(step);
    this.slider.value = String(step);
    const { way } = this.answer;
    const all = step >= this.replay.length;
    const words = this.replay.length === 0 ? "no steps to watch" : `${grouped(this.replay.count)} tiles visited${this.replay.rings ? `, widened ${this.replay.rings} times` : ""}${this.replay.told() ? `, ${this.replay.told()}` : ""}`;
    this.told.textContent = all ? `${words}; ${way ? `a way of ${grouped(way.steps)} steps` : "there is no way"}` : words;
    this.paint();
  }

  toggle() {
    if (this.running) return this.halt();
    if (!this.replay?.length) return;
    const { length } = this.replay;
    let step = this.replay.done >= length ? 0 : this.replay.done;
    const pace = Math.max(1, Math.ceil(length / 240));
    this.runButton.replaceChildren(icon("pause"));
    const tick = () => {
      step = Math.min(length, step + pace);
      this.go(step);
      this.running = step < length ? requestAnimationFrame(tick) : 0;
      if (!this.running) this.halt();
    };
    this.running = requestAnimationFrame(tick);
  }

  halt() {
    cancelAnimationFrame(this.running);
    this.running = 0;
    this.runButton.replaceChildren(icon("play"));
  }

  paint() {
    if (!this.sea) return;
    const { state } = this.store;
    const all = !this.replay || this.replay.done >= this.replay.length;
    const way = all ? (this.answer?.way?.tiles ?? []) : [];
    this.chart.draw(this.sea, this.replay, { theme: theme(), way, sources: state.sources, targets: state.targets, cursor: this.cursor });
    this.canvas.dataset.way = String(way.length);
    this.showKey();
  }

  showFigures() {
    const { answer } = this;
    if (!answer) return this.figures.replaceChildren(h("p", { class: "note" }, "Put a source and a target on the water."));
    const most = Math.max(1, answer.bfs.visited, answer.counts.visited);
    const bar = (/** @type {string} */ name, /** @type {number} */ visited) => [
      h("div", { class: "label" }, h("span", {}, name), h("b", {}, `${grouped(visited)} visited`)),
      h("meter", { min: 0, max: most, value: visited, "aria-label": `${name}: tiles visited` }),
    ];
    const row = (/** @type {string} */ name, /** @type {string} */ value) => h("tr", {}, h("th", { scope: "row" }, name), h("td", {}, value));
    const steps = (/** @type {number | null} */ count) => (count === null ? "no way" : grouped(count));
    const saved = answer.bfs.visited ? Math.round((1 - answer.counts.visited / answer.bfs.visited) * 100) : 0;
    this.figures.replaceChildren(
      h("div", { class: "bars" }, ...bar(answer.method, answer.counts.visited), ...bar("plain search", answer.bfs.visited)),
      h(
        "table",
        { class: "facts" },
        h(
          "tbody",
          {},
          row("Fewer tiles visited", `${saved} %`),
          row("Steps", steps(answer.counts.steps)),
          row("Steps of the shortest", steps(answer.bfs.steps)),
          row("Promise", answer.way?.guarantee ?? "none"),
          row("Widened", `${answer.counts.expansions} times`),
          row("Gave its mask up", answer.counts.fallback ? "yes" : "no"),
          ...(answer.missed ? [row("Steps not kept", grouped(answer.missed))] : []),
        ),
      ),
    );
  }

  showKey() {
    const colours = COLOURS[theme()];
    if (this.legend.dataset.theme === theme()) return;
    this.legend.dataset.theme = theme();
    const entry = (/** @type {string | number[]} */ colour, /** @type {string} */ words) => {
      const swatch = h("canvas", { class: "swatch", width: 18, height: 18, "aria-hidden": "true" });
      const pen = /** @type {CanvasRenderingContext2D} */ (swatch.getContext("2d"));
      pen.fillStyle = typeof colour === "string" ? colour : `rgb(${colour.join(" ")})`;
      pen.fillRect(0, 0, 18, 18);
      return h("li", {}, swatch, words);
    };
    this.legend.replaceChildren(
      h("ul", { class: "key-list" }, entry(colours.source, "source"), entry(colours.target, "target"), entry(colours.way, "the way"), entry(colours.visited[0], "visited early"), entry(colours.visited[1], "visited late"), entry(colours.rings[0], "corridor: allowed from the start"), entry(colours.rings[2], "allowed after widening"), entry(colours.deep, "water"), entry(colours.land, "land")),
    );
  }

  /**
   * The sea as the service takes it: a seed's, or the map from a file.
   * @param {boolean} deep Whether it says how far water is from land.
   */
  mapBody(deep) {
    const { given } = this;
    if (!given) return wanted(this.store.state.choices[0]);
    const { width, height, tiles } = given;
    return { map: { width, height, open: base64Of(openBits(given)), ...(deep ? { magnitudes: base64Of(tiles) } : {}) } };
  }

  /** The method with its options, as the service takes them. */
  searchBody() {
    const { method, steps, corridor } = this.store.state;
    return { method, moves: steps, ...(CORRIDOR_METHODS.includes(method) ? { corridor } : {}) };
  }

  async saveFilm() {
    const { state } = this.store;
    const ends = { sources: state.sources.filter((end) => this.isWater(end)), targets: state.targets.filter((end) => this.isWater(end)) };
    const response = await post(`/v1/way.apng?theme=${theme()}`, { ...this.mapBody(false), ...ends, ...this.searchBody() });
    save(await response.blob(), "search.apng");
  }

  /** @param {import("./types.js").Problem} problem */
  refuse(problem) {
    this.problem.textContent = problem.detail;
    this.problem.hidden = false;
    const field = problem.field ?? "";
    if (field.startsWith("corridor.")) this.corridor.blame(field.slice("corridor.".length), problem.detail);
    else this.controls.blame(field.replace(/^config\.?/, ""), problem.detail);
  }

  repaint() {
    this.paint();
  }

  /** @param {KeyboardEvent} event @returns {boolean} */
  key(event) {
    if (event.key === "r") void this.seed.throwDice();
    else if (event.key === "o") byId("open").click();
    else if (event.key === " " && !(event.target instanceof Element && event.target.closest("button, input, summary, a"))) this.toggle();
    else return false;
    return true;
  }

  close() {
    clearTimeout(this.timer);
    this.halt();
  }
}
