//! Maximum number of channels of a guild.

use crate::cluster::both;
use crate::fixture::{Fixture, act, actor, key};
use wayforge_store::{ChannelKey, Id, Revision, StoreError};

both!(
    counts_channels_with_a_map_or_a_history,
    concurrent_additions_do_not_exceed_the_limit,
    imports_must_fit
);

fn guild() -> Id {
    "guild".parse().unwrap()
}

async fn counts_channels_with_a_map_or_a_history(fixture: Fixture) {
    let store = fixture.open().await;
    let ada = actor("ada");
    store.set_max_guild_channels(2);
    store.create(&key("a"), act(1), None, &ada).await.unwrap();
    store.create(&key("b"), act(1), None, &ada).await.unwrap();
    let error = store.create(&key("c"), act(2), None, &ada).await.unwrap_err();
    assert!(matches!(error, StoreError::GuildFull { max: 2, added: 1, .. }), "{error}");
    assert_eq!(store.get(&key("c")).await.unwrap(), None);
    assert!(store.history(&key("c"), None, 10).await.unwrap().items.is_empty());
    // Changes, other guilds and direct messages are not limited.
    store.create(&key("a"), act(3), Some(Revision(1)), &ada).await.unwrap();
    for key in [ChannelKey::new(Some("other"), "c"), ChannelKey::new(None, "c")] {
        store.create(&key.unwrap(), act(1), None, &ada).await.unwrap();
    }
    for channel in ["x", "y"] {
        store.create(&ChannelKey::new(None, channel).unwrap(), act(1), None, &ada).await.unwrap();
    }
    // A history counts like a map, and its channel can get a map again.
    store.delete(&key("b"), Revision(1), &ada).await.unwrap();
    assert!(store.create(&key("c"), act(2), None, &ada).await.is_err());
    store.create(&key("b"), act(2), None, &ada).await.unwrap();
    store.set_max_guild_channels(3);
    store.create(&key("c"), act(2), None, &ada).await.unwrap();
    store.set_max_guild_channels(1);
    assert!(store.create(&key("d"), act(2), None, &ada).await.is_err());
    store.set_max_guild_channels(0);
    store.create(&key("d"), act(2), None, &ada).await.unwrap();
}

async fn concurrent_additions_do_not_exceed_the_limit(fixture: Fixture) {
    const MAX: u32 = 5;
    // An export of four channels for the imports.
    let source = fixture.another().await;
    let from = source.open().await;
    for n in 0..4 {
        from.create(&key(&format!("import-{n}")), act(n), None, &actor("ada")).await.unwrap();
    }
    let mut export = Vec::new();
    from.export(Some(&guild()), &mut export).await.unwrap();
    let stores = [fixture.open().await, fixture.open().await];
    let mut additions = tokio::task::JoinSet::new();
    for n in 0..24_usize {
        let store = stores[n % 2].clone();
        store.set_max_guild_channels(MAX);
        let export = export.clone();
        additions.spawn(async move {
            if n % 8 == 7 {
                // Other channels than those of the other imports.
                let text = String::from_utf8(export).unwrap();
                let text = text.replace("import-", &format!("import{n}-"));
                let counts = store.import(Some(&guild()), &mut text.as_bytes()).await;
                return counts.map(|counts| counts.channels);
            }
            let new = store.create(&key(&format!("c{n}")), act(1), None, &actor("ada")).await;
            new.map(|_| 1)
        });
    }
    let mut added = 0;
    while let Some(result) = additions.join_next().await {
        match result.unwrap() {
            Ok(channels) => added += channels,
            Err(StoreError::GuildFull { max: MAX, .. }) => {}
            Err(error) => panic!("{error}"),
        }
    }
    // The last free channels may not suffice for an import, but suffice for a creation.
    assert_eq!(added, u64::from(MAX));
    let listed = stores[0].list(Some(&guild()), None, 100).await.unwrap();
    assert_eq!(listed.items.len(), MAX as usize);
}

async fn imports_must_fit(fixture: Fixture) {
    let source = fixture.another().await;
    let from = source.open().await;
    for n in 0..3 {
        from.create(&key(&format!("c{n}")), act(n), None, &actor("ada")).await.unwrap();
    }
    let mut export = Vec::new();
    from.export(Some(&guild()), &mut export).await.unwrap();
    let store = fixture.open().await;
    store.create(&key("a"), act(1), None, &actor("ada")).await.unwrap();
    for (max, fits) in [(2, false), (3, false), (4, true)] {
        store.set_max_guild_channels(max);
        let imported = store.import(Some(&guild()), &mut &export[..]).await;
        match imported {
            Ok(counts) => assert!(fits && counts.channels == 3),
            Err(StoreError::GuildFull { added: 3, .. }) => {
                assert!(!fits);
                let listed = store.list(Some(&guild()), None, 10).await.unwrap();
                assert_eq!(listed.items.len(), 1, "nothing was imported");
            }
            Err(error) => panic!("{error}"),
        }
    }
    assert_eq!(store.list(Some(&guild()), None, 10).await.unwrap().items.len(), 4);
}
