//! Who else keeps the controllers of a cluster, and would undo what is done to them by hand.

use sluice_client::{GroupVersionKind, ListOptions};

use crate::cluster::{Context, object, refusal};
use crate::error::CommandError;
use crate::{output, resource};

/// The definition whose labels tell who installed Flux.
const DEFINITION: &str = "gitrepositories.source.toolkit.fluxcd.io";

/// Refuses a cluster that Flux Operator manages, and asks before another tool's is changed. The
/// verb is the command's own.
pub(in crate::commands) async fn nobody_else(
    context: &Context,
    verb: &str,
) -> Result<(), CommandError> {
    let cluster = context.cluster()?;
    let unavailable =
        |error: sluice_client::Error| refusal(&error).while_doing("cluster info unavailable");
    let instance = GroupVersionKind::gvk("fluxcd.controlplane.io", "v1", "FluxInstance");
    match cluster.list(&instance, None, &ListOptions::default()).await {
        Ok(list) if !list.items.is_empty() => {
            return Err(CommandError::user(format!(
                "Flux Operator manages this cluster, by a FluxInstance: it would undo what {verb} does"
            ))
            .hint("change the FluxInstance, or say --force"));
        }
        Ok(_) => {}
        Err(error) if error.is_no_match() || error.is_not_found() => {}
        Err(error) => return Err(unavailable(error)),
    }
    let found = cluster.get(&resource::definition(), None, DEFINITION).await;
    let Some(definition) = found.map_err(unavailable)?.and_then(object) else {
        return Ok(());
    };
    let manager = definition
        .label("app.kubernetes.io/managed-by")
        .unwrap_or_default();
    if matches!(manager, "" | "flux") {
        return Ok(());
    }
    let version = definition
        .label("app.kubernetes.io/version")
        .unwrap_or_default();
    output::stderr(&format!(
        "Flux {} has been installed on this cluster with {}!\n",
        output::plain(version),
        output::plain(manager)
    ));
    let question = format!("Are you sure you want to override the {manager} installation?");
    match output::confirm_unless(&question, "--force") {
        Ok(true) => Ok(()),
        _ => Err(CommandError::user(format!("{verb} cancelled"))
            .hint("--force overrides the other installation")),
    }
}
