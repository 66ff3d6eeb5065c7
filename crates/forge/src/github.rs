//! GitHub and GitHub Enterprise.

use async_trait::async_trait;
use http::{HeaderName, Method, StatusCode};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::error::{Error, ErrorKind, Need, Result};
use crate::http::{Answer, Api, Call, Connection};
use crate::{
    Access, DeployKey, Forge, Kind, NewDeployKey, NewProposal, NewRepository, Permission, Place,
    Proposal, ProposalState, Repository, Visibility,
};

/// The form of an answer that tells what a team may do, in the place of an empty one.
const WITH_PERMISSIONS: &str = "application/vnd.github.v3.repository+json";
const PAGE: (&str, usize) = ("per_page", 100);

#[derive(Debug)]
pub(crate) struct GitHub(Api);

#[derive(Deserialize)]
struct Found {
    private: bool,
    visibility: Option<String>,
    #[serde(default)]
    archived: bool,
}

#[derive(Deserialize)]
struct Admitted {
    id: u64,
    title: String,
    key: String,
    read_only: bool,
}

#[derive(Deserialize)]
struct Pull {
    number: u64,
    html_url: String,
    state: String,
    merged_at: Option<String>,
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

    /// Whom the token belongs to, and what kind of account the owner is.
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
        let reason = format!(
            "the specified owner '{}' doesn't match the identity associated with the given token",
            place.owner
        );
        let error = Error::new(ErrorKind::Refused, attempted, reason)
            .advise(format!("the token belongs to {}", me.login));
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

    /// Says more of an organization that is not found: it may be a user, or nobody.
    async fn explained(&self, error: Error, owner: &str) -> Error {
        if error.kind() != ErrorKind::NotFound {
            return error;
        }
        match self.account(owner).await {
            Ok(Some(account)) if account.kind == "User" => error.instead(
                format!("{owner} is a user, not an organization"),
                "--personal makes repositories of users",
            ),
            Ok(None) => error.instead(
                format!("there is no organization {owner}"),
                "is --owner spelled as in the address of the organization?",
            ),
            _ => error,
        }
    }
}

fn at<'a>(repository: &'a Repository, rest: &[&'a str]) -> Vec<&'a str> {
    let mut path = vec!["repos", &repository.owner, &repository.name];
    path.extend(rest);
    path
}

fn repository(place: &Place, found: &Found) -> Repository {
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
    }
}

#[async_trait]
impl Forge for GitHub {
    async fn find(&self, place: &Place) -> Result<Option<Repository>> {
        let path = ["repos", &place.owner, &place.name];
        let call = Call::get(&path, Need::Read, "get the repository");
        let found: Option<Found> = self.0.json_optional(&call).await?;
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
        match self.0.json::<Found>(&call).await {
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
        let path = at(repository, &["keys"]);
        let list = || Call::get(&path, Need::Keys, "list deploy keys");
        let keys: Vec<Admitted> = self.0.list(list, PAGE).await?;
        let key = |key: Admitted| DeployKey {
            id: key.id,
            title: key.title,
            key: key.key,
            is_read_only: key.read_only,
        };
        Ok(keys.into_iter().map(key).collect())
    }

    async fn add_deploy_key(&self, repository: &Repository, key: &NewDeployKey) -> Result<()> {
        let path = at(repository, &["keys"]);
        let call = Call::new(Method::POST, &path, Need::Keys, "add the deploy key").body(json!({
            "title": key.title,
            "key": key.key,
            "read_only": key.is_read_only,
        }));
        self.0.send(&call).await.map(drop)
    }

    async fn remove_deploy_key(&self, repository: &Repository, id: u64) -> Result<()> {
        let id = id.to_string();
        let path = at(repository, &["keys", &id]);
        let call = Call::new(Method::DELETE, &path, Need::Keys, "delete the deploy key");
        self.0.send_optional(&call).await.map(drop)
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
        let path = at(repository, &["pulls"]);
        let doing = "open a pull request";
        let call = Call::new(Method::POST, &path, Need::Propose, doing).body(json!({
            "title": wanted.title,
            "head": wanted.from,
            "base": wanted.into,
            "body": wanted.text,
        }));
        self.0.json(&call).await.map(proposal)
    }

    async fn proposal(&self, repository: &Repository, number: u64) -> Result<Proposal> {
        let number = number.to_string();
        let path = at(repository, &["pulls", &number]);
        let call = Call::get(&path, Need::Propose, "look at the pull request");
        self.0.json(&call).await.map(proposal)
    }
}

/// The highest of the permissions that an answer counts up. An old server answers without any:
/// access of some level, then.
fn level(answer: &Answer) -> Access {
    if answer.status == StatusCode::NO_CONTENT {
        return Access::OfTeam;
    }
    let value: Value = serde_json::from_slice(&answer.body).unwrap_or_default();
    let mut levels = Permission::ALL.into_iter().rev();
    let has = |one: &Permission| value["permissions"][one.as_str()] == Value::Bool(true);
    levels.find(has).map_or(Access::OfTeam, Access::Level)
}
