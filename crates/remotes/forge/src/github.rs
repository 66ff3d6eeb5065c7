//! GitHub and GitHub Enterprise.

use async_trait::async_trait;
use http::{HeaderName, Method, StatusCode};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::error::{Error, ErrorKind, Need, Result};
use crate::http::{Api, ApiResponse, Call, Connection};
use crate::hub::{self, Label, at};
use crate::{
    Access, DeployKey, Forge, Kind, MergeMethod, NewDeployKey, NewProposal, NewRepository,
    Permission, Place, Proposal, ProposalState, Repository, Visibility,
};

/// Media type of a response with the permissions of a team; the default is empty.
const WITH_PERMISSIONS: &str = "application/vnd.github.v3.repository+json";
const PAGE: (&str, usize) = ("per_page", 100);
/// Lets GitHub merge a pull request once its checks pass.
const ENABLE_AUTO_MERGE: &str = "mutation($id: ID!, $method: PullRequestMergeMethod!) { \
    enablePullRequestAutoMerge(input: { pullRequestId: $id, mergeMethod: $method }) { \
    clientMutationId } }";

#[derive(Debug)]
pub(crate) struct GitHub(Api);

#[derive(Deserialize)]
struct RepositoryResponse {
    private: bool,
    visibility: Option<String>,
    #[serde(default)]
    archived: bool,
}

#[derive(Deserialize)]
struct Pull {
    number: u64,
    html_url: String,
    state: String,
    merged_at: Option<String>,
    #[serde(default)]
    title: String,
    body: Option<String>,
    #[serde(default)]
    labels: Vec<Label>,
    auto_merge: Option<Value>,
    #[serde(default)]
    node_id: String,
}

/// An answer of the GraphQL API, which reports errors with status 200.
#[derive(Deserialize)]
struct GraphResponse {
    #[serde(default)]
    errors: Vec<GraphError>,
}

#[derive(Deserialize)]
struct GraphError {
    message: String,
}

#[derive(Deserialize)]
struct Account {
    login: String,
    #[serde(rename = "type")]
    kind: String,
}

impl GitHub {
    pub(crate) fn new(connection: &Connection<'_>) -> Result<Self> {
        let further = [
            (
                HeaderName::from_static("accept"),
                "application/vnd.github+json",
            ),
            (
                HeaderName::from_static("x-github-api-version"),
                "2022-11-28",
            ),
        ];
        Api::new(Kind::GitHub, connection, "Bearer", &further).map(Self)
    }

    /// Checks the owner against the token and the kind of account.
    async fn check_owner(&self, place: &Place, attempted: &str) -> Result<()> {
        let me: Account = self
            .0
            .json(&Call::get(
                &["user"],
                Need::Read,
                "find out whose the token is",
            ))
            .await?;
        if me.login.eq_ignore_ascii_case(&place.owner) {
            return Ok(());
        }
        let error = Error::other_owner(attempted, &place.owner, &me.login);
        Err(match self.account(&place.owner).await {
            Ok(Some(account)) if account.kind == "Organization" => error.advise(format!(
                "{} is an organization: leave --personal out",
                place.owner
            )),
            _ => error,
        })
    }

    async fn account(&self, name: &str) -> Result<Option<Account>> {
        let call = Call::get(&["users", name], Need::Read, "look at the owner");
        self.0.json_optional(&call).await
    }

    /// Explains a missing organization: the name is a user, or does not exist.
    async fn explained(&self, error: Error, owner: &str) -> Error {
        if error.kind() != ErrorKind::NotFound {
            return error;
        }
        match self.account(owner).await {
            Ok(Some(account)) if account.kind == "User" => error.no_organization(owner, true),
            Ok(None) => error.no_organization(owner, false),
            _ => error,
        }
    }
}

fn repository(place: &Place, found: &RepositoryResponse) -> Repository {
    let told = found.visibility.as_deref().and_then(Visibility::read);
    Repository {
        owner: place.owner.clone(),
        name: place.name.clone(),
        visibility: told.unwrap_or_else(|| Visibility::of_private(found.private)),
        is_archived: found.archived,
    }
}

fn proposal(pull: Pull) -> Proposal {
    let state = match (pull.state.as_str(), &pull.merged_at) {
        (_, Some(_)) => ProposalState::Merged,
        ("open", None) => ProposalState::Open,
        _ => ProposalState::Closed,
    };
    Proposal {
        number: pull.number,
        url: pull.html_url,
        state,
        title: pull.title,
        text: pull.body.unwrap_or_default(),
        labels: hub::names(pull.labels),
        is_auto_merged: pull.auto_merge.is_some(),
    }
}

#[async_trait]
impl Forge for GitHub {
    async fn find(&self, place: &Place) -> Result<Option<Repository>> {
        let found: Option<RepositoryResponse> = hub::find(&self.0, place).await?;
        Ok(found.map(|found| repository(place, &found)))
    }

    async fn create(&self, place: &Place, wanted: &NewRepository) -> Result<Repository> {
        let doing = "create the repository";
        let mut body = json!({
            "name": place.name,
            "private": wanted.visibility != Visibility::Public,
        });
        let path: &[&str] = if place.is_personal {
            self.check_owner(place, doing).await?;
            &["user", "repos"]
        } else {
            body["visibility"] = json!(wanted.visibility.as_str());
            &["orgs", &place.owner, "repos"]
        };
        let call = Call::new(Method::POST, path, Need::Create, doing).body(body);
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
            .body(json!({ "visibility": visibility.as_str() }));
        self.0.send(&call).await.map(drop)
    }

    async fn access(&self, repository: &Repository, team: &str) -> Result<Access> {
        let (owner, name) = (&repository.owner, &repository.name);
        let path = ["orgs", owner, "teams", team, "repos", owner, name];
        let doing = format!("look at the access of team {team}");
        let call = Call::get(&path, Need::Teams, doing).accept(WITH_PERMISSIONS);
        let Some(answer) = self.0.send_optional(&call).await? else {
            return Ok(Access::None);
        };
        Ok(level(&answer))
    }

    async fn grant(&self, repository: &Repository, team: &str, level: Permission) -> Result<()> {
        let (owner, name) = (&repository.owner, &repository.name);
        let path = ["orgs", owner, "teams", team, "repos", owner, name];
        let doing = format!("give team {team} access");
        let call = Call::new(Method::PUT, &path, Need::Teams, doing)
            .body(json!({ "permission": level.as_str() }));
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
        let head = format!("{}:{}", repository.owner, wanted.from);
        let list = || {
            Call::get(&path, Need::Propose, "list pull requests")
                .query("state", "open")
                .query("head", head.as_str())
                .query("base", wanted.into.as_str())
        };
        let pulls: Vec<Pull> = self.0.list(list, PAGE).await?;
        Ok(pulls.into_iter().next().map(proposal))
    }

    async fn propose(&self, repository: &Repository, wanted: &NewProposal) -> Result<Proposal> {
        hub::propose(&self.0, repository, wanted)
            .await
            .map(proposal)
    }

    async fn proposal(&self, repository: &Repository, number: u64) -> Result<Proposal> {
        hub::proposal(&self.0, repository, number)
            .await
            .map(proposal)
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
        hub::add_labels(&self.0, repository, number, json!(labels)).await
    }

    /// Only the GraphQL API can wait for checks. It refuses a pull request without any.
    async fn auto_merge_proposal(
        &self,
        repository: &Repository,
        number: u64,
        method: MergeMethod,
    ) -> Result<()> {
        let pull: Pull = hub::proposal(&self.0, repository, number).await?;
        let doing = "enable auto-merge of the pull request";
        let call = Call::new(Method::POST, &["graphql"], Need::Propose, doing)
            .beside()
            .body(json!({
                "query": ENABLE_AUTO_MERGE,
                "variables": {
                    "id": pull.node_id,
                    "method": method.as_str().to_uppercase(),
                },
            }));
        let answer: GraphResponse = self.0.json(&call).await?;
        let Some(error) = answer.errors.into_iter().next() else {
            return Ok(());
        };
        if !error.message.contains("clean status") {
            let error = Error::new(ErrorKind::Invalid, doing, error.message)
                .advise("allow auto-merge in the settings of the repository");
            return Err(self.0.redacted(error));
        }
        let number = number.to_string();
        let path = at(repository, &["pulls", &number, "merge"]);
        let doing = "merge the pull request";
        let call = Call::new(Method::PUT, &path, Need::Propose, doing)
            .body(json!({ "merge_method": method.as_str() }));
        self.0.send(&call).await.map(drop)
    }
}

/// Returns the highest permission in the response. An old server returns none, so the level is
/// unknown.
fn level(answer: &ApiResponse) -> Access {
    if answer.status == StatusCode::NO_CONTENT {
        return Access::OfTeam;
    }
    let value: Value = serde_json::from_slice(&answer.body).unwrap_or_default();
    let mut levels = Permission::ALL.into_iter().rev();
    let has = |one: &Permission| value["permissions"][one.as_str()] == Value::Bool(true);
    levels.find(has).map_or(Access::OfTeam, Access::Level)
}
