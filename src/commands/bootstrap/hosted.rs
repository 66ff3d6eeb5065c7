//! What is asked of the API of a host, and how that is told: the repository and who may use it,
//! the deploy key or deploy token of the cluster. Looking comes first; a second run writes nothing.

use std::time::{Duration, Instant};

use sluice_dial::{Basic, Credentials, Dial, Sensitive};
use sluice_forge::reconcile::{self, Change, KeyPlan};
use sluice_forge::{
    Forge, Host, Kind, NewDeployKey, NewProposal, NewRepository, Permission, Place, Proposal,
    ProposalState, Repository,
};
use sluice_git::Remote;

use super::plan::PlannedCall;
use super::secret::{Entries, Token, Wanted};
use crate::error::CommandError;
use crate::output::Progress;
use sluice_golang::error::chain;

/// How often a host is asked whether something was merged: none can be watched.
const PAUSE: Duration = Duration::from_secs(3);

/// A repository on a host with an API, and what its cluster is to be to it.
#[derive(Debug)]
pub(super) struct Hosted {
    pub(super) forge: Box<dyn Forge>,
    pub(super) kind: Kind,
    pub(super) host: Host,
    pub(super) place: Place,
    pub(super) wanted: NewRepository,
    /// Whether a repository that is there is changed to be as it is wanted.
    pub(super) reconcile: bool,
    pub(super) teams: Vec<(String, Permission)>,
    /// What the key or token of the cluster is called.
    pub(super) title: String,
    pub(super) is_read_only: bool,
    /// Whether a change is proposed in the place of being pushed, and its merge waited for.
    pub(super) proposes: bool,
    pub(super) waits_for_merge: bool,
    /// Where the cluster reaches the host over SSH; over HTTP(S) if there is no such place.
    pub(super) ssh_host: Option<String>,
    /// Who we are to Git over HTTP(S), by the token.
    pub(super) user: String,
    pub(super) token: Sensitive<String>,
    pub(super) dial: Dial,
    pub(super) timeout: Duration,
}

/// The repository, and what is left to do about it.
#[derive(Debug)]
pub(super) struct Prepared {
    pub(super) repository: Repository,
    /// Whether the host has it: a plan goes on without.
    pub(super) is_there: bool,
    pub(super) planned: Vec<PlannedCall>,
}

impl Hosted {
    /// Where people look at the repository.
    fn web_url(&self) -> String {
        self.place.web_url(&self.host)
    }

    /// The repository as it will be, before the host was asked.
    pub(super) fn expected(&self) -> Repository {
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

    /// Where this machine clones from.
    pub(super) fn https_url(&self, repository: &Repository) -> String {
        repository.https_url(self.kind, &self.host)
    }

    /// Where the cluster fetches from.
    pub(super) fn followed(&self, repository: &Repository) -> String {
        match &self.ssh_host {
            Some(host) => repository.ssh_url(host),
            None => self.https_url(repository),
        }
    }

    /// The repository as this machine reaches it.
    pub(super) fn remote(&self, repository: &Repository) -> Result<Remote, CommandError> {
        let remote = Remote::new(&self.https_url(repository))
            .map_err(|error| CommandError::user(chain(&error)))?;
        let basic = Basic::new(self.user.as_str(), self.token.clone());
        Ok(remote
            .with_timeout(self.timeout)
            .with_dial(self.dial.clone())
            .with_access(sluice_git::Access::Http(Credentials::Basic(basic))))
    }

    /// Finds the repository or makes it, and lets teams in. A plan only looks.
    pub(super) async fn prepare(
        &self,
        progress: Progress,
        is_plan: bool,
    ) -> Result<Prepared, CommandError> {
        let url = self.web_url();
        let failed = |error: sluice_forge::Error| {
            let doing = format!("failed to reconcile Git repository \"{url}\"");
            CommandError::from(error).while_doing(doing)
        };
        progress.action(format!("connecting to {}", self.host));
        if self.host.is_plain() {
            progress.warning(" the token goes to the host in the clear");
        }
        let forge = &*self.forge;
        let prepared = if is_plan {
            self.look().await.map_err(failed)?
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
            self.let_in(&repository, progress).await;
            Prepared {
                repository,
                is_there: true,
                planned: Vec::new(),
            }
        };
        if prepared.repository.is_archived {
            return Err(CommandError::user(format!(
                "repository \"{url}\" is archived: nothing can be pushed to it"
            ))
            .hint("take it out of the archive, or name another one"));
        }
        Ok(prepared)
    }

    /// What `prepare` would do.
    async fn look(&self) -> Result<Prepared, sluice_forge::Error> {
        let call = |action, what, name: String| PlannedCall { action, what, name };
        let Some(repository) = self.forge.find(&self.place).await? else {
            let mut planned = vec![call("create", "repository", self.web_url())];
            let teams = self.teams.iter();
            planned.extend(
                teams.map(|(team, level)| call("grant", level.as_str(), format!("to {team}"))),
            );
            return Ok(Prepared {
                repository: self.expected(),
                is_there: false,
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
        Ok(Prepared {
            repository,
            is_there: true,
            planned,
        })
    }

    /// Gives teams access. One that cannot be let in is told of, and holds nothing up.
    async fn let_in(&self, repository: &Repository, progress: Progress) {
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
    pub(super) async fn find_proposal(
        &self,
        found: &Prepared,
        wanted: &NewProposal,
    ) -> Result<Option<Proposal>, CommandError> {
        let found = self.forge.find_proposal(&found.repository, wanted);
        Ok(found.await?)
    }

    /// Proposes a change.
    pub(super) async fn propose(
        &self,
        found: &Prepared,
        wanted: &NewProposal,
    ) -> Result<Proposal, CommandError> {
        Ok(self.forge.propose(&found.repository, wanted).await?)
    }

    /// Waits until a proposal is merged.
    pub(super) async fn merged(
        &self,
        found: &Prepared,
        proposal: &Proposal,
        deadline: Instant,
    ) -> Result<(), CommandError> {
        let url = &proposal.url;
        loop {
            let now = self
                .forge
                .proposal(&found.repository, proposal.number)
                .await?;
            match now.state {
                ProposalState::Merged => return Ok(()),
                ProposalState::Closed => {
                    return Err(CommandError::user(format!(
                        "{url} was closed, and not merged"
                    )));
                }
                ProposalState::Open if Instant::now() + PAUSE >= deadline => {
                    return Err(
                        CommandError::cluster(format!("{url} is not merged yet")).hint(
                            "merge it and run bootstrap again, or give it longer with --timeout",
                        ),
                    );
                }
                ProposalState::Open => tokio::time::sleep(PAUSE).await,
            }
        }
    }

    /// What `propose` would do.
    pub(super) fn planned_proposal(from: &str, into: &str) -> PlannedCall {
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

    /// Gives the key of the cluster access.
    pub(super) async fn add_key(
        &self,
        found: &Prepared,
        key: &str,
        progress: Progress,
    ) -> Result<(), CommandError> {
        let change = reconcile::deploy_key(&*self.forge, &found.repository, &self.key(key)).await?;
        if change != Change::None {
            let (title, url) = (&self.title, self.web_url());
            progress.success(format!("configured deploy key \"{title}\" for \"{url}\""));
        }
        Ok(())
    }

    /// The same for a cluster that has its key already: a token that may not look at keys is
    /// good enough for it.
    pub(super) async fn keep_key(&self, found: &Prepared, key: &str, progress: Progress) {
        if let Err(error) = self.add_key(found, key, progress).await {
            let reason = error.message();
            progress.warning(format!(
                " the deploy key \"{}\" was not looked at: {reason}",
                self.title
            ));
        }
    }

    /// What `add_key` would do.
    pub(super) async fn planned_key(
        &self,
        found: &Prepared,
        key: &str,
    ) -> Result<Option<PlannedCall>, CommandError> {
        let there = if found.is_there {
            self.forge.deploy_keys(&found.repository).await?
        } else {
            Vec::new()
        };
        let plan = KeyPlan::new(&there, &self.key(key));
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

    /// The token of the cluster: the one that its Secret has if the host knows it, else a new one.
    pub(super) async fn token(
        &self,
        found: &Prepared,
        ca: Option<String>,
        there: Option<&Entries>,
        progress: Progress,
    ) -> Result<Wanted, CommandError> {
        progress.action("checking to reconcile deploy token for source secret");
        let login = there.and_then(Entries::login);
        let known = login.map(|(user, _)| user);
        let made =
            reconcile::deploy_token(&*self.forge, &found.repository, &self.title, known).await?;
        let (user, password) = match (made, login) {
            (None, Some((user, password))) => {
                progress.success("reconciled deploy token for source secret");
                (user.to_owned(), password.clone())
            }
            (Some(made), _) => {
                let (title, url) = (&self.title, self.web_url());
                progress.success(format!("configured deploy token \"{title}\" for \"{url}\""));
                let token = made
                    .token
                    .ok_or_else(|| CommandError::cluster("the host made a token and told none"))?;
                (made.username, token)
            }
            (None, None) => return Err(CommandError::internal("a token that nobody knows")),
        };
        Ok(Wanted::Token {
            who: Token::Basic(user, password),
            ca,
        })
    }

    /// The token that `token` would keep.
    pub(super) async fn known_token(
        &self,
        found: &Prepared,
        ca: Option<String>,
        there: Option<&Entries>,
    ) -> Result<Option<Wanted>, CommandError> {
        let Some((user, password)) = there.and_then(Entries::login).filter(|_| found.is_there)
        else {
            return Ok(None);
        };
        let tokens = self.forge.deploy_tokens(&found.repository).await?;
        let is_known = reconcile::is_known(&tokens, &self.title, user);
        Ok(is_known.then(|| Wanted::Token {
            who: Token::Basic(user.to_owned(), password.clone()),
            ca,
        }))
    }

    /// What `token` would do about one that is not known.
    pub(super) fn planned_token(&self) -> PlannedCall {
        PlannedCall {
            action: "create",
            what: "deploy token",
            name: self.title.clone(),
        }
    }
}
