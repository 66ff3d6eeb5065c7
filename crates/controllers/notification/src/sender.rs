//! Sends the requests of a notification, and checks the responses.
//!
//! One call is one attempt. The queue of the Provider retries. Redirects are not followed, because
//! a token must not reach another host.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::header::AUTHORIZATION;
use jiff::Timestamp;
use sluice_dial::retry::{is_transient_failure, retry_after};
use sluice_dial::{Dial, HttpClients, Keys, Redirects, explain};
use sluice_system::Clock;
use url::Url;

use crate::config::ProviderConfig;
use crate::delivery::Failure;
use crate::request::comment::CommentSearch;
use crate::request::{Comment, CommitStatus, HttpRequest, Identity, Request, ResponseError};

pub mod event_hub;
mod identity;
mod nats;

pub use identity::IdentityOptions;
use identity::Tokens;

/// Maximum response size. Lists of comments are the largest responses.
const MAX_ANSWER_BYTES: usize = 4 << 20;
/// Maximum number of comment pages to search.
const MAX_PAGES: usize = 50;

/// Error of an attempt. The message contains no secret of the Provider.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct SendError {
    /// Cause.
    pub message: String,
    /// Whether a later attempt may succeed.
    pub failure: Failure,
}

/// Response to a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServiceResponse {
    /// Status.
    pub status: u16,
    /// Start of the body.
    pub body: Bytes,
    /// Value of `Retry-After`.
    pub retry_after: Option<Duration>,
}

/// Sends notifications. Cheap to clone.
#[derive(Clone)]
pub struct Sender {
    clients: Arc<HttpClients>,
    clock: Arc<dyn Clock>,
    tokens: Arc<Tokens>,
}

impl Sender {
    /// Creates a sender.
    pub fn new(
        clients: Arc<HttpClients>,
        clock: Arc<dyn Clock>,
        identities: IdentityOptions,
    ) -> Self {
        let tokens = Tokens::new(Arc::clone(&clients), Arc::clone(&clock), identities);
        Self {
            clients,
            clock,
            tokens: Arc::new(tokens),
        }
    }

    fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// Sends the requests of a notification within the Provider's timeout. `credentials` is the
    /// Secret of `spec.secretRef`. Returns the last response of the service, if any.
    pub async fn send(
        &self,
        config: &ProviderConfig,
        credentials: Option<&(dyn Keys + Sync)>,
        requests: &[Request],
    ) -> Result<Option<ServiceResponse>, SendError> {
        let attempt = async {
            let mut last = None;
            for request in requests {
                let session = Session {
                    sender: self,
                    config,
                    credentials,
                };
                last = session.request(request).await?.or(last);
            }
            Ok(last)
        };
        let result = match tokio::time::timeout(config.timeout, attempt).await {
            Ok(result) => result,
            Err(_) => Err(SendError {
                message: format!("the service did not answer within {:?}", config.timeout),
                failure: TRANSIENT,
            }),
        };
        result.map_err(|error: SendError| SendError {
            message: config.hide(&error.message),
            ..error
        })
    }
}

const TRANSIENT: Failure = Failure::Transient { retry_after: None };

/// An attempt with the settings of one Provider.
struct Session<'a> {
    sender: &'a Sender,
    config: &'a ProviderConfig,
    credentials: Option<&'a (dyn Keys + Sync)>,
}

impl Session<'_> {
    async fn request(&self, request: &Request) -> Result<Option<ServiceResponse>, SendError> {
        match request {
            Request::Http(request) => {
                let answer = self.exchange(request).await?;
                let judged = request.judge(answer.status, &answer.body);
                judged.map_err(|error| refusal(&answer, &error))?;
                Ok(Some(answer))
            }
            Request::CommitStatus(status) => self.set_status(status).await,
            Request::Comment(comment) => self.comment(comment).await.map(Some),
            Request::Nats(message) => {
                let tls = self.config.tls.clone().unwrap_or_default();
                let published = nats::publish(message, &tls).await;
                published.map(|()| None)
            }
            Request::EventHub(message) => {
                let tokens = &self.sender.tokens;
                let cloud = tokens.azure_authority();
                let hub = event_hub::request(message, cloud, self.sender.now());
                let mut request = hub.map_err(permanent)?;
                if !request.headers.contains_key(AUTHORIZATION) {
                    let token = tokens.event_hub(self.config, &request.url).await?;
                    request = request.with_authorization(token);
                }
                let answer = self.exchange(&request).await?;
                let judged = request.judge(answer.status, &answer.body);
                judged.map_err(|error| refusal(&answer, &error))?;
                Ok(Some(answer))
            }
        }
    }

    /// Sets a commit status, unless the newest status is the same.
    async fn set_status(
        &self,
        status: &CommitStatus,
    ) -> Result<Option<ServiceResponse>, SendError> {
        let found = self.exchange(&status.lookup).await?;
        let is_posted = status
            .is_posted(found.status, &found.body)
            .map_err(|error| refusal(&found, &error).during("could not list commit statuses"))?;
        if is_posted {
            return Ok(Some(found));
        }
        let answer = self.exchange(&status.create).await?;
        let judged = status.create.judge(answer.status, &answer.body);
        judged.map_err(|error| refusal(&answer, &error))?;
        Ok(Some(answer))
    }

    /// Creates a comment, or replaces that of an earlier event.
    async fn comment(&self, comment: &Comment) -> Result<ServiceResponse, SendError> {
        let login = match &comment.user {
            Some(user) => {
                let answer = self.exchange(user).await?;
                comment
                    .login(answer.status, &answer.body)
                    .map_err(|error| refusal(&answer, &error).during("failed to get user"))?
            }
            None => {
                let slug = self.sender.tokens.app_slug(self.config, self.credentials);
                Comment::app_login(&slug.await?)
            }
        };
        let mut request = comment.create.clone();
        for page in 1..=MAX_PAGES {
            let answer = self.exchange(&comment.page(page)).await?;
            let found = comment
                .find(&login, answer.status, &answer.body)
                .map_err(|error| refusal(&answer, &error).during("failed to list comments"))?;
            match found {
                CommentSearch::Found(id) => {
                    request = comment.replace(id);
                    break;
                }
                CommentSearch::Absent => break,
                CommentSearch::NextPage => {}
            }
        }
        let answer = self.exchange(&request).await?;
        let judged = request.judge(answer.status, &answer.body);
        judged.map_err(|error| refusal(&answer, &error))?;
        Ok(answer)
    }

    /// Sends one HTTP request.
    async fn exchange(&self, request: &HttpRequest) -> Result<ServiceResponse, SendError> {
        let dial = dial(self.config);
        let client = self.sender.clients.get(&dial);
        let client = client.map_err(|error| permanent(error.to_string()))?;
        let mut headers = request.headers.clone();
        if let Some(identity) = &request.identity {
            let authorization = self.authorization(identity, &request.url).await?;
            headers.insert(AUTHORIZATION, authorization);
        }
        let call = client
            .request(request.method.clone(), request.url.clone())
            .headers(headers)
            .body(request.body.clone());
        let response = call.send().await.map_err(|error| SendError {
            message: format!("failed to call the service: {}", explain(&error)),
            failure: if is_transient_failure(&error) {
                TRANSIENT
            } else {
                Failure::Permanent
            },
        })?;
        Ok(ServiceResponse {
            status: response.status().as_u16(),
            retry_after: retry_after(response.headers()),
            body: read_start(response).await?,
        })
    }

    async fn authorization(
        &self,
        identity: &Identity,
        url: &Url,
    ) -> Result<http::HeaderValue, SendError> {
        let tokens = &self.sender.tokens;
        tokens
            .authorization(identity, self.config, self.credentials, url)
            .await
    }
}

/// Returns the connection options of a Provider.
pub(crate) fn dial(config: &ProviderConfig) -> Dial {
    Dial {
        tls: config.tls.clone().unwrap_or_default(),
        proxy: config.proxy.clone(),
        redirects: Redirects::Refuse,
        ..Dial::default()
    }
}

/// Reads a response up to a limit, and drops the rest.
async fn read_start(mut response: sluice_dial::Response) -> Result<Bytes, SendError> {
    let mut body = Vec::new();
    loop {
        match response.chunk().await {
            Ok(Some(chunk)) => body.extend_from_slice(&chunk),
            Ok(None) => break,
            Err(error) => {
                return Err(SendError {
                    message: format!("failed to read the answer: {}", explain(&error)),
                    failure: TRANSIENT,
                });
            }
        }
        if body.len() >= MAX_ANSWER_BYTES {
            body.truncate(MAX_ANSWER_BYTES);
            break;
        }
    }
    Ok(body.into())
}

/// Returns the error of an unsuccessful response.
fn refusal(answer: &ServiceResponse, error: &ResponseError) -> SendError {
    let failure = match error {
        ResponseError::Status { .. } => Failure::of_status(answer.status, answer.retry_after),
        ResponseError::Slack(reason) if reason == "ratelimited" => Failure::Transient {
            retry_after: answer.retry_after,
        },
        ResponseError::Unreadable(_) | ResponseError::Slack(_) => Failure::Permanent,
    };
    let hint = if (300..400).contains(&answer.status) {
        " (redirects are not followed: set the address that the service redirects to)"
    } else {
        ""
    };
    SendError {
        message: format!("{error}{hint}"),
        failure,
    }
}

/// Returns an error that a retry cannot fix.
fn permanent(message: impl Into<String>) -> SendError {
    SendError {
        message: message.into(),
        failure: Failure::Permanent,
    }
}

impl SendError {
    /// Prefixes the error with the failed step.
    fn during(self, step: &str) -> Self {
        Self {
            message: format!("{step}: {}", self.message),
            ..self
        }
    }
}
