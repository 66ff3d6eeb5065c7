//! Bitbucket Server and Data Center. An owner is a project with a key, or `~user`.

use async_trait::async_trait;
use http::Method;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::error::{Error, ErrorKind, Need, Result};
use crate::http::{Api, Call, Connection, MAX_PAGES};
use crate::{
    Access, DeployKey, Forge, Kind, NewDeployKey, NewProposal, NewRepository, Permission, Place,
    Proposal, ProposalState, Repository, Visibility,
};

const LIMIT: &str = "100";

#[derive(Debug)]
pub(crate) struct BitbucketServer(Api);

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Page<T> {
    values: Vec<T>,
    #[serde(rename = "isLastPage")]
    is_last: bool,
    next_page_start: Option<u64>,
}

#[derive(Deserialize)]
struct Project {
    key: String,
    name: String,
}

#[derive(Deserialize)]
struct RepositoryResponse {
    slug: String,
    #[serde(default)]
    public: bool,
    #[serde(default)]
    archived: bool,
}

#[derive(Deserialize)]
struct Key {
    key: KeyText,
    permission: String,
}

#[derive(Deserialize)]
struct KeyText {
    id: u64,
    text: String,
    #[serde(default)]
    label: String,
}

#[derive(Deserialize)]
struct Grant {
    group: Group,
    permission: String,
}

#[derive(Deserialize)]
struct Group {
    name: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct PullRequest {
    id: u64,
    state: String,
    from_ref: Branch,
    to_ref: Branch,
    #[serde(default)]
    links: Links,
    #[serde(default)]
    title: String,
    description: Option<String>,
    /// A change must name the version that it changes.
    #[serde(default)]
    version: u64,
    /// An update without them would remove them.
    #[serde(default)]
    reviewers: Vec<Value>,
}

/// A branch by its full name and its repository, which may be a fork.
#[derive(Deserialize)]
struct Branch {
    id: String,
    repository: Source,
}

#[derive(Deserialize)]
struct Source {
    slug: String,
    project: Owner,
}

#[derive(Deserialize)]
struct Owner {
    key: String,
}

#[derive(Deserialize, Default)]
struct Links {
    #[serde(rename = "self", default)]
    own: Vec<Link>,
}

#[derive(Deserialize)]
struct Link {
    href: String,
}

impl Branch {
    fn is(&self, repository: &Repository, name: &str) -> bool {
        let (owner, slug) = (&self.repository.project.key, &self.repository.slug);
        self.id == full(name)
            && owner.eq_ignore_ascii_case(&repository.owner)
            && slug.eq_ignore_ascii_case(&repository.name)
    }
}

impl BitbucketServer {
    pub(crate) fn new(connection: &Connection<'_>) -> Result<Self> {
        Api::new(Kind::BitbucketServer, connection, "Bearer", &[]).map(Self)
    }

    async fn list<T: DeserializeOwned>(&self, call: impl Fn() -> Call) -> Result<Vec<T>> {
        let mut found = Vec::new();
        let mut start = 0;
        for _ in 0..MAX_PAGES {
            let call = call()
                .query("limit", LIMIT)
                .query("start", start.to_string());
            let page: Page<T> = self.0.json(&call).await?;
            found.extend(page.values);
            match page.next_page_start {
                Some(next) if !page.is_last && next > start => start = next,
                _ => break,
            }
        }
        Ok(found)
    }

    async fn pull_request(&self, repository: &Repository, number: u64) -> Result<PullRequest> {
        let number = number.to_string();
        let path = at(repository, &["pull-requests", &number]);
        let call = Call::get(&path, Need::Propose, "look at the pull request");
        self.0.json(&call).await
    }

    /// Returns the key of an owner, given the name or key of a project.
    async fn key(&self, place: &Place) -> Result<String> {
        if place.is_personal {
            return Ok(format!("~{}", place.owner.trim_start_matches('~')));
        }
        let doing = format!("get project {}", place.owner);
        let path = ["api", "1.0", "projects"];
        let list =
            || Call::get(&path, Need::Read, doing.as_str()).query("name", place.owner.as_str());
        let projects: Vec<Project> = self.list(list).await?;
        if let Some(project) = projects.into_iter().find(|one| one.name == place.owner) {
            return Ok(project.key);
        }
        let path = ["api", "1.0", "projects", &place.owner];
        let call = Call::get(&path, Need::Read, doing.as_str());
        let found: Option<Project> = self.0.json_optional(&call).await?;
        found.map(|project| project.key).ok_or_else(|| {
            let reason = "the token cannot see a project of that name or key";
            Error::new(ErrorKind::NotFound, doing, reason)
                .advise("--personal is for repositories of users")
        })
    }

    /// Returns the permission of a group for the repository or the project.
    async fn group_permission(&self, path: &[&str], team: &str) -> Result<Option<Permission>> {
        let doing = format!("look at the access of group {team}");
        let list = || Call::get(path, Need::Teams, doing.as_str()).query("filter", team);
        let grants: Vec<Grant> = self.list(list).await?;
        let mut grants = grants.iter();
        let grant = grants.find(|grant| grant.group.name == team);
        Ok(
            grant.and_then(|grant| match grant.permission.split_once('_')?.1 {
                "READ" => Some(Permission::Pull),
                "WRITE" => Some(Permission::Push),
                "ADMIN" => Some(Permission::Admin),
                _ => None,
            }),
        )
    }
}

fn at<'a>(repository: &'a Repository, rest: &[&'a str]) -> Vec<&'a str> {
    let (owner, name) = (&repository.owner, &repository.name);
    let mut path = vec!["api", "1.0", "projects", owner, "repos", name];
    path.extend(rest);
    path
}

fn keys<'a>(repository: &'a Repository, rest: &[&'a str]) -> Vec<&'a str> {
    let (owner, name) = (&repository.owner, &repository.name);
    let mut path = vec!["keys", "1.0", "projects", owner, "repos", name, "ssh"];
    path.extend(rest);
    path
}

/// Returns the full name of a branch, which the API needs.
fn full(branch: &str) -> String {
    format!("refs/heads/{branch}")
}

fn proposal(repository: &Repository, request: PullRequest) -> Proposal {
    let (owner, name, number) = (&repository.owner, &repository.name, request.id);
    let own = request.links.own.into_iter().next();
    Proposal {
        number,
        url: own.map_or_else(
            || format!("pull request {number} of {owner}/{name}"),
            |link| link.href,
        ),
        state: match request.state.as_str() {
            "MERGED" => ProposalState::Merged,
            "DECLINED" => ProposalState::Closed,
            _ => ProposalState::Open,
        },
        title: request.title,
        text: request.description.unwrap_or_default(),
        labels: Vec::new(),
        is_auto_merged: false,
    }
}

fn repository(key: String, found: RepositoryResponse) -> Repository {
    Repository {
        owner: key,
        name: found.slug,
        visibility: Visibility::of_private(!found.public),
        is_archived: found.archived,
    }
}

#[async_trait]
impl Forge for BitbucketServer {
    async fn find(&self, place: &Place) -> Result<Option<Repository>> {
        let key = self.key(place).await?;
        let path = ["api", "1.0", "projects", &key, "repos", &place.name];
        let call = Call::get(&path, Need::Read, "get the repository");
        let found: Option<RepositoryResponse> = self.0.json_optional(&call).await?;
        Ok(found.map(|found| repository(key, found)))
    }

    async fn create(&self, place: &Place, wanted: &NewRepository) -> Result<Repository> {
        let key = self.key(place).await?;
        let path = ["api", "1.0", "projects", &key, "repos"];
        let doing = "create the repository";
        let call = Call::new(Method::POST, &path, Need::Create, doing).body(json!({
            "name": place.name,
            "scmId": "git",
            "public": wanted.visibility == Visibility::Public,
            "defaultBranch": wanted.default_branch,
        }));
        let found: RepositoryResponse = self.0.json(&call).await?;
        Ok(repository(key, found))
    }

    async fn show_to(&self, repository: &Repository, visibility: Visibility) -> Result<()> {
        let path = at(repository, &[]);
        let doing = "change the visibility of the repository";
        let call = Call::new(Method::PUT, &path, Need::Change, doing)
            .body(json!({ "public": visibility == Visibility::Public }));
        self.0.send(&call).await.map(drop)
    }

    async fn access(&self, repository: &Repository, team: &str) -> Result<Access> {
        let here = at(repository, &["permissions", "groups"]);
        let owner = &repository.owner;
        let above = ["api", "1.0", "projects", owner, "permissions", "groups"];
        let given = [
            self.group_permission(&here, team).await?,
            self.group_permission(&above, team).await?,
        ];
        let most = given.into_iter().flatten().max();
        Ok(most.map_or(Access::None, Access::Level))
    }

    async fn grant(&self, repository: &Repository, team: &str, level: Permission) -> Result<()> {
        let doing = format!("give group {team} access");
        let level = match level {
            Permission::Pull => "REPO_READ",
            Permission::Push => "REPO_WRITE",
            Permission::Admin => "REPO_ADMIN",
            Permission::Triage | Permission::Maintain => {
                let reason = format!("this host has no permission {level}");
                return Err(Error::new(ErrorKind::Refused, doing, reason)
                    .advise("it has pull, push and admin"));
            }
        };
        let path = at(repository, &["permissions", "groups"]);
        let call = Call::new(Method::PUT, &path, Need::Teams, doing)
            .query("permission", level)
            .query("name", team);
        self.0.send(&call).await.map(drop)
    }

    async fn deploy_keys(&self, repository: &Repository) -> Result<Vec<DeployKey>> {
        let path = keys(repository, &[]);
        let list = || Call::get(&path, Need::Keys, "list deploy keys");
        let found: Vec<Key> = self.list(list).await?;
        let key = |key: Key| DeployKey {
            id: key.key.id,
            title: key.key.label,
            key: key.key.text,
            is_read_only: key.permission == "REPO_READ",
        };
        Ok(found.into_iter().map(key).collect())
    }

    /// The API uses the comment of a key as its title.
    async fn add_deploy_key(&self, repository: &Repository, key: &NewDeployKey) -> Result<()> {
        let bare: Vec<&str> = key.key.split_whitespace().take(2).collect();
        let text = format!("{} {}", bare.join(" "), key.title);
        let permission = if key.is_read_only {
            "REPO_READ"
        } else {
            "REPO_WRITE"
        };
        let path = keys(repository, &[]);
        let call = Call::new(Method::POST, &path, Need::Keys, "add the deploy key")
            .body(json!({ "key": { "text": text }, "permission": permission }));
        self.0.send(&call).await.map(drop)
    }

    async fn remove_deploy_key(&self, repository: &Repository, id: u64) -> Result<()> {
        let id = id.to_string();
        let path = keys(repository, &[&id]);
        let call = Call::new(Method::DELETE, &path, Need::Keys, "delete the deploy key");
        self.0.send_optional(&call).await.map(drop)
    }

    /// The filter uses the source branch, but a fork may have a branch of the same name.
    async fn find_proposal(
        &self,
        repository: &Repository,
        wanted: &NewProposal,
    ) -> Result<Option<Proposal>> {
        let path = at(repository, &["pull-requests"]);
        let list = || {
            Call::get(&path, Need::Propose, "list pull requests")
                .query("state", "OPEN")
                .query("direction", "OUTGOING")
                .query("at", full(&wanted.from))
        };
        let requests: Vec<PullRequest> = self.list(list).await?;
        let mut requests = requests.into_iter();
        let found = requests.find(|request| {
            request.from_ref.is(repository, &wanted.from)
                && request.to_ref.is(repository, &wanted.into)
        });
        Ok(found.map(|found| proposal(repository, found)))
    }

    async fn propose(&self, repository: &Repository, wanted: &NewProposal) -> Result<Proposal> {
        let (owner, name) = (&repository.owner, &repository.name);
        let branch = |branch: &str| {
            json!({
                "id": full(branch),
                "repository": { "slug": name, "project": { "key": owner } },
            })
        };
        let path = at(repository, &["pull-requests"]);
        let doing = "open a pull request";
        let call = Call::new(Method::POST, &path, Need::Propose, doing).body(json!({
            "title": wanted.title,
            "description": wanted.text,
            "fromRef": branch(&wanted.from),
            "toRef": branch(&wanted.into),
        }));
        let made: PullRequest = self.0.json(&call).await?;
        Ok(proposal(repository, made))
    }

    async fn proposal(&self, repository: &Repository, number: u64) -> Result<Proposal> {
        let found = self.pull_request(repository, number).await?;
        Ok(proposal(repository, found))
    }

    async fn edit_proposal(
        &self,
        repository: &Repository,
        number: u64,
        title: &str,
        text: &str,
    ) -> Result<()> {
        let found = self.pull_request(repository, number).await?;
        let number = number.to_string();
        let path = at(repository, &["pull-requests", &number]);
        let doing = "update the pull request";
        let call = Call::new(Method::PUT, &path, Need::Propose, doing).body(json!({
            "title": title,
            "description": text,
            "version": found.version,
            "reviewers": found.reviewers,
        }));
        self.0.send(&call).await.map(drop)
    }

    async fn close_proposal(&self, repository: &Repository, number: u64) -> Result<()> {
        let found = self.pull_request(repository, number).await?;
        let number = number.to_string();
        let path = at(repository, &["pull-requests", &number, "decline"]);
        let doing = "decline the pull request";
        let call = Call::new(Method::POST, &path, Need::Propose, doing)
            .query("version", found.version.to_string());
        self.0.send(&call).await.map(drop)
    }
}
