//! Gitea: commit statuses and comments on pull requests.

use http::{HeaderValue, Method};
use serde::Serialize;
use sluice_api::event::Event;
use sluice_api::meta::reason::PROGRESSING;
use url::Url;

use super::forge;
use crate::address::{Repository, join};
use crate::config::ProviderConfig;
use crate::error::Error;
use crate::request::comment::{self, Comment};
use crate::request::status::{self, CommitStatus, StatusFields};
use crate::request::{HttpRequest, Request, secret_header};
use crate::text;

#[derive(Serialize)]
struct Status<'a> {
    state: &'a str,
    target_url: &'a str,
    description: &'a str,
    context: &'a str,
}

/// A repository with the credentials for it.
struct Client {
    api: Url,
    owner: String,
    repository: String,
    authorization: HeaderValue,
}

impl Client {
    fn new(config: &ProviderConfig) -> Result<Self, Error> {
        let token = config.token_or_password()?.ok_or(Error::Missing {
            message: "gitea token cannot be empty",
            hint: "set the key 'token' of the Secret in spec.secretRef",
        })?;
        let value = format!("token {token}");
        let address = Repository::parse(config.address.expose())?;
        let [owner, repository] = address.parts()?;
        Ok(Self {
            api: join(&address.host, ["api", "v1"]),
            owner: owner.to_owned(),
            repository: repository.to_owned(),
            authorization: secret_header("key 'token' of the Secret", value.as_bytes())?,
        })
    }

    /// Returns an address below the repository.
    fn url(&self, parts: &[&str]) -> Url {
        let prefix = ["repos", &self.owner, &self.repository];
        join(&self.api, prefix.into_iter().chain(parts.iter().copied()))
    }

    fn finish(&self, request: HttpRequest) -> HttpRequest {
        request.with_authorization(self.authorization.clone())
    }
}

pub(super) fn status(config: &ProviderConfig, event: &Event) -> Result<Vec<Request>, Error> {
    let client = Client::new(config)?;
    forge::check_commit_status(config)?;
    let commit = text::commit(event)?;
    // Only Gitea has a state for progress.
    let state = if event.reason == PROGRESSING {
        "pending"
    } else {
        forge::state(event, "gitea", ["success", "failure"])?
    };
    let wanted = StatusFields {
        id: config.commit_status.clone(),
        state: state.to_owned(),
        description: text::description(event),
        ..StatusFields::default()
    };
    let mut list = client.url(&["commits", &commit, "statuses"]);
    list.set_query(Some("limit=50&page=1"));
    let create = client.url(&["statuses", &commit]);
    let payload = Status {
        state,
        target_url: "",
        description: &wanted.description,
        context: &wanted.id,
    };
    Ok(vec![Request::CommitStatus(Box::new(CommitStatus {
        lookup: client.finish(HttpRequest::get(list)),
        create: client.finish(HttpRequest::post(create, &payload)),
        wanted,
        form: status::Form::Gitea,
    }))])
}

pub(super) fn comment(config: &ProviderConfig, event: &Event) -> Result<Vec<Request>, Error> {
    let client = Client::new(config)?;
    let number = forge::change_request(event)?;
    let marker = forge::marker("flux-pr-comment-key", config, event);
    let body = forge::comment_body(&marker, event);
    let comments = client.url(&["issues", &number, "comments"]);
    let mut list = comments.clone();
    list.set_query(Some("limit=100&page=1"));
    let update = client.url(&["issues", "comments"]);
    let user = client.finish(HttpRequest::get(join(&client.api, ["user"])));
    Ok(vec![Request::Comment(Box::new(Comment {
        user: Some(user),
        list: client.finish(HttpRequest::get(list)),
        create: client.finish(HttpRequest::post(comments, &body)),
        update: client.finish(HttpRequest::send(Method::PATCH, update, &body)),
        marker,
        form: comment::Form::Github,
    }))])
}
