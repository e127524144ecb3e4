//! Drawing of PNG and SVG images: `cargo bench -p wayforge-benches --bench draw`.

#![allow(missing_docs)] // Criterion's macros generate undocumented items.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;
use wayforge::Seed;
use wayforge::act;
use wayforge::floor;
use wayforge::level;
use wayforge::tower;
use wayforge_draw::{FloorScene, LevelScene, Painter, Scene, Theme, png, svg};

/// Measures images of different act maps with a warmed-up painter.
fn act_maps(c: &mut Criterion) {
    let mut group = c.benchmark_group("draw act 7x15");
    group.throughput(Throughput::Elements(1));
    let spec = act::Config::default().resolve().unwrap();
    let maps: Vec<_> = (0..64).map(|seed| act::generate(Seed::new(seed), &spec).unwrap()).collect();
    let scenes: Vec<Scene> = maps.iter().map(Scene::from_act).collect();
    let mut index = 0;
    group.bench_function("scene", |b| {
        b.iter(|| {
            index = (index + 1) % maps.len();
            black_box(Scene::from_act(&maps[index]).nodes.len())
        });
    });
    for theme in Theme::ALL {
        let mut painter = Painter::new();
        scenes.iter().for_each(|scene| drop(painter.png(scene, theme, 100)));
        group.bench_function(format!("png {}", theme.name()), |b| {
            b.iter(|| {
                index = (index + 1) % scenes.len();
                black_box(painter.png(&scenes[index], theme, 100).unwrap().len())
            });
        });
    }
    group.bench_function("svg", |b| b.iter(|| black_box(svg(&scenes[0], Theme::Parchment).len())));
    group.sample_size(10);
    group.bench_function("png without warm-up", |b| {
        b.iter(|| black_box(png(&scenes[0], Theme::Parchment, 100).unwrap().len()));
    });
    group.finish();
}

fn floors_and_levels(c: &mut Criterion) {
    let mut group = c.benchmark_group("draw others");
    let spec = floor::Config::default().resolve().unwrap();
    let floors: Vec<_> = (0..32)
        .map(|seed| FloorScene::from_floor(&floor::generate(Seed::new(seed), &spec).unwrap()))
        .collect();
    let spec = tower::Config::default().resolve().unwrap();
    let tower = |seed| FloorScene::from_tower(&tower::generate(Seed::new(seed), &spec).unwrap());
    let towers: Vec<_> = (0..32).map(tower).collect();
    let mut index = 0;
    for theme in Theme::ALL {
        for (name, scenes) in [("floor 5x5", &floors), ("tower of ten", &towers)] {
            let mut painter = Painter::new();
            scenes.iter().for_each(|scene| drop(painter.png(scene, theme, 100)));
            group.bench_function(format!("{name} png {}", theme.name()), |b| {
                b.iter(|| {
                    index = (index + 1) % scenes.len();
                    black_box(painter.png(&scenes[index], theme, 100).unwrap().len())
                });
            });
        }
    }
    let level =
        level::generate(Seed::new(1), &level::Config::default().resolve().unwrap()).unwrap();
    let scene = LevelScene::from_level(&level);
    group.sample_size(10);
    group.bench_function("level 48x30 png parchment", |b| {
        b.iter(|| black_box(png(&scene, Theme::Parchment, 100).unwrap().len()));
    });
    group.finish();
}

criterion_group!(benches, act_maps, floors_and_levels);
criterion_main!(benches);
