// Requests to the service, or to the WebAssembly package of an exported studio.

/** Client of an exported page, which sets `data-service="wasm"`. */
const wasmClient =
  document.documentElement.dataset.service === "wasm" ? await import("./wasm-client.js") : null;

/** Error response of the service: an RFC 9457 problem document. */
export class ServiceError extends Error {
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
    response = await (wasmClient
      ? wasmClient.post(path, text, signal)
      : fetch(path, { method: "POST", headers, body: text, signal }));
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    const detail = wasmClient
      ? `Cannot load the WebAssembly package: ${error}`
      : "The service does not respond. Is `wayforge studio` still running?";
    throw new ServiceError({ type: "", title: "No response", status: 0, detail });
  }
  if (response.ok) return response;
  const problem = await response
    .json()
    .catch(() => ({ detail: response.statusText, status: response.status, title: "", type: "" }));
  throw new ServiceError(problem);
}

/**
 * Posts JSON and reads JSON.
 * @param {string} path
 * @param {any} body
 * @param {AbortSignal} [signal]
 */
export async function postJson(path, body, signal) {
  return (await post(path, body, signal)).json();
}

/**
 * Request body for a map. The seed is text, because large numbers would lose digits.
 * @param {import("./types.js").MapSettings} settings
 */
export function requestBody(settings) {
  return { seed: settings.seed, config: settings.config };
}

/** @param {string} text Base64. */
export function decodeBase64(text) {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

/** @param {Uint8Array} bytes */
export function encodeBase64(bytes) {
  let binary = "";
  for (let i = 0; i < bytes.length; i += 0x8000)
    binary += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  return btoa(binary);
}
