//! Limits on untrusted content.

/// Limits on the content of a repository. The defaults are far above usual repositories, and
/// protect the controller from malicious ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of a pack.
    pub pack_bytes: u64,
    /// Objects in a pack.
    pub objects: u32,
    /// Bytes of a blob that is stored whole. Such a blob is streamed.
    pub blob_bytes: u64,
    /// Bytes of an object that is stored as a delta. libgit2 holds it and its base in memory. Git
    /// makes no deltas above 512 MiB.
    pub delta_bytes: u64,
    /// Bytes of a commit, tag or tree.
    pub metadata_bytes: u64,
    /// Entries in the tree of a commit, including directories. Repeated subtrees count each time.
    pub entries: u64,
    /// Depth of nested directories.
    pub depth: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            pack_bytes: 16 << 30,
            objects: 50_000_000,
            blob_bytes: 8 << 30,
            delta_bytes: 512 << 20,
            metadata_bytes: 64 << 20,
            entries: 2_000_000,
            depth: 256,
        }
    }
}
