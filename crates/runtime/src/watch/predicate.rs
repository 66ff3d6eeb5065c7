//! Which changes of a reconciled object are a reason to look at it: pure questions
//! about the old and the new object, the same for every kind.

use kube::ResourceExt;
use sluice_api::meta::annotation::RECONCILE_REQUESTED_AT;

use crate::reconcile::Cause;

/// The request for a reconciliation that an object carries.
pub fn requested_at(object: &impl ResourceExt) -> Option<&str> {
    object
        .annotations()
        .get(RECONCILE_REQUESTED_AT)
        .map(String::as_str)
}

/// Why a change from `old` to `new` wakes the object, if it does: it is new, its
/// generation moved (which the start of a deletion does as well), or somebody
/// requested it. A write to status or to other metadata is nobody's wish.
pub(crate) fn wakes<K: ResourceExt>(old: Option<&K>, new: &K, listed: bool) -> Option<Cause> {
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
