-- Idempotency keys and when they expire.
CREATE TABLE IF NOT EXISTS idempotency_keys (
    name TEXT NOT NULL PRIMARY KEY,
    expires INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS idempotency_keys_expires ON idempotency_keys (expires);
