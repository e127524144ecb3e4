// How each family's fields are put together. Fields that are not named here stand under "More": none can be missing.

/**
 * @typedef {object} Plan
 * @property {string} title
 * @property {string} lead
 * @property {[string, string[]][]} sections
 * @property {{ [field: string]: number }} reach How far sliders go; numbers go as far as the schema says.
 * @property {{ [field: string]: string[] }} hints What texts are usual.
 */

/** @type {{ [family: string]: Plan }} */
export const PLANS = {
  act: {
    title: "Act maps",
    lead: "Graphs climbed from the bottom row to the boss.",
    sections: [
      ["Shape", ["ruleset", "rows", "cols", "walks", "nearest", "min_nodes", "max_nodes", "boss", "act", "ascension", "emerald"]],
      ["Kinds", ["kinds"]],
      ["Fixed places", ["pins", "blocked"]],
      ["Search", ["depth", "restarts", "attempts"]],
    ],
    reach: { rows: 30, cols: 12, walks: 16, nearest: 9, min_nodes: 12, max_nodes: 12, depth: 16, restarts: 40, attempts: 100 },
    hints: {},
  },
  level: {
    title: "Levels",
    lead: "Grids of floor, walls and hazards, proved winnable.",
    sections: [
      ["Shape", ["width", "height", "walls", "interior_walls", "reinforced", "exits"]],
      ["Goal", ["fuel", "endurance", "players", "cars", "fuel_spots", "empty_cans", "flashlights", "shoes", "min_separation"]],
      ["Ground", ["pitfalls", "plants", "puddles", "moving_floors", "fall_spawn_zones", "fall_spawn_floor_ratio"]],
      ["Fixed places", ["pins", "marks", "objectives"]],
      ["Proof", ["reachable", "soft_locks", "repair", "attempts", "retry", "blocked"]],
    ],
    reach: { width: 96, height: 64, players: 6, cars: 6, fuel_spots: 8, empty_cans: 8, flashlights: 8, shoes: 8, min_separation: 24, attempts: 100 },
    hints: {
      walls: ["default", "empty", "grid_wire", "maze", "caves", "sparse_moore", "sparse_moore.25%", "sparse_ortho", "sparse_ortho.30%"],
    },
  },
  floor: {
    title: "Floors",
    lead: "Tiles with a way from entrance to exit, and exact budgets.",
    sections: [
      ["Shape", ["width", "height", "wallDensity", "minPathLength", "carve", "open"]],
      ["Budgets", ["enemyBudget", "chestBudget", "itemBudget", "relicBudget", "npcBudget", "trapBudget", "doorBudget", "waterBudget"]],
      ["Safety", ["safeRoute", "safeChests"]],
      ["Fixed places", ["pins", "entrance", "exit"]],
      ["Template", ["useTemplate", "templateId", "template"]],
      ["Search", ["attempts"]],
    ],
    reach: { width: 24, height: 24 },
    hints: {},
  },
  tower: {
    title: "Towers",
    lead: "Floors above each other, each entered where the one below ends.",
    sections: [
      ["Tower", ["floors", "boss", "templates", "curves"]],
      ["First floor", ["floor"]],
    ],
    reach: { floors: 30, width: 16, height: 16 },
    hints: {},
  },
  water: {
    title: "Ways",
    lead: "The shortest way by water, and how it is found.",
    sections: [["Sea", ["width", "height", "land", "scale", "detail"]]],
    reach: { width: 600, height: 400, scale: 256 },
    hints: {},
  },
};

/** The corridor options of the pathfinding page. @type {Plan} */
export const CORRIDOR_PLAN = {
  title: "Corridor",
  lead: "",
  sections: [["Corridor", ["factor", "radius", "max_expansions", "coarse_rule"]]],
  reach: { factor: 32, radius: 16, max_expansions: 32 },
  hints: {},
};

/** The order of fields inside groups: what is named first matters most. */
export const ORDER = [
  ...["name", "kinds", "kind", "field", "row", "col", "x", "y", "width", "height", "weight", "amount", "symbol", "icon", "min", "max", "every", "template", "by", "from", "to"],
  ...PLANS.floor.sections.flatMap(([, names]) => names),
];
