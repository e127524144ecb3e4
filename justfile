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
