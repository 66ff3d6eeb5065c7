//! Which commit of a repository is meant: names, their rules, and their choice
//! among what a remote has.
//!
//! Pure. Which field of an object wins over which is the controller's business;
//! here a [`Reference`] is already one of the kinds.

use sluice_golang::semver::{Constraint, Version};

use crate::error::{Error, Result, is_hidden, printable};
use crate::id::ObjectId;

/// Longest name that is taken or asked for.
const MAX_NAME: usize = 1024;

/// What a user asks for.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Reference {
    /// The head of a branch, by short name.
    Branch(String),
    /// A tag, by short name; annotated tags are peeled.
    Tag(String),
    /// The tag with the highest version within a range; annotated tags are peeled.
    Semver(String),
    /// Any reference, by full name; a `^{}` at its end says what is done anyway.
    Name(String),
    /// One commit.
    Commit {
        /// The commit itself.
        id: ObjectId,
        /// A branch whose history must hold it.
        branch: Option<String>,
        /// A full name that only goes into the revision.
        name: Option<String>,
    },
}

impl Reference {
    /// Refuses names that are none by git's rules, and those that a command line
    /// would read as options.
    pub fn validate(&self) -> Result<()> {
        match self {
            Self::Branch(name) | Self::Tag(name) => validate(name, name),
            Self::Semver(range) => constraint(range).map(drop),
            Self::Name(name) => validate(name, peelless(name)),
            Self::Commit { branch, name, .. } => {
                if let Some(branch) = branch {
                    validate(branch, branch)?;
                }
                name.as_ref()
                    .map_or(Ok(()), |name| validate(name, peelless(name)))
            }
        }
    }

    /// The full name to ask a remote for; a commit without a branch needs none, and a range
    /// has many.
    pub fn full_name(&self) -> Option<String> {
        match self {
            Self::Branch(name) => Some(format!("refs/heads/{name}")),
            Self::Tag(name) => Some(format!("refs/tags/{name}")),
            Self::Semver(_) => None,
            Self::Name(name) => Some(peelless(name).to_owned()),
            Self::Commit { branch, .. } => {
                branch.as_ref().map(|branch| format!("refs/heads/{branch}"))
            }
        }
    }

    /// What stands before `@` in a revision; for a range, that is known only once a remote
    /// was asked.
    pub fn label(&self) -> Option<&str> {
        match self {
            Self::Semver(_) => None,
            Self::Branch(name) | Self::Tag(name) | Self::Name(name) => Some(name),
            Self::Commit { branch, name, .. } => name.as_deref().or(branch.as_deref()),
        }
    }

    /// The revision, when no remote needs to be asked for it.
    pub fn pinned_revision(&self) -> Option<String> {
        match self {
            Self::Commit { id, .. } => Some(revision(self.label(), *id)),
            _ => None,
        }
    }

    /// Picks the reference out of what a remote has; `None` when it is not there
    /// or, for a commit without a branch, when there is nothing to pick.
    pub fn select(&self, refs: &Refs) -> Option<Resolved> {
        let found = refs.find(&self.full_name()?)?;
        let commit = match self {
            Self::Commit { id, .. } => *id,
            _ => found.commit(),
        };
        Some(Resolved {
            label: self.label().map(str::to_owned),
            want: if matches!(self, Self::Commit { .. }) {
                commit
            } else {
                found.target
            },
            commit,
            rivals: Vec::new(),
        })
    }
}

/// The directory of tags, as a prefix of their full names.
pub(crate) const TAGS: &str = "refs/tags/";

fn constraint(range: &str) -> Result<Constraint> {
    Constraint::parse(range).map_err(|source| Error::InvalidRange {
        range: printable(range.as_bytes()),
        source,
    })
}

/// Picks the highest version within a range out of the tags of a remote. Tags of one and the
/// same precedence are rivals.
pub(crate) fn highest(range: &str, refs: &Refs) -> Result<Resolved> {
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
    // By name, so that rivals that no time tells apart are told apart all the same.
    best.sort_by(|(one, _), (two, _)| one.original().cmp(two.original()));
    let mut resolved = best.into_iter().map(|(version, tag)| Resolved {
        label: Some(version.original().to_owned()),
        want: tag.target,
        commit: tag.commit(),
        rivals: Vec::new(),
    });
    let last = resolved.next_back().ok_or_else(|| Error::NoVersion {
        range: printable(range.as_bytes()),
    })?;
    Ok(Resolved {
        rivals: resolved.collect(),
        ..last
    })
}

/// The full name without the suffix that asks to peel it.
fn peelless(name: &str) -> &str {
    name.strip_suffix("^{}").unwrap_or(name)
}

/// Formats a revision: `main@sha1:<hex>`, or `sha1:<hex>` without a label.
pub fn revision(label: Option<&str>, commit: ObjectId) -> String {
    label.map_or_else(
        || format!("sha1:{commit}"),
        |label| format!("{label}@sha1:{commit}"),
    )
}

/// The commit of a revision in any form that was ever written: `main@sha1:<hex>`,
/// `sha1:<hex>`, `main/<hex>`, `HEAD/<hex>` and the bare hex.
pub fn revision_commit(revision: &str) -> Option<ObjectId> {
    let hex = match revision.rsplit_once(':') {
        Some((head, hex)) if head == "sha1" || head.ends_with("@sha1") => hex,
        Some(_) => return None,
        None => revision.rsplit('/').next().unwrap_or(revision),
    };
    hex.parse().ok()
}

/// Git's own rules for names (`git check-ref-format`), and ours on top.
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

/// One reference of a remote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RemoteRef {
    /// Full name.
    pub name: String,
    /// What it points at: a commit, or a tag object.
    pub target: ObjectId,
    /// What the tag object leads to: the server's word, until the tag is here.
    pub peeled: Option<ObjectId>,
    /// The reference it is an alias of.
    pub symbolic: Option<String>,
}

impl RemoteRef {
    /// The commit it leads to.
    pub fn commit(&self) -> ObjectId {
        self.peeled.unwrap_or(self.target)
    }
}

/// References of a remote, as far as they were asked for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Refs(pub Vec<RemoteRef>);

/// The full names that a short one may have. Of those that exist, the first is
/// meant: git's own order, in which a tag comes before a branch.
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
    /// Finds a reference by a name that may be short.
    pub fn find_short(&self, name: &str) -> Option<&RemoteRef> {
        full_names(name).iter().find_map(|name| self.find(name))
    }

    /// Finds a reference by full name.
    pub fn find(&self, name: &str) -> Option<&RemoteRef> {
        self.0.iter().find(|reference| reference.name == name)
    }
}

/// A reference and the commit that it meant when the remote was asked.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Resolved {
    /// What stands before `@` in the revision.
    pub label: Option<String>,
    /// What to ask the remote for: the commit, or the tag object before it.
    pub want: ObjectId,
    /// The commit. Where a tag object is before it, that is the server's word: a
    /// [`crate::Store`] takes it only if the tag says so, too.
    pub commit: ObjectId,
    /// Other tags of the same version, told apart by build metadata only. Which of them is
    /// meant is known once their commits are here: see [`crate::Store::settle`].
    pub rivals: Vec<Self>,
}

impl Resolved {
    /// `main@sha1:<hex>`, or `sha1:<hex>`.
    pub fn revision(&self) -> String {
        revision(self.label.as_deref(), self.commit)
    }

    /// The tag object before the commit.
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

    #[test]
    fn each_kind_of_reference_gives_its_revision() {
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
    fn a_range_picks_the_highest_tag_and_knows_its_rivals() {
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
        assert_eq!(tied.rivals.len(), 1);
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
    fn an_annotated_tag_is_asked_for_as_the_tag_object() {
        let resolved = Reference::Tag("v1".into()).select(&remote()).unwrap();
        assert_eq!((resolved.want, resolved.commit), (id('c'), id('d')));
    }

    #[test]
    fn names_that_git_would_not_take_are_refused() {
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
    fn every_form_of_a_revision_is_understood() {
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
