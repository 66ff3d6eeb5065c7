//! Verifies calls for each type of Receiver.

use std::borrow::Cow;

use jiff::Timestamp;
use sluice_api::notification::{Receiver, ReceiverType};
use sluice_dial::Keys;

use super::call::Call;
use super::oidc::KeySource;
use super::outcome::{Refusal, VerifiedCall};
use super::payload::{Fields, first_value, github_payload, parse};
use super::signature::{SignatureError, is_equal, verify as verify_signature, verify_sha1_hex};
use super::{cdevents, google, oidc};
use crate::config::TOKEN;

/// Verifies a call of a Receiver. `secret` is that of `spec.secretRef`.
pub fn verify<'a>(
    receiver: &Receiver,
    secret: Option<&dyn Keys>,
    call: &Call<'a>,
    keys: &dyn KeySource,
    now: Timestamp,
) -> Result<VerifiedCall<'a>, Refusal> {
    let token = match (&receiver.spec.secret_ref, secret) {
        (None, _) => None,
        (Some(_), None) => return Err(Refusal::Setup("unable to read secret".to_owned())),
        (Some(reference), Some(secret)) => {
            let missing = || {
                let namespace = receiver.metadata.namespace.as_deref().unwrap_or_default();
                Refusal::Setup(format!(
                    "invalid \"{namespace}/{}\" secret data: required field 'token'",
                    reference.name
                ))
            };
            Some(secret.key(TOKEN).ok_or_else(missing)?)
        }
    };
    let checker = Checker {
        receiver,
        token,
        call: *call,
    };
    match &receiver.spec.type_ {
        ReceiverType::Generic => Ok(checker.plain("handling event".to_owned())),
        ReceiverType::GenericHmac => checker.generic_hmac(),
        ReceiverType::GenericOidc => {
            let claims = oidc::verify(receiver, call, keys, now).map_err(Refusal::Token)?;
            Ok(VerifiedCall {
                claims: Some(claims),
                ..checker.plain("handling OIDC event".to_owned())
            })
        }
        ReceiverType::Github => checker.github_format("GitHub", "X-GitHub-Event"),
        ReceiverType::Bitbucket => checker.github_format("Bitbucket server", "X-Event-Key"),
        ReceiverType::Gitlab => checker.gitlab(),
        ReceiverType::Harbor => checker.harbor(),
        ReceiverType::Nexus => checker.nexus(),
        ReceiverType::DockerHub => checker.docker_hub(),
        ReceiverType::Quay => checker.quay(),
        ReceiverType::Acr => checker.acr(),
        ReceiverType::Gcr => {
            let secret = secret.ok_or_else(|| {
                Refusal::Setup("secretRef is required for GCR receivers".to_owned())
            })?;
            google::verify(secret, call, keys, now)
        }
        ReceiverType::CdEvents => checker.cdevents(),
        ReceiverType::Other(type_) => Err(Refusal::Setup(format!(
            "receiver type {type_:?} not supported"
        ))),
    }
}

struct Checker<'r, 'a> {
    receiver: &'r Receiver,
    token: Option<&'r [u8]>,
    call: Call<'a>,
}

impl<'a> Checker<'_, 'a> {
    /// Returns the unchanged body as verified.
    fn plain(&self, message: String) -> VerifiedCall<'a> {
        VerifiedCall {
            body: Cow::Borrowed(self.call.body),
            claims: None,
            message,
        }
    }

    /// Returns the token. An empty token is an error, because it would accept any caller.
    fn token(&self) -> Result<&[u8], Refusal> {
        let is_blank = |token: &&[u8]| token.iter().all(u8::is_ascii_whitespace);
        let token = self.token.filter(|token| !is_blank(token));
        token.ok_or_else(|| {
            Refusal::Setup("the key 'token' of the secret is empty: set a random token".to_owned())
        })
    }

    /// Returns an error if the Receiver lists events without this one.
    fn check_event(&self, caller: &'static str, event: &str) -> Result<(), Refusal> {
        let events = &self.receiver.spec.events;
        let is_equal = |other: &String| other.to_lowercase() == event.to_lowercase();
        if events.is_empty() || events.iter().any(is_equal) {
            Ok(())
        } else {
            Err(Refusal::Event {
                caller,
                event: event.to_owned(),
            })
        }
    }

    fn generic_hmac(&self) -> Result<VerifiedCall<'a>, Refusal> {
        let signature = self.call.header("X-Signature");
        verify_signature(signature, self.call.body, self.token()?).map_err(|source| {
            Refusal::Signature {
                what: "unable to validate HMAC signature",
                source,
            }
        })?;
        Ok(self.plain("handling HMAC event".to_owned()))
    }

    fn github_format(
        &self,
        caller: &'static str,
        event_header: &str,
    ) -> Result<VerifiedCall<'a>, Refusal> {
        let signature = match self.call.header("X-Hub-Signature-256") {
            b"" => self.call.header("X-Hub-Signature"),
            signature => signature,
        };
        let token = self.token()?;
        verify_signature(signature, self.call.body, token).map_err(|source| {
            Refusal::Signature {
                what: "the signature header is invalid",
                source,
            }
        })?;
        let content_type = self.call.text("Content-Type");
        let payload = github_payload(&content_type, self.call.body).map_err(Refusal::Body)?;
        let event = self.call.text(event_header);
        self.check_event(caller, &event)?;
        Ok(VerifiedCall {
            body: Cow::Owned(payload),
            ..self.plain(format!("handling {caller} event: {event}"))
        })
    }

    fn gitlab(&self) -> Result<VerifiedCall<'a>, Refusal> {
        if !is_equal(self.call.header("X-Gitlab-Token"), self.token()?) {
            return Err(Refusal::Token(
                "the X-Gitlab-Token header value does not match the receiver token".to_owned(),
            ));
        }
        let event = self.call.text("X-Gitlab-Event");
        self.check_event("GitLab", &event)?;
        Ok(self.plain(format!("handling GitLab event: {event}")))
    }

    fn harbor(&self) -> Result<VerifiedCall<'a>, Refusal> {
        if is_equal(self.call.header("Authorization"), self.token()?) {
            Ok(self.plain("handling Harbor event".to_owned()))
        } else {
            Err(Refusal::Token(
                "the Harbor Authorization header value does not match the receiver token"
                    .to_owned(),
            ))
        }
    }

    fn nexus(&self) -> Result<VerifiedCall<'a>, Refusal> {
        let refuse = |source| Refusal::Signature {
            what: "invalid Nexus signature",
            source,
        };
        let signature = self.call.header("X-Nexus-Webhook-Signature");
        if signature.is_empty() {
            return Err(refuse(SignatureError::Missing));
        }
        if !verify_sha1_hex(signature, self.call.body, self.token()?) {
            return Err(refuse(SignatureError::Mismatch));
        }
        let read = || {
            let fields = Fields::of(parse(self.call.body)?)?;
            fields.text("action")?;
            fields.text("repositoryName")
        };
        let repository = read().map_err(|error| {
            Refusal::Body(format!("cannot decode Nexus webhook payload: {error}"))
        })?;
        Ok(self.plain(format!("handling Nexus event from {repository}")))
    }

    fn docker_hub(&self) -> Result<VerifiedCall<'a>, Refusal> {
        let read = || {
            let fields = Fields::of(first_value(self.call.body)?)?;
            let tag = fields.object("push_data")?.text("tag")?;
            let url = fields.object("repository")?.text("repo_url")?;
            Ok(format!("handling DockerHub event from {url} for tag {tag}"))
        };
        let message = read().map_err(|error: String| {
            Refusal::Body(format!("cannot decode DockerHub webhook payload: {error}"))
        })?;
        Ok(self.plain(message))
    }

    fn quay(&self) -> Result<VerifiedCall<'a>, Refusal> {
        let read = || {
            let fields = Fields::of(first_value(self.call.body)?)?;
            fields.check_texts("updated_tags")?;
            fields.text("docker_url")
        };
        let url = read().map_err(|error: String| {
            Refusal::Body(format!("cannot decode Quay webhook payload: {error}"))
        })?;
        Ok(self.plain(format!("handling Quay event from {url}")))
    }

    fn acr(&self) -> Result<VerifiedCall<'a>, Refusal> {
        let read = || {
            let fields = Fields::of(first_value(self.call.body)?)?;
            fields.text("action")?;
            let target = fields.object("target")?;
            let (repository, tag) = (target.text("repository")?, target.text("tag")?);
            Ok(format!(
                "handling ACR event from {repository} for tag {tag}"
            ))
        };
        let message = read().map_err(|error: String| {
            Refusal::Body(format!("cannot decode ACR webhook payload: {error}"))
        })?;
        Ok(self.plain(message))
    }

    fn cdevents(&self) -> Result<VerifiedCall<'a>, Refusal> {
        cdevents::check(self.call.body)
            .map_err(|error| Refusal::Body(format!("unable to validate CDEvent event: {error}")))?;
        let event = self.call.text("Ce-Type");
        self.check_event("CDEvent", &event)?;
        Ok(self.plain(format!("handling CDEvent: {event}")))
    }
}
