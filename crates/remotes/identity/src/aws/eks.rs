//! Clusters of Amazon (EKS): tokens for their API, and their addresses.

use std::time::{Duration, SystemTime};

use base64::Engine as _;
use base64::prelude::{BASE64_STANDARD, BASE64_URL_SAFE_NO_PAD};
use http::Method;
use jiff::Timestamp;
use serde::Deserialize;
use sluice_dial::Sensitive;

use super::region::{Service, check_region};
use super::signed::SignedCall;
use super::sigv4::{Payload, Request, Signer, canonical_host, encode};
use super::sts::Sts;
use super::{AwsCredentials, error_message};
use crate::cluster::ClusterAccess;
use crate::environment::Environment;
use crate::error::IdentityError;
use crate::pattern::pattern;
use crate::request::{Purpose, Transport};
use crate::token_cache::Token;

/// Lifetime of a token, which the API server of a cluster decides.
const TOKEN_LIFETIME: Duration = Duration::from_mins(15);
const CLUSTER_PATTERN: &str = r"^arn:aws[\w-]*:eks:([^:]{1,100}):[0-9]{1,30}:cluster/(.{1,200})$";

/// A cluster by its ARN.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Cluster {
    arn: String,
    region: String,
    name: String,
}

#[derive(Deserialize)]
struct ClusterResponse {
    cluster: DescribedCluster,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct DescribedCluster {
    endpoint: String,
    certificate_authority: Authority,
}

#[derive(Deserialize)]
struct Authority {
    data: String,
}

impl Cluster {
    /// Parses an ARN.
    pub fn parse(arn: &str) -> Result<Self, IdentityError> {
        pattern!(CLUSTER, CLUSTER_PATTERN);
        let invalid = || {
            IdentityError::Unusable(format!(
                "invalid EKS cluster ARN: '{arn}'. must match {CLUSTER_PATTERN}"
            ))
        };
        let parts = CLUSTER.captures(arn).ok_or_else(invalid)?;
        let (region, name) = (parts[1].to_owned(), parts[2].to_owned());
        check_region(&region)?;
        let arn = arn.to_owned();
        Ok(Self { arn, region, name })
    }

    /// Returns the ARN.
    pub fn arn(&self) -> &str {
        &self.arn
    }

    /// Returns the region.
    pub fn region(&self) -> &str {
        &self.region
    }

    /// Returns a token for the API server: a signed request that the cluster sends to STS.
    pub fn token(
        &self,
        sts: &Sts,
        credentials: &AwsCredentials,
        now: SystemTime,
    ) -> Token<Sensitive<String>> {
        let host = canonical_host(sts.url());
        let request = Request {
            method: "GET",
            path: sts.url().path(),
            query: &[("Action", "GetCallerIdentity"), ("Version", "2011-06-15")],
            headers: &[("host", &host), ("x-k8s-aws-id", &self.name)],
            payload: Payload::Body(b""),
        };
        let signer = Signer {
            credentials,
            region: &self.region,
            service: "sts",
        };
        let time = Timestamp::try_from(now).unwrap_or_default();
        let query = signer.presign(&request, TOKEN_LIFETIME, time);
        let mut url = sts.url().clone();
        url.set_query(Some(&query));
        let url = Sensitive::new(String::from(url));
        let token = format!("k8s-aws-v1.{}", BASE64_URL_SAFE_NO_PAD.encode(url.expose()));
        let end = now + TOKEN_LIFETIME;
        Token {
            value: Sensitive::new(token),
            expires: credentials.expires.map_or(end, |expires| expires.min(end)),
        }
    }

    /// Requests address and certificate authority of the cluster.
    pub async fn describe(
        &self,
        environment: &Environment,
        transport: Transport<'_>,
        credentials: &AwsCredentials,
        now: SystemTime,
    ) -> Result<ClusterAccess, IdentityError> {
        let mut url = environment.endpoint(Service::Eks, &self.region)?;
        url.set_path(&format!("/clusters/{}", encode(&self.name)));
        let action = format!("failed to describe EKS cluster '{}'", self.name);
        let purpose = Purpose::new(&action, error_message);
        let call = SignedCall {
            credentials,
            region: &self.region,
            service: "eks",
            method: Method::GET,
            url: &url,
            headers: &[],
            body: "",
        };
        let body = call.send(transport, &purpose, now).await?;
        let described: ClusterResponse = serde_json::from_str(body.expose())
            .map_err(|_| purpose.fault("the answer names no endpoint"))?;
        let ca = BASE64_STANDARD
            .decode(&described.cluster.certificate_authority.data)
            .map_err(|_| purpose.fault("failed to decode EKS CA certificate"))?;
        Ok(ClusterAccess {
            address: described.cluster.endpoint,
            ca,
        })
    }
}
