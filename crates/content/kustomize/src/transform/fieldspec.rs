//! Finds and sets the fields of a table in a document.
//!
//! A path consists of names separated by `/`; `\/` is a slash in a name. A list on the path
//! is entered element by element, whether or not its name ends in `[]`. The mark prevents
//! creation of the list, and turns null into an empty list. With `create`, missing maps on
//! the path and a leaf are created. Null on the path ends it without an error.
//!
//! Start at [`Field::new`] and [`Field::visit`]. The setters are upstream's `FieldSetter`,
//! which keeps the style of a node.
//!
//! Parity: kustomize: `api/filters/fieldspec`, `api/filters/filtersutil`.

use sluice_yaml::tree::{Content, Node, Tag, Text};

use crate::configuration::FieldSpec;
use crate::growth::GrowthBudget;
use crate::id::{Gvk, GvkPattern};
use crate::resource::Resource;
use crate::transform::field_error::{FieldError, NodeKind, expect_kind};
use crate::transform::path::{self, Create};

const NO_COLLECTION: &str = "expected sequence or mapping node";
const NO_NAME: &str = "cannot set or create an empty field name";

/// A parsed field specification.
#[derive(Debug, Clone)]
pub(crate) struct Field {
    gvk: GvkPattern,
    path: Text,
    parts: Vec<Part>,
    create: bool,
    growth: GrowthBudget,
}

#[derive(Debug, Clone)]
struct Part {
    name: String,
    is_list: bool,
}

/// The node to create at the end of a path.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Leaf {
    kind: NodeKind,
    /// The tag for a null that exists.
    tag: &'static Tag,
}

/// A string.
pub(crate) const STRING_LEAF: Leaf = Leaf {
    kind: NodeKind::Scalar,
    tag: &Tag::Str,
};
/// An integer.
pub(crate) const INTEGER_LEAF: Leaf = Leaf {
    kind: NodeKind::Scalar,
    tag: &Tag::Int,
};
/// A map.
pub(crate) const MAP_LEAF: Leaf = Leaf {
    kind: NodeKind::Mapping,
    tag: &Tag::Map,
};

/// The node to create and the budget that counts it.
type Make<'g> = (Leaf, &'g GrowthBudget);

/// Sets a node that a field leads to.
pub(crate) type Set<'s> = dyn FnMut(&mut Node) -> Result<(), FieldError> + 's;
/// Visits a node that a field leads to, with its location.
pub(crate) type Visit<'s> = dyn FnMut(&Node, &[usize]) -> Result<(), FieldError> + 's;

impl Field {
    pub(crate) fn new(spec: &FieldSpec, growth: &GrowthBudget) -> Self {
        let parts = path::split(&spec.path, '/').into_iter().map(|name| {
            let unmarked = name.strip_suffix("[]").map(str::to_owned);
            Part {
                is_list: unmarked.is_some(),
                name: unmarked.unwrap_or(name),
            }
        });
        Self {
            gvk: spec.gvk.clone(),
            path: spec.path.clone(),
            parts: parts.collect(),
            create: spec.create,
            growth: growth.clone(),
        }
    }

    /// Parses the paths of a table.
    pub(crate) fn all(specs: &[FieldSpec], growth: &GrowthBudget) -> Vec<Self> {
        let fields = specs.iter().map(|spec| Self::new(spec, growth));
        fields.collect()
    }

    /// Whether no field can change the type, name or namespace of a resource.
    pub(crate) fn all_keep_identity(fields: &[Self]) -> bool {
        let keeps = |field: &Self| {
            let name = |at: usize| field.parts.get(at).map_or("", |part| &*part.name);
            match name(0) {
                "metadata" => !matches!(name(1), "" | "name" | "namespace"),
                "" | "kind" | "apiVersion" => false,
                _ => true,
            }
        };
        fields.iter().all(keeps)
    }

    pub(crate) fn path(&self) -> &str {
        &self.path
    }

    /// The types that have the field.
    pub(crate) fn gvk(&self) -> &GvkPattern {
        &self.gvk
    }

    pub(crate) fn is_in(&self, gvk: &Gvk) -> bool {
        self.gvk.selects(gvk)
    }

    /// Calls the setter on each node that the field leads to. The caller checks the type of
    /// the resource.
    pub(crate) fn visit(
        &self,
        resource: &mut Resource,
        leaf: Option<Leaf>,
        set: &mut Set<'_>,
    ) -> Result<(), FieldError> {
        // Editing copies a shared document, so skip it when the path leads nowhere.
        if !self.can_reach(resource.node(), leaf) {
            return Ok(());
        }
        let leaf = leaf.filter(|_| self.create);
        if leaf.is_some() {
            path::check_length(&self.parts).map_err(|error| self.considering(resource, error))?;
        }
        let make = leaf.map(|leaf| (leaf, &self.growth));
        enter(resource.node_mut(), &self.parts, make, set)
            .map_err(|error| self.considering(resource, error))
    }

    /// Visits each node that the field leads to, without changing the document.
    pub(crate) fn seek(
        &self,
        resource: &Resource,
        visit: &mut Visit<'_>,
    ) -> Result<(), FieldError> {
        if !self.can_reach(resource.node(), None) {
            return Ok(());
        }
        look(resource.node(), &mut Vec::new(), &self.parts, visit)
            .map_err(|error| self.considering(resource, error))
    }

    /// Whether it turns a null list into an empty one even without `create`.
    pub(crate) fn marks_lists(&self) -> bool {
        self.parts.iter().any(|part| part.is_list)
    }

    fn considering(&self, resource: &Resource, error: FieldError) -> FieldError {
        let id = resource.cur_id();
        error.with_context(format!("considering field '{}' of object {id}", self.path))
    }

    /// Whether the path may lead to a node. Checks only maps at its beginning.
    fn can_reach(&self, root: &Node, leaf: Option<Leaf>) -> bool {
        let creates = self.create && leaf.is_some();
        let mut node = root;
        for (number, part) in self.parts.iter().enumerate() {
            if !node.is_map() || is_special(&part.name) {
                return true;
            }
            match node.get(&part.name) {
                // A null may be replaced.
                Some(below) if below.is_null() => {
                    return creates || part.is_list || number + 1 == self.parts.len();
                }
                Some(below) => node = below,
                None => return creates && !part.is_list,
            }
        }
        true
    }
}

/// Whether a lookup treats a name specially.
fn is_special(name: &str) -> bool {
    name.trim() != name
        || name.is_empty()
        || name == "-"
        || name == "*"
        || (name.starts_with('[') && name.ends_with(']'))
        || name.parse::<i64>().is_ok()
}

fn enter(
    node: &mut Node,
    parts: &[Part],
    make: Option<Make<'_>>,
    set: &mut Set<'_>,
) -> Result<(), FieldError> {
    let Some((part, rest)) = parts.split_first() else {
        return set(node);
    };
    if node.is_null() {
        return Ok(());
    }
    match &mut node.content {
        Content::Sequence(items) => items.iter_mut().try_for_each(|item| {
            enter(item, parts, make, set).map_err(|error| traversal(error, parts))
        }),
        Content::Mapping(_) => enter_map(node, part, rest, make, set),
        Content::Scalar(_) | Content::Alias(_) => Err(FieldError::new(NO_COLLECTION)),
    }
}

fn traversal(error: FieldError, parts: &[Part]) -> FieldError {
    let written = |part: &Part| {
        let mark = if part.is_list { "[]" } else { "" };
        format!("{}{mark}", part.name)
    };
    let names: Vec<String> = parts.iter().map(written).collect();
    error.with_context(format!("visit traversal on path: [{}]", names.join(" ")))
}

/// Like [`enter`], but without changes.
fn look(
    node: &Node,
    location: &mut Vec<usize>,
    parts: &[Part],
    visit: &mut Visit<'_>,
) -> Result<(), FieldError> {
    let Some((part, rest)) = parts.split_first() else {
        return visit(node, location);
    };
    if node.is_null() {
        return Ok(());
    }
    match &node.content {
        Content::Sequence(items) => {
            for (position, item) in items.iter().enumerate() {
                location.push(position);
                let outcome = look(item, location, parts, visit);
                location.pop();
                outcome.map_err(|error| traversal(error, parts))?;
            }
            Ok(())
        }
        Content::Mapping(_) => {
            if part.name.is_empty() {
                return Err(FieldError::new(NO_NAME));
            }
            let names = std::slice::from_ref(&part.name);
            let found = path::locate(node, names)
                .map_err(|error| error.with_context(format!("fieldName: {}", part.name)))?;
            let Some(steps) = found else { return Ok(()) };
            let field = path::at(node, &steps).expect("the steps were just located");
            let depth = location.len();
            location.extend(steps);
            let outcome = look(field, location, rest, visit);
            location.truncate(depth);
            outcome
        }
        Content::Scalar(_) | Content::Alias(_) => Err(FieldError::new(NO_COLLECTION)),
    }
}

fn enter_map(
    node: &mut Node,
    part: &Part,
    rest: &[Part],
    make: Option<Make<'_>>,
    set: &mut Set<'_>,
) -> Result<(), FieldError> {
    if part.name.is_empty() {
        return Err(FieldError::new(NO_NAME));
    }
    let made = match make {
        _ if part.is_list => None,
        Some((leaf, growth)) if rest.is_empty() => Some((leaf, growth)),
        Some((_, growth)) => Some((MAP_LEAF, growth)),
        None => None,
    };
    let names = std::slice::from_ref(&part.name);
    let wrap = |error: FieldError| error.with_context(format!("fieldName: {}", part.name));
    let location = match made {
        Some((leaf, growth)) => {
            let create = Create {
                leaf: leaf.kind,
                growth,
            };
            path::locate_or_create(node, names, create).map_err(wrap)?
        }
        None => path::locate(node, names).map_err(wrap)?,
    };
    let Some(location) = location else {
        return Ok(());
    };
    let field = path::at_mut(node, &location).expect("the location was just found");
    if field.is_null() {
        let becomes = if part.is_list {
            Some((NodeKind::Sequence, &Tag::Unset))
        } else {
            made.map(|(leaf, _)| (leaf.kind, leaf.tag))
        };
        if let Some((kind, tag)) = becomes {
            // A scalar keeps its text: upstream changes its tag only.
            if kind != NodeKind::Scalar {
                field.content = kind.blank().content;
            }
            field.tag = tag.clone();
        }
    }
    enter(field, rest, make, set)
}

/// Sets a scalar in its style. With an unset tag, the text of a plain scalar decides its type.
pub(crate) fn set_scalar(node: &mut Node, text: Text, tag: Tag) -> Result<(), FieldError> {
    expect_kind(node, NodeKind::Scalar)?;
    node.replace(Node {
        content: Content::Scalar(text),
        tag,
        ..Node::default()
    });
    Ok(())
}

/// Sets a scalar unless it has a text.
pub(crate) fn set_scalar_if_empty(node: &mut Node, text: Text, tag: Tag) -> Result<(), FieldError> {
    let has_text = !node.is_null() && node.as_str().is_some_and(|text| !text.is_empty());
    if has_text {
        return Ok(());
    }
    set_scalar(node, text, tag)
}
