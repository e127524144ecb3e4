//! Read queries of both databases. The SQL is the same; only the sqlx types differ.

/// Implements the read operations of a database. Every row is verified against its checksum.
macro_rules! read_queries {
    ($Database:ty, $pool:ident, $Row:ty) => {
        use crate::history::Event;
        use crate::key::{Actor, ChannelKey, Id, guild_column};
        use crate::row::{
            AlgorithmAndSeed, ChannelRow, HistoryRow, RawDocument, damaged, read_digest,
        };
        use crate::timestamp::Timestamp;
        use crate::token::{Access, Token};
        use sqlx::Row;
        use wayforge::Digest;

        impl $Database {
            pub(crate) async fn channel(&self, key: &ChannelKey) -> Result<Option<ChannelRow>> {
                let select = "SELECT revision, digest, progress, created, updated, checksum
                    FROM channels WHERE guild = $1 AND channel = $2";
                let select =
                    sqlx::query(select).bind(key.guild_column()).bind(key.channel.as_str());
                let row = select.fetch_optional(&self.$pool).await?;
                row.map(|row| read_channel(&row, key.clone())).transpose()
            }

            /// Returns a channel with the document of its map; `None` if it has no map.
            pub(crate) async fn map(
                &self,
                key: &ChannelKey,
            ) -> Result<Option<(ChannelRow, RawDocument)>> {
                let select = "SELECT c.revision, c.digest, c.progress, c.created, c.updated,
                        c.checksum, d.algorithm, d.seed, d.text, d.checksum
                    FROM channels c LEFT JOIN documents d ON d.digest = c.digest
                    WHERE c.guild = $1 AND c.channel = $2";
                let select =
                    sqlx::query(select).bind(key.guild_column()).bind(key.channel.as_str());
                let Some(row) = select.fetch_optional(&self.$pool).await? else { return Ok(None) };
                let channel = read_channel(&row, key.clone())?;
                let Some(digest) = channel.digest else { return Ok(None) };
                Ok(Some((channel, read_document(&row, 6, digest)?)))
            }

            pub(crate) async fn document(&self, digest: Digest) -> Result<RawDocument> {
                let select = "SELECT algorithm, seed, text, checksum FROM documents
                    WHERE digest = $1";
                let select = sqlx::query(select);
                match select.bind(digest.0.as_slice()).fetch_optional(&self.$pool).await? {
                    Some(row) => read_document(&row, 0, digest),
                    None => Err(damaged("documents", "the document", Some(digest))),
                }
            }

            /// Returns at most `limit` history entries, starting at revision `from`, in descending
            /// or ascending order, with their revisions. A damaged entry is an `Err` in the list.
            pub(crate) async fn history(
                &self,
                key: &ChannelKey,
                from: i64,
                descending: bool,
                limit: i64,
            ) -> Result<Vec<(i64, Result<HistoryRow>)>> {
                const FIELDS: &str = "SELECT revision, at, actor, event, detail,
                        digest, progress, checksum, token
                    FROM history WHERE guild = $1 AND channel = $2";
                let order = if descending {
                    "AND revision <= $3 ORDER BY revision DESC LIMIT $4"
                } else {
                    "AND revision >= $3 ORDER BY revision LIMIT $4"
                };
                let select = sqlx::AssertSqlSafe(format!("{FIELDS} {order}"));
                let select =
                    sqlx::query(select).bind(key.guild_column()).bind(key.channel.as_str());
                let rows = select.bind(from).bind(limit).fetch_all(&self.$pool).await?;
                let read = |row: &$Row| Ok((row.try_get(0)?, read_entry(row, key.clone())));
                rows.iter().map(read).collect()
            }

            pub(crate) async fn channels(
                &self,
                guild: Option<&Id>,
                after: &str,
                deleted: bool,
                limit: i64,
            ) -> Result<Vec<ChannelRow>> {
                let select = "SELECT revision, digest, progress, created, updated, checksum, channel
                    FROM channels WHERE guild = $1 AND channel > $2 AND ($3 OR digest IS NOT NULL)
                    ORDER BY channel LIMIT $4";
                let select = sqlx::query(select).bind(guild_column(guild)).bind(after);
                let rows = select.bind(deleted).bind(limit).fetch_all(&self.$pool).await?;
                let read = |row: &$Row| {
                    let channel = Id::checked("channel", row.try_get::<&str, _>(6)?)?;
                    let key = ChannelKey { guild: guild.cloned(), channel };
                    read_channel(row, key)
                };
                rows.iter().map(read).collect()
            }

            /// Returns a channel that has a history but no row, after `after` and up to `until`.
            ///
            /// Reads one history entry per channel.
            pub(crate) async fn lost_channel(
                &self,
                guild: Option<&Id>,
                after: &str,
                until: Option<&str>,
            ) -> Result<Option<String>> {
                let select = "WITH RECURSIVE known (channel) AS (
                        SELECT min(channel) FROM history WHERE guild = $1 AND channel > $2
                        UNION ALL
                        SELECT (SELECT min(channel) FROM history
                            WHERE guild = $1 AND channel > known.channel)
                        FROM known WHERE known.channel IS NOT NULL
                            AND (CAST($3 AS TEXT) IS NULL OR known.channel < $3))
                    SELECT channel FROM known
                    WHERE channel IS NOT NULL AND (CAST($3 AS TEXT) IS NULL OR channel <= $3)
                        AND NOT EXISTS (SELECT 1 FROM channels
                            WHERE guild = $1 AND channels.channel = known.channel)
                    LIMIT 1";
                let select = sqlx::query_scalar(select).bind(guild_column(guild)).bind(after);
                Ok(select.bind(until).fetch_optional(&self.$pool).await?)
            }

            /// Returns at most `limit` channels of all guilds after a guild and channel, with their
            /// columns `guild` and `channel`. A damaged channel is an `Err` in the list.
            pub(crate) async fn all_channels(
                &self,
                [guild, channel]: &[String; 2],
                limit: i64,
            ) -> Result<Vec<([String; 2], Result<ChannelRow>)>> {
                let select = "SELECT revision, digest, progress, created, updated, checksum,
                        guild, channel
                    FROM channels WHERE (guild, channel) > ($1, $2)
                    ORDER BY guild, channel LIMIT $3";
                let select = sqlx::query(select).bind(guild).bind(channel).bind(limit);
                let read = |row: &$Row| {
                    let names: [String; 2] = [row.try_get(6)?, row.try_get(7)?];
                    let key = ChannelKey::from_columns(&names);
                    let read = key.map_err(StoreError::from).and_then(|key| read_channel(row, key));
                    Ok((names, read))
                };
                select.fetch_all(&self.$pool).await?.iter().map(read).collect()
            }

            /// Returns guild and channel of histories without a channel.
            pub(crate) async fn orphans(&self) -> Result<Vec<[String; 2]>> {
                let select = "SELECT DISTINCT h.guild, h.channel FROM history h
                    WHERE NOT EXISTS (SELECT 1 FROM channels c
                        WHERE c.guild = h.guild AND c.channel = h.channel)
                    ORDER BY h.guild, h.channel";
                let rows = sqlx::query(select).fetch_all(&self.$pool).await?;
                rows.iter().map(|row| Ok([row.try_get(0)?, row.try_get(1)?])).collect()
            }

            /// Returns at most `limit` documents after a digest, with their column `digest`. A
            /// damaged document may be an `Err` in the list.
            pub(crate) async fn documents(
                &self,
                after: &[u8],
                limit: i64,
            ) -> Result<Vec<(Vec<u8>, Result<RawDocument>)>> {
                let select = "SELECT digest, algorithm, seed, text, checksum FROM documents
                    WHERE digest > $1 ORDER BY digest LIMIT $2";
                let select = sqlx::query(select).bind(after).bind(limit);
                let read = |row: &$Row| {
                    let digest: Vec<u8> = row.try_get(0)?;
                    let read = <[u8; 32]>::try_from(digest.as_slice())
                        .map_err(|_| damaged("documents", "the digest", None))
                        .and_then(|digest| read_document(row, 1, Digest(digest)));
                    Ok((digest, read))
                };
                select.fetch_all(&self.$pool).await?.iter().map(read).collect()
            }

            pub(crate) async fn find_token(&self, hash: &[u8]) -> Result<Option<Token>> {
                let select = "SELECT id, name, guild, access, created, revoked, used FROM tokens
                    WHERE hash = $1";
                let row = sqlx::query(select).bind(hash).fetch_optional(&self.$pool).await?;
                row.map(|row| read_token(&row)).transpose()
            }

            pub(crate) async fn tokens(&self, after: &str, limit: i64) -> Result<Vec<Token>> {
                let select = "SELECT id, name, guild, access, created, revoked, used FROM tokens
                    WHERE id > $1 ORDER BY id LIMIT $2";
                let select = sqlx::query(select).bind(after).bind(limit);
                select.fetch_all(&self.$pool).await?.iter().map(read_token).collect()
            }

            pub(crate) async fn ping(&self) -> Result<()> {
                sqlx::query("SELECT 1 FROM channels LIMIT 1").fetch_optional(&self.$pool).await?;
                self.check_open()
            }
        }

        fn read_channel(row: &$Row, key: ChannelKey) -> Result<ChannelRow> {
            let read = ChannelRow {
                revision: row.try_get(0)?,
                digest: read_digest(&key, row.try_get(1)?)?,
                progress: row.try_get(2)?,
                created: Timestamp(row.try_get(3)?),
                updated: Timestamp(row.try_get(4)?),
                key,
            };
            let checksum: &[u8] = row.try_get(5)?;
            if read.checksum() == checksum { Ok(read) } else { Err(read.damaged()) }
        }

        fn read_entry(row: &$Row, key: ChannelKey) -> Result<HistoryRow> {
            let digest = read_digest(&key, row.try_get(5)?)?;
            let damage = |_| damaged(&key, "the history", digest);
            let read = HistoryRow {
                revision: row.try_get(0)?,
                at: Timestamp(row.try_get(1)?),
                actor: Actor::new(row.try_get(2)?).map_err(damage)?,
                event: Event::parse(row.try_get(3)?, row.try_get(4)?).map_err(damage)?,
                digest,
                progress: row.try_get(6)?,
                token: row.try_get(8)?,
                key: key.clone(),
            };
            let checksum: &[u8] = row.try_get(7)?;
            if read.checksum() == checksum { Ok(read) } else { Err(read.damaged()) }
        }

        /// Reads a document from four columns, starting at column `first`. They are NULL if a join
        /// found no document.
        fn read_document(row: &$Row, first: usize, digest: Digest) -> Result<RawDocument> {
            let text: Option<String> = row.try_get(first + 2)?;
            let checksum: Option<Vec<u8>> = row.try_get(first + 3)?;
            let origin = read_origin(row, first)?;
            let (text, checksum) = (text.unwrap_or_default(), checksum.unwrap_or_default());
            Ok(RawDocument { digest, origin, text, checksum })
        }

        fn read_origin(row: &$Row, first: usize) -> Result<AlgorithmAndSeed> {
            let algorithm: Option<String> = row.try_get(first)?;
            Ok(algorithm.zip(row.try_get::<Option<String>, _>(first + 1)?))
        }

        fn read_token(row: &$Row) -> Result<Token> {
            // An unreadable token grants nothing.
            let damage = || damaged("tokens", "a token", None);
            let guild: &str = row.try_get(2)?;
            let guild =
                (!guild.is_empty()).then(|| Id::checked("guild", guild).map_err(|_| damage()));
            Ok(Token {
                id: row.try_get(0)?,
                name: row.try_get(1)?,
                guild: guild.transpose()?,
                access: Access::from_name(row.try_get(3)?).ok_or_else(damage)?,
                created: Timestamp(row.try_get(4)?),
                revoked: row.try_get::<Option<i64>, _>(5)?.map(Timestamp),
                used: row.try_get::<Option<i64>, _>(6)?.map(Timestamp),
            })
        }
    };
}

pub(crate) use read_queries;
