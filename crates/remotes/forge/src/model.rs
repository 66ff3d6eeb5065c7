//! What hosts tell of and are told, in words that fit all of them.

use std::fmt;
use std::str::FromStr;

use sluice_dial::Sensitive;

/// Who may see a repository.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Visibility {
    /// Everybody.
    Public,
    /// Everybody who has an account.
    Internal,
    /// Those who were let in.
    Private,
}

impl Visibility {
    /// As the APIs spell it.
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

/// What somebody may do with a repository, the least first. The names are those of GitHub, which
/// Flux uses for all hosts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Permission {
    /// Read.
    Pull,
    /// Read, and handle issues.
    Triage,
    /// Read and write.
    Push,
    /// Write, and settings that destroy nothing.
    Maintain,
    /// Everything.
    Admin,
}

impl Permission {
    /// Every one.
    pub const ALL: [Self; 5] = [
        Self::Pull,
        Self::Triage,
        Self::Push,
        Self::Maintain,
        Self::Admin,
    ];

    /// As GitHub and Flux spell it.
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

/// A word that is no permission.
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

/// A repository that is there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repository {
    /// Whose it is, as the host addresses it: user, organization, path of groups or project key.
    pub owner: String,
    /// Its name in addresses.
    pub name: String,
    /// Who may see it.
    pub visibility: Visibility,
    /// Whether it can be read only, for good.
    pub is_archived: bool,
}

/// What a repository is to be like when it is made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewRepository {
    /// Who may see it.
    pub visibility: Visibility,
    /// The branch that `HEAD` is to be, where the host can be told.
    pub default_branch: String,
}

/// What a team may do with a repository.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Nothing that it was given for this repository.
    None,
    /// This.
    Level(Permission),
    /// What the team may do anywhere: the host has no levels for one repository.
    OfTeam,
}

/// A key that is there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeployKey {
    /// The host's number for it.
    pub id: u64,
    /// What it is called.
    pub title: String,
    /// In OpenSSH's form, with or without a comment.
    pub key: String,
    /// Whether it cannot push.
    pub is_read_only: bool,
}

/// A key that is to be there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewDeployKey {
    /// What it is called: one key of a name.
    pub title: String,
    /// In OpenSSH's form.
    pub key: String,
    /// Whether it cannot push.
    pub is_read_only: bool,
}

/// A token that opens one repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeployToken {
    /// The host's number for it.
    pub id: u64,
    /// What it is called.
    pub name: String,
    /// The user that it belongs to, by itself.
    pub username: String,
    /// The token, when it was just made.
    pub token: Option<Sensitive<String>>,
}

/// A proposal to be made: a pull request, or a merge request as GitLab has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewProposal {
    /// The branch with the change.
    pub from: String,
    /// The branch to change.
    pub into: String,
    /// One line.
    pub title: String,
    /// Below it.
    pub text: String,
}

/// A proposal that was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proposal {
    /// The host's number for it.
    pub number: u64,
    /// Where people look at it.
    pub url: String,
    /// What has become of it.
    pub state: ProposalState,
}

/// What has become of a proposal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProposalState {
    /// Nothing yet.
    Open,
    /// It was taken.
    Merged,
    /// It was closed and not taken.
    Closed,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_permission_is_read_as_it_is_written() {
        for one in Permission::ALL {
            assert_eq!(one.to_string().parse(), Ok(one));
        }
        assert_eq!("write".parse::<Permission>(), Err(UnknownPermission));
        assert!(Permission::Pull < Permission::Admin);
    }
}
