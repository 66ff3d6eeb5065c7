//! Signatures of S3 requests without a body, version 4. Pure.
//!
//! Parity: "Authenticating Requests (AWS Signature Version 4)" of the S3 API reference.

use aws_lc_rs::{digest, hmac};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use sluice_dial::aws::AwsCredentials;

const ALGORITHM: &str = "AWS4-HMAC-SHA256";
/// SHA-256 of an empty body.
pub(crate) const EMPTY_BODY: &str =
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

/// A request to sign.
#[derive(Debug)]
pub(crate) struct Request<'a> {
    pub(crate) method: &'a str,
    /// The encoded path.
    pub(crate) path: &'a str,
    /// The encoded query, sorted by name.
    pub(crate) query: &'a str,
    /// Headers to sign besides the ones of the signature, with lower-case names.
    pub(crate) headers: &'a [(&'a str, &'a str)],
}

/// The headers that authenticate a request: names in lower case, values.
pub(crate) fn sign(
    request: &Request<'_>,
    credentials: &AwsCredentials,
    region: &str,
    now: Timestamp,
) -> Vec<(&'static str, String)> {
    let time = now
        .to_zoned(TimeZone::UTC)
        .strftime("%Y%m%dT%H%M%SZ")
        .to_string();
    let (day, _) = time.split_at("YYYYMMDD".len());
    let mut added = vec![
        ("x-amz-content-sha256", EMPTY_BODY.to_owned()),
        ("x-amz-date", time.clone()),
    ];
    if let Some(token) = &credentials.session_token {
        added.push(("x-amz-security-token", token.expose().clone()));
    }
    let given = request.headers.iter().copied();
    let own = added.iter().map(|(name, value)| (*name, value.as_str()));
    let mut headers: Vec<(&str, &str)> = given.chain(own).collect();
    headers.sort_unstable();
    let lines: Vec<String> = headers
        .iter()
        .map(|(name, value)| format!("{name}:{}\n", value.trim()))
        .collect();
    let lines = lines.concat();
    let names: Vec<&str> = headers.iter().map(|(name, _)| *name).collect();
    let names = names.join(";");
    let Request {
        method,
        path,
        query,
        ..
    } = request;
    let canonical = format!("{method}\n{path}\n{query}\n{lines}\n{names}\n{EMPTY_BODY}");
    let canonical = hex::encode(digest::digest(&digest::SHA256, canonical.as_bytes()));
    let scope = format!("{day}/{region}/s3/aws4_request");
    let text = format!("{ALGORITHM}\n{time}\n{scope}\n{canonical}");
    let mut key = keyed(
        format!("AWS4{}", credentials.secret_key.expose()).as_bytes(),
        day,
    );
    for word in [region, "s3", "aws4_request"] {
        key = keyed(key.as_ref(), word);
    }
    let signature = hex::encode(keyed(key.as_ref(), &text));
    let access_key = &credentials.access_key;
    added.push((
        "authorization",
        format!(
            "{ALGORITHM} Credential={access_key}/{scope}, SignedHeaders={names}, \
             Signature={signature}"
        ),
    ));
    added
}

fn keyed(key: &[u8], text: &str) -> hmac::Tag {
    hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, key), text.as_bytes())
}

#[cfg(test)]
mod tests {
    use sluice_dial::Sensitive;

    use super::*;

    /// The examples of the S3 API reference.
    #[test]
    fn signatures_match_published_examples() {
        let credentials = AwsCredentials {
            access_key: "AKIAIOSFODNN7EXAMPLE".to_owned(),
            secret_key: Sensitive::new("wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY".to_owned()),
            session_token: None,
            expires: None,
        };
        let host = ("host", "examplebucket.s3.amazonaws.com");
        for (path, query, headers, expected) in [
            (
                "/test.txt",
                "",
                vec![host, ("range", "bytes=0-9")],
                "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41",
            ),
            (
                "/",
                "lifecycle=",
                vec![host],
                "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543",
            ),
            (
                "/",
                "max-keys=2&prefix=J",
                vec![host],
                "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7",
            ),
        ] {
            let request = Request {
                method: "GET",
                path,
                query,
                headers: &headers,
            };
            let now = "2013-05-24T00:00:00Z".parse().unwrap();
            let signed = sign(&request, &credentials, "us-east-1", now);
            let (_, authorization) = signed.last().unwrap();
            assert!(
                authorization.ends_with(&format!("Signature={expected}")),
                "{authorization}"
            );
        }
    }
}
