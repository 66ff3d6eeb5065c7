//! Reference names, their rules, and the selection of a reference from a remote's list.
//!
//! This module does no I/O.

use sluice_golang::semver::{Constraint, Version};

use crate::error::{Error, Result, is_hidden, printable};
use crate::id::ObjectId;

/// Maximum length of a name.
const MAX_NAME: usize = 1024;
/// The branch without a reference.
pub const DEFAULT_BRANCH: &str = "master";

/// The fields of a reference in an object. One of them takes effect.
#[derive(Debug, Clone, Copy, Default)]
pub struct ReferenceFields<'f> {
    /// A branch, by short name.
    pub branch: Option<&'f str>,
    /// A tag, by short name.
    pub tag: Option<&'f str>,
    /// A range of versions.
    pub semver: Option<&'f str>,
    /// A full name.
    pub name: Option<&'f str>,
    /// The ID of a commit.
    pub commit: Option<&'f str>,
}

/// A reference in a specification.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Reference {
    /// A branch, by short name.
    Branch(String),
    /// A tag, by short name. Annotated tags are peeled.
    Tag(String),
    /// The tag with the highest version in a range. Annotated tags are peeled.
    Semver(String),
    /// Any reference, by full name. A trailing `^{}` is allowed, because tags are always peeled.
    Name(String),
    /// A commit.
    Commit {
        /// The commit ID.
        id: ObjectId,
        /// A branch that must contain the commit.
        branch: Option<String>,
        /// A full name, which is only used in the revision.
        name: Option<String>,
    },
}

impl Reference {
    /// Picks the effective field, and validates it.
    ///
    /// Parity: fluxcd/pkg: git/gogit/client.go. There a tag takes precedence over a range, contrary
    /// to the documentation. The deployed revision must not change with the controller.
    pub fn pick(fields: ReferenceFields<'_>) -> Result<Self> {
        let owned = |text: Option<&str>| text.map(str::to_owned);
        let picked = match fields {
            ReferenceFields {
                commit: Some(commit),
                ..
            } => Self::Commit {
                id: ObjectId::parse(commit.as_bytes()).map_err(|_| Error::InvalidReference {
                    name: printable(commit.as_bytes()),
                    reason: "a commit is 40 hexadecimal digits",
                })?,
                branch: owned(fields.branch),
                name: owned(fields.name),
            },
            ReferenceFields {
                name: Some(name), ..
            } => Self::Name(name.to_owned()),
            ReferenceFields { tag: Some(tag), .. } => Self::Tag(tag.to_owned()),
            ReferenceFields {
                semver: Some(range),
                ..
            } => Self::Semver(range.to_owned()),
            ReferenceFields { branch, .. } => {
                Self::Branch(branch.unwrap_or(DEFAULT_BRANCH).to_owned())
            }
        };
        picked.validate()?;
        Ok(picked)
    }

    /// Rejects names that are invalid in git, and names that a command line would read as options.
    pub fn validate(&self) -> Result<()> {
        match self {
            Self::Branch(name) | Self::Tag(name) => validate(name, name),
            Self::Semver(range) => constraint(range).map(drop),
            Self::Name(name) => validate(name, strip_peel_suffix(name)),
            Self::Commit { branch, name, .. } => {
                if let Some(branch) = branch {
                    validate(branch, branch)?;
                }
                name.as_ref()
                    .map_or(Ok(()), |name| validate(name, strip_peel_suffix(name)))
            }
        }
    }

    /// The full name to request. `None` for a range, and for a commit without a branch.
    pub fn full_name(&self) -> Option<String> {
        match self {
            Self::Branch(name) => Some(format!("refs/heads/{name}")),
            Self::Tag(name) => Some(format!("refs/tags/{name}")),
            Self::Semver(_) => None,
            Self::Name(name) => Some(strip_peel_suffix(name).to_owned()),
            Self::Commit { branch, .. } => {
                branch.as_ref().map(|branch| format!("refs/heads/{branch}"))
            }
        }
    }

    /// The part before `@` in a revision. `None` for a range before it is resolved.
    pub fn label(&self) -> Option<&str> {
        match self {
            Self::Semver(_) => None,
            Self::Branch(name) | Self::Tag(name) | Self::Name(name) => Some(name),
            Self::Commit { branch, name, .. } => name.as_deref().or(branch.as_deref()),
        }
    }

    /// The revision, if it is known without a request.
    pub fn pinned_revision(&self) -> Option<String> {
        match self {
            Self::Commit { id, .. } => Some(revision(self.label(), *id)),
            _ => None,
        }
    }

    /// Selects the reference from a remote's list. Returns `None` if it is missing, and for a
    /// commit without a branch.
    pub fn select(&self, refs: &Refs) -> Option<ResolvedReference> {
        let found = refs.find(&self.full_name()?)?;
        let commit = match self {
            Self::Commit { id, .. } => *id,
            _ => found.commit(),
        };
        Some(ResolvedReference {
            label: self.label().map(str::to_owned),
            want: if matches!(self, Self::Commit { .. }) {
                commit
            } else {
                found.target
            },
            commit,
            ties: Vec::new(),
        })
    }
}

/// The prefix of the full names of tags.
pub(crate) const TAGS: &str = "refs/tags/";

fn constraint(range: &str) -> Result<Constraint> {
    Constraint::parse(range).map_err(|source| Error::InvalidRange {
        range: printable(range.as_bytes()),
        source,
    })
}

/// Selects the tag with the highest version in a range. Tags with the same precedence are ties.
pub(crate) fn highest(range: &str, refs: &Refs) -> Result<ResolvedReference> {
    let constraint = constraint(range)?;
    let mut best: Vec<(Version, &RemoteRef)> = Vec::new();
    for tag in &refs.0 {
        let Some(name) = tag.name.strip_prefix(TAGS) else {
            continue;
        };
        let Ok(version) = Version::parse_tag(name) else {
            continue;
        };
        if !constraint.matches(&version) {
            continue;
        }
        match best.first().map(|(best, _)| version.cmp(best)) {
            Some(std::cmp::Ordering::Less) => {}
            Some(std::cmp::Ordering::Equal) => best.push((version, tag)),
            _ => best = vec![(version, tag)],
        }
    }
    // Sort by name, so that ties with equal commit times are resolved deterministically.
    best.sort_by(|(one, _), (two, _)| one.original().cmp(two.original()));
    let mut resolved = best.into_iter().map(|(version, tag)| ResolvedReference {
        label: Some(version.original().to_owned()),
        want: tag.target,
        commit: tag.commit(),
        ties: Vec::new(),
    });
    let last = resolved.next_back().ok_or_else(|| Error::NoVersion {
        range: printable(range.as_bytes()),
    })?;
    Ok(ResolvedReference {
        ties: resolved.collect(),
        ..last
    })
}

/// The full name without the peel suffix.
fn strip_peel_suffix(name: &str) -> &str {
    name.strip_suffix("^{}").unwrap_or(name)
}

/// Formats a revision: `main@sha1:<hex>`, or `sha1:<hex>` without a label.
pub fn revision(label: Option<&str>, commit: ObjectId) -> String {
    label.map_or_else(
        || format!("sha1:{commit}"),
        |label| format!("{label}@sha1:{commit}"),
    )
}

/// Extracts the commit from a revision in any form of past and current versions: `main@sha1:<hex>`,
/// `sha1:<hex>`, `main/<hex>`, `HEAD/<hex>` and the bare hex.
pub fn revision_commit(revision: &str) -> Option<ObjectId> {
    let hex = match revision.rsplit_once(':') {
        Some((head, hex)) if head == "sha1" || head.ends_with("@sha1") => hex,
        Some(_) => return None,
        None => revision.rsplit('/').next().unwrap_or(revision),
    };
    hex.parse().ok()
}

/// Checks the rules of `git check-ref-format`, and additional ones.
fn validate(given: &str, name: &str) -> Result<()> {
    let reason = if name.is_empty() {
        "it is empty"
    } else if name.len() > MAX_NAME {
        "it is longer than 1024 bytes"
    } else if name.starts_with('-') {
        "it begins with '-'"
    } else if name.chars().any(is_hidden) {
        "it contains control characters"
    } else if name.starts_with('/') || name.ends_with('/') || name.contains("//") {
        "it begins or ends with '/', or has an empty part"
    } else if name.contains([' ', '~', '^', ':', '?', '*', '[', '\\']) {
        "it contains one of the characters ' ~^:?*[\\'"
    } else if name.contains("..") || name.contains("@{") || name == "@" {
        "it contains '..' or '@{', or is '@'"
    } else if name.ends_with('.')
        || name.split('/').any(|part| {
            part.starts_with('.')
                || std::path::Path::new(part)
                    .extension()
                    .is_some_and(|e| e == "lock")
        })
    {
        "a part of it begins with '.' or ends with '.lock', or it ends with '.'"
    } else {
        return Ok(());
    };
    Err(Error::InvalidReference {
        name: printable(given.as_bytes()),
        reason,
    })
}

/// A reference of a remote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RemoteRef {
    /// The full name.
    pub name: String,
    /// The target: a commit or a tag object.
    pub target: ObjectId,
    /// The peeled target of a tag, as claimed by the server. The store verifies it.
    pub peeled: Option<ObjectId>,
    /// The target of a symbolic reference.
    pub symbolic: Option<String>,
}

impl RemoteRef {
    /// The commit, after peeling.
    pub fn commit(&self) -> ObjectId {
        self.peeled.unwrap_or(self.target)
    }
}

/// References of a remote.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Refs(pub Vec<RemoteRef>);

/// The full names that a short name may stand for. Like in git, the first existing one wins, so
/// tags come before branches.
pub(crate) fn full_names(short: &str) -> [String; 6] {
    [
        short.to_owned(),
        format!("refs/{short}"),
        format!("refs/tags/{short}"),
        format!("refs/heads/{short}"),
        format!("refs/remotes/{short}"),
        format!("refs/remotes/{short}/HEAD"),
    ]
}

impl Refs {
    /// Finds a reference by full or short name.
    pub fn find_short(&self, name: &str) -> Option<&RemoteRef> {
        full_names(name).iter().find_map(|name| self.find(name))
    }

    /// Finds a reference by full name.
    pub fn find(&self, name: &str) -> Option<&RemoteRef> {
        self.0.iter().find(|reference| reference.name == name)
    }
}

/// A reference and its commit at the time of the request.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ResolvedReference {
    /// The part before `@` in the revision.
    pub label: Option<String>,
    /// The object to request: the commit, or the tag object.
    pub want: ObjectId,
    /// The commit. If there is a tag object, the server only claims this. The [`crate::Store`]
    /// verifies it.
    pub commit: ObjectId,
    /// Other tags of the same version that differ only in build metadata.
    /// [`crate::Store::break_tie`] selects one by commit time.
    pub ties: Vec<Self>,
}

impl ResolvedReference {
    /// `main@sha1:<hex>`, or `sha1:<hex>`.
    pub fn revision(&self) -> String {
        revision(self.label.as_deref(), self.commit)
    }

    /// The tag object, if there is one.
    pub(crate) fn tag(&self) -> Option<ObjectId> {
        (self.want != self.commit).then_some(self.want)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(digit: char) -> ObjectId {
        digit.to_string().repeat(40).parse().unwrap()
    }

    fn remote() -> Refs {
        let reference = |name: &str, target, peeled| RemoteRef {
            name: name.to_owned(),
            target,
            peeled,
            symbolic: None,
        };
        Refs(vec![
            reference("HEAD", id('a'), None),
            reference("refs/heads/main", id('a'), None),
            reference("refs/tags/light", id('b'), None),
            reference("refs/tags/v1", id('c'), Some(id('d'))),
        ])
    }

    /// Parity: fluxcd/pkg: git/gogit/client.go.
    #[test]
    fn effective_field_is_commit_name_tag_range_or_branch() {
        let hex = "e".repeat(40);
        let mut fields = ReferenceFields {
            branch: Some("main"),
            tag: Some("v1"),
            semver: Some(">1"),
            name: Some("refs/pull/1/head"),
            commit: Some(&hex),
        };
        let picked = |fields| Reference::pick(fields).unwrap();
        let commit = Reference::Commit {
            id: id('e'),
            branch: Some("main".to_owned()),
            name: Some("refs/pull/1/head".to_owned()),
        };
        assert_eq!(picked(fields), commit);
        fields.commit = None;
        assert_eq!(picked(fields), Reference::Name("refs/pull/1/head".into()));
        fields.name = None;
        assert_eq!(picked(fields), Reference::Tag("v1".into()));
        fields.tag = None;
        assert_eq!(picked(fields), Reference::Semver(">1".into()));
        fields.semver = None;
        assert_eq!(picked(fields), Reference::Branch("main".into()));
        let default = picked(ReferenceFields::default());
        assert_eq!(default, Reference::Branch("master".into()));
    }

    #[test]
    fn invalid_commit_is_named_in_the_error() {
        let fields = ReferenceFields {
            commit: Some("x"),
            ..ReferenceFields::default()
        };
        let message = Reference::pick(fields).unwrap_err().to_string();
        assert_eq!(
            message,
            "invalid Git reference 'x': a commit is 40 hexadecimal digits"
        );
    }

    #[test]
    fn reference_kinds_have_revisions() {
        let hex = |digit: char| digit.to_string().repeat(40);
        let pinned = |branch: Option<&str>, name: Option<&str>| Reference::Commit {
            id: id('e'),
            branch: branch.map(str::to_owned),
            name: name.map(str::to_owned),
        };
        let cases = [
            (
                Reference::Branch("main".into()),
                format!("main@sha1:{}", hex('a')),
            ),
            (
                Reference::Tag("light".into()),
                format!("light@sha1:{}", hex('b')),
            ),
            (Reference::Tag("v1".into()), format!("v1@sha1:{}", hex('d'))),
            (
                Reference::Name("refs/tags/v1^{}".into()),
                format!("refs/tags/v1^{{}}@sha1:{}", hex('d')),
            ),
            (
                Reference::Name("HEAD".into()),
                format!("HEAD@sha1:{}", hex('a')),
            ),
            (
                pinned(Some("main"), None),
                format!("main@sha1:{}", hex('e')),
            ),
        ];
        for (reference, expected) in cases {
            reference.validate().unwrap();
            let resolved = reference.select(&remote()).unwrap();
            assert_eq!(resolved.revision(), expected);
        }
        assert_eq!(
            pinned(None, None).pinned_revision(),
            Some(format!("sha1:{}", hex('e')))
        );
        assert_eq!(
            pinned(Some("main"), Some("refs/pull/1/head")).pinned_revision(),
            Some(format!("refs/pull/1/head@sha1:{}", hex('e')))
        );
        assert_eq!(Reference::Branch("gone".into()).select(&remote()), None);
    }

    #[test]
    fn range_selects_highest_tag_and_ties() {
        let tag = |name: &str, digit, peeled| RemoteRef {
            name: format!("refs/tags/{name}"),
            target: id(digit),
            peeled,
            symbolic: None,
        };
        let refs = Refs(vec![
            tag("1.0.0", 'a', None),
            tag("v1.2.0", 'b', Some(id('c'))),
            tag("1.2", 'd', None),
            tag("2.0.0-rc.1", 'e', None),
            tag("0.9.0+one", 'f', None),
            tag("0.9.0+two", 'd', None),
            tag("latest", 'a', None),
        ]);
        let pick = |range: &str| highest(range, &refs);
        let resolved = pick("1.x").unwrap();
        assert_eq!(resolved.label.as_deref(), Some("v1.2.0"));
        assert_eq!((resolved.want, resolved.commit), (id('b'), id('c')));
        assert_eq!(
            pick(">=1.0.0-0").unwrap().label.as_deref(),
            Some("2.0.0-rc.1")
        );
        let tied = pick("<1").unwrap();
        assert_eq!(tied.label.as_deref(), Some("0.9.0+two"));
        assert_eq!(tied.ties.len(), 1);
        assert_eq!(
            pick(">3").unwrap_err().to_string(),
            "no match found for semver: >3"
        );
        let error = pick("1.x || b").unwrap_err();
        assert_eq!(
            error.to_string(),
            "semver parse error: improper constraint: \" b\" (at byte 8 of '1.x || b')"
        );
    }

    #[test]
    fn annotated_tag_is_requested_as_tag_object() {
        let resolved = Reference::Tag("v1".into()).select(&remote()).unwrap();
        assert_eq!((resolved.want, resolved.commit), (id('c'), id('d')));
    }

    #[test]
    fn invalid_names_are_rejected() {
        let bad = [
            "",
            "-x",
            "--upload-pack=touch",
            "/main",
            "main/",
            "a//b",
            "a b",
            "a..b",
            "a~1",
            "a^",
            "a:b",
            "a?",
            "a*",
            "a[",
            "a\\b",
            "a@{0}",
            "@",
            ".a",
            "a/.b",
            "a.lock",
            "a.lock/b",
            "a.",
            "a\nb",
            "a\u{0}b",
            "a\u{202e}b",
        ];
        for name in bad {
            assert!(
                Reference::Branch(name.into()).validate().is_err(),
                "{name:?}"
            );
        }
        for name in ["main", "feature/x-1", "v1.0.0", "release-1.x", "@x", "ü"] {
            Reference::Branch(name.into()).validate().unwrap();
        }
        assert!(
            Reference::Name("refs/heads/main/".into())
                .validate()
                .is_err()
        );
        assert!(
            Reference::Name(format!("refs/heads/{}", "x".repeat(2000)))
                .validate()
                .is_err()
        );
    }

    #[test]
    fn all_revision_forms_are_parsed() {
        let hex = "a".repeat(40);
        for text in [
            format!("main@sha1:{hex}"),
            format!("sha1:{hex}"),
            format!("refs/heads/a/b@sha1:{hex}"),
            format!("feature/x/{hex}"),
            format!("HEAD/{hex}"),
            hex.clone(),
        ] {
            assert_eq!(revision_commit(&text), Some(id('a')), "{text}");
        }
        for text in ["", "main", "latest@sha256:00", "main@sha1:xyz"] {
            assert_eq!(revision_commit(text), None, "{text}");
        }
    }
}
