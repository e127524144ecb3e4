// Layout of each page's form. Fields that are not listed appear under "More".

/**
 * @typedef {object} Plan
 * @property {string} title
 * @property {string} lead
 * @property {[string, string[]][]} sections
 * @property {{ [field: string]: number }} sliderMax Maximum of a slider; the number input allows
 *   the schema's full range.
 * @property {{ [field: string]: string[] }} hints Suggested values of text fields.
 */

/** @type {{ [family: string]: Plan }} */
export const PLANS = {
  act: {
    title: "Act maps",
    lead: "Branching maps, climbed row by row to the boss.",
    sections: [
      [
        "Shape",
        [
          "ruleset",
          "rows",
          "cols",
          "walks",
          "nearest",
          "min_nodes",
          "max_nodes",
          "boss",
          "act",
          "ascension",
          "emerald",
        ],
      ],
      ["Room types", ["kinds"]],
      ["Pins and blocked cells", ["pins", "blocked"]],
      ["Advanced: solver", ["depth", "restarts", "attempts"]],
    ],
    sliderMax: {
      rows: 30,
      cols: 12,
      walks: 16,
      nearest: 9,
      min_nodes: 12,
      max_nodes: 12,
      depth: 16,
      restarts: 40,
      attempts: 100,
    },
    hints: {},
  },
  level: {
    title: "Levels",
    lead: "Grids of floor, walls and hazards, proved winnable.",
    sections: [
      ["Shape", ["width", "height", "walls", "interior_walls", "reinforced", "exits"]],
      [
        "Goal",
        [
          "fuel",
          "endurance",
          "players",
          "cars",
          "fuel_spots",
          "empty_cans",
          "flashlights",
          "shoes",
          "min_separation",
        ],
      ],
      [
        "Terrain",
        [
          "pitfalls",
          "plants",
          "puddles",
          "moving_floors",
          "fall_spawn_zones",
          "fall_spawn_floor_ratio",
        ],
      ],
      ["Pins and objectives", ["pins", "marks", "objectives"]],
      ["Proof", ["reachable", "soft_locks", "repair", "attempts", "retry", "blocked"]],
    ],
    sliderMax: {
      width: 96,
      height: 64,
      players: 6,
      cars: 6,
      fuel_spots: 8,
      empty_cans: 8,
      flashlights: 8,
      shoes: 8,
      min_separation: 24,
      attempts: 100,
    },
    hints: {
      walls: [
        "default",
        "empty",
        "grid_wire",
        "maze",
        "caves",
        "sparse_moore",
        "sparse_moore.25%",
        "sparse_ortho",
        "sparse_ortho.30%",
      ],
    },
  },
  floor: {
    title: "Floors",
    lead: "Dungeon floors with a path from entrance to exit and exact budgets.",
    sections: [
      ["Shape", ["width", "height", "wallDensity", "minPathLength", "carve", "open"]],
      [
        "Budgets",
        [
          "enemyBudget",
          "chestBudget",
          "itemBudget",
          "relicBudget",
          "npcBudget",
          "trapBudget",
          "doorBudget",
          "waterBudget",
        ],
      ],
      ["Safety", ["safeRoute", "safeChests"]],
      ["Pins, entrance and exit", ["pins", "entrance", "exit"]],
      ["Template", ["useTemplate", "templateId", "template"]],
      ["Advanced: solver", ["attempts"]],
    ],
    sliderMax: { width: 24, height: 24 },
    hints: {},
  },
  tower: {
    title: "Towers",
    lead: "Stacked floors, each entered at the exit of the floor below.",
    sections: [
      ["Tower", ["floors", "boss", "templates", "curves"]],
      ["First floor", ["floor"]],
    ],
    sliderMax: { floors: 30, width: 16, height: 16 },
    hints: {},
  },
  path: {
    title: "Pathfinding",
    lead: "Shortest paths on a sea map, with the search step by step.",
    sections: [["Sea map", ["width", "height", "land", "scale", "detail"]]],
    sliderMax: { width: 600, height: 400, scale: 256 },
    hints: {},
  },
};

/** Corridor options of the pathfinding page. @type {Plan} */
export const CORRIDOR_PLAN = {
  title: "Corridor",
  lead: "",
  sections: [["Corridor", ["factor", "radius", "max_expansions", "coarse_rule"]]],
  sliderMax: { factor: 32, radius: 16, max_expansions: 32 },
  hints: {},
};

/** Order of fields inside groups. */
export const ORDER = [
  ...[
    "name",
    "kinds",
    "kind",
    "field",
    "row",
    "col",
    "x",
    "y",
    "width",
    "height",
    "weight",
    "amount",
    "symbol",
    "icon",
    "min",
    "max",
    "every",
    "template",
    "by",
    "from",
    "to",
  ],
  ...PLANS.floor.sections.flatMap(([, names]) => names),
];
