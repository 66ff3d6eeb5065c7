//! GitLab: commit statuses and comments on merge requests.

use http::{HeaderName, HeaderValue, Method};
use serde::Serialize;
use sluice_api::event::Event;
use url::Url;

use super::forge;
use crate::address::{Repository, join};
use crate::config::ProviderConfig;
use crate::error::Error;
use crate::request::comment::{self, Comment};
use crate::request::status::{self, CommitStatus, StatusFields};
use crate::request::{HttpRequest, Request, form, secret_header};
use crate::text;

/// Longest description that GitLab accepts.
const MAX_DESCRIPTION_BYTES: usize = 255;

#[derive(Serialize)]
struct Status<'a> {
    state: &'a str,
    name: &'a str,
    description: &'a str,
}

/// A project with the credentials for it.
struct Client {
    api: Url,
    project: String,
    token: HeaderValue,
}

impl Client {
    fn new(config: &ProviderConfig) -> Result<Self, Error> {
        let token = config.token_or_password()?.ok_or(Error::Missing {
            message: "gitlab token cannot be empty",
            hint: "set the key 'token' of the Secret in spec.secretRef",
        })?;
        let address = Repository::parse(config.address.expose())?;
        if address.path.iter().any(String::is_empty) {
            return Err(Error::Repository(address.id()));
        }
        Ok(Self {
            api: join(&address.host, ["api", "v4"]),
            project: address.id(),
            token: secret_header("key 'token' of the Secret", token.as_bytes())?,
        })
    }

    /// Returns an address below the project.
    fn url(&self, parts: &[&str]) -> Url {
        let prefix = ["projects", self.project.as_str()];
        join(&self.api, prefix.into_iter().chain(parts.iter().copied()))
    }

    fn finish(&self, request: HttpRequest) -> HttpRequest {
        let mut request = request.with("accept", "application/json");
        let name = HeaderName::from_static("private-token");
        request.headers.insert(name, self.token.clone());
        request
    }
}

pub(super) fn status(config: &ProviderConfig, event: &Event) -> Result<Vec<Request>, Error> {
    let client = Client::new(config)?;
    let Some((commit, state)) =
        forge::commit_and_state(config, event, "gitlab", ["success", "failed"])?
    else {
        return Ok(Vec::new());
    };
    let description = text::description(event);
    let wanted = StatusFields {
        id: config.commit_status.clone(),
        commit: commit.clone(),
        state: state.to_owned(),
        description: text::shorten(&description, MAX_DESCRIPTION_BYTES).into_owned(),
        ..StatusFields::default()
    };
    let mut list = client.url(&["repository", "commits", &commit, "statuses"]);
    list.set_query(Some(&form(&[("name", &wanted.id)])));
    let create = client.url(&["statuses", &commit]);
    let payload = Status {
        state,
        name: &wanted.id,
        description: &wanted.description,
    };
    Ok(vec![Request::CommitStatus(Box::new(CommitStatus {
        lookup: client.finish(HttpRequest::get(list)),
        create: client.finish(HttpRequest::post(create, &payload)),
        wanted,
        form: status::Form::Gitlab,
    }))])
}

pub(super) fn comment(config: &ProviderConfig, event: &Event) -> Result<Vec<Request>, Error> {
    let client = Client::new(config)?;
    let number = forge::change_request(event)?;
    let marker = forge::marker("flux-mr-comment-key", config, event);
    let body = forge::comment_body(&marker, event);
    let notes = client.url(&["merge_requests", &number, "notes"]);
    let mut list = notes.clone();
    list.set_query(Some("order_by=created_at&per_page=100&sort=asc"));
    let user = client.finish(HttpRequest::get(join(&client.api, ["user"])));
    Ok(vec![Request::Comment(Box::new(Comment {
        user: Some(user),
        list: client.finish(HttpRequest::get(list)),
        create: client.finish(HttpRequest::post(notes.clone(), &body)),
        update: client.finish(HttpRequest::send(Method::PUT, notes, &body)),
        marker,
        form: comment::Form::Gitlab,
    }))])
}
