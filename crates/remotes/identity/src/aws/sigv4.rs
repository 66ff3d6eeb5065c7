//! Signatures of requests to Amazon's services, version 4. Pure.
//!
//! Parity: "AWS Signature Version 4 for API requests" of the IAM user guide. Start at [`Signer`].

use std::time::Duration;

use aws_lc_rs::{digest, hmac};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use url::Url;

use super::AwsCredentials;

const ALGORITHM: &str = "AWS4-HMAC-SHA256";
/// Characters that canonical text keeps.
const UNRESERVED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'_')
    .remove(b'.')
    .remove(b'~');
/// Characters that a path keeps when it is encoded again.
const PATH: &AsciiSet = &UNRESERVED.remove(b'/');

/// A request to sign.
#[derive(Debug, Clone)]
pub struct Request<'a> {
    /// Method.
    pub method: &'a str,
    /// The path as the URL has it, encoded once.
    pub path: &'a str,
    /// Names and values of the query, not encoded. The URL needs [`canonical_query`] of them.
    pub query: &'a [(&'a str, &'a str)],
    /// Headers to sign besides those of the signature, with lower-case names. `host` is required.
    pub headers: &'a [(&'a str, &'a str)],
    /// The body.
    pub payload: Payload<'a>,
}

/// The body of a request to sign.
#[derive(Debug, Clone, Copy)]
pub enum Payload<'a> {
    /// The bytes, which are hashed.
    Body(&'a [u8]),
    /// The signature does not cover the body.
    Unsigned,
}

/// Signs requests to a service in a region.
#[derive(Debug, Clone, Copy)]
pub struct Signer<'a> {
    /// Keys.
    pub credentials: &'a AwsCredentials,
    /// Region.
    pub region: &'a str,
    /// Signing name of the service: `s3`.
    pub service: &'a str,
}

impl Signer<'_> {
    /// Returns the headers that authenticate a request: names in lower case, values.
    pub fn sign(&self, request: &Request<'_>, now: Timestamp) -> Vec<(&'static str, String)> {
        let time = format_time(now);
        let payload = payload_hash(request.payload);
        let mut added = vec![("x-amz-date", time.clone())];
        if self.is_s3() {
            added.push(("x-amz-content-sha256", payload.clone()));
        }
        if let Some(token) = &self.credentials.session_token {
            added.push(("x-amz-security-token", token.expose().clone()));
        }
        let given = request.headers.iter().copied();
        let own = added.iter().map(|(name, value)| (*name, value.as_str()));
        let (lines, names) = canonical_headers(given.chain(own));
        let query = canonical_query(request.query);
        let signature = self.sign_request(request, &query, &lines, &names, &payload, &time);
        let credential = self.credential(&time);
        added.push((
            "authorization",
            format!(
                "{ALGORITHM} Credential={credential}, SignedHeaders={names}, \
                 Signature={signature}"
            ),
        ));
        added
    }

    /// Returns the query of a URL that authenticates a request for some time.
    pub fn presign(&self, request: &Request<'_>, lifetime: Duration, now: Timestamp) -> String {
        let time = format_time(now);
        let payload = payload_hash(request.payload);
        let (lines, names) = canonical_headers(request.headers.iter().copied());
        let (credential, lifetime) = (self.credential(&time), lifetime.as_secs().to_string());
        let mut query = request.query.to_vec();
        query.extend([
            ("X-Amz-Algorithm", ALGORITHM),
            ("X-Amz-Credential", credential.as_str()),
            ("X-Amz-Date", time.as_str()),
            ("X-Amz-Expires", lifetime.as_str()),
            ("X-Amz-SignedHeaders", names.as_str()),
        ]);
        if let Some(token) = &self.credentials.session_token {
            query.push(("X-Amz-Security-Token", token.expose()));
        }
        let query = canonical_query(&query);
        let signature = self.sign_request(request, &query, &lines, &names, &payload, &time);
        format!("{query}&X-Amz-Signature={signature}")
    }

    /// Signs a canonical request. `time` is in the basic format of ISO 8601.
    pub(super) fn sign_canonical(&self, canonical: &str, time: &str) -> String {
        let scope = self.scope(time);
        let text = format!(
            "{ALGORITHM}\n{time}\n{scope}\n{}",
            hash(canonical.as_bytes())
        );
        let first = format!("AWS4{}", self.credentials.secret_key.expose());
        let mut key = keyed(first.as_bytes(), day(time));
        for word in [self.region, self.service, "aws4_request"] {
            key = keyed(key.as_ref(), word);
        }
        hex::encode(keyed(key.as_ref(), &text))
    }

    fn sign_request(
        &self,
        request: &Request<'_>,
        query: &str,
        headers: &str,
        names: &str,
        payload: &str,
        time: &str,
    ) -> String {
        let Request { method, path, .. } = request;
        // S3 alone takes the path as it is.
        let path = if self.is_s3() {
            (*path).to_owned()
        } else {
            utf8_percent_encode(path, PATH).to_string()
        };
        let canonical = format!("{method}\n{path}\n{query}\n{headers}\n{names}\n{payload}");
        self.sign_canonical(&canonical, time)
    }

    fn credential(&self, time: &str) -> String {
        format!("{}/{}", self.credentials.access_key, self.scope(time))
    }

    fn scope(&self, time: &str) -> String {
        let Self {
            region, service, ..
        } = self;
        format!("{}/{region}/{service}/aws4_request", day(time))
    }

    fn is_s3(&self) -> bool {
        self.service == "s3"
    }
}

/// Encodes text as a signature requires it.
pub fn encode(text: &str) -> String {
    utf8_percent_encode(text, UNRESERVED).to_string()
}

/// Returns the value of the `Host` header for a URL.
pub(crate) fn canonical_host(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default();
    match url.port() {
        Some(port) => format!("{host}:{port}"),
        None => host.to_owned(),
    }
}

/// Encodes a query, sorted by encoded name and value, as a signature requires it.
pub fn canonical_query(pairs: &[(&str, &str)]) -> String {
    let mut pairs: Vec<(String, String)> = pairs
        .iter()
        .map(|(name, value)| (encode(name), encode(value)))
        .collect();
    pairs.sort_unstable();
    let pairs: Vec<String> = pairs
        .into_iter()
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    pairs.join("&")
}

/// Returns the lines of the headers and their names, both sorted.
fn canonical_headers<'a>(headers: impl Iterator<Item = (&'a str, &'a str)>) -> (String, String) {
    let mut headers: Vec<(&str, &str)> = headers.collect();
    headers.sort_unstable();
    let lines: Vec<String> = headers
        .iter()
        .map(|(name, value)| {
            let words: Vec<&str> = value.split_whitespace().collect();
            format!("{name}:{}\n", words.join(" "))
        })
        .collect();
    let names: Vec<&str> = headers.iter().map(|(name, _)| *name).collect();
    (lines.concat(), names.join(";"))
}

fn payload_hash(payload: Payload<'_>) -> String {
    match payload {
        Payload::Body(body) => hash(body),
        Payload::Unsigned => "UNSIGNED-PAYLOAD".to_owned(),
    }
}

fn format_time(time: Timestamp) -> String {
    let time = time.to_zoned(TimeZone::UTC);
    time.strftime("%Y%m%dT%H%M%SZ").to_string()
}

fn day(time: &str) -> &str {
    time.split('T').next().unwrap_or_default()
}

fn hash(bytes: &[u8]) -> String {
    hex::encode(digest::digest(&digest::SHA256, bytes))
}

fn keyed(key: &[u8], text: &str) -> hmac::Tag {
    hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, key), text.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(secret: &str, token: Option<&str>) -> AwsCredentials {
        AwsCredentials {
            access_key: "AKIDEXAMPLE".to_owned(),
            secret_key: secret.into(),
            session_token: token.map(Into::into),
            expires: None,
        }
    }

    #[derive(serde::Deserialize)]
    struct Vector(
        String,
        String,
        bool,
        Option<String>,
        String,
        String,
        Vec<(String, String)>,
        Vec<(String, String)>,
        String,
        String,
    );

    fn borrowed(pairs: &[(String, String)]) -> Vec<(&str, &str)> {
        let pairs = pairs.iter();
        pairs
            .map(|(name, value)| (name.as_str(), value.as_str()))
            .collect()
    }

    #[test]
    fn signatures_equal_those_of_botocore() {
        let lines = include_str!("sigv4_vectors.txt").lines();
        let vectors = lines.filter(|line| !line.starts_with('#'));
        let mut count = 0;
        for line in vectors {
            let Vector(
                service,
                region,
                is_presigned,
                token,
                method,
                path,
                query,
                headers,
                body,
                expected,
            ) = serde_json::from_str(line).unwrap();
            let keys = keys("wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY", token.as_deref());
            let signer = Signer {
                credentials: &keys,
                region: &region,
                service: &service,
            };
            let is_unsigned = is_presigned && service == "s3";
            let request = Request {
                method: &method,
                path: &path,
                query: &borrowed(&query),
                headers: &borrowed(&headers),
                payload: if is_unsigned {
                    Payload::Unsigned
                } else {
                    Payload::Body(body.as_bytes())
                },
            };
            let now = "2026-05-03T14:30:00Z".parse().unwrap();
            if is_presigned {
                let query = signer.presign(&request, Duration::from_hours(1), now);
                assert!(
                    query.ends_with(&format!("&X-Amz-Signature={expected}")),
                    "{line}"
                );
            } else {
                let signed = signer.sign(&request, now);
                let (_, authorization) = signed.last().unwrap();
                assert_eq!(*authorization, expected, "{line}");
            }
            count += 1;
        }
        assert_eq!(count, 200);
    }

    /// The examples of the S3 API reference.
    #[test]
    fn signatures_match_published_examples() {
        let keys = AwsCredentials {
            access_key: "AKIAIOSFODNN7EXAMPLE".to_owned(),
            ..keys("wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", None)
        };
        let host = ("host", "examplebucket.s3.amazonaws.com");
        for (path, query, headers, expected) in [
            (
                "/test.txt",
                vec![],
                vec![host, ("range", "bytes=0-9")],
                "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41",
            ),
            (
                "/",
                vec![("lifecycle", "")],
                vec![host],
                "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543",
            ),
            (
                "/",
                vec![("prefix", "J"), ("max-keys", "2")],
                vec![host],
                "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7",
            ),
        ] {
            let request = Request {
                method: "GET",
                path,
                query: &query,
                headers: &headers,
                payload: Payload::Body(b""),
            };
            let signer = Signer {
                credentials: &keys,
                region: "us-east-1",
                service: "s3",
            };
            let signed = signer.sign(&request, "2013-05-24T00:00:00Z".parse().unwrap());
            let (_, authorization) = signed.last().unwrap();
            assert!(
                authorization.ends_with(&format!("Signature={expected}")),
                "{authorization}"
            );
        }
    }
}
