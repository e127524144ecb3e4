//! The commands as Discord is told of them.

use serde_json::{Value, json};

/// Whole numbers of a configuration that `/map new` takes: name, least, most, rulesets that have it, what it is. A picture
/// larger than that is not read in a chat.
pub(super) const NUMBERS: [(&str, i64, i64, &[&str], &str); 5] = [
    ("rows", 2, 40, &["walks", "rows"], "How many rows (walks and rows; 15 if left out)"),
    ("cols", 2, 14, &["walks", "rows"], "How many columns (walks and rows; 7 if left out)"),
    ("walks", 1, 40, &["walks"], "How many walks climb the map (walks; 6 if left out)"),
    ("act", 1, 4, &["spire"], "Which act of the game (spire; 1 if left out)"),
    ("ascension", 0, 20, &["spire"], "The ascension level (spire; 0 if left out)"),
];

/// The rulesets, and what they are.
pub(super) const RULESETS: [(&str, &str); 3] = [
    ("walks", "walks: several walks climb a grid without crossing"),
    ("rows", "rows: from one start to one boss"),
    ("spire", "spire: the maps of Slay the Spire"),
];

/// The longest seed that is taken, in characters.
pub(super) const SEED: u16 = 100;

/// The definitions of the commands, as Discord takes them: a JSON array.
///
/// ```
/// let commands = wayforge_server::discord::commands();
/// assert_eq!(commands[0]["name"], "map");
/// let names: Vec<_> = commands[0]["options"].as_array().unwrap().iter().map(|sub| sub["name"].as_str().unwrap()).collect();
/// assert_eq!(names, ["new", "show", "move", "undo", "routes", "reset", "reseed"]);
/// ```
pub fn commands() -> Value {
    let seed = |about: &str| with(text("seed", about), json!({ "min_length": 1, "max_length": SEED }));
    let choices = RULESETS.map(|(value, name)| json!({ "name": name, "value": value }));
    let mut new = vec![
        with(text("ruleset", "How the map is made (walks if left out)"), json!({ "choices": choices })),
        seed("A number or any text; for spire as the game shows it (random if left out)"),
    ];
    new.extend(NUMBERS.map(|(name, least, most, _, about)| number(name, (least, most), about)));
    new.push(number("fog", FOG, "How many rows ahead are seen (all if left out)"));
    new.push(option(5, "replace", "Put the map in the place of the one that is here"));
    let typed = json!({ "autocomplete": true, "max_length": 32 });
    let node = with(text("node", "Column and row, as in 3,5; or boss"), typed.clone());
    let kind = text("kind", "A kind of place: the route that meets the most of it");
    let sub = |name: &str, about: &str, options: Vec<Value>| {
        with(option(1, name, about), json!({ "options": options }))
    };
    json!([{
        "type": 1,
        "name": "map",
        "description": "The map of this channel",
        "default_member_permissions": null,
        // Guilds, the bot's own direct messages, and private channels.
        "contexts": [0, 1, 2],
        // For guilds and for users.
        "integration_types": [0, 1],
        "options": [
            sub("new", "Make a map for this channel", new),
            sub("show", "Show the map as it stands", vec![]),
            sub("move", "Go on to a place", vec![with(node, json!({ "required": true }))]),
            sub("undo", "Take the last step back", vec![]),
            sub("routes", "What the ways ahead meet; only you see the answer", vec![with(kind, typed)]),
            sub("reset", "The same map from the start", vec![]),
            sub(
                "reseed",
                "Another map of the same kind",
                vec![seed("A number or any text (random if left out)")],
            ),
        ],
    }])
}

/// The same for one guild: where a command can be used and how it was installed is known there, and Discord takes neither.
pub fn guild_commands() -> Value {
    let mut written = commands();
    for command in written.as_array_mut().into_iter().flatten().filter_map(Value::as_object_mut) {
        command.retain(|member, _| member != "contexts" && member != "integration_types");
    }
    written
}

/// How far one may be asked to see through fog.
pub(super) const FOG: (i64, i64) = (1, 40);

/// An option by Discord's number of its type: 1 a subcommand, 3 text, 4 a whole number, 5 yes or no.
fn option(kind: u8, name: &str, description: &str) -> Value {
    json!({ "type": kind, "name": name, "description": description })
}

fn text(name: &str, description: &str) -> Value {
    option(3, name, description)
}

fn number(name: &str, (least, most): (i64, i64), description: &str) -> Value {
    with(option(4, name, description), json!({ "min_value": least, "max_value": most }))
}

/// An option with more members.
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

    /// Discord's own rules for definitions; it refuses all commands if one breaks them.
    fn check(option: &Value, depth: usize) {
        let text = |member: &str| option[member].as_str().unwrap();
        let name = text("name");
        assert!((1..=32).contains(&name.len()) && name.bytes().all(|b| b.is_ascii_lowercase()), "{name}");
        assert!((1..=100).contains(&text("description").chars().count()), "{name}");
        assert!(depth <= 3);
        let parts = |member: &str| option[member].as_array().cloned().unwrap_or_default();
        assert!(parts("options").len() <= 25 && parts("choices").len() <= 25);
        let required: Vec<bool> = parts("options").iter().map(|part| part["required"] == true).collect();
        assert!(required.is_sorted_by(|a, b| a >= b), "{name}: what is required comes first");
        for choice in parts("choices") {
            assert!((1..=100).contains(&choice["name"].as_str().unwrap().chars().count()));
        }
        assert!(option["autocomplete"].is_null() || option["choices"].is_null());
        if let (Some(least), Some(most)) = (option["min_value"].as_i64(), option["max_value"].as_i64()) {
            assert!(least < most);
        }
        parts("options").iter().for_each(|part| check(part, depth + 1));
    }

    #[test]
    fn definitions_keep_discords_rules() {
        let all = commands();
        assert_eq!(all.as_array().unwrap().len(), 1);
        let map = &all[0];
        check(map, 1);
        assert_eq!((&map["type"], &map["contexts"]), (&1.into(), &serde_json::json!([0, 1, 2])));
        assert!(map.get("version").is_none());
        assert!(map["options"].as_array().unwrap().iter().all(|sub| sub["type"] == 1));
        // Discord's own types read all of it back.
        let mut told = map.clone();
        told["version"] = "1".into();
        let read: Command = serde_json::from_value(told).unwrap();
        let mut written = serde_json::to_value(read).unwrap();
        written.as_object_mut().unwrap().remove("version");
        assert_eq!(written, *map);
    }
}
