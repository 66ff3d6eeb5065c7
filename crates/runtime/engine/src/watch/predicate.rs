//! Decides which changes of an object enqueue it. Pure, and the same for every kind.

use kube::ResourceExt;
use sluice_api::meta::annotation::RECONCILE_REQUESTED_AT;

use crate::cause::Cause;

/// The reconciliation request of an object.
pub fn requested_at(object: &impl ResourceExt) -> Option<&str> {
    object
        .annotations()
        .get(RECONCILE_REQUESTED_AT)
        .map(String::as_str)
}

/// The cause if a change from `old` to `new` enqueues the object: it is new, its generation changed
/// (also by the start of a deletion), or it has a new request. Writes to status and other metadata
/// do not enqueue it.
pub(crate) fn cause_of<K: ResourceExt>(old: Option<&K>, new: &K, listed: bool) -> Option<Cause> {
    let Some(old) = old else {
        return Some(if listed {
            Cause::Listed
        } else {
            Cause::Created
        });
    };
    if old.meta().uid != new.meta().uid {
        return Some(Cause::Created);
    }
    if old.meta().deletion_timestamp.is_none() && new.meta().deletion_timestamp.is_some() {
        return Some(Cause::Deleted);
    }
    if old.meta().generation != new.meta().generation {
        return Some(Cause::Edited);
    }
    if requested_at(new).is_some() && requested_at(old) != requested_at(new) {
        return Some(Cause::Requested);
    }
    None
}

#[cfg(test)]
mod tests {
    use k8s_openapi::api::core::v1::ConfigMap;
    use k8s_openapi::apimachinery::pkg::apis::meta::v1::Time;

    use super::*;

    fn object() -> ConfigMap {
        let mut object = ConfigMap::default();
        object.metadata.uid = Some("u".into());
        object.metadata.generation = Some(1);
        object.metadata.resource_version = Some("5".into());
        object
    }

    fn changed(change: impl FnOnce(&mut ConfigMap)) -> Option<Cause> {
        let mut new = object();
        new.metadata.resource_version = Some("6".into());
        change(&mut new);
        cause_of(Some(&object()), &new, false)
    }

    fn annotate(object: &mut ConfigMap, key: &str, value: &str) {
        object
            .metadata
            .annotations
            .get_or_insert_default()
            .insert(key.into(), value.into());
    }

    #[test]
    fn status_and_metadata_do_not_enqueue() {
        assert_eq!(changed(|_| ()), None);
        assert_eq!(
            changed(|new| annotate(new, "note", "of no consequence")),
            None
        );
        assert_eq!(
            changed(|new| new.metadata.finalizers = Some(vec!["mine".into()])),
            None
        );
    }

    #[test]
    fn edit_request_and_deletion_enqueue() {
        assert_eq!(
            changed(|new| new.metadata.generation = Some(2)),
            Some(Cause::Edited)
        );
        assert_eq!(
            changed(|new| annotate(new, RECONCILE_REQUESTED_AT, "now")),
            Some(Cause::Requested)
        );
        let deleted = Time("2024-05-01T10:00:00Z".parse().unwrap());
        assert_eq!(
            changed(|new| new.metadata.deletion_timestamp = Some(deleted)),
            Some(Cause::Deleted)
        );
    }

    #[test]
    fn withdrawn_request_does_not_enqueue() {
        let mut old = object();
        annotate(&mut old, RECONCILE_REQUESTED_AT, "now");
        assert_eq!(cause_of(Some(&old), &object(), false), None);
    }

    #[test]
    fn new_object_is_created_or_listed() {
        assert_eq!(cause_of(None, &object(), false), Some(Cause::Created));
        assert_eq!(cause_of(None, &object(), true), Some(Cause::Listed));
        let mut other = object();
        other.metadata.uid = Some("v".into());
        assert_eq!(
            cause_of(Some(&object()), &other, false),
            Some(Cause::Created)
        );
    }
}
