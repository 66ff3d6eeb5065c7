//! GitHub: commit statuses, repository dispatches and comments on pull requests.

use http::{HeaderValue, Method};
use serde::Serialize;
use sluice_api::event::Event;
use url::Url;

use super::forge;
use crate::address::{Repository, join};
use crate::config::ProviderConfig;
use crate::error::Error;
use crate::event::{WireEvent, wire};
use crate::request::comment::{self, Comment};
use crate::request::status::{self, CommitStatus, StatusFields};
use crate::request::{HttpRequest, Identity, Request, secret_header};
use crate::text;

/// Longest description that GitHub accepts.
const MAX_DESCRIPTION_BYTES: usize = 140;

#[derive(Serialize)]
struct Status<'a> {
    state: &'a str,
    description: &'a str,
    context: &'a str,
}

#[derive(Serialize)]
struct Dispatch<'a> {
    event_type: String,
    client_payload: WireEvent<'a>,
}

/// A repository with the credentials for it.
struct Client {
    api: Url,
    owner: String,
    repository: String,
    authorization: Option<HeaderValue>,
}

impl Client {
    fn new(config: &ProviderConfig) -> Result<Self, Error> {
        let authorization = match config.token_or_password()? {
            Some(token) => {
                let value = format!("Bearer {token}");
                Some(secret_header(
                    "key 'token' of the Secret",
                    value.as_bytes(),
                )?)
            }
            None if config.has_github_app => None,
            None => {
                return Err(Error::Missing {
                    message: "github token or github app details must be specified",
                    hint: "set the key 'token' or 'githubAppID' of the Secret in spec.secretRef",
                });
            }
        };
        let address = Repository::parse(config.address.expose())?;
        let [owner, repository] = address.parts()?;
        let (owner, repository) = (owner.to_owned(), repository.to_owned());
        Ok(Self {
            api: api(&address.host),
            owner,
            repository,
            authorization,
        })
    }

    /// Returns an address below the repository.
    fn url(&self, parts: &[&str]) -> Url {
        let prefix = ["repos", &self.owner, &self.repository];
        join(&self.api, prefix.into_iter().chain(parts.iter().copied()))
    }

    fn finish(&self, request: HttpRequest) -> HttpRequest {
        let request = request
            .with("accept", "application/vnd.github.v3+json")
            .with("x-github-api-version", "2022-11-28");
        match &self.authorization {
            Some(value) => request.with_authorization(value.clone()),
            None => request.with_identity(Identity::GithubApp),
        }
    }
}

/// Returns the address of the API of a host.
fn api(host: &Url) -> Url {
    let name = host.host_str().unwrap_or_default();
    match name {
        "github.com" => Url::parse("https://api.github.com").expect("the constant is a URL"),
        name if name.starts_with("api.") || name.contains(".api.") => host.clone(),
        _ => join(host, ["api", "v3"]),
    }
}

pub(super) fn status(config: &ProviderConfig, event: &Event) -> Result<Vec<Request>, Error> {
    let client = Client::new(config)?;
    let Some((commit, state)) =
        forge::commit_and_state(config, event, "github", ["success", "failure"])?
    else {
        return Ok(Vec::new());
    };
    let description = text::description(event);
    let wanted = StatusFields {
        id: config.commit_status.clone(),
        state: state.to_owned(),
        description: text::shorten(&description, MAX_DESCRIPTION_BYTES).into_owned(),
        ..StatusFields::default()
    };
    let mut list = client.url(&["commits", &commit, "statuses"]);
    list.set_query(Some("per_page=50"));
    let create = client.url(&["statuses", &commit]);
    let payload = Status {
        state,
        description: &wanted.description,
        context: &wanted.id,
    };
    Ok(vec![Request::CommitStatus(Box::new(CommitStatus {
        lookup: client.finish(HttpRequest::get(list)),
        create: client.finish(HttpRequest::post(create, &payload)),
        wanted,
        form: status::Form::Github,
    }))])
}

pub(super) fn dispatch(config: &ProviderConfig, event: &Event) -> Result<Vec<Request>, Error> {
    let client = Client::new(config)?;
    let object = &event.involved_object;
    let payload = Dispatch {
        event_type: format!("{}/{}.{}", object.kind, object.name, object.namespace),
        client_payload: wire(event),
    };
    let request = HttpRequest::post(client.url(&["dispatches"]), &payload);
    Ok(vec![client.finish(request).into()])
}

pub(super) fn comment(config: &ProviderConfig, event: &Event) -> Result<Vec<Request>, Error> {
    let client = Client::new(config)?;
    let number = forge::change_request(event)?;
    let marker = forge::marker("flux-pr-comment-key", config, event);
    let body = forge::comment_body(&marker, event);
    let comments = client.url(&["issues", &number, "comments"]);
    let mut list = comments.clone();
    list.set_query(Some("direction=asc&per_page=100&sort=created"));
    let user = client
        .authorization
        .is_some()
        .then(|| client.finish(HttpRequest::get(join(&client.api, ["user"]))));
    let update = client.url(&["issues", "comments"]);
    Ok(vec![Request::Comment(Box::new(Comment {
        user,
        list: client.finish(HttpRequest::get(list)),
        create: client.finish(HttpRequest::post(comments, &body)),
        update: client.finish(HttpRequest::send(Method::PATCH, update, &body)),
        marker,
        form: comment::Form::Github,
    }))])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn enterprise_api_has_its_own_path() {
        for (host, expected) in [
            ("https://github.com", "https://api.github.com/"),
            ("https://ghe.example.com", "https://ghe.example.com/api/v3"),
            ("https://api.acme.ghe.com", "https://api.acme.ghe.com/"),
            ("http://ghe:8080", "http://ghe:8080/api/v3"),
        ] {
            let host = Url::parse(host).unwrap();
            assert_eq!(api(&host).as_str(), expected);
        }
    }

    #[test]
    fn app_asks_for_its_token_and_no_user() {
        let config = ProviderConfig {
            address: "https://github.com/acme/fleet".into(),
            has_github_app: true,
            ..ProviderConfig::default()
        };
        let mut event = Event::default();
        event.metadata.insert("change_request".into(), "42".into());
        let requests = comment(&config, &event).unwrap();
        let [Request::Comment(comment)] = &requests[..] else {
            unreachable!("one comment")
        };
        assert_eq!(comment.user, None);
        assert_eq!(comment.create.identity, Some(Identity::GithubApp));
        assert_eq!(Comment::app_login("flux"), "flux[bot]");
    }
}
