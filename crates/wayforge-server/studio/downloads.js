// Download buttons for every file format of a family.

import { post } from "./api.js";
import { h } from "./dom.js";

/** @typedef {{ suffix: string, name: string, description: string }} Format */

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
 * Creates a download button.
 * @param {Format} format Its suffix is stored in `data-format`.
 * @param {() => void | Promise<void>} write
 * @param {(error: unknown) => void} fail
 */
export function saveButton(format, write, fail) {
  const button = h(
    "button",
    { type: "button", "data-format": format.suffix, title: format.description },
    format.name,
  );
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
 * Creates a download button for every format that the service writes.
 * @param {Format[]} formats
 * @param {() => { path: string, query: string, body: any, name: string }} request Path without a
 *   suffix, query, body, and name of the file.
 * @param {(error: unknown) => void} fail
 * @returns {HTMLButtonElement[]}
 */
export function saveButtons(formats, request, fail) {
  return formats.map((format) =>
    saveButton(
      format,
      async () => {
        const { path, query, body, name } = request();
        const response = await post(`${path}.${format.suffix}?${query}`, body);
        save(await response.blob(), `${name}.${format.suffix}`);
      },
      fail,
    ),
  );
}

/** @param {...HTMLButtonElement} buttons */
export function downloadGroup(...buttons) {
  return h("div", { class: "downloads", role: "group", "aria-label": "Save as" }, ...buttons);
}

/** Converts a seed to part of a file name. @param {string} seed */
export function seedFileName(seed) {
  return seed.replace(/[^\w.-]+/g, "-").slice(0, 40) || "seed";
}
