//! Reading, for both databases: they understand the same statements, and only the types of sqlx differ.

/// The reading functions over one pool type and its rows.
macro_rules! reading {
    ($Pool:ty, $Row:ty) => {
        use crate::error::Result;
        use crate::key::{ChannelKey, Id, guild_column};
        use crate::row::{ChannelRow, DocumentRow, HistoryRow, Origin};
        use crate::token::TokenRow;
        use sqlx::Row;

        pub(super) async fn channel(pool: &$Pool, key: &ChannelKey) -> Result<Option<ChannelRow>> {
            let select = "SELECT revision, digest, progress, created, updated, seal FROM channels
                WHERE guild = $1 AND channel = $2";
            let select = sqlx::query(select).bind(key.guild_column()).bind(key.channel.as_str());
            select.fetch_optional(pool).await?.map(|row| read_channel(&row, key.clone())).transpose()
        }

        pub(super) async fn channel_with_document(
            pool: &$Pool,
            key: &ChannelKey,
        ) -> Result<Option<(ChannelRow, Option<DocumentRow>)>> {
            let select = "SELECT c.revision, c.digest, c.progress, c.created, c.updated, c.seal,
                    d.digest, d.algorithm, d.seed, d.text, d.seal
                FROM channels c LEFT JOIN documents d ON d.digest = c.digest WHERE c.guild = $1 AND c.channel = $2";
            let select = sqlx::query(select).bind(key.guild_column()).bind(key.channel.as_str());
            let Some(row) = select.fetch_optional(pool).await? else { return Ok(None) };
            Ok(Some((read_channel(&row, key.clone())?, read_document(&row, 6)?)))
        }

        pub(super) async fn document(pool: &$Pool, digest: &[u8]) -> Result<Option<DocumentRow>> {
            let select = sqlx::query("SELECT digest, algorithm, seed, text, seal FROM documents WHERE digest = $1");
            let row = select.bind(digest).fetch_optional(pool).await?;
            Ok(row.map(|row| read_document(&row, 0)).transpose()?.flatten())
        }

        pub(super) async fn history(
            pool: &$Pool,
            key: &ChannelKey,
            from: i64,
            down: bool,
            limit: i64,
        ) -> Result<Vec<(HistoryRow, Origin)>> {
            let select = match down {
                true => {
                    "SELECT h.revision, h.at, h.actor, h.event, h.detail, h.digest, h.progress, h.seal, d.algorithm, d.seed
                    FROM history h LEFT JOIN documents d ON d.digest = h.digest
                    WHERE h.guild = $1 AND h.channel = $2 AND h.revision <= $3 ORDER BY h.revision DESC LIMIT $4"
                }
                false => {
                    "SELECT h.revision, h.at, h.actor, h.event, h.detail, h.digest, h.progress, h.seal, d.algorithm, d.seed
                    FROM history h LEFT JOIN documents d ON d.digest = h.digest
                    WHERE h.guild = $1 AND h.channel = $2 AND h.revision >= $3 ORDER BY h.revision LIMIT $4"
                }
            };
            let select =
                sqlx::query(select).bind(key.guild_column()).bind(key.channel.as_str()).bind(from).bind(limit);
            let rows = select.fetch_all(pool).await?;
            rows.iter().map(|row| Ok((read_entry(row, key.clone())?, read_origin(row, 8)?))).collect()
        }

        pub(super) async fn channels(
            pool: &$Pool,
            guild: Option<&Id>,
            after: &str,
            deleted: bool,
            limit: i64,
        ) -> Result<Vec<(ChannelRow, Origin)>> {
            let select = "SELECT c.revision, c.digest, c.progress, c.created, c.updated, c.seal, d.algorithm, d.seed, c.channel
                FROM channels c LEFT JOIN documents d ON d.digest = c.digest
                WHERE c.guild = $1 AND c.channel > $2 AND ($3 OR c.digest IS NOT NULL) ORDER BY c.channel LIMIT $4";
            let select = sqlx::query(select).bind(guild_column(guild)).bind(after).bind(deleted).bind(limit);
            let rows = select.fetch_all(pool).await?;
            let read = |row: &$Row| {
                let channel = Id::checked("channel", row.try_get::<&str, _>(8)?)?;
                let key = ChannelKey { guild: guild.cloned(), channel };
                Ok((read_channel(row, key)?, read_origin(row, 6)?))
            };
            rows.iter().map(read).collect()
        }

        pub(super) async fn find_token(pool: &$Pool, hash: &[u8]) -> Result<Option<TokenRow>> {
            let select =
                "SELECT id, hash, name, guild, access, created, revoked, used FROM tokens WHERE hash = $1";
            let row = sqlx::query(select).bind(hash).fetch_optional(pool).await?;
            row.map(|row| read_token(&row)).transpose()
        }

        pub(super) async fn tokens(pool: &$Pool, after: &str, limit: i64) -> Result<Vec<TokenRow>> {
            let select = "SELECT id, hash, name, guild, access, created, revoked, used FROM tokens
                WHERE id > $1 ORDER BY id LIMIT $2";
            sqlx::query(select).bind(after).bind(limit).fetch_all(pool).await?.iter().map(read_token).collect()
        }

        fn read_channel(row: &$Row, key: ChannelKey) -> Result<ChannelRow> {
            Ok(ChannelRow {
                key,
                revision: row.try_get(0)?,
                digest: row.try_get(1)?,
                progress: row.try_get(2)?,
                created: row.try_get(3)?,
                updated: row.try_get(4)?,
                seal: row.try_get(5)?,
            })
        }

        fn read_entry(row: &$Row, key: ChannelKey) -> Result<HistoryRow> {
            Ok(HistoryRow {
                key,
                revision: row.try_get(0)?,
                at: row.try_get(1)?,
                actor: row.try_get(2)?,
                event: row.try_get(3)?,
                detail: row.try_get(4)?,
                digest: row.try_get(5)?,
                progress: row.try_get(6)?,
                seal: row.try_get(7)?,
            })
        }

        /// The document in the columns from `at` on; none if a join found none.
        fn read_document(row: &$Row, at: usize) -> Result<Option<DocumentRow>> {
            let Some(digest) = row.try_get::<Option<Vec<u8>>, _>(at)? else { return Ok(None) };
            Ok(Some(DocumentRow {
                digest,
                algorithm: row.try_get(at + 1)?,
                seed: row.try_get(at + 2)?,
                text: row.try_get(at + 3)?,
                seal: row.try_get(at + 4)?,
            }))
        }

        fn read_origin(row: &$Row, at: usize) -> Result<Origin> {
            Ok(row.try_get::<Option<String>, _>(at)?.zip(row.try_get::<Option<String>, _>(at + 1)?))
        }

        fn read_token(row: &$Row) -> Result<TokenRow> {
            Ok(TokenRow {
                id: row.try_get(0)?,
                hash: row.try_get(1)?,
                name: row.try_get(2)?,
                guild: row.try_get(3)?,
                access: row.try_get(4)?,
                created: row.try_get(5)?,
                revoked: row.try_get(6)?,
                used: row.try_get(7)?,
            })
        }
    };
}

pub(crate) use reading;
