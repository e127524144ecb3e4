//! Reading, for both databases: they understand the same statements, and only the types of sqlx differ.

/// Reads a row: the first members are given, the others are the columns from `$at` on.
macro_rules! columns {
    ($row:expr, $at:expr, $Type:ident { $($given:ident,)* ; $($column:ident),+ }) => {{
        let mut at = $at..;
        $Type { $($given,)* $($column: $row.try_get(at.next().unwrap_or(usize::MAX))?),+ }
    }};
}

/// The reading operations of one database, over its pool and its rows.
macro_rules! reading {
    ($Database:ty, $pool:ident, $Row:ty) => {
        use crate::key::{Id, guild_column};
        use crate::reading::columns;
        use crate::row::{ChannelRow, DocumentRow, HistoryRow, Origin};
        use sqlx::Row;

        impl $Database {
            pub(crate) async fn channel(&self, key: &ChannelKey) -> Result<Option<ChannelRow>> {
                let select = "SELECT revision, digest, progress, created, updated, seal FROM channels
                    WHERE guild = $1 AND channel = $2";
                let select = sqlx::query(select).bind(key.guild_column()).bind(key.channel.as_str());
                select.fetch_optional(&self.$pool).await?.map(|row| read_channel(&row, key.clone())).transpose()
            }

            pub(crate) async fn channel_with_document(
                &self,
                key: &ChannelKey,
            ) -> Result<Option<(ChannelRow, Option<DocumentRow>)>> {
                let select = "SELECT c.revision, c.digest, c.progress, c.created, c.updated, c.seal,
                        d.digest, d.algorithm, d.seed, d.text, d.seal
                    FROM channels c LEFT JOIN documents d ON d.digest = c.digest WHERE c.guild = $1 AND c.channel = $2";
                let select = sqlx::query(select).bind(key.guild_column()).bind(key.channel.as_str());
                let Some(row) = select.fetch_optional(&self.$pool).await? else { return Ok(None) };
                Ok(Some((read_channel(&row, key.clone())?, read_document(&row, 6)?)))
            }

            pub(crate) async fn document(&self, digest: &[u8]) -> Result<Option<DocumentRow>> {
                let select = sqlx::query("SELECT digest, algorithm, seed, text, seal FROM documents WHERE digest = $1");
                let row = select.bind(digest).fetch_optional(&self.$pool).await?;
                Ok(row.map(|row| read_document(&row, 0)).transpose()?.flatten())
            }

            pub(crate) async fn history(
                &self,
                key: &ChannelKey,
                from: i64,
                down: bool,
                limit: i64,
            ) -> Result<Vec<(HistoryRow, Origin)>> {
                const FIELDS: &str =
                    "SELECT h.revision, h.at, h.actor, h.event, h.detail, h.digest, h.progress, h.seal, d.algorithm, d.seed
                    FROM history h LEFT JOIN documents d ON d.digest = h.digest WHERE h.guild = $1 AND h.channel = $2";
                let order = match down {
                    true => "AND h.revision <= $3 ORDER BY h.revision DESC LIMIT $4",
                    false => "AND h.revision >= $3 ORDER BY h.revision LIMIT $4",
                };
                let select = sqlx::AssertSqlSafe(format!("{FIELDS} {order}"));
                let select = sqlx::query(select).bind(key.guild_column()).bind(key.channel.as_str());
                let select = select.bind(from).bind(limit);
                let rows = select.fetch_all(&self.$pool).await?;
                rows.iter().map(|row| Ok((read_entry(row, key.clone())?, read_origin(row, 8)?))).collect()
            }

            pub(crate) async fn channels(
                &self,
                guild: Option<&Id>,
                after: &str,
                deleted: bool,
                limit: i64,
            ) -> Result<Vec<(ChannelRow, Origin)>> {
                let select = "SELECT c.revision, c.digest, c.progress, c.created, c.updated, c.seal, d.algorithm, d.seed, c.channel
                    FROM channels c LEFT JOIN documents d ON d.digest = c.digest
                    WHERE c.guild = $1 AND c.channel > $2 AND ($3 OR c.digest IS NOT NULL) ORDER BY c.channel LIMIT $4";
                let select = sqlx::query(select).bind(guild_column(guild)).bind(after).bind(deleted).bind(limit);
                let rows = select.fetch_all(&self.$pool).await?;
                let read = |row: &$Row| {
                    let channel = Id::checked("channel", row.try_get::<&str, _>(8)?)?;
                    let key = ChannelKey { guild: guild.cloned(), channel };
                    Ok((read_channel(row, key)?, read_origin(row, 6)?))
                };
                rows.iter().map(read).collect()
            }

            pub(crate) async fn find_token(&self, hash: &[u8]) -> Result<Option<TokenRow>> {
                let select =
                    "SELECT id, hash, name, guild, access, created, revoked, used FROM tokens WHERE hash = $1";
                let row = sqlx::query(select).bind(hash).fetch_optional(&self.$pool).await?;
                row.map(|row| read_token(&row)).transpose()
            }

            pub(crate) async fn tokens(&self, after: &str, limit: i64) -> Result<Vec<TokenRow>> {
                let select = "SELECT id, hash, name, guild, access, created, revoked, used FROM tokens
                    WHERE id > $1 ORDER BY id LIMIT $2";
                sqlx::query(select).bind(after).bind(limit).fetch_all(&self.$pool).await?.iter().map(read_token).collect()
            }

            pub(crate) async fn ping(&self) -> Result<()> {
                sqlx::query("SELECT 1 FROM channels LIMIT 1").fetch_optional(&self.$pool).await?;
                self.is_open()
            }
        }

        fn read_channel(row: &$Row, key: ChannelKey) -> Result<ChannelRow> {
            Ok(columns!(row, 0, ChannelRow { key, ; revision, digest, progress, created, updated, seal }))
        }

        fn read_entry(row: &$Row, key: ChannelKey) -> Result<HistoryRow> {
            Ok(columns!(row, 0, HistoryRow { key, ; revision, at, actor, event, detail, digest, progress, seal }))
        }

        /// The document in the columns from `at` on; none if a join found none.
        fn read_document(row: &$Row, at: usize) -> Result<Option<DocumentRow>> {
            let Some(digest) = row.try_get(at)? else { return Ok(None) };
            Ok(Some(columns!(row, at + 1, DocumentRow { digest, ; algorithm, seed, text, seal })))
        }

        fn read_origin(row: &$Row, at: usize) -> Result<Origin> {
            Ok(row.try_get::<Option<String>, _>(at)?.zip(row.try_get::<Option<String>, _>(at + 1)?))
        }

        fn read_token(row: &$Row) -> Result<TokenRow> {
            Ok(columns!(row, 0, TokenRow { ; id, hash, name, guild, access, created, revoked, used }))
        }
    };
}

pub(crate) use {columns, reading};
