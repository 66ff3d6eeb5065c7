//! What an installation of the other topology left: Deployments that are in nobody's inventory, and
//! keep the leases for which the new ones wait. Whoever installs over them takes them away.

use sluice_client::{DeleteOptions, GroupVersionKind};
use sluice_object::Object;

use crate::cluster::{Context, refusal};
use crate::commands::version;
use crate::error::CommandError;

/// Those of these Deployments that are in the cluster, but for what is installed now: a folder of
/// manifests may hold either topology, whatever the flag says.
pub(in crate::commands) async fn left_over(
    context: &Context,
    replaced: &[&str],
    installed: &[Object],
) -> Result<Vec<Object>, CommandError> {
    let mut found = version::deployments(context).await?;
    found.retain(|found| is_left_over(found, replaced, installed));
    Ok(found)
}

fn is_left_over(found: &Object, replaced: &[&str], installed: &[Object]) -> bool {
    let is_it = |object: &Object| object.is("apps", "Deployment") && object.name() == found.name();
    replaced.contains(&found.name()) && !installed.iter().any(is_it)
}

/// Deletes them, and tells which.
pub(in crate::commands) async fn take_away(
    context: &Context,
    replaced: &[&str],
    installed: &[Object],
) -> Result<Vec<String>, CommandError> {
    let kind = GroupVersionKind::gvk("apps", "v1", "Deployment");
    let mut gone = Vec::new();
    for found in left_over(context, replaced, installed).await? {
        if delete(context, &kind, Some(found.namespace()), found.name()).await? {
            gone.push(found.id().to_string());
        }
    }
    Ok(gone)
}

/// Deletes an object, and says whether there was one.
pub(in crate::commands) async fn delete(
    context: &Context,
    gvk: &GroupVersionKind,
    namespace: Option<&str>,
    name: &str,
) -> Result<bool, CommandError> {
    let options = DeleteOptions::default();
    let deleted = context
        .cluster()?
        .delete(gvk, namespace, name, &options)
        .await;
    match deleted {
        Ok(_) => Ok(true),
        Err(error) if error.is_not_found() => Ok(false),
        Err(error) => Err(refusal(&error)),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_installed_now_is_not_left_over() {
        let deployment = |name: &str| {
            let deployment = json!({ "apiVersion": "apps/v1", "kind": "Deployment", "metadata": { "name": name } });
            Object::try_from(deployment).unwrap()
        };
        let is_left_over = |name: &str, installed: &[Object]| {
            is_left_over(&deployment(name), &["sluice"], installed)
        };
        assert!(is_left_over("sluice", &[deployment("source-controller")]));
        assert!(!is_left_over("sluice", &[deployment("sluice")]));
        assert!(!is_left_over("helm-controller", &[]));
    }
}
