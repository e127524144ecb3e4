-- What may happen once only, until its time is over.
CREATE TABLE IF NOT EXISTS once (
    name TEXT NOT NULL PRIMARY KEY,
    until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS once_until ON once (until);
