-- Documents are kept once, by digest: a move writes none.
CREATE TABLE IF NOT EXISTS documents (
    digest BYTEA NOT NULL PRIMARY KEY,
    algorithm TEXT NOT NULL,
    seed TEXT NOT NULL,
    text TEXT NOT NULL,
    seal BYTEA NOT NULL
);

-- One row for every channel that ever had a map. A deleted map has no digest; its revision goes on counting.
-- A direct message has a channel and no guild: '' stands for none, because NULL equals nothing.
-- Room is left on each page so that a move's new row version stays beside the old one and touches no index.
CREATE TABLE IF NOT EXISTS channels (
    guild TEXT COLLATE "C" NOT NULL,
    channel TEXT COLLATE "C" NOT NULL,
    revision BIGINT NOT NULL,
    digest BYTEA,
    progress TEXT,
    created BIGINT NOT NULL,
    updated BIGINT NOT NULL,
    seal BYTEA NOT NULL,
    PRIMARY KEY (guild, channel)
) WITH (fillfactor = 70);

-- One row for every revision. Progress stands on some rows only; between them it follows from the moves.
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
    seal BYTEA NOT NULL,
    PRIMARY KEY (guild, channel, revision)
);

-- Secrets are kept as SHA-256; '' is every guild.
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
