//! A message with a picture as `multipart/form-data`, as Discord takes uploads.

use super::message::Message;
use bytes::Bytes;

/// The media type and the body: `payload_json`, then `files[0]` and so on.
pub(super) fn encode(message: &Message) -> Result<(String, Bytes), serde_json::Error> {
    let payload = serde_json::to_vec(message)?;
    let files = || message.attachments.iter().map(|attachment| attachment.file.as_slice());
    let contains = |part: &[u8], text: &str| part.windows(text.len()).any(|window| window == text.as_bytes());
    // The first boundary that is in no part.
    let boundary = (0_u64..)
        .map(|number| format!("wayforge-boundary-{number}"))
        .find(|text| !files().chain([&payload[..]]).any(|part| contains(part, text)))
        .unwrap_or_default();
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
