// The page of a family of maps: controls at the left, maps in the middle, verdict and figures at the right.

import { ask, wanted } from "./api.js";
import { announce, byId, grouped, h, icon, spoken } from "./dom.js";
import { PLANS } from "./families.js";
import { form } from "./form.js";
import { Line, makeScene, problemOf, sceneBody } from "./live.js";
import { factTable, routeTable, thingTable } from "./metrics.js";
import { Pane } from "./pane.js";
import { fitPins, isKept, pinsOf, togglePin } from "./pins.js";
import { legalSpots, moveTo, playBar } from "./playing.js";
import { fileName, saveButtons, saving } from "./saving.js";
import { fieldsOf, follow } from "./schema.js";
import { roll, seedBox } from "./seedbox.js";
import { theme } from "./theme.js";
import { verdictList } from "./verdict.js";

/** @typedef {import("./types.js").State} State */
/** @typedef {import("./store.js").Store} Store */

/** So long after a picture its map is judged: keys that follow each other quickly are not kept waiting by verdicts. */
const AFTER = 80;

export class MapsPage {
  /** @param {Store} store @param {any} schemas */
  constructor(store, schemas) {
    this.store = store;
    this.schemas = schemas;
    this.family = store.state.family;
    this.plan = PLANS[this.family];
    if (this.family !== "act" && this.family !== "level") {
      this.plan = { ...this.plan, hints: { ...this.plan.hints, templateId: schemas.templates, template: schemas.templates, boss: schemas.templates } };
    }
    this.lines = [new Line(), new Line()];
    this.judging = [new Line(), new Line()];
    this.ruleset = "";
    /** @type {import("./types.js").MapDocument | null} A document that came from a file and is judged as it is. */
    this.foreign = null;
    this.since = 0;
    this.timer = 0;
    /** @type {number[]} */
    this.later = [0, 0];
    this.seed = seedBox(
      (seed, tag) => store.changeMap((choice) => (choice.seed = seed), tag),
      (seed) => this.roll(seed),
    );
    const host = {
      press: (/** @type {Pane} */ pane, /** @type {import("./places.js").Spot} */ spot) => this.press(pane, spot),
      tell: (/** @type {Pane} */ pane, /** @type {import("./places.js").Spot} */ spot) => this.tell(pane, spot),
      choose: (/** @type {Pane} */ pane) => store.change((draft) => void (draft.active = Math.min(this.panes.indexOf(pane), draft.choices.length - 1))),
    };
    /** @type {Pane[]} */
    this.panes = [new Pane("A", host), new Pane("B", host)];
    this.form = h("div", {});
    const rulesets = this.family === "act" ? this.rulesetTabs() : null;
    const hint = h("p", { class: "hint", id: "hint", "aria-hidden": "true" }, this.aboutOf(null));
    byId("controls").replaceChildren(h("h2", {}, this.plan.title), h("p", { class: "lead" }, this.plan.lead), this.seed.element, ...(rulesets ? [rulesets] : []), this.form, hint);
    byId("controls").onpointerover = (event) => (hint.textContent = this.aboutOf(event.target));
    this.form.addEventListener("focusin", (event) => (hint.textContent = this.aboutOf(event.target)));
    this.bar = playBar(store, this.family);
    this.witness = h("select", { id: "witness" }, ...["none", "all", "person", "car"].map((one) => h("option", { value: one }, one)));
    this.witness.addEventListener("change", () => store.change((draft) => (draft.witness = this.witness.value)));
    this.labels = h("input", { type: "checkbox", id: "labels" });
    this.labels.addEventListener("change", () => store.change((draft) => void (draft.labels = this.labels.checked)));
    const file = h("input", { type: "file", accept: ".json,application/json", class: "hidden", id: "document", tabindex: "-1", "aria-label": "A saved map" });
    file.addEventListener("change", async () => {
      const [chosen] = file.files ?? [];
      if (chosen) this.open(await chosen.text());
      file.value = "";
    });
    this.compare = h("button", { type: "button", "aria-pressed": "false", id: "compare", title: "Two maps side by side (C)" }, icon("compare"), "Compare");
    this.compare.addEventListener("click", () => this.toggleCompare());
    const bar = h(
      "div",
      { class: "bar" },
      this.bar.element,
      this.family === "level" ? h("div", { class: "inline" }, h("label", { for: "witness" }, "Witness"), this.witness) : null,
      this.family === "act" ? h("label", { class: "chip", title: "Write column and row beside every node (N)" }, this.labels, "Labels") : null,
      h("span", { class: "space" }),
      h("button", { type: "button", title: "Open a saved map and judge it (O)", id: "open", onclick: () => file.click() }, icon("open"), "Open"),
      file,
      this.compare,
    );
    this.note = h("p", { class: "note", id: "place" });
    this.time = h("p", { class: "time", id: "time" });
    this.maps = h("div", { class: "panes" }, this.panes[0].element);
    byId("stage").replaceChildren(bar, this.maps, h("div", { class: "under" }, this.note, this.time));
    this.verdict = h("div", { id: "verdict" });
    this.figures = h("div", { id: "figures" });
    this.difference = h("div", { id: "difference" });
    const now = () => {
      const look = `theme=${theme()}${this.family === "level" ? `&witness=${store.state.witness}` : ""}${this.family === "act" && store.state.labels ? "&labels=true" : ""}`;
      return { path: `/v1/${this.family}`, look, body: wanted(store.choice), name: `${this.family}-${fileName(store.choice.seed)}` };
    };
    const buttons = saveButtons(schemas.forms[this.family], now, (error) => this.panes[store.state.active].refuse(problemOf(error)));
    byId("facts").replaceChildren(
      this.difference,
      h("section", {}, h("h2", {}, "Verdict"), this.verdict),
      h("section", {}, h("h2", {}, "Figures"), this.figures),
      h("section", {}, h("h2", {}, "Save"), saving(...buttons), h("p", { class: "digest", id: "digest" })),
    );
  }

  rulesetTabs() {
    const names = ["walks", "rows", "spire"];
    const buttons = names.map((name) => {
      const input = h("input", { type: "radio", name: "ruleset", value: name, id: `ruleset-${name}` });
      input.addEventListener("change", () =>
        this.store.changeMap((choice) => {
          choice.config = name === "walks" ? {} : { ruleset: name };
          delete choice.keep;
        }),
      );
      return h("label", { class: "tab" }, input, h("span", {}, name));
    });
    return h("fieldset", { class: "tabs" }, h("legend", {}, "Ruleset"), ...buttons);
  }

  /** @param {EventTarget | null} target */
  aboutOf(target) {
    const field = target instanceof Element ? target.closest("[data-about]") : null;
    return (field instanceof HTMLElement && field.dataset.about) || "Point at a field to read what it does.";
  }

  /** The fields of the configuration as it stands. */
  fields() {
    const root = this.schemas[this.family];
    const whole = follow(root, root.properties.config);
    if (!whole.anyOf) return fieldsOf(root, whole);
    const ruleset = this.store.choice.config.ruleset ?? "walks";
    const name = ruleset.charAt(0).toUpperCase() + ruleset.slice(1);
    const config = root.$defs[`${name}Config`] ?? root.$defs.WalksConfig;
    return fieldsOf(root, config).filter((field) => field.name !== "ruleset");
  }

  /** Shows a state. @param {State} state @param {State | null} before */
  update(state, before) {
    this.since = performance.now();
    const { choice } = this.store;
    const ruleset = this.family === "act" ? (choice.config.ruleset ?? "walks") : "all";
    if (ruleset !== this.ruleset) {
      this.ruleset = ruleset;
      this.controls = form(this.fields(), this.plan, (field, value) => this.set(field, value));
      this.form.replaceChildren(this.controls.element);
      const tab = document.getElementById(`ruleset-${ruleset}`);
      if (tab instanceof HTMLInputElement) tab.checked = true;
    }
    this.controls?.set(choice.config);
    this.seed.set(choice.seed);
    this.witness.value = state.witness;
    this.labels.checked = state.labels;
    const two = state.choices.length > 1;
    this.compare.setAttribute("aria-pressed", String(two));
    this.maps.classList.toggle("two", two);
    if (two && !this.panes[1].element.isConnected) this.maps.append(this.panes[1].element);
    if (!two && this.panes[1].element.isConnected) this.panes[1].element.remove();
    this.panes.forEach((pane, i) => {
      const one = state.choices[i];
      pane.element.classList.toggle("active", two && i === state.active);
      pane.head.setAttribute("aria-pressed", String(i === state.active));
      pane.head.hidden = !two;
      if (one) pane.head.textContent = `${pane.letter}: seed ${one.seed}${i === state.active ? ", being edited" : ""}`;
    });
    this.bar.set(state);
    if (before && JSON.stringify(before.choices) !== JSON.stringify(state.choices)) this.foreign = null;
    // The verdict of a map that is about to go is nobody's: the next picture comes first.
    this.later.forEach(clearTimeout);
    this.judging.forEach((line) => line.stop());
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => state.choices.forEach((_, i) => void this.show(i)), 8);
  }

  /** @param {number} at */
  async show(at) {
    const { state } = this.store;
    const pane = this.panes[at];
    const body = sceneBody(state, at, theme());
    const active = at === state.active;
    try {
      const done = await this.lines[at].run(async (signal, current) => {
        const scene = await makeScene(this.family, body, signal);
        if (!current()) return undefined;
        await pane.show(scene);
        return scene;
      });
      if (!done) return;
      const { spots, lost } = pinsOf(this.family, state.choices[at], done, this.schemas.symbols);
      pane.pins = spots;
      pane.legal = active && state.play ? legalSpots(done) : [];
      pane.draw();
      if (active) {
        this.controls?.blame("", "");
        const { since } = this;
        requestAnimationFrame(() => (this.time.textContent = `drawn ${Math.round(performance.now() - since)} ms after the change`));
        this.bar.tell(done.party);
        if (lost) this.note.textContent = `${lost === 1 ? "A pin is" : `${lost} pins are`} not on this map. Roll (R) to find the next one with ${lost === 1 ? "it" : "them"}.`;
        byId("digest").textContent = done.document.digest;
        byId("stage").dataset.digest = done.document.digest;
      }
      clearTimeout(this.later[at]);
      this.later[at] = window.setTimeout(() => void this.judge(at, done), AFTER);
    } catch (error) {
      const problem = problemOf(error);
      pane.refuse(problem);
      if (active) {
        this.verdict.replaceChildren(h("p", { class: "verdict bad" }, problem.title || "No map"));
        this.controls?.blame((problem.field ?? "").replace(/^config\.?/, ""), problem.detail);
        delete byId("stage").dataset.digest;
        announce(problem.detail);
      }
    }
  }

  /** @param {number} at @param {import("./types.js").MapScene} scene */
  async judge(at, scene) {
    const active = at === this.store.state.active;
    const pane = this.panes[at];
    const document = active && this.foreign ? this.foreign : scene.document;
    await this.judging[at].run(async (signal, current) => {
      const act = this.family === "act";
      const verdict = ask("/v1/validate", document, signal);
      const routes = act && !this.foreign ? ask("/v1/routes", { document }, signal) : Promise.resolve(null);
      const [judged, met] = await Promise.all([verdict, routes]);
      if (!current() || !active) return;
      this.verdict.replaceChildren(verdictList(judged, pane, document.map));
      const { metrics } = scene;
      // The table of routes has the exact number of them, and what each kind has.
      const shown = met ? [factTable(metrics.filter((one) => one.name !== "routes")), routeTable(met, metrics, pane)] : [factTable(metrics), thingTable(metrics)];
      this.figures.replaceChildren(...shown.filter((table) => table !== null));
      this.showDifference();
    }).catch((error) => active && this.verdict.replaceChildren(h("p", { class: "verdict bad" }, problemOf(error).detail)));
  }

  showDifference() {
    const [a, b] = this.panes.map((pane) => pane.scene);
    if (this.store.state.choices.length < 2 || !a || !b) return this.difference.replaceChildren();
    const [left, right] = [a, b].map((scene) => new Map(scene.metrics.map((reading) => [reading.name, reading.value])));
    /** @type {[string, string, string][]} */
    const rows = [];
    const [one, other] = this.store.state.choices.map((choice) => choice.config);
    const usual = new Map(this.fields().map((field) => [field.name, field.shape.fallback ?? field.shape.told]));
    const words = (/** @type {string} */ key, /** @type {any} */ value) => {
      const shown = value === undefined ? usual.get(key) : value;
      return shown === undefined ? "as usual" : typeof shown === "object" && shown !== null ? "of its own" : String(shown);
    };
    for (const key of new Set([...Object.keys(one), ...Object.keys(other)])) {
      if (JSON.stringify(one[key]) !== JSON.stringify(other[key])) rows.push([spoken(key), words(key, one[key]), words(key, other[key])]);
    }
    for (const key of new Set([...left.keys(), ...right.keys()])) {
      const [x, y] = [left.get(key) ?? 0, right.get(key) ?? 0];
      if (x !== y) rows.push([key, grouped(x), grouped(y)]);
    }
    const head = h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Differs in"), h("th", { scope: "col" }, "A"), h("th", { scope: "col" }, "B")));
    const body = rows.map(([name, x, y]) => h("tr", {}, h("th", { scope: "row" }, name), h("td", {}, x), h("td", {}, y)));
    this.difference.replaceChildren(h("section", {}, h("h2", {}, "A against B"), h("table", { class: "facts" }, head, h("tbody", {}, ...body))));
  }

  /**
   * What becomes of a seed that was rolled: the next one whose map keeps the pins, if there are any.
   * @param {string} seed
   * @returns {Promise<string | null>}
   */
  async roll(seed) {
    const { choice, state } = this.store;
    if (!isKept(this.family, choice) || !choice.keep?.length) return seed;
    try {
      const found = await ask(`/v1/reroll/${this.family}`, { ...wanted({ ...choice, seed }), pins: choice.keep });
      announce(`Seed ${found.seed} keeps the pins; ${grouped(found.tried)} seeds were tried.`);
      return found.seed;
    } catch (error) {
      const problem = problemOf(error);
      this.panes[state.active].refuse(problem);
      announce(problem.detail);
      return null;
    }
  }

  /** @param {string} field @param {any} value */
  set(field, value) {
    this.store.changeMap((choice) => {
      if (value === undefined) delete choice.config[field];
      else choice.config[field] = value;
      if (field !== "width" && field !== "height") return;
      if (this.family === "level") fitPins(choice, choice.config.width ?? 48, choice.config.height ?? 30);
      if (this.family === "floor") fitPins(choice, choice.config.width ?? 5, choice.config.height ?? 5);
    }, field);
  }

  /** @param {Pane} pane @param {import("./places.js").Spot} spot */
  press(pane, spot) {
    const at = this.panes.indexOf(pane);
    const { scene } = pane;
    if (!scene) return;
    if (this.store.state.play && this.family !== "level") {
      const move = moveTo(scene, spot);
      if (move) this.store.change((draft) => void draft.moves.push(move));
      return announce(move ? `Moved to ${move}` : "That move is not legal.");
    }
    let told = "";
    this.store.change((draft) => {
      draft.active = at;
      told = togglePin(this.family, draft.choices[at], scene, spot, this.schemas.symbols);
    });
    announce(told);
    this.note.textContent = told;
  }

  /** @param {Pane} pane @param {import("./places.js").Spot} spot @returns {string} */
  tell(pane, spot) {
    const { scene } = pane;
    if (!scene) return "";
    const pinned = pane.pins.some((pin) => JSON.stringify(pin) === JSON.stringify(spot));
    const doing = this.store.state.play && this.family !== "level" ? (moveTo(scene, spot) ? "click to move here" : "") : pinned ? "pinned, click to free it" : "click to pin it";
    if ("node" in spot) {
      const node = scene.nodes[spot.node];
      return [node.boss ? "Boss" : `Node ${node.col},${node.row}`, node.kind ?? "", node.boss && !this.store.state.play ? "" : doing].filter(Boolean).join(", ");
    }
    const { map } = scene.document;
    if (this.family === "level") return [`Cell ${spot.x},${spot.y}`, map.rows[spot.y]?.[spot.x] ?? "", doing].join("  ");
    const floor = this.family === "tower" ? map.floors[spot.grid] : map;
    const tile = floor?.tiles.find((/** @type {any} */ tile) => tile.pos.x === spot.x && tile.pos.y === spot.y);
    const thing = floor?.entities.find((/** @type {any} */ thing) => thing.pos.x === spot.x && thing.pos.y === spot.y);
    return [this.family === "tower" ? `Floor ${spot.grid + 1}` : "", `${spot.x},${spot.y}`, tile?.kind ?? "", thing?.kind ?? "", doing].filter(Boolean).join(", ");
  }

  toggleCompare() {
    this.store.change((draft) => {
      if (draft.choices.length > 1) {
        draft.choices = [draft.choices[draft.active]];
        draft.active = 0;
      } else {
        draft.choices.push({ ...structuredClone(draft.choices[0]), seed: roll() });
        draft.active = 1;
      }
      draft.moves = [];
    });
    // The other map keeps the pins, too.
    const { choice, state } = this.store;
    if (state.choices.length > 1 && isKept(this.family, choice) && choice.keep) void this.seed.throwDice();
  }

  /** Opens a saved map: its seed and configuration, and the verdict of what is in the file. @param {string} text */
  open(text) {
    try {
      const document = JSON.parse(text);
      const family = { act: "act", level: "level", "floor.module": "floor", "floor.tower": "tower" }[String(document.algorithm).replace(/^(act|level)\..*/, "$1").replace(/\/.*/, "")];
      if (!family || typeof document.config !== "object") throw new Error("This is no map of Wayforge.");
      if (family !== this.family) throw new Error(`This is a map of another family: ${family}.`);
      this.store.changeMap((choice) => {
        choice.seed = String(document.seed);
        choice.config = document.config;
        if (choice.config.ruleset === "walks") delete choice.config.ruleset;
        delete choice.keep;
      });
      this.foreign = document;
      void this.show(this.store.state.active);
    } catch (error) {
      this.panes[this.store.state.active].refuse({ type: "", title: "", status: 0, detail: error instanceof Error ? error.message : String(error) });
    }
  }

  /** The same maps in another light. */
  repaint() {
    this.store.state.choices.forEach((_, i) => void this.show(i));
  }

  /** @param {KeyboardEvent} event @returns {boolean} */
  key(event) {
    const { store } = this;
    switch (event.key) {
      case "r":
        void this.seed.throwDice();
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
        if (this.family !== "level") store.change((draft) => void ((draft.play = !draft.play), (draft.moves = [])));
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
    this.later.forEach(clearTimeout);
    this.panes.forEach((pane) => pane.close());
  }
}
