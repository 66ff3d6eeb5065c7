//! Merges the tables of fields of `configurations` and `crds` into the built-in ones.
//!
//! A merge adds fields that a table lacks. The same field with another `create` is a
//! conflict. After each merge, Go's sort sorts the tables. The sort is not stable, so its
//! algorithm decides the order of equal entries.
//!
//! Parity: kustomize: `api/internal/plugins/builtinconfig`,
//! `api/internal/accumulator/loadconfigfromcrds.go`, `api/types/fieldspec.go`.

use std::sync::Arc;

use serde::Deserialize;
use sluice_golang::sort::sort;
use sluice_yaml::tree::Text;
use sluice_yaml::v2;

use crate::decode::Type::{List, Struct as Of};
use crate::decode::{self, Field, Struct, UnknownFields, field};
use crate::error::{Code, Error};
use crate::id::GvkPattern;
use crate::kustomization::fields::{FIELD_SPEC, FieldSpecArguments};
use crate::kustomization::yaml_code;

mod crds;
mod defaults;
mod model;

pub(crate) use crds::read as read_crds;
pub(crate) use defaults::defaults;
pub(crate) use model::{FieldSpec, NameReference, TransformerConfig};

static NAME_REFERENCE: Struct = Struct {
    package: "builtinconfig",
    name: "NameBackReferences",
    fields: &[&NAME_REFERENCE_FIELDS],
};
static NAME_REFERENCE_FIELDS: [Field; 4] = [
    decode::embedded("group", "Gvk.", decode::Type::Text),
    decode::embedded("version", "Gvk.", decode::Type::Text),
    decode::embedded("kind", "Gvk.", decode::Type::Text),
    field("fieldSpecs", List(&Of(&FIELD_SPEC))),
];
static CONFIGURATION: Struct = Struct {
    package: "builtinconfig",
    name: "TransformerConfig",
    fields: &[&[
        field("namePrefix", List(&Of(&FIELD_SPEC))),
        field("nameSuffix", List(&Of(&FIELD_SPEC))),
        field("namespace", List(&Of(&FIELD_SPEC))),
        field("commonLabels", List(&Of(&FIELD_SPEC))),
        field("labels", List(&Of(&FIELD_SPEC))),
        field("templateLabels", List(&Of(&FIELD_SPEC))),
        field("commonAnnotations", List(&Of(&FIELD_SPEC))),
        field("nameReference", List(&Of(&NAME_REFERENCE))),
        field("varReference", List(&Of(&FIELD_SPEC))),
        field("images", List(&Of(&FIELD_SPEC))),
        field("replicas", List(&Of(&FIELD_SPEC))),
    ]],
};

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct NameReferenceArguments {
    group: String,
    version: String,
    kind: String,
    field_specs: Vec<FieldSpecArguments>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Configuration {
    name_prefix: Vec<FieldSpecArguments>,
    name_suffix: Vec<FieldSpecArguments>,
    namespace: Vec<FieldSpecArguments>,
    common_labels: Vec<FieldSpecArguments>,
    labels: Vec<FieldSpecArguments>,
    template_labels: Vec<FieldSpecArguments>,
    common_annotations: Vec<FieldSpecArguments>,
    name_reference: Vec<NameReferenceArguments>,
    var_reference: Vec<FieldSpecArguments>,
    images: Vec<FieldSpecArguments>,
    replicas: Vec<FieldSpecArguments>,
}

impl From<&FieldSpecArguments> for FieldSpec {
    fn from(arguments: &FieldSpecArguments) -> Self {
        Self {
            gvk: GvkPattern::new(&arguments.group, &arguments.version, &arguments.kind),
            path: Text::from(arguments.path.as_str()),
            create: arguments.create,
        }
    }
}

/// Merges the configuration of a kustomization into that of its accumulator.
pub(crate) fn accumulate(
    base: &Arc<TransformerConfig>,
    incoming: &Arc<TransformerConfig>,
) -> Result<Arc<TransformerConfig>, Error> {
    if Arc::ptr_eq(incoming, &defaults()) && **base == TransformerConfig::default() {
        return Ok(Arc::clone(incoming));
    }
    merge(base, incoming)
}

/// Merges the files of the field `configurations` into the built-in tables.
pub(crate) fn with_defaults(
    files: impl Iterator<Item = Result<TransformerConfig, Error>>,
) -> Result<Arc<TransformerConfig>, Error> {
    let mut added = Arc::new(TransformerConfig::default());
    for config in files {
        added = merge(&added, &Arc::new(config?))?;
    }
    merge(&defaults(), &added)
}

/// Reads a file of the field `configurations`.
pub(crate) fn read(contents: &[u8]) -> Result<TransformerConfig, Error> {
    let invalid = |message: String| {
        let message = format!("error unmarshaling JSON: while decoding JSON: {message}");
        Error::new(Code::ConfigurationInvalid, message)
    };
    let value = std::str::from_utf8(contents)
        .map_err(|error| invalid(error.to_string()))
        .and_then(|text| {
            v2::from_str_strict(text).map_err(|error| {
                let message = format!("error converting YAML to JSON: {error}");
                Error::new(yaml_code(&error), message)
            })
        })?;
    let map =
        decode::normalise_yaml(value, &CONFIGURATION, UnknownFields::Refuse).map_err(invalid)?;
    let read: Configuration = decode::typed(map).map_err(invalid)?;
    let specs = |arguments: Vec<FieldSpecArguments>| {
        arguments.iter().map(FieldSpec::from).collect::<Vec<_>>()
    };
    let mut config = TransformerConfig {
        name_prefix: specs(read.name_prefix),
        name_suffix: specs(read.name_suffix),
        namespace: specs(read.namespace),
        common_labels: specs(read.common_labels),
        labels: specs(read.labels),
        template_labels: specs(read.template_labels),
        common_annotations: specs(read.common_annotations),
        name_reference: read
            .name_reference
            .into_iter()
            .map(|arguments| NameReference {
                gvk: GvkPattern::new(&arguments.group, &arguments.version, &arguments.kind),
                referrers: specs(arguments.field_specs),
            })
            .collect(),
        var_reference: specs(read.var_reference),
        images: specs(read.images),
        replicas: specs(read.replicas),
    };
    sort_tables(&mut config);
    Ok(config)
}

fn sort_tables(config: &mut TransformerConfig) {
    for table in tables(config) {
        sort(table, |left, right| left.gvk.compare(&right.gvk).is_lt());
    }
    sort(&mut config.name_reference, |left, right| {
        left.gvk.compare(&right.gvk).is_lt()
    });
}

fn tables(config: &mut TransformerConfig) -> [&mut Vec<FieldSpec>; 10] {
    [
        &mut config.name_prefix,
        &mut config.name_suffix,
        &mut config.namespace,
        &mut config.common_labels,
        &mut config.labels,
        &mut config.template_labels,
        &mut config.common_annotations,
        &mut config.var_reference,
        &mut config.images,
        &mut config.replicas,
    ]
}

/// Adds the fields that a table lacks, and returns whether it added any.
pub(crate) fn merge_fields<'a>(
    table: &mut Vec<FieldSpec>,
    incoming: impl IntoIterator<Item = &'a FieldSpec>,
) -> Result<bool, Error> {
    let mut grown = false;
    for field in incoming {
        // A known field for one type covers an incoming field for more types.
        let known = table
            .iter()
            .find(|known| field.gvk.covers(&known.gvk) && known.path == field.path);
        match known {
            Some(known) if known.create != field.create => {
                let message = "conflicting fieldspecs";
                return Err(Error::new(Code::ConfigurationInvalid, message));
            }
            Some(_) => {}
            None => {
                table.push(field.clone());
                grown = true;
            }
        }
    }
    Ok(grown)
}

fn merge_references(
    table: &mut Vec<NameReference>,
    incoming: &[NameReference],
) -> Result<bool, Error> {
    let mut grown = false;
    for reference in incoming {
        let mut found = false;
        for known in table.iter_mut().filter(|known| known.gvk == reference.gvk) {
            found = true;
            grown |= merge_fields(&mut known.referrers, &reference.referrers)?;
        }
        if !found {
            table.push(reference.clone());
            grown = true;
        }
    }
    Ok(grown)
}

/// Adds the fields of one configuration to another.
fn merge(
    base: &Arc<TransformerConfig>,
    incoming: &Arc<TransformerConfig>,
) -> Result<Arc<TransformerConfig>, Error> {
    // Nearly every kustomization has the built-in tables only, which are already sorted.
    if Arc::ptr_eq(base, incoming) || **incoming == TransformerConfig::default() {
        return Ok(Arc::clone(base));
    }
    let mut merged = TransformerConfig::clone(base);
    let incoming: &TransformerConfig = incoming;
    let mut grown = false;
    let mut add = |name: &str, table: &mut Vec<FieldSpec>, fields: &[FieldSpec]| {
        let outcome = merge_fields(table, fields);
        grown |= outcome
            .map_err(|error| error.with_context(format!("failed to merge {name} fieldSpec")))?;
        Ok::<_, Error>(())
    };
    add("NamePrefix", &mut merged.name_prefix, &incoming.name_prefix)?;
    add("NameSuffix", &mut merged.name_suffix, &incoming.name_suffix)?;
    add("NameSpace", &mut merged.namespace, &incoming.namespace)?;
    add(
        "CommonAnnotations",
        &mut merged.common_annotations,
        &incoming.common_annotations,
    )?;
    add(
        "CommonLabels",
        &mut merged.common_labels,
        &incoming.common_labels,
    )?;
    add("Labels", &mut merged.labels, &incoming.labels)?;
    add(
        "TemplateLabels",
        &mut merged.template_labels,
        &incoming.template_labels,
    )?;
    add(
        "VarReference",
        &mut merged.var_reference,
        &incoming.var_reference,
    )?;
    add("Images", &mut merged.images, &incoming.images)?;
    add("Replicas", &mut merged.replicas, &incoming.replicas)?;
    grown |= merge_references(&mut merged.name_reference, &incoming.name_reference)
        .map_err(|error| error.with_context("failed to merge NameReference fieldSpec"))?;
    if !grown {
        return Ok(Arc::clone(base));
    }
    sort_tables(&mut merged);
    Ok(Arc::new(merged))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::{accumulate, defaults, merge, merge_fields, read, sort_tables, with_defaults};
    use crate::configuration::{FieldSpec, TransformerConfig};
    use crate::error::Code;
    use crate::id::GvkPattern;

    fn field(kind: &str, path: &str, create: bool) -> FieldSpec {
        FieldSpec {
            gvk: GvkPattern::new("", "", kind),
            path: path.into(),
            create,
        }
    }

    #[test]
    fn built_in_tables_are_sorted_and_merged_like_upstream() {
        let mut sorted = TransformerConfig::clone(&defaults());
        sort_tables(&mut sorted);
        let empty = Arc::new(TransformerConfig::default());
        let merged = merge(&empty, &Arc::new(sorted)).unwrap();
        assert_eq!(merged, defaults());
    }

    #[test]
    fn built_in_tables_are_shared_until_something_is_added() {
        let first = with_defaults(std::iter::empty()).unwrap();
        let empty = Arc::new(TransformerConfig::default());
        let second = accumulate(&empty, &first).unwrap();
        assert!(Arc::ptr_eq(&first, &second));
        assert!(Arc::ptr_eq(&first, &accumulate(&second, &first).unwrap()));
    }

    #[test]
    fn field_for_one_type_hides_field_for_all_types() {
        let mut table = vec![field("Pod", "a/b", false)];
        merge_fields(&mut table, &[field("", "a/b", false)]).unwrap();
        assert_eq!(table.len(), 1);
        merge_fields(&mut table, &[field("Job", "a/b", true)]).unwrap();
        assert_eq!(table.len(), 2);
        let error = merge_fields(&mut table, &[field("Pod", "a/b", true)]).unwrap_err();
        assert_eq!(error.to_string(), "conflicting fieldspecs");
    }

    #[test]
    fn configuration_with_unknown_field_is_rejected() {
        let error = read(b"namoPrefix: []\n").unwrap_err();
        assert_eq!(error.code(), Code::ConfigurationInvalid);
        assert!(
            error
                .to_string()
                .ends_with("json: unknown field \"namoPrefix\""),
            "{error}"
        );
        assert!(read(b"namePrefix: []\nnamePrefix: []\n").is_err());
        let config = read(b"images: [{path: a/b, kind: Foo, create: true}]\n").unwrap();
        assert_eq!(config.images, [field("Foo", "a/b", true)]);
    }
}
