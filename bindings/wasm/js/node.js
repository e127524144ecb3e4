import { readFileSync } from "node:fs";
import { initSync } from "./pkg/wayforge.js";

initSync({ module: readFileSync(new URL("./pkg/wayforge_bg.wasm", import.meta.url)) });

export * from "./api.js";
