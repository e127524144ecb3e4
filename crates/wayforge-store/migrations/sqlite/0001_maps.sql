-- Documents are kept once, by digest: a move writes none.
CREATE TABLE IF NOT EXISTS documents (
    digest BLOB NOT NULL PRIMARY KEY,
    algorithm TEXT NOT NULL,
    seed TEXT NOT NULL,
    text TEXT NOT NULL,
    seal BLOB NOT NULL
) STRICT;

-- One row for every channel that ever had a map. A deleted map has no digest; its revision goes on counting.
-- A direct message has a channel and no guild: '' stands for none, because NULL equals nothing.
CREATE TABLE IF NOT EXISTS channels (
    guild TEXT NOT NULL,
    channel TEXT NOT NULL,
    revision INTEGER NOT NULL,
    digest BLOB,
    progress TEXT,
    created INTEGER NOT NULL,
    updated INTEGER NOT NULL,
    seal BLOB NOT NULL,
    PRIMARY KEY (guild, channel)
) STRICT, WITHOUT ROWID;

-- One row for every revision. Progress stands on some rows only; between them it follows from the moves.
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
    seal BLOB NOT NULL,
    PRIMARY KEY (guild, channel, revision)
) STRICT, WITHOUT ROWID;

-- Secrets are kept as SHA-256; '' is every guild.
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
