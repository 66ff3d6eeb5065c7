//! Implements `tag artifact`: adds tags to an artifact.

use sluice_oci::Version;

use crate::cluster::Context;
use crate::error::CommandError;
use crate::registry::{self, Access, OpenedRepository};
use crate::{CommandResult, Exit, flags};

#[derive(clap::Args, Debug)]
pub struct Args {
    #[arg(
        help = "Artifact URL, as oci://REGISTRY/REPOSITORY:TAG",
        value_name = "URL"
    )]
    url: Vec<String>,
    /// Tag to add (repeatable)
    #[arg(long = "tag", value_parser = flags::csv, value_name = "TAG")]
    tags: Vec<Vec<String>>,
    #[command(flatten)]
    access: Access,
}

pub fn run(args: &Args, context: &Context) -> CommandResult {
    let url = registry::address(&args.url, registry::ARTIFACT, "artifact name is required")?;
    let tags: Vec<&String> = args.tags.iter().flatten().collect();
    if tags.is_empty() {
        return Err(CommandError::user("--tag is required"));
    }
    let OpenedRepository {
        client,
        remote,
        reference,
        ..
    } = args.access.open(url, false, context)?;
    let failed = |error: CommandError| error.while_doing("tagging artifact failed");
    // All tags are validated before the first request.
    let named = tags
        .iter()
        .map(|tag| remote.repository.tag(tag))
        .collect::<Result<Vec<_>, _>>()
        .map_err(|error| failed(CommandError::user(error.to_string())))?;
    context.progress.action("tagging artifact");
    registry::wait(context, async {
        let content = client
            .document(&remote, &reference.version)
            .await
            .map_err(|error| failed(error.into()))?;
        for reference in named {
            let Version::Tag(_) = &reference.version else {
                continue;
            };
            client
                .push_manifest(
                    &remote,
                    &reference.version,
                    content.document.media_type(),
                    content.bytes.clone(),
                )
                .await
                .map_err(|error| failed(error.into()))?;
            context
                .progress
                .success(format!("artifact tagged as {reference}"));
        }
        Ok(())
    })?;
    Ok(Exit::SUCCESS)
}
