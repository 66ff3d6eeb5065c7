//! `install`: the controllers into a cluster, or their manifests onto stdout.

use std::sync::Arc;
use std::time::Duration;

use sluice_apply::{Applier, ApplyOptions, Inventory, Owner, Settings, WaitOptions, Watches};
use sluice_manifests::{Images, Options, Tag};
use sluice_object::Object;
use sluice_system::SystemClock;

use super::version;
use crate::cluster::{Context, FIELD_MANAGER};
use crate::error::{CommandError, chain};
use crate::flags::BooleanFlag as _;
use crate::{CommandResult, Exit, flags, output};

#[derive(clap::Args, Debug)]
pub struct Args {
    /// Domain of the cluster's own names
    #[arg(long, default_value = "cluster.local", value_name = "DOMAIN")]
    cluster_domain: String,
    /// Controllers to install
    #[arg(long, value_parser = flags::csv, value_name = "NAME", default_value = "source-controller,kustomize-controller,helm-controller,notification-controller")]
    components: Vec<Vec<String>>,
    /// Controllers to install as well
    #[arg(long, value_parser = flags::csv, value_name = "NAME")]
    components_extra: Vec<Vec<String>>,
    /// Print the manifests and change nothing
    #[arg(long, switch = false)]
    export: bool,
    /// Install even where the cluster is managed from Git
    #[arg(long, switch = false)]
    force: bool,
    /// Secret with the registry's credentials
    #[arg(long, value_name = "NAME")]
    image_pull_secret: Option<String>,
    /// Log level of the controllers
    #[arg(long, default_value = "info", value_name = "LEVEL", value_parser = ["debug", "info", "error"])]
    log_level: String,
    /// Let only what needs to reach the controllers
    #[arg(long, switch = true)]
    network_policy: bool,
    /// What stands before the images' names
    #[arg(long, default_value = sluice_manifests::DEFAULT_REGISTRY, value_name = "PREFIX")]
    registry: String,
    /// Taints that the controllers tolerate
    #[arg(long, value_parser = flags::csv, value_name = "KEY")]
    toleration_keys: Vec<Vec<String>>,
    /// Version of the images (default: this binary's)
    #[arg(long, short = 'v', value_name = "VERSION")]
    version: Option<String>,
    /// Reconcile the objects of all namespaces, not only of the controllers' own
    #[arg(long, switch = true)]
    watch_all_namespaces: bool,
}

pub fn run(args: &Args, context: &Context) -> CommandResult {
    let manifests = sluice_manifests::generate(&options(args, context))
        .map_err(|error| CommandError::user(chain(&error)))?;
    if args.export {
        output::stdout(&manifests.to_yaml())?;
        return Ok(Exit::SUCCESS);
    }
    context.progress.generate("generating manifests");
    context.progress.success("manifests build completed");
    context.block_on(install(args, manifests.objects, context))??;
    Ok(Exit::SUCCESS)
}

fn options(args: &Args, context: &Context) -> Options {
    let list = |uses: &[Vec<String>]| uses.iter().flatten().cloned().collect::<Vec<_>>();
    let mut components = list(&args.components);
    components.extend(list(&args.components_extra));
    let mut options = Options {
        components,
        namespace: context.namespace(),
        image_pull_secret: args.image_pull_secret.clone(),
        log_level: args.log_level.clone(),
        cluster_domain: args.cluster_domain.clone(),
        network_policy: args.network_policy,
        watch_all_namespaces: args.watch_all_namespaces,
        toleration_keys: list(&args.toleration_keys),
        ..Options::default()
    };
    if let Some(version) = &args.version {
        options.version.clone_from(version);
    }
    options.images = Images {
        registry: args.registry.trim_end_matches('/').to_owned(),
        tag: Tag::Same(options.version.clone()),
    };
    options
}

async fn install(args: &Args, objects: Vec<Object>, context: &Context) -> Result<(), CommandError> {
    let progress = context.progress;
    let namespace = context.namespace();
    if !args.force {
        refuse_bootstrapped(context).await?;
    }
    progress.action(format!("installing components in {namespace} namespace"));
    let mut settings = Settings::new(FIELD_MANAGER, "kustomize.toolkit.fluxcd.io");
    settings.concurrency = 16;
    let applier = Applier::new(
        context.cluster()?.clone(),
        Arc::new(settings),
        Watches::default(),
        Arc::new(SystemClock),
    );
    // Installed objects belong to no Kustomization: the labels are not put on, and with nothing
    // known beforehand nothing is looked up by them.
    let owner = Owner {
        name: "flux".into(),
        namespace: namespace.clone(),
    };
    let applied = applier
        .apply_staged(
            objects,
            &ApplyOptions {
                owner: &owner,
                known: &Inventory::default(),
                force: false,
                pause: None,
            },
        )
        .await
        .map_err(|failure| CommandError::cluster(format!("install failed: {}", chain(&failure))))?;
    for entry in &applied.changes.entries {
        output::stderr(&format!("{entry}\n"));
    }
    progress.waiting("verifying installation");
    let deployments: Vec<_> = applied
        .targets
        .into_iter()
        .filter(|target| target.id.kind == "Deployment")
        .collect();
    let names: Vec<String> = deployments
        .iter()
        .map(|target| target.id.name.clone())
        .collect();
    let options = WaitOptions {
        timeout: context.timeout().max(Duration::from_secs(1)),
        fail_fast: false,
    };
    applier
        .wait(deployments, options, std::future::pending())
        .await
        .map_err(|error| {
            CommandError::cluster(format!("install failed: {error}"))
                .hint("`logs` and `events` say why a controller does not become ready")
        })?;
    for name in names {
        progress.success(format!("{name}: deployment ready"));
    }
    progress.success("install finished");
    Ok(())
}

/// A cluster that is kept in Git is upgraded there: what is installed by hand would be undone.
async fn refuse_bootstrapped(context: &Context) -> Result<(), CommandError> {
    let managed = version::deployments(context)
        .await?
        .iter()
        .any(|deployment| {
            deployment
                .label("kustomize.toolkit.fluxcd.io/name")
                .is_some()
        });
    if managed {
        return Err(CommandError::user(
            "this cluster has already been bootstrapped with Flux: upgrade it with bootstrap",
        )
        .hint("--force installs all the same"));
    }
    Ok(())
}
