//! Clusters of Google (GKE).

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde::Deserialize;
use sluice_dial::{Bearer, Sensitive};
use url::Url;

use super::Endpoints;
use super::federation::error_message;
use crate::cluster::ClusterAccess;
use crate::error::IdentityError;
use crate::pattern::pattern;
use crate::request::{Purpose, RETRY, TIMEOUT, Transport, answer};

const PATTERN: &str = r"^projects/[^/]{1,200}/locations/[^/]{1,200}/clusters/[^/]{1,200}$";

/// A cluster by its resource name.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Cluster(String);

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ClusterResponse {
    endpoint: String,
    master_auth: Authority,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Authority {
    cluster_ca_certificate: String,
}

impl Cluster {
    /// Parses a resource name.
    pub fn parse(name: &str) -> Result<Self, IdentityError> {
        pattern!(CLUSTER, PATTERN);
        if CLUSTER.is_match(name) {
            return Ok(Self(name.to_owned()));
        }
        Err(IdentityError::Unusable(format!(
            "invalid GKE cluster ID: '{name}'. must match {PATTERN}"
        )))
    }

    /// Returns the resource name.
    pub fn name(&self) -> &str {
        &self.0
    }

    /// Requests address and certificate authority of the cluster.
    pub async fn describe(
        &self,
        endpoints: &Endpoints,
        transport: Transport<'_>,
        token: &Sensitive<String>,
    ) -> Result<ClusterAccess, IdentityError> {
        let action = format!("failed to describe GKE cluster '{}'", self.0);
        let secrets = [token.expose().as_str()];
        let purpose = Purpose {
            secrets: &secrets,
            ..Purpose::new(&action, error_message)
        };
        let mut url: Url = endpoints.container.clone();
        let segments = ["v1"].into_iter().chain(self.0.split('/'));
        url.path_segments_mut()
            .map_err(|()| purpose.fault("the endpoint has no path"))?
            .clear()
            .extend(segments);
        let authorization =
            Bearer::new(token.expose()).map_err(|_| purpose.fault("the token cannot be sent"))?;
        let request = transport
            .remote()?
            .get(url)
            .header(http::header::AUTHORIZATION, authorization.header())
            .timeout(TIMEOUT);
        let body = answer(request, &purpose, RETRY).await?;
        let described: ClusterResponse = serde_json::from_str(body.expose())
            .map_err(|_| purpose.fault("the answer names no endpoint"))?;
        let ca = BASE64_STANDARD
            .decode(&described.master_auth.cluster_ca_certificate)
            .map_err(|_| purpose.fault("failed to decode GKE CA certificate"))?;
        Ok(ClusterAccess {
            address: format!("https://{}", described.endpoint),
            ca,
        })
    }
}

#[cfg(test)]
mod tests {
    use sluice_dial::{Dial, HttpClients};

    use super::*;
    use crate::fake::{Fake, ok, status};

    #[tokio::test]
    async fn cluster_is_described_with_a_token() {
        let body = r#"{"endpoint":"192.0.2.1","masterAuth":{"clusterCaCertificate":"Y2E="}}"#;
        let path = "GET /v1/projects/p/locations/l/clusters/c";
        let fake = Fake::start(&[(path, ok(body))]).await;
        let endpoints = Endpoints {
            container: Url::parse(&fake.url("/")).unwrap(),
            ..Endpoints::default()
        };
        let clients = HttpClients::new("test");
        let dial = Dial::default();
        let transport = Transport {
            clients: &clients,
            dial: &dial,
        };
        let token = Sensitive::from("canary-access");
        let describe = async |name: &str| {
            let cluster = Cluster::parse(name).unwrap();
            cluster.describe(&endpoints, transport, &token).await
        };
        let access = describe("projects/p/locations/l/clusters/c").await.unwrap();
        assert_eq!(
            (access.address.as_str(), access.ca.as_slice()),
            ("https://192.0.2.1", &b"ca"[..])
        );
        assert_eq!(
            fake.requests(),
            [format!("{path}\nauthorization: Bearer canary-access")]
        );
        let message = describe("projects/p/locations/l/clusters/c?x#y").await;
        assert!(
            message
                .unwrap_err()
                .to_string()
                .ends_with("418 I'm a teapot")
        );
        let requests = fake.requests();
        assert!(
            requests[0].contains("/clusters/c%3Fx%23y\n"),
            "{requests:?}"
        );
        for bad in [
            "",
            "projects/p/locations/l/clusters/",
            "a/projects/p/locations/l/clusters/c",
        ] {
            assert!(Cluster::parse(bad).is_err(), "{bad}");
        }
    }

    #[tokio::test]
    async fn faulty_answers_have_a_reason() {
        let name = "projects/p/locations/l/clusters/c";
        let line = format!("GET /v1/{name}");
        let denied = r#"{"error":{"status":"PERMISSION_DENIED","message":"canary-access: no"}}"#;
        let bad_ca = r#"{"endpoint":"192.0.2.1","masterAuth":{"clusterCaCertificate":"?"}}"#;
        for (answer, expected) in [
            (ok("<html>"), "the answer names no endpoint"),
            (ok(r#"{"endpoint":"a"}"#), "the answer names no endpoint"),
            (ok(bad_ca), "failed to decode GKE CA certificate"),
            (
                status(403, denied),
                "the answer is 403 Forbidden: PERMISSION_DENIED: [redacted]: no",
            ),
        ] {
            let fake = Fake::start(&[(&line, answer)]).await;
            let endpoints = Endpoints {
                container: Url::parse(&fake.url("/")).unwrap(),
                ..Endpoints::default()
            };
            let clients = HttpClients::new("test");
            let transport = Transport {
                clients: &clients,
                dial: &Dial::default(),
            };
            let token = Sensitive::from("canary-access");
            let cluster = Cluster::parse(name).unwrap();
            let described = cluster.describe(&endpoints, transport, &token).await;
            let expected = format!("failed to describe GKE cluster '{name}': {expected}");
            assert_eq!(described.unwrap_err().to_string(), expected);
        }
    }
}
