//! Artifacts: deterministic tar.gz, digest, storage, retention, file server and verified fetch.
