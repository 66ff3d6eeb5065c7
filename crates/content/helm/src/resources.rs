//! Creates, updates and deletes the objects of a release, in Helm's order.

use futures::future::join_all;
use sluice_golang::quote::quote;
use sluice_object::Object;

use crate::cluster::{Cluster, ClusterError, Propagation};
use crate::log::LogLine;
use crate::ownership::{KEEP, RESOURCE_POLICY};

/// The validation of all requests.
const STRICT: &str = "Strict";

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

    /// The line about the way in which objects are created.
    fn creation(self) -> LogLine {
        if !self.server_side {
            return LogLine::debug("using client-side apply for resource creation");
        }
        LogLine::debug("using server-side apply for resource creation")
            .with("forceConflicts", self.force_conflicts)
            .with("dryRun", false)
            .with("fieldValidationDirective", STRICT)
    }

    /// The line about the way in which objects are updated.
    fn update(self) -> LogLine {
        if self.force_replace {
            LogLine::debug("using resource replace update strategy")
                .with("fieldValidationDirective", STRICT)
        } else if self.server_side {
            LogLine::debug("using server-side apply for resource update")
                .with("forceConflicts", self.force_conflicts)
                .with("dryRun", false)
                .with("fieldValidationDirective", STRICT)
                .with("upgradeClientSideFieldManager", self.migrate)
        } else {
            LogLine::debug("using client-side apply for resource update")
                .with("threeWayMergeForUnstructured", self.three_way)
        }
    }
}

/// Creates objects. Those of one kind that follow each other are created at once.
pub(crate) async fn create(
    cluster: &dyn Cluster,
    objects: &[Object],
    server_side: bool,
    force: bool,
) -> Result<(), ClusterError> {
    cluster.log(LogLine::debug("creating resource(s)").with("resources", objects.len()));
    let write = Write {
        server_side,
        force_conflicts: force,
        ..Write::default()
    };
    cluster.log(write.creation());
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
    if !server_side {
        return cluster.create(object).await;
    }
    let applied = cluster.apply(object, force).await;
    let line = match &applied {
        Ok(()) => LogLine::debug("Created resource via patch"),
        Err(_) => LogLine::debug("Error creating resource via patch").with_error(),
    };
    cluster.log(line.about_resource(object));
    applied
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
    cluster.log(write.creation());
    cluster.log(write.update());
    let checked = LogLine::debug("checking resources for changes");
    cluster.log(checked.with("resources", targets.len()));
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
            cluster.log(LogLine::debug("created a new resource").about(target));
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
        return replace(cluster, original, target).await;
    }
    if write.server_side {
        return patch_on_server(cluster, original, target, write).await;
    }
    let patched = cluster.patch(original, target, write.three_way).await;
    patched.map_err(|error| {
        let (name, kind) = (quote(target.name()), target.kind());
        ClusterError::Failed(format!("cannot patch {name} with kind {kind}: {error}"))
    })
}

async fn replace(
    cluster: &dyn Cluster,
    original: &Object,
    target: &Object,
) -> Result<(), ClusterError> {
    let replaced = cluster.replace(target).await;
    let line = match &replaced {
        Ok(()) => LogLine::debug("replace succeeded")
            .with("name", original.name())
            .with("initialKind", original.kind())
            .with("kind", target.kind()),
        Err(_) => LogLine::debug("error replacing the resource")
            .about_resource(target)
            .with_error(),
    };
    cluster.log(line);
    replaced.map_err(|error| ClusterError::Failed(format!("failed to replace object: {error}")))
}

async fn patch_on_server(
    cluster: &dyn Cluster,
    original: &Object,
    target: &Object,
    write: Write,
) -> Result<(), ClusterError> {
    if write.migrate {
        let migrated = cluster.migrate(original).await.inspect_err(|_| {
            let text = "Error patching resource to replace CSA field management";
            cluster.log(LogLine::debug(text).with_error());
        })?;
        if migrated {
            let text = "Upgraded object client-side field management with server-side apply \
                        field management";
            cluster.log(LogLine::debug(text).about_resource(target));
        }
    }
    let patched = cluster.apply(target, write.force_conflicts).await;
    let line = match &patched {
        Ok(()) => LogLine::debug("Patched resource"),
        Err(_) => LogLine::debug("Error patching resource").with_error(),
    };
    cluster.log(line.about_resource(target));
    patched
}

/// Deletes an object that left the release, unless it wants to stay.
async fn remove(cluster: &dyn Cluster, object: &Object) -> Result<(), ClusterError> {
    cluster.log(LogLine::debug("deleting resource").about(object));
    let Ok(Some(live)) = cluster.get(object).await else {
        let line = LogLine::debug("unable to get object").about(object);
        cluster.log(line.with_error());
        return Ok(());
    };
    if live.annotation(RESOURCE_POLICY) == Some(KEEP) {
        let line = LogLine::debug("skipping delete due to annotation").about(object);
        cluster.log(line.with("annotation", RESOURCE_POLICY).with("value", KEEP));
        return Ok(());
    }
    let deleted = cluster.delete(object, Propagation::Background).await;
    if deleted.is_err() {
        let line = LogLine::debug("failed to delete resource").about(object);
        cluster.log(line.with_error());
    }
    match deleted {
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
            .map(|object| delete_one(cluster, object, propagation));
        let results = join_all(requests).await;
        let failed = results.into_iter().filter_map(Result::err);
        errors.extend(failed.filter(|error| !matches!(error, ClusterError::NotFound(_))));
    }
    errors
}

async fn delete_one(
    cluster: &dyn Cluster,
    object: &Object,
    propagation: Propagation,
) -> Result<(), ClusterError> {
    cluster.log(LogLine::debug("starting delete resource").about(object));
    let deleted = cluster.delete(object, propagation).await;
    if matches!(deleted, Err(ClusterError::NotFound(_))) {
        let line = LogLine::debug("ignoring delete failure").about(object);
        cluster.log(line.with_error());
    }
    deleted
}

/// The texts of errors.
pub(crate) fn texts(errors: &[ClusterError], separator: &str) -> String {
    let texts: Vec<String> = errors.iter().map(ToString::to_string).collect();
    texts.join(separator)
}
