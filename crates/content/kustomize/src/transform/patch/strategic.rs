//! Applies a strategic merge patch to a resource.
//!
//! Parity: kustomize: `api/resource/resource.go` (`ApplySmPatch`) and
//! `api/resmap/reswrangler.go` (`ApplySmPatch`).

use std::collections::BTreeSet;

use sluice_object::strategic::{self, MergeOutcome};
use sluice_yaml::tree::Node;

use crate::error::{Code, Error};
use crate::growth::GrowthBudget;
use crate::resource::Resource;
use crate::resource_map::ResourceMap;
use crate::transform::twins::Snapshot;

/// Merges a patch into a resource. Keeps the namespace, and also name and kind unless the
/// patch may change them. A deleted resource is left empty.
pub(crate) fn merge(
    resource: &mut Resource,
    patch: &Resource,
    growth: &GrowthBudget,
) -> Result<(), Error> {
    let (name, namespace, kind) = (resource.name(), resource.namespace(), resource.kind());
    let (allows_name, allows_kind) = (patch.allows_name_change(), patch.allows_kind_change());
    if allows_name || allows_kind {
        resource.store_previous_id();
    }
    resource.show_history();
    let mut shown = patch.clone();
    shown.show_history();
    let schemas = resource.schema().choice.schemas();
    let before = if resource.has_twins() {
        Snapshot::new(resource.node())
    } else {
        Snapshot::default()
    };
    let size = resource.node().size();
    let merged = strategic::merge(resource.node_mut(), shown.node(), &schemas)
        .map_err(|error| Error::new(Code::PatchFailed, error.to_string()))?;
    match merged {
        // Upstream drops a patch that replaces the whole resource, which stays unchanged.
        MergeOutcome::Target | MergeOutcome::Replaced(_) => {
            before.copy_changes(resource.node_mut());
        }
        MergeOutcome::Deleted => *resource.node_mut() = Node::null(),
    }
    resource.hide_history();
    if resource.is_empty() {
        return Ok(());
    }
    growth.add_beyond(size, resource.node())?;
    if !allows_kind {
        resource.set_kind(&kind);
    }
    if !allows_name {
        resource.set_name(&name);
    }
    resource.set_namespace(&namespace);
    Ok(())
}

/// Merges a patch into the selected resources, and drops deleted ones. The patch gets the
/// type of each.
pub(crate) fn apply_to(
    resources: &mut ResourceMap,
    selected: &[usize],
    patch: &Resource,
) -> Result<(), Error> {
    let mut places = BTreeSet::new();
    for place in selected {
        let id = resources.get(*place).cur_id();
        let twins = resources.matching_current(&id).iter();
        places.extend(twins.filter(|twin| {
            let twin = resources.get(**twin);
            twin.namespace() == id.namespace
        }));
    }
    let mut patch = patch.clone();
    // Upstream converts labels and annotations to strings, including nulls that would remove one.
    let (kind, name) = (patch.kind(), patch.name());
    patch.show_history();
    let (labels, annotations) = (patch.labels(), patch.annotations());
    patch.set_labels(&labels);
    patch.set_annotations(&annotations);
    patch.strip_history();
    patch.set_name(&name);
    let namespace = patch.namespace();
    patch.set_namespace(&namespace);
    let mut deletes = false;
    let growth = resources.growth();
    for place in &places {
        let api_version = resources.get(*place).gvk().api_version().to_owned();
        patch.set_api_version(&api_version);
        patch.set_kind(&kind);
        resources.edit(*place, |resource| merge(resource, &patch, &growth))?;
        deletes |= resources.get(*place).is_empty();
        check_unique_id(resources, *place)?;
    }
    if deletes {
        resources.drop_empties();
    }
    Ok(())
}

/// Rejects a resource that a patch renamed to the id of another.
fn check_unique_id(resources: &ResourceMap, place: usize) -> Result<(), Error> {
    let resource = resources.get(place);
    if resource.is_empty() {
        return Ok(());
    }
    let id = resource.cur_id();
    if resources.matching_current(&id).len() > 1 {
        let message = format!("may not add resource with an already registered id: {id}");
        return Err(Error::new(Code::IdConflict, message));
    }
    Ok(())
}
