//! Calls of real clouds. They run only on request, with credentials in the environment:
//! `cargo test -p sluice-identity --test live -- --ignored aws`. A test names the variable that it
//! lacks.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
#![expect(
    clippy::disallowed_methods,
    reason = "the environment names the service under test"
)]

use std::sync::Arc;
use std::time::Duration;

use sluice_dial::{Dial, HttpClients, Sensitive};
use sluice_golang::error::chain;
use sluice_identity::{
    AwsLocation, CloudCluster, Environment, Identities, IdentityError, KeyCall, Level, Provider,
    TokenCache, aws, gcp,
};
use sluice_system::SystemClock;

const PLAIN: &[u8] = b"a data key of thirty-two bytes..";
const MANAGER: &str = "https://management.core.windows.net//.default";

fn identities() -> Identities {
    Identities::new(
        Arc::new(HttpClients::new("sluice-live")),
        Arc::new(SystemClock),
        Environment::of_process(),
        TokenCache::new(100, Duration::from_hours(1)),
    )
}

fn required(variable: &str) -> String {
    let value = std::env::var(variable).unwrap_or_default();
    assert!(!value.is_empty(), "set {variable}");
    value
}

fn unwrapped<T>(found: Result<T, IdentityError>) -> T {
    found.map_err(|error| chain(&error)).unwrap()
}

async fn logs_in(provider: Provider, host: &str) {
    let identities = identities();
    let dial = Dial::default();
    let login = identities.registry(provider, Level::Controller, host, &dial);
    let (basic, _) = unwrapped(login.await);
    assert!(!basic.password.expose().is_empty());
}

async fn describes(provider: Provider, variable: &str) {
    let (identities, dial) = (identities(), Dial::default());
    let cluster = CloudCluster::parse(provider, Some(&required(variable)));
    let cluster = unwrapped(cluster);
    let level = Level::Controller;
    let access = identities
        .cluster_access(level, &cluster, None, &dial)
        .await;
    let (access, _) = unwrapped(access);
    assert!(access.address.starts_with("https://"), "{}", access.address);
    let token = identities.cluster_token(level, &cluster, &dial).await;
    let (token, _) = unwrapped(token);
    assert!(!token.expose().is_empty());
}

fn check(opened: &Sensitive<Vec<u8>>) {
    assert_eq!(opened.expose(), PLAIN);
}

#[tokio::test]
#[ignore = "needs credentials of AWS"]
async fn aws_issues_keys() {
    let (identities, dial) = (identities(), Dial::default());
    let location = AwsLocation::default();
    let keys = identities.aws(Level::Controller, location, &dial).await;
    let (keys, _) = unwrapped(keys);
    assert!(!keys.access_key.is_empty());
}

#[tokio::test]
#[ignore = "needs credentials of AWS and SLUICE_LIVE_ECR_HOST"]
async fn aws_logs_in_to_private_registry() {
    logs_in(Provider::Aws, &required("SLUICE_LIVE_ECR_HOST")).await;
}

#[tokio::test]
#[ignore = "needs credentials of AWS"]
async fn aws_logs_in_to_public_registry() {
    logs_in(Provider::Aws, "public.ecr.aws").await;
}

#[tokio::test]
#[ignore = "needs credentials of AWS and SLUICE_LIVE_EKS_ARN"]
async fn aws_describes_cluster() {
    describes(Provider::Aws, "SLUICE_LIVE_EKS_ARN").await;
}

#[tokio::test]
#[ignore = "needs credentials of AWS and SLUICE_LIVE_KMS_ARN"]
async fn aws_wraps_and_unwraps_key() {
    let (identities, dial) = (identities(), Dial::default());
    let key = unwrapped(aws::KmsKey::parse(&required("SLUICE_LIVE_KMS_ARN")));
    let location = AwsLocation {
        region: Some(key.region()),
        sts_endpoint: None,
    };
    let keys = identities.aws(Level::Controller, location, &dial).await;
    let (keys, _) = unwrapped(keys);
    let context = [("suite".to_owned(), "live".to_owned())];
    let services = identities.key_services();
    let wrapped = services
        .aws(&key, &keys, &context, KeyCall::Encrypt(PLAIN))
        .await;
    let wrapped = unwrapped(wrapped);
    let call = KeyCall::Decrypt(wrapped.expose());
    check(&unwrapped(services.aws(&key, &keys, &context, call).await));
    let call = KeyCall::Decrypt(wrapped.expose());
    assert!(services.aws(&key, &keys, &[], call).await.is_err());
}

#[tokio::test]
#[ignore = "needs credentials of Google Cloud"]
async fn gcp_issues_token() {
    let (identities, dial) = (identities(), Dial::default());
    let (token, _) = unwrapped(identities.gcp(Level::Controller, &dial).await);
    assert!(!token.expose().is_empty());
}

#[tokio::test]
#[ignore = "needs credentials of Google Cloud and SLUICE_LIVE_GAR_HOST"]
async fn gcp_logs_in_to_registry() {
    logs_in(Provider::Gcp, &required("SLUICE_LIVE_GAR_HOST")).await;
}

#[tokio::test]
#[ignore = "needs credentials of Google Cloud and SLUICE_LIVE_GKE_CLUSTER"]
async fn gcp_describes_cluster() {
    describes(Provider::Gcp, "SLUICE_LIVE_GKE_CLUSTER").await;
}

#[tokio::test]
#[ignore = "needs credentials of Google Cloud and SLUICE_LIVE_GCP_KMS_KEY"]
async fn gcp_wraps_and_unwraps_key() {
    let (identities, dial) = (identities(), Dial::default());
    let key = unwrapped(gcp::KmsKey::parse(&required("SLUICE_LIVE_GCP_KMS_KEY")));
    let (token, _) = unwrapped(identities.gcp(Level::Controller, &dial).await);
    let services = identities.key_services();
    let wrapped = services.gcp(&key, &token, KeyCall::Encrypt(PLAIN)).await;
    let wrapped = unwrapped(wrapped);
    let call = KeyCall::Decrypt(wrapped.expose());
    check(&unwrapped(services.gcp(&key, &token, call).await));
}

#[tokio::test]
#[ignore = "needs credentials of Azure"]
async fn azure_issues_token() {
    let (identities, dial) = (identities(), Dial::default());
    let token = identities.azure(Level::Controller, MANAGER, &dial).await;
    let (token, _) = unwrapped(token);
    assert!(!token.expose().is_empty());
}

#[tokio::test]
#[ignore = "needs credentials of Azure and SLUICE_LIVE_ACR_HOST"]
async fn azure_logs_in_to_registry() {
    logs_in(Provider::Azure, &required("SLUICE_LIVE_ACR_HOST")).await;
}

#[tokio::test]
#[ignore = "needs credentials of Azure and SLUICE_LIVE_AKS_CLUSTER"]
async fn azure_describes_cluster() {
    describes(Provider::Azure, "SLUICE_LIVE_AKS_CLUSTER").await;
}

#[tokio::test]
#[ignore = "needs credentials of Azure, SLUICE_LIVE_VAULT_URL and SLUICE_LIVE_VAULT_KEY"]
async fn azure_wraps_and_unwraps_key() {
    let (identities, dial) = (identities(), Dial::default());
    let (vault, name) = (
        required("SLUICE_LIVE_VAULT_URL"),
        required("SLUICE_LIVE_VAULT_KEY"),
    );
    let services = identities.key_services();
    let key = unwrapped(services.vault_key(&vault, &name, ""));
    let token = identities.azure(Level::Controller, key.scope(), &dial);
    let (token, _) = unwrapped(token.await);
    let wrapped = services.azure(&key, &token, KeyCall::Encrypt(PLAIN)).await;
    let wrapped = unwrapped(wrapped);
    let call = KeyCall::Decrypt(wrapped.expose());
    check(&unwrapped(services.azure(&key, &token, call).await));
}
