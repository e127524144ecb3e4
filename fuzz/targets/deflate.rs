//! Round trip of the deflate encoder through an independent decoder.
//!
//! The output must not depend on earlier inputs.

#![no_main]

use std::io::Read;
use wayforge_draw::deflate_each;

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    let Some((&[low, high], bytes)) = input.split_first_chunk() else { return };
    let stride = usize::from(u16::from_le_bytes([low, high]));
    // Images have repeating rows.
    let repeated = bytes.repeat(1 + stride % 7);
    let streams = deflate_each(&[(bytes, stride), (&repeated[..], bytes.len()), (bytes, stride)]);
    for (stream, plain) in streams.iter().zip([bytes, &repeated[..], bytes]) {
        let mut read = Vec::new();
        flate2::read::ZlibDecoder::new(&**stream).read_to_end(&mut read).expect("a zlib stream");
        assert!(read == plain);
    }
    assert!(streams[0] == streams[2]);
});
