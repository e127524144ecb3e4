// Tests against the floor specification: an independent `deserializeFloor`, and floors that no
// generator creates.

import { assert, equal, rejected } from "./assert.js";

const KINDS = ["floor", "wall", "entrance", "exit", "door", "trap", "chest", "water"];
const ENTITIES = ["enemy", "item", "relic", "npc"];

/**
 * Independent implementation of the specification: parses JSON and checks every member against its
 * interfaces.
 */
export function independentDeserializeFloor(json) {
  const must = (condition, path) => {
    if (!condition) throw new TypeError(path);
  };
  const record = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
  const vec2 = (pos, path) =>
    must(record(pos) && typeof pos.x === "number" && typeof pos.y === "number", path);
  const floor = JSON.parse(json);
  must(record(floor), "floor");
  for (const name of ["width", "height"]) must(typeof floor[name] === "number", name);
  for (const name of ["seed", "generatedAt"]) must(typeof floor[name] === "string", name);
  must(["undefined", "string"].includes(typeof floor.version), "version");
  for (const name of ["entrance", "exit"]) vec2(floor[name], name);
  must(Array.isArray(floor.tiles) && floor.tiles.length === floor.width * floor.height, "tiles");
  floor.tiles.forEach((tile, index) => {
    vec2(tile.pos, `tiles[${index}].pos`);
    must(KINDS.includes(tile.kind) && typeof tile.walkable === "boolean", `tiles[${index}]`);
    must(
      ["undefined", "boolean"].includes(typeof tile.blocksVision),
      `tiles[${index}].blocksVision`,
    );
    must(tile.meta === undefined || record(tile.meta), `tiles[${index}].meta`);
  });
  must(Array.isArray(floor.entities), "entities");
  floor.entities.forEach((entity, index) => {
    vec2(entity.pos, `entities[${index}].pos`);
    must(typeof entity.id === "string" && ENTITIES.includes(entity.kind), `entities[${index}]`);
    must(entity.data === undefined || record(entity.data), `entities[${index}].data`);
  });
  return floor;
}

/** Returns true if a value of type `MapFloor` can be played; checks each definition directly. */
function isPlayable(floor) {
  const cell = ({ x, y }) => `${x},${y}`;
  const { width, height } = floor;
  const isCount = (n) => Number.isInteger(n) && n >= 0;
  if (
    !isCount(width) ||
    !isCount(height) ||
    width < 1 ||
    width > 64 ||
    height > 64 ||
    floor.tiles.length !== width * height
  )
    return false;
  const inOrder = floor.tiles.every(
    ({ pos }, index) => pos.x === index % width && pos.y === Math.floor(index / width),
  );
  const consistent = floor.tiles.every(
    ({ kind, walkable }) => walkable === (kind !== "wall" && kind !== "water"),
  );
  const open = new Set(floor.tiles.filter((tile) => tile.walkable).map((tile) => cell(tile.pos)));
  const ends = ["entrance", "exit"].every((name) => {
    const found = floor.tiles.filter((tile) => tile.kind === name);
    return found.length === 1 && cell(found[0].pos) === cell(floor[name]);
  });
  const ids = new Set(floor.entities.map((entity) => entity.id));
  const occupied = new Set(floor.entities.map((entity) => cell(entity.pos)));
  const unique = ids.size === floor.entities.length && occupied.size === floor.entities.length;
  const onOpenTiles = [...occupied].every((pos) => open.has(pos));
  if (!inOrder || !consistent || !ends || !unique || !onOpenTiles) return false;
  const reached = new Set([cell(floor.entrance)]);
  for (const pos of reached) {
    const [x, y] = pos.split(",").map(Number);
    for (const next of [
      [x - 1, y],
      [x + 1, y],
      [x, y - 1],
      [x, y + 1],
    ].map(String))
      if (open.has(next)) reached.add(next);
  }
  return reached.has(cell(floor.exit));
}

/** Builds a floor from a drawing, with only the members that the specification requires. */
function fromDrawing(rows) {
  const kinds = {
    "#": "wall",
    "~": "water",
    "<": "entrance",
    ">": "exit",
    $: "chest",
    "+": "door",
    "^": "trap",
  };
  const cells = rows.flatMap((row, y) => [...row].map((symbol, x) => ({ symbol, pos: { x, y } })));
  const of = (symbol) => ({ ...cells.find((cell) => cell.symbol === symbol).pos });
  return {
    width: rows[0].length,
    height: rows.length,
    seed: "by hand",
    tiles: cells.map(({ symbol, pos }) => ({
      pos,
      kind: kinds[symbol] ?? "floor",
      walkable: !"#~".includes(symbol),
    })),
    entities: cells
      .filter(({ symbol }) => symbol === "e")
      .map(({ pos }) => ({ id: `goblin ${pos.x},${pos.y}`, kind: "enemy", pos: { ...pos } })),
    entrance: of("<"),
    exit: of(">"),
    generatedAt: "today",
  };
}

// Has an enemy beside the entrance, a door that guards nothing and unreachable tiles, which the
// specification allows.
const sample = () => fromDrawing(["<e..#", ".+..#", "...##", "#$#..", "..>#."]);

/**
 * Returns a generator of random values of type `MapFloor`. Most numbers are small, so that some
 * floors are valid.
 */
function randomFloors(rng) {
  const below = (n) => Math.floor(rng() * n);
  const pick = (list) => list[below(list.length)];
  const odd = [NaN, Infinity, -Infinity, -1, 0.5, 1e300, -0, 2 ** 53, 65535, 65536];
  const number = () => (below(20) === 0 ? pick(odd) : below(6));
  const text = () =>
    pick(["", "a", "enemy-1", "\ud800", "\0", "x".repeat(300), "NaN", "__proto__"]);
  const vec2 = () => ({ x: number(), y: number() });
  const free = () =>
    pick([
      undefined,
      {},
      { hp: 3 },
      { big: 1n, run: () => 1, nan: NaN, when: new Date(0) },
      Object.create(null),
    ]);
  const cyclic = {};
  cyclic.self = cyclic;
  const tile = () => ({
    pos: vec2(),
    kind: pick(KINDS),
    walkable: below(2) === 0,
    blocksVision: pick([undefined, true, false]),
    meta: free(),
  });
  const entity = () => ({
    id: text(),
    kind: pick(ENTITIES),
    pos: vec2(),
    data: below(5) ? free() : cyclic,
  });
  const listOf = (make, limit) => Array.from({ length: below(limit) }, make);
  const anything = () => ({
    width: number(),
    height: number(),
    seed: text(),
    tiles: listOf(tile, 12),
    entities: listOf(entity, 4),
    entrance: vec2(),
    exit: vec2(),
    generatedAt: text(),
    version: pick([undefined, text()]),
  });
  const changes = [
    (floor) => {
      pick(floor.tiles).walkable = below(2) === 0;
    },
    (floor) => {
      pick(floor.tiles).kind = pick(KINDS);
    },
    (floor) => {
      pick(floor.tiles).pos = vec2();
    },
    (floor) => {
      pick(floor.tiles).meta = free();
    },
    (floor) => {
      floor.entities.push({ ...entity(), id: pick(["goblin 1,0", "enemy-1"]) });
    },
    (floor) => {
      floor.entities[0].data = cyclic;
    },
    (floor) => {
      floor.entities[0].pos = vec2();
    },
    (floor) => {
      floor[pick(["entrance", "exit"])] = vec2();
    },
    (floor) => {
      floor[pick(["width", "height"])] = number();
    },
    (floor) => {
      floor.tiles.length = Math.max(1, floor.tiles.length - below(2));
    },
    (floor) => {
      floor[pick(["seed", "generatedAt", "version"])] = text();
    },
  ];
  const nearlyValid = () => {
    const floor = sample();
    for (let count = below(4); count > 0; count -= 1) pick(changes)(floor);
    return floor;
  };
  return () => (below(3) === 0 ? anything() : nearlyValid());
}

/** Returns the test cases of the floor specification. */
export function floorCases(wayforge) {
  return [
    [
      "createRng accepts strings, numbers and bigints",
      () => {
        equal(
          [wayforge.createRng(42)(), wayforge.createRng("42")(), wayforge.createRng(42n)()],
          Array(3).fill(0.6011037519201636),
          "one seed",
        );
        const rng = wayforge.createRng("first light");
        for (let n = 0; n < 1000; n += 1) {
          const number = rng();
          assert(number >= 0 && number < 1, `${number}`);
        }
      },
    ],
    [
      "floors store the text of their seed",
      () => {
        equal(
          wayforge.generateFloor(42, {}),
          wayforge.generateFloor("42", {}),
          "a number is its digits",
        );
        for (const [seed, stored] of [
          [42, "42"],
          [-1, "-1"],
          [0, "0"],
          [-0, "0"],
          [2 ** 53 - 1, "9007199254740991"],
          [7n, "7"],
          ["first light", "first light"],
          ["007", "007"],
          ["", ""],
        ]) {
          equal(wayforge.generateFloor(seed).seed, stored, String(seed));
          equal(
            wayforge.deserializeFloor(wayforge.serializeFloor(wayforge.generateFloor(seed))).seed,
            stored,
            String(seed),
          );
        }
      },
    ],
    [
      "an independent implementation reads the output of serializeFloor",
      () => {
        for (const config of [
          {},
          { templateId: "shop" },
          { width: 9, height: 4, doorBudget: 1, waterBudget: 2 },
        ]) {
          for (let seed = 0; seed < 20; seed += 1) {
            const floor = wayforge.generateFloor(seed, config);
            const text = wayforge.serializeFloor(floor);
            equal(independentDeserializeFloor(text), floor, "independent reader");
            equal(wayforge.deserializeFloor(text), floor, "own reader");
            assert(isPlayable(floor), `seed ${seed}`);
            const enveloped = wayforge.floor(seed, config).toText();
            equal(wayforge.deserializeFloor(enveloped), floor, "from the document");
            assert(wayforge.validate(text, true).valid, "reproducible from its config");
            equal(wayforge.load(text).toText(), enveloped, "same document");
          }
        }
      },
    ],
    [
      "a floor of another implementation is read and validated",
      () => {
        const text = JSON.stringify(sample());
        equal(wayforge.deserializeFloor(text), sample(), "parsed");
        equal(wayforge.serializeFloor(wayforge.deserializeFloor(text)), text, "serialised");
        const result = wayforge.validateFloor(sample());
        equal(
          [result.valid, result.shortestPath, result.walkable, result.reachable],
          [true, 6, 18, 15],
          "result",
        );
        assert(!result.rules.includes("budgets"), "no configuration");
        equal(result.violations, [], "no violations");
        assert(wayforge.validate(text).valid, "as text");
        const config = {
          width: 5,
          height: 5,
          wallDensity: 0.4,
          enemyBudget: 2,
          chestBudget: 1,
          doorBudget: 1,
        };
        equal(
          wayforge.validateFloor(sample(), config).violations.map(({ rule }) => rule),
          ["budgets"],
          "one enemy, two in the configuration",
        );
        const map = wayforge.load(text);
        assert(map.validate().valid && map.ascii().includes("<"), "loaded");
        equal(
          [map.map.entities[0].id, map.map.origin, map.seed],
          ["goblin 1,0", { by: "given" }, "by hand"],
          "members of the floor",
        );
      },
    ],
    [
      "meta and data may contain any values",
      () => {
        const floor = wayforge.generateFloor(7, { templateId: "shop" });
        floor.entities[0].data = { hp: 3 };
        floor.tiles[3].meta = { seen: [1, { deep: null }], generatedAt: "now" };
        floor.generatedAt = new Date(0).toString();
        assert(wayforge.validateFloor(floor).valid, "valid");
        equal(wayforge.deserializeFloor(wayforge.serializeFloor(floor)), floor, "round trip");
        assert(
          wayforge.validate(wayforge.serializeFloor(floor), true).valid,
          "meta and data are not compared",
        );
        const extended = { ...floor, biome: "swamp" };
        assert(wayforge.validateFloor(extended).valid, "other members are ignored");
        equal(
          wayforge.deserializeFloor(wayforge.serializeFloor(extended)).biome,
          "swamp",
          "other members are written",
        );
        floor.entities[0].data = { hp: 3n };
        assert(wayforge.validateFloor(floor).valid, "any value");
        equal(
          rejected(wayforge, () => wayforge.serializeFloor(floor)).field,
          "entities[0].data.hp",
          "not JSON",
        );
        for (const [lost, field, shown] of [
          [() => 1, "entities[0].data.lost", "a function"],
          [Symbol("s"), "entities[0].data.lost", "Symbol(s)"],
          [new Map([["hp", 3]]), "entities[0].data.lost", "an object"],
          [new Set([1]), "entities[0].data.lost", "an object"],
          [Uint8Array.of(1), "entities[0].data.lost", "an object"],
          [[1, undefined], "entities[0].data.lost[1]", "undefined"],
          [[{ deep: /x/ }], "entities[0].data.lost[0].deep", "an object"],
          [{ toJSON: () => 3n }, "entities[0].data.lost", "3n"],
        ]) {
          floor.entities[0].data = { lost };
          assert(wayforge.validateFloor(floor).valid, "any value");
          const error = rejected(wayforge, () => wayforge.serializeFloor(floor));
          equal([error.field, error.value], [field, shown], error.message);
        }
        class Goblin {
          hp = 3;
        }
        for (const [data, written] of [
          [{ when: new Date(0) }, { when: "1970-01-01T00:00:00.000Z" }],
          [{ none: undefined, list: [null, {}] }, { list: [null, {}] }],
          [Object.assign(Object.create(null), { hp: 3 }), { hp: 3 }],
          [new Goblin(), { hp: 3 }],
        ]) {
          floor.entities[0].data = data;
          equal(
            JSON.parse(wayforge.serializeFloor(floor)).entities[0].data,
            written,
            "as JSON writes it",
          );
        }
        floor.entities[0].data = { floor };
        equal(
          rejected(wayforge, () => wayforge.serializeFloor(floor)).field,
          "entities[0].data.floor",
          "cycle",
        );
      },
    ],
    [
      "validateFloor reports every violation with its position",
      () => {
        const floor = sample();
        floor.tiles[3].pos.x = -1;
        floor.tiles[4].walkable = true;
        floor.exit = { x: NaN, y: 0.5 };
        floor.entities.push({ ...floor.entities[0] });
        const result = wayforge.validateFloor(floor);
        const found = result.violations.map(
          ({ rule, place }) => `${rule} ${JSON.stringify(place)}`,
        );
        for (const expected of [
          'whole-numbers {"member":"tiles[3].pos.x"}',
          'whole-numbers {"member":"exit.x"}',
          'whole-numbers {"member":"exit.y"}',
          'walkable-by-kind {"member":"tiles[4].walkable"}',
          'no-stacking {"cell":[1,0]}',
          'unique-ids {"member":"entities[1].id"}',
          'solvable "map"',
        ])
          assert(found.includes(expected), `${expected}: ${found.join("; ")}`);
        equal(
          result.violations.find(({ place }) => place.member === "exit.x").why,
          "NaN is not a whole number from 0 to 65534",
          "reason",
        );
        // Text is not a number, even if it spells one.
        const spelled = { ...sample(), width: "NaN", exit: { x: "Infinity", y: 4 }, seed: NaN };
        const types = wayforge
          .validateFloor(spelled)
          .violations.filter(({ rule }) => rule === "member-types");
        equal(
          types.map(({ place, why }) => `${place.member}: ${why}`),
          [
            'width: "NaN" is not a number',
            "seed: NaN is not a string",
            'exit.x: "Infinity" is not a number',
          ],
          "types",
        );
        const config = { ...wayforge.generateFloor(1).config, enemyBudget: 99 };
        assert(
          wayforge.validateFloor(wayforge.generateFloor(1), config).violations[0].rule ===
            "config-agrees",
          "infeasible configuration",
        );
      },
    ],
    [
      "validateFloor never throws",
      () => {
        const thrower = {
          get tiles() {
            throw new Error("no tiles here");
          },
        };
        const proxy = new Proxy(
          {},
          {
            get() {
              throw Symbol("no");
            },
          },
        );
        for (const value of [
          null,
          undefined,
          7,
          7n,
          "floor",
          "{}",
          [],
          {},
          true,
          Symbol("s"),
          () => 1,
          NaN,
          new Map(),
          thrower,
          proxy,
          { tiles: {} },
          { tiles: [null, 7, undefined] },
          { ...sample(), tiles: new Array(2 ** 31) },
          { ...sample(), width: 5n },
          { ...sample(), config: 7 },
          { ...sample(), config: { width: NaN } },
          { ...sample(), origin: proxy },
        ]) {
          const result = wayforge.validateFloor(value);
          assert(
            !result.valid &&
              result.violations.length > 0 &&
              result.violations.every(({ rule, place, why }) => rule && place && why),
            "invalid",
          );
        }
        for (const config of [
          null,
          7,
          "{",
          { enemyBudget: "many" },
          { wallDensity: NaN },
          { width: 1e300 },
        ]) {
          assert(!wayforge.validateFloor(sample(), config).valid, "invalid configuration");
        }
      },
    ],
    [
      "random floors are valid if and only if they are playable",
      () => {
        const random = randomFloors(wayforge.createRng(4));
        const counts = { valid: 0, invalid: 0 };
        for (let n = 0; n < 3000; n += 1) {
          const floor = random();
          const result = wayforge.validateFloor(floor);
          assert(result.valid === isPlayable(floor), `${n}: ${JSON.stringify(result.violations)}`);
          assert(result.valid === (result.violations.length === 0), "valid without violations");
          counts[result.valid ? "valid" : "invalid"] += 1;
          try {
            const text = wayforge.serializeFloor(floor);
            equal(JSON.parse(text), JSON.parse(JSON.stringify(floor)), "serialised unchanged");
            wayforge.deserializeFloor(text);
          } catch (error) {
            assert(error instanceof wayforge.WayforgeError, `${error.stack}`);
          }
        }
        assert(counts.valid > 300 && counts.invalid > 300, JSON.stringify(counts));
      },
    ],
    [
      "deserializeFloor names the first invalid member",
      () => {
        const without = (name) => {
          const floor = sample();
          delete floor[name];
          return JSON.stringify(floor);
        };
        for (const name of [
          "width",
          "height",
          "seed",
          "tiles",
          "entities",
          "entrance",
          "exit",
          "generatedAt",
        ]) {
          const error = rejected(wayforge, () => wayforge.deserializeFloor(without(name)));
          equal([error.kind, error.field], ["decode", name], error.message);
        }
        const lava = sample();
        lava.tiles[3].kind = "lava";
        assert(
          rejected(wayforge, () =>
            wayforge.deserializeFloor(JSON.stringify(lava)),
          ).message.startsWith('tiles[3].kind: "lava" is unknown; use floor, wall'),
          "unknown kind",
        );
        for (const text of [
          "",
          "null",
          "[]",
          "7",
          "{",
          '"floor"',
          wayforge.tower(1).toText(),
          wayforge.act(1).toText(),
        ]) {
          equal(
            rejected(wayforge, () => wayforge.deserializeFloor(text)).kind,
            "decode",
            text.slice(0, 20),
          );
        }
        rejected(wayforge, () => wayforge.serializeFloor({ ...sample(), width: NaN }));
        rejected(wayforge, () => wayforge.serializeFloor(null));
      },
    ],
  ];
}
