//! Checks lists of families that the compiler cannot check against `Family::ALL`.

use std::fs;
use std::path::{Path, PathBuf};
use wayforge::Family;

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Files in other languages that list every family: a text that marks the lines of the list, and
/// the entry of a family `{}`. The command line tests its own subcommands.
const LISTS: [(&str, &str, &str); 9] = [
    ("bindings/python/python/wayforge/__init__.py", "return _generate(", "(\"{}\","),
    ("bindings/wasm/js/api.js", "=> generate(", "(\"{}\","),
    ("bindings/wasm/js/wayforge.d.ts", "export type Family =", "\"{}\""),
    ("examples/ray_batch.py", "add_argument(\"family\"", "\"{}\""),
    ("crates/wayforge-server/studio/families.js", ": {", "  {}: {"),
    ("crates/wayforge-server/studio/index.html", "<a href=", "data-family=\"{}\""),
    ("crates/wayforge-server/studio/link.js", "FAMILIES = [", "\"{}\""),
    ("crates/wayforge-server/studio/types.js", "} Family */", "\"{}\""),
    ("scripts/fuzz-seeds", "for map in act", " {}"),
];

#[test]
fn every_list_outside_the_facade_names_every_family() {
    for (file, list, entry) in LISTS {
        let text = fs::read_to_string(repository().join(file)).unwrap();
        for name in Family::ALL.map(Family::name) {
            let entry = entry.replace("{}", name);
            let mut lines = text.lines().filter(|line| line.contains(list));
            assert!(lines.any(|line| line.contains(&entry)), "{file} does not list {name}");
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
