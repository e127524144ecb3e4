// Files out: every form of a map, one table.

import { post, wanted } from "./api.js";
import { h } from "./dom.js";
import { FORMS } from "./families.js";

/** @param {Blob} blob @param {string} name */
export function save(blob, name) {
  const address = URL.createObjectURL(blob);
  const link = h("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/**
 * Buttons for every form.
 * @param {() => { family: import("./types.js").Family, choice: import("./types.js").Choice, theme: string, witness: string }} now
 * @param {(error: unknown) => void} fail
 */
export function saveButtons(now, fail) {
  const buttons = FORMS.map((form) => {
    const button = h("button", { type: "button", "data-form": form.suffix, title: form.about }, form.name);
    button.addEventListener("click", async () => {
      const { family, choice, theme, witness } = now();
      const look = form.suffix === "svg" || form.suffix === "png" ? `?theme=${theme}${family === "level" ? `&witness=${witness}` : ""}` : "";
      try {
        const response = await post(`/v1/${family}.${form.suffix}${look}`, wanted(choice));
        const seed = choice.seed.replace(/[^\w.-]+/g, "-").slice(0, 40) || "seed";
        save(await response.blob(), `${family}-${seed}.${form.suffix}`);
      } catch (error) {
        fail(error);
      }
    });
    return button;
  });
  return h("div", { class: "saving", role: "group", "aria-label": "Save as" }, ...buttons);
}
