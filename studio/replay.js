// A search, step by step: what it was allowed, what it visited.

/** What an event does: its upper four bits. */
const [VISIT, ALLOW, WIDEN, RESTART, FLOOD] = [0, 1, 2, 3, 4];

export class Replay {
  /**
   * @param {Uint8Array} bytes The events, four bytes each.
   * @param {number} side The side of a coarse cell.
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
    /** The step at which a tile was visited, 0 if it was not, one more than the place of its event. */
    this.visited = new Uint32Array(width * height);
    this.allowed = new Uint8Array(width * height);
    /** Where something other than a visit happens. @type {{ at: number, words: string }[]} */
    this.beats = [];
    this.events.forEach((event, at) => {
      const what = event >>> 28;
      const words = { [WIDEN]: "the mask widens", [RESTART]: "it starts over", [FLOOD]: "it starts over on all water" }[what];
      if (words) this.beats.push({ at: at + 1, words });
    });
    this.done = 0;
    this.count = 0;
    this.rings = 0;
  }

  get length() {
    return this.events.length;
  }

  /** Goes to a step; back is from the beginning. @param {number} to */
  go(to) {
    if (to < this.done) {
      this.visited.fill(0);
      this.allowed.fill(0);
      this.done = this.count = this.rings = 0;
    }
    for (; this.done < to && this.done < this.events.length; this.done++) this.step(this.events[this.done]);
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
        this.rings += 1;
        break;
      case RESTART:
        this.visited.fill(0);
        this.count = 0;
        break;
      case FLOOD:
        this.visited.fill(0);
        this.allowed.fill(this.rings + 1);
        this.count = 0;
        break;
    }
  }

  /** @param {number} corner */
  allow(corner) {
    const [x, y] = [corner % this.width, Math.floor(corner / this.width)];
    const [right, bottom] = [Math.min(this.width, x + this.side), Math.min(this.height, y + this.side)];
    for (let row = y; row < bottom; row++) {
      for (let at = row * this.width + x; at < row * this.width + right; at++) if (!this.allowed[at]) this.allowed[at] = Math.min(255, this.rings + 1);
    }
  }

  /** The last thing that happened beside visits, in words. */
  told() {
    const beats = this.beats.filter((beat) => beat.at <= this.done);
    return beats.length ? beats[beats.length - 1].words : "";
  }
}
