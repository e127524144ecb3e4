//! Generates the JavaScript glue of `bindings/wasm`: `wayforge-bindgen IN.wasm OUT-FOLDER`.
//!
//! A minimal `wasm-bindgen` command, pinned to the version that the workspace uses.

use std::process::ExitCode;
use wasm_bindgen_cli_support::Bindgen;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [input, output] = arguments.as_slice() else {
        eprintln!("usage: wayforge-bindgen IN.wasm OUT-FOLDER");
        return ExitCode::from(2);
    };
    let written = Bindgen::new().input_path(input).web(true).and_then(|bindgen| {
        bindgen
            .typescript(true)
            .out_name("wayforge")
            .remove_name_section(true)
            .remove_producers_section(true)
            .generate(output)
    });
    match written {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("wayforge-bindgen: {error:#}");
            ExitCode::from(1)
        }
    }
}
