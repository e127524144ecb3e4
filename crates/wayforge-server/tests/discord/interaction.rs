//! Interactions as Discord sends them.

use serde_json::{Value, json};
use std::sync::atomic::{AtomicU64, Ordering};
use twilight_model::application::interaction::Interaction;

pub(crate) const APPLICATION: u64 = 845_027_738_276_462_632;

/// Channel of an interaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TestChannel {
    /// Guild and channel.
    Guild(u64, u64),
    /// Direct message.
    Direct(u64),
}

/// Id and name of a user.
pub(crate) type User = (u64, &'static str);

pub(crate) const ADA: User = (80_351_110_224_678_912, "ada");
pub(crate) const BOB: User = (80_351_110_224_678_913, "bob");

/// Slash command with options.
pub(crate) fn command(
    user: User,
    channel: TestChannel,
    sub: &str,
    options: &[(&str, Value)],
) -> Value {
    let options: Vec<Value> = options.iter().map(|(name, value)| option(name, value)).collect();
    let data = json!({
        "id": "1190000000000000001", "name": "map", "type": 1,
        "options": [{ "name": sub, "type": 1, "options": options }],
    });
    interaction(2, user, channel, data)
}

/// Autocompletion of an option.
pub(crate) fn autocomplete(
    user: User,
    channel: TestChannel,
    sub: &str,
    name: &str,
    typed: &str,
) -> Value {
    let data = json!({
        "id": "1190000000000000001", "name": "map", "type": 1,
        "options": [{ "name": sub, "type": 1, "options": [{ "name": name, "type": 3,
        "value": typed, "focused": true }] }],
    });
    interaction(4, user, channel, data)
}

/// Pressed button.
pub(crate) fn press(user: User, channel: TestChannel, custom_id: &str) -> Value {
    let mut press = interaction(
        3,
        user,
        channel,
        json!({ "component_type": 2, "custom_id": custom_id, "id": 2 }),
    );
    let channel = press["channel_id"].clone();
    press["message"] = json!({
        "id": "1190000000000000009", "channel_id": channel, "type": 20, "content": "a map",
        "flags": 0, "tts": false,
        "author": { "id": APPLICATION.to_string(), "username": "Wayforge", "discriminator": "0001",
        "avatar": null, "bot": true },
        "timestamp": "2026-11-16T00:00:00.000000+00:00", "edited_timestamp": null, "pinned": false,
        "mention_everyone": false, "mentions": [], "mention_roles": [], "embeds": [],
        "attachments": [{
            "id": "1190000000000000010", "filename": "map-1.png", "size": 1000, "width": 400,
            "height": 800,
            "url": "https://cdn.example/map-1.png", "proxy_url": "https://media.example/map-1.png",
            "content_type": "image/png", "description": "a map",
        }],
        "components": [{ "type": 1, "id": 1, "components": [
            { "type": 2, "id": 2, "style": 1, "label": "a move", "custom_id": custom_id },
        ]}],
    });
    press
}

/// Returns the token of an interaction.
pub(crate) fn token(interaction: &Value) -> String {
    interaction["token"].as_str().unwrap().to_owned()
}

fn option(name: &str, value: &Value) -> Value {
    let kind = match value {
        Value::Bool(_) => 5,
        Value::Number(_) => 4,
        _ => 3,
    };
    json!({ "name": name, "type": kind, "value": value })
}

fn interaction(kind: u8, (id, name): User, channel: TestChannel, data: Value) -> Value {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let user = json!({
        "id": id.to_string(), "username": name, "global_name": name, "discriminator": "0",
        "avatar": null,
        "avatar_decoration_data": null, "public_flags": 0, "clan": null,
    });
    let mut all = json!({
        "id": (1_190_000_000_001_000_000 + number).to_string(),
        "application_id": APPLICATION.to_string(), "type": kind, "version": 1,
        "token": format!("aW50ZXJhY3Rpb246{number}.A-b_c"), "data": data, "locale": "en-US",
        "entitlements": [],
        "entitlement_sku_ids": [], "app_permissions": "562949953601536",
        "attachment_size_limit": 10_485_760,
    });
    let members = match channel {
        TestChannel::Guild(guild, channel) => json!({
            "guild_id": guild.to_string(), "channel_id": channel.to_string(),
            "guild_locale": "en-US", "context": 0,
            "guild": { "id": guild.to_string(), "locale": "en-US", "features": [] },
            "channel": { "id": channel.to_string(), "type": 0, "guild_id": guild.to_string(),
            "name": "maps", "position": 0,
                "permissions": "562949953601536", "flags": 0, "nsfw": false, "topic": null,
                "parent_id": null, "last_message_id": null,
                "rate_limit_per_user": 0 },
            "member": { "user": user, "nick": null, "avatar": null, "banner": null, "roles": [],
            "flags": 0, "mute": false, "deaf": false,
                "pending": false, "permissions": "562949953601536", "premium_since": null,
                "communication_disabled_until": null,
                "unusual_dm_activity_until": null,
                "joined_at": "2023-01-01T00:00:00.000000+00:00" },
            "authorizing_integration_owners": { "0": guild.to_string() },
        }),
        TestChannel::Direct(channel) => json!({
            "channel_id": channel.to_string(), "context": 1, "user": user,
            "channel": { "id": channel.to_string(), "type": 1, "flags": 0, "last_message_id": null,
            "recipients": [user] },
            "authorizing_integration_owners": { "0": "0", "1": id.to_string() },
        }),
    };
    all.as_object_mut().unwrap().extend(members.as_object().unwrap().clone());
    // An independent model of Discord's API accepts the interaction.
    let read: Interaction = serde_json::from_value(all.clone()).unwrap();
    assert_eq!(read.author_id().unwrap().get(), id);
    all
}
