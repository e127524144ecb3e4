// Answers without a service: a worker asks the WebAssembly that stands beside the page.

/** @typedef {{ done: (response: Response) => void, fail: (error: unknown) => void }} Waiting */

/** @type {Map<number, Waiting>} */
const waiting = new Map();
let last = 0;

const worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });

worker.onmessage = ({ data }) => {
  const { id, status, type, body, failed } = data;
  const asked = waiting.get(id);
  waiting.delete(id);
  if (failed !== undefined) asked?.fail(new Error(failed));
  else asked?.done(new Response(body, { status, headers: { "Content-Type": type } }));
};

worker.onerror = (event) => {
  for (const asked of waiting.values()) asked.fail(new Error(event.message));
  waiting.clear();
};

/**
 * Posts a body to an address of the service, as `fetch` would.
 * @param {string} address
 * @param {string} body
 * @param {AbortSignal} [signal]
 * @returns {Promise<Response>}
 */
export function carry(address, body, signal) {
  const [path, query = ""] = address.split("?");
  return new Promise((done, fail) => {
    const id = ++last;
    const leave = () => {
      waiting.delete(id);
      // What has begun is not interrupted; what waits is forgotten.
      worker.postMessage({ id });
      fail(new DOMException("nobody waits for this any more", "AbortError"));
    };
    if (signal?.aborted) return leave();
    signal?.addEventListener("abort", leave, { once: true });
    waiting.set(id, { done, fail });
    worker.postMessage({ id, path, query, body });
  });
}
