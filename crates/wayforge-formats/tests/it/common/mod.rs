//! Sample maps of all families, and helpers to write and read them in memory.

use wayforge::act;
use wayforge::floor::{self, Template};
use wayforge::level::{self, Blueprint};
use wayforge::nav::{ArchipelagoConfig, NavGrid, archipelago};
use wayforge::tower;
use wayforge_draw::Theme;
use wayforge_formats::{Content, Format, FormatError, ImportedContent, MemoryFiles, ReadOptions};

pub(crate) fn busy_level(seed: u64) -> level::Level {
    let config = level::Config::from_json(
        br#"{"width":24,"height":18,"walls":"sparse_moore","fuel":"refuel_chain",
            "pitfalls":"3%","plants":"2%","puddles":"2%","moving_floors":"3%","reinforced":"20%",
            "fall_spawn_floor_ratio":0.05,"flashlights":2,"shoes":1,"attempts":200,
            "marks":[{"name":"key","count":2}],"objectives":[{"steps":["P","key","C"]}]}"#,
    )
    .unwrap();
    level::generate(seed.into(), &config.resolve().unwrap()).unwrap()
}

pub(crate) fn busy_floor(seed: u64) -> floor::Floor {
    let config = floor::Config {
        width: Some(12),
        height: Some(9),
        door_budget: Some(2),
        trap_budget: Some(2),
        water_budget: Some(3),
        item_budget: Some(1),
        relic_budget: Some(1),
        npc_budget: Some(1),
        ..floor::Config::default()
    };
    floor::generate(seed.into(), &config.resolve().unwrap()).unwrap()
}

pub(crate) fn boss_floor() -> floor::Floor {
    let config = floor::Config { template_id: Some("boss".into()), ..floor::Config::default() };
    floor::generate(3.into(), &config.resolve().unwrap()).unwrap()
}

pub(crate) fn tower(floors: i64) -> tower::Tower {
    let spec = tower::Config { floors, ..tower::Config::default() }.resolve().unwrap();
    tower::generate(7.into(), &spec).unwrap()
}

pub(crate) fn nav_grid() -> NavGrid {
    let config =
        ArchipelagoConfig { width: 60, height: 40, scale: 16, ..ArchipelagoConfig::default() };
    archipelago(7.into(), &config.resolve().unwrap())
}

pub(crate) fn act_map() -> act::ActMap {
    act::generate(7.into(), &act::Config::default().resolve().unwrap()).unwrap()
}

/// One sample of each kind of content.
pub(crate) fn contents() -> Vec<Content> {
    vec![
        Content::from(act_map()),
        Content::from(busy_level(7)),
        Content::Blueprint(Blueprint::from_text(&busy_level(8).blueprint.to_string()).unwrap()),
        Content::from(busy_floor(7)),
        Content::from(boss_floor()),
        Content::Template(Template::find("shop").unwrap()),
        Content::from(tower(4)),
        Content::NavGrid(nav_grid()),
    ]
}

pub(crate) fn write(content: &Content, name: &str) -> Result<MemoryFiles, FormatError> {
    let mut files = MemoryFiles::default();
    Format::from_file_name(name)?.write(
        std::slice::from_ref(content),
        name,
        Theme::Parchment,
        &mut files,
    )?;
    Ok(files)
}

pub(crate) fn read(files: &mut MemoryFiles, name: &str) -> Result<ImportedContent, FormatError> {
    let mut all = Format::from_file_name(name)?.read(name, files, ReadOptions::default())?;
    assert_eq!(all.len(), 1);
    Ok(all.remove(0))
}

/// Writes a content and returns the text of the file.
pub(crate) fn text(content: &Content, name: &str) -> String {
    String::from_utf8(write(content, name).unwrap().0.remove(name).unwrap()).unwrap()
}

/// Reads text as a file of the given name.
pub(crate) fn read_text(text: &str, name: &str) -> Result<ImportedContent, FormatError> {
    read(&mut MemoryFiles([(name.to_owned(), text.as_bytes().to_vec())].into()), name)
}
