-- What may happen once only, until its time is over.
CREATE TABLE IF NOT EXISTS once (
    name TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    until BIGINT NOT NULL
);
CREATE INDEX IF NOT EXISTS once_until ON once (until);
