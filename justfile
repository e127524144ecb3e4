# Shortcuts for the commands in CONTRIBUTING.md.

# Run the tests that need Rust and Python 3 only.
test:
    scripts/test

# Run every test, as continuous integration does.
test-all:
    scripts/test --all

# Update the digest catalogues (new entries only), schemas and golden images.
refresh:
    WAYFORGE_REFRESH=1 cargo test -p wayforge-testsuite
    WAYFORGE_REFRESH=1 cargo test -p wayforge-draw

# Run the benchmarks.
bench:
    cargo bench -p wayforge-benches

# Run the benchmarks against other crates, which take minutes to build.
peers:
    cargo clippy -p wayforge-peers --all-targets -- -D warnings
    cargo bench -p wayforge-peers
