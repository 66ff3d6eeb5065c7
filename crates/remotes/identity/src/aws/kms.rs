//! Keys of AWS KMS.

use std::time::SystemTime;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use http::Method;
use serde::Deserialize;
use serde_json::{Map, Value};
use sluice_dial::Sensitive;

use super::region::{Service, check_region};
use super::signed::SignedCall;
use super::{AwsCredentials, error_message};
use crate::environment::Environment;
use crate::error::IdentityError;
use crate::key_call::KeyCall;
use crate::pattern::pattern;
use crate::request::{Purpose, Transport};

const ARN_PATTERN: &str = r"^arn:(aws[\w-]*):kms:(.+):[0-9]+:(key|alias)/.+$";
const CONTENT_TYPE: &str = "application/x-amz-json-1.1";
/// Partitions whose regions have a prefix of their own.
const PARTITIONS: [(&str, &str); 7] = [
    ("cn-", "aws-cn"),
    ("us-gov-", "aws-us-gov"),
    ("us-iso-", "aws-iso"),
    ("us-isob-", "aws-iso-b"),
    ("eu-isoe-", "aws-iso-e"),
    ("us-isof-", "aws-iso-f"),
    ("eusc-", "aws-eusc"),
];

/// A key by its ARN, or by that of its alias.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KmsKey {
    arn: String,
    region: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct KmsResponse {
    plaintext: Option<String>,
    ciphertext_blob: Option<String>,
}

impl KmsKey {
    /// Parses an ARN.
    pub fn parse(arn: &str) -> Result<Self, IdentityError> {
        pattern!(ARN, ARN_PATTERN);
        let invalid = || {
            let arn = arn.escape_debug();
            IdentityError::Unusable(format!("no valid ARN found in '{arn}'"))
        };
        let parts = ARN.captures(arn).ok_or_else(invalid)?;
        let (partition, region) = (&parts[1], &parts[2]);
        check_region(region)?;
        let expected = PARTITIONS
            .into_iter()
            .find(|(prefix, _)| region.starts_with(prefix))
            .map_or("aws", |(_, partition)| partition);
        if partition != expected {
            return Err(IdentityError::Unusable(format!(
                "the region '{region}' of the key is in the partition '{expected}', not in \
                 '{partition}'"
            )));
        }
        Ok(Self {
            arn: arn.to_owned(),
            region: region.to_owned(),
        })
    }

    /// Returns the region.
    pub fn region(&self) -> &str {
        &self.region
    }

    /// Wraps or unwraps bytes.
    pub(crate) async fn call(
        &self,
        environment: &Environment,
        transport: Transport<'_>,
        credentials: &AwsCredentials,
        context: &[(String, String)],
        call: KeyCall<'_>,
        now: SystemTime,
    ) -> Result<Sensitive<Vec<u8>>, IdentityError> {
        let (target, field, bytes) = match call {
            KeyCall::Decrypt(bytes) => ("TrentService.Decrypt", "CiphertextBlob", bytes),
            KeyCall::Encrypt(bytes) => ("TrentService.Encrypt", "Plaintext", bytes),
        };
        let text = |text: &str| Value::String(text.to_owned());
        let mut body = Map::new();
        body.insert("KeyId".to_owned(), text(&self.arn));
        body.insert(field.to_owned(), text(&BASE64_STANDARD.encode(bytes)));
        if !context.is_empty() {
            let context = context
                .iter()
                .map(|(name, value)| (name.clone(), text(value)));
            body.insert("EncryptionContext".to_owned(), context.collect());
        }
        let body = Sensitive::new(Value::Object(body).to_string());
        let url = environment.endpoint(Service::Kms, &self.region)?;
        let action = format!("call AWS KMS at {url}");
        let purpose = Purpose::new(&action, error_message);
        let signed = SignedCall {
            credentials,
            region: &self.region,
            service: "kms",
            method: Method::POST,
            url: &url,
            headers: &[("content-type", CONTENT_TYPE), ("x-amz-target", target)],
            body: body.expose(),
        };
        let answer = signed.send(transport, &purpose, now).await?;
        let answer: KmsResponse = serde_json::from_str(answer.expose())
            .map_err(|_| purpose.fault("the answer is not JSON"))?;
        let result = match call {
            KeyCall::Decrypt(_) => answer.plaintext,
            KeyCall::Encrypt(_) => answer.ciphertext_blob,
        };
        let result = result.map(Sensitive::new);
        let result = result.ok_or_else(|| purpose.fault("the answer holds no result"))?;
        let result = BASE64_STANDARD.decode(result.expose());
        let result = result.map_err(|_| purpose.fault("the result is not base64"))?;
        Ok(Sensitive::new(result))
    }
}

#[cfg(test)]
mod tests {
    use sluice_dial::{Dial, HttpClients};
    use sluice_golang::error::chain;

    use super::*;
    use crate::fake::{Fake, ok, status};

    const ARN: &str = "arn:aws:kms:eu-west-1:123456789012:key/0a1b";

    async fn call(
        fake: &Fake,
        arn: &str,
        context: &[(&str, &str)],
        call: KeyCall<'_>,
    ) -> Result<Sensitive<Vec<u8>>, IdentityError> {
        let address = fake.url("/");
        let environment: Environment = [("AWS_ENDPOINT_URL_KMS", &address)].into_iter().collect();
        let clients = HttpClients::new("test");
        let dial = Dial::default();
        let transport = Transport {
            clients: &clients,
            dial: &dial,
        };
        let credentials = AwsCredentials {
            access_key: "AKID".to_owned(),
            secret_key: "canary-key".into(),
            session_token: Some("canary-session".into()),
            expires: None,
        };
        let context: Vec<(String, String)> = context
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect();
        let now = SystemTime::UNIX_EPOCH;
        let key = KmsKey::parse(arn).unwrap();
        key.call(&environment, transport, &credentials, &context, call, now)
            .await
    }

    /// Drops the lines of the signature, which has tests of its own.
    fn unsigned(request: &str) -> Vec<&str> {
        let is_signed = |line: &&str| {
            line.starts_with(
                "authorization: AWS4-HMAC-SHA256 Credential=AKID/19700101/eu-west-1/kms/",
            )
        };
        assert_eq!(request.lines().filter(is_signed).count(), 1, "{request}");
        request.lines().filter(|line| !is_signed(line)).collect()
    }

    #[tokio::test]
    async fn request_has_key_context_and_target() {
        let answer = r#"{"KeyId":"k","Plaintext":"cGxhaW4=","CiphertextBlob":"d3JhcHBlZA=="}"#;
        let fake = Fake::start(&[("POST /", ok(answer))]).await;
        let plain = call(&fake, ARN, &[("App", "a b")], KeyCall::Decrypt(b"wrapped")).await;
        assert_eq!(plain.unwrap().expose(), b"plain");
        let wrapped = call(&fake, ARN, &[], KeyCall::Encrypt(b"plain")).await;
        assert_eq!(wrapped.unwrap().expose(), b"wrapped");
        let requests = fake.requests();
        let head = |target: &str| {
            [
                "POST /".to_owned(),
                "content-type: application/x-amz-json-1.1".to_owned(),
                "x-amz-date: 19700101T000000Z".to_owned(),
                "x-amz-security-token: canary-session".to_owned(),
                format!("x-amz-target: TrentService.{target}"),
            ]
        };
        let decrypt = unsigned(&requests[0]);
        assert_eq!(decrypt[..5], head("Decrypt"));
        let body = format!(
            r#"{{"KeyId":"{ARN}","CiphertextBlob":"d3JhcHBlZA==","EncryptionContext":{{"App":"a b"}}}}"#
        );
        assert_eq!(decrypt[5..], [body]);
        let encrypt = unsigned(&requests[1]);
        assert_eq!(encrypt[..5], head("Encrypt"));
        let body = format!(r#"{{"KeyId":"{ARN}","Plaintext":"cGxhaW4="}}"#);
        assert_eq!(encrypt[5..], [body]);
    }

    #[tokio::test]
    async fn faulty_answers_have_a_reason() {
        let refusal = r#"{"__type":"AccessDeniedException","Message":"not authorized"}"#;
        for (answer, expected) in [
            (
                status(400, refusal),
                "the answer is 400 Bad Request: AccessDeniedException: not authorized",
            ),
            (ok("<html>"), "the answer is not JSON"),
            (ok("{}"), "the answer holds no result"),
            (ok(r#"{"Plaintext":"?"}"#), "the result is not base64"),
        ] {
            let fake = Fake::start(&[("POST /", answer)]).await;
            let error = call(&fake, ARN, &[], KeyCall::Decrypt(b"x"))
                .await
                .unwrap_err();
            let expected = format!("call AWS KMS at {}: {expected}", fake.url("/"));
            assert_eq!(chain(&error), expected);
        }
    }

    #[test]
    fn arn_names_region_and_partition() {
        for (arn, region) in [
            (ARN, "eu-west-1"),
            ("arn:aws:kms:eu-west-1:1:alias/team/app", "eu-west-1"),
            ("arn:aws-cn:kms:cn-north-1:1:key/a", "cn-north-1"),
            ("arn:aws-us-gov:kms:us-gov-west-1:1:key/a", "us-gov-west-1"),
        ] {
            assert_eq!(KmsKey::parse(arn).unwrap().region(), region);
        }
        for (arn, expected) in [
            ("", "no valid ARN found in ''"),
            (
                "arn:aws:s3:eu-west-1:1:key/a",
                "no valid ARN found in 'arn:aws:s3:eu-west-1:1:key/a'",
            ),
            (
                "arn:aws:kms:eu-west-1/evil:1:key/a",
                "'eu-west-1/evil' is not an AWS region",
            ),
            (
                "arn:aws:kms:x@evil.io:1:key/a",
                "'x@evil.io' is not an AWS region",
            ),
            (
                "arn:aws:kms:cn-north-1:1:key/a",
                "the region 'cn-north-1' of the key is in the partition 'aws-cn', not in 'aws'",
            ),
        ] {
            assert_eq!(KmsKey::parse(arn).unwrap_err().to_string(), expected);
        }
    }
}
