//! Builds an artifact: reads the archive as a file tree and renders it. Blocks.
//!
//! The archive is not unpacked, so a build writes nothing that has to be removed
//! afterwards. A build reads nothing outside of the tree except remote bases.

use std::sync::Arc;

use sluice_artifact::fetch::Download;
use sluice_artifact::untar::Limits;
use sluice_kustomize::Options;
use sluice_render::{Node, RenderError, RenderedNode, render};
use sluice_trees::{TarError, TarFs};

/// Bytes of files that are held in memory; those of a larger tree lie on the disk.
const MAX_MEMORY_BYTES: u64 = 32 << 20;

/// The reason why an artifact gives no objects.
#[derive(Debug, thiserror::Error)]
pub(super) enum BuildError {
    /// The archive is damaged or has forbidden entries.
    #[error("failed to untar artifact")]
    Archive(#[source] TarError),
    /// No temporary file could be created for a large tree.
    #[error("tmp dir error")]
    Directory(#[source] std::io::Error),
    /// The tree could not be rendered.
    #[error(transparent)]
    Render(#[from] RenderError),
}

/// Builds a directory of an archive.
pub(super) fn build(
    archive: &Arc<Download>,
    node: Node,
    options: &Options,
) -> Result<RenderedNode, BuildError> {
    let entries = archive.entries(Limits::unlimited());
    let tree = TarFs::read(entries, MAX_MEMORY_BYTES).map_err(|error| match error {
        TarError::Spool(source) => BuildError::Directory(source),
        error => BuildError::Archive(error),
    })?;
    Ok(render(&tree, node, options)?)
}
