//! The tables of fields that transformers change.

use sluice_yaml::tree::Text;

use crate::id::GvkPattern;

/// A field that a transformer changes, and the types that have it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct FieldSpec {
    pub(crate) gvk: GvkPattern,
    /// Names separated by `/`; `\/` is a slash, `[]` marks a list.
    pub(crate) path: Text,
    /// Create the field, and the maps that contain it, if missing.
    pub(crate) create: bool,
}

/// The fields that refer to resources of a type by name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct NameReference {
    pub(crate) gvk: GvkPattern,
    pub(crate) referrers: Vec<FieldSpec>,
}

/// The fields that each transformer changes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct TransformerConfig {
    pub(crate) name_prefix: Vec<FieldSpec>,
    pub(crate) name_suffix: Vec<FieldSpec>,
    pub(crate) namespace: Vec<FieldSpec>,
    pub(crate) common_labels: Vec<FieldSpec>,
    pub(crate) labels: Vec<FieldSpec>,
    pub(crate) template_labels: Vec<FieldSpec>,
    pub(crate) common_annotations: Vec<FieldSpec>,
    pub(crate) name_reference: Vec<NameReference>,
    pub(crate) var_reference: Vec<FieldSpec>,
    pub(crate) images: Vec<FieldSpec>,
    pub(crate) replicas: Vec<FieldSpec>,
}
