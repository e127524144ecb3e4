// The state of the page, with its past: every change is one entry, quick changes of one field together are one.

/** @typedef {import("./types.js").State} State */

const MAX = 200;
const TOGETHER = 900;

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
    this.at = 0;
  }

  /** @param {(state: State, before: State) => void} listener */
  listen(listener) {
    this.listeners.push(listener);
  }

  /** The map that the controls change. */
  get choice() {
    return this.state.choices[this.state.active] ?? this.state.choices[0];
  }

  /**
   * Changes the state.
   * @param {(draft: State) => void} change
   * @param {string} [tag] Changes with the same tag that follow each other quickly are undone together.
   */
  change(change, tag = "") {
    const next = structuredClone(this.state);
    change(next);
    if (JSON.stringify(next) === JSON.stringify(this.state)) return;
    const now = performance.now();
    const same = tag !== "" && tag === this.tag && now - this.at < TOGETHER;
    if (!same) {
      this.past.push(this.state);
      if (this.past.length > MAX) this.past.shift();
    }
    this.future = [];
    this.tag = tag;
    this.at = now;
    this.put(next);
  }

  /**
   * Changes the map that the controls change. The run on it begins anew.
   * @param {(choice: import("./types.js").Choice) => void} change
   * @param {string} [tag]
   */
  changeMap(change, tag) {
    this.change((draft) => {
      change(draft.choices[draft.active]);
      draft.moves = [];
    }, tag);
  }

  /**
   * Adds to the state what follows from it: nothing to be undone.
   * @param {(draft: State) => void} change
   */
  settle(change) {
    const next = structuredClone(this.state);
    change(next);
    this.put(next);
  }

  undo() {
    const former = this.past.pop();
    if (!former) return false;
    this.future.push(this.state);
    this.tag = "";
    this.put(former);
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
