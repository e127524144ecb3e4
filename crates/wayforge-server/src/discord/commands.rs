//! The commands as Discord is told of them.

use serde_json::Value;
use twilight_model::application::command::{
    Command, CommandOption, CommandOptionChoice, CommandOptionType, CommandOptionValue, CommandType,
};
use twilight_model::application::interaction::InteractionContextType;
use twilight_model::id::Id;
use twilight_model::oauth::ApplicationIntegrationType;

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
    let mut written = serde_json::to_value([map()]).unwrap_or_default();
    // Discord counts versions itself.
    for command in written.as_array_mut().into_iter().flatten().filter_map(Value::as_object_mut) {
        command.remove("version");
    }
    written
}

/// The same for one guild: where a command can be used and how it was installed is known there, and Discord takes neither.
pub fn guild_commands() -> Value {
    let mut written = commands();
    for command in written.as_array_mut().into_iter().flatten().filter_map(Value::as_object_mut) {
        command.retain(|member, _| member != "contexts" && member != "integration_types");
    }
    written
}

#[allow(deprecated)] // All fields have to be named.
fn map() -> Command {
    let seed = |what: &str| {
        let mut seed = option(CommandOptionType::String, "seed", what);
        (seed.min_length, seed.max_length) = (Some(1), Some(SEED));
        seed
    };
    let mut ruleset = option(CommandOptionType::String, "ruleset", "How the map is made (walks if left out)");
    let choice = |(value, name): (&str, &str)| CommandOptionChoice {
        name: name.to_owned(),
        name_localizations: None,
        value: value.to_owned().into(),
    };
    ruleset.choices = Some(RULESETS.map(choice).to_vec());
    let number = |name: &str, least: i64, most: i64, what: &str| {
        let mut number = option(CommandOptionType::Integer, name, what);
        number.min_value = Some(CommandOptionValue::Integer(least));
        number.max_value = Some(CommandOptionValue::Integer(most));
        number
    };
    let mut wish =
        vec![ruleset, seed("A number or any text; for spire as the game shows it (random if left out)")];
    wish.extend(NUMBERS.map(|(name, least, most, _, what)| number(name, least, most, what)));
    let (least, most) = FOG;
    wish.push(number("fog", least, most, "How many rows ahead are seen (all if left out)"));
    wish.push(option(
        CommandOptionType::Boolean,
        "replace",
        "Put the map in the place of the one that is here",
    ));
    let mut node = option(CommandOptionType::String, "node", "Column and row, as in 3,5; or boss");
    (node.required, node.autocomplete, node.max_length) = (Some(true), Some(true), Some(32));
    let mut kind =
        option(CommandOptionType::String, "kind", "A kind of place: the route that meets the most of it");
    (kind.autocomplete, kind.max_length) = (Some(true), Some(32));
    let sub = |name: &str, what: &str, options: Vec<CommandOption>| {
        let mut sub = option(CommandOptionType::SubCommand, name, what);
        sub.options = Some(options);
        sub
    };
    Command {
        application_id: None,
        contexts: Some(vec![
            InteractionContextType::Guild,
            InteractionContextType::BotDm,
            InteractionContextType::PrivateChannel,
        ]),
        default_member_permissions: None,
        description: "The map of this channel".to_owned(),
        description_localizations: None,
        dm_permission: None,
        guild_id: None,
        id: None,
        integration_types: Some(vec![
            ApplicationIntegrationType::GuildInstall,
            ApplicationIntegrationType::UserInstall,
        ]),
        kind: CommandType::ChatInput,
        name: "map".to_owned(),
        name_localizations: None,
        nsfw: None,
        options: vec![
            sub("new", "Make a map for this channel", wish),
            sub("show", "Show the map as it stands", Vec::new()),
            sub("move", "Go on to a place", vec![node]),
            sub("undo", "Take the last step back", Vec::new()),
            sub("routes", "What the ways ahead meet; only you see the answer", vec![kind]),
            sub("reset", "The same map from the start", Vec::new()),
            sub(
                "reseed",
                "Another map of the same kind",
                vec![seed("A number or any text (random if left out)")],
            ),
        ],
        version: Id::new(1),
    }
}

/// How far one may be asked to see through fog.
pub(super) const FOG: (i64, i64) = (1, 40);

fn option(kind: CommandOptionType, name: &str, description: &str) -> CommandOption {
    CommandOption {
        autocomplete: None,
        channel_types: None,
        choices: None,
        description: description.to_owned(),
        description_localizations: None,
        kind,
        max_length: None,
        max_value: None,
        min_length: None,
        min_value: None,
        name: name.to_owned(),
        name_localizations: None,
        options: None,
        file_types: None,
        required: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let read: Vec<Command> = serde_json::from_value({
            let mut all = all.clone();
            all[0]["version"] = "1".into();
            all
        })
        .unwrap();
        assert_eq!(read, [super::map()]);
    }
}
