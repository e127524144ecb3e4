// Replays the events of a search: allowed and visited tiles.

/** Event types, stored in the upper four bits of an event; see `SearchEvent` in Rust. */
const [VISIT, ALLOW, WIDEN, RESTART, FALLBACK] = [0, 1, 2, 3, 4];

export class Replay {
  /**
   * @param {Uint8Array} bytes Events, four bytes each.
   * @param {number} side Side of a coarse cell in tiles.
   * @param {number} width
   * @param {number} height
   */
  constructor(bytes, side, width, height) {
    const count = bytes.length >> 2;
    this.events = new Uint32Array(count);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    for (let i = 0; i < count; i++) this.events[i] = view.getUint32(i * 4, true);
    this.side = side;
    this.width = width;
    this.height = height;
    /** Index of the event that visited a tile, plus 1; 0 if unvisited. */
    this.visited = new Uint32Array(width * height);
    /** Number of expansions before a tile was allowed, plus 1; 0 if it is not allowed. */
    this.allowed = new Uint8Array(width * height);
    /** Events that affect the whole search. @type {{ step: number, text: string }[]} */
    this.milestones = [];
    this.events.forEach((event, index) => {
      const type = event >>> 28;
      const text = {
        [WIDEN]: "mask expanded",
        [RESTART]: "restarted",
        [FALLBACK]: "restarted on the whole grid",
      }[type];
      if (text) this.milestones.push({ step: index + 1, text });
    });
    this.done = 0;
    this.count = 0;
    this.expansions = 0;
  }

  get length() {
    return this.events.length;
  }

  /** Goes to a step. Going back replays from the start. @param {number} to */
  go(to) {
    if (to < this.done) {
      this.visited.fill(0);
      this.allowed.fill(0);
      this.done = this.count = this.expansions = 0;
    }
    for (; this.done < to && this.done < this.events.length; this.done++)
      this.step(this.events[this.done]);
  }

  /** @param {number} event */
  step(event) {
    const tile = event & 0x0fffffff;
    switch (event >>> 28) {
      case VISIT:
        if (!this.visited[tile]) this.count += 1;
        this.visited[tile] = this.done + 1;
        break;
      case ALLOW:
        this.allow(tile);
        break;
      case WIDEN:
        this.expansions += 1;
        break;
      case RESTART:
        this.visited.fill(0);
        this.count = 0;
        break;
      case FALLBACK:
        this.visited.fill(0);
        this.allowed.fill(this.expansions + 1);
        this.count = 0;
        break;
    }
  }

  /** Allows the tiles of a coarse cell. @param {number} corner Index of its upper left tile. */
  allow(corner) {
    const [x, y] = [corner % this.width, Math.floor(corner / this.width)];
    const [right, bottom] = [
      Math.min(this.width, x + this.side),
      Math.min(this.height, y + this.side),
    ];
    for (let row = y; row < bottom; row++) {
      for (let tile = row * this.width + x; tile < row * this.width + right; tile++)
        if (!this.allowed[tile]) this.allowed[tile] = Math.min(255, this.expansions + 1);
    }
  }

  /** Text of the latest milestone. */
  get status() {
    const past = this.milestones.filter((milestone) => milestone.step <= this.done);
    return past.length ? past[past.length - 1].text : "";
  }
}
