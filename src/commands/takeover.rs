//! Implements `takeover`: replaces Flux's controllers with ours on a running cluster.
//!
//! [`sluice_lifecycle::takeover`] decides which controllers ours can replace. This command reads
//! the cluster and changes the images of the Deployments, one write each ([`roll`]). Managed
//! objects do not change. `give-back` reverts it.

pub(super) mod roll;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use serde::Serialize;
use sluice_kustomize::fs::DiskFs;
use sluice_lifecycle::observe::{kept_by, observe};
use sluice_lifecycle::other_tool;
use sluice_lifecycle::takeover::keeper::{Keeper, Wish, helm_releases, kept_by_helm, quoted};
use sluice_lifecycle::takeover::{
    CheckedCounts, ComponentJudgement, Report, check_images, component_of, judge, overlay,
};
use sluice_manifests::{DEFAULT_REGISTRY, Images, Tag};
use sluice_object::Object;

use super::components::{check_names, refuse_other_tool};
use super::controller;
use crate::cluster::Context;
use crate::error::CommandError;
use crate::flags::BooleanFlag as _;
use crate::globals::DEFAULT_NAMESPACE;
use crate::output::Format;
use crate::{CommandResult, Exit, flags, output};
use sluice_preview::remote_bases;

use roll::{CompletedWrite, Roll};

/// The registry in printed commands, for the user to replace.
const PREFIX: &str = "PREFIX";

#[derive(clap::Args, Debug)]
#[command(group = clap::ArgGroup::new("way").required(true).args(["plan", "apply"]))]
pub struct Args {
    /// Check each controller; exit with 1 if one cannot be taken over
    #[arg(long, switch = false)]
    plan: bool,
    /// Take over the controllers; exit with 1 if one cannot be taken over
    #[arg(long, switch = false)]
    apply: bool,
    /// Controllers to take over [default: all installed]
    #[arg(long, value_parser = flags::csv, value_name = "NAME")]
    components: Vec<Vec<String>>,
    /// Include objects managed by another tool or a Git repository
    #[arg(long, switch = false)]
    force: bool,
    /// Print the result as JSON
    #[arg(long, short, value_name = "FORMAT", value_parser = ["json"])]
    output: Option<String>,
    /// Directory with the controllers' manifests in Git, to check images
    #[arg(long, value_name = "DIR")]
    path: Option<PathBuf>,
    /// Registry prefix of the controller images; needed by --apply
    #[arg(long, value_name = "PREFIX")]
    registry: Option<String>,
    /// Version of the images [default: version of this binary]
    // The name within clap is another one than that of the program's own --version.
    #[arg(
        id = "components_version",
        long = "version",
        short = 'v',
        value_name = "VERSION"
    )]
    version: Option<String>,
}

/// The output of `-o json`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct JsonReport<'r> {
    #[serde(flatten)]
    report: &'r Report,
    #[serde(skip_serializing_if = "Option::is_none")]
    kept_by: Option<&'r Keeper>,
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    kept_by_helm: &'r BTreeSet<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    written: Option<&'r [CompletedWrite]>,
}

/// The result of all checks before a write.
struct Checks {
    report: Report,
    counts: CheckedCounts,
    keeper: Option<Keeper>,
    releases: BTreeSet<String>,
    /// The command that takes over, unless the images would be put back.
    next: Option<String>,
}

pub fn run(args: &Args, context: &Context) -> CommandResult {
    let components = args.components.concat();
    check_names(&components)?;
    if args.apply && args.registry().is_none() {
        return Err(CommandError::user(format!(
            "--apply needs --registry, because no cluster can pull from {DEFAULT_REGISTRY}"
        ))
        .hint("set --registry to the prefix to which the images of sluice were pushed"));
    }
    check_images(&images(args))?;
    let is_whole = context.block_on(takeover(args, &components, context))??;
    Ok(if is_whole {
        Exit::SUCCESS
    } else {
        Exit::FAILURE
    })
}

async fn takeover(
    args: &Args,
    components: &[String],
    context: &Context,
) -> Result<bool, CommandError> {
    let images = images(args);
    let session = context.session()?;
    let observed = observe(&session, components).await?;
    if observed.deployments.is_empty() {
        let namespace = context.namespace();
        return Err(CommandError::cluster(format!(
            "no controllers found in the '{namespace}' namespace"
        ))
        .hint("set --namespace to that of a running Flux; a new cluster needs `install` only")
        .hint("the controllers of `sluice dev` have no Deployments"));
    }
    let mut report = judge(&observed, &images, components, &controller::flag_faults);
    if let Some(folder) = &args.path {
        report = Report::of(with_folder(report.components, folder, &images)?);
    }
    let judged: Vec<&str> = report.components.iter().map(|it| it.component).collect();
    let is_judged = |one: &&Object| component_of(one).is_some_and(|it| judged.contains(&it));
    let wish = Wish {
        program: context.program,
        components: &judged,
        deployments: &observed.deployments,
        registry: args.registry().unwrap_or(PREFIX),
        flux_images: false,
    };
    let mut checks = Checks {
        keeper: kept_by(&session, &observed.deployments, wish).await?,
        releases: helm_releases(observed.deployments.iter().filter(is_judged)),
        counts: CheckedCounts::of(&observed, &report),
        next: Some(args.next(context.program, &context.namespace())),
        report,
    };
    if args.plan {
        let mut other = Ok(());
        if !args.force {
            let is_clear = checks.is_clear();
            if is_clear {
                other = plan_of_other_tool(context).await;
            }
            if !is_clear || other.is_err() {
                checks.next = None;
            }
        }
        checks.print(args, None)?;
        other?;
        let is_ready = checks.report.covered && checks.next.is_some();
        return Ok(is_ready && args.registry().is_some());
    }
    if !args.force {
        checks.refuse_kept()?;
        refuse_other_tool(context, "takeover").await?;
    }
    let mut roll = Roll::new(context);
    let applied = apply(&checks.report, &observed.deployments, &mut roll).await;
    checks.print(args, Some(roll.writes()))?;
    applied?;
    Ok(checks.report.covered)
}

/// Fails if `--apply` would ask before it changes the installation of another tool.
async fn plan_of_other_tool(context: &Context) -> Result<(), CommandError> {
    match other_tool::find_other(&context.session()?, "takeover").await? {
        Some(other) => Err(CommandError::user(format!(
            "{} has installed Flux {} here, and may undo the takeover",
            other.name, other.version
        ))
        .hint("set --force to take over nevertheless")),
        None => Ok(()),
    }
}

impl Args {
    /// Returns the typed registry, without a slash at the end.
    fn registry(&self) -> Option<&str> {
        let typed = self.registry.as_deref()?.trim_end_matches('/');
        (!typed.is_empty()).then_some(typed)
    }

    fn version(&self) -> Option<&str> {
        let typed = self.version.as_deref();
        typed.filter(|version| !version.is_empty())
    }

    /// Returns the command that takes over with the flags of this plan.
    fn next(&self, program: &str, namespace: &str) -> String {
        let mut command = format!("{program} takeover --apply");
        let mut flag = |name: &str, value: Option<&str>| {
            if let Some(value) = value {
                let _ = write!(command, " --{name}={}", quoted(value));
            }
        };
        flag("registry", Some(self.registry().unwrap_or(PREFIX)));
        flag("version", self.version());
        let components = self.components.concat().join(",");
        flag("components", Some(&*components).filter(|it| !it.is_empty()));
        flag(
            "namespace",
            Some(namespace).filter(|it| *it != DEFAULT_NAMESPACE),
        );
        let path = self.path.as_ref().map(|path| path.to_string_lossy());
        flag("path", path.as_deref());
        if self.force {
            command.push_str(" --force");
        }
        command
    }
}

fn images(args: &Args) -> Images {
    let own = concat!("v", env!("CARGO_PKG_VERSION"));
    Images {
        registry: args.registry().unwrap_or(DEFAULT_REGISTRY).to_owned(),
        tag: Tag::Fixed(args.version().unwrap_or(own).to_owned()),
    }
}

/// Adds the blockers in a Git directory, which may pin the stock images.
fn with_folder(
    answers: Vec<ComponentJudgement>,
    folder: &Path,
    images: &Images,
) -> Result<Vec<ComponentJudgement>, CommandError> {
    let folder = std::path::absolute(folder)?;
    let fetcher = Some(remote_bases::fetcher());
    let findings = overlay::findings(&DiskFs, &folder, images, fetcher);
    let mut findings = findings.map_err(|reason| {
        CommandError::user(format!("cannot look into {}: {reason}", folder.display()))
    })?;
    Ok(answers
        .into_iter()
        .map(|mut answer| {
            answer
                .missing
                .extend(findings.remove(answer.component).into_iter().flatten());
            answer.covered = answer.missing.is_empty();
            answer
        })
        .collect())
}

/// Takes over the covered controllers, in the order of an installation. Others are reported and
/// skipped. A controller that does not become ready ends the command, so that at most one is
/// broken.
async fn apply(
    report: &Report,
    deployments: &[Object],
    roll: &mut Roll<'_>,
) -> Result<(), CommandError> {
    for answer in &report.components {
        if !answer.covered {
            roll.refused(answer);
            continue;
        }
        for target in &answer.deployments {
            let deployment = deployments
                .iter()
                .find(|deployment| deployment.id().to_string() == target.deployment);
            if let Some(deployment) = deployment {
                roll.take(deployment, &target.becomes).await?;
            }
        }
    }
    Ok(())
}

impl Checks {
    /// Whether nothing would put the former images back.
    fn is_clear(&self) -> bool {
        self.keeper.is_none() && self.releases.is_empty()
    }

    fn refuse_kept(&self) -> Result<(), CommandError> {
        if let Some(keeper) = &self.keeper {
            return Err(roll::revert_error(keeper, "takeover"));
        }
        roll::refuse_helm(&self.releases, "takeover")
    }

    /// Prints the report: always as JSON, and as text only of a plan.
    fn print(&self, args: &Args, written: Option<&[CompletedWrite]>) -> Result<(), CommandError> {
        if args.output.is_some() {
            let report = JsonReport {
                report: &self.report,
                kept_by: self.keeper.as_ref(),
                kept_by_helm: &self.releases,
                written,
            };
            return output::stdout(&output::value(&report, Format::Json)?);
        }
        if written.is_some() {
            return Ok(());
        }
        output::stdout(&output::plain(&self.to_text(args)))
    }

    fn to_text(&self, args: &Args) -> String {
        let mut text = self.report.to_text();
        if self.report.covered {
            text.push_str(&self.counts.to_text());
            text.push('\n');
        }
        if !self.releases.is_empty() {
            text.push_str(&kept_by_helm(&self.releases));
            text.push('\n');
        }
        if let Some(keeper) = &self.keeper {
            text.push_str(&keeper.to_text());
        }
        if let Some(next) = self.next.as_ref().filter(|_| self.report.covered) {
            let then = match args.registry() {
                Some(_) => "take over",
                None => "set --registry to the prefix of the images",
            };
            let _ = write!(text, "\nnext: {then}\n  {next}\n");
        }
        text
    }
}
