//! Bitbucket Cloud: commit statuses.

use serde::Serialize;
use sluice_api::event::Event;
use sluice_dial::Basic;
use sluice_digest::Algorithm;
use url::Url;

use super::forge;
use crate::address::{Repository, join};
use crate::config::ProviderConfig;
use crate::error::Error;
use crate::request::status::{self, CommitStatus, StatusFields};
use crate::request::{HttpRequest, Request};
use crate::text;

#[derive(Serialize)]
struct Status<'a> {
    key: &'a str,
    url: &'a str,
    state: &'a str,
    name: &'a str,
    description: &'a str,
}

pub(super) fn status(config: &ProviderConfig, event: &Event) -> Result<Vec<Request>, Error> {
    let token = config.token_text()?.ok_or(Error::Missing {
        message: "bitbucket token cannot be empty",
        hint: "set the key 'token' of the Secret to <user>:<password>",
    })?;
    let parts: Vec<_> = token.split(':').collect();
    let [username, password] = parts[..] else {
        return Err(Error::Setting(
            "invalid token format, expected to be <user>:<password>".to_owned(),
        ));
    };
    let basic = Basic::new(username, password);
    let address = Repository::parse(config.address.expose())?;
    let [owner, repository] = address.parts()?;
    let Some((commit, state)) =
        forge::commit_and_state(config, event, "bitbucket", ["SUCCESSFUL", "FAILED"])?
    else {
        return Ok(Vec::new());
    };
    // A key has at most 40 characters.
    let key = Algorithm::Sha1.digest(config.commit_status.as_bytes());
    let wanted = StatusFields {
        id: key.hex().to_owned(),
        name: text::short_name(event),
        state: state.to_owned(),
        description: text::description(event),
        ..StatusFields::default()
    };
    let base = Url::parse("https://api.bitbucket.org/2.0").expect("the constant is a URL");
    let statuses = join(
        &base,
        [
            "repositories",
            owner,
            repository,
            "commit",
            &commit,
            "statuses",
            "build",
        ],
    );
    let payload = Status {
        key: &wanted.id,
        url: "https://bitbucket.org",
        state,
        name: &wanted.name,
        description: &wanted.description,
    };
    let lookup = HttpRequest::get(join(&statuses, [wanted.id.as_str()]));
    let create = HttpRequest::post(statuses, &payload);
    Ok(vec![Request::CommitStatus(Box::new(CommitStatus {
        lookup: lookup.with_basic(&basic),
        create: create.with_basic(&basic),
        wanted,
        form: status::Form::Bitbucket,
    }))])
}
