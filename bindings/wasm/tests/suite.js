// Test cases of the package, run in Node and in a browser.

import { assert, equal, rejected } from "./assert.js";
import { floorCases } from "./floors.js";

/**
 * Returns all cases as pairs of name and function. `catalogue` contains the parsed lines of the
 * digest catalogue by file.
 */
export function cases(wayforge, catalogue) {
  const families = ["act", "level", "floor", "tower"];
  return [
    [
      "maps match every digest of the catalogue",
      () => {
        let entries = 0;
        for (const family of ["act", "level", "floor"]) {
          for (const { algorithm, config, seed, digest } of catalogue[family]) {
            const map = wayforge.generate(
              algorithm === "floor.tower/1" ? "tower" : family,
              seed,
              config,
            );
            equal([map.algorithm, map.digest], [algorithm, digest], `seed ${seed}`);
            map.free();
            entries += 1;
          }
        }
        for (const { config, seed, digest } of catalogue.archipelago) {
          equal(wayforge.NavGrid.archipelagoDigest(seed, config), digest, `seed ${seed}`);
          entries += 1;
        }
        assert(entries > 2000, `${entries} entries`);
      },
    ],
    [
      "maps round-trip through their documents",
      () => {
        for (const family of families) {
          const map = wayforge.generate(family, "first light");
          const text = map.toText();
          const again = wayforge.load(text);
          equal(
            [again.toText(), again.digest, again.family],
            [text, map.digest, family],
            "decoded",
          );
          equal(map.toJSON(), JSON.parse(text), "as JSON");
          const report = wayforge.validate(text, true);
          assert(report.valid && report.rules.includes("reproducible"), JSON.stringify(report));
          assert(
            map.validate().valid && map.toString() === map.ascii() && map.ascii().includes("\n"),
            family,
          );
        }
      },
    ],
    [
      "every function accepts strings, safe integers and bigints as seeds",
      () => {
        equal(
          [wayforge.act(7).digest, wayforge.act(7n).digest],
          [wayforge.act("7").digest, wayforge.act("7").digest],
          "digits mean the number",
        );
        equal(
          [wayforge.act(2n ** 64n - 1n).seed, wayforge.act(2 ** 53 - 1).seed],
          ["18446744073709551615", "9007199254740991"],
          "largest seeds",
        );
        equal(
          [
            wayforge.act("first light").seed,
            wayforge.load(wayforge.act("first light").toText()).seed,
          ],
          ["first light", "first light"],
          "text is stored",
        );
        const size = { width: 60, height: 40 };
        const uses = [
          ["seed", (seed) => wayforge.generate("tower", seed).digest],
          ["seed", (seed) => families.map((family) => wayforge[family](seed).digest)],
          ["seed", (seed) => wayforge.createRng(seed)()],
          ["seed", (seed) => wayforge.generateFloor(seed, {})],
          ["seed", (seed) => [...wayforge.NavGrid.archipelago(seed, size).open()]],
          ["seed", (seed) => wayforge.NavGrid.archipelagoDigest(seed, size)],
          ["start", (start) => String(wayforge.batch("floor", start, 3).seed)],
          ["start", (start) => String(wayforge.find("floor", "path > 3", { start, count: 2 }))],
          [
            "start",
            (start) => String(wayforge.closest("floor", "path=3", { start, limit: 9 }).seeds),
          ],
        ];
        for (const [field, use] of uses) {
          equal(
            [use(42), use(42n), use(-1), use(-1n)],
            [use("42"), use("42"), use("-1"), use("-1")],
            `${use}`,
          );
          for (const wrong of [
            NaN,
            1.5,
            2 ** 53,
            Infinity,
            -(2n ** 63n) - 1n,
            2n ** 64n,
            null,
            undefined,
            true,
            {},
            [],
            Symbol("s"),
          ]) {
            if (wrong === undefined && field === "start" && `${use}`.includes("{ start")) continue;
            const error = rejected(wayforge, () => use(wrong));
            equal([error.kind, error.field], ["input", field], `${use}`);
            assert(
              error.message.startsWith(`${field} = ${error.value}: `) &&
                error.message.includes("9007199254740991"),
              error.message,
            );
          }
          equal(rejected(wayforge, () => use("x".repeat(300))).kind, "input", "too long");
        }
      },
    ],
    [
      "errors name field, value and remedy",
      () => {
        for (const [family, config, field, value] of [
          ["act", { rows: 0 }, "rows", "0"],
          ["level", { width: 1e9 }, "width", "1000000000"],
          ["floor", { minPathLength: 40 }, "minPathLength", "40"],
          ["tower", { floors: 0 }, "floors", "0"],
          ["dungeon", {}, "family", '"dungeon"'],
        ]) {
          const error = rejected(wayforge, () => wayforge.generate(family, "1", config));
          equal(
            [error.kind, error.field, error.value],
            [field === "family" ? "input" : "config", field, value],
            family,
          );
          assert(error.message.includes(error.remedy), error.message);
        }
        const noMap = rejected(wayforge, () =>
          wayforge.floor("7", { width: 64, height: 64, minPathLength: 2650, attempts: 1 }),
        );
        equal(
          [noMap.kind, noMap.value, noMap.rules],
          ["generate", "7", ["minPathLength"]],
          "no map",
        );
        for (const noise of ["", "{}", "[]", "nonsense", '{"a":'.repeat(5000), "\0".repeat(1000)]) {
          equal(rejected(wayforge, () => wayforge.load(noise)).kind, "decode", noise.slice(0, 10));
          equal(
            rejected(wayforge, () => wayforge.validate(noise)).kind,
            "decode",
            noise.slice(0, 10),
          );
        }
        const text = wayforge.floor("1").toText();
        for (let end = 0; end < text.length; end += 61)
          rejected(wayforge, () => wayforge.load(text.slice(0, end)));
      },
    ],
    [
      "maps are drawn as SVG in both themes",
      () => {
        for (const family of families) {
          const map = wayforge.generate(family, "5");
          assert(
            map.svg().startsWith("<svg ") && map.svg({ theme: "night" }) !== map.svg(),
            family,
          );
          assert(
            rejected(wayforge, () => map.svg({ theme: "neon" })).remedy.includes("night"),
            family,
          );
          if (family === "act") {
            const { col, row } = map.map.nodes[0];
            assert(map.svg({ labels: true }).includes(`>${col},${row}</text>`), "labels");
          } else {
            equal(rejected(wayforge, () => map.svg({ labels: true })).field, "labels", family);
          }
        }
      },
    ],
    [
      "routes and metrics agree",
      () => {
        const map = wayforge.act("11");
        const [routes, metrics] = [map.routes(), map.metrics()];
        equal(Number(routes.routes), metrics.routes, "routes");
        const elite = routes.kinds.find((kind) => kind.kind === "elite");
        equal([metrics["min(elite)"], metrics["max(elite)"]], [elite.min, elite.max], "elites");
        const first = map.map.nodes[0];
        assert(Number(map.routes([first.col, first.row]).routes) <= metrics.routes, "from a node");
        rejected(wayforge, () => map.routes([999, 0]));
        rejected(wayforge, () => wayforge.level("1").routes());
        equal(
          wayforge.metrics("act").map((metric) => metric.name),
          Object.keys(metrics),
          "names",
        );
      },
    ],
    [
      "levels have the member names of the level specification",
      () => {
        const level = wayforge.level("1", { fall_spawn_floor_ratio: 0.05, min_separation: 12 });
        equal(level.config.fall_spawn_floor_ratio, 0.05, "a number");
        const { rows, car_walkable_cells, car_spawn_cells, fall_spawn_cells, witness } = level.map;
        rows.forEach((row, y) =>
          [...row].forEach((symbol, x) => {
            equal(
              car_spawn_cells[y][x] === "#",
              car_walkable_cells[y][x] === "#" && symbol === ".",
              `${x},${y}`,
            );
          }),
        );
        assert(fall_spawn_cells.join("").includes("#"), "fall spawn cells");
        const broken = witness.flatMap((route) => route.breaks);
        assert(
          broken.length > 0 && broken.every(([x, y]) => rows[y][x] === "1"),
          "routes break walls",
        );
        assert(
          wayforge
            .level("1", { walls: "maze" })
            .map.witness.every((route) => route.breaks.length === 0),
          "routes break no wall of a maze",
        );
      },
    ],
    [
      "a run is played, undone, saved and resumed",
      () => {
        const start = wayforge.act("9").play({ fog: 3 });
        let play = start;
        for (let steps = 0; !play.finished; steps += 1) {
          assert(steps < 100, "the run ends");
          const next = play.advance(play.moves.at(-1));
          equal(next.undo().progress, play.progress, "undo");
          play = next;
        }
        equal(start.resume(play.progress).progress, play.progress, "saved");
        equal([start.undo(), play.restart().progress], [null, start.progress], "at the start");
        equal(rejected(wayforge, () => start.advance("99,99")).kind, "move", "illegal");
        rejected(wayforge, () => start.advance("sideways"));
        rejected(wayforge, () => wayforge.act("10").play().resume(play.progress));
        rejected(wayforge, () => wayforge.level("1").play());
      },
    ],
    [
      "batch, find and closest agree",
      () => {
        const table = wayforge.batch("act", 100n, 6000, { columns: ["routes", "min(elite)"] });
        equal(
          [table.seed[0], table.seed.length, Object.keys(table.columns)].map(String),
          ["100", "6000", "routes,min(elite)"],
          "shape",
        );
        const metrics = wayforge.act("117").metrics();
        equal(table.columns.routes[17], metrics.routes, "a row");
        const matching = [...table.seed].filter(
          (_, row) => table.columns.routes[row] > 500 && table.columns["min(elite)"][row] === 0,
        );
        assert(matching.length > 5, "enough matches");
        const found = wayforge.find("act", "routes > 500 and min(elite) = 0", {
          count: 5,
          start: 100n,
        });
        equal([...found].map(String), matching.slice(0, 5).map(String), "the first five");
        equal(
          rejected(wayforge, () => wayforge.find("act", "ruotes > 3")).value,
          "column 1",
          "where",
        );
        rejected(wayforge, () => wayforge.batch("floor", "0", 1, { columns: ["pth"] }));
        // All seeds with their distance by definition; the sort is stable, so ties stay ordered by
        // seed.
        const distance = (index) =>
          Math.ceil((Math.abs(table.columns.routes[index] - 300) * 1e6) / 300) +
          table.columns["min(elite)"][index] * 1e6;
        const expected = (keep) =>
          [...table.seed.keys()]
            .filter(keep)
            .map((index) => `${table.seed[index]} ${distance(index)}`)
            .sort((a, b) => a.split(" ")[1] - b.split(" ")[1])
            .slice(0, 20);
        for (const [where, keep] of [
          [undefined, () => true],
          ["routes < 295", (index) => table.columns.routes[index] < 295],
        ]) {
          const found = wayforge.closest("act", "routes=300, min(elite)=0", {
            count: 20,
            where,
            start: 100n,
            limit: 6000,
          });
          equal(
            [...found.seeds].map((seed, index) => `${seed} ${found.distances[index]}`),
            expected(keep),
            "the closest twenty",
          );
        }
        equal(
          wayforge.closest("act", "routes=300", { where: "routes < 0", limit: 100 }).seeds.length,
          0,
          "none",
        );
        equal(
          rejected(wayforge, () => wayforge.closest("act", "ruotes = 3")).field,
          "targets",
          "targets",
        );
        equal(
          rejected(wayforge, () => wayforge.closest("act", "routes = 3", { where: "ruotes > 3" }))
            .field,
          "where",
          "where",
        );
        equal(
          rejected(wayforge, () => wayforge.closest("act", "routes = 3", { count: -1 })).field,
          "count",
          "count",
        );
        rejected(wayforge, () => wayforge.batch("floor", "0", 1.5));
      },
    ],
    [
      "paths are shortest, and grids can be edited",
      () => {
        const open = Array.from({ length: 40 * 30 }, (_, i) => ((i * 7919) % 100 < 25 ? 0 : 1));
        open[0] = open[40 * 30 - 1] = 1;
        const grid = new wayforge.NavGrid(40, 30, open);
        equal([grid.width, grid.height, [...grid.open()]], [40, 30, open], "size and tiles");
        for (const preprocessing of ["none", "coarse", "full"]) {
          const navigator = new wayforge.Navigator(grid, { preprocessing });
          const field = navigator.distanceField([0, 0]);
          const path = navigator.find(
            [0, 0],
            [
              [39, 29],
              [39, 28],
            ].filter(([x, y]) => open[y * 40 + x]),
          );
          const steps = field[40 * 30 - 1];
          assert(
            path === null
              ? steps === 4294967295
              : path.steps <= steps && path.guarantee === "exact",
            preprocessing,
          );
          if (path !== null) {
            equal([...path.tiles.slice(0, 2)], [0, 0], "first tile");
            equal(path.tiles.length, (path.steps + 1) * 2, "number of tiles");
            const [x, y] = [path.tiles[2], path.tiles[3]];
            equal(
              [
                navigator.edit([x, y], false),
                navigator.grid.open()[y * 40 + x],
                navigator.edit([[x, y]], true),
              ],
              [1, 0, 1],
              "edits",
            );
          }
        }
        const navigator = new wayforge.Navigator(wayforge.NavGrid.fromText("..#\n..."));
        equal(
          rejected(wayforge, () => navigator.find([2, 0], [0, 0])).field,
          "sources[0]",
          "blocked source",
        );
        equal(rejected(wayforge, () => navigator.find([], [0, 0])).field, "sources", "no source");
        rejected(wayforge, () => navigator.find([0.5, 0], [0, 0]));
        rejected(wayforge, () => navigator.find([0, 0], [1, 1], { method: "magic" }));
        rejected(wayforge, () => new wayforge.NavGrid(3, 3, [1]));
        const walled = new wayforge.NavGrid(
          90,
          60,
          Array.from({ length: 90 * 60 }, (_, i) => Number(i % 90 !== 45 || i < 5 * 90)),
        );
        const corridor = (options) =>
          new wayforge.Navigator(walled, options).find([40, 50], [50, 50], {
            method: "mask-optimal",
          });
        assert(corridor({}).expansions > 0 && corridor({ radius: 30 }).expansions === 0, "radius");
        equal(corridor({ coarseRule: "components" }).expansions, 0, "coarse rule");
        equal(
          [corridor({ maxExpansions: 0 }).expansions, corridor({ maxExpansions: 0 }).fallback],
          [0, true],
          "guardrail",
        );
        equal(
          corridor({ factor: 1, maxExpansions: 1000 }).guarantee,
          "shortest in region",
          "factor",
        );
        for (const [options, field, remedy] of [
          [{ factor: 0 }, "factor", "use 1 to 1024"],
          [{ radius: 0.5 }, "radius", "use 0 to 1024"],
          [{ maxExpansions: 1025 }, "maxExpansions", "use 0 to 1024"],
          [{ coarseRule: "cells" }, "coarseRule", "use any-tile, components"],
        ]) {
          const error = rejected(wayforge, () => new wayforge.Navigator(walled, options));
          equal([error.field, error.remedy], [field, remedy], field);
          assert(error.message.startsWith(`${field} = `), error.message);
        }
        assert(
          wayforge.NavGrid.archipelago("first light", { width: 200, height: 100 }).tiles > 1000,
          "an archipelago",
        );
      },
    ],
    [
      "the floor specification's functions",
      () => {
        const rng = wayforge.createRng(1n);
        equal([rng(), rng()], [0.6270739405881613, 0.002735721180215478], "mulberry32");
        const config = {
          width: 7,
          height: 6,
          wallDensity: 0.4,
          enemyBudget: 3,
          chestBudget: 1,
          minPathLength: 6,
          entrance: { x: 0, y: 0 },
        };
        const floor = wayforge.generateFloor("first light", config);
        equal(floor, wayforge.generateFloor("first light", config), "deterministic");
        equal(
          [floor.tiles.length, floor.entrance, floor.width],
          [42, { x: 0, y: 0 }, 7],
          "size and entrance",
        );
        const result = wayforge.validateFloor(floor);
        assert(
          result.valid && result.shortestPath >= 6 && result.reachable === result.walkable,
          JSON.stringify(result),
        );
        const text = wayforge.serializeFloor(floor);
        equal(wayforge.deserializeFloor(text), floor, "round trip");
        assert(wayforge.validateFloor(structuredClone(floor)).valid, "a copy");
        const broken = structuredClone(floor);
        broken.entities.pop();
        assert(!wayforge.validateFloor(broken, config).valid, "missing entity");
        equal(
          wayforge.posFromIndex(wayforge.indexFromPos({ x: 3, y: 2 }, 7), 7),
          { x: 3, y: 2 },
          "cells",
        );
        rejected(wayforge, () => wayforge.deserializeFloor(text.slice(0, -9)));
      },
    ],
    ...floorCases(wayforge),
  ];
}
