//! A message with a picture as `multipart/form-data`, as Discord takes uploads.

use super::message::Message;
use bytes::Bytes;

/// The media type and the body: `payload_json`, then `files[0]` and so on.
pub(super) fn encode(message: &Message) -> Result<(String, Bytes), serde_json::Error> {
    let payload = serde_json::to_vec(message)?;
    let files = || message.attachments.iter().map(|attachment| attachment.file.as_slice());
    let boundary = find_boundary(|boundary| {
        std::iter::once(&payload[..]).chain(files()).all(|part| !contains(part, boundary.as_bytes()))
    });
    let mut body = Vec::with_capacity(payload.len() + files().map(<[u8]>::len).sum::<usize>() + 1024);
    let mut part = |head: &str, content: &[u8]| {
        body.extend_from_slice(
            format!("--{boundary}\r\nContent-Disposition: form-data; {head}\r\n\r\n").as_bytes(),
        );
        body.extend_from_slice(content);
        body.extend_from_slice(b"\r\n");
    };
    part("name=\"payload_json\"\r\nContent-Type: application/json", &payload);
    for attachment in &message.attachments {
        // Names of ours hold no sign that would have to be escaped.
        let head = format!(
            "name=\"files[{}]\"; filename=\"{}\"\r\nContent-Type: image/png",
            attachment.id, attachment.filename
        );
        part(&head, &attachment.file);
    }
    body.extend_from_slice(format!("--{boundary}--\r\n").as_bytes());
    Ok((format!("multipart/form-data; boundary={boundary}"), body.into()))
}

/// The first boundary that stands in no part.
fn find_boundary(fits: impl Fn(&str) -> bool) -> String {
    let mut number: u64 = 0;
    loop {
        let boundary = format!("wayforge-boundary-{number}");
        if fits(&boundary) {
            return boundary;
        }
        number += 1;
    }
}

fn contains(part: &[u8], needle: &[u8]) -> bool {
    part.windows(needle.len()).any(|window| window == needle)
}

#[cfg(test)]
mod tests {
    use super::*;
    use twilight_model::http::attachment::Attachment;

    #[test]
    fn a_boundary_never_stands_in_a_part() {
        let mut message = Message::of_words("words with --wayforge-boundary-0 in them");
        let picture =
            Attachment::from_bytes("map-1.png".into(), b"\r\n--wayforge-boundary-1\r\n".to_vec(), 0);
        message.attachments.push(picture);
        let (kind, body) = encode(&message).unwrap();
        assert_eq!(kind, "multipart/form-data; boundary=wayforge-boundary-2");
        let text = std::str::from_utf8(&body).unwrap();
        assert_eq!(text.matches("--wayforge-boundary-2").count(), 3);
        assert!(text.ends_with("--wayforge-boundary-2--\r\n"));
    }
}
