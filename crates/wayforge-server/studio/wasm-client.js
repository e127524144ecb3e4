// Client of the worker that runs the service's handlers as WebAssembly.

/**
 * @typedef {{ resolve: (response: Response) => void, reject: (error: unknown) => void }} Pending
 */

/** @type {Map<number, Pending>} */
const pending = new Map();
let lastId = 0;

const worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });

worker.onmessage = ({ data }) => {
  const { id, status, type, body, failed } = data;
  const request = pending.get(id);
  pending.delete(id);
  if (failed !== undefined) request?.reject(new Error(failed));
  else request?.resolve(new Response(body, { status, headers: { "Content-Type": type } }));
};

worker.onerror = (event) => {
  for (const request of pending.values()) request.reject(new Error(event.message));
  pending.clear();
};

/**
 * Posts a body to a path of the service, like `fetch`.
 * @param {string} address
 * @param {string} body
 * @param {AbortSignal} [signal]
 * @returns {Promise<Response>}
 */
export function post(address, body, signal) {
  const [path, query = ""] = address.split("?");
  return new Promise((resolve, reject) => {
    const id = ++lastId;
    const abort = () => {
      pending.delete(id);
      // A message without a path removes a queued request; a running one is not interrupted.
      worker.postMessage({ id });
      reject(new DOMException("the request was aborted", "AbortError"));
    };
    if (signal?.aborted) return abort();
    signal?.addEventListener("abort", abort, { once: true });
    pending.set(id, { resolve, reject });
    worker.postMessage({ id, path, query, body });
  });
}
