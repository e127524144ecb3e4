// Page of a map family: form on the left, maps in the middle, validation and stats on the right.

import { postJson, requestBody } from "./api.js";
import { announce, byId, formatNumber, h, icon, labelOf } from "./dom.js";
import { PLANS } from "./families.js";
import { form } from "./form.js";
import { LatestRequest, fetchScene, problemTitle, sceneBody, toProblem } from "./requests.js";
import { countTable, formatMetric, metricLabel, metricTable, routeTable } from "./metrics.js";
import { Pane } from "./pane.js";
import { fitPins, levelSymbolName, pinsOf, togglePin, usesSeedSearch } from "./pins.js";
import { legalSpots, moveTo, playBar } from "./play.js";
import { downloadGroup, saveButtons, seedFileName } from "./downloads.js";
import { reportList } from "./report.js";
import { fieldsOf, resolveRef } from "./schema.js";
import { randomSeed, seedBox } from "./seedbox.js";
import { theme } from "./theme.js";

/** @typedef {import("./types.js").State} State */
/** @typedef {import("./store.js").Store} Store */

/**
 * Delay of the validation after a map is shown, in milliseconds, so that quick edits do not wait
 * for it.
 */
const VALIDATION_DELAY = 80;

export class MapsPage {
  /** @param {Store} store @param {any} schemas */
  constructor(store, schemas) {
    this.store = store;
    this.schemas = schemas;
    this.family = store.state.family;
    /** @type {boolean} */
    this.isPlayable = schemas.families[this.family].playable;
    this.plan = PLANS[this.family];
    if (this.family !== "act" && this.family !== "level") {
      this.plan = {
        ...this.plan,
        hints: {
          ...this.plan.hints,
          templateId: schemas.templates,
          template: schemas.templates,
          boss: schemas.templates,
        },
      };
    }
    this.sceneRequests = [new LatestRequest(), new LatestRequest()];
    this.validationRequests = [new LatestRequest(), new LatestRequest()];
    this.ruleset = "";
    /**
     * @type {import("./types.js").MapDocument | null} Document opened from a file; it is validated
     * unchanged.
     */
    this.openedDocument = null;
    this.updatedAt = 0;
    this.timer = 0;
    /** @type {number[]} */
    this.validationTimers = [0, 0];
    this.seed = seedBox(
      (seed, tag) => store.changeMap((settings) => (settings.seed = seed), tag),
      (seed) => this.findSeed(seed),
    );
    const host = {
      press: (/** @type {Pane} */ pane, /** @type {import("./spots.js").Spot} */ spot) =>
        this.press(pane, spot),
      describe: (/** @type {Pane} */ pane, /** @type {import("./spots.js").Spot} */ spot) =>
        this.describe(pane, spot),
      choose: (/** @type {Pane} */ pane) =>
        store.change(
          (draft) =>
            void (draft.active = Math.min(this.panes.indexOf(pane), draft.maps.length - 1)),
        ),
    };
    /** @type {Pane[]} */
    this.panes = [new Pane("A", host), new Pane("B", host)];
    this.form = h("div", {});
    const rulesets = this.family === "act" ? this.rulesetTabs() : null;
    const hint = h("p", { class: "hint", id: "hint", "aria-hidden": "true" }, this.helpText(null));
    byId("controls").replaceChildren(
      h("h2", {}, this.plan.title),
      h("p", { class: "lead" }, this.plan.lead),
      this.seed.element,
      ...(rulesets ? [rulesets] : []),
      this.form,
      hint,
    );
    byId("controls").onpointerover = (event) => (hint.textContent = this.helpText(event.target));
    this.form.addEventListener(
      "focusin",
      (event) => (hint.textContent = this.helpText(event.target)),
    );
    this.playBar = playBar(store, this.family, this.isPlayable);
    this.witness = h(
      "select",
      { id: "witness" },
      ...[
        ["none", "off"],
        ["all", "both"],
        ["person", "player"],
        ["car", "car"],
      ].map(([value, text]) => h("option", { value }, text)),
    );
    this.witness.addEventListener("change", () =>
      store.change((draft) => (draft.witness = this.witness.value)),
    );
    this.labels = h("input", { type: "checkbox", id: "labels" });
    this.labels.addEventListener("change", () =>
      store.change((draft) => void (draft.labels = this.labels.checked)),
    );
    const file = h("input", {
      type: "file",
      accept: ".json,application/json",
      class: "hidden",
      id: "document",
      tabindex: "-1",
      "aria-label": "Saved map",
    });
    file.addEventListener("change", async () => {
      const [chosen] = file.files ?? [];
      if (chosen) this.open(await chosen.text());
      file.value = "";
    });
    this.compare = h(
      "button",
      {
        type: "button",
        "aria-pressed": "false",
        id: "compare",
        title: "Compare two maps side by side (C)",
      },
      icon("compare"),
      "Compare",
    );
    this.compare.addEventListener("click", () => this.toggleCompare());
    const bar = h(
      "div",
      { class: "bar" },
      this.playBar.element,
      this.family === "level"
        ? h(
            "div",
            { class: "inline" },
            h("label", { for: "witness" }, "Show proof route"),
            this.witness,
          )
        : null,
      this.family === "act"
        ? h(
            "label",
            { class: "chip", title: "Label nodes with column and row (N)" },
            this.labels,
            "Labels",
          )
        : null,
      h("span", { class: "space" }),
      h(
        "button",
        {
          type: "button",
          title: "Open and validate a saved map (O)",
          id: "open",
          onclick: () => file.click(),
        },
        icon("open"),
        "Open",
      ),
      file,
      this.compare,
    );
    this.note = h("p", { class: "note", id: "spot" });
    this.time = h("p", { class: "time", id: "time" });
    this.maps = h("div", { class: "panes" }, this.panes[0].element);
    byId("stage").replaceChildren(
      bar,
      this.maps,
      h("div", { class: "under" }, this.note, this.time),
    );
    this.validation = h("div", { id: "validation" });
    this.stats = h("div", { id: "stats" });
    this.difference = h("div", { id: "difference" });
    const request = () => {
      const witness = this.family === "level" ? `&witness=${store.state.witness}` : "";
      const labels = this.family === "act" && store.state.labels ? "&labels=true" : "";
      const query = `theme=${theme()}${witness}${labels}`;
      return {
        path: `/v1/${this.family}`,
        query,
        body: requestBody(store.settings),
        name: `${this.family}-${seedFileName(store.settings.seed)}`,
      };
    };
    const buttons = saveButtons(schemas.formats[this.family], request, (error) =>
      this.panes[store.state.active].showProblem(toProblem(error)),
    );
    byId("results").replaceChildren(
      this.difference,
      h("section", {}, h("h2", {}, "Validation"), this.validation),
      h("section", {}, h("h2", {}, "Stats"), this.stats),
      h(
        "section",
        {},
        h("h2", {}, "Save"),
        downloadGroup(...buttons),
        h("p", { class: "digest", id: "digest" }),
      ),
    );
  }

  rulesetTabs() {
    const rulesets = [
      ["walks", "Paths"],
      ["rows", "Layers"],
      ["spire", "Slay the Spire"],
    ];
    const buttons = rulesets.map(([name, label]) => {
      const input = h("input", {
        type: "radio",
        name: "ruleset",
        value: name,
        id: `ruleset-${name}`,
      });
      input.addEventListener("change", () =>
        this.store.changeMap((settings) => {
          settings.config = name === "walks" ? {} : { ruleset: name };
          delete settings.searchPins;
        }),
      );
      return h("label", { class: "tab" }, input, h("span", {}, label));
    });
    return h("fieldset", { class: "tabs" }, h("legend", {}, "Ruleset"), ...buttons);
  }

  /** @param {EventTarget | null} target */
  helpText(target) {
    const field = target instanceof Element ? target.closest("[data-description]") : null;
    return (
      (field instanceof HTMLElement && field.dataset.description) ||
      "Hover or focus a field for help"
    );
  }

  /** Fields of the configuration with the current ruleset. */
  fields() {
    const root = this.schemas[this.family];
    const schema = resolveRef(root, root.properties.config);
    if (!schema.anyOf) return fieldsOf(root, schema);
    const ruleset = this.store.settings.config.ruleset ?? "walks";
    const name = ruleset.charAt(0).toUpperCase() + ruleset.slice(1);
    const config = root.$defs[`${name}Config`] ?? root.$defs.WalksConfig;
    return fieldsOf(root, config).filter((field) => field.name !== "ruleset");
  }

  /** Shows a state. @param {State} state @param {State | null} before */
  update(state, before) {
    this.updatedAt = performance.now();
    const { settings } = this.store;
    const ruleset = this.family === "act" ? (settings.config.ruleset ?? "walks") : "all";
    if (ruleset !== this.ruleset) {
      this.ruleset = ruleset;
      this.controls = form(this.fields(), this.plan, (field, value) => this.set(field, value));
      this.form.replaceChildren(this.controls.element);
      const tab = document.getElementById(`ruleset-${ruleset}`);
      if (tab instanceof HTMLInputElement) tab.checked = true;
    }
    this.controls?.set(settings.config);
    this.seed.set(settings.seed);
    this.witness.value = state.witness;
    this.labels.checked = state.labels;
    const two = state.maps.length > 1;
    this.compare.setAttribute("aria-pressed", String(two));
    this.maps.classList.toggle("two", two);
    if (two && !this.panes[1].element.isConnected) this.maps.append(this.panes[1].element);
    if (!two && this.panes[1].element.isConnected) this.panes[1].element.remove();
    this.panes.forEach((pane, i) => {
      const one = state.maps[i];
      pane.element.classList.toggle("active", two && i === state.active);
      pane.head.setAttribute("aria-pressed", String(i === state.active));
      pane.head.hidden = !two;
      const suffix = i === state.active ? ", being edited" : "";
      if (one) pane.head.textContent = `${pane.letter}: seed ${one.seed}${suffix}`;
    });
    this.playBar.set(state);
    if (before && JSON.stringify(before.maps) !== JSON.stringify(state.maps))
      this.openedDocument = null;
    // Validations of the previous maps are cancelled, so that the next image comes first.
    this.validationTimers.forEach(clearTimeout);
    this.validationRequests.forEach((request) => request.stop());
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => state.maps.forEach((_, i) => void this.show(i)), 8);
  }

  /** Requests and shows a map. @param {number} index */
  async show(index) {
    const { state } = this.store;
    const pane = this.panes[index];
    const body = sceneBody(state, index, theme(), this.isPlayable);
    const active = index === state.active;
    try {
      const scene = await this.sceneRequests[index].run(async (signal, isCurrent) => {
        const fetched = await fetchScene(this.family, body, signal);
        if (!isCurrent()) return undefined;
        await pane.show(fetched);
        return fetched;
      });
      if (!scene) return;
      const { spots, missing } = pinsOf(
        this.family,
        state.maps[index],
        scene,
        this.schemas.symbols,
      );
      pane.pins = spots;
      pane.legal = active && state.play ? legalSpots(scene) : [];
      pane.draw();
      if (active) {
        this.controls?.showError("", "");
        const { updatedAt } = this;
        requestAnimationFrame(
          () => (this.time.textContent = `${Math.round(performance.now() - updatedAt)} ms`),
        );
        this.playBar.showStatus(scene.party);
        const [pins, them] = missing === 1 ? ["A pin is", "it"] : [`${missing} pins are`, "them"];
        const hint = `Press R to find the next map with ${them}.`;
        if (missing) this.note.textContent = `${pins} not on this map. ${hint}`;
        byId("digest").textContent = scene.document.digest;
        byId("stage").dataset.digest = scene.document.digest;
      }
      clearTimeout(this.validationTimers[index]);
      this.validationTimers[index] = window.setTimeout(
        () => void this.validate(index, scene),
        VALIDATION_DELAY,
      );
    } catch (error) {
      const problem = toProblem(error);
      pane.showProblem(problem);
      if (active) {
        this.validation.replaceChildren(h("p", { class: "report bad" }, problemTitle(problem)));
        this.controls?.showError((problem.field ?? "").replace(/^config\.?/, ""), problem.detail);
        delete byId("stage").dataset.digest;
        announce(problem.detail);
      }
    }
  }

  /**
   * Validates a map and shows its report and stats. @param {number} index @param
   * {import("./types.js").MapScene} scene
   */
  async validate(index, scene) {
    const active = index === this.store.state.active;
    const pane = this.panes[index];
    const document = active && this.openedDocument ? this.openedDocument : scene.document;
    await this.validationRequests[index]
      .run(async (signal, isCurrent) => {
        const report = postJson("/v1/validate", document, signal);
        const routes =
          this.family === "act" && !this.openedDocument
            ? postJson("/v1/routes", { document }, signal)
            : Promise.resolve(null);
        const [validation, routeReport] = await Promise.all([report, routes]);
        if (!isCurrent() || !active) return;
        this.validation.replaceChildren(reportList(validation, pane, document.map));
        const { metrics } = scene;
        // The route table has the exact number of routes and the counts per kind.
        const tables = routeReport
          ? [
              metricTable(metrics.filter((metric) => metric.name !== "routes")),
              routeTable(routeReport, metrics, pane),
            ]
          : [metricTable(metrics), countTable(metrics)];
        this.stats.replaceChildren(...tables.filter((table) => table !== null));
        this.showDifference();
      })
      .catch(
        (error) =>
          active &&
          this.validation.replaceChildren(h("p", { class: "report bad" }, toProblem(error).detail)),
      );
  }

  showDifference() {
    const [a, b] = this.panes.map((pane) => pane.scene);
    if (this.store.state.maps.length < 2 || !a || !b) return this.difference.replaceChildren();
    const [left, right] = [a, b].map(
      (scene) => new Map(scene.metrics.map((metric) => [metric.name, metric])),
    );
    /** @type {[string, string, string][]} */
    const rows = [];
    const [one, other] = this.store.state.maps.map((settings) => settings.config);
    const defaults = new Map(
      this.fields().map((field) => [
        field.name,
        field.shape.defaultValue ?? field.shape.defaultText,
      ]),
    );
    const text = (/** @type {string} */ key, /** @type {any} */ value) => {
      const shown = value === undefined ? defaults.get(key) : value;
      return shown === undefined
        ? "default"
        : typeof shown === "object" && shown !== null
          ? "custom"
          : String(shown);
    };
    for (const key of new Set([...Object.keys(one), ...Object.keys(other)])) {
      if (JSON.stringify(one[key]) !== JSON.stringify(other[key]))
        rows.push([labelOf(key), text(key, one[key]), text(key, other[key])]);
    }
    for (const key of new Set([...left.keys(), ...right.keys()])) {
      const [x, y] = [left.get(key), right.get(key)];
      const shown = (/** @type {import("./types.js").MetricValue | undefined} */ metric) =>
        metric ? formatMetric(metric) : "0";
      if ((x?.value ?? 0) !== (y?.value ?? 0)) rows.push([metricLabel(key), shown(x), shown(y)]);
    }
    const head = h(
      "thead",
      {},
      h(
        "tr",
        {},
        h("th", { scope: "col" }, "Difference"),
        h("th", { scope: "col" }, "A"),
        h("th", { scope: "col" }, "B"),
      ),
    );
    const body = rows.map(([name, x, y]) =>
      h("tr", {}, h("th", { scope: "row" }, name), h("td", {}, x), h("td", {}, y)),
    );
    this.difference.replaceChildren(
      h(
        "section",
        {},
        h("h2", {}, "A vs. B"),
        h("table", { class: "metrics" }, head, h("tbody", {}, ...body)),
      ),
    );
  }

  /**
   * Finds the next seed whose map has the pins; returns the given seed if no search is needed.
   * @param {string} seed
   * @returns {Promise<string | null>}
   */
  async findSeed(seed) {
    const { settings, state } = this.store;
    if (!usesSeedSearch(this.family, settings) || !settings.searchPins?.length) return seed;
    try {
      const found = await postJson(`/v1/reroll/${this.family}`, {
        ...requestBody({ ...settings, seed }),
        pins: settings.searchPins,
      });
      announce(`Seed ${found.seed} has the pins; ${formatNumber(found.tried)} seeds tried.`);
      return found.seed;
    } catch (error) {
      const problem = toProblem(error);
      this.panes[state.active].showProblem(problem);
      announce(problem.detail);
      return null;
    }
  }

  /** @param {string} field @param {any} value */
  set(field, value) {
    this.store.changeMap((settings) => {
      if (value === undefined) delete settings.config[field];
      else settings.config[field] = value;
      if (field !== "width" && field !== "height") return;
      if (this.family === "level")
        fitPins(settings, settings.config.width ?? 48, settings.config.height ?? 30);
      if (this.family === "floor")
        fitPins(settings, settings.config.width ?? 5, settings.config.height ?? 5);
    }, field);
  }

  /** @param {Pane} pane @param {import("./spots.js").Spot} spot */
  press(pane, spot) {
    const index = this.panes.indexOf(pane);
    const { scene } = pane;
    if (!scene) return;
    if (this.store.state.play && this.isPlayable) {
      const move = moveTo(scene, spot);
      if (move) this.store.change((draft) => void draft.moves.push(move));
      return announce(move ? `Move: ${move}` : "Illegal move.");
    }
    let message = "";
    this.store.change((draft) => {
      draft.active = index;
      message = togglePin(this.family, draft.maps[index], scene, spot, this.schemas.symbols);
    });
    announce(message);
    this.note.textContent = message;
  }

  /**
   * Describes a spot for the status line. @param {Pane} pane @param {import("./spots.js").Spot}
   * spot @returns {string}
   */
  describe(pane, spot) {
    const { scene } = pane;
    if (!scene) return "";
    const pinned = pane.pins.some((pin) => JSON.stringify(pin) === JSON.stringify(spot));
    const action =
      this.store.state.play && this.isPlayable
        ? moveTo(scene, spot)
          ? "click to move here"
          : ""
        : pinned
          ? "pinned, click to unpin"
          : "click to pin";
    if ("node" in spot) {
      const node = scene.nodes[spot.node];
      return [
        node.boss ? "Boss" : `Node ${node.col},${node.row}`,
        node.kind ?? "",
        node.boss && !this.store.state.play ? "" : action,
      ]
        .filter(Boolean)
        .join(", ");
    }
    const { map } = scene.document;
    if (this.family === "level")
      return [`Cell ${spot.x},${spot.y}`, levelSymbolName(map.rows[spot.y]?.[spot.x] ?? ""), action]
        .filter(Boolean)
        .join(", ");
    const floor = this.family === "tower" ? map.floors[spot.grid] : map;
    const tile = floor?.tiles.find(
      (/** @type {any} */ tile) => tile.pos.x === spot.x && tile.pos.y === spot.y,
    );
    const entity = floor?.entities.find(
      (/** @type {any} */ entity) => entity.pos.x === spot.x && entity.pos.y === spot.y,
    );
    return [
      this.family === "tower" ? `Floor ${spot.grid + 1}` : "",
      `${spot.x},${spot.y}`,
      tile?.kind ?? "",
      entity?.kind ?? "",
      action,
    ]
      .filter(Boolean)
      .join(", ");
  }

  toggleCompare() {
    this.store.change((draft) => {
      if (draft.maps.length > 1) {
        draft.maps = [draft.maps[draft.active]];
        draft.active = 0;
      } else {
        draft.maps.push({ ...structuredClone(draft.maps[0]), seed: randomSeed() });
        draft.active = 1;
      }
      draft.moves = [];
    });
    // The second map must have the pins too.
    const { settings, state } = this.store;
    if (state.maps.length > 1 && usesSeedSearch(this.family, settings) && settings.searchPins)
      void this.seed.rollSeed();
  }

  /**
   * Opens a saved map: shows the map of its seed and configuration, and validates the file. @param
   * {string} text
   */
  open(text) {
    try {
      const document = JSON.parse(text);
      const families = Object.keys(this.schemas.families);
      const family = families.find((family) =>
        this.schemas.families[family].algorithms.includes(document.algorithm),
      );
      if (!family || typeof document.config !== "object")
        throw new Error("This isn't a Wayforge map file.");
      if (family !== this.family)
        throw new Error(`This file is a map of another family: ${family}.`);
      this.store.changeMap((settings) => {
        settings.seed = String(document.seed);
        // The document of one floor of a tower contains the configuration of the tower.
        settings.config = document.config.tower ?? document.config;
        if (settings.config.ruleset === "walks") delete settings.config.ruleset;
        delete settings.searchPins;
      });
      this.openedDocument = document;
      void this.show(this.store.state.active);
    } catch (error) {
      this.panes[this.store.state.active].showProblem({
        type: "",
        title: "",
        status: 0,
        detail: error instanceof Error ? error.message : String(error),
      });
    }
  }

  /** Redraws the maps in the current theme. */
  repaint() {
    this.store.state.maps.forEach((_, i) => void this.show(i));
  }

  /** @param {KeyboardEvent} event @returns {boolean} */
  key(event) {
    const { store } = this;
    switch (event.key) {
      case "r":
        void this.seed.rollSeed();
        return true;
      case "c":
        this.toggleCompare();
        return true;
      case "o":
        byId("open").click();
        return true;
      case "n":
        if (this.family === "act") store.change((draft) => void (draft.labels = !draft.labels));
        return true;
      case "p":
        if (this.isPlayable)
          store.change((draft) => void ((draft.play = !draft.play), (draft.moves = [])));
        return true;
      case "Backspace":
        if (!store.state.play) return false;
        store.change((draft) => void draft.moves.pop());
        return true;
      default:
        return false;
    }
  }

  close() {
    clearTimeout(this.timer);
    this.validationTimers.forEach(clearTimeout);
    this.panes.forEach((pane) => pane.close());
  }
}
