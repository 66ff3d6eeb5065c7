//! Implements `build image-update`: shows the edit that an `ImageUpdateAutomation` would commit.
//!
//! Standard output is the diff. The commit message and findings at markers go to standard error.
//! Exit codes are those of `diff kustomization`: 0 without changes, 1 with changes, and 2 for a
//! failure. Written changes are a success.

use std::collections::BTreeMap;
use std::path::PathBuf;

use sluice_golang::error::chain;
use sluice_preview::image_update::{ImageUpdate, ImageUpdateRequest};
use sluice_preview::release::objects::Objects;
use sluice_system::fs;

use crate::build::flags::local_sources;
use crate::cluster::Context;
use crate::commands::diff::comparison::FAILED;
use crate::error::CommandError;
use crate::flags::BooleanFlag as _;
use crate::registry::Access;
use crate::{CommandResult, Exit, compat, output};

/// Flag with the objects.
const FILE_FLAG: &str = "--automation-file";

#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    /// Name of the image update automation
    #[arg(value_name = "NAME")]
    name: Vec<String>,
    #[arg(
        long,
        help = "File or directory with the automation and its policies",
        value_name = "PATH"
    )]
    automation_file: Option<PathBuf>,
    /// Root of the working copy of the repository
    #[arg(long, value_name = "DIR", default_value = ".")]
    path: PathBuf,
    /// Tags to use instead of the registry's, as NAMESPACE/POLICY=TAG,…
    #[arg(long, value_parser = local_sources, value_name = "POLICY=TAG")]
    tags: Vec<BTreeMap<String, String>>,
    /// Write the changes to the working copy
    #[arg(long, switch = false)]
    write: bool,
}

pub fn run(args: &Args, context: &Context) -> CommandResult {
    let [name] = args.name.as_slice() else {
        return Err(
            CommandError::missing_name("image update automation name is required")
                .code(compat::misused_comparison()),
        );
    };
    let update = update(args, name, context).map_err(|error| error.code(FAILED))?;
    report(args, &update, context).map_err(|error| error.code(FAILED))
}

fn update(args: &Args, name: &str, context: &Context) -> Result<ImageUpdate, CommandError> {
    let files = args.automation_file.as_ref().unwrap_or(&args.path);
    let open = |repository, provider: Option<&str>, is_insecure| {
        let access = Access::of_provider(provider);
        Ok(access.remote_of_file(repository, is_insecure, context)?)
    };
    let request = ImageUpdateRequest {
        namespace: context.namespace(),
        name,
        objects: Objects::read(Some(files), FILE_FLAG, None)?,
        root: &args.path,
        tags: args.tags.iter().flatten().map(pair).collect(),
        open: &open,
    };
    Ok(request.run(context)?)
}

fn pair((policy, tag): (&String, &String)) -> (String, String) {
    (policy.clone(), tag.clone())
}

/// Prints an update, and writes it if asked to.
fn report(args: &Args, update: &ImageUpdate, context: &Context) -> CommandResult {
    let progress = context.progress;
    for (policy, image) in &update.images {
        progress.success(format!("ImagePolicy {policy} selects {image}"));
    }
    for (policy, why) in &update.unselected {
        progress.warning(format!("ImagePolicy {policy} selects no tag: {why}"));
    }
    for (policy, hints) in &update.hints {
        for hint in hints {
            progress.warning(format!("ImagePolicy {policy}: {hint}"));
        }
    }
    for finding in update.run.findings.iter().filter(|it| !it.is_usual()) {
        progress.warning(format!("{}: {}", finding.path, finding.problem));
    }
    output::stdout(&output::plain(&update.run.diff))?;
    let Some(message) = &update.run.message else {
        progress.success("no changes");
        return Ok(Exit::SUCCESS);
    };
    progress.generate(format!("commit message:\n{}", message.trim_end()));
    if !args.write {
        return Ok(Exit::FAILURE);
    }
    for (path, content) in &update.run.files {
        fs::write(args.path.join(path), content)
            .map_err(|error| CommandError::user(chain(&error)))?;
    }
    let count = update.run.files.len();
    progress.success(format!("files written: {count}"));
    Ok(Exit::SUCCESS)
}
