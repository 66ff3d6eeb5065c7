//! Pull requests of automations: the annotation, the repository on its host, and the decision about
//! an open pull request. Pure.
//!
//! An automation opts in by [`ANNOTATION`]. Its pull request leads from the push branch into the
//! branch of the checkout. Automations that push to one branch share it: [`description`] has one
//! section for each. A pull request without our mark stays as it is.

use serde::Deserialize;
use serde_json::Value;
use sluice_api::meta::LocalObjectReference;
use sluice_api::source::{GitProvider, GitRepository};
use sluice_client::typed::ResourceExt as _;
use sluice_forge::{Host, Kind, MergeMethod, Place, Proposal, Repository, Visibility};
use sluice_git::Reference;
use sluice_yaml::v2;
use url::Url;

use crate::source::Source;

pub mod description;

/// The annotation that opts in: `"true"`, or settings in YAML.
pub const ANNOTATION: &str = "sluice.dev/pull-request";
/// Reason of `Ready` if the pull request cannot be opened or updated.
pub const PULL_REQUEST_FAILED: &str = "PullRequestFailed";
/// The title without a setting.
pub const DEFAULT_TITLE: &str = "Update images";
/// Maximum number of characters of a title.
const MAX_TITLE: usize = 200;
/// Maximum number of labels.
const MAX_LABELS: usize = 20;

/// Hosts whose kind is known, with the names that they have for SSH.
const KNOWN_HOSTS: [(&str, Kind); 6] = [
    ("github.com", Kind::GitHub),
    ("ssh.github.com", Kind::GitHub),
    ("gitlab.com", Kind::GitLab),
    ("altssh.gitlab.com", Kind::GitLab),
    ("codeberg.org", Kind::Gitea),
    ("gitea.com", Kind::Gitea),
];

/// The settings of the annotation.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
struct Fields {
    provider: Option<String>,
    title: Option<String>,
    labels: Vec<String>,
    auto_merge: Option<String>,
    secret_ref: Option<LocalObjectReference>,
}

/// A pull request that an automation asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PullRequest {
    /// The kind of the host.
    pub kind: Kind,
    /// The host of the API.
    pub host: Host,
    /// The repository.
    pub repository: Repository,
    /// The branch with the updates.
    pub from: String,
    /// The branch of the checkout.
    pub into: String,
    /// The template of the title. Empty means the default.
    pub title: String,
    /// Labels to add.
    pub labels: Vec<String>,
    /// How the host merges it once its checks pass.
    pub auto_merge: Option<MergeMethod>,
    /// The Secret with a `token`, in the namespace of the automation. Without one, the token is
    /// that of the Git Secret.
    pub secret: Option<String>,
}

/// The annotation cannot be followed. The object stalls with `InvalidSourceConfiguration`.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("annotation '{ANNOTATION}': {reason}: invalid source configuration")]
pub struct InvalidPullRequest {
    reason: String,
}

fn invalid(reason: impl Into<String>) -> InvalidPullRequest {
    InvalidPullRequest {
        reason: reason.into(),
    }
}

impl PullRequest {
    /// Reads the annotation of an automation. `None` means that it asks for no pull request.
    pub(crate) fn of(
        annotation: Option<&str>,
        source: &Source,
        repository: &GitRepository,
        namespace: &str,
    ) -> Result<Option<Self>, InvalidPullRequest> {
        let Some(fields) = annotation.map(fields).transpose()?.flatten() else {
            return Ok(None);
        };
        // The owner of the repository chooses the host that gets the token.
        if fields.secret_ref.is_some() && repository.namespace().as_deref() != Some(namespace) {
            return Err(invalid(
                "secretRef needs a GitRepository in the namespace of the automation",
            ));
        }
        let Reference::Branch(into) = &source.reference else {
            return Err(invalid("the checkout must be a branch"));
        };
        let from = &source.target.branch;
        if !source.target.is_switched || from == into {
            return Err(invalid(format!(
                "set spec.git.push.branch to another branch than '{into}'"
            )));
        }
        if fields.labels.len() > MAX_LABELS {
            return Err(invalid(format!("more than {MAX_LABELS} labels")));
        }
        // GitLab separates labels by commas.
        let is_label = |label: &String| {
            !label.is_empty() && !label.contains(',') && !label.contains(char::is_control)
        };
        if let Some(label) = fields.labels.iter().find(|label| !is_label(label)) {
            return Err(invalid(format!(
                "'{}' is not a label",
                label.escape_default()
            )));
        }
        let url = Url::parse(&repository.spec.url).map_err(|error| invalid(error.to_string()))?;
        if fields.secret_ref.is_some() && url.scheme() == "http" {
            return Err(invalid(
                "the token of secretRef is not sent over plain HTTP",
            ));
        }
        let kind = kind(fields.provider.as_deref(), repository, &url)?;
        if kind == Kind::BitbucketServer && !fields.labels.is_empty() {
            return Err(invalid(format!("{kind} has no labels of pull requests")));
        }
        let auto_merge = fields.auto_merge.as_deref().map(str::parse).transpose();
        let auto_merge = auto_merge.map_err(|error| invalid(format!("autoMerge: {error}")))?;
        if kind == Kind::BitbucketServer && auto_merge.is_some() {
            return Err(invalid(format!("autoMerge is not possible on {kind}")));
        }
        Ok(Some(Self {
            kind,
            host: host(&url)?,
            repository: place(kind, &url)?,
            from: from.clone(),
            into: into.clone(),
            title: fields.title.unwrap_or_default(),
            labels: fields.labels,
            auto_merge,
            secret: fields.secret_ref.map(|secret| secret.name),
        }))
    }
}

/// Parses the annotation. `false` and an empty text ask for nothing.
fn fields(text: &str) -> Result<Option<Fields>, InvalidPullRequest> {
    let value = v2::from_str(text).map_err(|error| invalid(error.to_string()))?;
    match value {
        Value::Null | Value::Bool(false) => Ok(None),
        Value::Bool(true) => Ok(Some(Fields::default())),
        value => serde_json::from_value(value)
            .map(Some)
            .map_err(|error| invalid(error.to_string())),
    }
}

/// Determines the kind of the host.
fn kind(
    provider: Option<&str>,
    repository: &GitRepository,
    url: &Url,
) -> Result<Kind, InvalidPullRequest> {
    if let Some(provider) = provider {
        return match provider {
            "github" => Ok(Kind::GitHub),
            "gitlab" => Ok(Kind::GitLab),
            "gitea" => Ok(Kind::Gitea),
            "bitbucketserver" => Ok(Kind::BitbucketServer),
            other => Err(invalid(format!(
                "provider '{}' is not one of github, gitlab, gitea, bitbucketserver",
                other.escape_default()
            ))),
        };
    }
    if repository.spec.provider == Some(GitProvider::Github) {
        return Ok(Kind::GitHub);
    }
    let name = url.host_str().unwrap_or_default();
    let known = KNOWN_HOSTS.iter().find(|(host, _)| *host == name);
    known.map(|(_, kind)| *kind).ok_or_else(|| {
        invalid(format!(
            "set provider: the kind of host '{name}' is not known"
        ))
    })
}

/// Determines the host of the API. Over SSH it has HTTPS on the same name.
fn host(url: &Url) -> Result<Host, InvalidPullRequest> {
    let name = match url.host_str().unwrap_or_default() {
        "ssh.github.com" => "github.com",
        "altssh.gitlab.com" => "gitlab.com",
        name => name,
    };
    let text = match (url.scheme(), url.port()) {
        ("http", Some(port)) => format!("http://{name}:{port}"),
        ("http", None) => format!("http://{name}"),
        ("https", Some(port)) => format!("https://{name}:{port}"),
        _ => format!("https://{name}"),
    };
    Host::parse(&text).map_err(|error| invalid(error.to_string()))
}

/// Determines the repository from the path of its URL.
fn place(kind: Kind, url: &Url) -> Result<Repository, InvalidPullRequest> {
    let path = url.path().trim_matches('/');
    let path = path.strip_suffix(".git").unwrap_or(path);
    let path = match kind {
        Kind::BitbucketServer => path.strip_prefix("scm/").unwrap_or(path),
        _ => path,
    };
    let (owner, name) = path.rsplit_once('/').unwrap_or_default();
    let place = Place::new(kind, owner, false, name)
        .map_err(|error| invalid(format!("spec.url of the GitRepository: {error}")))?;
    Ok(Repository {
        owner: place.owner,
        name: place.name,
        visibility: Visibility::Private,
        is_archived: false,
    })
}

/// Returns the title from a rendered template: its first line.
pub fn title(rendered: &str) -> String {
    let line = rendered.trim().lines().next().unwrap_or_default();
    let title: String = line
        .chars()
        .filter(|character| !character.is_control())
        .take(MAX_TITLE)
        .collect();
    if title.trim().is_empty() {
        return DEFAULT_TITLE.to_owned();
    }
    title
}

/// The next step for the pull request of an automation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProposalPlan {
    /// Nothing.
    Keep,
    /// Open one with this title and description.
    Open(String, String),
    /// Change title and description.
    Edit(String, String),
    /// Close it: no automation has updates left.
    Close,
    /// Change the description: a deleted automation is not in it.
    Withdraw(String),
    /// Close it: the last automation is deleted.
    Abandon,
}

/// Decides about the pull request of an automation.
///
/// `found` is the open one. `wanted` has the title and the section of the automation. It is `None`
/// if the branch of the checkout needs no updates.
pub fn decide(
    found: Option<&Proposal>,
    automation: &str,
    wanted: Option<(&str, &str)>,
) -> ProposalPlan {
    let Some(found) = found else {
        return match wanted {
            None => ProposalPlan::Keep,
            Some((title, section)) => {
                let text = description::with_section("", automation, Some(section));
                ProposalPlan::Open(title.to_owned(), text)
            }
        };
    };
    if !description::is_ours(&found.text) {
        return ProposalPlan::Keep;
    }
    let text = description::with_section(&found.text, automation, wanted.map(|(_, text)| text));
    if !description::has_section(&text) {
        return ProposalPlan::Close;
    }
    // The title of a shared pull request is that of the automation that opened it.
    let title = match wanted {
        Some((title, _)) if !description::is_shared(&text) => title,
        _ => &found.title,
    };
    if title == found.title && description::is_same(&text, &found.text) {
        return ProposalPlan::Keep;
    }
    ProposalPlan::Edit(title.to_owned(), text)
}

/// Plans the removal of a deleted automation from a pull request. `None` changes nothing.
pub fn withdraw(found: Option<&Proposal>, automation: &str) -> Option<ProposalPlan> {
    let found = found.filter(|found| description::is_ours(&found.text))?;
    let text = description::with_section(&found.text, automation, None);
    if description::is_same(&text, &found.text) {
        None
    } else if description::has_section(&text) {
        Some(ProposalPlan::Withdraw(text))
    } else {
        Some(ProposalPlan::Abandon)
    }
}

#[cfg(test)]
mod tests;
