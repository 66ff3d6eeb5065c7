//! Signed requests to services of Amazon.

use std::time::{Duration, SystemTime};

use http::Method;
use jiff::Timestamp;
use sluice_dial::Sensitive;
use url::Url;

use super::AwsCredentials;
use super::sigv4::{Payload, Request, Signer, canonical_host};
use crate::error::IdentityError;
use crate::request::{Purpose, RETRY, TIMEOUT, Transport, answer};

/// A difference between two clocks that services accept.
const MAX_CLOCK_DRIFT: Duration = Duration::from_mins(4);

/// A request to sign and to send.
pub(super) struct SignedCall<'a> {
    pub(super) credentials: &'a AwsCredentials,
    pub(super) region: &'a str,
    pub(super) service: &'a str,
    pub(super) method: Method,
    pub(super) url: &'a Url,
    pub(super) headers: &'a [(&'a str, &'a str)],
    pub(super) body: &'a str,
}

impl SignedCall<'_> {
    /// Sends the request. If a service refuses it and has another time, the request is signed once
    /// more with that time.
    pub(super) async fn send(
        &self,
        transport: Transport<'_>,
        purpose: &Purpose<'_>,
        now: SystemTime,
    ) -> Result<Sensitive<String>, IdentityError> {
        match self.send_at(transport, purpose, now).await {
            Err(IdentityError::Refused {
                server_time: Some(time),
                ..
            }) if is_apart(now, time) => self.send_at(transport, purpose, time).await,
            sent => sent,
        }
    }

    async fn send_at(
        &self,
        transport: Transport<'_>,
        purpose: &Purpose<'_>,
        now: SystemTime,
    ) -> Result<Sensitive<String>, IdentityError> {
        let host = canonical_host(self.url);
        let mut headers = self.headers.to_vec();
        headers.push(("host", &host));
        let unsigned = Request {
            method: self.method.as_str(),
            path: self.url.path(),
            query: &[],
            headers: &headers,
            payload: Payload::Body(self.body.as_bytes()),
        };
        let signer = Signer {
            credentials: self.credentials,
            region: self.region,
            service: self.service,
        };
        let mut request = transport
            .remote()?
            .request(self.method.clone(), self.url.clone())
            .timeout(TIMEOUT);
        for (name, value) in self.headers {
            request = request.header(*name, *value);
        }
        let now = Timestamp::try_from(now).unwrap_or_default();
        for (name, value) in signer.sign(&unsigned, now) {
            request = request.header(name, value);
        }
        if !self.body.is_empty() {
            request = request.body(self.body.to_owned());
        }
        answer(request, purpose, RETRY).await
    }
}

fn is_apart(one: SystemTime, other: SystemTime) -> bool {
    let apart = one
        .duration_since(other)
        .or_else(|_| other.duration_since(one));
    apart.is_ok_and(|apart| apart > MAX_CLOCK_DRIFT)
}
