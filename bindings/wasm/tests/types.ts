// The document's API as a TypeScript project would use it: checked by the compiler, not run.

import {
    createRng, deserializeFloor, generateFloor, indexFromPos, serializeFloor, validateFloor,
    act, batch, closest, find, load, Navigator, Play, Water, WayforgeError, WayforgeMap,
    type EntityBase, type GenerationConfig, type MapFloor, type Tile, type TileKind, type ValidationResult, type Vec2, type Way,
} from "wayforge";

const config: GenerationConfig = { width: 5, height: 5, wallDensity: 0.4, enemyBudget: 3, chestBudget: 1, minPathLength: 4, entrance: { x: 0, y: 0 } };
const rng: () => number = createRng("seed");
const floor: MapFloor = generateFloor("seed", config);
const next: MapFloor = generateFloor(7n, { ...config, entrance: floor.exit });
const verdict: ValidationResult = validateFloor(next);
const text: string = serializeFloor(next);
const again: MapFloor = deserializeFloor(text);
const kinds: TileKind[] = again.tiles.map((tile: Tile) => tile.kind);
const enemies: EntityBase[] = again.entities.filter((entity) => entity.kind === "enemy");
const exit: Vec2 = again.exit;
const tile: Tile | undefined = again.tiles[indexFromPos(exit, again.width)];

const map: WayforgeMap = act("first light", { ruleset: "rows" });
const play: Play = map.play({ fog: 3 }).advance(map.play().moves[0] ?? "boss");
const way: Way | null = new Navigator(Water.archipelago(1n), { prepare: "full", radius: 3, coarseRule: "any-tile" }).find([1, 2], [[3, 4], [5, 6]]);
const seeds: BigUint64Array = find("act", "routes > 300", { count: 3 });
const near: BigUint64Array = closest("act", "nodes=60, routes=200", { count: 3, where: "min(elite) = 0" }).distances;
const paths: Float64Array | undefined = batch("floor", "0", 100, { columns: ["path"] }).columns["path"];

try {
    load("nonsense");
} catch (error) {
    if (error instanceof WayforgeError) {
        const told: [string | null, string | null, string[]] = [error.field, error.remedy, error.rules];
        void told;
    }
}

// @ts-expect-error A number is no seed: JavaScript's cannot hold all of them.
generateFloor(7, config);
// @ts-expect-error There is no such family.
find("dungeon", "routes > 3");

export { enemies, kinds, near, paths, play, rng, seeds, tile, verdict, way };
