//! Implements `pull artifact`: extracts an artifact into a directory.

use std::io::{BufReader, BufWriter, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::Path;

use sluice_artifact::untar::{self, Limits, Links};
use sluice_golang::error::chain;
use sluice_oci::package::{REVISION, SOURCE};
use sluice_oci::{Descriptor, Digest, Document};
use sluice_system::fs;

use crate::archive::temporary;
use crate::cluster::Context;
use crate::error::CommandError;
use crate::flags::BooleanFlag as _;
use crate::registry::{self, Access, OpenedRepository};
use crate::{CommandResult, Exit};

/// Magic bytes of gzip.
const GZIP: [u8; 2] = [0x1f, 0x8b];

#[derive(clap::Args, Debug)]
pub struct Args {
    #[arg(
        help = "Artifact URL, as oci://REGISTRY/REPOSITORY:TAG",
        value_name = "URL"
    )]
    url: Vec<String>,
    /// Directory to extract to
    #[arg(long, short, value_name = "DIR")]
    output: Option<String>,
    #[command(flatten)]
    access: Access,
    /// Allow plain HTTP and unverified certificates
    #[arg(long, switch = false)]
    insecure_registry: bool,
}

pub fn run(args: &Args, context: &Context) -> CommandResult {
    let url = registry::address(&args.url, registry::ARTIFACT, "artifact URL is required")?;
    let Some(target) = args.output.as_deref().filter(|path| !path.is_empty()) else {
        return Err(CommandError::user("output path cannot be empty")
            .hint("set --output to a directory that exists"));
    };
    if !fs::metadata(target).is_ok_and(|metadata| metadata.is_dir()) {
        return Err(CommandError::user(format!(
            "invalid output path {}: it must be a directory that exists",
            sluice_golang::quote::quote(target)
        ))
        .hint("create it, or set --output to another directory"));
    }
    let opened = args.access.open(url, args.insecure_registry, context)?;
    let progress = context.progress;
    progress.action(format!("pulling artifact from {}", opened.typed));
    let pulled = registry::wait(context, pull(&opened))?;
    extract(pulled.layer, Path::new(target))?;
    for (word, key) in [("source", SOURCE), ("revision", REVISION)] {
        let said = pulled.document.annotation(key);
        if let Some(said) = said.filter(|said| !said.is_empty()) {
            progress.success(format!("{word} {said}"));
        }
    }
    let named = opened.remote.repository.digest(pulled.digest);
    progress.success(format!("digest {named}"));
    progress.success(format!("artifact content extracted to {target}"));
    Ok(Exit::SUCCESS)
}

/// A pulled artifact whose content matches its digests.
pub(in crate::commands) struct PulledArtifact {
    pub(in crate::commands) digest: Digest,
    pub(in crate::commands) document: Document,
    /// Layer file, positioned at its start.
    pub(in crate::commands) layer: std::fs::File,
}

/// Resolves a reference to a manifest. Later requests use its digest, so a moved tag does not
/// matter.
pub(in crate::commands) async fn resolve(
    opened: &OpenedRepository,
) -> Result<(Digest, Document, Descriptor), CommandError> {
    let OpenedRepository {
        client,
        remote,
        reference,
        ..
    } = opened;
    let digest = client.resolve(remote, &reference.version).await?;
    let manifest = client.manifest(remote, &digest).await?;
    let layer = manifest
        .layers
        .first()
        .cloned()
        .ok_or_else(|| CommandError::cluster("no layers found in artifact"))?;
    Ok((digest, Document::Manifest(Box::new(manifest)), layer))
}

pub(in crate::commands) async fn pull(
    opened: &OpenedRepository,
) -> Result<PulledArtifact, CommandError> {
    let (digest, document, layer) = resolve(opened).await?;
    let mut blob = opened.client.blob(&opened.remote, &layer).await?;
    let failed = |error: std::io::Error| {
        CommandError::user(format!("keep what is pulled in a temporary file: {error}"))
    };
    let mut file = BufWriter::new(temporary()?);
    while let Some(chunk) = blob.next().await? {
        file.write_all(&chunk).map_err(failed)?;
    }
    let mut layer = file
        .into_inner()
        .map_err(|error| failed(error.into_error()))?;
    layer.seek(SeekFrom::Start(0)).map_err(failed)?;
    Ok(PulledArtifact {
        digest,
        document,
        layer,
    })
}

/// Extracts an untrusted archive: entries must stay in the directory, and links are neither created
/// nor followed.
fn extract(mut layer: std::fs::File, target: &Path) -> Result<(), CommandError> {
    let mut magic = [0; 2];
    let archive = layer.read_exact(&mut magic).is_ok() && magic == GZIP;
    if !archive {
        return Err(CommandError::user(
            "the artifact's first layer is not a compressed tarball: there is nothing to extract",
        ));
    }
    layer
        .seek(SeekFrom::Start(0))
        .map_err(|error| CommandError::user(error.to_string()))?;
    untar::into_directory(
        BufReader::new(layer),
        target,
        Links::Skip,
        Limits::unlimited(),
    )
    .map_err(|error| CommandError::user(chain(&error)).while_doing("extracting layer failed"))
}
