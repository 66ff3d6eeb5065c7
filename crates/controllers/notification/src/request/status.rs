//! Describes commit statuses: the lookup, the new status, and the rule that detects a duplicate.

use serde_json::Value;

use super::{HttpRequest, ResponseError, check_status};

/// A commit status to create, unless the host already shows it.
#[derive(Clone, Debug, PartialEq)]
pub struct CommitStatus {
    /// Reads the existing statuses.
    pub lookup: HttpRequest,
    /// Creates the status.
    pub create: HttpRequest,
    /// The status, for the comparison.
    pub wanted: StatusFields,
    /// Format of the lookup's response.
    pub form: Form,
}

/// The compared fields of a commit status.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StatusFields {
    /// Id of the status: context, key or name.
    pub id: String,
    /// Genre, which only Azure DevOps has.
    pub genre: String,
    /// Name, which only Bitbucket Data Center compares.
    pub name: String,
    /// Commit, which only GitLab compares.
    pub commit: String,
    /// State in the words of the host.
    pub state: String,
    /// Description.
    pub description: String,
}

/// A host's format of commit statuses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A list, newest first, with `context` and `state`.
    Github,
    /// A list, newest first, with `context` and `status`.
    Gitea,
    /// A list with `sha`, `name` and `status`. Any equal entry is a duplicate.
    Gitlab,
    /// One status, or 404.
    Bitbucket,
    /// One status with key and name, or 404.
    BitbucketServer,
    /// A list in `value`, newest first, with a nested context.
    AzureDevOps,
}

impl CommitStatus {
    /// Checks in the lookup's response whether the status already exists.
    pub fn is_posted(&self, status: u16, body: &[u8]) -> Result<bool, ResponseError> {
        let is_single = matches!(self.form, Form::Bitbucket | Form::BitbucketServer);
        if status == 404 && is_single {
            return Ok(false);
        }
        check_status(status, body)?;
        let answer: Value = serde_json::from_slice(body)
            .map_err(|error| ResponseError::Unreadable(error.to_string()))?;
        let wanted = &self.wanted;
        let is_shown = |entry: &Value, state: &str| {
            entry[state] == *wanted.state && entry["description"] == *wanted.description
        };
        let entries = answer.as_array().map_or(&[][..], Vec::as_slice);
        let newest = |entries: &[Value], state: &str| {
            let mut complete = entries.iter().filter(|entry| {
                [&entry["context"], &entry[state], &entry["description"]]
                    .iter()
                    .all(|field| field.as_str().is_some_and(|text| !text.is_empty()))
            });
            complete
                .find(|entry| entry["context"] == *wanted.id)
                .is_some_and(|entry| is_shown(entry, state))
        };
        Ok(match self.form {
            Form::Github => newest(entries, "state"),
            Form::Gitea => newest(entries, "status"),
            Form::Gitlab => entries.iter().any(|entry| {
                entry["sha"] == *wanted.commit
                    && entry["name"] == *wanted.id
                    && is_shown(entry, "status")
            }),
            Form::Bitbucket => is_shown(&answer, "state"),
            Form::BitbucketServer => {
                answer["key"] == *wanted.id
                    && answer["name"] == *wanted.name
                    && is_shown(&answer, "state")
            }
            Form::AzureDevOps => {
                let entries = answer["value"].as_array().map_or(&[][..], Vec::as_slice);
                let mut complete = entries
                    .iter()
                    .filter(|entry| entry["state"].is_string() && entry["description"].is_string());
                complete
                    .find(|entry| {
                        entry["context"]["name"] == *wanted.id
                            && entry["context"]["genre"] == *wanted.genre
                    })
                    .is_some_and(|entry| is_shown(entry, "state"))
            }
        })
    }
}
