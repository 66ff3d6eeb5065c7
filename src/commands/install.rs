//! Implements `install`: installs the controllers, or prints their manifests.

use sluice_client::GroupVersionKind;
use sluice_lifecycle::{Installer, PullSecret, Session, Upgrade, installation, topology};
use sluice_manifests::Options;
use sluice_object::Object;

use super::components::{ComponentArgs, refuse_other_tool};
use crate::cluster::Context;
use crate::error::CommandError;
use crate::flags::BooleanFlag as _;
use crate::{CommandResult, Exit, output};

#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(flatten)]
    components: ComponentArgs,
    /// Print the manifests without applying them
    #[arg(long, switch = false)]
    export: bool,
    /// Install even if the cluster is managed from Git
    #[arg(long, switch = false)]
    force: bool,
}

pub fn run(args: &Args, context: &Context) -> CommandResult {
    let pull_secret = args.components.pull_secret()?;
    args.components.check_images()?;
    let options = args.components.options(&context.namespace())?;
    let package = args.components.package(&options)?;
    if args.export {
        output::stdout(&package.text)?;
        return Ok(Exit::SUCCESS);
    }
    context.progress.generate("generating manifests");
    context.progress.success("manifests build completed");
    context.block_on(install(
        args,
        &options,
        package.objects,
        pull_secret,
        context,
    ))??;
    Ok(Exit::SUCCESS)
}

async fn install(
    args: &Args,
    options: &Options,
    objects: Vec<Object>,
    pull_secret: Option<PullSecret>,
    context: &Context,
) -> Result<(), CommandError> {
    let progress = context.progress;
    let namespace = context.namespace();
    let session = context.session()?;
    let failed = |error: CommandError| error.while_doing("install failed");
    let step_failed = |error: sluice_lifecycle::Error| failed(error.into());
    if !args.force {
        refuse_other_tool(context, "install").await?;
        refuse_bootstrapped(&session).await?;
    }
    let upgrade = Upgrade::of(&session, &objects).await;
    let upgrade = upgrade.map_err(step_failed)?;
    progress.action(format!("installing components in {namespace} namespace"));
    upgrade.before(&session).await.map_err(step_failed)?;
    let installer = Installer::new(&session);
    let applied = installer
        .apply(upgrade.bridged(&objects))
        .await
        .map_err(step_failed)?;
    for entry in &applied.changes.entries {
        output::stderr(&format!("{entry}\n"));
    }
    replaced(options, &objects, &session)
        .await
        .map_err(step_failed)?;
    if let Some(secret) = pull_secret {
        progress.action(format!("generating image pull secret {}", secret.name));
        secret.write(&session).await.map_err(step_failed)?;
    }
    progress.wait("verifying installation");
    let ready = installer.deployments_ready(applied.targets, context.timeout());
    let names = ready.await.map_err(|error| {
        step_failed(error).hint("run `logs` and `events` to see why a controller is not ready")
    })?;
    for name in names {
        progress.success(format!("{name}: deployment ready"));
    }
    let trimmed = upgrade.after(&session, &installer, &objects).await;
    trimmed.map_err(step_failed)?;
    progress.success("install finished");
    Ok(())
}

/// Deletes leftovers of an installation with other options. Its Deployments hold leases that the
/// new ones need, and its permissions may be too wide.
async fn replaced(
    options: &Options,
    objects: &[Object],
    session: &Session<'_>,
) -> Result<(), sluice_lifecycle::Error> {
    for id in topology::take_away(session, &options.replaced(), objects).await? {
        output::stderr(&format!("{id} deleted\n"));
    }
    if options.namespaced_rbac {
        let namespace = &session.namespace;
        for (kind, role) in [
            ("ClusterRoleBinding", "cluster-reconciler"),
            ("ClusterRoleBinding", "crd-controller"),
            ("ClusterRole", "crd-controller"),
        ] {
            let kind = GroupVersionKind::gvk("rbac.authorization.k8s.io", "v1", kind);
            let name = format!("{role}-{namespace}");
            if topology::delete(session, &kind, None, &name).await? {
                output::stderr(&format!("{}/{name} deleted\n", kind.kind));
            }
        }
    }
    Ok(())
}

/// Rejects a bootstrapped cluster, because its Git repository would undo the installation.
async fn refuse_bootstrapped(session: &Session<'_>) -> Result<(), CommandError> {
    let managed = installation::deployments(session)
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
        .hint("set --force to install nevertheless"));
    }
    Ok(())
}
