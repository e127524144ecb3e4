-- Documents are stored once, by digest: a move writes none.
CREATE TABLE IF NOT EXISTS documents (
    digest BYTEA NOT NULL PRIMARY KEY,
    algorithm TEXT NOT NULL,
    seed TEXT NOT NULL,
    text TEXT NOT NULL,
    checksum BYTEA NOT NULL
);

-- One row for every channel that ever had a map. A deleted map has no digest; its revision still increases.
-- Direct messages have no guild: '' represents none, because NULL is not equal to NULL.
-- The fill factor leaves space on each page, so that a move is a heap-only update without index changes.
CREATE TABLE IF NOT EXISTS channels (
    guild TEXT COLLATE "C" NOT NULL,
    channel TEXT COLLATE "C" NOT NULL,
    revision BIGINT NOT NULL,
    digest BYTEA,
    progress TEXT,
    created BIGINT NOT NULL,
    updated BIGINT NOT NULL,
    checksum BYTEA NOT NULL,
    PRIMARY KEY (guild, channel)
) WITH (fillfactor = 70);

-- One row for every revision. Progress is stored in some rows only; in between it is computed from the moves.
CREATE TABLE IF NOT EXISTS history (
    guild TEXT COLLATE "C" NOT NULL,
    channel TEXT COLLATE "C" NOT NULL,
    revision BIGINT NOT NULL,
    at BIGINT NOT NULL,
    actor TEXT NOT NULL,
    event TEXT NOT NULL,
    detail TEXT,
    digest BYTEA,
    progress TEXT,
    checksum BYTEA NOT NULL,
    PRIMARY KEY (guild, channel, revision)
);

-- Secrets are stored as SHA-256; guild '' means all guilds.
CREATE TABLE IF NOT EXISTS tokens (
    id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    hash BYTEA NOT NULL UNIQUE,
    name TEXT NOT NULL,
    guild TEXT COLLATE "C" NOT NULL,
    access TEXT NOT NULL,
    created BIGINT NOT NULL,
    revoked BIGINT,
    used BIGINT
);
