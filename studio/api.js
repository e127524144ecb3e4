// Asking the service, or the package beside the page where there is none.

/** A page that was exported says so. */
const here = document.documentElement.dataset.maps === "here" ? await import("./here.js") : null;

/** A refusal, with the problem that the service told. */
export class Refused extends Error {
  /** @param {import("./types.js").Problem} problem */
  constructor(problem) {
    super(problem.detail);
    this.problem = problem;
  }
}

/**
 * Posts JSON.
 * @param {string} path
 * @param {any} body
 * @param {AbortSignal} [signal]
 * @returns {Promise<Response>}
 */
export async function post(path, body, signal) {
  let response;
  try {
    const [headers, text] = [{ "Content-Type": "application/json" }, JSON.stringify(body)];
    response = await (here ? here.carry(path, text, signal) : fetch(path, { method: "POST", headers, body: text, signal }));
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    const detail = here ? `The maps of this page cannot be made: ${error}` : "The service does not answer. Is `wayforge studio` still running?";
    throw new Refused({ type: "", title: "No answer", status: 0, detail });
  }
  if (response.ok) return response;
  const problem = await response.json().catch(() => ({ detail: response.statusText, status: response.status, title: "", type: "" }));
  throw new Refused(problem);
}

/**
 * Posts JSON and reads JSON.
 * @param {string} path
 * @param {any} body
 * @param {AbortSignal} [signal]
 */
export async function ask(path, body, signal) {
  return (await post(path, body, signal)).json();
}

/**
 * A seed as the service takes it: text, so that no digit is lost.
 * @param {import("./types.js").Choice} choice
 */
export function wanted(choice) {
  return { seed: choice.seed, config: choice.config };
}

/** @param {string} text Base64. */
export function bytesOf(text) {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

/** @param {Uint8Array} bytes */
export function base64Of(bytes) {
  let binary = "";
  for (let i = 0; i < bytes.length; i += 0x8000) binary += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  return btoa(binary);
}
