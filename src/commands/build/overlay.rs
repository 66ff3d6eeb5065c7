//! Implements `build overlay`: prints the same bytes as `kustomize build`.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::ValueEnum;
use clap::builder::PossibleValue;
use sluice_kustomize::fs::DiskFs;
use sluice_kustomize::remote::Repository;
use sluice_kustomize::{
    Error, LoadRestrictor, Options, Reorder, ResMap, build, build_repository,
    build_repository_yaml, build_yaml,
};
use sluice_preview::kustomization::threads;
use sluice_preview::remote_bases;
use sluice_system::fs;

use crate::cluster::Context;
use crate::error::CommandError;
use crate::flags::BooleanFlag as _;
use crate::{CommandResult, Exit, output};
use sluice_golang::error::chain;

#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    /// Directory with a kustomization file, local or as a Git URL
    #[arg(value_name = "DIR", default_value = ".")]
    directory: PathBuf,
    /// Order of objects, unless a kustomization sets sortOptions
    #[arg(long, value_enum, value_name = "ORDER")]
    reorder: Option<Order>,
    /// Files to allow: below the kustomization root, or any (none)
    #[arg(long, value_enum, value_name = "RESTRICTOR")]
    load_restrictor: Option<Restrictor>,
    /// Output file, or existing directory for one file per object
    #[arg(long, short, value_name = "FILE|DIR")]
    output: Option<PathBuf>,
    /// Label every object as managed by kustomize
    #[arg(long, switch = false)]
    enable_managedby_label: bool,
    /// Build as Flux does: keep the order and allow all files
    #[arg(long, switch = false)]
    flux: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Order {
    None,
    Legacy,
}

#[derive(Clone, Copy, Debug)]
enum Restrictor {
    Root,
    None,
}

/// Kustomize's own values are accepted as aliases, so its invocations work.
impl ValueEnum for Restrictor {
    fn value_variants<'a>() -> &'a [Self] {
        &[Self::Root, Self::None]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(match self {
            Self::Root => PossibleValue::new("root").alias("LoadRestrictionsRootOnly"),
            Self::None => PossibleValue::new("none").alias("LoadRestrictionsNone"),
        })
    }
}

pub fn run(args: &Args, _context: &Context) -> CommandResult {
    let options = options(args);
    let repository = args.directory.to_str().and_then(Repository::parse);
    let directory = || std::path::absolute(&args.directory);
    let failed = |error: Error| CommandError::user(error.to_string()).hint_after(error.code());
    if let Some(folder) = args.output.as_deref().filter(|path| path.is_dir()) {
        let built = match repository {
            Some(repository) => build_repository(repository, &options),
            None => build(&DiskFs, &directory()?, &options),
        };
        write_each(folder, &built.map_err(failed)?)?;
        return Ok(Exit::SUCCESS);
    }
    let printed = match repository {
        Some(repository) => build_repository_yaml(repository, &options),
        None => build_yaml(&DiskFs, &directory()?, &options),
    };
    let printed = printed.map_err(failed)?;
    match &args.output {
        None => output::stdout(&printed)?,
        Some(path) => write(path, &printed)?,
    }
    Ok(Exit::SUCCESS)
}

fn options(args: &Args) -> Options {
    let mut options = if args.flux {
        Options::flux()
    } else {
        Options::cli()
    };
    match args.reorder {
        Some(Order::None) => options.reorder = Reorder::None,
        Some(Order::Legacy) => options.reorder = Reorder::Legacy,
        None => {}
    }
    match args.load_restrictor {
        Some(Restrictor::Root) => options.load_restrictor = LoadRestrictor::RootOnly,
        Some(Restrictor::None) => options.load_restrictor = LoadRestrictor::None,
        None => {}
    }
    options.managed_by_label = args.enable_managedby_label;
    options.fetcher = Some(remote_bases::fetcher());
    options.threads = threads();
    options.warn = Some(Arc::new(|warning| {
        output::stderr(&format!("{}\n", output::plain(warning)));
    }));
    options
}

fn write_each(folder: &Path, built: &ResMap) -> Result<(), CommandError> {
    for (name, manifest) in built.to_files() {
        write(&folder.join(name), &manifest)?;
    }
    Ok(())
}

fn write(path: &Path, text: &str) -> Result<(), CommandError> {
    fs::write(path, text).map_err(|error| CommandError::user(chain(&error)))
}
