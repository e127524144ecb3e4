-- Id of the token that made a change; NULL without one, and for changes before this version.
ALTER TABLE history ADD COLUMN token TEXT;
