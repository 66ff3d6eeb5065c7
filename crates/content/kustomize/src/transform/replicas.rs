//! `replicas`: the number of replicas of a resource, found by any name it had.
//!
//! Parity: kustomize: `api/internal/builtins/ReplicaCountTransformer.go`.

use sluice_yaml::tree::{Tag, Text};

use crate::error::{Code, Error};
use crate::facts::FieldSpec;
use crate::id::Id;
use crate::kustomization::fields::Replica;
use crate::resmap::ResMap;
use crate::transform::fieldspec::{Field, INTEGER, set_scalar};

/// Sets the number of replicas of what has, or had, the name.
pub(crate) fn apply(
    resources: &mut ResMap,
    replica: &Replica,
    fields: &[FieldSpec],
) -> Result<(), Error> {
    let count = Text::from(replica.count.to_string());
    let mut is_found = false;
    for field in Field::all(fields, &resources.growth()) {
        let is_meant = |id: &Id| *id.name == *replica.name && field.is_in(&id.gvk);
        for resource in resources.iter_mut() {
            let matches = !resource.is_empty()
                && (is_meant(&resource.cur_id())
                    || resource.previous_ids().any(|id| is_meant(&id)));
            if !matches {
                continue;
            }
            is_found = true;
            if field.is_in(&resource.gvk()) {
                field.visit(resource, Some(INTEGER), &mut |node| {
                    set_scalar(node, count.clone(), Tag::Int)
                })?;
            }
        }
    }
    if is_found {
        return Ok(());
    }
    let types: Vec<String> = fields.iter().map(|field| field.gvk.to_string()).collect();
    let message = format!(
        "resource with name {} does not match a config with the following GVK [{}]",
        replica.name,
        types.join(" ")
    );
    Err(Error::new(Code::FieldInvalid, message))
}

#[cfg(test)]
mod tests {
    use super::apply;
    use crate::kustomization::fields::Replica;
    use crate::transform::tables;
    use crate::transform::testing::{printed, resources};

    const DEPLOYMENT: &str = "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\n";

    fn replica(name: &str) -> Replica {
        Replica {
            name: name.to_owned(),
            count: 3,
        }
    }

    #[test]
    fn the_number_is_made_where_it_is_missing() {
        let mut resources = resources(DEPLOYMENT);
        apply(
            &mut resources,
            &replica("web"),
            &tables::defaults().replicas,
        )
        .unwrap();
        assert_eq!(
            printed(&resources),
            format!("{DEPLOYMENT}spec:\n  replicas: 3\n")
        );
    }

    #[test]
    fn a_number_in_quotes_keeps_them_and_so_is_a_string() {
        let mut resources = resources(&format!("{DEPLOYMENT}spec:\n  replicas: '1'\n"));
        apply(
            &mut resources,
            &replica("web"),
            &tables::defaults().replicas,
        )
        .unwrap();
        assert!(printed(&resources).ends_with("replicas: '3'\n"));
    }

    #[test]
    fn a_name_it_had_before_is_as_good() {
        let mut resources = resources(DEPLOYMENT);
        for resource in resources.iter_mut() {
            resource.store_previous_id();
            resource.set_name("new");
        }
        apply(
            &mut resources,
            &replica("web"),
            &tables::defaults().replicas,
        )
        .unwrap();
        apply(
            &mut resources,
            &replica("new"),
            &tables::defaults().replicas,
        )
        .unwrap();
    }

    #[test]
    fn nothing_of_that_name_is_an_error_that_lists_the_types() {
        let mut resources = resources("kind: Job\nmetadata:\n  name: web\n");
        let fields = &tables::defaults().replicas;
        assert_eq!(
            apply(&mut resources, &replica("web"), fields)
                .unwrap_err()
                .to_string(),
            "resource with name web does not match a config with the following GVK \
             [Deployment.[noVer].[noGrp] StatefulSet.[noVer].[noGrp] \
             ReplicaSet.[noVer].[noGrp] ReplicationController.[noVer].[noGrp]]"
        );
    }
}
