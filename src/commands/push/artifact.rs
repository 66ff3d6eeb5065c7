//! Implements `push artifact`: packs manifests and pushes them to a registry.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Serialize;
use sluice_artifact::pack::Links;
use sluice_oci::client::Source;
use sluice_oci::package::{CREATED, Package};
use sluice_oci::{Version, manifest};
use sluice_system::Clock as _;

use crate::archive::{Origin, Selection, temporary};
use crate::cluster::Context;
use crate::error::CommandError;
use crate::flags::BooleanFlag as _;
use crate::output::{self, Format};
use crate::registry::{self, Access, OpenedRepository};
use crate::{CommandResult, Exit};

const EPOCH: &str = "1970-01-01T00:00:00Z";

#[derive(clap::Args, Debug)]
pub struct Args {
    #[arg(
        help = "Artifact URL, as oci://REGISTRY/REPOSITORY:TAG",
        value_name = "URL"
    )]
    url: Vec<String>,
    /// Directory, file, or - for standard input
    #[arg(long, short = 'f', value_name = "PATH")]
    path: Option<String>,
    /// URL of the content's origin, such as a Git repository
    #[arg(long, value_name = "URL")]
    source: Option<String>,
    /// Revision of the content's origin, as BRANCH@sha1:COMMIT
    #[arg(long, value_name = "REVISION")]
    revision: Option<String>,
    #[command(flatten)]
    access: Access,
    #[command(flatten)]
    selection: Selection,
    /// Annotation, as KEY=VALUE (repeatable)
    #[arg(long, short, value_name = "KEY=VALUE")]
    annotations: Vec<String>,
    /// Print only the result, in this format
    #[arg(long, short, value_name = "FORMAT")]
    output: Option<Format>,
    /// Accepted for compatibility; has no effect
    #[arg(long, switch = false, hide = true)]
    debug: bool,
    /// Omit the creation time, so that equal content has an equal digest
    #[arg(long, switch = false)]
    reproducible: bool,
    /// Allow plain HTTP and unverified certificates
    #[arg(long, switch = false)]
    insecure_registry: bool,
    /// Replace symbolic links with their targets
    #[arg(long, switch = false)]
    resolve_symlinks: bool,
}

/// Address of the pushed artifact.
#[derive(Serialize)]
struct PushedArtifact {
    url: String,
    repository: String,
    tag: String,
    digest: String,
}

pub fn run(args: &Args, context: &Context) -> CommandResult {
    let url = registry::address(&args.url, registry::ARTIFACT, "artifact URL is required")?;
    let required = |value: &Option<String>, flag: &str| {
        value
            .clone()
            .filter(|value| !value.is_empty())
            .ok_or_else(|| CommandError::user(format!("--{flag} is required")))
    };
    let source = required(&args.source, "source")?;
    let revision = required(&args.revision, "revision")?;
    let annotations = annotations(&args.annotations)?;
    let created = created(args, &annotations)?;
    // With `--output`, only the result is printed.
    let mut progress = context.progress;
    progress.quiet |= args.output.is_some();

    let OpenedRepository {
        client,
        remote,
        reference,
        typed,
    } = args.access.open(url, args.insecure_registry, context)?;
    let Version::Tag(tag) = reference.version else {
        return Err(CommandError::user(format!(
            "'{url}' names a digest: an artifact is pushed under a tag"
        ))
        .hint("write it as oci://HOST/REPOSITORY:TAG"));
    };
    let origin = Origin::find(args.path.as_deref())?;
    progress.action(format!("pushing artifact to {typed}"));
    let links = Links::resolved_if(args.resolve_symlinks);
    let failed = |error: CommandError| error.while_doing("pushing artifact failed");
    let (file, layer) = origin
        .pack(
            &args.selection,
            links,
            std::io::BufWriter::new(temporary()?),
        )
        .map_err(failed)?;
    let file = file
        .into_inner()
        .map_err(|error| failed(CommandError::user(error.to_string())))?;
    let package = Package::new(&layer, &source, &revision, &created, &annotations);
    let digest = package.digest.clone();
    let content = Source::File {
        file: Arc::new(file),
        size: layer.size,
    };
    registry::wait(context, async {
        let version = Version::Tag(tag.clone());
        client.push_blob(&remote, &layer.digest, &content).await?;
        client
            .push_blob(
                &remote,
                &package.config_digest,
                &Source::Bytes(package.config),
            )
            .await?;
        client
            .push_manifest(&remote, &version, manifest::MANIFEST, package.manifest)
            .await?;
        Ok(())
    })
    .map_err(failed)?;

    let named = remote.repository.digest(digest.clone()).to_string();
    match args.output {
        None => progress.success(format!("artifact successfully pushed to {named}")),
        Some(format) => {
            let pushed = PushedArtifact {
                url: format!("oci://{named}"),
                repository: remote.repository.to_string(),
                tag,
                digest: digest.to_string(),
            };
            output::stdout(&output::value(&pushed, format)?)?;
        }
    }
    Ok(Exit::SUCCESS)
}

fn annotations(given: &[String]) -> Result<BTreeMap<String, String>, CommandError> {
    given
        .iter()
        .map(|annotation| {
            annotation
                .split_once('=')
                .filter(|(_, value)| !value.contains('='))
                .map(|(key, value)| (key.to_owned(), value.to_owned()))
                .ok_or_else(|| {
                    CommandError::user(format!(
                        "invalid annotation {annotation}, must be in the format key=value"
                    ))
                })
        })
        .collect()
}

/// Returns the creation time: from an annotation, a fixed one for reproducibility, or now.
fn created(args: &Args, annotations: &BTreeMap<String, String>) -> Result<String, CommandError> {
    if let Some(given) = annotations.get(CREATED).filter(|given| !given.is_empty()) {
        return match given.parse::<jiff::Timestamp>() {
            Ok(_) => Ok(given.clone()),
            Err(error) => Err(CommandError::user(format!(
                "invalid created timestamp {}: {error}",
                sluice_golang::quote::quote(given)
            ))),
        };
    }
    if args.reproducible {
        return Ok(EPOCH.to_owned());
    }
    let now = sluice_system::SystemClock.now();
    Ok(now.strftime("%Y-%m-%dT%H:%M:%SZ").to_string())
}
