//! Verification and backup of a whole database.

use super::Store;
use super::history::HistoryReader;
use crate::database::dispatch;
use crate::error::{Result, StoreError};
use crate::key::ChannelKey;
use crate::map::NewMap;
use crate::replay::Replay;
use crate::row::{ChannelRow, HistoryRow, RawDocument};
use crate::verify::{Damage, VerifiedCounts};
use std::path::Path;
use wayforge::{Digest, WorkLimit};

/// Number of channels that are read at once.
const CHANNELS: i64 = 100;
/// Number of documents that are read at once. They can be large.
const DOCUMENTS: i64 = 16;
/// Number of tokens that are read at once.
const TOKENS: i64 = 1000;

/// A verification in progress.
struct Verification<'a> {
    store: &'a Store,
    counts: VerifiedCounts,
    report: &'a mut (dyn FnMut(Damage) + Send),
}

impl Store {
    /// Reads every row and calls `report` for each damaged one: checks all checksums and digests,
    /// decodes all documents, and replays all histories. Checks the file of an SQLite database
    /// first. Other connections may change the database meanwhile.
    ///
    /// # Errors
    /// [`StoreError::Database`] if the database fails; damage is not an error.
    ///
    /// # Examples
    /// ```
    /// # let mut runtime = tokio::runtime::Builder::new_current_thread();
    /// # runtime.enable_all().build().unwrap().block_on(async {
    /// # use wayforge::{Family, Seed};
    /// # use wayforge_store::{Actor, ChannelKey, NewMap};
    /// # let folder = tempfile::tempdir()?;
    /// # let file = folder.path().join("maps.db");
    /// # let store = wayforge_store::open(&format!("sqlite:{}", file.display())).await?;
    /// let key = ChannelKey::new(Some("guild"), "general")?;
    /// let map = NewMap::generate(Family::Act, b"{}", Seed::new(42))?;
    /// store.create(&key, map, None, &Actor::new("ada")?).await?;
    /// let mut damage = Vec::new();
    /// let counts = store.verify(&mut |row| damage.push(row)).await?;
    /// assert_eq!((counts.guilds, counts.records.entries), (1, 1));
    /// assert!(damage.is_empty());
    /// # store.close().await;
    /// # Ok::<(), Box<dyn std::error::Error>>(()) }).unwrap();
    /// ```
    pub async fn verify(&self, report: &mut (dyn FnMut(Damage) + Send)) -> Result<VerifiedCounts> {
        let problems = dispatch!(self, check_file())?;
        problems.iter().for_each(|problem| report(Damage::new("database", problem)));
        let mut verification =
            Verification { store: self, counts: VerifiedCounts::default(), report };
        match verification.run().await {
            // The rest of a damaged file cannot be read.
            Err(StoreError::Database(problem)) if !problems.is_empty() => {
                verification.damage(Damage::new("database", problem));
            }
            verified => verified?,
        }
        Ok(verification.counts)
    }

    /// Copies an SQLite database to a new file that only its owner can read. The copy contains
    /// every change that was acknowledged before the call, and is consistent while others change
    /// the database.
    ///
    /// # Errors
    /// [`StoreError::Io`] if the file exists or cannot be created; [`StoreError::Input`] for
    /// PostgreSQL, which has its own program for copies; [`StoreError::Database`] if copying fails,
    /// for example because the disk is full. No file is left behind.
    pub async fn backup(&self, path: &Path) -> Result<()> {
        dispatch!(self, backup(path))
    }
}

impl Verification<'_> {
    fn damage(&mut self, damage: Damage) {
        (self.report)(damage);
    }

    async fn run(&mut self) -> Result<()> {
        self.documents().await?;
        self.channels().await?;
        for names in dispatch!(self.store, orphans())? {
            self.damage(Damage::new(location(&names), "the history has no channel"));
        }
        self.tokens().await
    }

    /// Decodes all documents, including those that no channel refers to any more.
    async fn documents(&mut self) -> Result<()> {
        let mut after = Vec::new();
        loop {
            let documents = dispatch!(self.store, documents(&after, DOCUMENTS))?;
            let Some((last, _)) = documents.last() else { return Ok(()) };
            after.clone_from(last);
            for (_, document) in documents {
                self.counts.records.documents += 1;
                let checked = match document {
                    Ok(raw) => {
                        let digest = raw.digest;
                        let check = move |_: &WorkLimit| Ok(check_document(digest, raw));
                        self.store.executor.run(check).await?
                    }
                    Err(error) => Err(Damage::unreadable("documents", &error)),
                };
                if let Err(damage) = checked {
                    self.damage(damage);
                }
            }
        }
    }

    async fn channels(&mut self) -> Result<()> {
        let mut after = [String::new(), String::new()];
        loop {
            let channels = dispatch!(self.store, all_channels(&after, CHANNELS))?;
            if channels.is_empty() {
                return Ok(());
            }
            for (names, row) in channels {
                self.counts.records.channels += 1;
                if names[0] != after[0] {
                    self.counts.guilds += 1;
                }
                match ChannelKey::from_columns(&names) {
                    Ok(key) => self.channel(&key, row).await?,
                    Err(error) => self.damage(Damage::new(location(&names), error)),
                }
                after = names;
            }
        }
    }

    /// Replays the history of a channel up to the revision of its row. After damage, only the
    /// checksums of the other entries are checked.
    async fn channel(&mut self, key: &ChannelKey, row: Result<ChannelRow>) -> Result<()> {
        let row = row.map_err(|error| self.damage(Damage::unreadable(key, &error))).ok();
        // The history of a damaged row is read to its end.
        let last = row.as_ref().map_or(i64::MAX - 1, |row| row.revision);
        let mut history = HistoryReader::new(self.store, key, i64::MIN);
        let mut replay = Some(Replay::new(key.channel.clone()));
        let mut expected = 1;
        let mut later = None;
        while expected <= last {
            let Some((revision, entry)) = history.next().await? else { break };
            if revision > last {
                later = Some(revision);
                break;
            }
            self.counts.records.entries += 1;
            if revision != expected {
                self.missing(key, expected, revision - 1);
                replay = None;
            }
            expected = expected.max(revision + 1);
            replay = match (entry, replay) {
                (Ok(entry), Some(replay)) => self.entry(replay, &entry).await?,
                (Ok(_), None) => None,
                (Err(error), _) => {
                    self.damage(Damage::unreadable(key, &error).with_revision(revision));
                    None
                }
            };
        }
        let Some(row) = row else { return Ok(()) };
        self.missing(key, expected, last);
        if let Some(replay) = replay.filter(|_| expected > last)
            && let Err(problem) = replay.check(&row)
        {
            self.damage(Damage { digest: row.digest, ..Damage::new(key, problem) });
        }
        // Another connection may have changed the channel meanwhile.
        let later = match later {
            None => history.next().await?.map(|(revision, _)| revision),
            later => later,
        };
        if let Some(revision) = later
            && let Ok(Some(current)) = dispatch!(self.store, channel(key))
            && current.revision < revision
        {
            let problem = format!("later than revision {} of the channel", current.revision);
            self.damage(Damage::new(key, problem).with_revision(revision));
        }
        Ok(())
    }

    /// Reports the entries from `first` to `last` as missing, if there are any.
    fn missing(&mut self, key: &ChannelKey, first: i64, last: i64) {
        if first <= last {
            let entries = match last - first {
                0 => "the history entry is missing".to_owned(),
                _ => format!("the history entries up to revision {last} are missing"),
            };
            self.damage(Damage::new(key, entries).with_revision(first));
        }
    }

    /// Replays an entry. Returns `None` if the next one cannot be replayed.
    async fn entry(&mut self, replay: Replay, entry: &HistoryRow) -> Result<Option<Replay>> {
        let damage = |problem: String| Damage {
            digest: entry.digest,
            ..Damage::new(&entry.key, problem).with_revision(entry.revision)
        };
        let decoded = match entry.digest {
            None => None,
            Some(digest) => {
                // The document may be cached, but missing in the database.
                if replay.digest() != Some(digest)
                    && let Err(error) = dispatch!(self.store, document(digest))
                {
                    if !is_damage(&error) {
                        return Err(error);
                    }
                    self.damage(damage("the document is missing".to_owned()));
                    return Ok(None);
                }
                match self.store.decoded(digest).await {
                    Ok(decoded) => Some(decoded),
                    // The document has already been reported.
                    Err(error) if is_damage(&error) => return Ok(None),
                    Err(error) => return Err(error),
                }
            }
        };
        match replay.apply(entry, decoded) {
            Ok(replay) => Ok(Some(replay)),
            Err(problem) => {
                self.damage(damage(problem));
                Ok(None)
            }
        }
    }

    async fn tokens(&mut self) -> Result<()> {
        let mut after = String::new();
        loop {
            let tokens = match dispatch!(self.store, tokens(&after, TOKENS)) {
                Err(error) if is_damage(&error) => {
                    self.damage(Damage::unreadable("tokens", &error));
                    return Ok(());
                }
                tokens => tokens?,
            };
            self.counts.tokens += tokens.len() as u64;
            match tokens.into_iter().last() {
                Some(token) => after = token.id,
                None => return Ok(()),
            }
        }
    }
}

/// Checks a document against its checksum, its digest and the rules of its family.
fn check_document(digest: Digest, raw: RawDocument) -> Result<(), Damage> {
    let row = raw.verify().map_err(|error| Damage::unreadable("documents", &error))?;
    let problem = match NewMap::parse(row.text.as_bytes()) {
        Ok(map) if map.document().digest == digest => return Ok(()),
        Ok(_) => "the document has another digest".to_owned(),
        Err(error) => format!("the document is invalid: {error}"),
    };
    Err(Damage { digest: Some(digest), ..Damage::new("documents", problem) })
}

/// Returns true if the error describes a row, and false if it describes the database.
fn is_damage(error: &StoreError) -> bool {
    matches!(
        error,
        StoreError::Damaged { .. } | StoreError::UnknownAlgorithm { .. } | StoreError::Run(_)
    )
}

/// Formats the columns of a channel like its key.
fn location([guild, channel]: &[String; 2]) -> String {
    format!("{}/{channel}", if guild.is_empty() { "@" } else { guild })
}
