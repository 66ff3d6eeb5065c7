//! How much we take from a stranger.

/// Caps on what a repository may hold. The defaults are far above what people
/// keep in Git and far below what would take a controller down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of one pack as received.
    pub pack_bytes: u64,
    /// Objects of one pack.
    pub objects: u32,
    /// Bytes of one blob that is stored whole: it is never held in memory.
    pub blob_bytes: u64,
    /// Bytes of one object that is rebuilt from a delta: libgit2 holds it and
    /// its base in memory. Git itself makes no deltas above 512 MiB.
    pub delta_bytes: u64,
    /// Bytes of one commit, tag or tree.
    pub metadata_bytes: u64,
    /// Entries of one commit's tree, directories included, each counted as often
    /// as it is met.
    pub entries: u64,
    /// Directories inside each other.
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
