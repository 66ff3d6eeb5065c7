//! The options of a build, with the defaults of the command line and of Flux.

use std::fmt;
use std::num::NonZeroUsize;
use std::sync::Arc;

use crate::remote::Fetcher;

/// The order of the output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reorder {
    /// The order of accumulation.
    None,
    /// Upstream's order of kinds.
    Legacy,
}

/// Which files a kustomization may read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LoadRestrictor {
    /// Files in and below its own folder.
    RootOnly,
    /// All files of the tree.
    None,
}

/// How a document of the `openapi` field combines with the built-in schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SchemaMode {
    /// It replaces the built-in schema, as in upstream's command.
    Cli,
    /// It is added to the built-in schema, as in Flux.
    Flux,
}

/// Limits on the input and the memory of a build.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of one file.
    pub file_bytes: u64,
    /// Bytes of all files that are read.
    pub total_bytes: u64,
    /// Bytes in memory that aliases, patches, replacements and other fields add.
    pub added_bytes: u64,
    /// Objects in the result.
    pub resources: usize,
    /// Nesting depth of kustomizations.
    pub depth: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            file_bytes: 64 << 20,
            total_bytes: 512 << 20,
            added_bytes: 512 << 20,
            resources: 200_000,
            depth: 256,
        }
    }
}

/// Receives the warnings of a build.
pub type WarningHandler = Arc<dyn Fn(&str) + Send + Sync>;

/// The options of a build.
#[derive(Clone)]
pub struct Options {
    /// The order of the output, unless the kustomization sets `sortOptions`.
    pub reorder: Reorder,
    /// Which files a kustomization may read.
    pub load_restrictor: LoadRestrictor,
    /// How to combine schemas.
    pub schema: SchemaMode,
    /// Limits on the input and the memory.
    pub limits: Limits,
    /// Whether to label each object as managed by kustomize.
    pub managed_by_label: bool,
    /// Fetches remote bases and files; without a fetcher, they are rejected.
    pub fetcher: Option<Arc<dyn Fetcher>>,
    /// How many threads one build may use, including the caller's.
    pub threads: NonZeroUsize,
    /// Receives warnings about deprecated fields and unused vars.
    pub warn: Option<WarningHandler>,
}

impl fmt::Debug for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Options")
            .field("reorder", &self.reorder)
            .field("load_restrictor", &self.load_restrictor)
            .field("schema", &self.schema)
            .field("limits", &self.limits)
            .field("managed_by_label", &self.managed_by_label)
            .field("fetcher", &self.fetcher.is_some())
            .field("threads", &self.threads)
            .finish_non_exhaustive()
    }
}

impl Options {
    /// The options of the command `kustomize build`.
    pub fn cli() -> Self {
        Self {
            reorder: Reorder::Legacy,
            load_restrictor: LoadRestrictor::RootOnly,
            schema: SchemaMode::Cli,
            limits: Limits::default(),
            managed_by_label: false,
            fetcher: None,
            threads: NonZeroUsize::MIN,
            warn: None,
        }
    }

    /// The options of Flux: without sorting, and with all files of the tree readable.
    pub fn flux() -> Self {
        Self {
            reorder: Reorder::None,
            load_restrictor: LoadRestrictor::None,
            schema: SchemaMode::Flux,
            ..Self::cli()
        }
    }
}
