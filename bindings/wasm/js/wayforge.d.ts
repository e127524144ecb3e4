/**
 * Text of at most 256 characters, a safe integer, or a bigint from -9223372036854775808n to
 * 18446744073709551615n. A string of digits is the same seed as the number; a negative integer is
 * treated as text. Maps store the text as given.
 */
export type Seed = string | number | bigint;
export type Family = "act" | "level" | "floor" | "tower";
export type Theme = "parchment" | "night";
/** Any JSON value. */
export type Json = null | boolean | number | string | Json[] | { [field: string]: Json };
/** Configuration: an object, or its JSON. */
export type Config = { [field: string]: unknown } | string;

export type ErrorKind = "config" | "input" | "decode" | "generate" | "move" | "draw" | "expression";

/** Error of Wayforge: the field, its value, a remedy, and the conflicting rules. */
export class WayforgeError extends Error {
  readonly kind: ErrorKind;
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
  /** Rules with more violations than are listed. */
  truncated: string[];
}

/** Map of any family, with its document. */
export class WayforgeMap {
  private constructor();
  readonly family: Family;
  readonly algorithm: string;
  /** Seed as given; numbers in decimal. */
  readonly seed: string;
  readonly digest: string;
  readonly config: { [field: string]: Json };
  readonly map: { [field: string]: Json };
  /** Canonical text of the document, identical in every language. */
  toText(): string;
  toJSON(): { [field: string]: Json };
  /**
   * Validates the map and reports every violation of every rule. With `reproduce`, also generates
   * the map again and compares.
   */
  validate(reproduce?: boolean): Report;
  /** Analyses the routes of an act map, from a node (column, row) or from row 0. */
  routes(start?: readonly [number, number]): { [field: string]: Json };
  /** Computes every metric of the map, by name. */
  metrics(): { [name: string]: number };
  /** Draws the map as SVG. `labels` adds column and row to every node of an act map. */
  svg(options?: { theme?: Theme; witness?: boolean; labels?: boolean }): string;
  /** Draws the map as text. */
  ascii(): string;
  /** Starts a run on an act map, a floor or a tower. `fog` is the number of visible rows ahead. */
  play(options?: { fog?: number }): Play;
  /** Frees the memory immediately instead of on garbage collection. */
  free(): void;
}

/** Immutable state of a run on a map: every move returns a new `Play`. */
export class Play {
  private constructor();
  /** Legal moves: `col,row` or `boss` on act maps; north, east, south, west on floors. */
  readonly moves: string[];
  readonly finished: boolean;
  /** Saved run: one line of JSON that identifies the map by its digest. */
  readonly progress: string;
  readonly digest: string;
  /** Returns the run after a move. Throws an error of kind `move` if the move is illegal. */
  advance(move: string): Play;
  /** Returns the run before the last move, or null at the start. */
  undo(): Play | null;
  /** Returns the run before the first move. */
  restart(): Play;
  /** Restores a saved run on the same map. */
  resume(progress: string): Play;
  /** Frees the memory immediately instead of on garbage collection. */
  free(): void;
}

/** Generates a map of a family from a seed and a configuration. */
export function generate(family: Family, seed: Seed, config?: Config): WayforgeMap;
/** Generates an act map with the ruleset `walks`, `rows` or `spire`. */
export function act(seed: Seed, config?: Config): WayforgeMap;
/** Generates a blueprint level with a proof that it can be won. */
export function level(seed: Seed, config?: Config): WayforgeMap;
/** Generates a dungeon floor. `generateFloor` returns it as a `MapFloor`. */
export function floor(seed: Seed, config?: Config): WayforgeMap;
/** Generates a tower of floors, each entered at the exit of the floor below. */
export function tower(seed: Seed, config?: Config): WayforgeMap;
/**
 * Decodes a document. Its structure, configuration, canonical form and digest must be valid. A bare
 * `MapFloor` has no digest; if it has no `config`, the budgets are those that the floor contains.
 */
export function load(document: string): WayforgeMap;
/**
 * Validates a document, or a bare `MapFloor` as JSON, and reports every violation of every rule.
 */
export function validate(document: string, reproduce?: boolean): Report;
/** Lists the metrics of a family under a configuration: name, unit and description. */
export function metrics(
  family: Family,
  config?: Config,
): { name: string; unit: string; description: string }[];
/** Computes the metrics of many maps, one column per metric; values above 2^53 are rounded. */
export function batch(
  family: Family,
  start: Seed,
  count: number,
  options?: { config?: Config; columns?: string[] },
): { seed: BigUint64Array; generated: Uint8Array; columns: { [name: string]: Float64Array } };
/** Returns the first seeds whose maps satisfy a condition, in order. */
export function find(
  family: Family,
  where: string,
  options?: { count?: number; config?: Config; start?: Seed; limit?: number },
): BigUint64Array;
/**
 * Returns the seeds whose maps are closest to target values (`"nodes=60, routes=200"`), the closest
 * first; ties are ordered by seed. With `where`, only maps that satisfy the condition count. The
 * distance is the sum over all target metrics of the deviation in millionths of the target (of 1 if
 * the target is 0), rounded up.
 */
export function closest(
  family: Family,
  targets: string,
  options?: { count?: number; where?: string; config?: Config; start?: Seed; limit?: number },
): { seeds: BigUint64Array; distances: BigUint64Array };

export type Connectivity = 4 | 8;
export type Metric = "steps" | "octile";
export type Method =
  | "auto"
  | "bfs"
  | "bidirectional"
  | "restart"
  | "mask-f1"
  | "mask-f2"
  | "mask-optimal"
  | "components"
  | "jps"
  | "jps-graph";
/** One tile or several. */
export type Tiles = readonly [number, number] | readonly (readonly [number, number])[];

/** Configuration of a generated sea map with islands. */
export interface ArchipelagoConfig {
  /** Number of columns, 1 to 16384. */
  width?: number;
  /** Number of rows, 1 to 16384. */
  height?: number;
  /** Percentage of land tiles, 0 to 100. */
  land?: number;
  /** Size of the largest features in tiles, 2 to 4096. */
  scale?: number;
  /** Ruggedness of the coasts: number of finer noise layers, 0 to 12. */
  detail?: number;
}

/** Navigation grid of open and blocked tiles. */
export class NavGrid {
  /** `open` has one value per tile, row by row; a tile is open if its value is not 0. */
  constructor(width: number, height: number, open: ArrayLike<number>);
  /**
   * Parses a drawing: `.` and `~` are open, `#` and `@` are blocked, and a digit is an open tile
   * with that magnitude.
   */
  static fromText(text: string): NavGrid;
  /** Generates an archipelago: open water and islands. */
  static archipelago(seed: Seed, config?: ArchipelagoConfig): NavGrid;
  /** Returns the digest of an archipelago's document, identical in every language. */
  static archipelagoDigest(seed: Seed, config?: ArchipelagoConfig): string;
  readonly width: number;
  readonly height: number;
  /** Number of open tiles. */
  readonly tiles: number;
  /** Returns one value per tile, row by row: 1 if the tile is open, otherwise 0. */
  open(): Uint8Array;
  /** Returns the magnitude of each tile, row by row; 0 for tiles without one. */
  magnitudes(): Uint8Array;
  /** Frees the memory immediately instead of on garbage collection. */
  free(): void;
}

/** Path from a source to a target, with statistics of the search. */
export interface Path {
  /** Pairs of x and y, from source to target. */
  tiles: Uint16Array;
  /** Length under the metric of the query. */
  length: number;
  /** Number of steps. */
  steps: number;
  /** Index of the source where the path starts. */
  source: number;
  /** Index of the target where the path ends. */
  target: number;
  /** Guarantee of the length. */
  guarantee: "exact" | "shortest in region" | "valid";
  /** Method that found the path. */
  method: Method;
  /** Minimum magnitude that the search required; null if the query has no depths. */
  depth: number | null;
  /** Number of visited tiles or jump points. */
  visited: number;
  /** Number of expansions of the corridor. */
  expansions: number;
  /** True if the search fell back to the whole grid. */
  fallback: boolean;
}

/** Corridor of the methods restart, mask-f1, mask-f2, mask-optimal and components. */
export interface CorridorOptions {
  /** Side of a coarse cell in tiles, 1 to 1024; 4 by default, 8 for components. */
  factor?: number;
  /** Initial half-width of the corridor in coarse cells, 0 to 1024; 2 by default. */
  radius?: number;
  /** Guardrail: number of expansions before the whole grid is searched, 0 to 1024; 6 by default. */
  maxExpansions?: number;
  /**
   * `any-tile`: one coarse node per cell with an open tile. `components`: one per connected
   * component of open tiles in a cell (the default for the method components).
   */
  coarseRule?: "any-tile" | "components";
}

/** Shortest-path queries on a grid. */
export class Navigator {
  constructor(
    grid: NavGrid,
    options?: {
      preprocessing?: "none" | "coarse" | "full";
      connectivity?: Connectivity;
      metric?: Metric;
    } & CorridorOptions,
  );
  /** Finds a shortest path from any source to any target; null if no path exists. */
  find(
    sources: Tiles,
    targets: Tiles,
    options?: {
      connectivity?: Connectivity;
      metric?: Metric;
      method?: Method;
      /** Candidates for the minimum magnitude of all tiles; the largest possible is used. */
      depths?: number[];
      /** Removes tiles between two tiles that have line of sight to each other. */
      smooth?: boolean;
    },
  ): Path | null;
  /** Opens or blocks tiles and returns the number of changed tiles. */
  edit(tiles: Tiles, open: boolean): number;
  /**
   * Number of steps from the nearest source to every tile, row by row; 4294967295 for unreachable
   * tiles.
   */
  distanceField(sources: Tiles, options?: { connectivity?: Connectivity }): Uint32Array;
  /** Current grid, with all edits. */
  readonly grid: NavGrid;
  /** Frees the memory immediately instead of on garbage collection. */
  free(): void;
}

// Types and functions of the floor specification, under its names.

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

/** How a floor was created. */
export type Origin =
  | { by: "carve"; attempt: number }
  | { by: "safe"; attempts: number }
  | { by: "template"; turn: "r0" | "r90" | "r180" | "r270" | "m0" | "m90" | "m180" | "m270" }
  | { by: "given" };

/**
 * Floor as defined by the floor specification. Wayforge adds the optional members `path`, `origin`
 * and `config`.
 */
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
  /**
   * Configuration that the floor is validated against. Delete it from floors that the game changes.
   */
  config?: GenerationConfig;
}

/** Floor with all members present. */
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
  /** Without it, the exit is uniformly distributed over all tiles except the entrance. */
  minPathLength?: number;
  /** Guarantees a path from entrance to exit without enemies. */
  safeRoute?: boolean;
  /** Guarantees that every chest is reachable without passing an enemy. */
  safeChests?: boolean;
  entrance?: Vec2;
  exit?: Vec2;
  carve?: "walk" | "astar";
  open?: "density" | "rooms";
  /** Fixed cells: one string per row in the characters of templates, `?` for free cells. */
  pins?: string[];
  attempts?: number;
  useTemplate?: boolean;
  templateId?: string;
  template?: Template;
}

/** Floor designed by hand. */
export interface Template {
  id: string;
  rows: string[];
  legend?: Record<
    string,
    { kind: string; meta?: Record<string, unknown>; data?: Record<string, unknown> }
  >;
}

export interface ValidationResult extends Report {
  /** Length of the shortest path in steps; null if no path exists. */
  shortestPath: number | null;
  walkable: number;
  reachable: number;
  /** Number of objects per kind, and how many of them are reachable. */
  objects: { kind: string; present: number; reachable: number }[];
}

/** Mulberry32: returns a function that generates numbers in [0, 1). */
export function createRng(seed: Seed): () => number;
/** Generates a floor. Equal seeds and configurations give equal floors on every platform. */
export function generateFloor(seed: Seed, config?: GenerationConfig): GeneratedFloor;
/**
 * Validates any value as a floor; never throws. Without `config` (the argument or the floor's
 * member), checks the rules of the floor specification. With `config`, also checks budgets and path
 * length. With `path` and `origin` as well, checks every rule of generated floors.
 */
export function validateFloor(floor: MapFloor, config?: GenerationConfig): ValidationResult;
/**
 * Serialises a floor as one line of JSON, which every implementation of the floor specification
 * reads.
 */
export function serializeFloor(floor: MapFloor): string;
/**
 * Parses a `MapFloor` of any implementation, or the document of a floor. Throws a `WayforgeError`
 * that names the first member of a wrong type.
 */
export function deserializeFloor(json: string): MapFloor;
/** Returns the index of a cell in `tiles`. */
export function indexFromPos(pos: Vec2, width: number): number;
/** Returns the cell at an index in `tiles`. */
export function posFromIndex(index: number, width: number): Vec2;
