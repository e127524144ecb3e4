# Short names for the commands that CONTRIBUTING.md explains.

# Pass every test, as continuous integration does.
test:
    scripts/test

# Pin maps, schemas and pictures that are new.
refresh:
    WAYFORGE_REFRESH=1 cargo test -p wayforge-testsuite
    WAYFORGE_REFRESH=1 cargo test -p wayforge-draw

# Measure.
bench:
    cargo bench -p wayforge-benches

# Measure beside other crates, which take minutes to build.
peers:
    cargo clippy -p wayforge-peers --all-targets -- -D warnings
    cargo bench -p wayforge-peers
