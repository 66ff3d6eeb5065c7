//! Walks over the leaves of a document, with their paths and the comments that apply to them.
//!
//! Parity: sops: `walkBranch`, `walkSlice` in sops.go. A path does not contain positions in
//! lists.

use crate::tree::{Branch, Comment, Element, Item, Value};

/// A leaf of a document.
pub(crate) enum Leaf<'a> {
    /// A scalar other than null.
    Value(&'a Value),
    /// A comment.
    Comment(&'a Comment),
}

/// The position of a walk.
#[derive(Default)]
pub(crate) struct Position {
    /// The keys on the path.
    pub(crate) path: Vec<String>,
    /// For each level of the path, the comments since the last entry.
    pub(crate) comments: Vec<Vec<String>>,
}

/// The replacement of a leaf.
pub(crate) enum Replacement {
    Value(Value),
    Comment(Comment),
}

/// Why a walk failed.
#[derive(Debug)]
pub(crate) enum WalkError<E> {
    /// The visitor returned an error.
    Leaf(E),
    /// A value was replaced with a comment.
    CommentAsValue(String),
}

impl<E> From<E> for WalkError<E> {
    fn from(error: E) -> Self {
        Self::Leaf(error)
    }
}

impl Position {
    /// Returns the additional data for the cipher.
    pub(crate) fn additional_data(&self) -> String {
        let mut data = self.path.join(":");
        data.push(':');
        data
    }
}

/// Replaces every leaf with the result of the visitor, in order.
pub(crate) fn walk<E>(
    branch: &mut Branch,
    visit: &mut impl FnMut(Leaf<'_>, &Position) -> Result<Replacement, E>,
) -> Result<(), WalkError<E>> {
    walk_branch(branch, &mut Position::default(), visit)
}

fn walk_branch<E>(
    branch: &mut Branch,
    place: &mut Position,
    visit: &mut impl FnMut(Leaf<'_>, &Position) -> Result<Replacement, E>,
) -> Result<(), WalkError<E>> {
    place.comments.push(Vec::new());
    for item in &mut branch.0 {
        match item {
            Item::Comment(comment) => {
                note(place, comment);
                *comment = match visit(Leaf::Comment(comment), place)? {
                    Replacement::Comment(comment) => comment,
                    // In a mapping, the syntax already marks a comment.
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
    place: &mut Position,
    visit: &mut impl FnMut(Leaf<'_>, &Position) -> Result<Replacement, E>,
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
        // In a list, an encrypted comment is a value that decrypts to a comment.
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
    place: &mut Position,
    visit: &mut impl FnMut(Leaf<'_>, &Position) -> Result<Replacement, E>,
) -> Result<Option<Replacement>, WalkError<E>> {
    match value {
        Value::Null => Ok(None),
        Value::Branch(branch) => walk_branch(branch, place, visit).map(|()| None),
        Value::List(items) => walk_list(items, place, visit).map(|()| None),
        scalar => Ok(Some(visit(Leaf::Value(scalar), place)?)),
    }
}

fn note(place: &mut Position, comment: &Comment) {
    if let Some(active) = place.comments.last_mut() {
        active.push(comment.to_text());
    }
}

fn forget(place: &mut Position) {
    if let Some(active) = place.comments.last_mut() {
        active.clear();
    }
}
