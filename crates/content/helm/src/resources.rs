//! Creates, updates and deletes the objects of a release, in Helm's order.

use futures::future::join_all;
use sluice_golang::quote::quote;
use sluice_object::Object;

use crate::cluster::{Cluster, ClusterError, Propagation};
use crate::ownership::{KEEP, RESOURCE_POLICY};

/// How objects are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Write {
    /// Whether the API server merges objects.
    pub server_side: bool,
    /// Whether fields of other managers are taken over.
    pub force_conflicts: bool,
    /// Whether objects are replaced instead of patched.
    pub force_replace: bool,
    /// Whether custom resources are compared with the live object, too.
    pub three_way: bool,
    /// Whether fields of client-side apply change their manager first.
    pub migrate: bool,
}

impl Write {
    /// Refuses switches that exclude each other.
    fn check(self) -> Result<(), ClusterError> {
        let refuse = |text: &str| Err(ClusterError::Failed(text.to_owned()));
        if self.force_conflicts && !self.server_side {
            return refuse(
                "invalid client update option(s): forceConflicts enabled when serverSideApply \
                 disabled",
            );
        }
        if self.three_way && self.server_side {
            return refuse(
                "invalid operation: cannot use three-way merge for unstructured and server-side \
                 apply together",
            );
        }
        if self.force_conflicts && self.force_replace {
            return refuse(
                "invalid operation: cannot use force conflicts and force replace together",
            );
        }
        if self.server_side && self.force_replace {
            return refuse(
                "invalid operation: cannot use server-side apply and force replace together",
            );
        }
        Ok(())
    }
}

/// Creates objects. Those of one kind that follow each other are created at once.
pub(crate) async fn create(
    cluster: &dyn Cluster,
    objects: &[Object],
    server_side: bool,
    force: bool,
) -> Result<(), ClusterError> {
    if objects.is_empty() {
        return Err(ClusterError::Failed("no objects visited".to_owned()));
    }
    let mut errors = Vec::new();
    for batch in objects.chunk_by(|one, two| one.kind() == two.kind()) {
        let requests = batch
            .iter()
            .map(|object| create_one(cluster, object, server_side, force));
        let results = join_all(requests).await;
        errors.extend(results.into_iter().filter_map(Result::err));
    }
    joined(errors, "\n")
}

async fn create_one(
    cluster: &dyn Cluster,
    object: &Object,
    server_side: bool,
    force: bool,
) -> Result<(), ClusterError> {
    if server_side {
        cluster.apply(object, force).await
    } else {
        cluster.create(object).await
    }
}

/// One error of several; a single one stays as it is.
fn joined(mut errors: Vec<ClusterError>, separator: &str) -> Result<(), ClusterError> {
    match errors.len() {
        0 => Ok(()),
        1 => Err(errors.remove(0)),
        _ => {
            let texts: Vec<String> = errors.iter().map(ToString::to_string).collect();
            Err(ClusterError::Failed(texts.join(separator)))
        }
    }
}

/// Whether two objects are the same one, perhaps in another version of its API.
fn is_same(one: &Object, two: &Object) -> bool {
    one.group_kind() == two.group_kind()
        && one.name() == two.name()
        && one.namespace() == two.namespace()
}

/// Updates the objects of a release, and deletes those that it does not have any more.
///
/// Objects that did not exist are added to `created`, also when creating them fails.
pub(crate) async fn update(
    cluster: &dyn Cluster,
    originals: &[Object],
    targets: &[Object],
    write: Write,
    created: &mut Vec<Object>,
) -> Result<(), ClusterError> {
    write.check()?;
    let mut errors = Vec::new();
    for target in targets {
        let live = cluster.get(target).await.map_err(|error| {
            let text = format!("could not get information about the resource: {error}");
            ClusterError::Failed(text)
        })?;
        let Some(live) = live else {
            created.push(target.clone());
            let made = create_one(cluster, target, write.server_side, write.force_conflicts);
            made.await.map_err(|error| {
                ClusterError::Failed(format!("failed to create resource: {error}"))
            })?;
            continue;
        };
        let original = originals.iter().find(|original| is_same(original, target));
        let updated = update_one(cluster, original.unwrap_or(&live), target, write).await;
        errors.extend(updated.err());
    }
    joined(errors, " && ")?;
    let mut errors = Vec::new();
    for original in originals {
        if targets.iter().any(|target| is_same(target, original)) {
            continue;
        }
        errors.extend(remove(cluster, original).await.err());
    }
    joined(errors, " && ")
}

async fn update_one(
    cluster: &dyn Cluster,
    original: &Object,
    target: &Object,
    write: Write,
) -> Result<(), ClusterError> {
    if write.force_replace {
        return cluster
            .replace(target)
            .await
            .map_err(|error| ClusterError::Failed(format!("failed to replace object: {error}")));
    }
    if write.server_side {
        if write.migrate {
            cluster.migrate(original).await?;
        }
        return cluster.apply(target, write.force_conflicts).await;
    }
    let patched = cluster.patch(original, target, write.three_way).await;
    patched.map_err(|error| {
        let (name, kind) = (quote(target.name()), target.kind());
        ClusterError::Failed(format!("cannot patch {name} with kind {kind}: {error}"))
    })
}

/// Deletes an object that left the release, unless it wants to stay.
async fn remove(cluster: &dyn Cluster, object: &Object) -> Result<(), ClusterError> {
    let Ok(Some(live)) = cluster.get(object).await else {
        return Ok(());
    };
    if live.annotation(RESOURCE_POLICY) == Some(KEEP) {
        return Ok(());
    }
    match cluster.delete(object, Propagation::Background).await {
        Ok(()) | Err(ClusterError::NotFound(_)) => Ok(()),
        Err(error) => {
            let (namespace, name, kind) = (object.namespace(), object.name(), object.kind());
            Err(ClusterError::Failed(format!(
                "failed to delete resource namespace={namespace}, name={name}, kind={kind}: \
                 {error}"
            )))
        }
    }
}

/// Deletes objects, and returns all errors. Objects that do not exist count as deleted.
pub(crate) async fn delete(
    cluster: &dyn Cluster,
    objects: &[Object],
    propagation: Propagation,
) -> Vec<ClusterError> {
    if objects.is_empty() {
        let text = "object not found, skipping delete: no objects visited";
        return vec![ClusterError::Failed(text.to_owned())];
    }
    let mut errors = Vec::new();
    for batch in objects.chunk_by(|one, two| one.kind() == two.kind()) {
        let requests = batch
            .iter()
            .map(|object| cluster.delete(object, propagation));
        let results = join_all(requests).await;
        let failed = results.into_iter().filter_map(Result::err);
        errors.extend(failed.filter(|error| !matches!(error, ClusterError::NotFound(_))));
    }
    errors
}

/// The texts of errors.
pub(crate) fn texts(errors: &[ClusterError], separator: &str) -> String {
    let texts: Vec<String> = errors.iter().map(ToString::to_string).collect();
    texts.join(separator)
}
