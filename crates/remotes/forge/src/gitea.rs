//! Gitea and Forgejo, which have the same API.

use async_trait::async_trait;
use http::Method;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::error::{Error, ErrorKind, Need, Result};
use crate::http::{Api, Call, Connection};
use crate::hub::{self, Label, at};
use crate::{
    Access, DeployKey, Forge, Kind, MergeMethod, NewDeployKey, NewProposal, NewRepository,
    Permission, Place, Proposal, ProposalState, Repository, Visibility,
};

/// Parameter and default maximum of the page size.
const PAGE: (&str, usize) = ("limit", 50);
/// Color of a new label.
const LABEL_COLOR: &str = "#ededed";

#[derive(Debug)]
pub(crate) struct Gitea(Api);

#[derive(Deserialize)]
struct RepositoryResponse {
    private: bool,
    #[serde(default)]
    archived: bool,
}

#[derive(Deserialize)]
struct Pull {
    number: u64,
    html_url: String,
    state: String,
    #[serde(default)]
    merged: bool,
    #[serde(default)]
    title: String,
    body: Option<String>,
    labels: Option<Vec<Label>>,
    head: Branch,
    base: Branch,
}

#[derive(Deserialize)]
struct Branch {
    #[serde(rename = "ref")]
    name: String,
    repo_id: Option<i64>,
}

#[derive(Deserialize)]
struct Account {
    login: String,
}

impl Gitea {
    pub(crate) fn new(connection: &Connection<'_>) -> Result<Self> {
        Api::new(Kind::Gitea, connection, "token", &[]).map(Self)
    }

    async fn is_organization(&self, name: &str) -> Result<bool> {
        let call = Call::get(&["orgs", name], Need::Read, "look at the owner");
        Ok(self.0.json_optional::<Value>(&call).await?.is_some())
    }

    async fn check_owner(&self, place: &Place, attempted: &str) -> Result<()> {
        let call = Call::get(&["user"], Need::Read, "find out whose the token is");
        let me: Account = self.0.json(&call).await?;
        if me.login.eq_ignore_ascii_case(&place.owner) {
            return Ok(());
        }
        let error = Error::other_owner(attempted, &place.owner, &me.login);
        Err(match self.is_organization(&place.owner).await {
            Ok(true) => error.advise(format!(
                "{} is an organization: leave --personal out",
                place.owner
            )),
            _ => error,
        })
    }

    async fn create_label(&self, repository: &Repository, name: &str) -> Result<u64> {
        let path = at(repository, &["labels"]);
        let doing = format!("create the label {name}");
        let call = Call::new(Method::POST, &path, Need::Propose, doing)
            .body(json!({ "name": name, "color": LABEL_COLOR }));
        let label: Label = self.0.json(&call).await?;
        Ok(label.id)
    }

    async fn explained(&self, error: Error, owner: &str) -> Error {
        if error.kind() != ErrorKind::NotFound {
            return error;
        }
        let call = Call::get(&["users", owner], Need::Read, "look at the owner");
        match self.0.json_optional::<Account>(&call).await {
            Ok(Some(_)) => error.no_organization(owner, true),
            Ok(None) => error.no_organization(owner, false),
            Err(_) => error,
        }
    }
}

fn repository(place: &Place, found: &RepositoryResponse) -> Repository {
    Repository {
        owner: place.owner.clone(),
        name: place.name.clone(),
        // A public repository of a private organization is reported as internal. A repository
        // cannot be set to internal, so the field `private` decides.
        visibility: Visibility::of_private(found.private),
        is_archived: found.archived,
    }
}

fn proposal(pull: Pull) -> Proposal {
    Proposal {
        number: pull.number,
        url: pull.html_url,
        state: match pull.state.as_str() {
            _ if pull.merged => ProposalState::Merged,
            "open" => ProposalState::Open,
            _ => ProposalState::Closed,
        },
        title: pull.title,
        text: pull.body.unwrap_or_default(),
        labels: hub::names(pull.labels.unwrap_or_default()),
        // The API does not tell.
        is_auto_merged: false,
    }
}

#[async_trait]
impl Forge for Gitea {
    async fn find(&self, place: &Place) -> Result<Option<Repository>> {
        let found: Option<RepositoryResponse> = hub::find(&self.0, place).await?;
        Ok(found.map(|found| repository(place, &found)))
    }

    async fn create(&self, place: &Place, wanted: &NewRepository) -> Result<Repository> {
        let doing = "create the repository";
        let path: &[&str] = if place.is_personal {
            self.check_owner(place, doing).await?;
            &["user", "repos"]
        } else {
            &["orgs", &place.owner, "repos"]
        };
        let call = Call::new(Method::POST, path, Need::Create, doing).body(json!({
            "name": place.name,
            "private": wanted.visibility != Visibility::Public,
            "default_branch": wanted.default_branch,
            "auto_init": false,
        }));
        match self.0.json::<RepositoryResponse>(&call).await {
            Ok(found) => Ok(repository(place, &found)),
            Err(error) if !place.is_personal => Err(self.explained(error, &place.owner).await),
            Err(error) => Err(error),
        }
    }

    async fn show_to(&self, repository: &Repository, visibility: Visibility) -> Result<()> {
        let path = at(repository, &[]);
        let doing = "change the visibility of the repository";
        let call = Call::new(Method::PATCH, &path, Need::Change, doing)
            .body(json!({ "private": visibility != Visibility::Public }));
        self.0.send(&call).await.map(drop)
    }

    async fn access(&self, repository: &Repository, team: &str) -> Result<Access> {
        let path = at(repository, &["teams", team]);
        let doing = format!("look at the access of team {team}");
        let call = Call::get(&path, Need::Teams, doing);
        let found = self.0.send_optional(&call).await?;
        Ok(found.map_or(Access::None, |_| Access::OfTeam))
    }

    /// The permission belongs to the team; the API has no parameter for it.
    async fn grant(&self, repository: &Repository, team: &str, _: Permission) -> Result<()> {
        let path = at(repository, &["teams", team]);
        let doing = format!("give team {team} access");
        let call = Call::new(Method::PUT, &path, Need::Teams, doing);
        self.0.send(&call).await.map(drop)
    }

    async fn deploy_keys(&self, repository: &Repository) -> Result<Vec<DeployKey>> {
        hub::deploy_keys(&self.0, repository, PAGE).await
    }

    async fn add_deploy_key(&self, repository: &Repository, key: &NewDeployKey) -> Result<()> {
        hub::add_deploy_key(&self.0, repository, key).await
    }

    async fn remove_deploy_key(&self, repository: &Repository, id: u64) -> Result<()> {
        hub::remove_deploy_key(&self.0, repository, id).await
    }

    async fn find_proposal(
        &self,
        repository: &Repository,
        wanted: &NewProposal,
    ) -> Result<Option<Proposal>> {
        let path = at(repository, &["pulls"]);
        let list = || Call::get(&path, Need::Propose, "list pull requests").query("state", "open");
        let pulls: Vec<Pull> = self.0.list(list, PAGE).await?;
        let mut pulls = pulls.into_iter();
        // A fork may have a branch of the same name.
        let is_it = |pull: &Pull| {
            pull.head.name == wanted.from
                && pull.base.name == wanted.into
                && pull.head.repo_id == pull.base.repo_id
        };
        Ok(pulls.find(is_it).map(proposal))
    }

    async fn propose(&self, repository: &Repository, wanted: &NewProposal) -> Result<Proposal> {
        let pull: Pull = hub::propose(&self.0, repository, wanted).await?;
        Ok(proposal(pull))
    }

    async fn proposal(&self, repository: &Repository, number: u64) -> Result<Proposal> {
        let pull: Pull = hub::proposal(&self.0, repository, number).await?;
        Ok(proposal(pull))
    }

    async fn edit_proposal(
        &self,
        repository: &Repository,
        number: u64,
        title: &str,
        text: &str,
    ) -> Result<()> {
        hub::edit_proposal(&self.0, repository, number, title, text).await
    }

    async fn close_proposal(&self, repository: &Repository, number: u64) -> Result<()> {
        hub::close_proposal(&self.0, repository, number).await
    }

    async fn label_proposal(
        &self,
        repository: &Repository,
        number: u64,
        labels: &[String],
    ) -> Result<()> {
        let path = at(repository, &["labels"]);
        let list = || Call::get(&path, Need::Propose, "list labels");
        let there: Vec<Label> = self.0.list(list, PAGE).await?;
        let mut ids = Vec::new();
        for name in labels {
            let known = there.iter().find(|label| label.name == *name);
            ids.push(match known {
                Some(label) => label.id,
                None => self.create_label(repository, name).await?,
            });
        }
        hub::add_labels(&self.0, repository, number, json!(ids)).await
    }

    async fn auto_merge_proposal(
        &self,
        repository: &Repository,
        number: u64,
        method: MergeMethod,
    ) -> Result<()> {
        let number = number.to_string();
        let path = at(repository, &["pulls", &number, "merge"]);
        let doing = "enable auto-merge of the pull request";
        let call = Call::new(Method::POST, &path, Need::Propose, doing).body(json!({
            "Do": method.as_str(),
            "merge_when_checks_succeed": true,
        }));
        match self.0.send(&call).await {
            // An earlier call scheduled it.
            Err(error) if error.kind() == ErrorKind::Conflict => Ok(()),
            sent => sent.map(drop),
        }
    }
}
