//! Tokens: permissions, revocation, and hashed storage.

use crate::cluster::both;
use crate::fixture::Fixture;
use wayforge_store::{Access, Id};

both!(checks_and_revokes_tokens, does_not_store_secrets, lists_tokens_in_pages);

async fn checks_and_revokes_tokens(fixture: Fixture) {
    let store = fixture.open().await;
    let guild: Id = "guild".parse().unwrap();
    let (all, admin) = store.create_token("admin", None, Access::Write).await.unwrap();
    let (one, bot) = store.create_token("bot", Some(&guild), Access::Read).await.unwrap();
    assert_ne!(admin, bot);
    let checked = store.check_token(admin.reveal()).await.unwrap().unwrap();
    assert!(checked.used.is_some() && all.used.is_none());
    assert_eq!(
        (checked.id, checked.name, checked.guild),
        (all.id.clone(), "admin".to_owned(), None)
    );
    let checked = fixture.open().await.check_token(bot.reveal()).await.unwrap().unwrap();
    assert_eq!(
        (checked.id, checked.guild, checked.access),
        (one.id.clone(), Some(guild), Access::Read)
    );
    for wrong in ["", "x", "wayforge_", &bot.reveal()[..72], &format!("{} ", bot.reveal()), "\0"] {
        assert_eq!(store.check_token(wrong).await.unwrap(), None);
    }
    assert!(store.revoke_token(&one.id).await.unwrap());
    assert!(!store.revoke_token(&one.id).await.unwrap(), "only once");
    for wrong in ["", "\0", "x' OR 1=1", "ffffffffffffffff"] {
        assert!(!store.revoke_token(wrong).await.unwrap());
    }
    assert_eq!(store.check_token(bot.reveal()).await.unwrap(), None);
    assert!(store.check_token(admin.reveal()).await.unwrap().is_some());
    for name in ["", "a\nb", &"x".repeat(129)] {
        assert!(store.create_token(name, None, Access::Read).await.is_err());
    }
}

async fn does_not_store_secrets(fixture: Fixture) {
    let store = fixture.open().await;
    let (_, secret) = store.create_token("bot", None, Access::Read).await.unwrap();
    let hex = secret.reveal().strip_prefix("wayforge_").unwrap();
    // The database contains the SHA-256 of the secret, not the secret.
    let hash = sha256(secret.reveal());
    let literal = if fixture.address.starts_with("sqlite:") {
        format!("x'{hash}'")
    } else {
        format!("'\\x{hash}'")
    };
    assert_eq!(
        fixture.execute_sql(&format!("UPDATE tokens SET used = 1 WHERE hash = {literal}")).await,
        1
    );
    if let Some(path) = fixture.address.strip_prefix("sqlite:") {
        store.close().await;
        let bytes = std::fs::read(path).unwrap();
        assert!(!bytes.windows(16).any(|window| window == &hex.as_bytes()[..16]));
    }
}

fn sha256(text: &str) -> String {
    use sha2::{Digest, Sha256};
    Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect()
}

async fn lists_tokens_in_pages(fixture: Fixture) {
    let store = fixture.open().await;
    let mut ids = Vec::new();
    for _ in 0..7 {
        ids.push(store.create_token("bot", None, Access::Read).await.unwrap().0.id);
    }
    store.revoke_token(&ids[3]).await.unwrap();
    let revoked = ids[3].clone();
    ids.sort();
    let (mut listed, mut after) = (Vec::new(), None::<String>);
    loop {
        let page = store.list_tokens(after.as_deref(), 3).await.unwrap();
        listed.extend(page.items);
        after = page.next;
        if after.is_none() {
            break;
        }
    }
    assert_eq!(listed.iter().map(|token| token.id.clone()).collect::<Vec<_>>(), ids);
    assert!(listed.iter().all(|token| token.revoked.is_some() == (token.id == revoked)));
    assert!(store.list_tokens(Some("\0"), 3).await.is_err());
}
