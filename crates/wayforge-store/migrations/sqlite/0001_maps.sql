-- Documents are stored once, by digest: a move writes none.
CREATE TABLE IF NOT EXISTS documents (
    digest BLOB NOT NULL PRIMARY KEY,
    algorithm TEXT NOT NULL,
    seed TEXT NOT NULL,
    text TEXT NOT NULL,
    checksum BLOB NOT NULL
) STRICT;

-- One row for every channel that ever had a map. A deleted map has no digest; its revision still increases.
-- Direct messages have no guild: '' represents none, because NULL is not equal to NULL.
CREATE TABLE IF NOT EXISTS channels (
    guild TEXT NOT NULL,
    channel TEXT NOT NULL,
    revision INTEGER NOT NULL,
    digest BLOB,
    progress TEXT,
    created INTEGER NOT NULL,
    updated INTEGER NOT NULL,
    checksum BLOB NOT NULL,
    PRIMARY KEY (guild, channel)
) STRICT, WITHOUT ROWID;

-- One row for every revision. Progress is stored in some rows only; in between it is computed from the moves.
CREATE TABLE IF NOT EXISTS history (
    guild TEXT NOT NULL,
    channel TEXT NOT NULL,
    revision INTEGER NOT NULL,
    at INTEGER NOT NULL,
    actor TEXT NOT NULL,
    event TEXT NOT NULL,
    detail TEXT,
    digest BLOB,
    progress TEXT,
    checksum BLOB NOT NULL,
    PRIMARY KEY (guild, channel, revision)
) STRICT, WITHOUT ROWID;

-- Secrets are stored as SHA-256; guild '' means all guilds.
CREATE TABLE IF NOT EXISTS tokens (
    id TEXT NOT NULL PRIMARY KEY,
    hash BLOB NOT NULL UNIQUE,
    name TEXT NOT NULL,
    guild TEXT NOT NULL,
    access TEXT NOT NULL,
    created INTEGER NOT NULL,
    revoked INTEGER,
    used INTEGER
) STRICT;
