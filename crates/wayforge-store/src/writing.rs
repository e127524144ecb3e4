//! Writing, for both databases: they understand the same statements, and only the types of sqlx differ.

/// A statement with its values in order.
macro_rules! bound {
    ($statement:expr, $($value:expr),+ $(,)?) => {
        $statement$(.bind($value))+
    };
}

/// The writing functions over one type of connection, to be called inside a transaction.
macro_rules! writing {
    ($Connection:ty) => {
        use crate::database::{Change, Written};
        use crate::error::Result;
        use crate::guild_file::Record;
        use crate::row::{ChannelRow, DocumentRow, HistoryRow};
        use crate::spool::{Spool, occupied};
        use crate::token::TokenRow;
        use crate::writing::bound;

        pub(super) async fn write_change(connection: &mut $Connection, change: &Change) -> Result<Written> {
            let channel = &change.channel;
            let written = match change.seen {
                0 => insert_channel(connection, channel).await?,
                seen => {
                    let update = "UPDATE channels SET revision = $1, digest = $2, progress = $3, created = $4, updated = $5, seal = $6
                        WHERE guild = $7 AND channel = $8 AND revision = $9";
                    let update = bound!(
                        sqlx::query(update),
                        channel.revision, channel.digest.as_deref(), channel.progress.as_deref(),
                        channel.created, channel.updated, channel.seal.as_slice(), channel.key.guild_column(),
                        channel.key.channel.as_str(), seen,
                    );
                    update.execute(&mut *connection).await?.rows_affected() == 1
                }
            };
            if !written {
                return Ok(Written::Stale);
            }
            if let Some(document) = &change.document {
                insert_document(connection, document).await?;
            }
            insert_entry(connection, &change.entry).await?;
            Ok(Written::Done)
        }

        /// False if the channel is there already.
        pub(super) async fn insert_channel(connection: &mut $Connection, channel: &ChannelRow) -> Result<bool> {
            let insert = "INSERT INTO channels (guild, channel, revision, digest, progress, created, updated, seal)
                VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING";
            let insert = bound!(
                sqlx::query(insert),
                channel.key.guild_column(), channel.key.channel.as_str(), channel.revision,
                channel.digest.as_deref(), channel.progress.as_deref(), channel.created,
                channel.updated, channel.seal.as_slice(),
            );
            Ok(insert.execute(connection).await?.rows_affected() == 1)
        }

        pub(super) async fn insert_entry(connection: &mut $Connection, entry: &HistoryRow) -> Result<()> {
            let insert = "INSERT INTO history (guild, channel, revision, at, actor, event, detail, digest, progress, seal)
                VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)";
            let insert = bound!(
                sqlx::query(insert),
                entry.key.guild_column(), entry.key.channel.as_str(), entry.revision, entry.at,
                entry.actor.as_str(), entry.event.as_str(), entry.detail.as_deref(),
                entry.digest.as_deref(), entry.progress.as_deref(), entry.seal.as_slice(),
            );
            insert.execute(connection).await?;
            Ok(())
        }

        /// A document of that digest that is there already stays; a damaged one is mended by being brought again.
        pub(super) async fn insert_document(connection: &mut $Connection, document: &DocumentRow) -> Result<()> {
            let insert = "INSERT INTO documents (digest, algorithm, seed, text, seal) VALUES ($1, $2, $3, $4, $5)
                ON CONFLICT (digest) DO UPDATE SET algorithm = $2, seed = $3, text = $4, seal = $5
                WHERE documents.algorithm <> $2 OR documents.seed <> $3 OR documents.text <> $4 OR documents.seal <> $5";
            let insert = bound!(
                sqlx::query(insert),
                document.digest.as_slice(), document.algorithm.as_str(), document.seed.as_str(),
                document.text.as_str(), document.seal.as_slice(),
            );
            insert.execute(connection).await?;
            Ok(())
        }

        pub(super) async fn import(connection: &mut $Connection, mut spool: Spool) -> Result<()> {
            while let Some((line, record)) = spool.next_record()? {
                match record {
                    Record::Document(document) => insert_document(connection, &document).await?,
                    Record::Entry(entry) if entry.revision == 1 => {
                        let there = "SELECT 1 FROM channels WHERE guild = $1 AND channel = $2";
                        let there = sqlx::query(there).bind(entry.key.guild_column()).bind(entry.key.channel.as_str());
                        if there.fetch_optional(&mut *connection).await?.is_some() {
                            return Err(occupied(line, &entry.key.channel));
                        }
                        insert_entry(connection, &entry).await?;
                    }
                    Record::Entry(entry) => insert_entry(connection, &entry).await?,
                    Record::Channel(channel) => {
                        if !insert_channel(connection, &channel).await? {
                            return Err(occupied(line, &channel.key.channel));
                        }
                    }
                }
            }
            Ok(())
        }

        pub(super) async fn add_token(connection: &mut $Connection, token: &TokenRow) -> Result<()> {
            let insert = "INSERT INTO tokens (id, hash, name, guild, access, created) VALUES ($1, $2, $3, $4, $5, $6)";
            let insert = bound!(
                sqlx::query(insert),
                token.id.as_str(), token.hash.as_slice(), token.name.as_str(), token.guild.as_str(),
                token.access.as_str(), token.created,
            );
            insert.execute(connection).await?;
            Ok(())
        }

        /// False if the name is remembered at this time.
        pub(super) async fn take_once(connection: &mut $Connection, name: &str, now: i64, until: i64) -> Result<bool> {
            let insert = "INSERT INTO once (name, until) VALUES ($1, $2)
                ON CONFLICT (name) DO UPDATE SET until = $2 WHERE once.until <= $3";
            let insert = sqlx::query(insert).bind(name).bind(until).bind(now);
            Ok(insert.execute(connection).await?.rows_affected() == 1)
        }

        pub(super) async fn mark_token(connection: &mut $Connection, id: &str, at: i64, revoke: bool) -> Result<bool> {
            let update = match revoke {
                true => "UPDATE tokens SET revoked = $1 WHERE id = $2 AND revoked IS NULL",
                false => "UPDATE tokens SET used = $1 WHERE id = $2",
            };
            Ok(sqlx::query(update).bind(at).bind(id).execute(connection).await?.rows_affected() == 1)
        }
    };
}

pub(crate) use {bound, writing};
