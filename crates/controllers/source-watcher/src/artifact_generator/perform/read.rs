//! The files of the sources, read one source after the other.
//!
//! The archive of a source is dropped before the next is downloaded. Sources with the same artifact
//! share one tree.

use std::collections::HashMap;
use std::io::{self, Read};
use std::sync::Arc;

use sluice_api::artifact::Artifact;
use sluice_artifact::untar::{self, Limits};
use sluice_producer::{Tree, UnpackError};
use sluice_system::budget::Budget;

use crate::build::Trees;

/// Bytes of the names of all sources, which stay in memory.
const MAX_NAME_BYTES: usize = 64 << 20;
/// Entries of all sources.
const MAX_ENTRIES: u64 = 1_000_000;

/// Compressed bytes of an archive for one step. The clock is read at each 128 KiB, which are 128
/// MiB of content at most.
const BYTES_PER_STEP: u64 = 2;

/// Why a source cannot be read.
#[derive(Debug, thiserror::Error)]
pub(super) enum ReadError {
    #[error("failed to extract the archive of source '{alias}'")]
    Unpack { alias: String, source: UnpackError },
    #[error("the sources have more than {limit} files and directories: use smaller sources")]
    Entries { limit: u64 },
    #[error("the sources have more than {limit} bytes of names: use smaller sources")]
    Names { limit: usize },
}

/// Limits of all sources of a generator.
#[derive(Debug, Clone, Copy)]
struct ReadLimits {
    entries: u64,
    name_bytes: usize,
}

/// The sources so far.
pub(super) struct SourceTrees {
    trees: Trees,
    /// By URL and digest.
    known: HashMap<(String, String), Arc<Tree>>,
    entries: u64,
    name_bytes: usize,
    limits: ReadLimits,
}

impl SourceTrees {
    pub(super) fn new() -> Self {
        Self::within(ReadLimits {
            entries: MAX_ENTRIES,
            name_bytes: MAX_NAME_BYTES,
        })
    }

    fn within(limits: ReadLimits) -> Self {
        Self {
            trees: Trees::new(),
            known: HashMap::new(),
            entries: 0,
            name_bytes: 0,
            limits,
        }
    }

    /// The files of all sources.
    pub(super) fn into_trees(self) -> Trees {
        self.trees
    }

    /// Adds a source whose artifact was read for another one. Returns whether it was.
    pub(super) fn share(&mut self, alias: &str, artifact: &Artifact) -> bool {
        let Some(tree) = self.known.get(&identity(artifact)) else {
            return false;
        };
        self.trees.insert(alias.to_owned(), Arc::clone(tree));
        true
    }

    /// Reads the archive of a source. Its bytes are charged as steps. Blocks.
    pub(super) fn read(
        mut self,
        alias: &str,
        artifact: &Artifact,
        archive: impl Read,
        budget: &Budget,
    ) -> Result<Self, ReadError> {
        let archive = ChargedReader { archive, budget };
        let limits = Limits {
            entries: self.limits.entries.saturating_sub(self.entries),
            ..Limits::unlimited()
        };
        let tree = Tree::read(archive, limits).map_err(|source| match source {
            // The sources share one limit.
            UnpackError::Untar(untar::Error::TooMany { .. }) => ReadError::Entries {
                limit: self.limits.entries,
            },
            source => ReadError::Unpack {
                alias: alias.to_owned(),
                source,
            },
        })?;
        self.entries += tree.len() as u64;
        self.name_bytes += tree.name_bytes();
        if self.name_bytes > self.limits.name_bytes {
            let limit = self.limits.name_bytes;
            return Err(ReadError::Names { limit });
        }
        let tree = Arc::new(tree);
        self.known.insert(identity(artifact), Arc::clone(&tree));
        self.trees.insert(alias.to_owned(), tree);
        Ok(self)
    }
}

/// Charges the bytes of an archive, and so ends a slow one in time.
struct ChargedReader<'a, R> {
    archive: R,
    budget: &'a Budget,
}

impl<R: Read> Read for ChargedReader<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.archive.read(buffer)?;
        let charged = self.budget.charge_steps(read as u64 / BYTES_PER_STEP + 1);
        charged.map_err(io::Error::other)?;
        Ok(read)
    }
}

fn identity(artifact: &Artifact) -> (String, String) {
    (artifact.url.clone(), artifact.digest.clone())
}

#[cfg(test)]
mod tests {
    use sluice_artifact::tarball::Writer;
    use sluice_golang::error::chain;

    use super::*;

    fn archive(names: &[&str]) -> Vec<u8> {
        let gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        let mut writer = Writer::new(gzip);
        for name in names {
            writer
                .file(name.as_bytes(), false, 1, b"x".as_slice())
                .unwrap();
        }
        writer.finish().unwrap().finish().unwrap()
    }

    fn artifact(url: &str) -> Artifact {
        Artifact {
            url: url.to_owned(),
            digest: "sha256:a".to_owned(),
            ..Artifact::default()
        }
    }

    fn sources(entries: u64, name_bytes: usize) -> SourceTrees {
        SourceTrees::within(ReadLimits {
            entries,
            name_bytes,
        })
    }

    fn budget() -> Budget {
        Budget::new(1_000_000, 0)
    }

    #[test]
    fn slow_source_ends_at_its_budget() {
        let archive = archive(&["a", "b"]);
        let budget = Budget::new(10, 0);
        let read = sources(2, 10).read("one", &artifact("x"), archive.as_slice(), &budget);
        let Err(error) = read else {
            panic!("the source was read");
        };
        let text = chain(&error);
        assert!(
            text.contains("source 'one'") && text.contains("more than 10 steps"),
            "{text}"
        );
    }

    #[test]
    fn same_artifact_is_read_once() {
        let sources = sources(2, 10);
        let archive = archive(&["a", "b"]);
        let read = sources.read("one", &artifact("x"), archive.as_slice(), &budget());
        let mut sources = read.unwrap();
        assert!(!sources.share("two", &artifact("y")));
        assert!(sources.share("two", &artifact("x")));
        let trees = sources.into_trees();
        assert!(Arc::ptr_eq(&trees["one"], &trees["two"]));
    }

    #[test]
    fn limits_hold_for_all_sources_together() {
        let read = |limits: SourceTrees| {
            let first = archive(&["a", "b"]);
            let read = limits.read("one", &artifact("x"), first.as_slice(), &budget());
            let sources = read.unwrap();
            let second = archive(&["c", "long-name"]);
            let read = sources.read("two", &artifact("y"), second.as_slice(), &budget());
            read.map(|_| ()).map_err(|error| error.to_string())
        };
        assert_eq!(read(sources(4, 12)), Ok(()));
        let expected = "the sources have more than 3 files and directories: use smaller sources";
        assert_eq!(read(sources(3, 12)), Err(expected.to_owned()));
        let expected = "the sources have more than 11 bytes of names: use smaller sources";
        assert_eq!(read(sources(4, 11)), Err(expected.to_owned()));
    }
}
