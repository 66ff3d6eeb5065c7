//! Implements `build artifact`: packs manifests into the same tarball as `push artifact`.

use std::io::{ErrorKind, Seek as _, SeekFrom, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use sluice_artifact::pack::Links;

use crate::archive::{Origin, Selection, temporary};
use crate::cluster::Context;
use crate::error::CommandError;
use crate::flags::BooleanFlag as _;
use crate::{CommandResult, Exit};

#[derive(clap::Args, Debug)]
pub struct Args {
    /// Directory, file, or - for standard input
    #[arg(long, short, value_name = "PATH")]
    path: Option<String>,
    /// Output file
    #[arg(long, short, value_name = "FILE", default_value = "artifact.tgz")]
    output: String,
    #[command(flatten)]
    selection: Selection,
    /// Replace symbolic links with their targets
    #[arg(long, switch = false)]
    resolve_symlinks: bool,
}

pub fn run(args: &Args, context: &Context) -> CommandResult {
    let origin = Origin::find(args.path.as_deref())?;
    let progress = context.progress;
    progress.action(format!(
        "building artifact from {}",
        origin.display_origin()
    ));
    let built = |error: CommandError| error.while_doing("building artifact failed, error");
    let (packed, _) = origin
        .pack(
            &args.selection,
            Links::resolved_if(args.resolve_symlinks),
            // The temporary file is elsewhere, because the output may be in the packed directory.
            std::io::BufWriter::new(temporary()?),
        )
        .map_err(built)?;
    let packed = packed
        .into_inner()
        .map_err(|error| built(CommandError::user(error.to_string())))?;
    place(packed, Path::new(&args.output)).map_err(|error| {
        let failed = CommandError::user(format!("write {}: {error}", args.output));
        built(failed.hint("set --output to a file in a directory that exists"))
    })?;
    progress.success(format!("artifact created at {}", args.output));
    Ok(Exit::SUCCESS)
}

/// Moves the complete file to its place in one step.
fn place(mut packed: std::fs::File, output: &Path) -> std::io::Result<()> {
    let directory = match output.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    // The error of `tempfile` names a random path.
    let unplaced = |error: std::io::Error| match error.kind() {
        kind @ ErrorKind::NotFound => std::io::Error::new(kind, "no such directory"),
        kind @ ErrorKind::PermissionDenied => std::io::Error::new(kind, "permission denied"),
        _ => error,
    };
    let mut placed = tempfile::NamedTempFile::new_in(directory).map_err(unplaced)?;
    packed.seek(SeekFrom::Start(0))?;
    std::io::copy(&mut packed, &mut placed)?;
    placed.flush()?;
    placed
        .as_file()
        .set_permissions(std::fs::Permissions::from_mode(0o640))?;
    placed.persist(output).map_err(|error| error.error)?;
    Ok(())
}
