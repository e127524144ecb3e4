import init from "./pkg/wayforge.js";

await init({ module_or_path: new URL("./pkg/wayforge_bg.wasm", import.meta.url) });

export * from "./api.js";
