//! Where a tag leads, by the objects themselves.
//!
//! A server says to which commit a tag leads. That is its word and no more: a signature on the tag
//! speaks of the commit that the tag names, and of no other one. So the way is gone once more
//! through objects that were held against their names.

use git2::{ObjectType, Odb};

use crate::error::{Error, Result};
use crate::id::ObjectId;
use crate::libgit;
use crate::walk::damaged;

/// Tags of tags exist, and nobody makes a long row of them.
const MAX_TAGS: usize = 16;

/// Whether an object leads to a commit.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Peel {
    /// It does.
    Holds,
    /// A tag on the way is not here.
    Missing(ObjectId),
    /// It does not, and this is why.
    Refused(String),
}

/// Looks where an object leads to that a server says leads to `commit`. No tag is read that is
/// larger than `limit`.
pub(super) fn leads_to(
    odb: &Odb<'_>,
    want: ObjectId,
    commit: ObjectId,
    limit: u64,
) -> Result<Peel> {
    let refused = |why: &str| {
        let said = format!("it says that object {want} leads to commit {commit}");
        Ok(Peel::Refused(format!("{said}: {why}")))
    };
    let mut id = want;
    // One turn more than there may be tags, for what the last of them leads to.
    for _ in 0..=MAX_TAGS {
        if id == commit {
            return Ok(Peel::Holds);
        }
        let Ok((size, kind)) = odb.read_header(id.oid()) else {
            return Ok(Peel::Missing(id));
        };
        if kind != ObjectType::Tag {
            return refused(&format!("it leads to {kind} {id}"));
        }
        if size as u64 > limit {
            let what = format!("object {id}");
            return Err(Error::Limit { what, limit });
        }
        let object = libgit::read(odb, id.oid()).map_err(|error| damaged(id, &error.message()))?;
        match target(object.data()) {
            Some(target) => id = target,
            None => return refused(&format!("tag {id} is malformed")),
        }
    }
    refused(&format!("there are more than {MAX_TAGS} tags on the way"))
}

/// What a tag names: its first line, as git writes and reads it. Elsewhere it would be text that
/// a signature may not cover.
fn target(tag: &[u8]) -> Option<ObjectId> {
    let mut lines = tag.split(|byte| *byte == b'\n');
    let target = lines.next()?.strip_prefix(b"object ")?;
    lines.next()?.strip_prefix(b"type ")?;
    ObjectId::parse(target).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: &str = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";

    #[test]
    fn a_tag_names_its_target_in_its_first_line() {
        let read = |text: &str| target(text.as_bytes()).map(|id| id.to_string());
        let whole = format!("object {A}\ntype commit\ntag v1\n\nobject of a message\n");
        assert_eq!(read(&whole).as_deref(), Some(A));
        for bad in [
            String::new(),
            format!("object {A}"),
            format!("object {A}\ntag v1\n"),
            format!("object {A} \ntype commit\n"),
            format!("object {}\ntype commit\n", &A[1..]),
            format!("gpgsig x\nobject {A}\ntype commit\n"),
            format!("tag v1\nobject {A}\ntype commit\n"),
        ] {
            assert_eq!(read(&bad), None, "{bad:?}");
        }
    }
}
