//! Errors of requests in the words of Helm's client, and the names of objects in them.

use sluice_client::{Error, GroupVersionKind};
use sluice_helm::cluster::ClusterError;
use sluice_object::Object;

/// The error of a request, with the server's own message.
pub(crate) fn request_error(error: &Error) -> ClusterError {
    let text = error.message();
    if error.is_not_found() {
        ClusterError::NotFound(text)
    } else if error.is_already_exists() {
        ClusterError::Exists(text)
    } else if error.is_conflict() {
        ClusterError::Conflict(text)
    } else {
        ClusterError::Failed(text)
    }
}

/// The error of a server-side apply.
pub(crate) fn apply_error(object: &Object, error: &Error) -> ClusterError {
    let shown = display_object(object);
    let text = error.message();
    if error.is_conflict() {
        ClusterError::Conflict(format!(
            "conflict occurred while applying object {shown}: {text}"
        ))
    } else {
        ClusterError::Failed(format!(
            "server-side apply failed for object {shown}: {text}"
        ))
    }
}

/// The error of a kind that the cluster lacks.
pub(crate) fn mapping_error(object: &Object, error: &Error) -> ClusterError {
    if !error.has_no_match() {
        return request_error(error);
    }
    let (name, namespace) = (object.name(), object.namespace());
    let text = error.message();
    ClusterError::Failed(format!(
        "resource mapping not found for name: {name:?} namespace: {namespace:?} from \"\": {text}\n\
         ensure CRDs are installed first"
    ))
}

/// Namespace, name and kind of an object.
pub(crate) fn display_object(object: &Object) -> String {
    let (namespace, name) = (object.namespace(), object.name());
    format!("{namespace}/{name} {}", display_kind(&object.gvk()))
}

/// A kind as Go prints it.
pub(crate) fn display_kind(gvk: &GroupVersionKind) -> String {
    format!("{}/{}, Kind={}", gvk.group, gvk.version, gvk.kind)
}

/// The namespace of an object, if it has one.
pub(crate) fn namespace(object: &Object) -> Option<&str> {
    Some(object.namespace()).filter(|namespace| !namespace.is_empty())
}
