//! `replacements`: copies values from one field to others.
//!
//! A source is a field of exactly one resource, or a text. Targets are fields of all selected
//! resources that no `reject` matches. A replaced scalar keeps its tag and style, so a number
//! stays in quotes. Other nodes are replaced as a whole. With a delimiter, a part of a text is
//! copied or replaced. A path may lead *through* a scalar whose text is YAML or JSON, see
//! [`structured`].
//!
//! Upstream passes the source by pointer. If a replacement changes its own source, later
//! targets get the changed value. This module does the same.
//!
//! Parity: kustomize: `api/filters/replacement`, `api/types/replacement.go`.

use sluice_object::selector::Selector as LabelSelector;
use sluice_yaml::tree::{Content, Node, Text};

use crate::error::{Code, Error};
use crate::growth::{GrowthBudget, check_depth};
use crate::id::Id;
use crate::kustomization::fields::{
    FieldOptions, Replacement, Selector, SourceSelector, TargetSelector,
};
use crate::pattern::IdPattern;
use crate::resource::{Resource, is_nil_or_empty};
use crate::resource_map::ResourceMap;
use crate::transform::field_error::{FieldError, NodeKind};
use crate::transform::path::{self, Create, Location, Match};
use crate::transform::twins;

mod structured;

const NAME_FIELD: &str = "metadata.name";

/// Applies the replacements in order.
pub(crate) fn apply(
    resources: &mut ResourceMap,
    replacements: &[Replacement],
) -> Result<(), Error> {
    for replacement in replacements {
        let has_source = replacement.source.is_some() || replacement.source_value.is_some();
        if !has_source || replacement.targets.is_empty() {
            let message = "replacements must specify a source and at least one target";
            return Err(Error::new(Code::ReplacementInvalid, message));
        }
        let mut value = source(resources, replacement)?;
        for target in &replacement.targets {
            apply_to_targets(resources, &mut value, target)?;
        }
    }
    Ok(())
}

/// The source value of a replacement.
#[derive(Debug)]
enum Value {
    /// A field, which is read again for each target.
    Field { place: usize, location: Location },
    /// A value that is independent of the resources.
    Own(Node),
}

impl Value {
    fn read(&self, resources: &ResourceMap) -> Node {
        match self {
            Self::Field { place, location } => {
                let root = resources.get(*place).node();
                let mut node = path::at(root, location).cloned().unwrap_or_default();
                twins::unlink(&mut node);
                node
            }
            Self::Own(node) => node.clone(),
        }
    }

    /// Copies the value of a source field before a target that contains it is replaced.
    fn copy_before_overwrite(&mut self, resources: &ResourceMap, target: usize, at: &[usize]) {
        if let Self::Field { place, location } = self
            && *place == target
            && location.len() > at.len()
            && location.starts_with(at)
        {
            *self = Self::Own(self.read(resources));
        }
    }
}

fn source(resources: &ResourceMap, replacement: &Replacement) -> Result<Value, Error> {
    let Some(selector) = &replacement.source else {
        let text = replacement.source_value.as_deref().unwrap_or_default();
        return Ok(Value::Own(Node::plain(text)));
    };
    if replacement.source_value.is_some() {
        let message = "value and resource selectors are mutually exclusive";
        return Err(Error::new(Code::ReplacementInvalid, message));
    }
    let place = select_source(resources, selector)?;
    let field_path = match selector.field_path.as_str() {
        "" => NAME_FIELD,
        path => path,
    };
    let missing = |message| Error::new(Code::ReplacementField, message);
    let root = resources.get(place).node();
    let location = path::locate(root, &path::split_bracketed(field_path))
        .map_err(|error| missing(format!("error looking up replacement source: {error}")))?;
    let found = location.and_then(|location| Some((path::at(root, &location)?, location)));
    let Some((node, location)) = found.filter(|(node, _)| !is_nil_or_empty(node)) else {
        return Err(missing(format!(
            "fieldPath `{field_path}` is missing for replacement source {}",
            source_id(selector)
        )));
    };
    match part(selector.options.as_ref(), node)? {
        Some(part) => Ok(Value::Own(part)),
        None => Ok(Value::Field { place, location }),
    }
}

/// The id of the source; empty parts match anything.
fn source_id(selector: &SourceSelector) -> Id {
    Id {
        gvk: crate::id::Gvk::from_parts(&selector.group, &selector.version, &selector.kind),
        name: Text::from(&selector.name),
        namespace: Text::from(&selector.namespace),
        cluster_scoped: false,
    }
}

/// Formats a selector for upstream's errors.
fn format_selector(selector: &SourceSelector) -> String {
    let mut shown = source_id(selector).to_string();
    if !selector.field_path.is_empty() {
        shown = format!("{shown}:{}", selector.field_path);
    }
    match &selector.options {
        Some(options) if !options.delimiter.is_empty() || options.create => {
            let FieldOptions {
                delimiter,
                index,
                create,
                ..
            } = options;
            format!("{shown}:{delimiter}({index}), create={create}")
        }
        _ => shown,
    }
}

/// The ids of a resource, the current one first. All count as namespaced here.
fn ids(resource: &Resource) -> impl Iterator<Item = Id> {
    let current = Id {
        cluster_scoped: false,
        ..resource.cur_id()
    };
    std::iter::once(current).chain(resource.previous_ids())
}

fn select_source(resources: &ResourceMap, selector: &SourceSelector) -> Result<usize, Error> {
    let wanted = source_id(selector);
    let gvk = crate::id::GvkPattern::new(&selector.group, &selector.version, &selector.kind);
    let is_match = |id: Id| {
        (wanted.name.is_empty() || wanted.name == id.name)
            && (wanted.namespace.is_empty() || wanted.is_same_namespace(&id))
            && gvk.selects(&id.gvk)
    };
    let mut meant = resources
        .iter()
        .enumerate()
        .filter(|(_, resource)| ids(resource).any(is_match))
        .map(|(place, _)| place);
    let problem = match (meant.next(), meant.next()) {
        (Some(place), None) => return Ok(place),
        (None, _) => "nothing selected by",
        (Some(_), Some(_)) => "multiple matches for selector",
    };
    let message = format!("{problem} {}", format_selector(selector));
    Err(Error::new(Code::ReplacementSource, message))
}

/// Returns the part of a source that its options select; `None` for the whole.
fn part(options: Option<&FieldOptions>, node: &Node) -> Result<Option<Node>, Error> {
    let Some(options) = options.filter(|options| !options.delimiter.is_empty()) else {
        return Ok(None);
    };
    let Content::Scalar(text) = &node.content else {
        let message = "delimiter option can only be used with scalar nodes";
        return Err(Error::new(Code::ReplacementInvalid, message));
    };
    let index = usize::try_from(options.index).ok();
    let part = index.and_then(|index| text.split(&options.delimiter).nth(index));
    let Some(part) = part else {
        let message = format!(
            "options.index {} is out of bounds for value {text}",
            options.index
        );
        return Err(Error::new(Code::ReplacementIndex, message));
    };
    let mut node = node.clone();
    node.content = Content::Scalar(Text::from(part));
    node.twin = 0;
    Ok(Some(node))
}

/// A target selector with compiled expressions and parsed paths.
struct Target<'a> {
    select: Selection,
    reject: Vec<Selection>,
    fields: Vec<FieldPath<'a>>,
    options: Option<&'a FieldOptions>,
}

struct FieldPath<'a> {
    text: &'a str,
    parts: Vec<String>,
}

struct Selection {
    ids: IdPattern,
    labels: LabelSelector,
    annotations: LabelSelector,
    has_selectors: bool,
}

impl Selection {
    fn new(selector: &Selector) -> Result<Self, Error> {
        let invalid = |message: String| Error::new(Code::ReplacementInvalid, message);
        let labels =
            |text: &str| LabelSelector::parse(text).map_err(|error| invalid(error.to_string()));
        Ok(Self {
            ids: IdPattern::new(selector)
                .map_err(|error| invalid(format!("error creating target selector: {error}")))?,
            labels: labels(&selector.label_selector)?,
            annotations: labels(&selector.annotation_selector)?,
            has_selectors: !selector.label_selector.is_empty()
                || !selector.annotation_selector.is_empty(),
        })
    }

    /// Whether labels and annotations match.
    fn matches_metadata(&self, resource: &Resource) -> bool {
        if !self.has_selectors {
            return true;
        }
        let (labels, annotations) = (resource.labels(), resource.annotations());
        self.annotations
            .matches(|key| annotations.get(key).map(|text| &**text))
            && self
                .labels
                .matches(|key| labels.get(key).map(|text| &**text))
    }
}

impl<'a> Target<'a> {
    fn new(target: &'a TargetSelector) -> Result<Self, Error> {
        let Some(select) = &target.select else {
            let message = "target must specify resources to select";
            return Err(Error::new(Code::ReplacementInvalid, message));
        };
        let mut paths: Vec<&str> = target.field_paths.iter().map(String::as_str).collect();
        if paths.is_empty() {
            paths.push(NAME_FIELD);
        }
        let fields = paths.into_iter().map(|text| FieldPath {
            text,
            parts: path::split_bracketed(text),
        });
        Ok(Self {
            select: Selection::new(select)?,
            reject: target
                .reject
                .iter()
                .map(Selection::new)
                .collect::<Result<_, _>>()?,
            fields: fields.collect(),
            options: target.options.as_ref(),
        })
    }

    fn admits(&self, resource: &Resource) -> bool {
        if !self.select.matches_metadata(resource) {
            return false;
        }
        let by_metadata =
            |reject: &Selection| reject.has_selectors && reject.matches_metadata(resource);
        if self.reject.iter().any(by_metadata) {
            return false;
        }
        let by_id = |reject: &Selection| {
            !reject.ids.is_empty && ids(resource).any(|id| reject.ids.matches(&id))
        };
        !self.reject.iter().any(by_id) && ids(resource).any(|id| self.select.ids.matches(&id))
    }

    fn creates(&self) -> bool {
        self.options.is_some_and(|options| options.create)
    }
}

fn apply_to_targets(
    resources: &mut ResourceMap,
    value: &mut Value,
    target: &TargetSelector,
) -> Result<(), Error> {
    let target = Target::new(target)?;
    for place in 0..resources.len() {
        if !target.admits(resources.get(place)) {
            continue;
        }
        for field in &target.fields {
            put_into(resources, place, value, field, &target)?;
        }
    }
    Ok(())
}

fn put_into(
    resources: &mut ResourceMap,
    place: usize,
    value: &mut Value,
    field: &FieldPath<'_>,
    target: &Target<'_>,
) -> Result<(), Error> {
    let now = value.read(resources);
    let growth = resources.growth();
    let leaf = NodeKind::of(&now).filter(|_| target.creates());
    let create = leaf.map(|leaf| Create {
        leaf,
        growth: &growth,
    });
    if structured::set(resources, place, &now, &field.parts, create)?.is_some() {
        return Ok(());
    }
    let unable = || {
        let or_create = if create.is_some() { " or create" } else { "" };
        format!(
            "unable to find{or_create} field {:?} in replacement target",
            field.text
        )
    };
    let found = resources.edit(place, |resource| {
        path::matches(resource.node_mut(), &field.parts, create)
    });
    let found = found.map_err(|error| {
        error
            .with_context(unable())
            .into_error(Code::ReplacementField)
    })?;
    if found.is_empty() {
        return Err(Error::new(Code::ReplacementField, unable()));
    }
    for found in found {
        let now = value.read(resources);
        match found {
            Match::At(location) => {
                value.copy_before_overwrite(resources, place, &location);
                resources.edit(place, |resource| {
                    set_at(resource.node_mut(), &location, now, target.options, &growth)
                })?;
            }
            Match::Embedded(mut node) => set(&mut node, now, target.options)?,
        }
    }
    Ok(())
}

fn set_at(
    root: &mut Node,
    location: &[usize],
    value: Node,
    options: Option<&FieldOptions>,
    growth: &GrowthBudget,
) -> Result<(), Error> {
    let Some(node) = path::at_mut(root, location) else {
        return Ok(());
    };
    check_depth(location.len(), value.size().depth, "the replaced value")?;
    let before = node.size();
    set(node, value, options)?;
    growth.add_beyond(before, node)?;
    let written = node.clone();
    twins::copy_to_twins(root, &written);
    Ok(())
}

fn set(node: &mut Node, value: Node, options: Option<&FieldOptions>) -> Result<(), Error> {
    let mut value = value;
    if let Some(options) = options.filter(|options| !options.delimiter.is_empty()) {
        let Content::Scalar(text) = &node.content else {
            let message = "delimiter option can only be used with scalar nodes";
            return Err(Error::new(Code::ReplacementInvalid, message));
        };
        let part = if value.is_null() {
            ""
        } else {
            value.as_str().unwrap_or_default()
        };
        let joined = with_part(text, options, part);
        if value.is_scalar() {
            value.content = Content::Scalar(Text::from(joined));
        } else {
            // Upstream writes the part to the text of a collection, which is not printed.
            value = replaced_text(value, joined, node);
        }
    }
    assign(node, value);
    Ok(())
}

/// Returns the new node when a part is written to the text of a collection.
fn replaced_text(value: Node, joined: String, node: &Node) -> Node {
    if node.is_scalar() {
        return Node::plain(joined);
    }
    value
}

/// Replaces or adds a part of a text.
fn with_part(text: &str, options: &FieldOptions, part: &str) -> String {
    let mut parts: Vec<&str> = text.split(&options.delimiter).collect();
    match usize::try_from(options.index) {
        Err(_) => parts.insert(0, part),
        Ok(index) if index >= parts.len() => parts.push(part),
        Ok(index) => parts[index] = part,
    }
    parts.join(&options.delimiter)
}

/// Assigns a value. A scalar takes only its text.
fn assign(node: &mut Node, value: Node) {
    if node.is_scalar() {
        let text = value.as_str().unwrap_or_default();
        node.content = Content::Scalar(Text::from(text));
    } else {
        let twin = node.twin;
        *node = value;
        node.twin = twin;
    }
}

impl From<sluice_yaml::Error> for FieldError {
    fn from(error: sluice_yaml::Error) -> Self {
        Self::new(error.to_string())
    }
}
