//! Verifies the target of a tag by the objects themselves.
//!
//! A server claims to which commit a tag leads. A signature of the tag covers only the commit that
//! the tag object names. So the chain of tags is followed through verified objects.

use git2::{ObjectType, Odb};

use crate::error::{Error, Result};
use crate::id::ObjectId;
use crate::libgit;
use crate::walk::object_error;

/// Maximum length of a chain of tags.
const MAX_TAGS: usize = 16;

/// Whether an object leads to a commit.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum TagCheck {
    /// The object leads to the commit.
    Matches,
    /// A tag object of the chain is missing.
    Missing(ObjectId),
    /// The object does not lead to the commit, for this reason.
    Mismatch(String),
}

/// Checks that the object `want` leads to `commit`. Tags larger than `limit` are an error.
pub(super) fn check_tag_target(
    odb: &Odb<'_>,
    want: ObjectId,
    commit: ObjectId,
    limit: u64,
) -> Result<TagCheck> {
    let mismatch = |why: &str| {
        let claim = format!("it says that object {want} leads to commit {commit}");
        Ok(TagCheck::Mismatch(format!("{claim}: {why}")))
    };
    let mut id = want;
    // One more iteration for the target of the last tag.
    for _ in 0..=MAX_TAGS {
        if id == commit {
            return Ok(TagCheck::Matches);
        }
        let Ok((size, kind)) = odb.read_header(id.oid()) else {
            return Ok(TagCheck::Missing(id));
        };
        if kind != ObjectType::Tag {
            return mismatch(&format!("it leads to {kind} {id}"));
        }
        if size as u64 > limit {
            let what = format!("object {id}");
            return Err(Error::Limit { what, limit });
        }
        let object = libgit::read_verified(odb, id.oid())
            .map_err(|error| object_error(id, &error.message()))?;
        match target(object.data()) {
            Some(target) => id = target,
            None => return mismatch(&format!("tag {id} is malformed")),
        }
    }
    mismatch(&format!("there are more than {MAX_TAGS} tags on the way"))
}

/// Reads the target from the first line, like git. In other places, it could be text that a
/// signature does not cover.
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
    fn tag_target_is_in_first_line() {
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
