-- What may happen once only, until its time is over.
CREATE TABLE once (
    name TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    until BIGINT NOT NULL
);
CREATE INDEX once_until ON once (until);
