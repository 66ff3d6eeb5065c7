//! The common part of the APIs of GitHub and Gitea: paths, deploy keys, pull requests.

use http::Method;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::error::{Need, Result};
use crate::http::{Api, Call};
use crate::{DeployKey, NewDeployKey, NewProposal, Place, Repository};

#[derive(Deserialize)]
struct DeployKeyResponse {
    id: u64,
    title: String,
    key: String,
    read_only: bool,
}

/// Returns a path in a repository.
pub(crate) fn at<'a>(repository: &'a Repository, rest: &[&'a str]) -> Vec<&'a str> {
    let mut path = vec!["repos", &repository.owner, &repository.name];
    path.extend(rest);
    path
}

pub(crate) async fn find<F: DeserializeOwned>(api: &Api, place: &Place) -> Result<Option<F>> {
    let path = ["repos", &place.owner, &place.name];
    let call = Call::get(&path, Need::Read, "get the repository");
    api.json_optional(&call).await
}

/// Returns the deploy keys. `page` is the parameter of the page size and its maximum.
pub(crate) async fn deploy_keys(
    api: &Api,
    repository: &Repository,
    page: (&'static str, usize),
) -> Result<Vec<DeployKey>> {
    let path = at(repository, &["keys"]);
    let list = || Call::get(&path, Need::Keys, "list deploy keys");
    let keys: Vec<DeployKeyResponse> = api.list(list, page).await?;
    let key = |key: DeployKeyResponse| DeployKey {
        id: key.id,
        title: key.title,
        key: key.key,
        is_read_only: key.read_only,
    };
    Ok(keys.into_iter().map(key).collect())
}

pub(crate) async fn add_deploy_key(
    api: &Api,
    repository: &Repository,
    key: &NewDeployKey,
) -> Result<()> {
    let path = at(repository, &["keys"]);
    let call = Call::new(Method::POST, &path, Need::Keys, "add the deploy key").body(json!({
        "title": key.title,
        "key": key.key,
        "read_only": key.is_read_only,
    }));
    api.send(&call).await.map(drop)
}

pub(crate) async fn remove_deploy_key(api: &Api, repository: &Repository, id: u64) -> Result<()> {
    let id = id.to_string();
    let path = at(repository, &["keys", &id]);
    let call = Call::new(Method::DELETE, &path, Need::Keys, "delete the deploy key");
    api.send_optional(&call).await.map(drop)
}

/// Opens a pull request. `P` is its type in the response.
pub(crate) async fn propose<P: DeserializeOwned>(
    api: &Api,
    repository: &Repository,
    wanted: &NewProposal,
) -> Result<P> {
    let path = at(repository, &["pulls"]);
    let doing = "open a pull request";
    let call = Call::new(Method::POST, &path, Need::Propose, doing).body(json!({
        "title": wanted.title,
        "head": wanted.from,
        "base": wanted.into,
        "body": wanted.text,
    }));
    api.json(&call).await
}

/// Changes fields of a pull request.
pub(crate) async fn change_proposal(
    api: &Api,
    repository: &Repository,
    number: u64,
    doing: &str,
    fields: Value,
) -> Result<()> {
    let number = number.to_string();
    let path = at(repository, &["pulls", &number]);
    let call = Call::new(Method::PATCH, &path, Need::Propose, doing).body(fields);
    api.send(&call).await.map(drop)
}

pub(crate) async fn edit_proposal(
    api: &Api,
    repository: &Repository,
    number: u64,
    title: &str,
    text: &str,
) -> Result<()> {
    let fields = json!({ "title": title, "body": text });
    change_proposal(api, repository, number, "update the pull request", fields).await
}

pub(crate) async fn close_proposal(api: &Api, repository: &Repository, number: u64) -> Result<()> {
    let fields = json!({ "state": "closed" });
    change_proposal(api, repository, number, "close the pull request", fields).await
}

/// Adds labels: names on GitHub, numbers on Gitea.
pub(crate) async fn add_labels(
    api: &Api,
    repository: &Repository,
    number: u64,
    labels: Value,
) -> Result<()> {
    let number = number.to_string();
    let path = at(repository, &["issues", &number, "labels"]);
    let doing = "label the pull request";
    let call =
        Call::new(Method::POST, &path, Need::Propose, doing).body(json!({ "labels": labels }));
    api.send(&call).await.map(drop)
}

/// A label in a response.
#[derive(Deserialize)]
pub(crate) struct Label {
    #[serde(default)]
    pub(crate) id: u64,
    pub(crate) name: String,
}

/// Returns the names of labels.
pub(crate) fn names(labels: Vec<Label>) -> Vec<String> {
    labels.into_iter().map(|label| label.name).collect()
}

pub(crate) async fn proposal<P: DeserializeOwned>(
    api: &Api,
    repository: &Repository,
    number: u64,
) -> Result<P> {
    let number = number.to_string();
    let path = at(repository, &["pulls", &number]);
    let call = Call::get(&path, Need::Propose, "look at the pull request");
    api.json(&call).await
}
