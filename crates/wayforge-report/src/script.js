// Cells of a heat map: a click, Enter or the space bar shows their maps, arrow keys go to the nearest cell.
"use strict";
for (const range of document.querySelectorAll(".range")) {
  const cells = [...range.querySelectorAll(".cell")];
  const panel = range.querySelector(".maps");
  const at = (cell) => cell.dataset.at.split(",").map(Number);
  const make = (tag, text) => {
    const element = document.createElement(tag);
    element.textContent = text;
    return element;
  };
  const show = (cell) => {
    for (const other of cells) other.setAttribute("aria-pressed", String(other === cell));
    const label = cell.getAttribute("aria-label");
    const split = label.lastIndexOf(": ");
    const list = document.createElement("ul");
    const more = [];
    for (const sample of cell.dataset.s.split(" ").filter(Boolean)) {
      const [seed, id] = sample.split(":");
      const symbol = id && document.getElementById(id);
      if (!symbol) {
        more.push(seed);
        continue;
      }
      const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
      svg.setAttribute("viewBox", symbol.getAttribute("viewBox"));
      svg.setAttribute("role", "img");
      svg.setAttribute("aria-label", `Map of seed ${seed}`);
      const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
      use.setAttribute("href", `#${id}`);
      svg.append(use);
      const item = document.createElement("li");
      item.append(svg, "seed ", make("code", seed));
      list.append(item);
    }
    const rest = make("p", more.length > 0 ? `${list.children.length > 0 ? "Also seeds" : "Seeds"} ` : "");
    more.forEach((seed, at) => rest.append(at > 0 ? ", " : "", make("code", seed)));
    panel.replaceChildren(make("h4", label.slice(0, split)), make("p", label.slice(split + 2)), list, rest);
  };
  const go = (from, dx, dy) => {
    const [x, y] = at(from);
    let best = null;
    let nearest = Infinity;
    for (const cell of cells) {
      const [cx, cy] = at(cell);
      const ahead = (cx - x) * dx + (cy - y) * dy;
      const aside = Math.abs((cx - x) * dy) + Math.abs((cy - y) * dx);
      if (ahead > 0 && ahead + 3 * aside < nearest) [best, nearest] = [cell, ahead + 3 * aside];
    }
    if (!best) return;
    from.setAttribute("tabindex", "-1");
    best.setAttribute("tabindex", "0");
    best.focus();
  };
  const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
  range.addEventListener("click", (event) => {
    const cell = event.target.closest(".cell");
    if (cell) show(cell);
  });
  range.addEventListener("keydown", (event) => {
    const cell = event.target.closest(".cell");
    if (!cell) return;
    if (event.key === "Enter" || event.key === " ") show(cell);
    else if (ways[event.key]) go(cell, ...ways[event.key]);
    else return;
    event.preventDefault();
  });
  const first = cells.find((cell) => cell.getAttribute("tabindex") === "0");
  if (first) show(first);
}
