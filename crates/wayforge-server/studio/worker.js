// Worker of the exported studio: handles requests one at a time, off the main thread.

/** @type {Map<number, { path: string, query: string, body: string }>} */
const queue = new Map();
let busy = false;

const ready = (async () => {
  const { default: load, RawService } = await import(
    new URL("wayforge/wayforge.js", import.meta.url).href
  );
  await load({ module_or_path: new URL("wayforge/wayforge_bg.wasm", import.meta.url) });
  return new RawService();
})();

self.onmessage = ({ data: { id, path, query, body } }) => {
  if (path === undefined) return queue.delete(id);
  queue.set(id, { path, query, body });
  if (!busy) processQueue();
};

async function processQueue() {
  busy = true;
  for (let next = queue.entries().next(); !next.done; next = queue.entries().next()) {
    const [id, { path, query, body }] = next.value;
    queue.delete(id);
    try {
      const response = (await ready).dispatch(path, query, body);
      const message = {
        id,
        status: response.status(),
        type: response.content_type(),
        body: response.take_body(),
      };
      response.free();
      self.postMessage(message, { transfer: [message.body.buffer] });
    } catch (error) {
      self.postMessage({ id, failed: String(error) });
    }
    // Yields, so that aborts of queued requests are processed.
    await new Promise((done) => setTimeout(done));
  }
  busy = false;
}
