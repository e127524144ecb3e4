// Answers what the page asks, one request after another, off the page's own thread.

/** @type {Map<number, { path: string, query: string, body: string }>} */
const queue = new Map();
let busy = false;

const ready = (async () => {
  const { default: load, RawAnswers } = await import(new URL("wayforge/wayforge.js", import.meta.url).href);
  await load({ module_or_path: new URL("wayforge/wayforge_bg.wasm", import.meta.url) });
  return new RawAnswers();
})();

self.onmessage = ({ data: { id, path, query, body } }) => {
  if (path === undefined) return queue.delete(id);
  queue.set(id, { path, query, body });
  if (!busy) work();
};

async function work() {
  busy = true;
  for (let next = queue.entries().next(); !next.done; next = queue.entries().next()) {
    const [id, { path, query, body }] = next.value;
    queue.delete(id);
    try {
      const answer = (await ready).answer(path, query, body);
      const told = { id, status: answer.status(), type: answer.content_type(), body: answer.take_body() };
      answer.free();
      self.postMessage(told, { transfer: [told.body.buffer] });
    } catch (error) {
      self.postMessage({ id, failed: String(error) });
    }
    // Words that somebody left arrive between two answers.
    await new Promise((done) => setTimeout(done));
  }
  busy = false;
}
