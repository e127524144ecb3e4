// State of the page with undo history. Rapid changes to the same field are merged into one entry.

/** @typedef {import("./types.js").State} State */

const MAX_UNDO = 200;
/** Changes with the same tag within this time, in milliseconds, are undone together. */
const MERGE_WINDOW = 900;

export class Store {
  /** @param {State} state */
  constructor(state) {
    /** @type {State} */
    this.state = state;
    /** @type {State[]} */
    this.past = [];
    /** @type {State[]} */
    this.future = [];
    /** @type {((state: State, before: State) => void)[]} */
    this.listeners = [];
    this.tag = "";
    this.changedAt = 0;
  }

  /** @param {(state: State, before: State) => void} listener */
  listen(listener) {
    this.listeners.push(listener);
  }

  /** Settings of the map that the controls edit. */
  get settings() {
    return this.state.maps[this.state.active] ?? this.state.maps[0];
  }

  /**
   * Changes the state.
   * @param {(draft: State) => void} change
   * @param {string} [tag] Quick successive changes with the same tag are undone together.
   */
  change(change, tag = "") {
    const next = structuredClone(this.state);
    change(next);
    if (JSON.stringify(next) === JSON.stringify(this.state)) return;
    const now = performance.now();
    const same = tag !== "" && tag === this.tag && now - this.changedAt < MERGE_WINDOW;
    if (!same) {
      this.past.push(this.state);
      if (this.past.length > MAX_UNDO) this.past.shift();
    }
    this.future = [];
    this.tag = tag;
    this.changedAt = now;
    this.put(next);
  }

  /**
   * Changes the map that the controls edit, and restarts the run on it.
   * @param {(settings: import("./types.js").MapSettings) => void} change
   * @param {string} [tag]
   */
  changeMap(change, tag) {
    this.change((draft) => {
      change(draft.maps[draft.active]);
      draft.moves = [];
    }, tag);
  }

  /**
   * Adds derived values to the state, without an undo entry.
   * @param {(draft: State) => void} change
   */
  setDerived(change) {
    const next = structuredClone(this.state);
    change(next);
    this.put(next);
  }

  undo() {
    const previous = this.past.pop();
    if (!previous) return false;
    this.future.push(this.state);
    this.tag = "";
    this.put(previous);
    return true;
  }

  redo() {
    const next = this.future.pop();
    if (!next) return false;
    this.past.push(this.state);
    this.tag = "";
    this.put(next);
    return true;
  }

  /** @param {State} state */
  put(state) {
    const before = this.state;
    this.state = state;
    for (const listener of this.listeners) listener(state, before);
  }
}
