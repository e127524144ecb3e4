# Shortcuts for the commands in CONTRIBUTING.md.

# Run the tests that need Rust and Python 3 only.
test:
    scripts/test

# Run every test, as continuous integration does.
test-all:
    scripts/test --all

# Create missing pinned outputs; `just refresh --overwrite` also replaces those that differ.
refresh *arguments:
    scripts/refresh {{arguments}}

# Run the benchmarks.
bench:
    cargo bench -p wayforge-benches

# Run the benchmarks against other crates, which take minutes to build.
peers:
    cargo clippy -p wayforge-peers --all-targets -- -D warnings
    cargo bench -p wayforge-peers
