//! Passwords for CodeCommit: signatures of the repository address.

use std::time::{Duration, SystemTime};

use jiff::Timestamp;
use jiff::tz::TimeZone;
use sluice_dial::Basic;
use url::Url;

use super::AwsCredentials;
use super::sigv4::Signer;
use crate::error::IdentityError;
use crate::token_cache::Token;

/// Lifetime of a signature in CodeCommit.
const SIGNATURE_LIFETIME: Duration = Duration::from_mins(15);

/// A CodeCommit repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repository {
    host: String,
    path: String,
    region: String,
}

impl Repository {
    /// Parses the address of a repository.
    pub fn parse(url: &Url) -> Result<Self, IdentityError> {
        if url.scheme() != "https" {
            return Err(IdentityError::NotHttps);
        }
        let host = url.host_str().unwrap_or_default();
        let mut labels = host.split('.');
        let first = labels.next().unwrap_or_default();
        let region = labels.next().unwrap_or_default();
        let is_amazon = host.ends_with(".amazonaws.com") || host.ends_with(".amazonaws.com.cn");
        let is_named = matches!(first, "git-codecommit" | "git-codecommit-fips");
        if !is_named || !is_amazon || labels.count() < 2 {
            return Err(IdentityError::NotCodeCommit(host.to_owned()));
        }
        Ok(Self {
            host: host.to_owned(),
            path: url.path().to_owned(),
            region: region.to_owned(),
        })
    }

    /// Returns the region, whose STS endpoint provides credentials.
    pub fn region(&self) -> &str {
        &self.region
    }

    /// Returns user name and password, which are valid for 15 minutes.
    pub fn sign(&self, credentials: &AwsCredentials, now: SystemTime) -> Token<Basic> {
        // The time has no zone, unlike that of other signatures.
        let time = Timestamp::try_from(now).unwrap_or_default();
        let time = time
            .to_zoned(TimeZone::UTC)
            .strftime("%Y%m%dT%H%M%S")
            .to_string();
        let request = format!("GIT\n{}\n\nhost:{}\n\nhost\n", self.path, self.host);
        let signer = Signer {
            credentials,
            region: &self.region,
            service: "codecommit",
        };
        let signature = signer.sign_canonical(&request, &time);
        let username = match &credentials.session_token {
            Some(token) => format!("{}%{}", credentials.access_key, token.expose()),
            None => credentials.access_key.clone(),
        };
        let end = now + SIGNATURE_LIFETIME;
        Token {
            value: Basic::new(username, format!("{time}Z{signature}")),
            expires: credentials.expires.map_or(end, |expires| expires.min(end)),
        }
    }
}
