//! The studio as a folder that any host of files can serve: its maps are made on the page.

use super::{PAGE, VERSION, files, version};

/// What a page without a service may do: what the served page may, and run the WebAssembly beside it.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' blob:; \
     font-src 'self'; connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'";

/// The package for browsers, built to answer what the studio asks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Package {
    /// The script, `wayforge.js`.
    pub script: Vec<u8>,
    /// The WebAssembly, `wayforge_bg.wasm`.
    pub wasm: Vec<u8>,
}

/// The files of the exported studio by their paths in the folder; addresses are relative, so that the folder can stand anywhere.
pub fn export(package: Package) -> Vec<(String, Vec<u8>)> {
    let mut files = files();
    files.push(("wayforge/wayforge.js", package.script.into()));
    files.push(("wayforge/wayforge_bg.wasm", package.wasm.into()));
    // Hosts may keep files for ever: another version has other addresses.
    let version = version(&files);
    let policy = format!("<meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">");
    let page = PAGE
        .replace(VERSION, &version)
        .replacen("<html lang=\"en\">", "<html lang=\"en\" data-maps=\"here\">", 1)
        .replacen("<meta name=\"viewport\"", &format!("{policy}\n  <meta name=\"viewport\""), 1);
    let placed = files.into_iter();
    let placed = placed.map(|(name, content)| (format!("studio/{version}/{name}"), content.into()));
    [("index.html".to_owned(), page.into_bytes())].into_iter().chain(placed).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_finds_everything_beside_it_and_says_that_it_is_alone() {
        let package = Package { script: b"script".to_vec(), wasm: b"wasm".to_vec() };
        let files = export(package.clone());
        let page = String::from_utf8(files[0].1.clone()).unwrap();
        assert!(page.contains("data-maps=\"here\"") && page.contains("wasm-unsafe-eval"));
        let addresses = page.split(['"']).filter(|part| part.contains("studio/"));
        let mut found = 0;
        for address in addresses {
            assert!(files.iter().any(|(name, _)| name == address), "{address}");
            found += 1;
        }
        assert!(found >= 6, "{found} addresses");
        assert!(files.iter().any(|(name, _)| name.ends_with("/wayforge/wayforge_bg.wasm")));
        let other = export(Package { wasm: b"other".to_vec(), ..package });
        assert_ne!(files[1].0, other[1].0, "another package has other addresses");
    }
}
