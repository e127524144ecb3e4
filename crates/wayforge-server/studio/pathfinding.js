// Pathfinding page: a sea map with sources and targets, and the search step by step.

import { postJson, encodeBase64, decodeBase64, post, requestBody } from "./api.js";
import { COLOURS, GridCanvas } from "./gridcanvas.js";
import { announce, byId, formatNumber, h, icon, iconButton } from "./dom.js";
import { CORRIDOR_PLAN, PLANS } from "./families.js";
import { form } from "./form.js";
import { LatestRequest, toProblem } from "./requests.js";
import { LAND, distantEnds, openBits, readGrid } from "./gridfiles.js";
import { Replay } from "./replay.js";
import { downloadGroup, save, saveButton, saveButtons } from "./downloads.js";
import { fieldsOf } from "./schema.js";
import { seedBox } from "./seedbox.js";
import { theme } from "./theme.js";

/** @typedef {import("./types.js").State} State */

const METHODS = [
  ["bfs", "breadth-first search"],
  ["restart", "corridor, restarted when too narrow"],
  ["mask-f1", "expanding mask (F1)"],
  ["mask-f2", "expanding mask (F2)"],
  ["mask-optimal", "expanding mask, shortest in its region"],
  ["components", "expanding mask over connected components"],
  ["jps", "jump point search (no animation)"],
  ["bidirectional", "bidirectional bit-parallel BFS (no animation)"],
];

/** Methods that search inside a corridor. */
const CORRIDOR_METHODS = ["restart", "mask-f1", "mask-f2", "mask-optimal", "components"];

/** Number of seeds tried for a map with water at all sources and targets. */
const MAX_TRIES = 40n;

export class PathfindingPage {
  /** @param {import("./store.js").Store} store @param {any} schemas */
  constructor(store, schemas) {
    this.store = store;
    this.plan = PLANS.path;
    this.request = new LatestRequest();
    /** Grid on the page. @type {import("./gridfiles.js").TileGrid | null} */
    this.grid = null;
    /**
     * Grid from a file; replaces the grid of the seed.
     * @type {import("./gridfiles.js").TileGrid | null}
     */
    this.imported = null;
    /** Key of the current grid. */
    this.gridKey = "";
    /** @type {any} */
    this.response = null;
    /** @type {Replay | null} */
    this.replay = null;
    /** @type {[number, number] | null} */
    this.cursor = null;
    this.timer = 0;
    this.running = 0;
    this.end = "source";
    /** Sources and targets that the page chose, as JSON; other ends are the user's. */
    this.defaultEnds = "";
    this.seed = seedBox(
      (seed, tag) =>
        store.change((draft) => {
          draft.maps[0].seed = seed;
          if (this.hasUserEnds()) this.imported = null;
          else this.reset(draft);
        }, tag),
      (seed) => this.findSeed(seed),
    );
    this.controls = form(fieldsOf(schemas.path, schemas.path), this.plan, (field, value) =>
      store.change((draft) => {
        const { config } = draft.maps[0];
        if (value === undefined) delete config[field];
        else config[field] = value;
        this.reset(draft);
      }, field),
    );
    const corridorFields = fieldsOf(schemas.corridor, schemas.corridor).map((field) => ({
      ...field,
      shape: { ...field.shape, nullable: true },
    }));
    this.corridor = form(corridorFields, CORRIDOR_PLAN, (field, value) =>
      store.change((draft) => {
        if (value === undefined) delete draft.corridor[field];
        else draft.corridor[field] = value;
      }, field),
    );
    this.corridor.element.id = "corridor";
    this.updatedAt = 0;
    const hint = h(
      "p",
      { class: "hint", id: "hint", "aria-hidden": "true" },
      "Hover or focus a field for help",
    );
    const showDescription = (/** @type {Event} */ event) => {
      const field =
        event.target instanceof Element ? event.target.closest("[data-description]") : null;
      hint.textContent =
        (field instanceof HTMLElement && field.dataset.description) ||
        "Hover or focus a field for help";
    };
    byId("controls").onpointerover = showDescription;
    const method = h(
      "select",
      { id: "method" },
      ...METHODS.map(([name, description]) =>
        h("option", { value: name, title: description }, `${name}: ${description}`),
      ),
    );
    method.addEventListener("change", () => store.change((draft) => (draft.method = method.value)));
    const connectivity = h(
      "select",
      { id: "connectivity" },
      h("option", { value: "eight" }, "8 directions"),
      h("option", { value: "four" }, "4 directions"),
    );
    connectivity.addEventListener("change", () =>
      store.change((draft) => (draft.connectivity = connectivity.value)),
    );
    this.selects = { method, connectivity };
    const file = h("input", {
      type: "file",
      id: "grid-file",
      multiple: true,
      class: "hidden",
      tabindex: "-1",
      "aria-label": "Grid file",
      accept: ".bin,.json,.map,.txt",
    });
    file.addEventListener("change", () => void this.importFiles([...(file.files ?? [])]));
    const open = h(
      "button",
      {
        type: "button",
        id: "open",
        title:
          "Open an OpenFront map.bin with manifest.json, a Moving AI .map or a text drawing (O)",
        onclick: () => file.click(),
      },
      icon("open"),
      "Open map",
    );
    this.fileInfo = h("p", { class: "lead", id: "from-file" });
    const search = h(
      "details",
      { class: "section", open: true },
      h("summary", {}, "Search"),
      h("div", { class: "field stacked" }, h("label", { for: "method" }, "Method"), method),
      h(
        "div",
        { class: "field stacked" },
        h("label", { for: "connectivity" }, "Movement"),
        connectivity,
      ),
    );
    byId("controls").replaceChildren(
      h("h2", {}, this.plan.title),
      h("p", { class: "lead" }, this.plan.lead),
      this.seed.element,
      this.controls.element,
      search,
      this.corridor.element,
      h("div", { class: "section" }, open, file, this.fileInfo),
      hint,
    );
    const end = (/** @type {string} */ value, /** @type {string} */ text) => {
      const input = h("input", {
        type: "radio",
        name: "end",
        value,
        id: `end-${value}`,
        checked: value === this.end,
      });
      input.addEventListener("change", () => (this.end = value));
      return h("label", { class: "tab" }, input, h("span", {}, text));
    };
    this.canvas = h("canvas", {
      tabindex: "0",
      role: "application",
      "aria-label": "Map: arrow keys move the cursor, Enter adds or removes a source or target",
      id: "grid",
    });
    this.gridCanvas = new GridCanvas(this.canvas);
    this.problem = h("p", { class: "problem", role: "alert", hidden: true });
    this.box = h("div", { class: "chart" }, this.canvas, this.problem);
    this.slider = h("input", {
      type: "range",
      id: "step",
      min: 0,
      max: 0,
      value: 0,
      "aria-label": "Step of the search",
    });
    this.slider.addEventListener("input", () => (this.pause(), this.go(Number(this.slider.value))));
    this.runButton = iconButton("play", "Play the search (Space)", () => this.toggle(), {
      id: "run-search",
    });
    this.status = h("span", { class: "status", id: "search-status" });
    this.note = h("p", { class: "note", id: "spot" });
    this.time = h("p", { class: "time", id: "time" });
    const bar = h(
      "div",
      { class: "bar" },
      h(
        "fieldset",
        { class: "tabs" },
        h("legend", { class: "hidden" }, "Click adds"),
        end("source", "Source"),
        end("target", "Target"),
      ),
      h(
        "button",
        {
          type: "button",
          onclick: () => store.change((draft) => void ((draft.sources = []), (draft.targets = []))),
        },
        "Clear",
      ),
      h("span", { class: "note" }, "Click water to add, click again to remove."),
    );
    byId("stage").replaceChildren(
      bar,
      this.box,
      h("div", { class: "playback" }, this.runButton, this.slider, this.status),
      h("div", { class: "under" }, this.note, this.time),
    );
    this.stats = h("div", { id: "stats" });
    this.legend = h("div", {});
    const fail = (/** @type {unknown} */ error) => this.showProblem(toProblem(error));
    const image = { suffix: "image", name: "Image", description: "Current view as PNG" };
    const animation = {
      suffix: "animation",
      name: "Animation",
      description: "Search step by step as animated PNG",
    };
    const path = { suffix: "path", name: "Path as JSON", description: "Tiles of the path" };
    /** @type {import("./downloads.js").Format[]} */
    const formats = schemas.formats.path.map(
      (/** @type {import("./downloads.js").Format} */ format) =>
        format.suffix === "png" ? { ...format, name: "Mask" } : format,
    );
    const buttons = [
      saveButton(image, () => this.canvas.toBlob((blob) => blob && save(blob, "path.png")), fail),
      saveButton(animation, () => this.saveAnimation(), fail),
      saveButton(
        path,
        () => this.response && save(new Blob([JSON.stringify(this.response.path)]), "path.json"),
        fail,
      ),
      ...saveButtons(
        formats,
        () => ({
          path: "/v1/archipelago",
          query: `theme=${theme()}`,
          body: this.mapBody(true),
          name: "archipelago",
        }),
        fail,
      ),
    ];
    byId("results").replaceChildren(
      h("section", {}, h("h2", {}, "Compared with plain BFS"), this.stats),
      h("section", {}, h("h2", {}, "Legend"), this.legend),
      h("section", {}, h("h2", {}, "Save"), downloadGroup(...buttons)),
    );
    this.listen();
  }

  /** Returns true if the user has placed sources or targets on this map. */
  hasUserEnds() {
    const { sources, targets } = this.store.state;
    return (
      !this.imported &&
      sources.length + targets.length > 0 &&
      JSON.stringify([sources, targets]) !== this.defaultEnds
    );
  }

  /**
   * Finds the next seed whose map has water at all sources and targets that the user placed.
   * @param {string} first
   * @returns {Promise<string | null>}
   */
  async findSeed(first) {
    if (!this.hasUserEnds()) return first;
    const { sources, targets, maps } = this.store.state;
    try {
      for (let n = 0n; n < MAX_TRIES; n++) {
        const seed = String(BigInt(first) + n);
        const grid = await this.fetchGrid({ ...maps[0], seed });
        if (
          [...sources, ...targets].every(
            ([x, y]) =>
              x < grid.width && y < grid.height && grid.tiles[y * grid.width + x] !== LAND,
          )
        )
          return seed;
      }
      this.showProblem({
        type: "",
        title: "",
        status: 0,
        detail:
          `None of ${MAX_TRIES} seeds has water at every source and target. ` +
          "Remove some, or try another seed.",
      });
    } catch (error) {
      this.showProblem(toProblem(error));
    }
    return null;
  }

  /** Removes sources and targets, and the imported grid. @param {State} draft */
  reset(draft) {
    draft.sources = [];
    draft.targets = [];
    this.imported = null;
  }

  listen() {
    const { canvas, box } = this;
    const tileAt = (/** @type {MouseEvent} */ event) => {
      const bounds = canvas.getBoundingClientRect();
      const [x, y] = [
        (event.clientX - bounds.left) / bounds.width,
        (event.clientY - bounds.top) / bounds.height,
      ];
      return /** @type {[number, number]} */ ([
        Math.floor(x * (this.grid?.width ?? 1)),
        Math.floor(y * (this.grid?.height ?? 1)),
      ]);
    };
    canvas.addEventListener("click", (event) => this.toggleEnd(tileAt(event)));
    canvas.addEventListener("pointermove", (event) => {
      const [x, y] = tileAt(event);
      const tile = this.grid?.tiles[y * this.grid.width + x];
      this.note.textContent =
        tile === undefined ? "" : `${x},${y} ${tile === LAND ? "land" : "water"}`;
    });
    canvas.addEventListener("keydown", (event) => {
      /** @type {{ [key: string]: [number, number] }} */
      const directions = {
        ArrowLeft: [-1, 0],
        ArrowRight: [1, 0],
        ArrowUp: [0, -1],
        ArrowDown: [0, 1],
      };
      const direction = directions[event.key];
      if (direction && this.grid) {
        event.preventDefault();
        const distance = event.shiftKey ? 20 : 1;
        const [x, y] = this.cursor ?? [this.grid.width >> 1, this.grid.height >> 1];
        this.cursor = [
          Math.max(0, Math.min(this.grid.width - 1, x + direction[0] * distance)),
          Math.max(0, Math.min(this.grid.height - 1, y + direction[1] * distance)),
        ];
        const tile = this.grid.tiles[this.cursor[1] * this.grid.width + this.cursor[0]];
        announce(`${this.cursor.join(",")} ${tile === LAND ? "land" : "water"}`);
        this.paint();
      } else if (event.key === "Enter" && this.cursor) {
        event.preventDefault();
        this.toggleEnd(this.cursor);
      }
    });
    box.addEventListener(
      "dragover",
      (event) => (event.preventDefault(), box.classList.add("drop")),
    );
    box.addEventListener("dragleave", () => box.classList.remove("drop"));
    box.addEventListener("drop", (event) => {
      event.preventDefault();
      box.classList.remove("drop");
      void this.importFiles([...(event.dataTransfer?.files ?? [])]);
    });
  }

  /** @param {State} state */
  update(state) {
    this.controls.set(state.maps[0].config);
    this.seed.set(state.maps[0].seed);
    this.selects.method.value = state.method;
    this.selects.connectivity.value = state.connectivity;
    this.corridor.set(state.corridor);
    this.corridor.element.hidden = !CORRIDOR_METHODS.includes(state.method);
    this.updatedAt = performance.now();
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void this.refresh(), 8);
  }

  /** Requests the grid if it has changed, then the path. */
  async refresh() {
    const { state } = this.store;
    try {
      await this.request.run(async (signal, isCurrent) => {
        const key = this.imported ? this.imported.name : JSON.stringify(state.maps[0]);
        if (key !== this.gridKey || !this.grid) {
          const grid = this.imported ?? (await this.fetchGrid(state.maps[0], signal));
          if (!isCurrent()) return;
          this.grid = grid;
          this.gridKey = key;
          this.response = this.replay = null;
          // Ends that are not on water, for example of an imported grid, are ignored.
          const ends = [...state.sources, ...state.targets].some((end) => this.isWater(end))
            ? null
            : distantEnds(grid);
          if (ends) {
            this.defaultEnds = JSON.stringify([ends.sources, ends.targets]);
            return this.store.setDerived((draft) => void Object.assign(draft, ends));
          }
        }
        this.problem.hidden = true;
        this.controls.showError("", "");
        this.corridor.showError("", "");
        this.paint();
        this.fileInfo.textContent = this.imported
          ? `${this.imported.name}, ${this.imported.width} x ${this.imported.height} tiles. ` +
            "Links do not include files."
          : "";
        const [sources, targets] = [state.sources, state.targets].map((list) =>
          list.filter((end) => this.isWater(end)),
        );
        const ends = { sources, targets };
        if (!sources.length || !targets.length) {
          this.response = this.replay = null;
          this.paint();
          return this.showStats();
        }
        const response = await postJson(
          "/v1/path",
          { ...this.mapBody(false), ...ends, ...this.searchBody() },
          signal,
        );
        if (!isCurrent()) return;
        this.pause();
        this.response = response;
        this.replay = new Replay(
          decodeBase64(response.events),
          response.coarse_side,
          this.grid.width,
          this.grid.height,
        );
        this.slider.max = String(this.replay.length);
        this.go(this.replay.length);
        this.showStats();
        this.time.textContent = `${Math.round(performance.now() - this.updatedAt)} ms`;
      });
    } catch (error) {
      this.showProblem(toProblem(error));
    }
  }

  /**
   * @param {import("./types.js").MapSettings} settings
   * @param {AbortSignal} [signal]
   * @returns {Promise<import("./gridfiles.js").TileGrid>}
   */
  async fetchGrid(settings, signal) {
    const { width, height, tiles } = await postJson(
      "/v1/archipelago",
      requestBody(settings),
      signal,
    );
    return { width, height, tiles: decodeBase64(tiles), name: "" };
  }

  /** @param {[number, number]} tile */
  isWater([x, y]) {
    const { grid } = this;
    return (
      grid !== null &&
      x >= 0 &&
      x < grid.width &&
      y >= 0 &&
      y < grid.height &&
      grid.tiles[y * grid.width + x] !== LAND
    );
  }

  /** Adds a source or target, or removes it. @param {[number, number]} tile */
  toggleEnd(tile) {
    const { grid } = this;
    if (!grid) return;
    const radius = Math.max(1, Math.round(grid.width / 90));
    const near = (/** @type {[number, number]} */ end) =>
      Math.max(Math.abs(end[0] - tile[0]), Math.abs(end[1] - tile[1])) <= radius;
    if (!this.isWater(tile)) return announce("Not water.");
    this.store.change((draft) => {
      const list = this.end === "source" ? draft.sources : draft.targets;
      const index = list.findIndex(near);
      if (index >= 0) list.splice(index, 1);
      else list.push(tile);
    });
    announce(`${this.end} at ${tile.join(",")}`);
  }

  /** @param {File[]} files */
  async importFiles(files) {
    try {
      const grid = await readGrid(files);
      this.store.change((draft) => this.reset(draft));
      this.imported = grid;
      this.gridKey = "";
      void this.refresh();
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
    const { path } = this.response;
    const all = step >= this.replay.length;
    const { count, expansions, length, status } = this.replay;
    const parts = [
      `${formatNumber(count)} tiles visited`,
      expansions ? `${expansions} expansions` : "",
      status,
    ];
    const progress =
      length === 0 ? "no animation for this method" : parts.filter(Boolean).join(", ");
    this.status.textContent = all
      ? `${progress}; ${path ? `path of ${formatNumber(path.steps)} steps` : "no path exists"}`
      : progress;
    this.paint();
  }

  toggle() {
    if (this.running) return this.pause();
    if (!this.replay?.length) return;
    const { length } = this.replay;
    let step = this.replay.done >= length ? 0 : this.replay.done;
    const pace = Math.max(1, Math.ceil(length / 240));
    this.runButton.replaceChildren(icon("pause"));
    const tick = () => {
      step = Math.min(length, step + pace);
      this.go(step);
      this.running = step < length ? requestAnimationFrame(tick) : 0;
      if (!this.running) this.pause();
    };
    this.running = requestAnimationFrame(tick);
  }

  pause() {
    cancelAnimationFrame(this.running);
    this.running = 0;
    this.runButton.replaceChildren(icon("play"));
  }

  paint() {
    if (!this.grid) return;
    const { state } = this.store;
    const all = !this.replay || this.replay.done >= this.replay.length;
    const path = all ? (this.response?.path?.tiles ?? []) : [];
    this.gridCanvas.draw(this.grid, this.replay, {
      theme: theme(),
      path,
      sources: state.sources,
      targets: state.targets,
      cursor: this.cursor,
    });
    this.canvas.dataset.path = String(path.length);
    this.showLegend();
  }

  showStats() {
    const { response } = this;
    if (!response)
      return this.stats.replaceChildren(
        h("p", { class: "note" }, "Add a source and a target on water."),
      );
    const max = Math.max(1, response.bfs.visited, response.stats.visited);
    const bar = (/** @type {string} */ name, /** @type {number} */ visited) => [
      h(
        "div",
        { class: "label" },
        h("span", {}, name),
        h("b", {}, `${formatNumber(visited)} visited`),
      ),
      h("meter", { min: 0, max, value: visited, "aria-label": `${name}: tiles visited` }),
    ];
    const row = (/** @type {string} */ name, /** @type {string} */ value) =>
      h("tr", {}, h("th", { scope: "row" }, name), h("td", {}, value));
    const steps = (/** @type {number | null} */ count) =>
      count === null ? "no path" : formatNumber(count);
    const saved = response.bfs.visited
      ? Math.round((1 - response.stats.visited / response.bfs.visited) * 100)
      : 0;
    this.stats.replaceChildren(
      h(
        "div",
        { class: "bars" },
        ...bar(response.method, response.stats.visited),
        ...bar("plain BFS", response.bfs.visited),
      ),
      h(
        "table",
        { class: "metrics" },
        h(
          "tbody",
          {},
          row("Fewer tiles visited", `${saved} %`),
          row("Path length", steps(response.stats.steps)),
          row("Shortest path length", steps(response.bfs.steps)),
          row("Guarantee", response.path?.guarantee ?? "none"),
          row("Expansions", formatNumber(response.stats.expansions)),
          row("Fell back to full search", response.stats.fallback ? "yes" : "no"),
          ...(response.dropped_events
            ? [row("Events not recorded", formatNumber(response.dropped_events))]
            : []),
        ),
      ),
    );
  }

  showLegend() {
    const colours = COLOURS[theme()];
    if (this.legend.dataset.theme === theme()) return;
    this.legend.dataset.theme = theme();
    const entry = (/** @type {string | number[]} */ colour, /** @type {string} */ text) => {
      const swatch = h("canvas", { class: "swatch", width: 18, height: 18, "aria-hidden": "true" });
      const context = /** @type {CanvasRenderingContext2D} */ (swatch.getContext("2d"));
      context.fillStyle = typeof colour === "string" ? colour : `rgb(${colour.join(" ")})`;
      context.fillRect(0, 0, 18, 18);
      return h("li", {}, swatch, text);
    };
    this.legend.replaceChildren(
      h(
        "ul",
        { class: "legend" },
        entry(colours.source, "source"),
        entry(colours.target, "target"),
        entry(colours.path, "path"),
        entry(colours.visited[0], "visited early"),
        entry(colours.visited[1], "visited late"),
        entry(colours.rings[0], "initial corridor"),
        entry(colours.rings[2], "allowed after expansion"),
        entry(colours.deep, "water"),
        entry(colours.land, "land"),
      ),
    );
  }

  /**
   * Request body for the grid: seed and configuration, or the imported grid.
   * @param {boolean} withDepths Whether to include the distance of water from land.
   */
  mapBody(withDepths) {
    const { imported } = this;
    if (!imported) return requestBody(this.store.state.maps[0]);
    const { width, height, tiles } = imported;
    return {
      map: {
        width,
        height,
        open: encodeBase64(openBits(imported)),
        ...(withDepths ? { magnitudes: encodeBase64(tiles) } : {}),
      },
    };
  }

  /** Search part of the request body. */
  searchBody() {
    const { method, connectivity, corridor } = this.store.state;
    return { method, connectivity, ...(CORRIDOR_METHODS.includes(method) ? { corridor } : {}) };
  }

  async saveAnimation() {
    const { state } = this.store;
    const ends = {
      sources: state.sources.filter((end) => this.isWater(end)),
      targets: state.targets.filter((end) => this.isWater(end)),
    };
    const response = await post(`/v1/path.apng?theme=${theme()}`, {
      ...this.mapBody(false),
      ...ends,
      ...this.searchBody(),
    });
    save(await response.blob(), "search.apng");
  }

  /** @param {import("./types.js").Problem} problem */
  showProblem(problem) {
    this.problem.textContent = problem.detail;
    this.problem.hidden = false;
    const field = problem.field ?? "";
    if (field.startsWith("corridor."))
      this.corridor.showError(field.slice("corridor.".length), problem.detail);
    else this.controls.showError(field.replace(/^config\.?/, ""), problem.detail);
  }

  repaint() {
    this.paint();
  }

  /** @param {KeyboardEvent} event @returns {boolean} */
  key(event) {
    if (event.key === "r") void this.seed.rollSeed();
    else if (event.key === "o") byId("open").click();
    else if (
      event.key === " " &&
      !(event.target instanceof Element && event.target.closest("button, input, summary, a"))
    )
      this.toggle();
    else return false;
    return true;
  }

  close() {
    clearTimeout(this.timer);
    this.pause();
  }
}
