//! The API of the repository's host: the repository, its teams, and the deploy key or deploy token
//! of the cluster. A second run changes nothing.

use std::time::{Duration, Instant};

use sluice_dial::{Basic, Credentials, Dial, Sensitive};
use sluice_forge::reconcile::{self, Change, KeyPlan};
use sluice_forge::{
    Forge, Host, Kind, NewDeployKey, NewProposal, NewRepository, Permission, Place, Proposal,
    ProposalState, Repository,
};
use sluice_git::Remote;
use sluice_golang::error::chain;
use sluice_lifecycle::{Error, Reporter};

use crate::plan::PlannedCall;
use crate::secret::{ClusterCredentials, Entries, Token};

/// The pause between two requests for the state of a pull request.
const POLL_INTERVAL: Duration = Duration::from_secs(3);

/// A repository on a host with an API, and the access of its cluster.
#[derive(Debug)]
pub(crate) struct HostedRepository {
    /// The API.
    pub(crate) forge: Box<dyn Forge>,
    /// The kind of host.
    pub(crate) kind: Kind,
    /// The host.
    pub(crate) host: Host,
    /// Owner and name of the repository.
    pub(crate) place: Place,
    /// The repository to create.
    pub(crate) wanted: NewRepository,
    /// Whether an existing repository is updated.
    pub(crate) reconcile: bool,
    /// The teams with access.
    pub(crate) teams: Vec<(String, Permission)>,
    /// The title of the cluster's key or token.
    pub(crate) title: String,
    /// Whether the key is read-only.
    pub(crate) is_read_only: bool,
    /// Whether changes are proposed instead of pushed.
    pub(crate) proposes: bool,
    /// Whether the bootstrap waits for the merge of a proposal.
    pub(crate) waits_for_merge: bool,
    /// The host for SSH; the cluster uses HTTP(S) without it.
    pub(crate) ssh_host: Option<String>,
    /// The user of Git over HTTP(S).
    pub(crate) user: String,
    /// The token of the user.
    pub(crate) token: Sensitive<String>,
    /// How the host is reached.
    pub(crate) dial: Dial,
    /// The timeout of Git requests.
    pub(crate) timeout: Duration,
}

/// The repository and the calls that remain.
#[derive(Debug)]
pub(crate) struct PreparedRepository {
    /// The repository.
    pub(crate) repository: Repository,
    /// Whether the host has the repository.
    pub(crate) exists: bool,
    /// The planned calls.
    pub(crate) planned: Vec<PlannedCall>,
}

impl HostedRepository {
    /// The URL of the repository in a browser.
    fn web_url(&self) -> String {
        self.place.web_url(&self.host)
    }

    /// The expected repository, without a request.
    pub(crate) fn expected(&self) -> Repository {
        let owner = &self.place.owner;
        let is_tilde = self.kind == Kind::BitbucketServer && self.place.is_personal;
        Repository {
            owner: if is_tilde {
                format!("~{}", owner.trim_start_matches('~'))
            } else {
                owner.clone()
            },
            name: self.place.name.clone(),
            visibility: self.wanted.visibility,
            is_archived: false,
        }
    }

    /// The URL that this machine clones from.
    pub(crate) fn https_url(&self, repository: &Repository) -> String {
        repository.https_url(self.kind, &self.host)
    }

    /// The URL that the cluster fetches from.
    pub(crate) fn followed(&self, repository: &Repository) -> String {
        match &self.ssh_host {
            Some(host) => repository.ssh_url(host),
            None => self.https_url(repository),
        }
    }

    /// The remote of this machine.
    pub(crate) fn remote(&self, repository: &Repository) -> Result<Remote, Error> {
        let remote =
            Remote::new(&self.https_url(repository)).map_err(|error| Error::user(chain(&error)))?;
        let basic = Basic::new(self.user.as_str(), self.token.clone());
        Ok(remote
            .with_timeout(self.timeout)
            .with_dial(self.dial.clone())
            .with_access(sluice_git::Access::Http(Credentials::Basic(basic))))
    }

    /// Finds or creates the repository and grants teams access. A plan only reads.
    pub(crate) async fn prepare(
        &self,
        progress: Reporter<'_>,
        is_plan: bool,
    ) -> Result<PreparedRepository, Error> {
        let url = self.web_url();
        let failed = |error: sluice_forge::Error| {
            let doing = format!("failed to reconcile Git repository \"{url}\"");
            refusal(&error).while_doing(doing)
        };
        progress.action(format!("connecting to {}", self.host));
        if self.host.is_plain() {
            progress.warning(" the token goes to the host in the clear");
        }
        let forge = &*self.forge;
        let prepared = if is_plan {
            self.plan_repository().await.map_err(failed)?
        } else {
            let (repository, change) =
                reconcile::repository(forge, &self.place, &self.wanted, self.reconcile)
                    .await
                    .map_err(failed)?;
            match change {
                Change::None => {}
                Change::Created => progress.success(format!("repository \"{url}\" created")),
                Change::Updated => progress.success(format!("repository \"{url}\" reconciled")),
            }
            self.grant_access(&repository, progress).await;
            PreparedRepository {
                repository,
                exists: true,
                planned: Vec::new(),
            }
        };
        if prepared.repository.is_archived {
            return Err(Error::user(format!(
                "repository \"{url}\" is archived: nothing can be pushed to it"
            ))
            .hint("unarchive it, or use another repository"));
        }
        Ok(prepared)
    }

    /// The plan of `prepare`.
    async fn plan_repository(&self) -> Result<PreparedRepository, sluice_forge::Error> {
        let call = |action, what, name: String| PlannedCall { action, what, name };
        let Some(repository) = self.forge.find(&self.place).await? else {
            let mut planned = vec![call("create", "repository", self.web_url())];
            let teams = self.teams.iter();
            planned.extend(
                teams.map(|(team, level)| call("grant", level.as_str(), format!("to {team}"))),
            );
            return Ok(PreparedRepository {
                repository: self.expected(),
                exists: false,
                planned,
            });
        };
        let mut planned = Vec::new();
        if reconcile::is_to_change(&repository, &self.wanted, self.reconcile) {
            planned.push(call("update", "repository", self.web_url()));
        }
        for (team, level) in &self.teams {
            let access = self.forge.access(&repository, team).await?;
            if reconcile::of_team(access, *level, self.reconcile) != Change::None {
                planned.push(call("grant", level.as_str(), format!("to {team}")));
            }
        }
        Ok(PreparedRepository {
            repository,
            exists: true,
            planned,
        })
    }

    /// Grants teams access; a failure is only a warning.
    async fn grant_access(&self, repository: &Repository, progress: Reporter<'_>) {
        if self.teams.is_empty() {
            return;
        }
        progress.action("reconciling repository permissions");
        for (team, level) in &self.teams {
            let done = reconcile::team(&*self.forge, repository, team, *level, self.reconcile);
            match done.await {
                Ok(Change::None) => {}
                Ok(_) => {
                    progress.success(format!("granted \"{level}\" permissions to \"{team}\""));
                }
                Err(error) => {
                    let error = chain(&error);
                    progress.warning(format!(
                        " failed to grant \"{level}\" permissions to \"{team}\": {error}"
                    ));
                }
            }
        }
        progress.success("reconciled repository permissions");
    }

    /// The open proposal of the same change.
    pub(crate) async fn find_proposal(
        &self,
        found: &PreparedRepository,
        wanted: &NewProposal,
    ) -> Result<Option<Proposal>, Error> {
        let found = self.forge.find_proposal(&found.repository, wanted);
        found.await.map_err(|error| refusal(&error))
    }

    /// Proposes a change.
    pub(crate) async fn propose(
        &self,
        found: &PreparedRepository,
        wanted: &NewProposal,
    ) -> Result<Proposal, Error> {
        let proposed = self.forge.propose(&found.repository, wanted).await;
        proposed.map_err(|error| refusal(&error))
    }

    /// Waits until a proposal is merged.
    pub(crate) async fn merged(
        &self,
        found: &PreparedRepository,
        proposal: &Proposal,
        deadline: Instant,
    ) -> Result<(), Error> {
        let url = &proposal.url;
        loop {
            let now = self
                .forge
                .proposal(&found.repository, proposal.number)
                .await
                .map_err(|error| refusal(&error))?;
            match now.state {
                ProposalState::Merged => return Ok(()),
                ProposalState::Closed => {
                    return Err(Error::user(format!("{url} was closed, and not merged")));
                }
                ProposalState::Open if Instant::now() + POLL_INTERVAL >= deadline => {
                    return Err(Error::cluster(format!("{url} is not merged yet"))
                        .hint("merge it and run bootstrap again, or set a longer --timeout"));
                }
                ProposalState::Open => tokio::time::sleep(POLL_INTERVAL).await,
            }
        }
    }

    /// The plan of `propose`.
    pub(crate) fn planned_proposal(from: &str, into: &str) -> PlannedCall {
        PlannedCall {
            action: "create",
            what: "pull request",
            name: format!("of {from} into {into}"),
        }
    }

    fn key(&self, key: &str) -> NewDeployKey {
        NewDeployKey {
            title: self.title.clone(),
            key: key.to_owned(),
            is_read_only: self.is_read_only,
        }
    }

    /// Adds the key of the cluster.
    pub(crate) async fn add_key(
        &self,
        found: &PreparedRepository,
        key: &str,
        progress: Reporter<'_>,
    ) -> Result<(), Error> {
        let change = reconcile::deploy_key(&*self.forge, &found.repository, &self.key(key)).await;
        let change = change.map_err(|error| refusal(&error))?;
        if change != Change::None {
            let (title, url) = (&self.title, self.web_url());
            progress.success(format!("configured deploy key \"{title}\" for \"{url}\""));
        }
        Ok(())
    }

    /// Adds an existing key of the cluster; a token without access to keys is only a warning.
    pub(crate) async fn keep_key(
        &self,
        found: &PreparedRepository,
        key: &str,
        progress: Reporter<'_>,
    ) {
        if let Err(error) = self.add_key(found, key, progress).await {
            let reason = error.message();
            progress.warning(format!(
                " the deploy key \"{}\" was not looked at: {reason}",
                self.title
            ));
        }
    }

    /// The plan of `add_key`.
    pub(crate) async fn planned_key(
        &self,
        found: &PreparedRepository,
        key: &str,
    ) -> Result<Option<PlannedCall>, Error> {
        let keys = if found.exists {
            let keys = self.forge.deploy_keys(&found.repository).await;
            keys.map_err(|error| refusal(&error))?
        } else {
            Vec::new()
        };
        let plan = KeyPlan::new(&keys, &self.key(key));
        Ok((!plan.is_empty()).then(|| PlannedCall {
            action: if plan.remove.is_empty() {
                "create"
            } else {
                "update"
            },
            what: "deploy key",
            name: self.title.clone(),
        }))
    }

    /// The token of the cluster: that of its Secret if the host knows it, else a new one.
    pub(crate) async fn token(
        &self,
        found: &PreparedRepository,
        ca: Option<String>,
        current: Option<&Entries>,
        progress: Reporter<'_>,
    ) -> Result<ClusterCredentials, Error> {
        progress.action("checking to reconcile deploy token for source secret");
        let login = current.and_then(Entries::login);
        let known = login.map(|(user, _)| user);
        let created =
            reconcile::deploy_token(&*self.forge, &found.repository, &self.title, known).await;
        let created = created.map_err(|error| refusal(&error))?;
        let (user, password) = match (created, login) {
            (None, Some((user, password))) => {
                progress.success("reconciled deploy token for source secret");
                (user.to_owned(), password.clone())
            }
            (Some(created), _) => {
                let (title, url) = (&self.title, self.web_url());
                progress.success(format!("configured deploy token \"{title}\" for \"{url}\""));
                let token = created
                    .token
                    .ok_or_else(|| Error::cluster("the host created a token without a value"))?;
                (created.username, token)
            }
            (None, None) => return Err(Error::internal("no deploy token is known")),
        };
        Ok(ClusterCredentials::Token {
            token: Token::Basic(user, password),
            ca,
        })
    }

    /// The token that `token` would keep.
    pub(crate) async fn known_token(
        &self,
        found: &PreparedRepository,
        ca: Option<String>,
        current: Option<&Entries>,
    ) -> Result<Option<ClusterCredentials>, Error> {
        let Some((user, password)) = current.and_then(Entries::login).filter(|_| found.exists)
        else {
            return Ok(None);
        };
        let tokens = self.forge.deploy_tokens(&found.repository).await;
        let tokens = tokens.map_err(|error| refusal(&error))?;
        let is_known = reconcile::is_known(&tokens, &self.title, user);
        Ok(is_known.then(|| ClusterCredentials::Token {
            token: Token::Basic(user.to_owned(), password.clone()),
            ca,
        }))
    }

    /// The plan of `token` for an unknown token.
    pub(crate) fn planned_token(&self) -> PlannedCall {
        PlannedCall {
            action: "create",
            what: "deploy token",
            name: self.title.clone(),
        }
    }
}

/// The error of a host, with the host's advice as hints.
pub(crate) fn refusal(error: &sluice_forge::Error) -> Error {
    let refused = match error.kind() {
        sluice_forge::ErrorKind::Refused => Error::user(chain(error)),
        _ => Error::cluster(chain(error)),
    };
    error.advice().iter().fold(refused, Error::hint)
}
