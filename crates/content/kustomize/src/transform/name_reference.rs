//! Updates references by name to renamed resources.
//!
//! At the end of a build, each field of the table is checked for a previous name of a resource.
//! Upstream filters several resources of that name by type, `roleRef` of a binding, namespace, and
//! equal prefixes and suffixes. If the remaining ones have different names, the build fails.
//!
//! Upstream scans all resources for each field. Here renamed resources ([`Targets`]) are indexed
//! by previous names, so a field costs one look-up. If a reference is a map, its namespace is
//! part of the search and is updated too.
//!
//! Parity: kustomize: `api/filters/nameref`,
//! `api/internal/accumulator/namereferencetransformer.go`, and
//! `SubsetThatCouldBeReferencedByResource` of `api/resmap/reswrangler.go`.

use std::collections::HashMap;

use sluice_yaml::tree::{Node, Style, Tag, Text};
use sluice_yaml::v2;

use crate::configuration::{NameReference, TransformerConfig};
use crate::error::{Code, Error};
use crate::growth::GrowthBudget;
use crate::id::{Gvk, GvkPattern};
use crate::resource::Resource;
use crate::resource_map::ResourceMap;
use crate::transform::field_error::{FieldError, NodeKind, expect_kind};
use crate::transform::fieldspec::{Field, set_scalar};
use crate::transform::path::{self, Location};

mod targets;

use targets::{Referrer, Target, TargetComparison, Targets};

/// Updates the references of all resources.
pub(crate) fn apply(resources: &mut ResourceMap, config: &TransformerConfig) -> Result<(), Error> {
    let table = Table(&config.name_reference);
    let mut by_type = HashMap::<Gvk, Vec<Row<'_>>>::new();
    let targets = Targets::from_resources(resources);
    for resource in resources.iter_mut() {
        let original = resource.orig_id().gvk;
        let rows = by_type
            .entry(original)
            .or_insert_with_key(|gvk| table.rows_in(gvk));
        if rows.is_empty() {
            continue;
        }
        let referrer = Referrer::from_resource(resource)?;
        for row in &*rows {
            update(resource, &referrer, row, &targets)?;
        }
    }
    Ok(())
}

struct Table<'a>(&'a [NameReference]);

/// A field that refers to resources of a type.
struct Row<'a> {
    /// The type of the referred resources.
    target: &'a GvkPattern,
    field: Field,
}

impl<'a> Table<'a> {
    /// Returns the fields of a type, in the order of the table.
    fn rows_in(&self, gvk: &Gvk) -> Vec<Row<'a>> {
        let rows = self.0.iter().flat_map(|reference| {
            let fields = reference.referrers.iter();
            fields
                .filter(|field| field.gvk.selects(gvk))
                .map(|field| Row {
                    target: &reference.gvk,
                    field: Field::new(field, &GrowthBudget::default()),
                })
        });
        rows.collect()
    }
}

/// A change of a reference.
struct Change {
    location: Location,
    name: Text,
    /// Set for a reference that is a map.
    in_map: Option<MapReference>,
}

struct MapReference {
    namespace: Option<Text>,
}

fn update(
    resource: &mut Resource,
    referrer: &Referrer,
    row: &Row<'_>,
    targets: &Targets,
) -> Result<(), Error> {
    if row.field.marks_lists() {
        row.field.visit(resource, None, &mut |_| Ok(()))?;
    }
    let mut search = Search {
        referrer,
        row,
        targets,
        binding: role_of(resource, row),
        is_ambiguous: false,
        changes: Vec::new(),
    };
    let outcome = row
        .field
        .seek(resource, &mut |node, location| search.visit(node, location));
    if let Err(error) = outcome {
        let code = if search.is_ambiguous {
            Code::NameReferenceAmbiguous
        } else {
            Code::FieldInvalid
        };
        let path = row.field.path();
        let id = resource.cur_id();
        let context = format!("updating name reference in '{path}' field of '{id}'");
        return Err(error.with_context(context).into_error(code));
    }
    let changes = search.changes;
    for change in changes {
        let node = path::at_mut(resource.node_mut(), &change.location);
        write(
            node.expect("the node was just found"),
            change.name,
            change.in_map,
        )?;
    }
    Ok(())
}

fn write(node: &mut Node, name: Text, in_map: Option<MapReference>) -> Result<(), FieldError> {
    let Some(in_map) = in_map else {
        return set_scalar(node, name, Tag::Unset);
    };
    set_field(node, "name", name);
    if let Some(namespace) = in_map.namespace {
        set_field(node, "namespace", namespace);
    }
    Ok(())
}

/// Sets a field to a text. Quotes a new text that YAML 1.1 would not parse as a string.
fn set_field(node: &mut Node, name: &str, text: Text) {
    let is_string = text.is_empty()
        || text.contains('\n')
        || v2::from_str(&text).map_or(true, |value| value.is_string());
    let mut value = Node::plain(text);
    if let Some(known) = node.get_mut(name) {
        known.replace(value);
        return;
    }
    if !is_string {
        value.style = Style::DOUBLE_QUOTED;
    }
    path::push_field(node, name, value);
}

/// Returns the type of the role that a binding refers to, if the field is the role's name.
fn role_of(resource: &Resource, row: &Row<'_>) -> Option<GvkPattern> {
    if !row.field.path().ends_with("roleRef/name") {
        return None;
    }
    let reference = resource.node().get("roleRef")?;
    let text = |field| {
        reference
            .get(field)
            .map(|node| node.as_str().unwrap_or_default())
    };
    Some(GvkPattern::new(text("apiGroup")?, "", text("kind")?))
}

/// Searches the resources that the fields of a row refer to.
struct Search<'a> {
    referrer: &'a Referrer,
    row: &'a Row<'a>,
    targets: &'a Targets,
    binding: Option<GvkPattern>,
    is_ambiguous: bool,
    changes: Vec<Change>,
}

impl Search<'_> {
    fn visit(&mut self, node: &Node, location: &[usize]) -> Result<(), FieldError> {
        if node.is_null() {
            return Ok(());
        }
        if !node.is_seq() {
            return self.visit_one(node, location.to_vec());
        }
        for (position, item) in node.items().iter().enumerate() {
            if item.is_null() {
                continue;
            }
            if item.is_seq() {
                let message = "an item is expected to be either a string or a map of string";
                return Err(FieldError::new(message));
            }
            let mut location = location.to_vec();
            location.push(position);
            self.visit_one(item, location)?;
        }
        Ok(())
    }

    fn visit_one(&mut self, node: &Node, location: Location) -> Result<(), FieldError> {
        match node.as_str() {
            Some(name) => self.visit_name(name, location),
            None => self.visit_map(node, location),
        }
    }

    fn visit_name(&mut self, name: &str, location: Location) -> Result<(), FieldError> {
        let Some(target) = self.select(name, None, TargetComparison::ByName)? else {
            return Ok(());
        };
        if target.id.name != name {
            let name = target.id.name.clone();
            self.changes.push(Change {
                location,
                name,
                in_map: None,
            });
        }
        Ok(())
    }

    fn visit_map(&mut self, node: &Node, location: Location) -> Result<(), FieldError> {
        expect_kind(node, NodeKind::Mapping)?;
        let Some(name) = node.get("name") else {
            return Err(FieldError::new(
                "path config error; no 'name' field in node",
            ));
        };
        let name = name.as_str().unwrap_or_default();
        let namespace = node.get("namespace");
        let namespace = namespace.map(|node| node.as_str().unwrap_or_default());
        let Some(target) = self.select(name, namespace, TargetComparison::ByNameAndNamespace)?
        else {
            return Ok(());
        };
        let namespace = Some(target.id.namespace.clone()).filter(|text| !text.is_empty());
        if target.id.name != name || namespace.is_some() {
            let name = target.id.name.clone();
            self.changes.push(Change {
                location,
                name,
                in_map: Some(MapReference { namespace }),
            });
        }
        Ok(())
    }

    /// Returns the only target that a name refers to.
    fn select(
        &mut self,
        name: &str,
        namespace: Option<&str>,
        identical: TargetComparison,
    ) -> Result<Option<&Target>, FieldError> {
        let admits = |target: &&Target| {
            target.had_type(self.row.target)
                && self
                    .binding
                    .as_ref()
                    .is_none_or(|role| target.had_type(role))
                && self.referrer.may_refer_to(target)
        };
        let candidates = self.targets.named(name, namespace, self.referrer);
        let mut candidates: Vec<&Target> = candidates.into_iter().filter(admits).collect();
        if candidates.len() > 1 {
            candidates.retain(|target| self.referrer.has_matching_affixes(target, true));
        }
        if candidates.len() > 1 {
            candidates.retain(|target| self.referrer.has_matching_affixes(target, false));
        }
        let Some((first, others)) = candidates.split_first() else {
            return Ok(None);
        };
        if others
            .iter()
            .all(|other| first.is_identical(other, identical))
        {
            return Ok(Some(first));
        }
        self.is_ambiguous = true;
        let ids: Vec<String> = candidates
            .iter()
            .map(|target| target.id.to_string())
            .collect();
        let message = format!("found multiple possible referrals: {}", ids.join(", "));
        Err(FieldError::new(message))
    }
}
