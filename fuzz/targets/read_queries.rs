//! Reads queries on a map of any size.

#![no_main]

libfuzzer_sys::fuzz_target!(|parts: (u16, u16, &[u8])| {
    let size = wayforge::grid::Size::new(parts.0.max(1), parts.1.max(1));
    let _ = wayforge_formats::read_queries(parts.2, size);
});
