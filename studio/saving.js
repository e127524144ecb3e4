// Files out: every form that the service knows for the family.

import { post } from "./api.js";
import { h } from "./dom.js";

/** @typedef {{ suffix: string, name: string, about: string }} Form */

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
 * A button that saves something.
 * @param {Form} form Its suffix stands in `data-form`.
 * @param {() => void | Promise<void>} write
 * @param {(error: unknown) => void} fail
 */
export function saveButton(form, write, fail) {
  const button = h("button", { type: "button", "data-form": form.suffix, title: form.about }, form.name);
  button.addEventListener("click", async () => {
    button.setAttribute("aria-busy", "true");
    try {
      await write();
    } catch (error) {
      fail(error);
    }
    button.removeAttribute("aria-busy");
  });
  return button;
}

/**
 * Buttons for every form, written by the service.
 * @param {Form[]} forms
 * @param {() => { path: string, look: string, body: any, name: string }} now What is asked for: the path without a suffix, and the file's name.
 * @param {(error: unknown) => void} fail
 * @returns {HTMLButtonElement[]}
 */
export function saveButtons(forms, now, fail) {
  return forms.map((form) =>
    saveButton(
      form,
      async () => {
        const { path, look, body, name } = now();
        const response = await post(`${path}.${form.suffix}?${look}`, body);
        save(await response.blob(), `${name}.${form.suffix}`);
      },
      fail,
    ),
  );
}

/** @param {...HTMLButtonElement} buttons */
export function saving(...buttons) {
  return h("div", { class: "saving", role: "group", "aria-label": "Save as" }, ...buttons);
}

/** A seed as a part of a file's name. @param {string} seed */
export function fileName(seed) {
  return seed.replace(/[^\w.-]+/g, "-").slice(0, 40) || "seed";
}
