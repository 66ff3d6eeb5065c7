//! Clusters of clouds: tokens for their API servers, and their addresses.
//!
//! Parity: fluxcd/pkg: auth/restconfig.go.

use std::time::{Duration, SystemTime};

use sluice_dial::{Dial, Sensitive};

use super::{AwsLocation, Identities, Level, identity_text};
use crate::cache_key::KeyParts;
use crate::cluster::ClusterAccess;
use crate::error::IdentityError;
use crate::observer::IdentityStep;
use crate::provider::Provider;
use crate::token_cache::{Lookup, Token};
use crate::{aws, azure, gcp};

/// Lifetime of a described cluster: that of a token of EKS.
const DESCRIPTION_LIFETIME: Duration = Duration::from_mins(15);

/// A cluster of a cloud.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CloudCluster {
    /// A cluster of Amazon. Its tokens are valid for this cluster only.
    Eks(aws::Cluster),
    /// A cluster of Google. Without a name, it can only be reached by an address.
    Gke(Option<gcp::Cluster>),
    /// A cluster of Azure. Without a name, it can only be reached by an address.
    Aks(Option<azure::Cluster>),
}

impl CloudCluster {
    /// Parses a cluster by the name that its cloud gives it.
    pub fn parse(provider: Provider, name: Option<&str>) -> Result<Self, IdentityError> {
        match provider {
            Provider::Aws => aws::Cluster::parse(name.unwrap_or_default()).map(Self::Eks),
            Provider::Gcp => name.map(gcp::Cluster::parse).transpose().map(Self::Gke),
            Provider::Azure => name.map(azure::Cluster::parse).transpose().map(Self::Aks),
            Provider::GitHub | Provider::Generic => Err(IdentityError::Unusable(format!(
                "the provider '{provider}' has no clusters"
            ))),
        }
    }

    /// Returns the provider.
    pub fn provider(&self) -> Provider {
        match self {
            Self::Eks(_) => Provider::Aws,
            Self::Gke(_) => Provider::Gcp,
            Self::Aks(_) => Provider::Azure,
        }
    }

    /// Returns the name for cache keys.
    fn name(&self) -> &str {
        match self {
            Self::Eks(cluster) => cluster.arn(),
            Self::Gke(cluster) => cluster.as_ref().map_or("", gcp::Cluster::name),
            Self::Aks(cluster) => cluster.as_ref().map_or("", azure::Cluster::id),
        }
    }
}

impl Identities {
    /// Returns a token for the API server of a cluster.
    pub async fn cluster_token(
        &self,
        level: Level<'_>,
        cluster: &CloudCluster,
        dial: &Dial,
    ) -> Result<(Sensitive<String>, Lookup), IdentityError> {
        let token = match cluster {
            CloudCluster::Eks(cluster) => return self.eks_token(level, cluster, dial).await,
            CloudCluster::Gke(_) => self.gcp(level, dial).await,
            CloudCluster::Aks(_) => self.azure(level, azure::CLUSTERS, dial).await,
        };
        token.map_err(while_getting_token)
    }

    /// Returns address and certificate authority of a cluster as its cloud names them. If the cloud
    /// names several addresses, `address` chooses one of them.
    pub async fn cluster_access(
        &self,
        level: Level<'_>,
        cluster: &CloudCluster,
        address: Option<&str>,
        dial: &Dial,
    ) -> Result<(ClusterAccess, Lookup), IdentityError> {
        let key = KeyParts::new(cluster.provider(), "cluster")
            .account(level.account(), &identity_text(cluster.provider(), level))
            .text("cluster", cluster.name())
            .text("address", address.unwrap_or_default())
            .dial(dial)
            .finish();
        let now = SystemTime::from(self.clock.now());
        let ask = async || {
            let value = self.describe(level, cluster, address, dial, now).await?;
            let expires = now + DESCRIPTION_LIFETIME;
            Ok(Token { value, expires })
        };
        self.clusters.token(&key, now, ask).await
    }

    async fn describe(
        &self,
        level: Level<'_>,
        cluster: &CloudCluster,
        address: Option<&str>,
        dial: &Dial,
        now: SystemTime,
    ) -> Result<ClusterAccess, IdentityError> {
        let transport = self.transport(dial);
        let (provider, step) = (cluster.provider(), IdentityStep::Derive);
        match cluster {
            CloudCluster::Eks(cluster) => {
                let keys = self.aws(level, location(cluster), dial).await;
                let (keys, _) = keys.map_err(while_getting_token)?;
                let asking = cluster.describe(&self.environment, transport, &keys, now);
                self.timed(provider, step, asking).await
            }
            CloudCluster::Gke(cluster) => {
                let cluster = named(cluster.as_ref(), gcp::Cluster::parse)?;
                let token = self.gcp(level, dial).await;
                let (token, _) = token.map_err(while_getting_token)?;
                let asking = cluster.describe(&self.google, transport, &token);
                self.timed(provider, step, asking).await
            }
            CloudCluster::Aks(cluster) => {
                let cluster = named(cluster.as_ref(), azure::Cluster::parse)?;
                let cloud = azure::Cloud::of(&self.environment)?;
                let token = self.azure(level, &cloud.manager_scope, dial).await;
                let (token, _) = token.map_err(while_getting_token)?;
                let asking = cluster.describe(&cloud, transport, &token, address);
                self.timed(provider, step, asking).await
            }
        }
    }

    async fn eks_token(
        &self,
        level: Level<'_>,
        cluster: &aws::Cluster,
        dial: &Dial,
    ) -> Result<(Sensitive<String>, Lookup), IdentityError> {
        let keys = self.aws(level, location(cluster), dial).await;
        let (keys, _) = keys.map_err(while_getting_token)?;
        let sts = self.environment.sts(cluster.region())?;
        let key = KeyParts::new(Provider::Aws, "cluster token")
            .account(level.account(), &identity_text(Provider::Aws, level))
            .text("cluster", cluster.arn())
            .dial(dial)
            .finish();
        self.bearer(&key, async |now| Ok(cluster.token(&sts, &keys, now)))
            .await
    }
}

fn location(cluster: &aws::Cluster) -> AwsLocation<'_> {
    AwsLocation {
        region: Some(cluster.region()),
        sts_endpoint: None,
    }
}

/// Returns the cluster. Without one, the error is that of an empty name.
fn named<C: Clone>(
    cluster: Option<&C>,
    parse: fn(&str) -> Result<C, IdentityError>,
) -> Result<C, IdentityError> {
    cluster.cloned().map_or_else(|| parse(""), Ok)
}

fn while_getting_token(error: IdentityError) -> IdentityError {
    error.during("failed to get access token for cluster")
}

#[cfg(test)]
mod tests {
    use sluice_golang::error::chain;

    use super::super::tests::{Issuer, STS_ANSWER, account, identities, with_role};
    use super::*;
    use crate::fake::{Fake, ok, status};

    const ARN: &str = "arn:aws:eks:eu-west-1:123456789012:cluster/prod";
    const GKE: &str = "projects/p/locations/l/clusters/c";
    const AKS: &str = "/subscriptions/11111111-2222-3333-4444-555555555555/resourceGroups/g/providers/Microsoft.ContainerService/managedClusters/c";

    #[tokio::test]
    async fn eks_is_described_and_entered_by_one_session() {
        let body =
            r#"{"cluster":{"endpoint":"https://1.eks","certificateAuthority":{"data":"Y2E="}}}"#;
        let fake = Fake::start(&[
            ("POST /sts", ok(STS_ANSWER)),
            ("GET /clusters/prod", ok(body)),
        ])
        .await;
        let (sts, eks) = (fake.url("/sts"), fake.url("/"));
        let identities = identities(&[
            ("AWS_ENDPOINT_URL_STS", &sts),
            ("AWS_ENDPOINT_URL_EKS", &eks),
        ]);
        let (issuer, dial) = (Issuer::default(), Dial::default());
        let cluster = CloudCluster::parse(Provider::Aws, Some(ARN)).unwrap();
        let (one, other) = (with_role("apps", "1"), with_role("infra", "2"));
        for (account, expected) in [
            (&one, Lookup::Miss),
            (&one, Lookup::Hit),
            (&other, Lookup::Miss),
        ] {
            let level = Level::Object {
                account,
                requests: &issuer,
            };
            let access = identities.cluster_access(level, &cluster, None, &dial);
            let (access, lookup) = access.await.unwrap();
            assert_eq!(
                (access.address.as_str(), lookup),
                ("https://1.eks", expected)
            );
            let token = identities.cluster_token(level, &cluster, &dial).await;
            let (token, lookup) = token.unwrap();
            assert!(token.expose().starts_with("k8s-aws-v1."));
            assert_eq!(lookup, expected);
        }
        // A session and a description for each account.
        assert_eq!(fake.requests().len(), 4);
        assert_eq!(issuer.issued.lock().unwrap().len(), 2);
    }

    #[tokio::test]
    async fn missing_name_is_an_error_only_for_a_description() {
        let fake = Fake::start(&[(
            "POST /t/oauth2/v2.0/token",
            ok(r#"{"access_token":"canary-access","expires_in":3599}"#),
        )])
        .await;
        let address = fake.url("/");
        let identities = identities(&[
            ("AZURE_TENANT_ID", "t"),
            ("AZURE_CLIENT_ID", "c"),
            ("AZURE_CLIENT_SECRET", "canary-secret"),
            ("AZURE_AUTHORITY_HOST", &address),
        ]);
        let (level, dial) = (Level::Controller, Dial::default());
        let cluster = CloudCluster::parse(Provider::Azure, None).unwrap();
        let token = identities.cluster_token(level, &cluster, &dial).await;
        assert_eq!(token.unwrap().0.expose(), "canary-access");
        let requests = fake.requests();
        let scope = "&scope=6dae42f8-4368-4678-94ff-3960e28e3630%2F.default&";
        assert!(requests[0].contains(scope), "{requests:?}");
        for (provider, start) in [
            (Provider::Azure, "invalid AKS cluster ID: ''. must match "),
            (Provider::Gcp, "invalid GKE cluster ID: ''. must match "),
        ] {
            let cluster = CloudCluster::parse(provider, None).unwrap();
            let access = identities.cluster_access(level, &cluster, Some("https://a"), &dial);
            let message = access.await.unwrap_err().to_string();
            assert!(message.starts_with(start), "{message}");
        }
        let message = CloudCluster::parse(Provider::Aws, None).unwrap_err();
        let start = "invalid EKS cluster ARN: ''. must match ";
        assert!(message.to_string().starts_with(start));
        assert!(CloudCluster::parse(Provider::Generic, None).is_err());
        assert!(fake.requests().is_empty());
    }

    #[tokio::test]
    async fn cluster_error_names_the_step() {
        let refusal =
            r#"{"error":"invalid_client","error_description":"AADSTS7000215: no. Trace ID: 1"}"#;
        let fake = Fake::start(&[("POST /t/oauth2/v2.0/token", status(401, refusal))]).await;
        let address = fake.url("/");
        let identities = identities(&[
            ("AZURE_TENANT_ID", "t"),
            ("AZURE_CLIENT_ID", "c"),
            ("AZURE_CLIENT_SECRET", "canary-secret"),
            ("AZURE_AUTHORITY_HOST", &address),
        ]);
        let dial = Dial::default();
        let cluster = CloudCluster::parse(Provider::Azure, Some(AKS)).unwrap();
        let expected = format!(
            "failed to get access token for cluster: failed to create provider access token for \
             the controller: get an Azure token for c at {address}t/oauth2/v2.0/token: the answer \
             is 401 Unauthorized: invalid_client: AADSTS7000215: no."
        );
        let token = identities.cluster_token(Level::Controller, &cluster, &dial);
        assert_eq!(chain(&token.await.unwrap_err()), expected);
        let access = identities.cluster_access(Level::Controller, &cluster, None, &dial);
        assert_eq!(chain(&access.await.unwrap_err()), expected);
        let (issuer, bare) = (Issuer::default(), account("apps", "1", &[]));
        let level = Level::Object {
            account: &bare,
            requests: &issuer,
        };
        let cluster = CloudCluster::parse(Provider::Aws, Some(ARN)).unwrap();
        let token = identities.cluster_token(level, &cluster, &dial).await;
        let message = chain(&token.unwrap_err());
        let start = "failed to get access token for cluster: failed to get provider identity from \
                     service account 'apps/flux' annotations: ";
        assert!(message.starts_with(start), "{message}");
        assert!(CloudCluster::parse(Provider::Gcp, Some(GKE)).is_ok());
        assert!(issuer.issued.lock().unwrap().is_empty());
    }
}
