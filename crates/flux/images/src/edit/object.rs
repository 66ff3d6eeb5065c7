//! The place of an event in its document, and the objects that documents describe.

use std::collections::HashSet;

use sluice_yaml::event::{Event, EventKind};

use super::{Unreadable, is_structure};
use crate::result::ObjectId;

/// The place of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    /// The node is a value of a mapping or an item of a sequence.
    pub(super) is_value: bool,
    /// An equal key of the same mapping is before it. The reference edits only the first.
    pub(super) is_shadowed: bool,
    /// Index of the object around it.
    pub(super) object: usize,
}

/// Follows the events of a file.
#[derive(Debug, Default)]
pub(super) struct Outline {
    open: Vec<Open>,
    objects: Vec<Description>,
    /// Index of the description of the current document.
    document: usize,
}

/// An open collection.
#[derive(Debug)]
struct Open {
    /// Keys of a mapping so far; `None` for a sequence.
    keys: Option<HashSet<Box<str>>>,
    /// The key whose value follows.
    key: Option<Box<str>>,
    /// The current key is a repetition, or a key around it is.
    is_shadowed: bool,
    is_shadowed_around: bool,
    /// The names of this collection: its path from the object, as far as it matters.
    role: Role,
    object: usize,
    /// The next node of a mapping is a key.
    is_at_key: bool,
}

/// The role of a collection in its object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    Object,
    Metadata,
    Items,
    Other,
}

/// An object under description.
#[derive(Debug, Default, Clone)]
struct Description {
    id: ObjectId,
    /// The document and its `items`, for an item of a list.
    list: Option<usize>,
}

impl Outline {
    /// Takes the next event and returns its place.
    pub(super) fn enter(&mut self, event: &Event<'_>) -> Result<Place, Unreadable> {
        let nowhere = Place {
            is_value: false,
            is_shadowed: false,
            object: self.document,
        };
        if is_structure(event) {
            if matches!(event.kind, EventKind::DocumentStart { .. }) {
                self.document = self.objects.len();
                self.objects.push(Description::default());
            }
            return Ok(nowhere);
        }
        if matches!(event.kind, EventKind::SequenceEnd | EventKind::MappingEnd) {
            self.open.pop();
            return Ok(nowhere);
        }
        let Some(parent) = self.open.last_mut() else {
            return self.enter_root(event, nowhere);
        };
        let object = parent.object;
        if parent.keys.is_some() && parent.is_at_key {
            parent.is_at_key = false;
            self.enter_key(event);
            return Ok(Place {
                is_value: false,
                is_shadowed: false,
                object,
            });
        }
        parent.is_at_key = true;
        let place = Place {
            is_value: true,
            is_shadowed: parent.is_shadowed,
            object,
        };
        let key = parent.key.take();
        let role = parent.role;
        self.enter_value(event, role, key.as_deref(), place)?;
        Ok(place)
    }

    fn enter_root(&mut self, event: &Event<'_>, place: Place) -> Result<Place, Unreadable> {
        match &event.kind {
            EventKind::MappingStart { .. } => {
                self.open(event, Role::Object, self.document, false);
                Ok(place)
            }
            // An empty document has no value.
            EventKind::Scalar(scalar) if scalar.value.is_empty() && scalar.implicit => Ok(place),
            _ => Err(Unreadable::NotAMapping),
        }
    }

    fn enter_key(&mut self, event: &Event<'_>) {
        let text = match &event.kind {
            EventKind::Scalar(scalar) => scalar.value.as_ref(),
            _ => "",
        };
        if let Some(open) = self.open.last_mut() {
            open.key = Some(text.into());
            let is_new = open
                .keys
                .as_mut()
                .is_none_or(|keys| keys.insert(text.into()));
            open.is_shadowed = open.is_shadowed_around || !is_new;
        }
        if matches!(
            event.kind,
            EventKind::MappingStart { .. } | EventKind::SequenceStart { .. }
        ) {
            let object = self.document;
            self.open(event, Role::Other, object, true);
        }
    }

    fn enter_value(
        &mut self,
        event: &Event<'_>,
        role: Role,
        key: Option<&str>,
        place: Place,
    ) -> Result<(), Unreadable> {
        if let EventKind::Scalar(scalar) = &event.kind {
            self.describe(role, key, &scalar.value, place);
        }
        let is_mapping = matches!(event.kind, EventKind::MappingStart { .. });
        let is_collection = is_mapping || matches!(event.kind, EventKind::SequenceStart { .. });
        let is_null = matches!(&event.kind, EventKind::Scalar(scalar)
            if scalar.implicit && matches!(scalar.value.as_ref(), "" | "~" | "null"));
        if role == Role::Object && key == Some("metadata") && !is_mapping && !is_null {
            return Err(Unreadable::Metadata);
        }
        if !is_collection {
            return Ok(());
        }
        let mut object = place.object;
        let next = match (role, key) {
            (Role::Object, Some("metadata")) => Role::Metadata,
            (Role::Object, Some("items")) if !is_mapping && object == self.document => Role::Items,
            (Role::Items, _) if is_mapping => {
                object = self.objects.len();
                self.objects.push(Description {
                    list: Some(self.document),
                    ..Description::default()
                });
                Role::Object
            }
            _ => Role::Other,
        };
        self.open(event, next, object, place.is_shadowed);
        Ok(())
    }

    fn describe(&mut self, role: Role, key: Option<&str>, value: &str, place: Place) {
        if place.is_shadowed {
            return;
        }
        let Some(description) = self.objects.get_mut(place.object) else {
            return;
        };
        let id = &mut description.id;
        let field = match (role, key) {
            (Role::Object, Some("apiVersion")) => &mut id.api_version,
            (Role::Object, Some("kind")) => &mut id.kind,
            (Role::Metadata, Some("name")) => &mut id.name,
            (Role::Metadata, Some("namespace")) => &mut id.namespace,
            _ => return,
        };
        value.clone_into(field);
    }

    fn open(&mut self, event: &Event<'_>, role: Role, object: usize, is_shadowed: bool) {
        let is_mapping = matches!(event.kind, EventKind::MappingStart { .. });
        self.open.push(Open {
            keys: is_mapping.then(HashSet::new),
            key: None,
            is_shadowed,
            is_shadowed_around: is_shadowed,
            role,
            object,
            is_at_key: true,
        });
    }

    /// Returns an object. An item of a document that is not a list belongs to the document.
    pub(super) fn object(&self, index: usize) -> ObjectId {
        let description = &self.objects[index];
        match description.list {
            Some(list) if !is_list(&self.objects[list].id) => self.objects[list].id.clone(),
            _ => description.id.clone(),
        }
    }
}

fn is_list(id: &ObjectId) -> bool {
    matches!(id.kind.as_str(), "List" | "ResourceList")
}
