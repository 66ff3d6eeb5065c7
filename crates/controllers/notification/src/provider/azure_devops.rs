//! Azure DevOps: commit statuses.

use serde::Serialize;
use sluice_api::event::{Event, metadata};
use sluice_dial::Basic;

use super::forge;
use crate::address::{Repository, join};
use crate::config::ProviderConfig;
use crate::error::Error;
use crate::request::status::{self, CommitStatus, StatusFields};
use crate::request::{HttpRequest, Identity, Request};
use crate::text;

/// Genre of all statuses, before an optional summary.
const GENRE: &str = "fluxcd";

#[derive(Serialize)]
struct Status<'a> {
    context: Context<'a>,
    description: &'a str,
    state: &'a str,
}

#[derive(Serialize)]
struct Context<'a> {
    genre: &'a str,
    name: &'a str,
}

pub(super) fn status(config: &ProviderConfig, event: &Event) -> Result<Vec<Request>, Error> {
    let address = Repository::parse(config.address.expose())?;
    let [organization, project, _, repository] = address.parts()?;
    let token = config.token_text()?;
    let Some((commit, state)) =
        forge::commit_and_state(config, event, "azure devops", ["succeeded", "error"])?
    else {
        return Ok(Vec::new());
    };
    let genre = match event.metadata.get(metadata::SUMMARY) {
        Some(summary) => format!("{GENRE}:{summary}"),
        None => GENRE.to_owned(),
    };
    let wanted = StatusFields {
        id: config.commit_status.clone(),
        genre,
        state: state.to_owned(),
        description: text::description(event),
        ..StatusFields::default()
    };
    let url = join(
        &address.host,
        [
            organization,
            project,
            "_apis",
            "git",
            "repositories",
            repository,
            "commits",
            &commit,
            "statuses",
        ],
    );
    let payload = Status {
        context: Context {
            genre: &wanted.genre,
            name: &wanted.id,
        },
        description: &wanted.description,
        state,
    };
    let finish = |request: HttpRequest| {
        let request = request
            .with("accept", "application/json;api-version=6.0")
            // With this header, a wrong token is an error instead of a redirect to the login page.
            .with("x-tfs-fedauthredirect", "Suppress");
        match token {
            Some(token) => request.with_basic(&Basic::new("", token)),
            None => request.with_identity(Identity::AzureDevOps),
        }
    };
    Ok(vec![Request::CommitStatus(Box::new(CommitStatus {
        lookup: finish(HttpRequest::get(url.clone())),
        create: finish(HttpRequest::post(url, &payload)),
        wanted,
        form: status::Form::AzureDevOps,
    }))])
}
