// Light and dark: what the system says, unless a person says otherwise.

const KEY = "wayforge.theme";
const dark = matchMedia("(prefers-color-scheme: dark)");

/** @returns {"parchment" | "night"} */
export function theme() {
  const chosen = document.documentElement.dataset.theme;
  if (chosen === "night" || chosen === "parchment") return chosen;
  return dark.matches ? "night" : "parchment";
}

/** @param {() => void} changed */
export function startTheme(changed) {
  try {
    const chosen = localStorage.getItem(KEY);
    if (chosen === "night" || chosen === "parchment") document.documentElement.dataset.theme = chosen;
  } catch {
    // Nothing is kept: the system decides.
  }
  dark.addEventListener("change", changed);
}

export function switchTheme() {
  const next = theme() === "night" ? "parchment" : "night";
  document.documentElement.dataset.theme = next;
  try {
    localStorage.setItem(KEY, next);
  } catch {
    // It holds for this page.
  }
}
