//! GitLab. The API addresses a project by its full path, escaped to one path segment.

use async_trait::async_trait;
use http::Method;
use serde::Deserialize;
use serde_json::{Value, json};
use sluice_dial::Sensitive;

use crate::error::{Error, ErrorKind, Need, Result};
use crate::http::{Api, Call, Connection};
use crate::{
    Access, DeployKey, DeployToken, Forge, Kind, MergeMethod, NewDeployKey, NewProposal,
    NewRepository, Permission, Place, Proposal, ProposalState, Repository, Visibility,
};

const PAGE: (&str, usize) = ("per_page", 100);

#[derive(Debug)]
pub(crate) struct GitLab(Api);

#[derive(Deserialize)]
struct Project {
    /// Absent if the token has few permissions.
    visibility: Option<String>,
    #[serde(default)]
    archived: bool,
    #[serde(default)]
    shared_with_groups: Vec<Share>,
}

#[derive(Deserialize)]
struct Share {
    group_id: u64,
    group_access_level: u32,
}

#[derive(Deserialize)]
struct Group {
    id: u64,
}

#[derive(Deserialize)]
struct Account {
    username: String,
}

#[derive(Deserialize)]
struct DeployKeyResponse {
    id: u64,
    title: String,
    key: String,
    #[serde(default)]
    can_push: bool,
}

#[derive(Deserialize)]
struct DeployTokenResponse {
    id: u64,
    name: String,
    username: String,
    #[serde(default)]
    revoked: bool,
    #[serde(default)]
    expired: bool,
    token: Option<String>,
}

#[derive(Deserialize)]
struct MergeRequest {
    iid: u64,
    web_url: String,
    state: String,
    source_project_id: Option<u64>,
    target_project_id: Option<u64>,
    #[serde(default)]
    title: String,
    description: Option<String>,
    #[serde(default)]
    labels: Vec<String>,
    #[serde(default)]
    merge_when_pipeline_succeeds: bool,
}

/// Returns GitLab's number of a permission.
const fn number(level: Permission) -> u32 {
    match level {
        Permission::Pull => 10,
        Permission::Triage => 20,
        Permission::Push => 30,
        Permission::Maintain => 40,
        Permission::Admin => 50,
    }
}

impl GitLab {
    pub(crate) fn new(connection: &Connection<'_>) -> Result<Self> {
        Api::new(Kind::GitLab, connection, "Bearer", &[]).map(Self)
    }

    async fn group(&self, path: &str, need: Need) -> Result<Option<Group>> {
        let call = Call::get(&["groups", path], need, format!("get group {path}"))
            .query("with_projects", "false");
        self.0.json_optional(&call).await
    }

    async fn group_of_team(&self, team: &str) -> Result<Group> {
        let found = self.group(team, Need::Teams).await?;
        found.ok_or_else(|| {
            let doing = format!("get group {team}");
            Error::new(
                ErrorKind::NotFound,
                doing,
                "there is none that the token may see",
            )
            .advise("--team names a group by its path")
        })
    }

    /// Explains that the owner of a new project is not a group.
    async fn no_group(&self, owner: &str, doing: &str) -> Error {
        let call = Call::get(&["users"], Need::Read, "look at the owner").query("username", owner);
        let users: Result<Vec<Account>> = self.0.json(&call).await;
        if users.is_ok_and(|users| !users.is_empty()) {
            let reason = format!("{owner} is a user, not a group");
            return Error::new(ErrorKind::Refused, doing, reason)
                .advise("--personal makes projects of users");
        }
        let reason = format!("the token cannot see a group {owner}");
        Error::new(ErrorKind::NotFound, doing, reason)
            .advise("--owner is the path of the group, with the groups that it is in")
    }

    async fn check_owner(&self, place: &Place, doing: &str) -> Result<()> {
        let call = Call::get(&["user"], Need::Read, "find out whose the token is");
        let me: Account = self.0.json(&call).await?;
        if me.username.eq_ignore_ascii_case(&place.owner) {
            return Ok(());
        }
        let error = Error::other_owner(doing, &place.owner, &me.username);
        Err(match self.group(&place.owner, Need::Read).await {
            Ok(Some(_)) => {
                error.advise(format!("{} is a group: leave --personal out", place.owner))
            }
            _ => error,
        })
    }

    async fn change_merge_request(
        &self,
        repository: &Repository,
        number: u64,
        doing: &str,
        fields: Value,
    ) -> Result<()> {
        let (project, number) = (path(repository), number.to_string());
        let path = ["projects", &project, "merge_requests", &number];
        let call = Call::new(Method::PUT, &path, Need::Propose, doing).body(fields);
        self.0.send(&call).await.map(drop)
    }

    async fn project(&self, path: &str) -> Result<Option<Project>> {
        let call = Call::get(&["projects", path], Need::Read, "get the repository");
        self.0.json_optional(&call).await
    }
}

fn path(repository: &Repository) -> String {
    format!("{}/{}", repository.owner, repository.name)
}

fn repository(place: &Place, found: &Project) -> Repository {
    let told = found.visibility.as_deref().and_then(Visibility::read);
    Repository {
        owner: place.owner.clone(),
        name: place.name.clone(),
        visibility: told.unwrap_or(Visibility::Private),
        is_archived: found.archived,
    }
}

fn token(token: DeployTokenResponse) -> DeployToken {
    DeployToken {
        id: token.id,
        name: token.name,
        username: token.username,
        token: token.token.map(Sensitive::new),
    }
}

fn proposal(request: MergeRequest) -> Proposal {
    Proposal {
        number: request.iid,
        url: request.web_url,
        state: match request.state.as_str() {
            "merged" => ProposalState::Merged,
            "closed" => ProposalState::Closed,
            // GitLab reports `locked` during a merge.
            _ => ProposalState::Open,
        },
        title: request.title,
        text: request.description.unwrap_or_default(),
        labels: request.labels,
        is_auto_merged: request.merge_when_pipeline_succeeds,
    }
}

#[async_trait]
impl Forge for GitLab {
    async fn find(&self, place: &Place) -> Result<Option<Repository>> {
        let found = self
            .project(&format!("{}/{}", place.owner, place.name))
            .await?;
        Ok(found.map(|found| repository(place, &found)))
    }

    async fn create(&self, place: &Place, wanted: &NewRepository) -> Result<Repository> {
        let doing = "create the repository";
        let mut body = json!({
            "name": place.name,
            "visibility": wanted.visibility.as_str(),
            "default_branch": wanted.default_branch,
        });
        // Without a path, GitLab derives one from the name, which often differs.
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
        if place.name.bytes().all(is_plain) {
            body["path"] = json!(place.name);
        }
        if place.is_personal {
            self.check_owner(place, doing).await?;
        } else {
            match self.group(&place.owner, Need::Create).await? {
                Some(group) => body["namespace_id"] = json!(group.id),
                None => return Err(self.no_group(&place.owner, doing).await),
            }
        }
        let call = Call::new(Method::POST, &["projects"], Need::Create, doing).body(body);
        let found: Project = self.0.json(&call).await?;
        Ok(repository(place, &found))
    }

    async fn show_to(&self, repository: &Repository, visibility: Visibility) -> Result<()> {
        let doing = "change the visibility of the repository";
        let path = path(repository);
        let call = Call::new(Method::PUT, &["projects", &path], Need::Change, doing)
            .body(json!({ "visibility": visibility.as_str() }));
        self.0.send(&call).await.map(drop)
    }

    async fn access(&self, repository: &Repository, team: &str) -> Result<Access> {
        let group = self.group_of_team(team).await?;
        let Some(project) = self.project(&path(repository)).await? else {
            return Ok(Access::None);
        };
        let mut shares = project.shared_with_groups.iter();
        Ok(match shares.find(|share| share.group_id == group.id) {
            None => Access::None,
            Some(share) => {
                let mut levels = Permission::ALL.into_iter();
                let level = levels.find(|level| number(*level) == share.group_access_level);
                level.map_or(Access::OfTeam, Access::Level)
            }
        })
    }

    async fn grant(&self, repository: &Repository, team: &str, level: Permission) -> Result<()> {
        let (group, project) = (self.group_of_team(team).await?, path(repository));
        let doing = format!("share the project with group {team}");
        let share = Call::new(
            Method::POST,
            &["projects", &project, "share"],
            Need::Teams,
            doing.as_str(),
        )
        .body(json!({ "group_id": group.id, "group_access": number(level) }));
        match self.0.send(&share).await {
            // The API cannot change the level of a share, so it is deleted and created again.
            Err(error) if error.kind() == ErrorKind::Conflict || error.says("already shared") => {
                let id = group.id.to_string();
                let path = ["projects", &project, "share", &id];
                let end = Call::new(Method::DELETE, &path, Need::Teams, doing);
                self.0.send_optional(&end).await?;
                self.0.send(&share).await.map(drop)
            }
            sent => sent.map(drop),
        }
    }

    async fn deploy_keys(&self, repository: &Repository) -> Result<Vec<DeployKey>> {
        let project = path(repository);
        let path = ["projects", &project, "deploy_keys"];
        let list = || Call::get(&path, Need::Keys, "list deploy keys");
        let keys: Vec<DeployKeyResponse> = self.0.list(list, PAGE).await?;
        let key = |key: DeployKeyResponse| DeployKey {
            id: key.id,
            title: key.title,
            key: key.key,
            is_read_only: !key.can_push,
        };
        Ok(keys.into_iter().map(key).collect())
    }

    async fn add_deploy_key(&self, repository: &Repository, key: &NewDeployKey) -> Result<()> {
        let project = path(repository);
        let path = ["projects", &project, "deploy_keys"];
        let call = Call::new(Method::POST, &path, Need::Keys, "add the deploy key").body(json!({
            "title": key.title,
            "key": key.key,
            "can_push": !key.is_read_only,
        }));
        self.0.send(&call).await.map(drop)
    }

    async fn remove_deploy_key(&self, repository: &Repository, id: u64) -> Result<()> {
        let (project, id) = (path(repository), id.to_string());
        let path = ["projects", &project, "deploy_keys", &id];
        let call = Call::new(Method::DELETE, &path, Need::Keys, "delete the deploy key");
        self.0.send_optional(&call).await.map(drop)
    }

    async fn deploy_tokens(&self, repository: &Repository) -> Result<Vec<DeployToken>> {
        let project = path(repository);
        let path = ["projects", &project, "deploy_tokens"];
        let list = || Call::get(&path, Need::Tokens, "list deploy tokens");
        let tokens: Vec<DeployTokenResponse> = self.0.list(list, PAGE).await?;
        let good = tokens
            .into_iter()
            .filter(|token| !token.revoked && !token.expired);
        Ok(good.map(token).collect())
    }

    async fn add_deploy_token(&self, repository: &Repository, name: &str) -> Result<DeployToken> {
        let project = path(repository);
        let path = ["projects", &project, "deploy_tokens"];
        let doing = "create a deploy token";
        let call = Call::new(Method::POST, &path, Need::Tokens, doing).body(json!({
            "name": name,
            "scopes": ["read_repository"],
        }));
        let made: DeployTokenResponse = self.0.json(&call).await?;
        Ok(token(made))
    }

    async fn remove_deploy_token(&self, repository: &Repository, id: u64) -> Result<()> {
        let (project, id) = (path(repository), id.to_string());
        let path = ["projects", &project, "deploy_tokens", &id];
        let doing = "delete the deploy token";
        let call = Call::new(Method::DELETE, &path, Need::Tokens, doing);
        self.0.send_optional(&call).await.map(drop)
    }

    async fn find_proposal(
        &self,
        repository: &Repository,
        wanted: &NewProposal,
    ) -> Result<Option<Proposal>> {
        let project = path(repository);
        let path = ["projects", &project, "merge_requests"];
        let list = || {
            Call::get(&path, Need::Propose, "list merge requests")
                .query("state", "opened")
                .query("source_branch", wanted.from.as_str())
                .query("target_branch", wanted.into.as_str())
        };
        let requests: Vec<MergeRequest> = self.0.list(list, PAGE).await?;
        let mut requests = requests.into_iter();
        // A fork may have a branch of the same name.
        let own = requests.find(|one| one.source_project_id == one.target_project_id);
        Ok(own.map(proposal))
    }

    async fn propose(&self, repository: &Repository, wanted: &NewProposal) -> Result<Proposal> {
        let project = path(repository);
        let path = ["projects", &project, "merge_requests"];
        let doing = "open a merge request";
        let call = Call::new(Method::POST, &path, Need::Propose, doing).body(json!({
            "source_branch": wanted.from,
            "target_branch": wanted.into,
            "title": wanted.title,
            "description": wanted.text,
            "remove_source_branch": true,
        }));
        self.0.json(&call).await.map(proposal)
    }

    async fn proposal(&self, repository: &Repository, number: u64) -> Result<Proposal> {
        let (project, number) = (path(repository), number.to_string());
        let path = ["projects", &project, "merge_requests", &number];
        let call = Call::get(&path, Need::Propose, "look at the merge request");
        self.0.json(&call).await.map(proposal)
    }

    async fn edit_proposal(
        &self,
        repository: &Repository,
        number: u64,
        title: &str,
        text: &str,
    ) -> Result<()> {
        let fields = json!({ "title": title, "description": text });
        self.change_merge_request(repository, number, "update the merge request", fields)
            .await
    }

    async fn close_proposal(&self, repository: &Repository, number: u64) -> Result<()> {
        let fields = json!({ "state_event": "close" });
        self.change_merge_request(repository, number, "close the merge request", fields)
            .await
    }

    async fn label_proposal(
        &self,
        repository: &Repository,
        number: u64,
        labels: &[String],
    ) -> Result<()> {
        let fields = json!({ "add_labels": labels.join(",") });
        self.change_merge_request(repository, number, "label the merge request", fields)
            .await
    }

    async fn auto_merge_proposal(
        &self,
        repository: &Repository,
        number: u64,
        method: MergeMethod,
    ) -> Result<()> {
        let (project, number) = (path(repository), number.to_string());
        let path = ["projects", &project, "merge_requests", &number, "merge"];
        let doing = "enable auto-merge of the merge request";
        let call = Call::new(Method::PUT, &path, Need::Propose, doing).body(json!({
            // Servers before 17.11 know only the second name.
            "auto_merge": true,
            "merge_when_pipeline_succeeds": true,
            "squash": method == MergeMethod::Squash,
        }));
        self.0.send(&call).await.map(drop)
    }
}
