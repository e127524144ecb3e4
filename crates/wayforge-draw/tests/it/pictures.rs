//! Pictures of act maps: scenes for the golden files, and properties of all pictures.

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{self, roxmltree};
use std::collections::BTreeSet;
use wayforge::act::{self, Icon, KindConfig, KindId, KindsChoice, KindsConfig, WalksConfig};
use wayforge_draw::{DrawError, NodeState, Point, Scene, Theme, UNIT, png, png_size, svg};

/// Returns the scene of a map with kinds assigned by position, so that goldens do not depend on the
/// kind rules.
fn scene(seed: u64, config: WalksConfig) -> Scene {
    let mut map =
        act::generate(seed.into(), &act::Config::Walks(config).resolve().unwrap()).unwrap();
    let count = map.kinds().len() as u16;
    for node in map.nodes.iter_mut().filter(|_| count > 0) {
        node.kind = Some(KindId(((node.row * 7 + node.col * 3) % count) as u8));
    }
    Scene::from_act(&map)
}

/// 32 kinds: every icon twice, and eight more stars.
fn custom_kinds() -> KindsChoice {
    const ICONS: [Icon; 12] = [
        Icon::Swords,
        Icon::Skull,
        Icon::Question,
        Icon::Bag,
        Icon::Fire,
        Icon::Chest,
        Icon::Crown,
        Icon::Star,
        Icon::Diamond,
        Icon::Flask,
        Icon::Key,
        Icon::Shield,
    ];
    let icon = |i: usize| if i < 24 { ICONS[i % 12] } else { Icon::Star };
    let kind =
        |i: usize| KindConfig { icon: Some(icon(i)), ..KindConfig::new(format!("kind-{i}")) };
    let kinds = (0..32).map(kind).collect();
    let boss = Some("kind-1".to_owned());
    KindsChoice::Custom(Box::new(KindsConfig {
        kinds,
        bands: vec![],
        fixed: vec![],
        boss,
        search_limit: 1000,
    }))
}

/// Returns a scene in the middle of a run.
fn run() -> Scene {
    let mut scene = scene(7, WalksConfig::default());
    let mut current = 0;
    for _ in 0..5 {
        let edge = scene.edges.iter().position(|edge| edge.from == current).unwrap();
        scene.edges[edge].on_route = true;
        scene.nodes[current].state = NodeState::Visited;
        current = scene.edges[edge].to;
    }
    scene.nodes[current].state = NodeState::Current;
    for edge in scene.edges.clone().iter().filter(|edge| edge.from == current) {
        scene.nodes[edge.to].state = NodeState::Reachable;
    }
    scene
        .nodes
        .iter_mut()
        .filter(|node| node.row > 9)
        .for_each(|node| node.state = NodeState::Hidden);
    scene
}

pub(crate) fn scenes() -> Vec<(&'static str, Scene)> {
    vec![
        ("default-42", scene(42, WalksConfig::default())),
        ("default-max", scene(u64::MAX, WalksConfig::default())),
        ("bare", scene(3, WalksConfig { kinds: KindsChoice::None, ..WalksConfig::default() })),
        (
            "one",
            scene(
                3,
                WalksConfig { cols: 1, rows: 1, walks: 1, boss: false, ..WalksConfig::default() },
            ),
        ),
        (
            "far",
            scene(
                3,
                WalksConfig { cols: 20, rows: 6, walks: 30, nearest: 64, ..WalksConfig::default() },
            ),
        ),
        ("custom", scene(9, WalksConfig { kinds: custom_kinds(), ..WalksConfig::default() })),
        ("run", run()),
    ]
}

#[test]
fn svg_is_well_formed_self_contained_and_accessible() {
    for (name, scene) in scenes() {
        for theme in Theme::ALL {
            let text = svg(&scene, theme);
            let document =
                roxmltree::Document::parse(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
            let root = document.root_element();
            assert_eq!(root.attribute("role"), Some("img"));
            let ids: Vec<&str> =
                document.descendants().filter_map(|node| node.attribute("id")).collect();
            let unique: BTreeSet<&str> = ids.iter().copied().collect();
            assert_eq!(ids.len(), unique.len(), "{name}: duplicate id");
            let named: Vec<&str> = root.attribute("aria-labelledby").unwrap().split(' ').collect();
            assert!(named.iter().all(|id| unique.contains(id)));
            for node in document.descendants().filter(|node| node.is_element()) {
                assert!(node.tag_name().name() != "script");
                for attribute in node.attributes() {
                    let value = attribute.value();
                    assert!(!attribute.name().starts_with("on"));
                    let target = value.strip_prefix("url(#").map(|v| v.trim_end_matches(')'));
                    if let Some(id) = target.or(if attribute.name() == "href" {
                        value.strip_prefix('#')
                    } else {
                        None
                    }) {
                        assert!(unique.contains(id), "{name}: unknown id {id}");
                    } else {
                        assert!(
                            attribute.name() != "href" && !value.contains("url("),
                            "{name}: {value}"
                        );
                    }
                }
            }
            let titles = document
                .descendants()
                .filter(|n| n.has_tag_name(("http://www.w3.org/2000/svg", "title")))
                .count();
            assert_eq!(titles, scene.nodes.len() + 1);
        }
    }
}

#[test]
fn titles_name_node_kind_and_state_unless_hidden() {
    let scene = run();
    let text = svg(&scene, Theme::Parchment);
    let kind = |node: &wayforge_draw::SceneNode| scene.kind_of(node).unwrap().name.clone();
    for node in scene.nodes.iter() {
        let expected = match node.state {
            NodeState::Plain => format!("<title>{}: {}</title>", node.label, kind(node)),
            NodeState::Visited => format!("<title>{}: {}, visited</title>", node.label, kind(node)),
            NodeState::Current => format!("<title>{}: {}, current</title>", node.label, kind(node)),
            NodeState::Reachable => {
                format!("<title>{}: {}, reachable</title>", node.label, kind(node))
            }
            NodeState::Hidden => format!("<title>{}, hidden</title>", node.label),
        };
        assert!(text.contains(&expected), "{expected}");
    }
}

#[test]
fn kinds_look_different_in_every_theme() {
    let scene = scene(9, WalksConfig { kinds: custom_kinds(), rows: 40, ..WalksConfig::default() });
    for theme in Theme::ALL {
        let text = svg(&scene, theme);
        let appearances: Vec<&str> =
            text.split("<g id=\"").skip(1).map(|g| g.split_once("\">").unwrap().1).collect();
        let plain: BTreeSet<String> =
            appearances.iter().map(|markup| without_colours(markup)).collect();
        assert!(scene.kinds.len() > 28, "{}", scene.kinds.len());
        // Kinds differ even without colours; the boss is one more appearance.
        assert_eq!(plain.len(), scene.kinds.len() + 1);
    }
}

/// Removes colours and gradient references from the markup of an appearance.
fn without_colours(markup: &str) -> String {
    let end = markup.find("</g>\n").unwrap_or(markup.len());
    let parts = markup[..end]
        .split('"')
        .map(|part| if part.starts_with('#') || part.starts_with("url(") { "" } else { part });
    parts.collect::<Vec<_>>().join("\"")
}

#[test]
fn rejects_too_large_sizes_before_drawing() {
    let tall =
        scene(1, WalksConfig { rows: 1000, kinds: KindsChoice::None, ..WalksConfig::default() });
    let Err(DrawError::TooLarge { height, max_scale, scale: 100, .. }) =
        png(&tall, Theme::Night, 100)
    else {
        panic!("a picture of 1000 rows was drawn");
    };
    assert!(height > 80_000 && (10..20).contains(&max_scale), "{height} {max_scale}");
    assert!(png_size(&tall, max_scale).is_ok() && png_size(&tall, max_scale + 1).is_err());
    let message = png(&tall, Theme::Night, 100).unwrap_err().to_string();
    assert!(message.contains(&format!("use at most {max_scale} percent")), "{message}");
    assert_eq!(png_size(&tall, 0), Err(DrawError::ScaleOutOfRange { scale: 0 }));
    assert_eq!(png_size(&tall, 1001), Err(DrawError::ScaleOutOfRange { scale: 1001 }));
}

#[test]
fn text_is_painted_with_the_bundled_font() {
    let mut with = scene(42, WalksConfig::default());
    let mut without = with.clone();
    with.title = "Path".to_owned();
    without.title = " ".to_owned();
    assert_ne!(
        png(&with, Theme::Parchment, 50).unwrap(),
        png(&without, Theme::Parchment, 50).unwrap()
    );
}

/// PNG draws nodes as sprites and SVG by reference; apart from text, both must look the same.
#[test]
fn png_nodes_look_like_svg_nodes() {
    let mut scene = run();
    // Move nodes to whole pixels, where sprite positions are not rounded.
    let round = |units: i32| units / UNIT * UNIT;
    scene
        .nodes
        .iter_mut()
        .for_each(|node| node.pos = Point::new(round(node.pos.x), round(node.pos.y)));
    for theme in Theme::ALL {
        let painted = Pixmap::decode_png(&png(&scene, theme, 100).unwrap()).unwrap();
        let tree = usvg::Tree::from_str(&svg(&scene, theme), &usvg::Options::default()).unwrap();
        let mut rendered = Pixmap::new(painted.width(), painted.height()).unwrap();
        resvg::render(&tree, Transform::identity(), &mut rendered.as_mut());
        for node in &scene.nodes {
            let (x, y) = ((node.pos.x / UNIT) as u32, (node.pos.y / UNIT) as u32);
            let difference = |dx: u32, dy: u32| {
                let of = |map: &Pixmap| map.pixel(x + dx - 30, y + dy - 30).unwrap();
                let (a, b) = (of(&painted), of(&rendered));
                u64::from(a.red().abs_diff(b.red())) + u64::from(a.blue().abs_diff(b.blue()))
            };
            let sum: u64 = (0..60)
                .flat_map(|dy| (0..60).map(move |dx| (dx, dy)))
                .map(|(dx, dy)| difference(dx, dy))
                .sum();
            // The palette rounds colours, mostly those of glows in the night theme (measured
            // difference: 8).
            let limit = if theme == Theme::Night { 9 } else { 3 };
            assert!(sum / 3600 < limit, "{theme:?} {}: {}", node.label, sum / 3600);
        }
    }
}
