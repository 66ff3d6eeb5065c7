//! Implements `diff artifact`: compares a directory with an artifact.
//!
//! Flux compares compressed bytes, so another compressor or packing time counts as a difference.
//! Here names, modes and content are compared, and the differences are listed.

use std::collections::BTreeMap;
use std::io::{BufReader, Read, Seek as _, SeekFrom};

use sluice_artifact::pack;
use sluice_artifact::untar::{Entries, Limits, Links};
use sluice_digest::Algorithm;
use sluice_golang::error::chain;

use crate::archive::{Origin, Selection, temporary};
use crate::cluster::Context;
use crate::commands::pull::artifact as pulled;
use crate::error::CommandError;
use crate::flags::BooleanFlag as _;
use crate::registry::{self, Access};
use crate::{CommandResult, Exit, output};

#[derive(clap::Args, Debug)]
pub struct Args {
    #[arg(
        help = "Artifact URL, as oci://REGISTRY/REPOSITORY:TAG",
        value_name = "URL"
    )]
    url: Vec<String>,
    /// Directory or file to compare with
    #[arg(long, value_name = "PATH")]
    path: Option<String>,
    #[command(flatten)]
    access: Access,
    #[command(flatten)]
    selection: Selection,
    /// Allow plain HTTP and unverified certificates
    #[arg(long, switch = false)]
    insecure_registry: bool,
}

pub fn run(args: &Args, context: &Context) -> CommandResult {
    let url = registry::address(&args.url, registry::ARTIFACT, "artifact URL is required")?;
    let origin = Origin::find(args.path.as_deref())?;
    let opened = args.access.open(url, args.insecure_registry, context)?;
    let (mut local, layer) = origin
        .pack(&args.selection, pack::Links::Skipped, temporary()?)
        .map_err(|error| error.while_doing("building artifact failed"))?;
    let remote = registry::wait(context, async {
        // An artifact with the same digest is not pulled.
        let (_, _, wanted) = pulled::resolve(&opened).await?;
        if wanted.digest == layer.digest {
            return Ok(None);
        }
        pulled::pull(&opened).await.map(Some)
    })?;
    let changes = match remote {
        None => Vec::new(),
        Some(remote) => {
            local
                .seek(SeekFrom::Start(0))
                .map_err(|error| CommandError::user(error.to_string()))?;
            compare(
                &listed(remote.layer, "the remote artifact")?,
                &listed(local, "the local one")?,
            )
        }
    };
    if changes.is_empty() {
        context.progress.success("no changes detected");
        return Ok(Exit::SUCCESS);
    }
    output::stdout(&output::plain(&changes.concat()))?;
    Err(CommandError::user(
        "the remote artifact contents differs from the local one",
    ))
}

/// Whether the entry is executable, and its content digest, which a directory does not have.
type Entry = (bool, Option<String>);

fn listed(archive: impl Read, whose: &str) -> Result<BTreeMap<String, Entry>, CommandError> {
    let failed = |error: &(dyn std::error::Error + 'static)| {
        CommandError::user(chain(error)).while_doing(format!("reading {whose} failed"))
    };
    let mut entries = Entries::new(BufReader::new(archive), Links::Skip, Limits::unlimited());
    let mut found = BTreeMap::new();
    while let Some(mut entry) = entries.next_entry().map_err(|error| failed(&error))? {
        let path = entry.path().display().to_string();
        let executable = entry.mode() & 0o111 != 0;
        let content = if entry.is_directory() {
            None
        } else {
            let (digest, _) = sluice_digest::hash_reader(Algorithm::Sha256, &mut entry)
                .map_err(|error| failed(&error))?;
            Some(digest.to_string())
        };
        found.insert(path, (executable, content));
    }
    Ok(found)
}

fn compare(remote: &BTreeMap<String, Entry>, local: &BTreeMap<String, Entry>) -> Vec<String> {
    let mut changes = Vec::new();
    for (path, there) in remote {
        match local.get(path) {
            None => changes.push(format!("- {path}\n")),
            Some(here) if here.1 != there.1 => changes.push(format!("~ {path}\n")),
            // Umasks differ between machines, so only the executable bit is compared.
            Some(here) if here.1.is_some() && here.0 != there.0 => {
                changes.push(format!("~ {path} (mode)\n"));
            }
            Some(_) => {}
        }
    }
    let added = local.keys().filter(|path| !remote.contains_key(*path));
    changes.extend(added.map(|path| format!("+ {path}\n")));
    changes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn removed_added_and_changed_files_are_listed() {
        let tree = |entries: &[(&str, bool, &str)]| {
            entries
                .iter()
                .map(|(path, executable, content)| {
                    (
                        (*path).to_owned(),
                        (*executable, Some((*content).to_owned())),
                    )
                })
                .collect::<BTreeMap<_, _>>()
        };
        let remote = tree(&[
            ("a", false, "1"),
            ("b", false, "1"),
            ("c", false, "1"),
            ("d", false, "1"),
        ]);
        let local = tree(&[
            ("b", false, "1"),
            ("c", false, "2"),
            ("d", true, "1"),
            ("e", false, "1"),
        ]);
        assert_eq!(
            compare(&remote, &local),
            ["- a\n", "~ c\n", "~ d (mode)\n", "+ e\n"]
        );
        assert!(compare(&remote, &remote).is_empty());
    }
}
