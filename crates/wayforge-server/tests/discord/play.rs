//! Plays maps with commands and buttons.

use crate::cluster::both;
use crate::fixture::{Fixture, key};
use crate::interaction::{ADA, BOB, TestChannel, autocomplete, command, press, token};
use crate::mock_api::SentRequest;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use wayforge::run::Move;
use wayforge::{Family, Run, Seed};
use wayforge_store::{NewMap, StoredMap};

const GUILD: TestChannel = TestChannel::Guild(81_384_788_765_712_384, 381_870_553_235_193_857);
const DIRECT: TestChannel = TestChannel::Direct(381_870_553_235_193_858);

both!(plays_to_the_boss, only_one_of_two_button_presses_succeeds, executes_every_command);

/// Checks that a message shows the stored map: buttons for the legal moves, and a picture.
fn check_shown(shown: &SentRequest, map: &StoredMap) {
    let legal: Vec<String> = map.run().unwrap().moves().iter().map(Move::to_string).collect();
    let buttons: Vec<String> = shown.moves().into_iter().map(|(_, step)| step).collect();
    assert_eq!(buttons, legal);
    for (label, id) in shown.buttons().into_iter().filter(|(label, _)| label != "Routes") {
        assert_eq!(
            id.split(' ').nth(2),
            Some(map.revision.to_string().as_str()),
            "{label}: revision"
        );
    }
    let (width, height, colours) = shown.picture();
    assert!(width > 300 && height > 400 && colours > 50, "{width} x {height}, {colours} colours");
    assert_eq!(shown.file.as_ref().unwrap().name, format!("map-{}.png", map.revision));
    assert!(shown.content().contains(&format!("revision {}", map.revision)), "{}", shown.content());
}

/// Two users take turns from `/map new` to the boss, in a guild and in a direct message.
async fn plays_to_the_boss(fixture: Fixture) {
    for (channel, ruleset, steps) in [(GUILD, "walks", 16), (DIRECT, "rows", 15)] {
        let new_map = command(
            ADA,
            channel,
            "new",
            &[("ruleset", json!(ruleset)), ("seed", json!("first light"))],
        );
        let mut shown = fixture.send_public(new_map).await;
        assert!(
            shown.content().starts_with(&format!("<@{}> created a new map.", ADA.0)),
            "{}",
            shown.content()
        );
        let mut map = fixture.map(channel).await.unwrap();
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
                "every move changes the picture"
            );
            let (user, moves) = (if turn % 2 == 0 { BOB } else { ADA }, shown.moves());
            let (label, step) = &moves[turn % moves.len()];
            let Run::Act(play) = map.run().unwrap() else { panic!("an act map") };
            let chosen = step.parse::<Move>().unwrap();
            let Move::Act(node) = chosen else { panic!("a move on an act map") };
            let kind = play.map().kind_name(play.kind_of(node)).unwrap();
            assert!(step == "boss" || *label == format!("{step} ({kind})"), "{label}");
            assert!(shown.alt().contains("seed"), "describes the map: {}", shown.alt());
            let choices = wayforge::act::routes(play.map()).describe_choices(current_node(&play));
            assert!(
                choices.len() > 900 || shown.alt().starts_with(&choices),
                "{}\n{choices}",
                shown.alt()
            );
            shown = fixture.send_public(press(user, channel, &shown.button(label))).await;
            assert!(
                shown.content().starts_with(&format!("<@{}> moved. ", user.0)),
                "{}",
                shown.content()
            );
            let next = fixture.map(channel).await.unwrap();
            assert_eq!(next.run().unwrap(), map.run().unwrap().advance(chosen).unwrap());
            map = next;
        }
        check_shown(&shown, &map);
        assert!(map.run().unwrap().is_finished() && shown.moves().is_empty());
        assert!(shown.content().contains("Goal reached!"), "{}", shown.content());
        assert!(shown.alt().starts_with("Route taken: Start at column"), "{}", shown.alt());
        let others: Vec<String> = shown.buttons().into_iter().map(|(label, _)| label).collect();
        assert_eq!(others, ["Undo", "Play again", "New map", "Routes"]);
        if let Ok(folder) = std::env::var("WAYFORGE_PICTURE_FOLDER") {
            std::fs::write(format!("{folder}/{ruleset}.png"), &shown.file.as_ref().unwrap().bytes)
                .unwrap();
        }
        // The history contains the author of every move.
        let history = fixture.store.history(&key(channel), None, 100).await.unwrap().items;
        assert_eq!(history.len(), steps + 1);
        assert_eq!(history[steps].actor.as_str(), format!("discord:{} ada", ADA.0));
        assert_eq!(history[steps - 1].actor.as_str(), format!("discord:{} bob", BOB.0));
        assert_eq!(history[steps - 2].actor.as_str(), format!("discord:{} ada", ADA.0));
        // Buttons at the end of the map.
        let back = fixture.send_public(press(ADA, channel, &shown.button("Undo"))).await;
        assert_eq!(back.moves().len(), 1, "back before the boss");
        let top = fixture.send_public(press(ADA, channel, &back.button(&back.moves()[0].0))).await;
        let again = fixture.send_public(press(BOB, channel, &top.button("Play again"))).await;
        assert!(
            again.content().contains("restarted the map. The party is at the start, below row 0."),
            "{}",
            again.content()
        );
        let now = fixture.map(channel).await.unwrap();
        assert_eq!((now.digest, now.run().unwrap().undo()), (map.digest, None));
        assert!(!again.buttons().iter().any(|(label, _)| label == "Undo"), "nothing to undo");
    }
    let seeds = [
        fixture.map(GUILD).await.unwrap().summary.algorithm,
        fixture.map(DIRECT).await.unwrap().summary.algorithm,
    ];
    assert_eq!(
        seeds,
        ["act.walks/1", "act.rows/1"],
        "guild channel and direct message have separate maps"
    );
}

fn current_node(play: &wayforge::act::Play) -> Option<wayforge::act::NodePos> {
    match play.current()? {
        wayforge::act::Step::Node { row, col } => Some(wayforge::act::NodePos { row, col }),
        wayforge::act::Step::Boss => None,
    }
}

/// One user wins; the other one gets a private message with the current map and picture.
async fn only_one_of_two_button_presses_succeeds(fixture: Fixture) {
    let mut shown = fixture.send_public(command(ADA, GUILD, "new", &[("seed", json!("42"))])).await;
    for round in 0..8_u64 {
        let id = shown.button(&shown.moves()[0].0);
        let (one, other) = (press(ADA, GUILD, &id), press(BOB, GUILD, &id));
        let (first, second) = tokio::join!(fixture.send(&one), fixture.send(&other));
        let won = |response: &Value| *response == json!({ "type": 6 });
        assert!(won(&first) != won(&second), "exactly one wins: {first} {second}");
        let (winner, loser, response) =
            if won(&first) { (&one, &other, second) } else { (&other, &one, first) };
        assert_eq!(
            (&response["type"], &response["data"]["flags"]),
            (&json!(4), &json!(64)),
            "private message"
        );
        let map = fixture.map(GUILD).await.unwrap();
        assert_eq!(map.revision.0, round + 2, "one move was made");
        shown = fixture.discord.next(&token(winner)).await;
        check_shown(&shown, &map);
        let text = response["data"]["content"].as_str().unwrap();
        assert!(
            text.starts_with("Someone else was faster") && text.contains("The party is at "),
            "{text}"
        );
        assert!(text.contains(&format!("revision {}", map.revision)), "{text}");
        for (label, _) in shown.moves() {
            assert!(text.contains(&label), "lists the legal moves: {text}");
        }
        let picture = fixture.discord.next(&token(loser)).await;
        assert_eq!(
            picture.file.unwrap().bytes,
            shown.file.as_ref().unwrap().bytes,
            "both users see the same map"
        );
        assert_eq!(
            (picture.body["content"].as_str(), &picture.body["components"]),
            (Some(text), &json!([]))
        );
    }
    // A button of an old message changes nothing.
    let old = fixture.send_private(press(BOB, GUILD, "wf1 undo 1")).await;
    assert!(old.starts_with("Someone else was faster"), "{old}");
    assert_eq!(fixture.map(GUILD).await.unwrap().revision.0, 9);
}

async fn executes_every_command(fixture: Fixture) {
    let none = fixture.send_private(command(ADA, GUILD, "show", &[])).await;
    assert_eq!(none, "This channel has no map yet. Create one with `/map new`.");
    let options = [
        ("ruleset", json!("walks")),
        ("seed", json!("42")),
        ("rows", json!(6)),
        ("cols", json!(4)),
        ("walks", json!(3)),
    ];
    fixture.send_public(command(ADA, GUILD, "new", &options)).await;
    let map = fixture.map(GUILD).await.unwrap();
    let config = br#"{"rows":6,"cols":4,"walks":3}"#;
    assert_eq!(
        map.digest,
        Family::Act.generate(config, Seed::new(42)).unwrap().to_document().digest
    );
    // An existing map is replaced only on request.
    let existing = fixture.send_private(command(BOB, GUILD, "new", &[])).await;
    assert!(
        existing.starts_with("This channel already has a map (revision 1).")
            && existing.contains("replace"),
        "{existing}"
    );
    let moves = map.run().unwrap().moves();
    let step = moves.last().unwrap();
    let moved = fixture
        .send_public(command(BOB, GUILD, "move", &[("node", json!(format!("Node {step}")))]))
        .await;
    let map = fixture.map(GUILD).await.unwrap();
    check_shown(&moved, &map);
    assert_eq!(map.revision.0, 2);
    let shown = fixture.send_public(command(ADA, GUILD, "show", &[])).await;
    check_shown(&shown, &map);
    assert!(
        shown.content().starts_with(&format!("The party is at {step} (")),
        "{}",
        shown.content()
    );
    assert_eq!(shown.file.unwrap().bytes, moved.file.as_ref().unwrap().bytes);
    // Illegal and invalid moves.
    let illegal =
        fixture.send_private(command(ADA, GUILD, "move", &[("node", json!("3,5"))])).await;
    assert!(illegal.starts_with("Node 3,5 is not a legal move from "), "{illegal}");
    let invalid = fixture.send_private(command(ADA, GUILD, "move", &[("node", json!("up"))])).await;
    assert!(invalid.contains("no such move; write COLUMN,ROW"), "{invalid}");
    let other =
        fixture.send_private(command(ADA, GUILD, "move", &[("node", json!("north"))])).await;
    assert!(other.contains("North is not a move on this map; legal moves: "), "{other}");
    // Routes are private.
    let routes = fixture.send_private(command(ADA, GUILD, "routes", &[])).await;
    assert!(routes.contains("ahead") && routes.contains("From Node"), "{routes}");
    let most =
        fixture.send_private(command(ADA, GUILD, "routes", &[("kind", json!("monster"))])).await;
    assert!(most.starts_with("From here you can visit at most "), "{most}");
    let unknown_kind =
        fixture.send_private(command(ADA, GUILD, "routes", &[("kind", json!("`unicorn`"))])).await;
    assert!(
        unknown_kind.starts_with("This map has no kind `unicorn`; use monster, "),
        "{unknown_kind}"
    );
    assert_eq!(fixture.send_private(press(ADA, GUILD, "wf1 routes")).await, routes);
    // Autocompletion.
    let typed = fixture.send(&autocomplete(ADA, GUILD, "move", "node", "")).await;
    let legal: Vec<String> = map.run().unwrap().moves().iter().map(Move::to_string).collect();
    let values: Vec<&str> = typed["data"]["choices"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["value"].as_str().unwrap())
        .collect();
    assert_eq!((&typed["type"], values), (&json!(8), legal.iter().map(String::as_str).collect()));
    let kinds = fixture.send(&autocomplete(ADA, GUILD, "routes", "kind", " MON")).await;
    assert_eq!(kinds["data"]["choices"], json!([{ "name": "monster", "value": "monster" }]));
    let elsewhere = fixture.send(&autocomplete(ADA, DIRECT, "move", "node", "3")).await;
    assert_eq!(elsewhere, json!({ "type": 8, "data": { "choices": [] } }));
    // Undo, reset and reseed.
    fixture.send_public(command(ADA, GUILD, "undo", &[])).await;
    let start = fixture.send_private(command(ADA, GUILD, "undo", &[])).await;
    assert!(start.starts_with("There is nothing to undo"), "{start}");
    fixture.send_public(command(ADA, GUILD, "move", &[("node", json!(step.to_string()))])).await;
    fixture.send_public(command(ADA, GUILD, "reset", &[])).await;
    fixture.send_public(command(ADA, GUILD, "reseed", &[("seed", json!("43"))])).await;
    assert_eq!(
        fixture.map(GUILD).await.unwrap().digest,
        Family::Act.generate(config, Seed::new(43)).unwrap().to_document().digest
    );
    fixture.send_public(command(ADA, GUILD, "reseed", &[])).await;
    assert_ne!(fixture.map(GUILD).await.unwrap().seed, Seed::new(43), "a random seed");
    // Spire maps with a seed as the game shows it, and fog.
    let options = [
        ("ruleset", json!("spire")),
        ("act", json!(2)),
        ("seed", json!("5TNX0B1NZ4J5")),
        ("fog", json!(1)),
        ("replace", json!(true)),
    ];
    let spire = fixture.send_public(command(ADA, GUILD, "new", &options)).await;
    assert!(spire.content().contains("act.spire/1 · seed 5TNX0B1NZ4J5"), "{}", spire.content());
    let events: Vec<String> = fixture
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

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn fog_hides_kinds_in_every_text() {
    let fixture = Fixture::sqlite().await;
    let shown = fixture
        .send_public(command(ADA, GUILD, "new", &[("seed", json!("42")), ("fog", json!(1))]))
        .await;
    for hidden in ["elite", "rest", "treasure", "shop", "event"] {
        assert!(!shown.alt().contains(hidden), "{hidden}: {}", shown.alt());
    }
    assert!(shown.alt().contains("Next: 0,") && shown.alt().contains("hidden"), "{}", shown.alt());
    let routes =
        fixture.send_private(command(ADA, GUILD, "routes", &[("kind", json!("elite"))])).await;
    assert!(
        routes.starts_with("Fog hides the routes ahead.") && !routes.contains("elite"),
        "{routes}"
    );
    let (label, step) = &shown.moves()[0];
    assert_eq!(*label, format!("{step} (monster)"));
}

/// The service can store maps of any family; the bot shows all and plays those with runs.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn shows_all_families() {
    let fixture = Fixture::sqlite().await;
    for (n, family) in Family::ALL.into_iter().enumerate() {
        let channel = TestChannel::Guild(1, 100 + n as u64);
        let new = NewMap::generate(family, b"{}", Seed::new(7)).unwrap();
        fixture
            .store
            .create(&key(channel), new, None, &wayforge_store::Actor::new("ada").unwrap())
            .await
            .unwrap();
        let shown = fixture.send_public(command(ADA, channel, "show", &[])).await;
        assert!(
            shown.picture().2 > 5 && shown.alt().contains("seed 7"),
            "{family}: {}",
            shown.alt()
        );
        if family == Family::Level {
            assert_eq!(shown.content().lines().next(), Some("This channel has a level."));
            assert!(shown.buttons().is_empty());
            let message = fixture
                .send_private(command(ADA, channel, "move", &[("node", json!("boss"))]))
                .await;
            assert!(message.starts_with("A level cannot be played"), "{message}");
            continue;
        }
        check_legal(&shown, &fixture.map(channel).await.unwrap());
        let moved =
            fixture.send_public(press(ADA, channel, &shown.button(&shown.moves()[0].0))).await;
        check_legal(&moved, &fixture.map(channel).await.unwrap());
        let routes = fixture.send_private(command(ADA, channel, "routes", &[])).await;
        assert!(
            family == Family::Act
                || routes == format!("Only act maps have routes; this channel has a {family}.")
        );
    }
    // More moves than buttons.
    let channel = TestChannel::Guild(1, 200);
    let wide = NewMap::generate(Family::Act, br#"{"rows":3,"cols":64,"walks":200}"#, Seed::new(7))
        .unwrap();
    fixture
        .store
        .create(&key(channel), wide, None, &wayforge_store::Actor::new("ada").unwrap())
        .await
        .unwrap();
    let shown = fixture.send_public(command(ADA, channel, "show", &[])).await;
    assert_eq!(shown.moves().len(), 20);
    assert!(shown.content().contains("`/map move` accepts all of them"), "{}", shown.content());
    let last =
        fixture.map(channel).await.unwrap().run().unwrap().moves().last().unwrap().to_string();
    let typed = fixture.send(&autocomplete(ADA, channel, "move", "node", &last)).await;
    assert_eq!(typed["data"]["choices"][0]["value"], last);
    fixture.send_public(command(ADA, channel, "move", &[("node", json!(last))])).await;
}

fn check_legal(shown: &SentRequest, map: &StoredMap) {
    let legal: Vec<String> = map.run().unwrap().moves().iter().map(Move::to_string).collect();
    assert_eq!(shown.moves().into_iter().map(|(_, step)| step).collect::<Vec<_>>(), legal);
}
