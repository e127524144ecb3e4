/**
 * A seed is text of at most 256 characters, a safe integer, or a bigint from -9223372036854775808n to 18446744073709551615n. Text of digits is that number;
 * a negative integer is text.
 * Maps keep the text that was given.
 */
export type Seed = string | number | bigint;
export type Family = "act" | "level" | "floor" | "tower";
export type Theme = "parchment" | "night";
/** Anything that JSON can hold. */
export type Json = null | boolean | number | string | Json[] | { [field: string]: Json };
/** A configuration: an object, or its JSON. */
export type Config = { [field: string]: unknown } | string;

export type FaultKind = "config" | "input" | "decode" | "generate" | "move" | "draw" | "expression";

/** What Wayforge refuses: the field, what it held, what would work, and the rules that stand against it. */
export class WayforgeError extends Error {
    readonly kind: FaultKind;
    readonly field: string | null;
    readonly value: string | null;
    readonly remedy: string | null;
    readonly rules: string[];
}

export interface Violation {
    rule: string;
    place: Json;
    why: string;
}

export interface Report {
    valid: boolean;
    rules: string[];
    violations: Violation[];
    /** Rules that broke more often than is listed. */
    cut: string[];
}

/** A map of any family, with its document. */
export class WayforgeMap {
    private constructor();
    readonly family: Family;
    readonly algorithm: string;
    /** The seed as it was given; a number in decimal. */
    readonly seed: string;
    readonly digest: string;
    readonly config: { [field: string]: Json };
    readonly map: { [field: string]: Json };
    /** The document: the same bytes in every language. */
    toText(): string;
    toJSON(): { [field: string]: Json };
    validate(reproduce?: boolean): Report;
    /** What the routes of an act map meet, from a node (column, row) or from the start. */
    routes(start?: readonly [number, number]): { [field: string]: Json };
    metrics(): { [name: string]: number };
    /** `labels` writes column and row beside every node of an act map. */
    svg(options?: { theme?: Theme; witness?: boolean; labels?: boolean }): string;
    ascii(): string;
    play(options?: { fog?: number }): Play;
    /** Gives the memory back now instead of some time later. */
    free(): void;
}

/** A map being played. A value: a move gives a new one and leaves the old one alone. */
export class Play {
    private constructor();
    /** `col,row` or `boss` on act maps; north, east, south, west on floors. */
    readonly moves: string[];
    readonly finished: boolean;
    /** The save: one line of JSON that names its map by digest. */
    readonly progress: string;
    readonly digest: string;
    advance(move: string): Play;
    undo(): Play | null;
    restart(): Play;
    resume(progress: string): Play;
    free(): void;
}

export function generate(family: Family, seed: Seed, config?: Config): WayforgeMap;
export function act(seed: Seed, config?: Config): WayforgeMap;
export function level(seed: Seed, config?: Config): WayforgeMap;
export function floor(seed: Seed, config?: Config): WayforgeMap;
export function tower(seed: Seed, config?: Config): WayforgeMap;
/**
 * Reads a document strictly: its shape, its configuration, its form and its digest must all be right. A `MapFloor` without an envelope has no
 * digest; without `config`, its configuration asks for what the floor holds.
 */
export function load(document: string): WayforgeMap;
/** Validates a document, or a `MapFloor` as JSON: every rule, and every place where one is broken. */
export function validate(document: string, reproduce?: boolean): Report;
export function metrics(family: Family, config?: Config): { name: string; unit: string; about: string }[];
/** The metrics of many maps in columns; numbers beyond 2^53 are rounded. */
export function batch(
    family: Family,
    start: Seed,
    count: number,
    options?: { config?: Config; columns?: string[] },
): { seed: BigUint64Array; made: Uint8Array; columns: { [name: string]: Float64Array } };
/** The first seeds whose maps meet a condition, in their order. */
export function find(
    family: Family,
    where: string,
    options?: { count?: number; config?: Config; start?: Seed; limit?: number },
): BigUint64Array;
/**
 * The seeds whose maps come closest to an aim (`"nodes=60, routes=200"`), among those that meet a condition if one is given: the nearest first,
 * of equals the first. A distance is the sum over the metrics aimed at: how far each is off, in millionths of the value wanted (of 1 where 0 is wanted), rounded up.
 */
export function closest(
    family: Family,
    aim: string,
    options?: { count?: number; where?: string; config?: Config; start?: Seed; limit?: number },
): { seeds: BigUint64Array; distances: BigUint64Array };

export type Moves = 4 | 8;
export type Metric = "steps" | "octile";
export type Method =
    | "auto" | "bfs" | "wave" | "restart" | "mask-f1" | "mask-f2" | "mask-optimal" | "pieces" | "jump" | "graph";
/** One tile, or several. */
export type Tiles = readonly [number, number] | readonly (readonly [number, number])[];

export interface ArchipelagoConfig {
    width?: number;
    height?: number;
    land?: number;
    scale?: number;
    detail?: number;
}

/** A grid of water and land. */
export class Water {
    /** Water where `open` is not 0, row by row. */
    constructor(width: number, height: number, open: ArrayLike<number>);
    static fromText(text: string): Water;
    static archipelago(seed: Seed, config?: ArchipelagoConfig): Water;
    static archipelagoDigest(seed: Seed, config?: ArchipelagoConfig): string;
    readonly width: number;
    readonly height: number;
    readonly tiles: number;
    open(): Uint8Array;
    magnitudes(): Uint8Array;
    free(): void;
}

export interface Way {
    /** Pairs of x and y, from source to target. */
    tiles: Uint16Array;
    length: number;
    steps: number;
    source: number;
    target: number;
    guarantee: "exact" | "shortest in region" | "valid";
    method: Method;
    depth: number | null;
    visited: number;
    expansions: number;
    fallback: boolean;
}

/** Corridor of the methods restart, mask-f1, mask-f2, mask-optimal and pieces. */
export interface CorridorOptions {
    /** Side of a coarse cell in tiles, 1 to 1024; 4 by default, 8 for pieces. */
    factor?: number;
    /** Initial half width of the corridor in coarse cells, 0 to 1024; 2 by default. */
    radius?: number;
    /** Guardrail: number of widenings before all water is searched, 0 to 1024; 6 by default. */
    maxExpansions?: number;
    /** One coarse node per cell with any water, or one per connected component of water in a cell (the default for pieces). */
    coarseRule?: "any-tile" | "components";
}

/** Finds ways over water. */
export class Navigator {
    constructor(
        water: Water,
        options?: { prepare?: "none" | "coarse" | "full"; moves?: Moves; metric?: Metric } & CorridorOptions,
    );
    find(
        sources: Tiles,
        targets: Tiles,
        options?: { moves?: Moves; metric?: Metric; method?: Method; depths?: number[]; smooth?: boolean },
    ): Way | null;
    /** Turns tiles to water or to land; how many changed. */
    edit(tiles: Tiles, open: boolean): number;
    /** The steps from the nearest source to every tile, row by row; 4294967295 where no way leads. */
    distanceField(sources: Tiles, options?: { moves?: Moves }): Uint32Array;
    readonly water: Water;
    free(): void;
}

// The document of floors, under its own names.

export type Vec2 = { x: number; y: number };
export type TileKind = "floor" | "wall" | "entrance" | "exit" | "door" | "trap" | "chest" | "water";

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

/** How a floor came about. */
export type Origin =
    | { by: "carve"; attempt: number }
    | { by: "safe"; attempts: number }
    | { by: "template"; turn: "r0" | "r90" | "r180" | "r270" | "m0" | "m90" | "m180" | "m270" }
    | { by: "given" };

/** The document's interface. Its last three members are ours, and optional as `version` is. */
export interface MapFloor {
    width: number;
    height: number;
    seed: string;
    tiles: Tile[];
    entities: EntityBase[];
    entrance: Vec2;
    exit: Vec2;
    generatedAt: string;
    version?: string;
    /** A shortest path from entrance to exit. */
    path?: Vec2[];
    origin?: Origin;
    /** The configuration that the floor is validated against. Delete it from a floor that the game changes. */
    config?: GenerationConfig;
}

/** A floor with every member written out. */
export interface GeneratedFloor extends MapFloor {
    tiles: Required<Tile>[];
    entities: Required<EntityBase>[];
    version: string;
    path: Vec2[];
    origin: Origin;
    config: GenerationConfig;
}

export interface GenerationConfig {
    width?: number;
    height?: number;
    wallDensity?: number;
    enemyBudget?: number;
    chestBudget?: number;
    itemBudget?: number;
    relicBudget?: number;
    npcBudget?: number;
    trapBudget?: number;
    doorBudget?: number;
    waterBudget?: number;
    /** Without it the exit is uniform over all tiles except the entrance. */
    minPathLength?: number;
    /** A route from entrance to exit meets no enemy. */
    safeRoute?: boolean;
    /** Every chest can be reached without passing an enemy. */
    safeChests?: boolean;
    entrance?: Vec2;
    exit?: Vec2;
    carve?: "walk" | "astar";
    open?: "density" | "rooms";
    /** Fixed cells: one string a row in the characters of templates, `?` for free ones. */
    pins?: string[];
    attempts?: number;
    useTemplate?: boolean;
    templateId?: string;
    template?: Template;
}

/** A floor made by hand. */
export interface Template {
    id: string;
    rows: string[];
    legend?: Record<string, { kind: string; meta?: Record<string, unknown>; data?: Record<string, unknown> }>;
}

export interface ValidationResult extends Report {
    /** Steps of the shortest path; null if there is none. */
    shortest: number | null;
    walkable: number;
    reached: number;
    things: { kind: string; there: number; reached: number }[];
}

/** Mulberry32: a function that gives numbers in [0, 1). */
export function createRng(seed: Seed): () => number;
export function generateFloor(seed: Seed, config?: GenerationConfig): GeneratedFloor;
/**
 * Validates a floor and never throws, whatever the value is. Without `config` (the argument, or the floor's own member) the rules that the
 * document states; with it, budgets and path length too; with `path` and `origin` as well, every rule of generated floors.
 */
export function validateFloor(floor: MapFloor, config?: GenerationConfig): ValidationResult;
/** The floor as one line of JSON, without an envelope: what every implementation of the document reads. */
export function serializeFloor(floor: MapFloor): string;
/** Reads a `MapFloor` of any implementation, or the document of a floor. Throws a `WayforgeError` that names the first member of another type. */
export function deserializeFloor(json: string): MapFloor;
export function indexFromPos(pos: Vec2, width: number): number;
export function posFromIndex(index: number, width: number): Vec2;
