//! Git hosts beyond Git: whether a repository is there, making it, who may use it, its deploy keys
//! and deploy tokens, and proposals to change it.
//!
//! Owns the APIs of GitHub, GitLab, Gitea (and Forgejo) and Bitbucket Server, over one layer of
//! HTTP that tries again, turns pages, keeps the token to itself and says in plain words what a
//! host refuses. Refuses to know a CRD, to read the environment, and to dial an address that an
//! answer contains: pages are counted, and redirects stay on the host.
//!
//! Start at [`Forge`], what every host can do, and [`connect`], which gives one. What is decided
//! from several answers, such as whether a deploy key is to be replaced, is in [`reconcile`].

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
    Access, DeployKey, DeployToken, NewDeployKey, NewProposal, NewRepository, Permission, Proposal,
    ProposalState, Repository, UnknownPermission, Visibility,
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

/// What a host can do. Every call is one thought of the caller's, not one request.
#[async_trait]
pub trait Forge: fmt::Debug + Send + Sync {
    /// Finds a repository; a host also hides what the token may not see.
    async fn find(&self, place: &Place) -> Result<Option<Repository>>;

    /// Makes a repository, empty.
    async fn create(&self, place: &Place, wanted: &NewRepository) -> Result<Repository>;

    /// Changes who may see a repository.
    async fn show_to(&self, repository: &Repository, visibility: Visibility) -> Result<()>;

    /// What a team or group may do with a repository.
    async fn access(&self, repository: &Repository, team: &str) -> Result<Access>;

    /// Lets a team or group do something with a repository.
    async fn grant(&self, repository: &Repository, team: &str, level: Permission) -> Result<()>;

    /// The keys that open a repository.
    async fn deploy_keys(&self, repository: &Repository) -> Result<Vec<DeployKey>>;

    /// Adds a key.
    async fn add_deploy_key(&self, repository: &Repository, key: &NewDeployKey) -> Result<()>;

    /// Takes a key away; one that is gone already is as good.
    async fn remove_deploy_key(&self, repository: &Repository, id: u64) -> Result<()>;

    /// The tokens that open a repository and nothing else, those that are good no more left out.
    async fn deploy_tokens(&self, _: &Repository) -> Result<Vec<DeployToken>> {
        Err(Error::unsupported("list deploy tokens"))
    }

    /// Makes a token that reads a repository. What it is, is told once, here.
    async fn add_deploy_token(&self, _: &Repository, _name: &str) -> Result<DeployToken> {
        Err(Error::unsupported("create a deploy token"))
    }

    /// Takes a token away; one that is gone already is as good.
    async fn remove_deploy_token(&self, _: &Repository, _id: u64) -> Result<()> {
        Err(Error::unsupported("delete a deploy token"))
    }

    /// The open proposal to merge one branch into another.
    async fn find_proposal(
        &self,
        repository: &Repository,
        wanted: &NewProposal,
    ) -> Result<Option<Proposal>>;

    /// Proposes to merge one branch into another.
    async fn propose(&self, repository: &Repository, wanted: &NewProposal) -> Result<Proposal>;

    /// What has become of a proposal.
    async fn proposal(&self, repository: &Repository, number: u64) -> Result<Proposal>;
}

/// Gives a host of some kind. Nothing is dialled yet.
pub fn connect(kind: Kind, connection: &Connection<'_>) -> Result<Box<dyn Forge>> {
    Ok(match kind {
        Kind::GitHub => Box::new(github::GitHub::new(connection)?),
        Kind::GitLab => Box::new(gitlab::GitLab::new(connection)?),
        Kind::Gitea => Box::new(gitea::Gitea::new(connection)?),
        Kind::BitbucketServer => Box::new(bitbucket::BitbucketServer::new(connection)?),
    })
}
