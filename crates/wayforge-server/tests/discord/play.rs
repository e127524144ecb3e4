//! Whole maps, played by commands and buttons.

use crate::bed::{Bed, both, key};
use crate::interaction::{ADA, BOB, Place, command, press, token, typing};
use crate::stand_in::Taken;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use wayforge::run::Move;
use wayforge::{Family, Run, Seed};
use wayforge_store::{NewMap, StoredMap};

const GUILD: Place = Place::Guild(81_384_788_765_712_384, 381_870_553_235_193_857);
const DIRECT: Place = Place::Direct(381_870_553_235_193_858);

both!(from_new_to_the_boss, two_users_on_one_button, commands_do_what_they_say);

/// What is shown is what is kept: the buttons are the legal moves, and the picture is one.
fn check_shown(shown: &Taken, map: &StoredMap) {
    let legal: Vec<String> = map.run().unwrap().moves().iter().map(Move::to_string).collect();
    let buttons: Vec<String> = shown.moves().into_iter().map(|(_, step)| step).collect();
    assert_eq!(buttons, legal);
    for (label, id) in shown.buttons().into_iter().filter(|(label, _)| label != "Routes") {
        assert_eq!(
            id.split(' ').nth(2),
            Some(map.revision.to_string().as_str()),
            "{label} names the revision"
        );
    }
    let (width, height, colours) = shown.picture();
    assert!(width > 300 && height > 400 && colours > 50, "{width} x {height}, {colours} colours");
    assert_eq!(shown.file.as_ref().unwrap().name, format!("map-{}.png", map.revision));
    assert!(shown.content().contains(&format!("revision {}", map.revision)), "{}", shown.content());
}

/// From `/map new` up to the boss by buttons, by two users in turn; once in a guild, once in a direct message.
async fn from_new_to_the_boss(bed: Bed) {
    for (place, ruleset, steps) in [(GUILD, "walks", 16), (DIRECT, "rows", 15)] {
        let made = command(ADA, place, "new", &[("ruleset", json!(ruleset)), ("seed", json!("first light"))]);
        let mut shown = bed.shown(made).await;
        assert!(shown.content().starts_with(&format!("<@{}> made a new map.", ADA.0)), "{}", shown.content());
        let mut map = bed.map(place).await.unwrap();
        assert_eq!(map.seed, Seed::from_text("first light"));
        let config = format!(r#"{{"ruleset":"{ruleset}"}}"#);
        assert_eq!(
            map.digest,
            Family::Act.generate(config.as_bytes(), map.seed.clone()).unwrap().to_document().digest
        );
        let mut pictures = BTreeSet::new();
        for turn in 0..steps {
            check_shown(&shown, &map);
            assert!(
                pictures.insert(shown.file.as_ref().unwrap().bytes.clone()),
                "every step is another picture"
            );
            let (user, moves) = (if turn % 2 == 0 { BOB } else { ADA }, shown.moves());
            let (label, step) = &moves[turn % moves.len()];
            let Run::Act(play) = map.run().unwrap() else { panic!("an act map") };
            let chosen = step.parse::<Move>().unwrap();
            let Move::Act(node) = chosen else { panic!("a move on an act map") };
            let kind = play.map().kind_name(play.kind_of(node)).unwrap();
            assert!(step == "boss" || *label == format!("{step} ({kind})"), "{label}");
            assert!(shown.alt().contains("seed"), "the map itself is told: {}", shown.alt());
            let here = wayforge::act::routes(play.map()).describe_choices(standing(&play));
            assert!(here.len() > 900 || shown.alt().starts_with(&here), "{}\n{here}", shown.alt());
            shown = bed.shown(press(user, place, &shown.button(label))).await;
            assert!(shown.content().starts_with(&format!("<@{}> moved. ", user.0)), "{}", shown.content());
            let next = bed.map(place).await.unwrap();
            assert_eq!(next.run().unwrap(), map.run().unwrap().advance(chosen).unwrap());
            map = next;
        }
        check_shown(&shown, &map);
        assert!(map.run().unwrap().is_finished() && shown.moves().is_empty());
        assert!(shown.content().contains("The goal is reached."), "{}", shown.content());
        assert!(shown.alt().starts_with("The way taken: Start at column"), "{}", shown.alt());
        let others: Vec<String> = shown.buttons().into_iter().map(|(label, _)| label).collect();
        assert_eq!(others, ["Undo", "Again", "Another map", "Routes"]);
        if let Ok(folder) = std::env::var("WAYFORGE_KEEP_PICTURES") {
            std::fs::write(format!("{folder}/{ruleset}.png"), &shown.file.as_ref().unwrap().bytes).unwrap();
        }
        // History says who did what.
        let history = bed.store.history(&key(place), None, 100).await.unwrap().items;
        assert_eq!(history.len(), steps + 1);
        assert_eq!(history[steps].actor.as_str(), format!("discord:{} ada", ADA.0));
        assert_eq!(history[steps - 1].actor.as_str(), format!("discord:{} bob", BOB.0));
        assert_eq!(history[steps - 2].actor.as_str(), format!("discord:{} ada", ADA.0));
        // The buttons of the end.
        let back = bed.shown(press(ADA, place, &shown.button("Undo"))).await;
        assert_eq!(back.moves().len(), 1, "the boss again");
        let top = bed.shown(press(ADA, place, &back.button(&back.moves()[0].0))).await;
        let again = bed.shown(press(BOB, place, &top.button("Again"))).await;
        assert!(
            again.content().contains("went back to the start. The party stands below row 0."),
            "{}",
            again.content()
        );
        let now = bed.map(place).await.unwrap();
        assert_eq!((now.digest, now.run().unwrap().undo()), (map.digest, None));
        assert!(!again.buttons().iter().any(|(label, _)| label == "Undo"), "nothing to take back");
    }
    let seeds =
        [bed.map(GUILD).await.unwrap().listed.algorithm, bed.map(DIRECT).await.unwrap().listed.algorithm];
    assert_eq!(seeds, ["act.walks/1", "act.rows/1"], "a guild's channel and a direct message are two");
}

fn standing(play: &wayforge::act::Play) -> Option<wayforge::act::NodePos> {
    match play.current()? {
        wayforge::act::Step::Node { row, col } => Some(wayforge::act::NodePos { row, col }),
        wayforge::act::Step::Boss => None,
    }
}

/// Of two users on one button one wins; the other alone is told how things stand, with a picture.
async fn two_users_on_one_button(bed: Bed) {
    let mut shown = bed.shown(command(ADA, GUILD, "new", &[("seed", json!("42"))])).await;
    for round in 0..8_u64 {
        let id = shown.button(&shown.moves()[0].0);
        let (one, other) = (press(ADA, GUILD, &id), press(BOB, GUILD, &id));
        let (first, second) = tokio::join!(bed.send(&one), bed.send(&other));
        let won = |answer: &Value| *answer == json!({ "type": 6 });
        assert!(won(&first) != won(&second), "one wins: {first} {second}");
        let (winner, loser, said) = if won(&first) { (&one, &other, second) } else { (&other, &one, first) };
        assert_eq!(
            (&said["type"], &said["data"]["flags"]),
            (&json!(4), &json!(64)),
            "only the loser sees it"
        );
        let map = bed.map(GUILD).await.unwrap();
        assert_eq!(map.revision.0, round + 2, "one move was made");
        shown = bed.discord.next(&token(winner)).await;
        check_shown(&shown, &map);
        let told = said["data"]["content"].as_str().unwrap();
        assert!(
            told.starts_with("Somebody else was first") && told.contains("The party stands at "),
            "{told}"
        );
        assert!(told.contains(&format!("revision {}", map.revision)), "{told}");
        for (label, _) in shown.moves() {
            assert!(told.contains(&label), "the loser is told what is next: {told}");
        }
        let picture = bed.discord.next(&token(loser)).await;
        assert_eq!(picture.file.unwrap().bytes, shown.file.as_ref().unwrap().bytes, "both see the same map");
        assert_eq!((picture.body["content"].as_str(), &picture.body["components"]), (Some(told), &json!([])));
    }
    // A button of a message that is long past changes nothing either.
    let old = bed.told(press(BOB, GUILD, "wf1 undo 1")).await;
    assert!(old.starts_with("Somebody else was first"), "{old}");
    assert_eq!(bed.map(GUILD).await.unwrap().revision.0, 9);
}

async fn commands_do_what_they_say(bed: Bed) {
    let none = bed.told(command(ADA, GUILD, "show", &[])).await;
    assert_eq!(none, "This channel has no map yet; `/map new` makes one.");
    let options = [
        ("ruleset", json!("walks")),
        ("seed", json!("42")),
        ("rows", json!(6)),
        ("cols", json!(4)),
        ("walks", json!(3)),
    ];
    bed.shown(command(ADA, GUILD, "new", &options)).await;
    let map = bed.map(GUILD).await.unwrap();
    let config = br#"{"rows":6,"cols":4,"walks":3}"#;
    assert_eq!(map.digest, Family::Act.generate(config, Seed::new(42)).unwrap().to_document().digest);
    // A map that is there is not replaced by mistake.
    let refused = bed.told(command(BOB, GUILD, "new", &[])).await;
    assert!(
        refused.starts_with("This channel has a map (revision 1).") && refused.contains("replace"),
        "{refused}"
    );
    let moves = map.run().unwrap().moves();
    let step = moves.last().unwrap();
    let moved = bed.shown(command(BOB, GUILD, "move", &[("node", json!(format!("Node {step}")))])).await;
    let map = bed.map(GUILD).await.unwrap();
    check_shown(&moved, &map);
    assert_eq!(map.revision.0, 2);
    let shown = bed.shown(command(ADA, GUILD, "show", &[])).await;
    check_shown(&shown, &map);
    assert!(shown.content().starts_with(&format!("The party stands at {step} (")), "{}", shown.content());
    assert_eq!(shown.file.unwrap().bytes, moved.file.as_ref().unwrap().bytes);
    // Illegal and senseless moves.
    let illegal = bed.told(command(ADA, GUILD, "move", &[("node", json!("3,5"))])).await;
    assert!(illegal.starts_with("Node 3,5 is not a legal move from "), "{illegal}");
    let senseless = bed.told(command(ADA, GUILD, "move", &[("node", json!("up"))])).await;
    assert!(senseless.contains("no such move; write COLUMN,ROW"), "{senseless}");
    let other = bed.told(command(ADA, GUILD, "move", &[("node", json!("north"))])).await;
    assert!(other.contains("North is no move on this map; legal: "), "{other}");
    // Routes are for the asking user.
    let routes = bed.told(command(ADA, GUILD, "routes", &[])).await;
    assert!(routes.contains("lead") && routes.contains("From Node"), "{routes}");
    let most = bed.told(command(ADA, GUILD, "routes", &[("kind", json!("monster"))])).await;
    assert!(most.starts_with("The most of monster that can be met from here is "), "{most}");
    let strange = bed.told(command(ADA, GUILD, "routes", &[("kind", json!("`unicorn`"))])).await;
    assert!(strange.starts_with("The map has no kind `unicorn`; it has monster, "), "{strange}");
    assert_eq!(bed.told(press(ADA, GUILD, "wf1 routes")).await, routes);
    // Options that are typed.
    let typed = bed.send(&typing(ADA, GUILD, "move", "node", "")).await;
    let legal: Vec<String> = map.run().unwrap().moves().iter().map(Move::to_string).collect();
    let values: Vec<&str> = typed["data"]["choices"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["value"].as_str().unwrap())
        .collect();
    assert_eq!((&typed["type"], values), (&json!(8), legal.iter().map(String::as_str).collect()));
    let kinds = bed.send(&typing(ADA, GUILD, "routes", "kind", " MON")).await;
    assert_eq!(kinds["data"]["choices"], json!([{ "name": "monster", "value": "monster" }]));
    let elsewhere = bed.send(&typing(ADA, DIRECT, "move", "node", "3")).await;
    assert_eq!(elsewhere, json!({ "type": 8, "data": { "choices": [] } }));
    // Back, anew, another one.
    bed.shown(command(ADA, GUILD, "undo", &[])).await;
    let start = bed.told(command(ADA, GUILD, "undo", &[])).await;
    assert!(start.starts_with("There is nothing to take back"), "{start}");
    bed.shown(command(ADA, GUILD, "move", &[("node", json!(step.to_string()))])).await;
    bed.shown(command(ADA, GUILD, "reset", &[])).await;
    bed.shown(command(ADA, GUILD, "reseed", &[("seed", json!("43"))])).await;
    assert_eq!(
        bed.map(GUILD).await.unwrap().digest,
        Family::Act.generate(config, Seed::new(43)).unwrap().to_document().digest
    );
    bed.shown(command(ADA, GUILD, "reseed", &[])).await;
    assert_ne!(bed.map(GUILD).await.unwrap().seed, Seed::new(43), "a seed was drawn");
    // The game's own maps, with seeds as the game writes them, and fog.
    let options = [
        ("ruleset", json!("spire")),
        ("act", json!(2)),
        ("seed", json!("5TNX0B1NZ4J5")),
        ("fog", json!(1)),
        ("replace", json!(true)),
    ];
    let spire = bed.shown(command(ADA, GUILD, "new", &options)).await;
    assert!(spire.content().contains("act.spire/1 · seed 5TNX0B1NZ4J5"), "{}", spire.content());
    let events: Vec<String> = bed
        .store
        .history(&key(GUILD), None, 100)
        .await
        .unwrap()
        .items
        .iter()
        .map(|entry| entry.event.to_string())
        .collect();
    let step = format!("move {step}");
    assert_eq!(events, ["create", "reseed", "reseed", "reset", &step, "undo", &step, "create"]);
}

/// Fog hides in words what it hides in the picture.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn fog_hides_kinds_everywhere() {
    let bed = Bed::sqlite().await;
    let shown = bed.shown(command(ADA, GUILD, "new", &[("seed", json!("42")), ("fog", json!(1))])).await;
    for hidden in ["elite", "rest", "treasure", "shop", "event"] {
        assert!(!shown.alt().contains(hidden), "{hidden}: {}", shown.alt());
    }
    assert!(shown.alt().contains("Next: 0,") && shown.alt().contains("hidden"), "{}", shown.alt());
    let routes = bed.told(command(ADA, GUILD, "routes", &[("kind", json!("elite"))])).await;
    assert!(routes.starts_with("Fog hides the ways ahead.") && !routes.contains("elite"), "{routes}");
    let (label, step) = &shown.moves()[0];
    assert_eq!(*label, format!("{step} (monster)"));
}

/// Other families come to a channel by the service; they are shown and played as far as they can be.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn all_families_are_shown() {
    let bed = Bed::sqlite().await;
    for (n, family) in Family::ALL.into_iter().enumerate() {
        let place = Place::Guild(1, 100 + n as u64);
        let new = NewMap::generate(family, b"{}", Seed::new(7)).unwrap();
        bed.store.create(&key(place), new, None, &wayforge_store::Actor::new("ada").unwrap()).await.unwrap();
        let shown = bed.shown(command(ADA, place, "show", &[])).await;
        assert!(shown.picture().2 > 5 && shown.alt().contains("seed 7"), "{family}: {}", shown.alt());
        if family == Family::Level {
            assert_eq!(shown.content().lines().next(), Some("This channel holds a level."));
            assert!(shown.buttons().is_empty());
            let refused = bed.told(command(ADA, place, "move", &[("node", json!("boss"))])).await;
            assert!(refused.starts_with("A level has no progress"), "{refused}");
            continue;
        }
        check_legal(&shown, &bed.map(place).await.unwrap());
        let moved = bed.shown(press(ADA, place, &shown.button(&shown.moves()[0].0))).await;
        check_legal(&moved, &bed.map(place).await.unwrap());
        let routes = bed.told(command(ADA, place, "routes", &[])).await;
        assert!(
            family == Family::Act
                || routes == format!("Routes are told of act maps; this channel holds a {family}.")
        );
    }
    // More ways than buttons.
    let place = Place::Guild(1, 200);
    let wide = NewMap::generate(Family::Act, br#"{"rows":3,"cols":64,"walks":200}"#, Seed::new(7)).unwrap();
    bed.store.create(&key(place), wide, None, &wayforge_store::Actor::new("ada").unwrap()).await.unwrap();
    let shown = bed.shown(command(ADA, place, "show", &[])).await;
    assert_eq!(shown.moves().len(), 20);
    assert!(shown.content().contains("`/map move` knows them all"), "{}", shown.content());
    let last = bed.map(place).await.unwrap().run().unwrap().moves().last().unwrap().to_string();
    let typed = bed.send(&typing(ADA, place, "move", "node", &last)).await;
    assert_eq!(typed["data"]["choices"][0]["value"], last);
    bed.shown(command(ADA, place, "move", &[("node", json!(last))])).await;
}

fn check_legal(shown: &Taken, map: &StoredMap) {
    let legal: Vec<String> = map.run().unwrap().moves().iter().map(Move::to_string).collect();
    assert_eq!(shown.moves().into_iter().map(|(_, step)| step).collect::<Vec<_>>(), legal);
}
