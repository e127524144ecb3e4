// The document's API as a TypeScript project would use it: checked by the compiler, not run.

import {
    createRng, deserializeFloor, generateFloor, indexFromPos, serializeFloor, validateFloor,
    act, batch, closest, find, load, Navigator, Play, Water, WayforgeError, WayforgeMap,
    type EntityBase, type GeneratedFloor, type GenerationConfig, type MapFloor, type Origin, type Tile, type TileKind, type ValidationResult, type Vec2, type Way,
} from "wayforge";

const config: GenerationConfig = { width: 5, height: 5, wallDensity: 0.4, enemyBudget: 3, chestBudget: 1, minPathLength: 4, entrance: { x: 0, y: 0 } };
const rng: () => number = createRng("seed");
const floor: GeneratedFloor = generateFloor("seed", config);
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

// The document's interfaces, copied from it word for word: its values are ours, and ours are its.
namespace Document {
    export type Vec2 = { x: number; y: number };

    export type TileKind = 'floor' | 'wall' | 'entrance' | 'exit' | 'door' | 'trap' | 'chest' | 'water';

    export interface Tile {
        pos: Vec2;
        kind: TileKind;
        walkable: boolean;
        blocksVision?: boolean;
        meta?: Record<string, unknown>;
    }

    export interface EntityBase {
        id: string;
        kind: 'enemy' | 'item' | 'relic' | 'npc';
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

const written: Document.GenerationConfig = { width: 5, height: 5, wallDensity: 0.4, enemyBudget: 3, chestBudget: 1 };
const seedOfDocument: string | number = Math.random() < 0.5 ? "seed" : 7;
const ours: Document.MapFloor = generateFloor(seedOfDocument, written);
const theirs: ValidationResult = validateFloor(ours);
const theirText: string = serializeFloor(ours);
const readAsTheirs: Document.MapFloor = deserializeFloor(theirText);
const numbers: () => number = createRng(seedOfDocument);
const tileOfOurs: Document.Tile | undefined = floor.tiles[0];
const entityOfOurs: Document.EntityBase | undefined = floor.entities[0];
const tileOfTheirs: Tile | undefined = ours.tiles[0];
const entityOfTheirs: EntityBase | undefined = ours.entities[0];
// Members of our own: always on generated floors, optional on others.
const pathLength: number = generateFloor(7).path.length;
const origin: Origin | undefined = deserializeFloor(theirText).origin;
const budget: number | undefined = generateFloor(7n, config).config.enemyBudget;
const blocks: boolean | undefined = generateFloor(7).tiles[0]?.blocksVision;

// @ts-expect-error A seed is a string, a number or a bigint.
generateFloor(true, config);
// @ts-expect-error There is no such family.
find("dungeon", "routes > 3");

export {
    blocks, budget, entityOfOurs, entityOfTheirs, numbers, origin, pathLength, readAsTheirs, theirs, tileOfOurs, tileOfTheirs,
};
export { enemies, kinds, near, paths, play, rng, seeds, tile, verdict, way };
