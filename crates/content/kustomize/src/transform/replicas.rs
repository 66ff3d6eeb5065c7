//! `replicas`: sets the number of replicas of a resource with this current or previous name.
//!
//! Parity: kustomize: `api/internal/builtins/ReplicaCountTransformer.go`.

use sluice_yaml::tree::{Tag, Text};

use crate::configuration::FieldSpec;
use crate::error::{Code, Error};
use crate::id::Id;
use crate::kustomization::fields::Replica;
use crate::resource_map::ResourceMap;
use crate::transform::fieldspec::{Field, INTEGER_LEAF, set_scalar};

/// Sets the number of replicas of resources with the name.
pub(crate) fn apply(
    resources: &mut ResourceMap,
    replica: &Replica,
    fields: &[FieldSpec],
) -> Result<(), Error> {
    let count = Text::from(replica.count.to_string());
    let mut is_found = false;
    for field in Field::all(fields, &resources.growth()) {
        let is_match = |id: &Id| *id.name == *replica.name && field.is_in(&id.gvk);
        for resource in resources.iter_mut() {
            let matches = !resource.is_empty()
                && (is_match(&resource.cur_id())
                    || resource.previous_ids().any(|id| is_match(&id)));
            if !matches {
                continue;
            }
            is_found = true;
            if field.is_in(&resource.gvk()) {
                field.visit(resource, Some(INTEGER_LEAF), &mut |node| {
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
    use crate::configuration;
    use crate::kustomization::fields::Replica;
    use crate::transform::testing::{printed, resources};

    const DEPLOYMENT: &str = "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\n";

    fn replica(name: &str) -> Replica {
        Replica {
            name: name.to_owned(),
            count: 3,
        }
    }

    #[test]
    fn missing_field_is_created() {
        let mut resources = resources(DEPLOYMENT);
        apply(
            &mut resources,
            &replica("web"),
            &configuration::defaults().replicas,
        )
        .unwrap();
        assert_eq!(
            printed(&resources),
            format!("{DEPLOYMENT}spec:\n  replicas: 3\n")
        );
    }

    #[test]
    fn quoted_number_stays_quoted() {
        let mut resources = resources(&format!("{DEPLOYMENT}spec:\n  replicas: '1'\n"));
        apply(
            &mut resources,
            &replica("web"),
            &configuration::defaults().replicas,
        )
        .unwrap();
        assert!(printed(&resources).ends_with("replicas: '3'\n"));
    }

    #[test]
    fn previous_name_matches() {
        let mut resources = resources(DEPLOYMENT);
        for resource in resources.iter_mut() {
            resource.store_previous_id();
            resource.set_name("new");
        }
        apply(
            &mut resources,
            &replica("web"),
            &configuration::defaults().replicas,
        )
        .unwrap();
        apply(
            &mut resources,
            &replica("new"),
            &configuration::defaults().replicas,
        )
        .unwrap();
    }

    #[test]
    fn missing_resource_is_an_error_with_types() {
        let mut resources = resources("kind: Job\nmetadata:\n  name: web\n");
        let fields = &configuration::defaults().replicas;
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
