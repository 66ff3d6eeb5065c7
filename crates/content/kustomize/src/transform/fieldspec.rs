//! The fields that a table names, found in a document and set.
//!
//! A path is names between `/`; `\/` is a slash in a name. A list on the way is
//! entered element by element whether or not the name before it ends in `[]`;
//! the mark only keeps the list from being made, and turns a null into an empty
//! one. Where a path may create, it makes maps on the way and a leaf of the kind
//! that the transformer asks for. Null on the way ends the path without error.
//!
//! Start at [`Field::new`] and [`Field::visit`]. The setters below are what
//! upstream's `FieldSetter` does to a node: style stays, the rest is new.
//!
//! Parity: kustomize: `api/filters/fieldspec`, `api/filters/filtersutil`.

use sluice_yaml::tree::{Content, Node, Tag, Text};

use crate::facts::FieldSpec;
use crate::growth::Growth;
use crate::id::{Gvk, GvkPattern};
use crate::resource::Resource;
use crate::transform::fault::{Fault, Kind, expect_kind};
use crate::transform::path::{self, Create};

const NO_COLLECTION: &str = "expected sequence or mapping node";
const NO_NAME: &str = "cannot set or create an empty field name";

/// A field of some types, its path taken apart.
#[derive(Debug, Clone)]
pub(crate) struct Field {
    gvk: GvkPattern,
    path: Text,
    parts: Vec<Part>,
    create: bool,
    growth: Growth,
}

#[derive(Debug, Clone)]
struct Part {
    name: String,
    is_list: bool,
}

/// What to make where a path leads to nothing.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Leaf {
    kind: Kind,
    /// What a null that is there becomes.
    tag: &'static Tag,
}

/// A string.
pub(crate) const STRING: Leaf = Leaf {
    kind: Kind::Scalar,
    tag: &Tag::Str,
};
/// An integer.
pub(crate) const INTEGER: Leaf = Leaf {
    kind: Kind::Scalar,
    tag: &Tag::Int,
};
/// A map.
pub(crate) const MAP: Leaf = Leaf {
    kind: Kind::Mapping,
    tag: &Tag::Map,
};

/// What to make, and who counts it.
type Make<'g> = (Leaf, &'g Growth);

/// Sets a node that a field leads to.
pub(crate) type Set<'s> = dyn FnMut(&mut Node) -> Result<(), Fault> + 's;
/// Sees a node that a field leads to, and where it is.
pub(crate) type See<'s> = dyn FnMut(&Node, &[usize]) -> Result<(), Fault> + 's;

impl Field {
    pub(crate) fn new(spec: &FieldSpec, growth: &Growth) -> Self {
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

    /// Takes the paths of a table apart.
    pub(crate) fn all(specs: &[FieldSpec], growth: &Growth) -> Vec<Self> {
        let fields = specs.iter().map(|spec| Self::new(spec, growth));
        fields.collect()
    }

    /// Do all of them leave type, name and namespace of a resource alone?
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

    /// The types that have it.
    pub(crate) fn gvk(&self) -> &GvkPattern {
        &self.gvk
    }

    pub(crate) fn is_in(&self, gvk: &Gvk) -> bool {
        self.gvk.selects(gvk)
    }

    /// Calls the setter on each node that the field leads to. Whether the
    /// resource is of one of the types has to be asked before.
    pub(crate) fn visit(
        &self,
        resource: &mut Resource,
        leaf: Option<Leaf>,
        set: &mut Set<'_>,
    ) -> Result<(), Fault> {
        // A document that is shared is copied when it is edited, so it is not
        // opened for editing as long as it is clear that nothing will happen.
        if !self.can_reach(resource.node(), leaf) {
            return Ok(());
        }
        let leaf = leaf.filter(|_| self.create);
        if leaf.is_some() {
            path::check_length(&self.parts).map_err(|fault| self.considering(resource, fault))?;
        }
        let make = leaf.map(|leaf| (leaf, &self.growth));
        enter(resource.node_mut(), &self.parts, make, set)
            .map_err(|fault| self.considering(resource, fault))
    }

    /// Shows each node that the field leads to and where it is, without making
    /// anything or opening the document for editing.
    pub(crate) fn seek(&self, resource: &Resource, see: &mut See<'_>) -> Result<(), Fault> {
        if !self.can_reach(resource.node(), None) {
            return Ok(());
        }
        look(resource.node(), &mut Vec::new(), &self.parts, see)
            .map_err(|fault| self.considering(resource, fault))
    }

    /// Does it turn a null list into an empty one even without creating?
    pub(crate) fn marks_lists(&self) -> bool {
        self.parts.iter().any(|part| part.is_list)
    }

    fn considering(&self, resource: &Resource, fault: Fault) -> Fault {
        let id = resource.cur_id();
        fault.within(format!("considering field '{}' of object {id}", self.path))
    }

    /// May the path lead anywhere? Looks only at maps at its beginning.
    fn can_reach(&self, root: &Node, leaf: Option<Leaf>) -> bool {
        let creates = self.create && leaf.is_some();
        let mut node = root;
        for (number, part) in self.parts.iter().enumerate() {
            if !node.is_map() || is_special(&part.name) {
                return true;
            }
            match node.get(&part.name) {
                // A null may become something.
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

/// Names that a lookup does not take for fields.
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
) -> Result<(), Fault> {
    let Some((part, rest)) = parts.split_first() else {
        return set(node);
    };
    if node.is_null() {
        return Ok(());
    }
    match &mut node.content {
        Content::Sequence(items) => items.iter_mut().try_for_each(|item| {
            enter(item, parts, make, set).map_err(|fault| traversal(fault, parts))
        }),
        Content::Mapping(_) => enter_map(node, part, rest, make, set),
        Content::Scalar(_) | Content::Alias(_) => Err(Fault::new(NO_COLLECTION)),
    }
}

fn traversal(fault: Fault, parts: &[Part]) -> Fault {
    let written = |part: &Part| {
        let mark = if part.is_list { "[]" } else { "" };
        format!("{}{mark}", part.name)
    };
    let names: Vec<String> = parts.iter().map(written).collect();
    fault.within(format!("visit traversal on path: [{}]", names.join(" ")))
}

/// As [`enter`], but changes nothing.
fn look(
    node: &Node,
    location: &mut Vec<usize>,
    parts: &[Part],
    see: &mut See<'_>,
) -> Result<(), Fault> {
    let Some((part, rest)) = parts.split_first() else {
        return see(node, location);
    };
    if node.is_null() {
        return Ok(());
    }
    match &node.content {
        Content::Sequence(items) => {
            for (position, item) in items.iter().enumerate() {
                location.push(position);
                let outcome = look(item, location, parts, see);
                location.pop();
                outcome.map_err(|fault| traversal(fault, parts))?;
            }
            Ok(())
        }
        Content::Mapping(_) => {
            if part.name.is_empty() {
                return Err(Fault::new(NO_NAME));
            }
            let names = std::slice::from_ref(&part.name);
            let found = path::locate(node, names)
                .map_err(|fault| fault.within(format!("fieldName: {}", part.name)))?;
            let Some(steps) = found else { return Ok(()) };
            let field = path::at(node, &steps).expect("it was just found");
            let depth = location.len();
            location.extend(steps);
            let outcome = look(field, location, rest, see);
            location.truncate(depth);
            outcome
        }
        Content::Scalar(_) | Content::Alias(_) => Err(Fault::new(NO_COLLECTION)),
    }
}

fn enter_map(
    node: &mut Node,
    part: &Part,
    rest: &[Part],
    make: Option<Make<'_>>,
    set: &mut Set<'_>,
) -> Result<(), Fault> {
    if part.name.is_empty() {
        return Err(Fault::new(NO_NAME));
    }
    let made = match make {
        _ if part.is_list => None,
        Some((leaf, growth)) if rest.is_empty() => Some((leaf, growth)),
        Some((_, growth)) => Some((MAP, growth)),
        None => None,
    };
    let names = std::slice::from_ref(&part.name);
    let wrap = |fault: Fault| fault.within(format!("fieldName: {}", part.name));
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
    let field = path::at_mut(node, &location).expect("it was just found");
    if field.is_null() {
        let becomes = if part.is_list {
            Some((Kind::Sequence, &Tag::Unset))
        } else {
            made.map(|(leaf, _)| (leaf.kind, leaf.tag))
        };
        if let Some((kind, tag)) = becomes {
            // A scalar keeps its text: upstream only renames what it is.
            if kind != Kind::Scalar {
                field.content = kind.blank().content;
            }
            field.tag = tag.clone();
        }
    }
    enter(field, rest, make, set)
}

/// Sets a scalar; it keeps its style, so an unset tag leaves it to the text
/// whether a plain one is still a string.
pub(crate) fn set_scalar(node: &mut Node, text: Text, tag: Tag) -> Result<(), Fault> {
    expect_kind(node, Kind::Scalar)?;
    node.replace(Node {
        content: Content::Scalar(text),
        tag,
        ..Node::default()
    });
    Ok(())
}

/// Sets a scalar unless it has a text already.
pub(crate) fn set_scalar_if_empty(node: &mut Node, text: Text, tag: Tag) -> Result<(), Fault> {
    let has_text = !node.is_null() && node.as_str().is_some_and(|text| !text.is_empty());
    if has_text {
        return Ok(());
    }
    set_scalar(node, text, tag)
}
