// The seed: typed, rolled, and those before it.

import { h, signButton } from "./dom.js";

const KEY = "wayforge.seeds";
const MAX = 24;

/** A seed that nobody had before, small enough to be read out. */
export function roll() {
  const words = crypto.getRandomValues(new Uint32Array(2));
  return String((BigInt(words[0]) << 16n) | BigInt(words[1] & 0xffff));
}

/** @returns {string[]} */
function known() {
  try {
    const list = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(list) ? list.filter((seed) => typeof seed === "string") : [];
  } catch {
    return [];
  }
}

/** @param {string} seed */
function keep(seed) {
  const list = [seed, ...known().filter((one) => one !== seed)].slice(0, MAX);
  try {
    localStorage.setItem(KEY, JSON.stringify(list));
  } catch {
    // A browser that keeps nothing has a history of one page.
  }
}

/**
 * @param {(seed: string, tag: string) => void} change
 * @param {(seed: string) => Promise<string | null>} [through] What becomes of a seed that was rolled; nothing if it will not do.
 */
export function seedBox(change, through = async (seed) => seed) {
  const input = h("input", { id: "seed", type: "text", spellcheck: "false", autocomplete: "off", maxlength: 256 });
  const list = h("select", { id: "seed-history", "aria-label": "Former seeds", title: "Former seeds" });
  input.addEventListener("input", () => change(input.value, "seed"));
  input.addEventListener("change", () => keep(input.value));
  list.addEventListener("change", () => {
    if (list.value) change(list.value.slice(1), "");
  });
  const fill = () => {
    list.replaceChildren(h("option", { value: "" }, "…"), ...known().map((seed) => h("option", { value: `s${seed}` }, seed)));
    list.value = "";
  };
  list.addEventListener("pointerdown", fill);
  list.addEventListener("focus", fill);
  const dice = signButton("dice", "Roll a new seed (R)", () => void throwDice(), { id: "dice" });
  const throwDice = async () => {
    keep(input.value);
    const seed = await through(roll());
    if (seed === null) return;
    keep(seed);
    change(seed, "");
  };
  fill();
  const element = h("div", { class: "seed" }, h("label", { for: "seed" }, "Seed"), input, dice, list);
  return {
    element,
    throwDice,
    /** @param {string} seed */
    set(seed) {
      if (input.value !== seed) input.value = seed;
    },
  };
}
