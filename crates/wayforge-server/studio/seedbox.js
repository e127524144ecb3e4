// Seed input with a roll button and recent seeds.

import { h, iconButton } from "./dom.js";

const KEY = "wayforge.seeds";
const MAX_RECENT = 24;

/** Returns a random seed, short enough to read aloud. */
export function randomSeed() {
  const words = crypto.getRandomValues(new Uint32Array(2));
  return String((BigInt(words[0]) << 16n) | BigInt(words[1] & 0xffff));
}

/** @returns {string[]} */
function recentSeeds() {
  try {
    const list = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(list) ? list.filter((seed) => typeof seed === "string") : [];
  } catch {
    return [];
  }
}

/** @param {string} seed */
function remember(seed) {
  const list = [seed, ...recentSeeds().filter((one) => one !== seed)].slice(0, MAX_RECENT);
  try {
    localStorage.setItem(KEY, JSON.stringify(list));
  } catch {
    // Without storage, recent seeds are not remembered.
  }
}

/**
 * @param {(seed: string, tag: string) => void} change
 * @param {(seed: string) => Promise<string | null>} [findSeed] Maps a random seed to the seed to
 *   use, or to null if none is suitable.
 */
export function seedBox(change, findSeed = async (seed) => seed) {
  const input = h("input", {
    id: "seed",
    type: "text",
    spellcheck: "false",
    autocomplete: "off",
    maxlength: 256,
  });
  const list = h("select", {
    id: "seed-history",
    "aria-label": "Recent seeds",
    title: "Recent seeds",
  });
  input.addEventListener("input", () => change(input.value, "seed"));
  input.addEventListener("change", () => remember(input.value));
  list.addEventListener("change", () => {
    if (list.value) change(list.value.slice(1), "");
  });
  const fill = () => {
    list.replaceChildren(
      h("option", { value: "" }, "…"),
      ...recentSeeds().map((seed) => h("option", { value: `s${seed}` }, seed)),
    );
    list.value = "";
  };
  list.addEventListener("pointerdown", fill);
  list.addEventListener("focus", fill);
  const dice = iconButton("dice", "Random seed (R)", () => void rollSeed(), { id: "dice" });
  const rollSeed = async () => {
    remember(input.value);
    const seed = await findSeed(randomSeed());
    if (seed === null) return;
    remember(seed);
    change(seed, "");
  };
  fill();
  const element = h(
    "div",
    { class: "seed" },
    h("label", { for: "seed" }, "Seed"),
    input,
    dice,
    list,
  );
  return {
    element,
    rollSeed,
    /** @param {string} seed */
    set(seed) {
      if (input.value !== seed) input.value = seed;
    },
  };
}
