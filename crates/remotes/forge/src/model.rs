//! Types that all hosts share.

use std::fmt;
use std::str::FromStr;

use sluice_dial::Sensitive;

/// The visibility of a repository.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Visibility {
    /// Everyone.
    Public,
    /// Everyone with an account.
    Internal,
    /// Members only.
    Private,
}

impl Visibility {
    /// Returns the name in the APIs.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Public => "public",
            Self::Internal => "internal",
            Self::Private => "private",
        }
    }

    pub(crate) fn read(text: &str) -> Option<Self> {
        match text {
            "public" => Some(Self::Public),
            "internal" => Some(Self::Internal),
            "private" => Some(Self::Private),
            _ => None,
        }
    }

    pub(crate) const fn of_private(is_private: bool) -> Self {
        if is_private {
            Self::Private
        } else {
            Self::Public
        }
    }
}

impl fmt::Display for Visibility {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Permissions for a repository, lowest first. The names are GitHub's, which Flux uses for all
/// hosts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Permission {
    /// Read.
    Pull,
    /// Read and manage issues.
    Triage,
    /// Read and write.
    Push,
    /// Write and change non-destructive settings.
    Maintain,
    /// Full access.
    Admin,
}

impl Permission {
    /// All permissions.
    pub const ALL: [Self; 5] = [
        Self::Pull,
        Self::Triage,
        Self::Push,
        Self::Maintain,
        Self::Admin,
    ];

    /// Returns the name in GitHub and Flux.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Pull => "pull",
            Self::Triage => "triage",
            Self::Push => "push",
            Self::Maintain => "maintain",
            Self::Admin => "admin",
        }
    }
}

impl fmt::Display for Permission {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The text is not a permission.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("permission is one of pull, triage, push, maintain, admin")]
pub struct UnknownPermission;

impl FromStr for Permission {
    type Err = UnknownPermission;

    fn from_str(text: &str) -> Result<Self, UnknownPermission> {
        let mut all = Self::ALL.into_iter();
        all.find(|one| one.as_str() == text)
            .ok_or(UnknownPermission)
    }
}

/// An existing repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repository {
    /// Owner in the API: user, organization, path of groups or project key.
    pub owner: String,
    /// Name in addresses.
    pub name: String,
    /// Visibility.
    pub visibility: Visibility,
    /// Whether it is archived and therefore read-only.
    pub is_archived: bool,
}

/// Options of a new repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewRepository {
    /// Visibility.
    pub visibility: Visibility,
    /// Default branch, on hosts that support it.
    pub default_branch: String,
}

/// Access of a team to a repository.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// No access of its own.
    None,
    /// A permission.
    Level(Permission),
    /// The permission of the team, on hosts without permissions per repository.
    OfTeam,
}

/// An existing deploy key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeployKey {
    /// Id on the host.
    pub id: u64,
    /// Title.
    pub title: String,
    /// Public key in OpenSSH format, with or without a comment.
    pub key: String,
    /// Whether it is read-only.
    pub is_read_only: bool,
}

/// A deploy key to create.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewDeployKey {
    /// Title, which is unique.
    pub title: String,
    /// Public key in OpenSSH format.
    pub key: String,
    /// Whether it is read-only.
    pub is_read_only: bool,
}

/// A deploy token for one repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeployToken {
    /// Id on the host.
    pub id: u64,
    /// Title.
    pub name: String,
    /// User name of the token.
    pub username: String,
    /// The token. Only set after creation.
    pub token: Option<Sensitive<String>>,
}

/// A pull request to open; a merge request on GitLab.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewProposal {
    /// Source branch.
    pub from: String,
    /// Target branch.
    pub into: String,
    /// Title in one line.
    pub title: String,
    /// Description.
    pub text: String,
}

/// An opened pull request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proposal {
    /// Id on the host.
    pub number: u64,
    /// Returns the address for a browser.
    pub url: String,
    /// State.
    pub state: ProposalState,
    /// Title.
    pub title: String,
    /// Description.
    pub text: String,
    /// Names of its labels.
    pub labels: Vec<String>,
    /// Whether the host reports that it merges the pull request once its checks pass.
    pub is_auto_merged: bool,
}

/// How a host merges a pull request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MergeMethod {
    /// With a merge commit.
    Merge,
    /// As one commit.
    Squash,
    /// By a rebase. GitLab uses the method of the project.
    Rebase,
}

impl MergeMethod {
    /// Returns the name in the APIs.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Merge => "merge",
            Self::Squash => "squash",
            Self::Rebase => "rebase",
        }
    }
}

impl FromStr for MergeMethod {
    type Err = UnknownMergeMethod;

    fn from_str(text: &str) -> Result<Self, UnknownMergeMethod> {
        let mut all = [Self::Merge, Self::Squash, Self::Rebase].into_iter();
        all.find(|one| one.as_str() == text)
            .ok_or(UnknownMergeMethod)
    }
}

/// The text is not a merge method.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("merge method is one of merge, squash, rebase")]
pub struct UnknownMergeMethod;

/// Returns the state of a pull request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProposalState {
    /// Open.
    Open,
    /// Merged.
    Merged,
    /// Closed without a merge.
    Closed,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn permission_round_trips() {
        for one in Permission::ALL {
            assert_eq!(one.to_string().parse(), Ok(one));
        }
        assert_eq!("write".parse::<Permission>(), Err(UnknownPermission));
        assert!(Permission::Pull < Permission::Admin);
    }
}
