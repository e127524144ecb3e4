//! Tests of the data shared by all languages: digests, schemas and reference maps.

mod catalogue;
mod families;
mod floor;
mod maps;
mod nav;
mod schema;
mod spire;

/// Reads a file of the folder `WAYFORGE_DATA`, which contains real maps.
fn data(file: &str) -> Vec<u8> {
    let folder = std::env::var("WAYFORGE_DATA").expect("WAYFORGE_DATA is not set");
    let path = std::path::Path::new(&folder).join(file);
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}
