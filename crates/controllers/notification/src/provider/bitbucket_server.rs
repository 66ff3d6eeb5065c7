//! Bitbucket Data Center: build statuses.

use serde::Serialize;
use sluice_api::event::Event;
use sluice_digest::Algorithm;
use url::Url;

use super::forge;
use crate::address::{http_url, join};
use crate::config::ProviderConfig;
use crate::error::Error;
use crate::request::status::{self, CommitStatus, StatusFields};
use crate::request::{HttpRequest, Request};
use crate::text;

/// Part of every HTTP clone address.
const SCM: &str = "/scm/";

#[derive(Serialize)]
struct Status<'a> {
    description: &'a str,
    key: &'a str,
    name: &'a str,
    state: &'a str,
    url: &'a str,
}

pub(super) fn status(config: &ProviderConfig, event: &Event) -> Result<Vec<Request>, Error> {
    let address = config.address.expose();
    let commits = commits_url(address)?;
    forge::check_commit_status(config)?;
    let authorization = match (config.token_text()?, config.basic()) {
        (Some(_), _) => config.token_header("Bearer ")?,
        (None, Some(basic)) => basic.header(),
        (None, None) => {
            return Err(Error::Missing {
                message: "invalid credentials, expected to be one of username/password or API Token",
                hint: "set the key 'token', or 'username' and 'password', of the Secret",
            });
        }
    };
    let states = ["SUCCESSFUL", "FAILED"];
    let Some((commit, state)) = forge::commit_and_state(config, event, "bitbucket server", states)?
    else {
        return Ok(Vec::new());
    };
    let description = text::description(event);
    let key = Algorithm::Sha1.digest(config.commit_status.as_bytes());
    let wanted = StatusFields {
        id: key.hex().to_owned(),
        // The web interface shows only the name.
        name: format!("{} [{description}]", text::short_name(event)),
        state: state.to_owned(),
        description,
        ..StatusFields::default()
    };
    let builds = join(&commits, [commit.as_str(), "builds"]);
    let mut lookup = builds.clone();
    lookup.set_query(Some(&format!("key={}", wanted.id)));
    let payload = Status {
        description: &wanted.description,
        key: &wanted.id,
        name: &wanted.name,
        state,
        url: address,
    };
    let finish = |request: HttpRequest| {
        request
            .with("x-atlassian-token", "no-check")
            .with("x-requested-with", "XMLHttpRequest")
            .with_authorization(authorization.clone())
    };
    Ok(vec![Request::CommitStatus(Box::new(CommitStatus {
        lookup: finish(HttpRequest::get(lookup)),
        create: finish(HttpRequest::post(builds, &payload)),
        wanted,
        form: status::Form::BitbucketServer,
    }))])
}

/// Returns the commits URL of a repository. The last `/scm/` separates the context path from
/// project and repository.
fn commits_url(address: &str) -> Result<Url, Error> {
    let refuse = |reason: String| Error::Address {
        what: "repository URL",
        reason: format!("could not parse git address: {reason}"),
    };
    if let Ok(url) = Url::parse(address)
        && !matches!(url.scheme(), "http" | "https")
    {
        return Err(refuse(format!(
            "unsupported scheme type in address: {}. Must be http or https",
            url.scheme()
        )));
    }
    let mut url = http_url("repository URL", address)?;
    let path = url.path().to_owned();
    let path = path.strip_suffix(".git").unwrap_or(&path);
    let (context, id) = path.rsplit_once(SCM).ok_or_else(|| {
        refuse("supplied provider address is not http(s) git clone url".to_owned())
    })?;
    let (project, repository) = id
        .split_once('/')
        .filter(|(project, repository)| {
            !project.is_empty() && !repository.is_empty() && !repository.contains('/')
        })
        .ok_or_else(|| refuse(format!("invalid repository id {id:?}")))?;
    let path = format!("{context}/rest/api/latest/projects/{project}/repos/{repository}/commits");
    url.set_path(&path);
    url.set_query(None);
    let cleared = url.set_username("").and_then(|()| url.set_password(None));
    cleared.map_err(|()| refuse("it has no host".to_owned()))?;
    Ok(url)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// From `TestBitbucketServer*` in the reference.
    #[test]
    fn clone_address_becomes_the_address_of_commits() {
        for (address, expected) in [
            (
                "https://example.com:7990/scm/projectfoo/repobar.git",
                "https://example.com:7990/rest/api/latest/projects/projectfoo/repos/repobar/commits",
            ),
            (
                "https://example.com:7990/context/scm/scm/projectfoo/repobar.git",
                "https://example.com:7990/context/scm/rest/api/latest/projects/projectfoo/repos/repobar/commits",
            ),
            (
                "https://user:canary@example.com/scm/p/r",
                "https://example.com/rest/api/latest/projects/p/repos/r/commits",
            ),
        ] {
            assert_eq!(commits_url(address).unwrap().as_str(), expected);
        }
    }

    #[test]
    fn other_addresses_are_refused() {
        for (address, part) in [
            ("scm/projectfoo/repobar.git", "no scheme"),
            (
                "ssh://git@mybb.com:7999/ap/fluxcd-sandbox.git",
                "unsupported scheme",
            ),
            (
                "https://example.com:7990/projectfoo/repobar.git",
                "not http(s) git clone url",
            ),
            (
                "https://example.com:7990/scm/projectfoo/repobar/invalid.git",
                "invalid repository id",
            ),
            (
                "https://example.com:7990/scm/projectfoo",
                "invalid repository id",
            ),
        ] {
            let error = commits_url(address).unwrap_err().to_string();
            assert!(error.contains(part), "{address}: {error}");
        }
    }
}
