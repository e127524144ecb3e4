//! Definitions of the slash commands, as Discord's API expects them.

use serde_json::{Value, json};

/// Option of `/map new` that sets a whole number of the configuration.
pub(super) struct NumberOption {
    /// Name of the option and of the configuration's field.
    pub(super) name: &'static str,
    /// Minimum and maximum; pictures of larger maps are unreadable in a chat.
    pub(super) range: (i64, i64),
    /// Rulesets that have the field.
    pub(super) rulesets: &'static [&'static str],
    description: &'static str,
}

impl NumberOption {
    const fn new(
        name: &'static str,
        range: (i64, i64),
        rulesets: &'static [&'static str],
        description: &'static str,
    ) -> NumberOption {
        NumberOption { name, range, rulesets, description }
    }
}

/// Rulesets on a grid.
const GRID: &[&str] = &["walks", "rows"];

/// Whole numbers of a configuration that `/map new` accepts.
pub(super) const NUMBER_OPTIONS: [NumberOption; 5] = [
    NumberOption::new("rows", (2, 40), GRID, "Number of rows (walks and rows; default 15)"),
    NumberOption::new("cols", (2, 14), GRID, "Number of columns (walks and rows; default 7)"),
    NumberOption::new("walks", (1, 40), &["walks"], "Paths to the top (walks; default 6)"),
    NumberOption::new("act", (1, 4), &["spire"], "Act of the game (spire; default 1)"),
    NumberOption::new("ascension", (0, 20), &["spire"], "Ascension level (spire; default 0)"),
];

/// Rulesets with their descriptions.
pub(super) const RULESETS: [(&str, &str); 3] = [
    ("walks", "walks: several walks climb a grid without crossing"),
    ("rows", "rows: from one start to one boss"),
    ("spire", "spire: the maps of Slay the Spire"),
];

/// Maximum length of a seed in characters.
pub(super) const MAX_SEED_LENGTH: u16 = 100;

/// Minimum and maximum number of rows that are visible in fog.
pub(super) const FOG_ROWS: (i64, i64) = (1, 40);

/// Returns the definitions of the global slash commands, a JSON array.
///
/// # Examples
/// ```
/// let commands = wayforge_server::discord::command_definitions();
/// assert_eq!(commands[0]["name"], "map");
/// let options = commands[0]["options"].as_array().unwrap();
/// let names: Vec<_> = options.iter().map(|sub| sub["name"].as_str().unwrap()).collect();
/// assert_eq!(names, ["new", "show", "move", "undo", "routes", "reset", "reseed"]);
/// ```
pub fn command_definitions() -> Value {
    let seed = |description: &str| {
        let lengths = json!({ "min_length": 1, "max_length": MAX_SEED_LENGTH });
        with(text("seed", description), lengths)
    };
    let choices = RULESETS.map(|(value, name)| json!({ "name": name, "value": value }));
    let mut new = vec![
        with(text("ruleset", "Rules of the map (default: walks)"), json!({ "choices": choices })),
        seed("A number or any text; for spire as the game shows it (default: random)"),
    ];
    new.extend(NUMBER_OPTIONS.map(|option| number(option.name, option.range, option.description)));
    new.push(number("fog", FOG_ROWS, "Number of visible rows ahead (default: all)"));
    new.push(option(5, "replace", "Replace the map of this channel"));
    let autocomplete = json!({ "autocomplete": true, "max_length": 32 });
    let node = with(text("node", "Column and row, for example 3,5; or boss"), autocomplete.clone());
    let kind = text("kind", "Also show the route with the most nodes of this kind");
    let sub = |name: &str, description: &str, options: Vec<Value>| {
        with(option(1, name, description), json!({ "options": options }))
    };
    json!([{
        "type": 1,
        "name": "map",
        "description": "The map of this channel",
        "default_member_permissions": null,
        // Guilds, direct messages with the bot, and private channels.
        "contexts": [0, 1, 2],
        // Installable in guilds and by users.
        "integration_types": [0, 1],
        "options": [
            sub("new", "Create a map for this channel", new),
            sub("show", "Show the current map", vec![]),
            sub("move", "Move to a node", vec![with(node, json!({ "required": true }))]),
            sub("undo", "Undo the last move", vec![]),
            sub("routes", "Describe the routes ahead, only to you", vec![with(kind, autocomplete)]),
            sub("reset", "Restart the map", vec![]),
            sub(
                "reseed",
                "Generate another map with the same settings",
                vec![seed("A number or any text (default: random)")],
            ),
        ],
    }])
}

/// Returns the definitions of the slash commands for a single guild.
///
/// Discord rejects `contexts` and `integration_types` in guild commands.
pub fn guild_command_definitions() -> Value {
    let mut definitions = command_definitions();
    let commands = definitions.as_array_mut().into_iter().flatten();
    for command in commands.filter_map(Value::as_object_mut) {
        command.retain(|member, _| member != "contexts" && member != "integration_types");
    }
    definitions
}

/// Creates an option of a type: 1 subcommand, 3 string, 4 integer, 5 boolean.
fn option(kind: u8, name: &str, description: &str) -> Value {
    json!({ "type": kind, "name": name, "description": description })
}

fn text(name: &str, description: &str) -> Value {
    option(3, name, description)
}

fn number(name: &str, (min, max): (i64, i64), description: &str) -> Value {
    with(option(4, name, description), json!({ "min_value": min, "max_value": max }))
}

/// Adds members to an option.
fn with(mut option: Value, members: Value) -> Value {
    if let (Value::Object(option), Value::Object(members)) = (&mut option, members) {
        option.extend(members);
    }
    option
}

#[cfg(test)]
mod tests {
    use super::*;
    use twilight_model::application::command::Command;

    /// Checks Discord's rules for definitions; one violation makes it reject all commands.
    fn check(option: &Value, depth: usize) {
        let text = |member: &str| option[member].as_str().unwrap();
        let name = text("name");
        assert!(
            (1..=32).contains(&name.len()) && name.bytes().all(|b| b.is_ascii_lowercase()),
            "{name}"
        );
        assert!((1..=100).contains(&text("description").chars().count()), "{name}");
        assert!(depth <= 3);
        let parts = |member: &str| option[member].as_array().cloned().unwrap_or_default();
        assert!(parts("options").len() <= 25 && parts("choices").len() <= 25);
        let required: Vec<bool> =
            parts("options").iter().map(|part| part["required"] == true).collect();
        assert!(required.is_sorted_by(|a, b| a >= b), "{name}: required options come first");
        for choice in parts("choices") {
            assert!((1..=100).contains(&choice["name"].as_str().unwrap().chars().count()));
        }
        assert!(option["autocomplete"].is_null() || option["choices"].is_null());
        if let (Some(min), Some(max)) = (option["min_value"].as_i64(), option["max_value"].as_i64())
        {
            assert!(min < max);
        }
        parts("options").iter().for_each(|part| check(part, depth + 1));
    }

    #[test]
    fn definitions_follow_discords_rules() {
        let all = command_definitions();
        assert_eq!(all.as_array().unwrap().len(), 1);
        let map = &all[0];
        check(map, 1);
        assert_eq!((&map["type"], &map["contexts"]), (&1.into(), &serde_json::json!([0, 1, 2])));
        assert!(map.get("version").is_none());
        assert!(map["options"].as_array().unwrap().iter().all(|sub| sub["type"] == 1));
        // An independent model of Discord's API round-trips the definition.
        let mut versioned = map.clone();
        versioned["version"] = "1".into();
        let read: Command = serde_json::from_value(versioned).unwrap();
        let mut written = serde_json::to_value(read).unwrap();
        written.as_object_mut().unwrap().remove("version");
        assert_eq!(written, *map);
    }
}
