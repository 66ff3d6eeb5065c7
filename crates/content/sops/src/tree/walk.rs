//! The walk over a document: which leaves there are, under which path, and which
//! comments speak for them.
//!
//! Parity: sops: `walkBranch`, `walkSlice` in sops.go. The place of an item in a
//! list is no part of its path.

use crate::tree::{Branch, Comment, Element, Item, Value};

/// What the walk meets.
pub(crate) enum Leaf<'a> {
    /// A scalar; never null.
    Value(&'a Value),
    /// A comment.
    Comment(&'a Comment),
}

/// Where the walk is.
#[derive(Default)]
pub(crate) struct Place {
    /// The keys on the way.
    pub(crate) path: Vec<String>,
    /// For every level on the way, the comments since the last entry there.
    pub(crate) comments: Vec<Vec<String>>,
}

/// What a leaf becomes.
pub(crate) enum Replacement {
    Value(Value),
    Comment(Comment),
}

/// Why a walk ends.
#[derive(Debug)]
pub(crate) enum WalkError<E> {
    /// The visitor fails.
    Leaf(E),
    /// A value turned out to be a comment.
    CommentAsValue(String),
}

impl<E> From<E> for WalkError<E> {
    fn from(error: E) -> Self {
        Self::Leaf(error)
    }
}

impl Place {
    /// The additional data of what stands here.
    pub(crate) fn additional_data(&self) -> String {
        let mut data = self.path.join(":");
        data.push(':');
        data
    }
}

/// Replaces every leaf by what the visitor makes of it, in the order of the document.
pub(crate) fn walk<E>(
    branch: &mut Branch,
    visit: &mut impl FnMut(Leaf<'_>, &Place) -> Result<Replacement, E>,
) -> Result<(), WalkError<E>> {
    walk_branch(branch, &mut Place::default(), visit)
}

fn walk_branch<E>(
    branch: &mut Branch,
    place: &mut Place,
    visit: &mut impl FnMut(Leaf<'_>, &Place) -> Result<Replacement, E>,
) -> Result<(), WalkError<E>> {
    place.comments.push(Vec::new());
    for item in &mut branch.0 {
        match item {
            Item::Comment(comment) => {
                note(place, comment);
                *comment = match visit(Leaf::Comment(comment), place)? {
                    Replacement::Comment(comment) => comment,
                    // Here a mark says that it is a comment whatever it says.
                    Replacement::Value(Value::Text(text)) => Comment {
                        text,
                        inline: comment.inline,
                    },
                    Replacement::Value(_) => continue,
                };
            }
            Item::Entry(key, value) => {
                place.path.push(key.clone());
                let replaced = walk_value(value, place, visit)?;
                if let Some(Replacement::Comment(_)) = replaced {
                    return Err(WalkError::CommentAsValue(place.path.join(".")));
                }
                if let Some(Replacement::Value(replaced)) = replaced {
                    *value = replaced;
                }
                place.path.pop();
                forget(place);
            }
        }
    }
    place.comments.pop();
    Ok(())
}

fn walk_list<E>(
    items: &mut [Element],
    place: &mut Place,
    visit: &mut impl FnMut(Leaf<'_>, &Place) -> Result<Replacement, E>,
) -> Result<(), WalkError<E>> {
    place.comments.push(Vec::new());
    for item in items {
        let replaced = match item {
            Element::Comment(comment) => {
                note(place, comment);
                Some(visit(Leaf::Comment(comment), place)?)
            }
            Element::Value(value) => {
                let replaced = walk_value(value, place, visit)?;
                forget(place);
                replaced
            }
        };
        // In a list an encrypted comment is an item, and one of these is a comment
        // once it is decrypted.
        match replaced {
            Some(Replacement::Value(value)) => *item = Element::Value(value),
            Some(Replacement::Comment(comment)) => *item = Element::Comment(comment),
            None => {}
        }
    }
    place.comments.pop();
    Ok(())
}

fn walk_value<E>(
    value: &mut Value,
    place: &mut Place,
    visit: &mut impl FnMut(Leaf<'_>, &Place) -> Result<Replacement, E>,
) -> Result<Option<Replacement>, WalkError<E>> {
    match value {
        Value::Null => Ok(None),
        Value::Branch(branch) => walk_branch(branch, place, visit).map(|()| None),
        Value::List(items) => walk_list(items, place, visit).map(|()| None),
        scalar => Ok(Some(visit(Leaf::Value(scalar), place)?)),
    }
}

fn note(place: &mut Place, comment: &Comment) {
    if let Some(active) = place.comments.last_mut() {
        active.push(comment.to_text());
    }
}

fn forget(place: &mut Place) {
    if let Some(active) = place.comments.last_mut() {
        active.clear();
    }
}
