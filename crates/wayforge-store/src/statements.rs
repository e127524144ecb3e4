//! Write statements of both databases. The SQL is the same; only the sqlx types differ.

/// Binds values to a statement in order.
macro_rules! bound {
    ($statement:expr, $($value:expr),+ $(,)?) => {
        $statement$(.bind($value))+
    };
}

/// Statement that changes a channel at the expected revision.
macro_rules! update_channel {
    () => {
        "UPDATE channels SET revision = $1, digest = $2, progress = $3,
                created = $4, updated = $5, checksum = $6
            WHERE guild = $7 AND channel = $8 AND revision = $9"
    };
}

/// Implements the write functions for one connection type. Call them inside a transaction. `$skip`
/// is the SQL clause that skips rows locked by other servers. `$lock_guild` is the SQL statement
/// that makes additions of channels to a guild wait for each other until they commit, if the
/// database needs one; its parameter is the hash of the guild.
macro_rules! write_statements {
    ($Connection:ty, $skip:literal, $lock_guild:expr) => {
        use crate::database::{Change, ChannelQuota, Write};
        use crate::error::Result;
        use crate::import_buffer::{ImportBuffer, ImportRow, occupied};
        use crate::key::guild_column;
        use crate::row::{ChannelRow, DocumentRow, HistoryRow, digest_bytes};
        use crate::statements::{bound, update_channel};
        use wayforge::seed::fnv1a_64;

        pub(super) async fn write(connection: &mut $Connection, write: Write) -> Result<bool> {
            match write {
                Write::Change(change) => write_change(connection, &change).await,
                Write::Import(buffer, quota) => {
                    import(connection, *buffer).await?;
                    check_quota(connection, quota.as_ref()).await.map(|()| true)
                }
                Write::AddToken(token, hash) => {
                    let insert = "INSERT INTO tokens (id, hash, name, guild, access, created)
                        VALUES ($1, $2, $3, $4, $5, $6)";
                    let insert = bound!(
                        sqlx::query(insert),
                        token.id,
                        hash,
                        token.name,
                        guild_column(token.guild.as_ref()),
                        token.access.name(),
                        token.created.0,
                    );
                    Ok(insert.execute(connection).await?.rows_affected() == 1)
                }
                Write::MarkToken { id, at, revoke } => {
                    let update = if revoke {
                        "UPDATE tokens SET revoked = $1 WHERE id = $2 AND revoked IS NULL"
                    } else {
                        "UPDATE tokens SET used = $1 WHERE id = $2"
                    };
                    let update = sqlx::query(update).bind(at).bind(id);
                    Ok(update.execute(connection).await?.rows_affected() == 1)
                }
                Write::ClaimKey { name, now, expires } => {
                    let delete_expired = concat!(
                        "DELETE FROM idempotency_keys WHERE name IN (
                            SELECT name FROM idempotency_keys WHERE expires <= $1
                            ORDER BY expires LIMIT 100 ",
                        $skip,
                        ")"
                    );
                    sqlx::query(delete_expired).bind(now).execute(&mut *connection).await?;
                    let insert = "INSERT INTO idempotency_keys (name, expires) VALUES ($1, $2)
                        ON CONFLICT (name) DO UPDATE SET expires = $2
                        WHERE idempotency_keys.expires <= $3";
                    let insert = sqlx::query(insert).bind(name).bind(expires).bind(now);
                    Ok(insert.execute(connection).await?.rows_affected() == 1)
                }
            }
        }

        async fn write_change(connection: &mut $Connection, change: &Change) -> Result<bool> {
            let channel = &change.channel;
            let written = match change.expected {
                0 => insert_channel(connection, channel).await?,
                expected => {
                    let update = bound!(
                        sqlx::query(update_channel!()),
                        channel.revision,
                        digest_bytes(&channel.digest),
                        channel.progress.as_deref(),
                        channel.created.0,
                        channel.updated.0,
                        channel.checksum(),
                        channel.key.guild_column(),
                        channel.key.channel.as_str(),
                        expected,
                    );
                    update.execute(&mut *connection).await?.rows_affected() == 1
                }
            };
            if written {
                if let Some(document) = &change.document {
                    insert_document(connection, document).await?;
                }
                insert_entry(connection, &change.entry).await?;
                check_quota(connection, change.quota.as_ref()).await?;
            }
            Ok(written)
        }

        /// Checks the number of channels of a guild. An error rolls back the additions before it.
        ///
        /// The lock is the last one of its transaction, so that no two transactions can wait for
        /// each other.
        async fn check_quota(
            connection: &mut $Connection,
            quota: Option<&ChannelQuota>,
        ) -> Result<()> {
            let Some(quota) = quota else { return Ok(()) };
            let lock: Option<&'static str> = $lock_guild;
            if let Some(lock) = lock {
                let guild = fnv1a_64(quota.guild.as_str().as_bytes()).cast_signed();
                sqlx::query(lock).bind(guild).execute(&mut *connection).await?;
            }
            // Reads no more rows than the limit needs.
            let count = "SELECT count(*) FROM (
                    SELECT 1 FROM channels WHERE guild = $1 LIMIT $2
                ) AS counted";
            let count = sqlx::query_scalar::<_, i64>(count).bind(quota.guild.as_str());
            let channels = count.bind(i64::from(quota.max) + 1).fetch_one(connection).await?;
            quota.check(channels)
        }

        /// Inserts a channel. Returns false if it already exists.
        async fn insert_channel(
            connection: &mut $Connection,
            channel: &ChannelRow,
        ) -> Result<bool> {
            let insert = "INSERT INTO channels
                    (guild, channel, revision, digest, progress, created, updated, checksum)
                VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING";
            let insert = bound!(
                sqlx::query(insert),
                channel.key.guild_column(),
                channel.key.channel.as_str(),
                channel.revision,
                digest_bytes(&channel.digest),
                channel.progress.as_deref(),
                channel.created.0,
                channel.updated.0,
                channel.checksum(),
            );
            Ok(insert.execute(connection).await?.rows_affected() == 1)
        }

        async fn insert_entry(connection: &mut $Connection, entry: &HistoryRow) -> Result<()> {
            let insert = "INSERT INTO history (guild, channel, revision, at, actor, event, detail,
                    digest, progress, checksum, token)
                VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)";
            let insert = bound!(
                sqlx::query(insert),
                entry.key.guild_column(),
                entry.key.channel.as_str(),
                entry.revision,
                entry.at.0,
                entry.actor.as_str(),
                entry.event.name(),
                entry.event.detail(),
                digest_bytes(&entry.digest),
                entry.progress.as_deref(),
                entry.checksum(),
                entry.token.as_deref(),
            );
            insert.execute(connection).await?;
            Ok(())
        }

        /// Inserts a document. If its digest exists, an intact row stays unchanged, and a damaged
        /// row is overwritten.
        async fn insert_document(
            connection: &mut $Connection,
            document: &DocumentRow,
        ) -> Result<()> {
            let insert = "INSERT INTO documents (digest, algorithm, seed, text, checksum)
                VALUES ($1, $2, $3, $4, $5)
                ON CONFLICT (digest)
                DO UPDATE SET algorithm = $2, seed = $3, text = $4, checksum = $5
                WHERE documents.algorithm <> $2 OR documents.seed <> $3
                    OR documents.text <> $4 OR documents.checksum <> $5";
            let insert = bound!(
                sqlx::query(insert),
                document.map.digest.0.as_slice(),
                document.map.algorithm.as_str(),
                document.map.seed.to_string(),
                document.text.as_ref(),
                document.checksum(),
            );
            insert.execute(connection).await?;
            Ok(())
        }

        async fn import(connection: &mut $Connection, mut buffer: ImportBuffer) -> Result<()> {
            loop {
                let rows;
                (buffer, rows) = buffer.next_rows().await?;
                if rows.is_empty() {
                    return Ok(());
                }
                for (line, row) in rows {
                    import_row(connection, line, row).await?;
                }
            }
        }

        async fn import_row(connection: &mut $Connection, line: u64, row: ImportRow) -> Result<()> {
            match row {
                ImportRow::Document(document) => insert_document(connection, &document).await,
                ImportRow::Entry(entry) => {
                    let existing = "SELECT 1 FROM channels WHERE guild = $1 AND channel = $2";
                    let existing = sqlx::query(existing)
                        .bind(entry.key.guild_column())
                        .bind(entry.key.channel.as_str());
                    if entry.revision == 1
                        && existing.fetch_optional(&mut *connection).await?.is_some()
                    {
                        return Err(occupied(line, &entry.key.channel));
                    }
                    insert_entry(connection, &entry).await
                }
                ImportRow::Channel(channel) => match insert_channel(connection, &channel).await? {
                    true => Ok(()),
                    false => Err(occupied(line, &channel.key.channel)),
                },
            }
        }
    };
}

pub(crate) use {bound, update_channel, write_statements};
