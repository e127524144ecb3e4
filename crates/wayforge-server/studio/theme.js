// Light and dark theme: the system's setting, unless the user chooses.

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
    if (chosen === "night" || chosen === "parchment")
      document.documentElement.dataset.theme = chosen;
  } catch {
    // Without storage, the system's setting applies.
  }
  dark.addEventListener("change", changed);
}

export function switchTheme() {
  const next = theme() === "night" ? "parchment" : "night";
  document.documentElement.dataset.theme = next;
  try {
    localStorage.setItem(KEY, next);
  } catch {
    // Without storage, the choice lasts until the page is closed.
  }
}
