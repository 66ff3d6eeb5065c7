//! Removes the Deployments of another topology. They are in no inventory and keep the leases for
//! which the new controllers wait.

use sluice_client::{DeleteOptions, GroupVersionKind};
use sluice_object::Object;

use crate::error::{Error, refusal};
use crate::installation;
use crate::session::Session;

/// The Deployments of another topology in the cluster, except those that are installed now. A
/// directory of manifests may have either topology.
pub async fn left_over(
    session: &Session<'_>,
    replaced: &[&str],
    installed: &[Object],
) -> Result<Vec<Object>, Error> {
    let mut found = installation::deployments(session).await?;
    found.retain(|found| is_left_over(found, replaced, installed));
    Ok(found)
}

fn is_left_over(found: &Object, replaced: &[&str], installed: &[Object]) -> bool {
    let is_it = |object: &Object| object.is("apps", "Deployment") && object.name() == found.name();
    replaced.contains(&found.name()) && !installed.iter().any(is_it)
}

/// Deletes them and returns their ids.
pub async fn take_away(
    session: &Session<'_>,
    replaced: &[&str],
    installed: &[Object],
) -> Result<Vec<String>, Error> {
    let kind = GroupVersionKind::gvk("apps", "v1", "Deployment");
    let mut gone = Vec::new();
    for found in left_over(session, replaced, installed).await? {
        if delete(session, &kind, Some(found.namespace()), found.name()).await? {
            gone.push(found.id().to_string());
        }
    }
    Ok(gone)
}

/// Deletes an object; returns whether it existed.
pub async fn delete(
    session: &Session<'_>,
    gvk: &GroupVersionKind,
    namespace: Option<&str>,
    name: &str,
) -> Result<bool, Error> {
    let options = DeleteOptions::default();
    let deleted = session.cluster.delete(gvk, namespace, name, &options).await;
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
    fn installed_deployment_is_not_left_over() {
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
