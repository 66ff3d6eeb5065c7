//! Commits and their metadata.

use std::fmt;

use crate::id::ObjectId;
use crate::reference::revision;

/// A commit, and the reference that led to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Commit {
    /// The object ID.
    pub id: ObjectId,
    /// The part before `@` in the revision.
    pub label: Option<String>,
    /// The annotated tag object that points to it.
    pub tag: Option<ObjectId>,
    /// The root tree.
    pub tree: ObjectId,
    /// The parents, fetched or not.
    pub parents: Vec<ObjectId>,
    /// The author.
    pub author: Person,
    /// The committer.
    pub committer: Person,
    /// The message. Invalid UTF-8 is replaced.
    pub message: String,
}

impl Commit {
    /// `main@sha1:<hex>`, or `sha1:<hex>`.
    pub fn revision(&self) -> String {
        revision(self.label.as_deref(), self.id)
    }

    /// The first line of the message.
    pub fn subject(&self) -> &str {
        self.message.trim_start().lines().next().unwrap_or_default()
    }

    pub(crate) fn read(
        commit: &git2::Commit<'_>,
        label: Option<String>,
        tag: Option<ObjectId>,
    ) -> Self {
        Self {
            id: commit.id().into(),
            label,
            tag,
            tree: commit.tree_id().into(),
            parents: commit.parent_ids().map(Into::into).collect(),
            author: Person::read(&commit.author()),
            committer: Person::read(&commit.committer()),
            message: String::from_utf8_lossy(commit.message_bytes()).into_owned(),
        }
    }
}

/// A person and a time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Person {
    /// The name.
    pub name: String,
    /// The email address.
    pub email: String,
    /// Seconds since 1970, UTC.
    pub seconds: i64,
    /// The offset from UTC in minutes.
    pub offset_minutes: i32,
}

impl Person {
    fn read(signature: &git2::Signature<'_>) -> Self {
        Self {
            name: String::from_utf8_lossy(signature.name_bytes()).into_owned(),
            email: String::from_utf8_lossy(signature.email_bytes()).into_owned(),
            seconds: signature.when().seconds(),
            offset_minutes: signature.when().offset_minutes(),
        }
    }
}

impl fmt::Display for Person {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} <{}>", self.name, self.email)
    }
}
