//! Exports the studio as static files; WebAssembly in the page generates the maps.

use super::{PAGE, VERSION, files, version};

/// Content security policy of the exported page: that of the served page, plus WebAssembly.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; \
     style-src 'self'; img-src 'self' blob:; font-src 'self'; connect-src 'self'; \
     worker-src 'self'; base-uri 'none'; form-action 'none'";

/// WebAssembly package for browsers, built with the request handlers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WasmPackage {
    /// JavaScript glue, `wayforge.js`.
    pub script: Vec<u8>,
    /// WebAssembly module, `wayforge_bg.wasm`.
    pub wasm: Vec<u8>,
}

/// Returns the files of the exported studio with their relative paths.
///
/// All URLs are relative, so the folder can be served from any path.
pub fn export_studio(package: WasmPackage) -> Vec<(String, Vec<u8>)> {
    let mut files = files();
    files.push(("wayforge/wayforge.js", package.script.into()));
    files.push(("wayforge/wayforge_bg.wasm", package.wasm.into()));
    // Paths contain the version, so hosts may cache files forever.
    let version = version(&files);
    let policy = format!("<meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">");
    let page = PAGE
        .replace(VERSION, &version)
        .replacen("<html lang=\"en\">", "<html lang=\"en\" data-service=\"wasm\">", 1)
        .replacen("<meta name=\"viewport\"", &format!("{policy}\n  <meta name=\"viewport\""), 1);
    let files = files
        .into_iter()
        .map(|(name, content)| (format!("studio/{version}/{name}"), content.into()));
    [("index.html".to_owned(), page.into_bytes())].into_iter().chain(files).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exported_page_refers_to_exported_files_only() {
        let package = WasmPackage { script: b"script".to_vec(), wasm: b"wasm".to_vec() };
        let files = export_studio(package.clone());
        let page = String::from_utf8(files[0].1.clone()).unwrap();
        assert!(page.contains("data-service=\"wasm\"") && page.contains("wasm-unsafe-eval"));
        let addresses = page.split(['"']).filter(|part| part.contains("studio/"));
        let mut found = 0;
        for address in addresses {
            assert!(files.iter().any(|(name, _)| name == address), "{address}");
            found += 1;
        }
        assert!(found >= 6, "{found} addresses");
        assert!(files.iter().any(|(name, _)| name.ends_with("/wayforge/wayforge_bg.wasm")));
        let other = export_studio(WasmPackage { wasm: b"other".to_vec(), ..package });
        assert_ne!(files[1].0, other[1].0, "another package has other paths");
    }
}
