//! Where commits go: the rules of branches and refspecs, and the texts about pushes.

use sluice_api::image::GitPush;
use sluice_api::source::GitCheckoutReference;
use sluice_git::DEFAULT_BRANCH;

/// Number of characters of a commit in texts.
const SHORT_ID: usize = 7;

/// The push configuration is invalid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InvalidPush {
    /// The refspec deletes a branch. The object stalls with `InvalidSourceConfiguration`.
    #[error("push refspec must not specify a deletion: invalid source configuration")]
    Deletion,
    /// The refspec forces. The object stalls with `InvalidSourceConfiguration`.
    #[error("push refspec must not specify a force update: invalid source configuration")]
    Force,
    /// The refspec has characters that a reference cannot have. The object stalls with
    /// `InvalidSourceConfiguration`.
    #[error("push refspec '{0}' must be [SOURCE:]DESTINATION: invalid source configuration")]
    Refspec(String),
    /// The source of the refspec is not the pushed commit. The object stalls with
    /// `InvalidSourceConfiguration`.
    #[error(
        "push refspec '{0}' must have the push branch '{1}' as its source: invalid source configuration"
    )]
    RefspecSource(String, String),
    /// The branch cannot be a branch. The object stalls with `InvalidSourceConfiguration`.
    #[error("'{0}' is not a valid branch: invalid source configuration")]
    Branch(String),
    /// A push option contains a byte that the protocol cannot carry. The object stalls with
    /// `InvalidSourceConfiguration`.
    #[error("push option '{0}' contains a control character: invalid source configuration")]
    Option(String),
    /// A branch is missing. The reason is `SourceManagerFailed`.
    #[error(
        "push spec not provided, and cannot be inferred from .spec.git.checkout.ref or GitRepository .spec.ref"
    )]
    NoBranch,
}

impl InvalidPush {
    /// Reports whether the object stalls.
    pub const fn is_stalling(&self) -> bool {
        !matches!(self, Self::NoBranch)
    }
}

/// The targets of a push.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PushTarget {
    /// The branch. It is pushed first.
    pub branch: String,
    /// The branch is not that of the checkout, so a full sync is needed.
    pub is_switched: bool,
    /// The refspec that is pushed after the branch. It is never forced.
    pub refspec: Option<String>,
    /// Options for the server.
    pub options: Vec<(String, String)>,
}

impl PushTarget {
    /// Determines the targets from the spec and the reference of the checkout.
    pub fn of(
        push: Option<&GitPush>,
        checkout: Option<&GitCheckoutReference>,
    ) -> Result<Self, InvalidPush> {
        let set = |text: Option<&String>| text.filter(|text| !text.is_empty()).cloned();
        let refspec = push.and_then(|push| set(push.refspec.as_ref()));
        if let Some(refspec) = &refspec {
            check_refspec(refspec)?;
        }
        let mut options = Vec::new();
        for (key, value) in push.into_iter().flat_map(|push| &push.options) {
            if key.contains(char::is_control) || value.contains(char::is_control) {
                return Err(InvalidPush::Option(key.escape_default().to_string()));
            }
            options.push((key.clone(), value.clone()));
        }
        let checked_out = checkout.and_then(|checkout| set(checkout.branch.as_ref()));
        let (branch, is_switched) = match push.and_then(|push| set(push.branch.as_ref())) {
            Some(branch) => {
                let current = match checkout {
                    Some(_) => checked_out.unwrap_or_default(),
                    None => DEFAULT_BRANCH.to_owned(),
                };
                let is_switched = branch != current;
                (branch, is_switched)
            }
            None => (checked_out.ok_or(InvalidPush::NoBranch)?, false),
        };
        if !is_reference(&branch) {
            return Err(InvalidPush::Branch(branch));
        }
        if let Some(refspec) = &refspec {
            let source = refspec.split(':').next().unwrap_or_default();
            let is_pushed = source == "HEAD"
                || source == branch
                || source.strip_prefix("refs/heads/") == Some(&*branch);
            if !is_pushed {
                return Err(InvalidPush::RefspecSource(refspec.clone(), branch));
            }
        }
        Ok(Self {
            branch,
            is_switched,
            refspec,
            options,
        })
    }

    /// Reports whether each run needs a clone, even of an unchanged remote.
    pub const fn needs_full_sync(&self) -> bool {
        self.is_switched || self.refspec.is_some()
    }

    /// Returns the full name of the reference that the refspec updates.
    pub fn refspec_destination(&self) -> Option<String> {
        let refspec = self.refspec.as_deref()?;
        let (_, destination) = refspec.split_once(':').unwrap_or((refspec, refspec));
        Some(if destination.starts_with("refs/") {
            destination.to_owned()
        } else {
            format!("refs/heads/{destination}")
        })
    }

    /// Returns the message of a pushed commit.
    pub fn summary(&self, commit: &str, message: &str) -> String {
        let short = commit.get(..SHORT_ID).unwrap_or(commit);
        let mut text = format!("pushed commit '{short}' to branch '{}'", self.branch);
        if let Some(refspec) = &self.refspec {
            text = format!("{text} and refspecs '{refspec}'");
        }
        if !message.is_empty() {
            text = format!("{text}\n{message}");
        }
        text
    }
}

fn check_refspec(refspec: &str) -> Result<(), InvalidPush> {
    if refspec.starts_with(':') {
        return Err(InvalidPush::Deletion);
    }
    if refspec.starts_with('+') {
        return Err(InvalidPush::Force);
    }
    let mut parts = refspec.split(':');
    let source = parts.next().unwrap_or_default();
    let destination = parts.next().unwrap_or(source);
    let is_valid = parts.next().is_none() && is_reference(source) && is_gerrit(destination);
    if is_valid {
        Ok(())
    } else {
        Err(InvalidPush::Refspec(refspec.escape_default().to_string()))
    }
}

/// Gerrit appends options behind `%` to a destination: `refs/for/main%topic=x`.
fn is_gerrit(destination: &str) -> bool {
    let name = destination.split('%').next().unwrap_or_default();
    is_reference(name) && !destination.contains(is_forbidden)
}

/// Reports whether a text can name a reference, by the rules of `git check-ref-format`.
fn is_reference(name: &str) -> bool {
    let is_part = |part: &str| {
        !part.is_empty()
            && !part.starts_with('.')
            && part.strip_suffix(".lock").is_none()
            && !part.ends_with('.')
    };
    !name.is_empty()
        && name != "@"
        && !name.starts_with('-')
        && !name.contains("..")
        && !name.contains("@{")
        && !name.contains(is_forbidden)
        && name.split('/').all(is_part)
}

fn is_forbidden(character: char) -> bool {
    character.is_control() || matches!(character, ' ' | '~' | '^' | ':' | '?' | '*' | '[' | '\\')
}

/// The author of commits is invalid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{field} of the commit author must not contain '<', '>' or control characters")]
pub struct InvalidAuthor {
    field: &'static str,
}

/// Checks name and email of an author: either would break the header of a commit.
pub fn check_author(name: &str, email: &str) -> Result<(), InvalidAuthor> {
    for (field, text) in [("name", name), ("email", email)] {
        if text.contains(['<', '>']) || text.contains(char::is_control) {
            return Err(InvalidAuthor { field });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn push(branch: &str, refspec: &str) -> GitPush {
        GitPush {
            branch: Some(branch.to_owned()),
            refspec: Some(refspec.to_owned()),
            ..GitPush::default()
        }
    }

    fn checkout(branch: &str) -> GitCheckoutReference {
        GitCheckoutReference {
            branch: (!branch.is_empty()).then(|| branch.to_owned()),
            ..GitCheckoutReference::default()
        }
    }

    /// The rules are those of the reference's `configurePush`.
    #[test]
    fn push_branch_follows_the_checkout() {
        let no_branch = InvalidPush::NoBranch.to_string();
        for (push, checkout, expected) in [
            (None, Some(checkout("main")), Ok(("main", false))),
            (
                Some(push("", "")),
                Some(checkout("main")),
                Ok(("main", false)),
            ),
            (
                Some(push("main", "")),
                Some(checkout("main")),
                Ok(("main", false)),
            ),
            (
                Some(push("auto", "")),
                Some(checkout("main")),
                Ok(("auto", true)),
            ),
            // A checkout by tag or commit has no branch.
            (
                Some(push("main", "")),
                Some(checkout("")),
                Ok(("main", true)),
            ),
            (Some(push("master", "")), None, Ok(("master", false))),
            (Some(push("main", "")), None, Ok(("main", true))),
            (None, Some(checkout("")), Err(&no_branch)),
            (None, None, Err(&no_branch)),
        ] {
            let target = PushTarget::of(push.as_ref(), checkout.as_ref());
            let target = target.as_ref();
            let found = target.map(|target| (target.branch.as_str(), target.is_switched));
            let found = found.map_err(ToString::to_string);
            assert_eq!(
                found,
                expected.map_err(ToOwned::to_owned),
                "{push:?} {checkout:?}"
            );
        }
    }

    #[test]
    fn refspec_cannot_delete_or_force() {
        let main = checkout("main");
        for (refspec, message) in [
            (
                ":refs/heads/main",
                "push refspec must not specify a deletion: invalid source configuration",
            ),
            (
                "+refs/heads/main:refs/heads/auto",
                "push refspec must not specify a force update: invalid source configuration",
            ),
            (
                "refs/heads/*:refs/heads/*",
                "push refspec 'refs/heads/*:refs/heads/*' must be [SOURCE:]DESTINATION: invalid source configuration",
            ),
            (
                "a:b:c",
                "push refspec 'a:b:c' must be [SOURCE:]DESTINATION: invalid source configuration",
            ),
            (
                "main:",
                "push refspec 'main:' must be [SOURCE:]DESTINATION: invalid source configuration",
            ),
        ] {
            let error = PushTarget::of(Some(&push("", refspec)), Some(&main)).unwrap_err();
            assert_eq!(error.to_string(), message);
            assert!(error.is_stalling());
        }
        for refspec in [
            "refs/heads/main:refs/for/main",
            "refs/heads/main:refs/for/main%topic=x",
            "refs/heads/main",
            "main:refs/heads/auto",
        ] {
            let target = PushTarget::of(Some(&push("", refspec)), Some(&main)).unwrap();
            assert_eq!(target.refspec.as_deref(), Some(refspec));
            assert!(target.needs_full_sync());
        }
    }

    #[test]
    fn unsafe_branches_and_options_are_rejected() {
        for branch in [
            "-x", "a..b", "a b", "a\nb", "/a", "a/", "a.lock", "@", "a:b", ".a", "a@{1}",
        ] {
            let error = PushTarget::of(Some(&push(branch, "")), None).unwrap_err();
            assert_eq!(error, InvalidPush::Branch(branch.to_owned()));
        }
        for (key, value, is_valid) in [
            ("merge_request.create", "", true),
            ("topic", "x", true),
            ("a\0b", "x", false),
            ("a", "x\ny", false),
        ] {
            let mut push = push("main", "");
            push.options.insert(key.to_owned(), value.to_owned());
            let target = PushTarget::of(Some(&push), None);
            assert_eq!(target.is_ok(), is_valid, "{key:?}");
        }
    }

    #[test]
    fn refspec_pushes_only_the_new_commit() {
        for (refspec, destination) in [
            ("main:refs/for/main%topic=x", Ok("refs/for/main%topic=x")),
            ("refs/heads/main:refs/heads/prod", Ok("refs/heads/prod")),
            ("HEAD:prod", Ok("refs/heads/prod")),
            ("refs/heads/main", Ok("refs/heads/main")),
            (
                "other:refs/heads/prod",
                Err(
                    "push refspec 'other:refs/heads/prod' must have the push branch 'main' as its source: invalid source configuration",
                ),
            ),
        ] {
            let target = PushTarget::of(Some(&push("main", refspec)), None);
            let found = target.map(|target| target.refspec_destination().unwrap());
            let found = found.map_err(|error| error.to_string());
            assert_eq!(found.as_deref().map_err(String::as_str), destination);
        }
    }

    #[test]
    fn summary_has_the_text_of_the_reference() {
        let main = checkout("main");
        let commit = "0123456789abcdef0123456789abcdef01234567";
        let target = PushTarget::of(None, Some(&main)).unwrap();
        assert_eq!(
            target.summary(commit, "Update\n\nbody"),
            "pushed commit '0123456' to branch 'main'\nUpdate\n\nbody"
        );
        let target = PushTarget::of(Some(&push("auto", "auto:refs/for/b")), Some(&main)).unwrap();
        assert_eq!(
            target.summary("012", ""),
            "pushed commit '012' to branch 'auto' and refspecs 'auto:refs/for/b'"
        );
    }

    #[test]
    fn author_cannot_break_the_header() {
        assert_eq!(check_author("Flux", "flux@example.com"), Ok(()));
        assert_eq!(check_author("", ""), Ok(()));
        for (name, email, field) in [
            ("a\nparent b", "", "name"),
            ("a", "b> 0 +0000", "email"),
            ("<", "", "name"),
        ] {
            assert_eq!(check_author(name, email), Err(InvalidAuthor { field }));
        }
    }
}
