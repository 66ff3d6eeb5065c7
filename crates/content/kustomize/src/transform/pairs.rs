//! Adds labels and annotations to every resource.
//!
//! `labels`, `commonLabels` and `commonAnnotations` are one transformer with different
//! tables. Keys are set in sorted order, each in all fields of the table. Fields where a key
//! is new share one node afterwards, see [`twins`].
//!
//! Parity: kustomize: `api/filters/labels`, `api/filters/annotations`, and the
//! choice of fields in `api/internal/target/kusttarget_configplugin.go`.

use sluice_yaml::tree::{Node, Text};

use crate::configuration::{FieldSpec, TransformerConfig};
use crate::error::{Code, Error};
use crate::id::GvkPattern;
use crate::kustomization::fields::{Label, Pairs};
use crate::resource::Resource;
use crate::resource_map::ResourceMap;
use crate::transform::field_error::{FieldError, NodeKind, expect_kind};
use crate::transform::fieldspec::{Field, MAP_LEAF};
use crate::transform::{path, twins};

/// The bytes of an entry's labels or annotations that are not counted. A build may have
/// many layers of them.
const UNCOUNTED_BYTES: usize = 1024;

/// Sets the pairs in the fields.
pub(crate) fn apply(
    resources: &mut ResourceMap,
    pairs: &Pairs,
    fields: &[FieldSpec],
) -> Result<(), Error> {
    if pairs.is_empty() {
        return Ok(());
    }
    let texts: usize = pairs
        .iter()
        .map(|(key, value)| key.len() + value.len())
        .sum();
    resources
        .growth()
        .add_to_each(texts.saturating_sub(UNCOUNTED_BYTES), resources.len())?;
    let fields = Field::all(fields, &resources.growth());
    for resource in resources.iter_mut_keeping(Field::all_keep_identity(&fields)) {
        set_all(resource, pairs, &fields)?;
    }
    Ok(())
}

fn set_all(resource: &mut Resource, pairs: &Pairs, fields: &[Field]) -> Result<(), FieldError> {
    let gvk = resource.gvk();
    let fields: Vec<&Field> = fields.iter().filter(|field| field.is_in(&gvk)).collect();
    for (key, value) in pairs {
        let value = Text::from(value);
        let twin = resource.next_twin();
        for field in &fields {
            let mut written = Vec::new();
            field.visit(resource, Some(MAP_LEAF), &mut |node| {
                match set_entry(node, key, &value)? {
                    Entry::Set(entry) if entry.twin != 0 => written.push(entry.clone()),
                    Entry::New(entry) => {
                        entry.twin = twin;
                    }
                    Entry::Set(_) | Entry::Nowhere => {}
                }
                Ok(())
            })?;
            for node in &written {
                twins::copy_to_twins(resource.node_mut(), node);
            }
        }
    }
    Ok(())
}

enum Entry<'a> {
    Set(&'a mut Node),
    New(&'a mut Node),
    /// Setting a key of a null has no effect.
    Nowhere,
}

/// Sets a key of a map to a string.
fn set_entry<'a>(node: &'a mut Node, key: &str, value: &Text) -> Result<Entry<'a>, FieldError> {
    expect_kind(node, NodeKind::Mapping)?;
    // Without a key, upstream would set the map itself.
    if key.is_empty() {
        expect_kind(node, NodeKind::Scalar)?;
        return Ok(Entry::Nowhere);
    }
    let string = Node::string(value.clone());
    if !node.is_map() || node.is_null() {
        return Ok(Entry::Nowhere);
    }
    if node.get(key).is_some() {
        let entry = node.get_mut(key).expect("the key was just found");
        entry.replace(string);
        return Ok(Entry::Set(entry));
    }
    let position = path::push_field(node, key, string);
    let entries = node.entries_mut().map(|entries| &mut entries[position].1);
    Ok(entries.map_or(Entry::Nowhere, Entry::New))
}

/// Returns the fields that an entry of `labels` sets.
pub(crate) fn label_fields(
    label: &Label,
    config: &TransformerConfig,
) -> Result<Vec<FieldSpec>, Error> {
    let mut fields: Vec<FieldSpec> = label
        .fields
        .iter()
        .map(|field| FieldSpec {
            gvk: GvkPattern::new(&field.group, &field.version, &field.kind),
            path: Text::from(&field.path),
            create: field.create,
        })
        .collect();
    let labels = |error: Error| error.with_context("failed to merge labels");
    add_all(&mut fields, &config.labels).map_err(labels)?;
    if label.include_selectors {
        add_all(&mut fields, &config.common_labels).map_err(labels)?;
    } else {
        if label.include_templates {
            add_all(&mut fields, &config.template_labels)
                .map_err(|error| error.with_context("failed to merge template fieldSpec"))?;
        }
        let metadata = FieldSpec {
            path: Text::from("metadata/labels"),
            create: true,
            ..FieldSpec::default()
        };
        add_all(&mut fields, &[metadata]).map_err(labels)?;
    }
    Ok(fields)
}

/// Adds fields that are not yet covered.
fn add_all(fields: &mut Vec<FieldSpec>, more: &[FieldSpec]) -> Result<(), Error> {
    for field in more {
        let known = fields
            .iter()
            .find(|known| field.gvk.covers(&known.gvk) && field.path == known.path);
        match known {
            Some(known) if known.create != field.create => {
                return Err(Error::new(
                    Code::ConfigurationInvalid,
                    "conflicting fieldspecs",
                ));
            }
            Some(_) => {}
            None => fields.push(field.clone()),
        }
    }
    Ok(())
}
