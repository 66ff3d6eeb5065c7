//! APIs of Git hosts: repositories, permissions, deploy keys, deploy tokens and pull requests.
//!
//! The crate supports GitHub, GitLab, Gitea (and Forgejo) and Bitbucket Server. They share one HTTP
//! client with retries, pages and clear errors. It knows no CRD and does not read the environment.
//! It never connects to an address from a response: pages are counted, and redirects stay on the
//! host.
//!
//! Start at [`Forge`], the operations of every host, and [`connect`], which creates one. Decisions
//! from several responses, such as replacing a deploy key, are in [`reconcile`].

mod address;
mod bitbucket;
mod error;
mod gitea;
mod github;
mod gitlab;
mod http;
mod hub;
mod model;
pub mod reconcile;

use std::fmt;

use async_trait::async_trait;

pub use address::{Host, InvalidPlace, Place};
pub use error::{Error, ErrorKind, Result};
pub use http::Connection;
pub use model::{
    Access, DeployKey, DeployToken, MergeMethod, NewDeployKey, NewProposal, NewRepository,
    Permission, Proposal, ProposalState, Repository, UnknownMergeMethod, UnknownPermission,
    Visibility,
};

/// A kind of host.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// GitHub and GitHub Enterprise.
    GitHub,
    /// GitLab.
    GitLab,
    /// Gitea and Forgejo.
    Gitea,
    /// Bitbucket Server and Data Center.
    BitbucketServer,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::GitHub => "GitHub",
            Self::GitLab => "GitLab",
            Self::Gitea => "Gitea",
            Self::BitbucketServer => "Bitbucket Server",
        })
    }
}

/// The operations of a host. A call may send several requests.
#[async_trait]
pub trait Forge: fmt::Debug + Send + Sync {
    /// Finds a repository. A host also hides repositories that the token cannot see.
    async fn find(&self, place: &Place) -> Result<Option<Repository>>;

    /// Creates an empty repository.
    async fn create(&self, place: &Place, wanted: &NewRepository) -> Result<Repository>;

    /// Changes the visibility of a repository.
    async fn show_to(&self, repository: &Repository, visibility: Visibility) -> Result<()>;

    /// Returns the access of a team or group to a repository.
    async fn access(&self, repository: &Repository, team: &str) -> Result<Access>;

    /// Grants a permission to a team or group.
    async fn grant(&self, repository: &Repository, team: &str, level: Permission) -> Result<()>;

    /// Returns the deploy keys of a repository.
    async fn deploy_keys(&self, repository: &Repository) -> Result<Vec<DeployKey>>;

    /// Adds a deploy key.
    async fn add_deploy_key(&self, repository: &Repository, key: &NewDeployKey) -> Result<()>;

    /// Removes a deploy key. A missing one is not an error.
    async fn remove_deploy_key(&self, repository: &Repository, id: u64) -> Result<()>;

    /// Returns the valid deploy tokens of a repository.
    async fn deploy_tokens(&self, _: &Repository) -> Result<Vec<DeployToken>> {
        Err(Error::unsupported("list deploy tokens"))
    }

    /// Creates a token that can read a repository. Only this response contains its value.
    async fn add_deploy_token(&self, _: &Repository, _name: &str) -> Result<DeployToken> {
        Err(Error::unsupported("create a deploy token"))
    }

    /// Removes a deploy token. A missing one is not an error.
    async fn remove_deploy_token(&self, _: &Repository, _id: u64) -> Result<()> {
        Err(Error::unsupported("delete a deploy token"))
    }

    /// Returns the open pull request from one branch into another.
    async fn find_proposal(
        &self,
        repository: &Repository,
        wanted: &NewProposal,
    ) -> Result<Option<Proposal>>;

    /// Opens a pull request.
    async fn propose(&self, repository: &Repository, wanted: &NewProposal) -> Result<Proposal>;

    /// Returns the state of a pull request.
    async fn proposal(&self, repository: &Repository, number: u64) -> Result<Proposal>;

    /// Changes the title and the description of a pull request.
    async fn edit_proposal(
        &self,
        repository: &Repository,
        number: u64,
        title: &str,
        text: &str,
    ) -> Result<()>;

    /// Closes a pull request without a merge.
    async fn close_proposal(&self, repository: &Repository, number: u64) -> Result<()>;

    /// Adds labels to a pull request. A missing label is created.
    async fn label_proposal(&self, _: &Repository, _number: u64, _labels: &[String]) -> Result<()> {
        Err(Error::unsupported("label a pull request"))
    }

    /// Lets the host merge a pull request once its checks pass. Without checks, it may merge now.
    async fn auto_merge_proposal(
        &self,
        _: &Repository,
        _number: u64,
        _method: MergeMethod,
    ) -> Result<()> {
        Err(Error::unsupported("merge a pull request by itself"))
    }
}

/// Creates the client of a kind of host. It sends no request.
pub fn connect(kind: Kind, connection: &Connection<'_>) -> Result<Box<dyn Forge>> {
    Ok(match kind {
        Kind::GitHub => Box::new(github::GitHub::new(connection)?),
        Kind::GitLab => Box::new(gitlab::GitLab::new(connection)?),
        Kind::Gitea => Box::new(gitea::Gitea::new(connection)?),
        Kind::BitbucketServer => Box::new(bitbucket::BitbucketServer::new(connection)?),
    })
}
