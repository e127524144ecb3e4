// What the package promises, wherever it runs: the same cases in Node and in a browser.

function assert(holds, why) {
    if (!holds) throw new Error(why);
}

function equal(a, b, why) {
    const [left, right] = [JSON.stringify(a), JSON.stringify(b)];
    assert(left === right, `${why}: ${left?.slice(0, 300)} is not ${right?.slice(0, 300)}`);
}

/** What `call` throws, which must be an error of Wayforge's. */
function refused(wayforge, call) {
    try {
        call();
    } catch (error) {
        assert(error instanceof wayforge.WayforgeError, `not ours: ${error}`);
        assert(error.message.length > 0 && Array.isArray(error.rules), "an error with everything");
        return error;
    }
    throw new Error("was not refused");
}

/** Every case: a name and what to do. `catalogue` holds the lines of each file of the catalogue. */
export function cases(wayforge, catalogue) {
    const families = ["act", "level", "floor", "tower"];
    return [
        ["every digest of the catalogue", () => {
            let entries = 0;
            for (const family of ["act", "level", "floor"]) {
                for (const { algorithm, config, seed, digest } of catalogue[family]) {
                    const map = wayforge.generate(algorithm === "floor.tower/1" ? "tower" : family, seed, config);
                    equal([map.algorithm, map.digest], [algorithm, digest], `seed ${seed}`);
                    map.free();
                    entries += 1;
                }
            }
            for (const { config, seed, digest } of catalogue.water) {
                equal(wayforge.Water.archipelagoDigest(seed, config), digest, `seed ${seed}`);
                entries += 1;
            }
            assert(entries > 2000, `${entries} entries`);
        }],
        ["a map through its document", () => {
            for (const family of families) {
                const map = wayforge.generate(family, "first light");
                const text = map.toText();
                const again = wayforge.load(text);
                equal([again.toText(), again.digest, again.family], [text, map.digest, family], "read again");
                equal(map.toJSON(), JSON.parse(text), "as JSON");
                const report = wayforge.validate(text, true);
                assert(report.valid && report.rules.includes("reproducible"), JSON.stringify(report));
                assert(map.validate().valid && map.toString() === map.ascii() && map.ascii().includes("\n"), family);
            }
        }],
        ["seeds are strings or bigints", () => {
            equal(wayforge.act(7n).digest, wayforge.act("7").digest, "digits are the number");
            equal(wayforge.act(2n ** 64n - 1n).seed, "18446744073709551615", "the largest");
            for (const wrong of [-1n, 2n ** 64n, 7, null, undefined]) {
                equal(refused(wayforge, () => wayforge.act(wrong)).field, "seed", String(wrong));
            }
        }],
        ["errors name field, value and remedy", () => {
            for (const [family, config, field, value] of [
                ["act", { rows: 0 }, "rows", "0"],
                ["level", { width: 1e9 }, "width", "1000000000"],
                ["floor", { minPathLength: 40 }, "minPathLength", "40"],
                ["tower", { floors: 0 }, "floors", "0"],
                ["dungeon", {}, "family", '"dungeon"'],
            ]) {
                const error = refused(wayforge, () => wayforge.generate(family, "1", config));
                equal([error.kind, error.field, error.value], ["config", field, value], family);
                assert(error.message.includes(error.remedy), error.message);
            }
            const seedless = refused(wayforge, () => wayforge.floor("7", { width: 64, height: 64, minPathLength: 2650, attempts: 1 }));
            equal([seedless.kind, seedless.value, seedless.rules], ["generate", "7", ["minPathLength"]], "no map");
            for (const noise of ["", "{}", "[]", "nonsense", '{"a":'.repeat(5000), "\0".repeat(1000)]) {
                equal(refused(wayforge, () => wayforge.load(noise)).kind, "decode", noise.slice(0, 10));
                equal(refused(wayforge, () => wayforge.validate(noise)).kind, "decode", noise.slice(0, 10));
            }
            const text = wayforge.floor("1").toText();
            for (let end = 0; end < text.length; end += 61) refused(wayforge, () => wayforge.load(text.slice(0, end)));
        }],
        ["pictures", () => {
            for (const family of families) {
                const map = wayforge.generate(family, "5");
                assert(map.svg().startsWith("<svg ") && map.svg({ theme: "night" }) !== map.svg(), family);
                assert(refused(wayforge, () => map.svg({ theme: "neon" })).remedy.includes("night"), family);
            }
        }],
        ["routes and metrics", () => {
            const map = wayforge.act("11");
            const [routes, metrics] = [map.routes(), map.metrics()];
            equal(Number(routes.routes), metrics.routes, "routes");
            const elite = routes.kinds.find((kind) => kind.kind === "elite");
            equal([metrics["min(elite)"], metrics["max(elite)"]], [elite.least, elite.most], "elites");
            const first = map.map.nodes[0];
            assert(Number(map.routes([first.row, first.col]).routes) <= metrics.routes, "from a node");
            refused(wayforge, () => map.routes([999, 0]));
            refused(wayforge, () => wayforge.level("1").routes());
            equal(wayforge.metrics("act").map((metric) => metric.name), Object.keys(metrics), "names");
        }],
        ["levels have the names of their document", () => {
            const level = wayforge.level("1", { fall_spawn_floor_ratio: 0.05, min_separation: 12 });
            equal(level.config.fall_spawn_floor_ratio, 0.05, "a number");
            const { rows, car_walkable_cells, car_spawn_cells, fall_spawn_cells, witness } = level.map;
            rows.forEach((row, y) => [...row].forEach((symbol, x) => {
                equal(car_spawn_cells[y][x] === "#", car_walkable_cells[y][x] === "#" && symbol === ".", `${x},${y}`);
            }));
            assert(fall_spawn_cells.join("").includes("#"), "where things fall");
            const broken = witness.flatMap((route) => route.breaks);
            assert(broken.length > 0 && broken.every(([x, y]) => rows[y][x] === "1"), "walls that routes break");
            assert(wayforge.level("1", { walls: "maze" }).map.witness.every((route) => route.breaks.length === 0), "solid");
        }],
        ["a whole run", () => {
            const start = wayforge.act("9").play({ fog: 3 });
            let play = start;
            for (let steps = 0; !play.finished; steps += 1) {
                assert(steps < 100, "it ends");
                const next = play.advance(play.moves.at(-1));
                equal(next.undo().progress, play.progress, "back");
                play = next;
            }
            equal(start.resume(play.progress).progress, play.progress, "saved");
            equal([start.undo(), play.restart().progress], [null, start.progress], "at the start");
            equal(refused(wayforge, () => start.advance("99,99")).kind, "move", "illegal");
            refused(wayforge, () => start.advance("sideways"));
            refused(wayforge, () => wayforge.act("10").play().resume(play.progress));
            refused(wayforge, () => wayforge.level("1").play());
        }],
        ["many maps and the seeds that are wanted", () => {
            const table = wayforge.batch("act", 100n, 6000, { columns: ["routes", "min(elite)"] });
            equal([table.seed[0], table.seed.length, Object.keys(table.columns)].map(String), ["100", "6000", "routes,min(elite)"], "shape");
            const metrics = wayforge.act("117").metrics();
            equal(table.columns.routes[17], metrics.routes, "a row");
            const wanted = [...table.seed].filter((_, at) => table.columns.routes[at] > 500 && table.columns["min(elite)"][at] === 0);
            assert(wanted.length > 5, "some");
            const found = wayforge.find("act", "routes > 500 and min(elite) = 0", { count: 5, start: 100n });
            equal([...found].map(String), wanted.slice(0, 5).map(String), "the first five");
            equal(refused(wayforge, () => wayforge.find("act", "ruotes > 3")).value, "column 1", "where");
            refused(wayforge, () => wayforge.batch("floor", "0", 1, { columns: ["pth"] }));
            // Every seed with its distance by the definition; the sort leaves equals in the order of seeds.
            const far = (at) => Math.ceil(Math.abs(table.columns.routes[at] - 300) * 1e6 / 300) + table.columns["min(elite)"][at] * 1e6;
            const plain = (keep) => [...table.seed.keys()].filter(keep).map((at) => `${table.seed[at]} ${far(at)}`)
                .sort((a, b) => a.split(" ")[1] - b.split(" ")[1]).slice(0, 20);
            for (const [where, keep] of [[undefined, () => true], ["routes < 295", (at) => table.columns.routes[at] < 295]]) {
                const near = wayforge.closest("act", "routes=300, min(elite)=0", { count: 20, where, start: 100n, limit: 6000 });
                equal([...near.seeds.keys()].map((at) => `${near.seeds[at]} ${near.distances[at]}`), plain(keep), "the closest twenty");
            }
            equal(wayforge.closest("act", "routes=300", { where: "routes < 0", limit: 100 }).seeds.length, 0, "none");
            equal(refused(wayforge, () => wayforge.closest("act", "ruotes = 3")).field, "aim", "aim");
            equal(refused(wayforge, () => wayforge.closest("act", "routes = 3", { where: "ruotes > 3" })).field, "where", "where");
            equal(refused(wayforge, () => wayforge.closest("act", "routes = 3", { count: -1 })).field, "count", "count");
            refused(wayforge, () => wayforge.batch("floor", "0", 1.5));
        }],
        ["ways", () => {
            const open = Array.from({ length: 40 * 30 }, (_, at) => ((at * 7919) % 100 < 25 ? 0 : 1));
            open[0] = open[40 * 30 - 1] = 1;
            const water = new wayforge.Water(40, 30, open);
            equal([water.width, water.height, [...water.open()]], [40, 30, open], "as given");
            for (const prepare of ["none", "coarse", "full"]) {
                const navigator = new wayforge.Navigator(water, { prepare });
                const field = navigator.distanceField([0, 0]);
                const way = navigator.find([0, 0], [[39, 29], [39, 28]].filter(([x, y]) => open[y * 40 + x]));
                const steps = field[40 * 30 - 1];
                assert(way === null ? steps === 4294967295 : way.steps <= steps && way.guarantee === "exact", prepare);
                if (way !== null) {
                    equal([...way.tiles.slice(0, 2)], [0, 0], "begins");
                    equal(way.tiles.length, (way.steps + 1) * 2, "every tile");
                    const [x, y] = [way.tiles[2], way.tiles[3]];
                    equal([navigator.edit([x, y], false), navigator.water.open()[y * 40 + x], navigator.edit([[x, y]], true)], [1, 0, 1], "edits");
                }
            }
            const navigator = new wayforge.Navigator(wayforge.Water.fromText("..#\n..."));
            equal(refused(wayforge, () => navigator.find([2, 0], [0, 0])).field, "sources[0]", "land");
            equal(refused(wayforge, () => navigator.find([], [0, 0])).field, "sources", "none");
            refused(wayforge, () => navigator.find([0.5, 0], [0, 0]));
            refused(wayforge, () => navigator.find([0, 0], [1, 1], { method: "magic" }));
            refused(wayforge, () => new wayforge.Water(3, 3, [1]));
            assert(wayforge.Water.archipelago("first light", { width: 200, height: 100 }).tiles > 1000, "an archipelago");
        }],
        ["the document of floors, under its own names", () => {
            const rng = wayforge.createRng(1n);
            equal([rng(), rng()], [0.6270739405881613, 0.002735721180215478], "mulberry32");
            const config = { width: 7, height: 6, wallDensity: 0.4, enemyBudget: 3, chestBudget: 1, minPathLength: 6, entrance: { x: 0, y: 0 } };
            const floor = wayforge.generateFloor("first light", config);
            equal(floor, wayforge.generateFloor("first light", config), "the same again");
            equal([floor.tiles.length, floor.entrance, floor.width], [42, { x: 0, y: 0 }, 7], "its shape");
            const verdict = wayforge.validateFloor(floor);
            assert(verdict.valid && verdict.shortest >= 6 && verdict.reached === verdict.walkable, JSON.stringify(verdict));
            const text = wayforge.serializeFloor(floor);
            equal(wayforge.deserializeFloor(text), floor, "through text");
            assert(wayforge.validateFloor(structuredClone(floor)).valid, "of unknown origin");
            const broken = structuredClone(floor);
            broken.entities.pop();
            assert(!wayforge.validateFloor(broken, config).valid, "a budget is missed");
            equal(wayforge.posFromIndex(wayforge.indexFromPos({ x: 3, y: 2 }, 7), 7), { x: 3, y: 2 }, "cells");
            refused(wayforge, () => wayforge.deserializeFloor(text.slice(0, -9)));
        }],
    ];
}
