//! `namespace`: sets the namespace of resources that are not known to be cluster-scoped.
//!
//! Besides `metadata.namespace`, it renames `Namespace` objects. It sets the fields of the
//! table, such as the service namespace of a webhook. It also sets the namespace of subjects
//! of role bindings, by default of those named `default`. Other references are updated by
//! [`name_reference`](crate::transform::name_reference).
//!
//! Parity: kustomize: `api/internal/builtins/NamespaceTransformer.go`,
//! `api/filters/namespace`.

use std::collections::HashMap;

use sluice_yaml::json;
use sluice_yaml::tree::{Node, Tag, Text};

use crate::configuration::FieldSpec;
use crate::error::{Code, Error};
use crate::growth::GrowthBudget;
use crate::id::Id;
use crate::resource::Resource;
use crate::resource_map::ResourceMap;
use crate::transform::field_error::{FieldError, NodeKind, expect_kind};
use crate::transform::fieldspec::{Field, STRING_LEAF, set_scalar, set_scalar_if_empty};
use crate::transform::path::{self, Create};

/// Marks resources that Helm generated. Helm sets their namespace.
const HELM_GENERATED: &str = "internal.config.kubernetes.io/helm-generated";

/// Which subjects of role bindings to change.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Subjects {
    /// Subjects named `default`.
    #[default]
    NamedDefault,
    /// All service accounts.
    ServiceAccounts,
    /// No subjects.
    None,
}

impl Subjects {
    pub(crate) fn parse(text: &str) -> Result<Self, Error> {
        match text {
            "" | "defaultOnly" => Ok(Self::NamedDefault),
            "allServiceAccounts" => Ok(Self::ServiceAccounts),
            "none" => Ok(Self::None),
            other => Err(Error::new(
                Code::PluginInvalid,
                format!(
                    "invalid value {other:?} for setRoleBindingSubjects: must be one of \
                     \"defaultOnly\", \"none\" or \"allServiceAccounts\""
                ),
            )),
        }
    }
}

/// The arguments of the transformer.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Namespace {
    pub(crate) name: Text,
    /// Keep existing namespaces.
    pub(crate) unset_only: bool,
    pub(crate) subjects: Subjects,
}

impl Namespace {
    fn set(&self, node: &mut Node) -> Result<(), FieldError> {
        let namespace = self.name.clone();
        if self.unset_only {
            set_scalar_if_empty(node, namespace, Tag::Str)
        } else {
            set_scalar(node, namespace, Tag::Str)
        }
    }
}

/// Sets the namespace of all resources.
pub(crate) fn apply(
    resources: &mut ResourceMap,
    namespace: &Namespace,
    fields: &[FieldSpec],
) -> Result<(), Error> {
    if namespace.name.is_empty() {
        return Ok(());
    }
    resources
        .growth()
        .add_to_each(namespace.name.len(), resources.len())?;
    let fields = Field::all(fields, &resources.growth());
    let mut ids = HashMap::<Id, usize>::with_capacity(resources.len());
    for resource in &*resources {
        *ids.entry(resource.cur_id()).or_default() += 1;
    }
    let mut conflict = None;
    for resource in resources.iter_mut() {
        let is_helms = resource
            .annotation(HELM_GENERATED)
            .is_some_and(|value| value == "true");
        if resource.is_empty() || is_helms {
            continue;
        }
        let before = resource.cur_id();
        resource.store_previous_id();
        apply_to(resource, namespace, &fields)?;
        let after = resource.cur_id();
        if let Some(count) = ids.get_mut(&before) {
            *count -= 1;
        }
        let count = ids.entry(after.clone()).or_default();
        *count += 1;
        if *count != 1 {
            conflict = Some(after);
            break;
        }
    }
    match conflict {
        Some(id) => Err(id_conflict_error(resources, &id)),
        None => Ok(()),
    }
}

fn id_conflict_error(resources: &ResourceMap, id: &Id) -> Error {
    let matching = resources.iter().filter(|resource| resource.cur_id() == *id);
    let texts: Vec<String> = matching
        .map(|resource| match resource.node().to_value() {
            Ok(value) => json::to_string(&value),
            Err(error) => format!("<{error}>"),
        })
        .collect();
    let message = format!(
        "namespace transformation produces ID conflict: [{}]",
        texts.join(" ")
    );
    Error::new(Code::IdConflict, message)
}

/// Sets the namespace of one resource.
pub(crate) fn apply_to(
    resource: &mut Resource,
    namespace: &Namespace,
    fields: &[Field],
) -> Result<(), Error> {
    let gvk = resource.gvk();
    if !resource.is_cluster_scoped() {
        let spec = FieldSpec {
            path: Text::from("metadata/namespace"),
            create: true,
            ..FieldSpec::default()
        };
        // A single field does not need a budget.
        let field = Field::new(&spec, &GrowthBudget::default());
        field.visit(resource, Some(STRING_LEAF), &mut |node| namespace.set(node))?;
    }
    let is_binding = is_role_binding(gvk.kind());
    if is_binding {
        set_subjects(resource, namespace)?;
    }
    let is_namespaces_own = gvk.api_version() == "v1";
    for field in fields {
        let is_handled = match field.path() {
            "metadata/namespace" => true,
            "metadata/name" => !is_namespaces_own,
            "subjects/namespace" => is_binding && is_role_binding(&field.gvk().kind),
            _ => false,
        };
        if is_handled || !field.is_in(&gvk) {
            continue;
        }
        field
            .visit(resource, Some(STRING_LEAF), &mut |node| namespace.set(node))
            .map_err(|error| {
                let context = if error.is_wrong_kind {
                    "namespace field specs must target scalar nodes"
                } else {
                    "namespace transformation failed"
                };
                error.with_context(context)
            })?;
    }
    Ok(())
}

fn is_role_binding(kind: &str) -> bool {
    matches!(kind, "RoleBinding" | "ClusterRoleBinding")
}

fn set_subjects(resource: &mut Resource, namespace: &Namespace) -> Result<(), FieldError> {
    let (field, wanted) = match namespace.subjects {
        Subjects::None => return Ok(()),
        Subjects::NamedDefault => ("name", "default"),
        Subjects::ServiceAccounts => ("kind", "ServiceAccount"),
    };
    let Some(subjects) = resource.node().get("subjects") else {
        return Ok(());
    };
    if subjects.is_null() {
        return Ok(());
    }
    let within = |error: FieldError| {
        error.with_context("setting namespace on (cluster)role binding subjects")
    };
    expect_kind(subjects, NodeKind::Sequence).map_err(within)?;
    let subjects = resource.node_mut().get_mut("subjects");
    let Some(subjects) = subjects.and_then(Node::items_mut) else {
        return Ok(());
    };
    for subject in subjects {
        set_subject(subject, field, wanted, namespace).map_err(within)?;
    }
    Ok(())
}

fn set_subject(
    subject: &mut Node,
    field: &str,
    wanted: &str,
    namespace: &Namespace,
) -> Result<(), FieldError> {
    let looking = format!("looking up {field} on (cluster)role binding subject");
    if subject.is_null() {
        return Ok(());
    }
    expect_kind(subject, NodeKind::Mapping).map_err(|error| error.with_context(&looking))?;
    let Some(value) = subject.get(field) else {
        return Ok(());
    };
    expect_kind(value, NodeKind::Scalar).map_err(|error| error.with_context(&looking))?;
    if value.is_null() || value.as_str() != Some(wanted) {
        return Ok(());
    }
    let name = ["namespace".to_owned()];
    let create = Create {
        leaf: NodeKind::Scalar,
        growth: &GrowthBudget::default(),
    };
    let location = path::locate_or_create(subject, &name, create)?;
    match location.and_then(|location| path::at_mut(subject, &location)) {
        Some(node) => namespace.set(node),
        None => Ok(()),
    }
}
