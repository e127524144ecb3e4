// Heat map cells: a click, Enter or Space shows sample maps; arrow keys move to the nearest cell.
"use strict";
for (const range of document.querySelectorAll(".range")) {
  const cells = [...range.querySelectorAll(".cell")];
  const charts = [...range.querySelectorAll(".charts svg")];
  const panel = range.querySelector(".maps");
  const position = (cell) => cell.dataset.at.split(",").map(Number);
  const createElement = (tag, text) => {
    const element = document.createElement(tag);
    element.textContent = text;
    return element;
  };
  // Sample maps of one configuration in a cell: thumbnails, then the seeds without a thumbnail.
  const maps = (cell) => {
    const list = document.createElement("ul");
    const otherSeeds = [];
    for (const sample of cell.dataset.s.split(" ").filter(Boolean)) {
      const [seed, id] = sample.split(":");
      const symbol = id && document.getElementById(id);
      if (!symbol) {
        otherSeeds.push(seed);
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
      item.append(svg, "seed ", createElement("code", seed));
      list.append(item);
    }
    const rest = createElement(
      "p",
      otherSeeds.length > 0 ? `${list.children.length > 0 ? "Also seeds" : "Seeds"} ` : "",
    );
    otherSeeds.forEach((seed, at) => rest.append(at > 0 ? ", " : "", createElement("code", seed)));
    return [list, rest];
  };
  // Selects the same cell in all charts of a pair of metrics.
  const show = (selected) => {
    const same = cells.filter((cell) => cell.dataset.at === selected.dataset.at);
    for (const cell of cells) cell.setAttribute("aria-pressed", String(same.includes(cell)));
    const describe = (cell) => {
      const label = cell.getAttribute("aria-label");
      const split = label.lastIndexOf(": ");
      return [label.slice(0, split), label.slice(split + 2)];
    };
    const titles = charts.map((chart) => chart.parentElement.querySelector(".chart b"));
    if (!titles[0]) {
      panel.replaceChildren(
        createElement("h4", describe(selected)[0]),
        createElement("p", describe(selected)[1]),
        ...maps(selected),
      );
      return;
    }
    const both = createElement("div", "");
    both.className = "both";
    charts.slice(0, 2).forEach((chart, at) => {
      const cell = same.find((cell) => chart.contains(cell));
      const side = createElement("div", "");
      const name = createElement("h5", "");
      name.append(...[...titles[at].childNodes].map((node) => node.cloneNode(true)));
      side.append(
        name,
        createElement("p", cell ? describe(cell)[1] : "no maps"),
        ...(cell ? maps(cell) : []),
      );
      both.append(side);
    });
    panel.replaceChildren(createElement("h4", describe(selected)[0]), both);
  };
  const moveFocus = (from, dx, dy) => {
    const [x, y] = position(from);
    let best = null;
    let nearest = Infinity;
    for (const cell of cells.filter((cell) => cell.parentElement === from.parentElement)) {
      const [cx, cy] = position(cell);
      const ahead = (cx - x) * dx + (cy - y) * dy;
      const aside = Math.abs((cx - x) * dy) + Math.abs((cy - y) * dx);
      if (ahead > 0 && ahead + 3 * aside < nearest) [best, nearest] = [cell, ahead + 3 * aside];
    }
    if (!best) return;
    from.setAttribute("tabindex", "-1");
    best.setAttribute("tabindex", "0");
    best.focus();
  };
  const directions = {
    ArrowLeft: [-1, 0],
    ArrowRight: [1, 0],
    ArrowUp: [0, 1],
    ArrowDown: [0, -1],
  };
  range.addEventListener("click", (event) => {
    const cell = event.target.closest(".cell");
    if (cell) show(cell);
  });
  range.addEventListener("keydown", (event) => {
    const cell = event.target.closest(".cell");
    if (!cell) return;
    if (event.key === "Enter" || event.key === " ") show(cell);
    else if (directions[event.key]) moveFocus(cell, ...directions[event.key]);
    else return;
    event.preventDefault();
  });
  const first = cells.find((cell) => cell.getAttribute("tabindex") === "0");
  if (first) show(first);
}
