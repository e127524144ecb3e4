//! A map in words: where the party stands, what is next, and the text for those who cannot see the picture.

use wayforge::Run;
use wayforge::act::routes::Route;
use wayforge::act::{self, Fog, NodePos, Play, Step, spire_seed_to_text};
use wayforge::run::Move;
use wayforge_draw::Scene;
use wayforge_store::StoredMap;

/// Discord's longest description of an attachment, and its longest message.
pub(super) const ALT: usize = 1024;
pub(super) const CONTENT: usize = 2000;

/// What a move is called: `3,5 (shop)`, without the kind where fog hides it.
pub(super) fn step_name(run: &Run, step: Move) -> String {
    match (run, step) {
        (Run::Act(play), Move::Act(step)) => act_name(play, step),
        (Run::Climb(climb), Move::Climb(dir)) => {
            let ahead = climb.moves().into_iter().find(|(way, ..)| *way == dir);
            match ahead {
                Some((_, _, tile)) => format!("{step} ({})", tile.name()),
                None => step.to_string(),
            }
        }
        _ => step.to_string(),
    }
}

/// Where the party stands.
pub(super) fn place(run: &Run) -> String {
    match run {
        Run::Act(play) => match play.current() {
            _ if play.is_finished() => "**The goal is reached.**".to_owned(),
            None => "The party stands below row 0.".to_owned(),
            Some(step) => format!("The party stands at {}.", act_name(play, step)),
        },
        Run::Climb(climb) if climb.is_finished() => "**The goal is reached.**".to_owned(),
        Run::Climb(climb) => {
            format!("The party stands at {} on floor {}.", climb.pos(), climb.floor_number())
        }
    }
}

/// What the party may do next; empty at the end.
pub(super) fn next(run: &Run) -> String {
    let moves = run.moves();
    let names: Vec<String> = moves.iter().take(20).map(|&step| step_name(run, step)).collect();
    match moves.len() - names.len() {
        _ if names.is_empty() => String::new(),
        0 => format!("Next: {}.", listed(&names)),
        more => format!("Next: {}, and {more} more.", names.join(", ")),
    }
}

/// One quiet line about the map.
pub(super) fn about(map: &StoredMap, run: Option<&Run>) -> String {
    let seed = match map.algorithm.starts_with("act.spire") {
        true => spire_seed_to_text(&map.seed),
        false => escaped(&map.seed.to_line()),
    };
    let far = match run {
        Some(Run::Act(play)) => {
            let all = usize::from(play.map().spec.rows()) + usize::from(play.map().boss.is_some());
            format!(" · step {} of {all}", play.path().count())
        }
        Some(Run::Climb(climb)) => format!(" · floor {} · step {}", climb.floor_number(), climb.len()),
        None => String::new(),
    };
    format!("-# {} · seed {seed}{far} · revision {}", map.algorithm, map.revision)
}

/// The picture in words: what the ways ahead meet, or the way that was taken; then the map.
pub(super) fn alt(map: &StoredMap, run: Option<&Run>) -> String {
    let text = match run {
        Some(Run::Act(play)) => {
            let scene = Scene::of_play(play).description();
            match (play.is_finished(), play.progress().fog()) {
                (true, _) => format!("The way taken: {} {scene}", taken(play)),
                (false, Fog::None) => {
                    let choices = act::routes(play.map()).describe_choices(standing(play));
                    format!("{choices} {scene}")
                }
                // What the fog hides stays hidden in words, too.
                (false, Fog::Rows(_)) => format!("{} {scene}", here(run)),
            }
        }
        Some(Run::Climb(_)) => format!("{} A {} made from seed {}.", here(run), map.family, map.seed),
        None => format!("A {} made by {} from seed {}.", map.family, map.algorithm, map.seed),
    };
    cut(&text, ALT)
}

/// What the routes from here meet. `kind` asks for the route that meets the most of it.
pub(super) fn routes(map: &StoredMap, run: Option<&Run>, kind: Option<&str>) -> Result<String, String> {
    let Some(Run::Act(play)) = run else {
        return Err(format!("Routes are told of act maps; this channel holds a {}.", map.family));
    };
    if play.progress().fog() != Fog::None && !play.is_finished() {
        return Ok(cut(&format!("Fog hides the ways ahead. {}", here(run)), CONTENT));
    }
    let from = standing(play);
    let routes = act::routes(play.map());
    let mut text = match play.is_finished() {
        true => format!("The way taken: {}", taken(play)),
        false => match routes.count(from).to_string().as_str() {
            "1" => format!("One route leads on. {}", routes.describe_choices(from)),
            count => format!("{count} routes lead on. {}", routes.describe_choices(from)),
        },
    };
    if let Some(kind) = kind {
        let id = play.map().spec.find_kind(kind).ok_or_else(|| {
            let known: Vec<&str> = play.map().kinds().iter().map(|kind| kind.name.as_str()).collect();
            format!("The map has no kind `{}`; it has {}.", plain(kind), known.join(", "))
        })?;
        if let Some((most, route)) = routes.most(id, from) {
            let way = routes.describe_route(&route);
            text = format!("The most of {kind} that can be met from here is {most}. {way}\n{text}");
        }
    }
    Ok(cut(&text, CONTENT))
}

/// Shortens text to so many characters, at the end of a sentence if one is near.
pub(super) fn cut(text: &str, most: usize) -> String {
    let Some((end, _)) = text.char_indices().nth(most) else { return text.to_owned() };
    let head = &text[..end];
    match head.rfind(['.', '\n']) {
        Some(stop) if stop * 2 > end => head[..=stop].trim_end().to_owned(),
        _ => {
            let mut short: String = head.chars().take(most - 1).collect();
            short.push('…');
            short
        }
    }
}

/// Text with Discord's Markdown escaped: it shows as it is.
fn escaped(text: &str) -> String {
    let escape = |c: char| [c.is_ascii_punctuation().then_some('\\'), Some(c)].into_iter().flatten();
    text.chars().flat_map(escape).collect()
}

/// Text of a user without what Discord would read as more than text.
pub(super) fn plain(text: &str) -> String {
    text.chars().filter(|c| !c.is_control() && !"`*_~|<>@#\\[]()".contains(*c)).take(100).collect()
}

fn act_name(play: &Play, step: Step) -> String {
    let kind = play.kind_of(step).filter(|_| play.is_revealed(step));
    let kind = play.map().kind_name(kind).map(|kind| kind.replace('_', " "));
    match (step, kind) {
        (Step::Boss, _) => "boss".to_owned(),
        (Step::Node { row, col }, Some(kind)) => format!("{col},{row} ({kind})"),
        (Step::Node { row, col }, None) => format!("{col},{row}"),
    }
}

/// The node that the party stands on.
fn standing(play: &Play) -> Option<NodePos> {
    let node = |step| match step {
        Step::Node { row, col } => Some(NodePos { row, col }),
        Step::Boss => None,
    };
    play.path().filter_map(node).next_back()
}

fn taken(play: &Play) -> String {
    act::routes(play.map()).describe_route(&Route { row: 0, cols: play.progress().path().to_vec() })
}

/// Where the party stands and what is next, without marks.
fn here(run: Option<&Run>) -> String {
    run.map(|run| format!("{} {}", place(run), next(run)).replace('*', "").trim_end().to_owned())
        .unwrap_or_default()
}

/// "a, b or c".
fn listed(parts: &[String]) -> String {
    match parts {
        [] => String::new(),
        [only] => only.clone(),
        [parts @ .., last] => format!("{} or {last}", parts.join(", ")),
    }
}
