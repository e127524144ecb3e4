//! Checks lists of families that the compiler cannot check against `Family::ALL`.

use std::fs;
use std::path::{Path, PathBuf};
use wayforge::Family;

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Files that list every family by name, in other languages or in clap's macros.
const LISTS: [&str; 8] = [
    "bindings/python/python/wayforge/__init__.py",
    "bindings/wasm/js/api.js",
    "bindings/wasm/js/wayforge.d.ts",
    "crates/wayforge-cli/src/main.rs",
    "examples/ray_batch.py",
    "studio/families.js",
    "studio/index.html",
    "studio/types.js",
];

#[test]
fn every_list_outside_the_facade_names_every_family() {
    for file in LISTS {
        let text = fs::read_to_string(repository().join(file)).unwrap();
        for family in Family::ALL {
            let name = family.name();
            let listed = [format!("\"{name}\""), format!("  {name}: {{"), format!("mod {name};")];
            assert!(listed.iter().any(|form| text.contains(form)), "{file} does not list {name}");
        }
    }
}

#[test]
fn the_catalogue_pins_the_default_algorithm_of_every_family() {
    let folder = repository().join("testsuite/catalogue");
    let catalogue: String = fs::read_dir(folder)
        .unwrap()
        .map(|entry| fs::read_to_string(entry.unwrap().path()).unwrap())
        .collect();
    for family in Family::ALL {
        // The first algorithm is that of the default configuration.
        let pinned = format!("{{\"algorithm\":\"{}\"", family.algorithms()[0]);
        assert!(catalogue.contains(&pinned), "no digest of {}", family.algorithms()[0]);
    }
}
