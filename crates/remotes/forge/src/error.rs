//! Errors of hosts with advice for the user.

use http::{HeaderMap, StatusCode};
use jiff::Timestamp;
use serde_json::Value;
use sluice_dial::retry;

use crate::Kind;

/// Maximum length of a quoted text of a host.
const MAX_SAID: usize = 400;

/// Result of a call.
pub type Result<T> = std::result::Result<T, Error>;

/// The call failed. Neither message nor advice contains a secret.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{attempted}: {reason}")]
pub struct Error {
    attempted: String,
    reason: String,
    kind: ErrorKind,
    advice: Vec<String>,
}

/// The class of an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorKind {
    /// No response arrived.
    Unreachable,
    /// The certificate of the host is not trusted.
    Certificate,
    /// The token is rejected.
    Unauthorized,
    /// The token lacks the permission.
    Forbidden,
    /// The object does not exist, or the token cannot see it.
    NotFound,
    /// An object with the name exists.
    Conflict,
    /// The host rejects the content of the request.
    Invalid,
    /// The rate limit is reached.
    RateLimited,
    /// The host has an internal error.
    Server,
    /// The response is not from the API.
    Unexpected,
    /// The client rejects the call: the owner differs, or the host does not support it.
    Refused,
}

/// The permission that a call needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Need {
    Read,
    Create,
    Change,
    Keys,
    Tokens,
    Teams,
    Propose,
}

impl Error {
    pub(crate) fn new(
        kind: ErrorKind,
        attempted: impl Into<String>,
        reason: impl Into<String>,
    ) -> Self {
        Self {
            attempted: attempted.into(),
            reason: reason.into(),
            kind,
            advice: Vec::new(),
        }
    }

    pub(crate) fn unsupported(attempted: &str) -> Self {
        Self::new(
            ErrorKind::Refused,
            attempted,
            "this kind of host has no such thing",
        )
    }

    /// The owner is not the owner of the token.
    pub(crate) fn other_owner(attempted: &str, owner: &str, login: &str) -> Self {
        let reason = format!(
            "the specified owner '{owner}' doesn't match the identity associated with the given token"
        );
        Self::new(ErrorKind::Refused, attempted, reason)
            .advise(format!("the token belongs to {login}"))
    }

    #[must_use]
    pub(crate) fn advise(mut self, advice: impl Into<String>) -> Self {
        self.advice.push(advice.into());
        self
    }

    /// Explains a missing organization: the name is a user, or does not exist.
    #[must_use]
    pub(crate) fn no_organization(self, owner: &str, is_user: bool) -> Self {
        let (reason, advice) = if is_user {
            (
                format!("{owner} is a user, not an organization"),
                "--personal makes repositories of users",
            )
        } else {
            (
                format!("there is no organization {owner}"),
                "is --owner spelled as in the address of the organization?",
            )
        };
        Self::new(ErrorKind::Refused, self.attempted, reason).advise(advice)
    }

    /// Reports whether the message of the host contains a text.
    pub(crate) fn says(&self, part: &str) -> bool {
        self.reason.contains(part)
    }

    /// Removes a secret that the host may have repeated.
    #[must_use]
    pub(crate) fn without(mut self, secret: &str) -> Self {
        if secret.is_empty() {
            return self;
        }
        let texts = self.advice.iter_mut().chain([&mut self.reason]);
        for text in texts.filter(|text| text.contains(secret)) {
            *text = text.replace(secret, "[redacted]");
        }
        self
    }

    /// The class of an error.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// Returns the advice, best first.
    pub fn advice(&self) -> &[String] {
        &self.advice
    }
}

/// Converts an error response.
pub(crate) fn refused(
    kind: Kind,
    need: Need,
    attempted: &str,
    status: StatusCode,
    headers: &HeaderMap,
    body: &[u8],
) -> Error {
    let said = body_message(body);
    let sort = sort(status, headers, said.as_deref());
    let reason = match &said {
        Some(said) => format!("{} ({})", said, status.as_u16()),
        None => format!("the host answered {status}"),
    };
    let mut error = Error::new(sort, attempted, reason);
    match sort {
        ErrorKind::Unauthorized => {
            error = error.advise("the token is wrong, expired or revoked, or of another host");
        }
        ErrorKind::Forbidden | ErrorKind::NotFound => {
            if let Some(page) = sign_on(headers) {
                error = error.advise(format!(
                    "the organization wants single sign-on: authorize the token for it at {page}"
                ));
            }
            if sort == ErrorKind::NotFound {
                error = error.advise("hosts also answer \"not found\" where a token lacks rights");
            }
            error.advice.extend(granted(headers));
            error = error.advise(format!("the token needs: {}", scopes(kind, need)));
        }
        ErrorKind::Conflict if need == Need::Create => {
            error = error
                .advise("a repository of that name exists, and the token lacks the right to see it")
                .advise(format!("the token needs: {}", scopes(kind, Need::Read)));
        }
        ErrorKind::RateLimited => error.advice.extend(lifted(headers)),
        _ => {}
    }
    error
}

fn sort(status: StatusCode, headers: &HeaderMap, said: Option<&str>) -> ErrorKind {
    let is_taken = said.is_some_and(|said| {
        let said = said.to_lowercase();
        said.contains("already exist") || said.contains("already been taken")
    });
    match status {
        StatusCode::UNAUTHORIZED => ErrorKind::Unauthorized,
        StatusCode::FORBIDDEN if is_exhausted(headers) => ErrorKind::RateLimited,
        StatusCode::FORBIDDEN => ErrorKind::Forbidden,
        StatusCode::NOT_FOUND | StatusCode::GONE => ErrorKind::NotFound,
        StatusCode::CONFLICT => ErrorKind::Conflict,
        StatusCode::BAD_REQUEST | StatusCode::UNPROCESSABLE_ENTITY if is_taken => {
            ErrorKind::Conflict
        }
        StatusCode::BAD_REQUEST | StatusCode::UNPROCESSABLE_ENTITY => ErrorKind::Invalid,
        StatusCode::TOO_MANY_REQUESTS => ErrorKind::RateLimited,
        status if status.is_server_error() => ErrorKind::Server,
        _ => ErrorKind::Unexpected,
    }
}

/// Reports whether a response signals a rate limit, whatever its status.
pub(crate) fn is_exhausted(headers: &HeaderMap) -> bool {
    text(headers, "x-ratelimit-remaining") == Some("0") || headers.contains_key("retry-after")
}

fn text<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    headers.get(name)?.to_str().ok().map(str::trim)
}

/// Returns the end of a rate limit.
fn lifted(headers: &HeaderMap) -> Option<String> {
    if let Some(wait) = retry::retry_after(headers) {
        return Some(format!("try again in {} seconds", wait.as_secs()));
    }
    let at = text(headers, "x-ratelimit-reset").or_else(|| text(headers, "ratelimit-reset"))?;
    let at = Timestamp::from_second(at.parse().ok()?).ok()?;
    Some(format!("the limit of requests is lifted at {at}"))
}

/// Returns the page that authorizes a token for single sign-on on GitHub.
fn sign_on(headers: &HeaderMap) -> Option<&str> {
    let told = text(headers, "x-github-sso")?.strip_prefix("required")?;
    let page = told.split(';').find_map(|part| {
        let part = part.trim();
        part.strip_prefix("url=")
    })?;
    page.starts_with("https://").then_some(page)
}

/// Returns the scopes of the token and of the call, which GitHub reports for some tokens.
fn granted(headers: &HeaderMap) -> Option<String> {
    if let Some(wanted) = text(headers, "x-accepted-github-permissions") {
        return Some(format!("the host wants the permissions: {wanted}"));
    }
    let has = text(headers, "x-oauth-scopes")?;
    let wanted = text(headers, "x-accepted-oauth-scopes").filter(|wanted| !wanted.is_empty())?;
    let has = if has.is_empty() { "none" } else { has };
    Some(format!(
        "the scopes of the token are: {has}; the host takes one of: {wanted}"
    ))
}

/// Returns the required scopes, with the labels of the token page.
fn scopes(kind: Kind, need: Need) -> &'static str {
    match (kind, need) {
        (Kind::GitHub, Need::Read) => "repo; fine-grained: Metadata read, Contents write",
        (Kind::GitHub, Need::Create | Need::Change | Need::Keys | Need::Tokens) => {
            "repo; fine-grained: Administration write"
        }
        (Kind::GitHub, Need::Teams) => {
            "repo and read:org; fine-grained: Administration write, Members read"
        }
        (Kind::GitHub, Need::Propose) => "repo; fine-grained: Pull requests write",
        (Kind::GitLab, Need::Read) => "read_api, or api",
        (Kind::GitLab, Need::Create) => "api, of a user who may create projects in the group",
        (Kind::GitLab, Need::Propose) => "api, with the role Developer",
        (Kind::GitLab, _) => "api, with the role Maintainer in the project",
        (Kind::Gitea, Need::Read) => "read:repository",
        (Kind::Gitea, Need::Create) => {
            "write:repository, and write:organization or with --personal write:user"
        }
        (Kind::Gitea, Need::Teams) => "write:repository and read:organization",
        (Kind::Gitea, _) => "write:repository, of an administrator of the repository",
        (Kind::BitbucketServer, Need::Read) => "Repository read",
        (Kind::BitbucketServer, Need::Create) => "Project admin",
        (Kind::BitbucketServer, Need::Propose) => "Repository write",
        (Kind::BitbucketServer, _) => "Repository admin",
    }
}

/// Returns the message of an error body in one line, if it has one.
fn body_message(body: &[u8]) -> Option<String> {
    let value: Value = serde_json::from_slice(body).ok()?;
    let mut parts = Vec::new();
    if let Some(message) = value.get("message") {
        collect(message, None, &mut parts);
    }
    for key in ["error_description", "error"] {
        if parts.is_empty() {
            collect(&value[key], None, &mut parts);
        }
    }
    for error in value["errors"].as_array().into_iter().flatten() {
        match (error.get("message"), error["field"].as_str()) {
            (Some(message), _) => collect(message, None, &mut parts),
            (None, Some(field)) => collect(&error["code"], Some(field), &mut parts),
            (None, None) => collect(error, None, &mut parts),
        }
    }
    parts.dedup();
    let line = parts.join("; ").replace(['\n', '\r', '\t'], " ");
    let line: String = line.chars().take(MAX_SAID).collect();
    (!line.trim().is_empty()).then(|| line.trim().to_owned())
}

/// Collects texts from a string, an object or a list.
fn collect(value: &Value, field: Option<&str>, parts: &mut Vec<String>) {
    match value {
        Value::String(text) if !text.is_empty() => parts.push(match field {
            Some(field) => format!("{field} {text}"),
            None => text.clone(),
        }),
        Value::Array(list) => {
            for one in list {
                collect(one, field, parts);
            }
        }
        Value::Object(fields) if field.is_none() => {
            for (name, value) in fields {
                collect(value, Some(name), parts);
            }
        }
        _ => {}
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use http::header::{HeaderName, HeaderValue};

    use super::*;

    pub(crate) fn headers(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
        let pair = |(name, value): &(&'static str, &'static str)| {
            (
                HeaderName::from_static(name),
                HeaderValue::from_static(value),
            )
        };
        pairs.iter().map(pair).collect()
    }

    fn make_error(
        kind: Kind,
        need: Need,
        status: u16,
        response_headers: &[(&'static str, &'static str)],
        body: &str,
    ) -> Error {
        let status = StatusCode::from_u16(status).unwrap();
        refused(
            kind,
            need,
            "do it",
            status,
            &headers(response_headers),
            body.as_bytes(),
        )
    }

    #[test]
    fn message_of_every_host_is_quoted() {
        for (body, expected) in [
            (
                r#"{"message":"Bad credentials","documentation_url":"x"}"#,
                Some("Bad credentials"),
            ),
            (
                r#"{"message":"Validation Failed","errors":[{"resource":"Repository","code":"custom","field":"name","message":"name already exists on this account"}]}"#,
                Some("Validation Failed; name already exists on this account"),
            ),
            (
                r#"{"message":"Validation Failed","errors":[{"resource":"Key","code":"invalid","field":"key"}]}"#,
                Some("Validation Failed; key invalid"),
            ),
            (
                r#"{"message":{"path":["has already been taken"],"name":["is too long"]}}"#,
                Some("path has already been taken; name is too long"),
            ),
            (
                r#"{"error":"insufficient_scope","error_description":"The request requires higher privileges"}"#,
                Some("The request requires higher privileges"),
            ),
            (r#"{"error":"404 Not Found"}"#, Some("404 Not Found")),
            (
                r#"{"errors":[{"context":null,"message":"You are not permitted","exceptionName":"x"}]}"#,
                Some("You are not permitted"),
            ),
            ("<html>login</html>", None),
            ("", None),
            ("[]", None),
        ] {
            assert_eq!(body_message(body.as_bytes()).as_deref(), expected, "{body}");
        }
        let long = format!("{{\"message\":\"{}\"}}", "a".repeat(9000));
        assert_eq!(body_message(long.as_bytes()).unwrap().len(), MAX_SAID);
    }

    #[test]
    fn errors_have_advice() {
        for (error, sort, advice) in [
            (
                make_error(Kind::GitHub, Need::Read, 401, &[], "{}"),
                ErrorKind::Unauthorized,
                "expired",
            ),
            (
                make_error(
                    Kind::GitHub,
                    Need::Keys,
                    403,
                    &[(
                        "x-github-sso",
                        "required; url=https://github.com/orgs/o/sso?a=b",
                    )],
                    "{}",
                ),
                ErrorKind::Forbidden,
                "authorize the token for it at https://github.com/orgs/o/sso?a=b",
            ),
            (
                make_error(
                    Kind::GitHub,
                    Need::Create,
                    404,
                    &[
                        ("x-oauth-scopes", "gist"),
                        ("x-accepted-oauth-scopes", "public_repo, repo"),
                    ],
                    "{}",
                ),
                ErrorKind::NotFound,
                "the scopes of the token are: gist; the host takes one of: public_repo, repo",
            ),
            (
                make_error(
                    Kind::GitHub,
                    Need::Keys,
                    403,
                    &[("x-accepted-github-permissions", "administration=write")],
                    "{}",
                ),
                ErrorKind::Forbidden,
                "administration=write",
            ),
            (
                make_error(
                    Kind::GitHub,
                    Need::Read,
                    403,
                    &[
                        ("x-ratelimit-remaining", "0"),
                        ("x-ratelimit-reset", "1784000000"),
                    ],
                    "{}",
                ),
                ErrorKind::RateLimited,
                "lifted at 2026-07-14T03:33:20Z",
            ),
            (
                make_error(Kind::GitLab, Need::Read, 429, &[("retry-after", "90")], ""),
                ErrorKind::RateLimited,
                "try again in 90 seconds",
            ),
            (
                make_error(Kind::GitLab, Need::Keys, 403, &[], "{}"),
                ErrorKind::Forbidden,
                "Maintainer",
            ),
            (
                make_error(
                    Kind::GitLab,
                    Need::Create,
                    400,
                    &[],
                    r#"{"message":{"path":["has already been taken"]}}"#,
                ),
                ErrorKind::Conflict,
                "the token lacks the right to see it",
            ),
            (
                make_error(Kind::Gitea, Need::Create, 409, &[], "{}"),
                ErrorKind::Conflict,
                "read:repository",
            ),
            (
                make_error(Kind::BitbucketServer, Need::Create, 404, &[], "{}"),
                ErrorKind::NotFound,
                "Project admin",
            ),
        ] {
            assert_eq!(error.kind(), sort, "{error:?}");
            assert!(error.advice().join("\n").contains(advice), "{error:?}");
        }
    }

    #[test]
    fn other_statuses_have_their_kind() {
        for (status, sort) in [
            (422, ErrorKind::Invalid),
            (502, ErrorKind::Server),
            (418, ErrorKind::Unexpected),
        ] {
            assert_eq!(
                make_error(Kind::Gitea, Need::Read, status, &[], "").kind(),
                sort
            );
        }
    }

    #[test]
    fn sign_on_page_must_have_https() {
        let error = make_error(
            Kind::GitHub,
            Need::Read,
            403,
            &[("x-github-sso", "required; url=javascript:alert(1)")],
            "{}",
        );
        assert!(!format!("{error:?}").contains("javascript"), "{error:?}");
    }

    #[test]
    fn every_need_has_scopes_on_every_host() {
        for kind in [
            Kind::GitHub,
            Kind::GitLab,
            Kind::Gitea,
            Kind::BitbucketServer,
        ] {
            for need in [
                Need::Read,
                Need::Create,
                Need::Change,
                Need::Keys,
                Need::Tokens,
                Need::Teams,
                Need::Propose,
            ] {
                let error = make_error(kind, need, 403, &[], "");
                assert!(error.advice()[0].starts_with("the token needs: "));
                assert_eq!(error.to_string(), "do it: the host answered 403 Forbidden");
            }
        }
    }
}
