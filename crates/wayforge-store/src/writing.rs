//! Writing, for both databases: they understand the same statements, and only the types of sqlx differ.

/// A statement with its values in order.
macro_rules! bound {
    ($statement:expr, $($value:expr),+ $(,)?) => {
        $statement$(.bind($value))+
    };
}

/// The writing functions over one type of connection, to be called inside a transaction. `$skip` leaves out rows that another
/// server has locked.
macro_rules! writing {
    ($Connection:ty, $skip:literal) => {
        use crate::database::{Change, Work};
        use crate::error::Result;
        use crate::guild_file::Line;
        use crate::key::guild_column;
        use crate::row::{ChannelRow, HistoryRow, Kept, digest_bytes};
        use crate::spool::{Spool, occupied};
        use crate::writing::bound;
        use wayforge::Document;

        pub(super) async fn write(connection: &mut $Connection, work: Work) -> Result<bool> {
            match work {
                Work::Change(change) => write_change(connection, &change).await,
                Work::Import(spool) => import(connection, *spool).await.map(|()| true),
                Work::AddToken(token, hash) => {
                    let insert = "INSERT INTO tokens (id, hash, name, guild, access, created) VALUES ($1, $2, $3, $4, $5, $6)";
                    let insert = bound!(
                        sqlx::query(insert),
                        token.id, hash, token.name, guild_column(token.guild.as_ref()), token.access.name(), token.created.0,
                    );
                    Ok(insert.execute(connection).await?.rows_affected() == 1)
                }
                Work::MarkToken { id, at, revoke } => {
                    let update = match revoke {
                        true => "UPDATE tokens SET revoked = $1 WHERE id = $2 AND revoked IS NULL",
                        false => "UPDATE tokens SET used = $1 WHERE id = $2",
                    };
                    Ok(sqlx::query(update).bind(at).bind(id).execute(connection).await?.rows_affected() == 1)
                }
                Work::Once { name, now, until } => {
                    let forget = concat!(
                        "DELETE FROM once WHERE name IN (SELECT name FROM once WHERE until <= $1 ORDER BY until LIMIT 100 ",
                        $skip,
                        ")"
                    );
                    sqlx::query(forget).bind(now).execute(&mut *connection).await?;
                    let insert = "INSERT INTO once (name, until) VALUES ($1, $2)
                        ON CONFLICT (name) DO UPDATE SET until = $2 WHERE once.until <= $3";
                    let insert = sqlx::query(insert).bind(name).bind(until).bind(now);
                    Ok(insert.execute(connection).await?.rows_affected() == 1)
                }
            }
        }

        async fn write_change(connection: &mut $Connection, change: &Change) -> Result<bool> {
            let channel = &change.channel;
            let written = match change.seen {
                0 => insert_channel(connection, channel).await?,
                seen => {
                    let update = "UPDATE channels SET revision = $1, digest = $2, progress = $3, created = $4, updated = $5, seal = $6
                        WHERE guild = $7 AND channel = $8 AND revision = $9";
                    let update = bound!(
                        sqlx::query(update),
                        channel.revision, digest_bytes(&channel.digest), channel.progress.as_deref(),
                        channel.created.0, channel.updated.0, channel.seal(), channel.key.guild_column(),
                        channel.key.channel.as_str(), seen,
                    );
                    update.execute(&mut *connection).await?.rows_affected() == 1
                }
            };
            if written {
                if let Some(document) = &change.document {
                    insert_document(connection, document).await?;
                }
                insert_entry(connection, &change.entry).await?;
            }
            Ok(written)
        }

        /// False if the channel is there already.
        async fn insert_channel(connection: &mut $Connection, channel: &ChannelRow) -> Result<bool> {
            let insert = "INSERT INTO channels (guild, channel, revision, digest, progress, created, updated, seal)
                VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING";
            let insert = bound!(
                sqlx::query(insert),
                channel.key.guild_column(), channel.key.channel.as_str(), channel.revision,
                digest_bytes(&channel.digest), channel.progress.as_deref(), channel.created.0,
                channel.updated.0, channel.seal(),
            );
            Ok(insert.execute(connection).await?.rows_affected() == 1)
        }

        async fn insert_entry(connection: &mut $Connection, entry: &HistoryRow) -> Result<()> {
            let insert = "INSERT INTO history (guild, channel, revision, at, actor, event, detail, digest, progress, seal)
                VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)";
            let insert = bound!(
                sqlx::query(insert),
                entry.key.guild_column(), entry.key.channel.as_str(), entry.revision, entry.at.0,
                entry.actor.as_str(), entry.event.name(), entry.event.detail(),
                digest_bytes(&entry.digest), entry.progress.as_deref(), entry.seal(),
            );
            insert.execute(connection).await?;
            Ok(())
        }

        /// A document of that digest that is there already stays; a damaged one is repaired by being brought again.
        async fn insert_document(connection: &mut $Connection, document: &Kept) -> Result<()> {
            let insert = "INSERT INTO documents (digest, algorithm, seed, text, seal) VALUES ($1, $2, $3, $4, $5)
                ON CONFLICT (digest) DO UPDATE SET algorithm = $2, seed = $3, text = $4, seal = $5
                WHERE documents.algorithm <> $2 OR documents.seed <> $3 OR documents.text <> $4 OR documents.seal <> $5";
            let insert = bound!(
                sqlx::query(insert),
                document.map.digest.0.as_slice(), document.map.algorithm.as_str(), document.map.seed.to_string(),
                document.text.as_ref(), document.seal(),
            );
            insert.execute(connection).await?;
            Ok(())
        }

        async fn import(connection: &mut $Connection, mut spool: Spool) -> Result<()> {
            while let Some((line, record)) = spool.next_record()? {
                match record {
                    Line::Document(raw) => {
                        let document = Document::decode(raw.get().as_bytes()).map_err(std::io::Error::other)?;
                        insert_document(connection, &Kept::of(&document)?).await?;
                    }
                    Line::Entry(entry) => {
                        let there = "SELECT 1 FROM channels WHERE guild = $1 AND channel = $2";
                        let there = sqlx::query(there).bind(entry.key.guild_column()).bind(entry.key.channel.as_str());
                        if entry.revision == 1 && there.fetch_optional(&mut *connection).await?.is_some() {
                            return Err(occupied(line, &entry.key.channel));
                        }
                        insert_entry(connection, &entry).await?;
                    }
                    Line::Channel(channel) => {
                        if !insert_channel(connection, &channel).await? {
                            return Err(occupied(line, &channel.key.channel));
                        }
                    }
                    Line::End(_) => {}
                }
            }
            Ok(())
        }
    };
}

pub(crate) use {bound, writing};
