-- What may happen once only, until its time is over.
CREATE TABLE once (
    name TEXT NOT NULL PRIMARY KEY,
    until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX once_until ON once (until);
