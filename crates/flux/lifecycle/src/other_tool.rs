//! Finds another tool that manages Flux in a cluster and would undo manual changes.

use sluice_client::{GroupVersionKind, ListOptions};

use crate::error::{Error, refusal};
use crate::session::{Session, object};

/// A tool that installed Flux.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OtherTool {
    /// The tool.
    pub name: String,
    /// The installed version.
    pub version: String,
}

/// The definition whose labels name the tool that installed Flux.
const DEFINITION: &str = "gitrepositories.source.toolkit.fluxcd.io";

/// Finds another tool that installed Flux. Flux Operator is an error, because it would undo
/// the changes of `verb`.
pub async fn find_other(session: &Session<'_>, verb: &str) -> Result<Option<OtherTool>, Error> {
    let cluster = session.cluster;
    let unavailable =
        |error: sluice_client::Error| refusal(&error).while_doing("cluster info unavailable");
    let instance = GroupVersionKind::gvk("fluxcd.controlplane.io", "v1", "FluxInstance");
    match cluster.list(&instance, None, &ListOptions::default()).await {
        Ok(list) if !list.items.is_empty() => {
            return Err(Error::user(format!(
                "Flux Operator manages this cluster, by a FluxInstance: it would undo what {verb} does"
            ))
            .hint("change the FluxInstance, or set --force"));
        }
        Ok(_) => {}
        Err(error) if error.has_no_match() || error.is_not_found() => {}
        Err(error) => return Err(unavailable(error)),
    }
    let found = cluster
        .get(&sluice_insight::kinds::definition(), None, DEFINITION)
        .await;
    let Some(definition) = found.map_err(unavailable)?.and_then(object) else {
        return Ok(None);
    };
    let manager = definition
        .label("app.kubernetes.io/managed-by")
        .unwrap_or_default();
    if matches!(manager, "" | "flux") {
        return Ok(None);
    }
    let version = definition
        .label("app.kubernetes.io/version")
        .unwrap_or_default();
    Ok(Some(OtherTool {
        name: manager.to_owned(),
        version: version.to_owned(),
    }))
}
