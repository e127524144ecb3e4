-- Idempotency keys and when they expire.
CREATE TABLE IF NOT EXISTS idempotency_keys (
    name TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    expires BIGINT NOT NULL
);
CREATE INDEX IF NOT EXISTS idempotency_keys_expires ON idempotency_keys (expires);
