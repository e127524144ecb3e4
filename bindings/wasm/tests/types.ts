// Uses the API as a TypeScript project would; type-checked, not run.

import {
  createRng,
  deserializeFloor,
  generateFloor,
  indexFromPos,
  serializeFloor,
  validateFloor,
  act,
  batch,
  closest,
  find,
  load,
  Navigator,
  Play,
  NavGrid,
  WayforgeError,
  WayforgeMap,
  type EntityBase,
  type GeneratedFloor,
  type GenerationConfig,
  type MapFloor,
  type Origin,
  type Tile,
  type TileKind,
  type ValidationResult,
  type Vec2,
  type Path,
} from "wayforge";

const config: GenerationConfig = {
  width: 5,
  height: 5,
  wallDensity: 0.4,
  enemyBudget: 3,
  chestBudget: 1,
  minPathLength: 4,
  entrance: { x: 0, y: 0 },
};
const rng: () => number = createRng("seed");
const floor: GeneratedFloor = generateFloor("seed", config);
const next: MapFloor = generateFloor(7n, { ...config, entrance: floor.exit });
const result: ValidationResult = validateFloor(next);
const text: string = serializeFloor(next);
const again: MapFloor = deserializeFloor(text);
const kinds: TileKind[] = again.tiles.map((tile: Tile) => tile.kind);
const enemies: EntityBase[] = again.entities.filter((entity) => entity.kind === "enemy");
const exit: Vec2 = again.exit;
const tile: Tile | undefined = again.tiles[indexFromPos(exit, again.width)];

const map: WayforgeMap = act("first light", { ruleset: "rows" });
const play: Play = map.play({ fog: 3 }).advance(map.play().moves[0] ?? "boss");
const path: Path | null = new Navigator(NavGrid.archipelago(1n), {
  preprocessing: "full",
  radius: 3,
  coarseRule: "any-tile",
}).find(
  [1, 2],
  [
    [3, 4],
    [5, 6],
  ],
);
const seeds: BigUint64Array = find("act", "routes > 300", { count: 3 });
const near: BigUint64Array = closest("act", "nodes=60, routes=200", {
  count: 3,
  where: "min(elite) = 0",
}).distances;
const paths: Float64Array | undefined = batch("floor", "0", 100, { columns: ["path"] }).columns[
  "path"
];

try {
  load("nonsense");
} catch (error) {
  if (error instanceof WayforgeError) {
    const details: [string | null, string | null, string[]] = [
      error.field,
      error.remedy,
      error.rules,
    ];
    void details;
  }
}

// The interfaces of the floor specification, copied verbatim. Its values are assignable to ours and
// ours to its.
namespace Specification {
  export type Vec2 = { x: number; y: number };

  export type TileKind =
    "floor" | "wall" | "entrance" | "exit" | "door" | "trap" | "chest" | "water";

  export interface Tile {
    pos: Vec2;
    kind: TileKind;
    walkable: boolean;
    blocksVision?: boolean;
    meta?: Record<string, unknown>;
  }

  export interface EntityBase {
    id: string;
    kind: "enemy" | "item" | "relic" | "npc";
    pos: Vec2;
    data?: Record<string, unknown>;
  }

  export interface MapFloor {
    width: number; // 5
    height: number; // 5
    seed: string;
    tiles: Tile[]; // length == 25
    entities: EntityBase[];
    entrance: Vec2;
    exit: Vec2;
    generatedAt: string;
    version?: string;
  }

  export interface GenerationConfig {
    width: number; // usually 5
    height: number; // usually 5
    wallDensity: number; // 0..1
    enemyBudget: number;
    chestBudget: number;
    minPathLength?: number;
    entrance?: Vec2;
    exit?: Vec2;
    useTemplate?: boolean;
    templateId?: string;
  }
}

const written: Specification.GenerationConfig = {
  width: 5,
  height: 5,
  wallDensity: 0.4,
  enemyBudget: 3,
  chestBudget: 1,
};
const specificationSeed: string | number = Math.random() < 0.5 ? "seed" : 7;
const ours: Specification.MapFloor = generateFloor(specificationSeed, written);
const theirs: ValidationResult = validateFloor(ours);
const theirText: string = serializeFloor(ours);
const readAsTheirs: Specification.MapFloor = deserializeFloor(theirText);
const numbers: () => number = createRng(specificationSeed);
const tileOfOurs: Specification.Tile | undefined = floor.tiles[0];
const entityOfOurs: Specification.EntityBase | undefined = floor.entities[0];
const tileOfTheirs: Tile | undefined = ours.tiles[0];
const entityOfTheirs: EntityBase | undefined = ours.entities[0];
// Members that Wayforge adds: always present on generated floors, optional on others.
const pathLength: number = generateFloor(7).path.length;
const origin: Origin | undefined = deserializeFloor(theirText).origin;
const budget: number | undefined = generateFloor(7n, config).config.enemyBudget;
const blocks: boolean | undefined = generateFloor(7).tiles[0]?.blocksVision;

// @ts-expect-error A seed is a string, a number or a bigint.
generateFloor(true, config);
// @ts-expect-error Unknown family.
find("dungeon", "routes > 3");

export {
  blocks,
  budget,
  entityOfOurs,
  entityOfTheirs,
  numbers,
  origin,
  pathLength,
  readAsTheirs,
  theirs,
  tileOfOurs,
  tileOfTheirs,
};
export { enemies, kinds, near, paths, play, rng, seeds, tile, result, path };
