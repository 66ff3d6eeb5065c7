//! Clusters of Azure (AKS).

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use http::Method;
use serde::Deserialize;
use serde_json::Value;
use sluice_dial::{Bearer, Sensitive};
use url::Url;

use super::Cloud;
use crate::cluster::{ClusterAccess, canonical_address};
use crate::error::IdentityError;
use crate::pattern::pattern;
use crate::request::{Purpose, RETRY, TIMEOUT, Transport, answer};

const PATTERN: &str = r"(?i)^/subscriptions/([^/]{36})/resourceGroups/([^/]{1,200})/providers/Microsoft\.ContainerService/managedClusters/([^/]{1,200})$";
const API_VERSION: &str = "2022-04-01";
const HELP: &str =
    "https://learn.microsoft.com/en-us/azure/aks/enable-authentication-microsoft-entra-id";

/// A cluster by its resource id.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Cluster {
    id: String,
    subscription: String,
    group: String,
    name: String,
}

#[derive(Deserialize)]
struct ClusterResponse {
    properties: Properties,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Properties {
    aad_profile: Option<Value>,
}

#[derive(Deserialize)]
struct CredentialsResponse {
    #[serde(default)]
    kubeconfigs: Vec<Kubeconfig>,
}

#[derive(Deserialize)]
struct Kubeconfig {
    value: String,
}

impl Cluster {
    /// Parses a resource id.
    pub fn parse(id: &str) -> Result<Self, IdentityError> {
        pattern!(CLUSTER, PATTERN);
        let parts = CLUSTER.captures(id).ok_or_else(|| {
            IdentityError::Unusable(format!(
                "invalid AKS cluster ID: '{id}'. must match {PATTERN}"
            ))
        })?;
        Ok(Self {
            id: id.to_owned(),
            subscription: parts[1].to_owned(),
            group: parts[2].to_owned(),
            name: parts[3].to_owned(),
        })
    }

    /// Returns the resource ID.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Requests address and certificate authority of the cluster: those of an address, or the first
    /// ones. `token` is for the resource manager of the cloud.
    pub async fn describe(
        &self,
        cloud: &Cloud,
        transport: Transport<'_>,
        token: &Sensitive<String>,
        address: Option<&str>,
    ) -> Result<ClusterAccess, IdentityError> {
        let wanted = address.map(canonical_address).transpose();
        let wanted = wanted.map_err(|error| {
            let address = address.unwrap_or_default();
            error.during(format!(
                "failed to parse specified cluster address '{address}'"
            ))
        })?;
        let action = format!("failed to describe AKS cluster '{}'", self.id);
        let secrets = [token.expose().as_str()];
        let purpose = Purpose {
            secrets: &secrets,
            ..Purpose::new(&action, error_message)
        };
        let send = async |method: Method, last: Option<&str>| {
            let authorization = Bearer::new(token.expose())
                .map_err(|_| purpose.fault("the token cannot be sent"))?;
            let request = transport
                .remote()?
                .request(method, self.url(cloud, last)?)
                .header(http::header::AUTHORIZATION, authorization.header())
                .timeout(TIMEOUT);
            answer(request, &purpose, RETRY).await
        };
        let body = send(Method::GET, None).await?;
        let described: ClusterResponse = serde_json::from_str(body.expose())
            .map_err(|_| purpose.fault("the answer describes no cluster"))?;
        if described.properties.aad_profile.is_none() {
            return Err(IdentityError::Unusable(format!(
                "AKS cluster {} does not have Microsoft Entra ID integration enabled. See docs for \
                 enabling: {HELP}",
                self.id
            )));
        }
        let body = send(Method::POST, Some("listClusterUserCredential")).await?;
        let listed: CredentialsResponse = serde_json::from_str(body.expose())
            .map_err(|_| purpose.fault("the answer lists no kubeconfig"))?;
        self.choose(&listed, wanted.as_deref(), address)
    }

    /// Chooses the kubeconfig of an address, or the first one. Only server and certificate
    /// authority count: a user, a program or a proxy in it is ignored.
    fn choose(
        &self,
        listed: &CredentialsResponse,
        wanted: Option<&str>,
        address: Option<&str>,
    ) -> Result<ClusterAccess, IdentityError> {
        let mut addresses = Vec::new();
        for (at, kubeconfig) in listed.kubeconfigs.iter().enumerate() {
            let access = parse(&kubeconfig.value).ok_or_else(|| {
                IdentityError::Unusable(format!("failed to parse kubeconfig[{at}]"))
            })?;
            let canonical = canonical_address(&access.address).map_err(|error| {
                let address = &access.address;
                error.during(format!(
                    "failed to parse address '{address}' from kubeconfig[{at}]"
                ))
            })?;
            if wanted.is_none_or(|wanted| wanted == canonical) {
                return Ok(access);
            }
            addresses.push(format!("'{}'", access.address));
        }
        let none = format!("no kubeconfig found for AKS cluster {}", self.id);
        Err(match address {
            None => IdentityError::Unusable(none),
            Some(address) => IdentityError::OtherAddress(format!(
                "{none} matching the specified address '{address}'. cluster addresses: [{}]",
                addresses.join(", ")
            )),
        })
    }

    fn url(&self, cloud: &Cloud, last: Option<&str>) -> Result<Url, IdentityError> {
        let invalid = || {
            let manager = &cloud.manager;
            IdentityError::Unusable(format!(
                "'{manager}' is not the address of a resource manager"
            ))
        };
        let mut url = Url::parse(&cloud.manager).map_err(|_| invalid())?;
        let Self {
            subscription,
            group,
            name,
            ..
        } = self;
        let path = [
            "subscriptions",
            subscription,
            "resourceGroups",
            group,
            "providers",
            "Microsoft.ContainerService",
            "managedClusters",
            name,
        ];
        url.path_segments_mut()
            .map_err(|()| invalid())?
            .clear()
            .extend(path.into_iter().chain(last));
        url.query_pairs_mut()
            .append_pair("api-version", API_VERSION);
        Ok(url)
    }
}

/// Returns server and certificate authority of the current context of a kubeconfig in base64.
fn parse(encoded: &str) -> Option<ClusterAccess> {
    let text = Sensitive::new(BASE64_STANDARD.decode(encoded).ok()?);
    let config = sluice_yaml::v2::from_slice(text.expose()).ok()?;
    let named = |list: &str, name: &str| {
        let list = config.get(list)?.as_array()?;
        let found = list
            .iter()
            .find(|entry| entry.get("name").and_then(Value::as_str) == Some(name));
        found.cloned()
    };
    let context = config.get("current-context")?.as_str()?;
    let context = named("contexts", context)?;
    let cluster = context.pointer("/context/cluster")?.as_str()?;
    let cluster = named("clusters", cluster)?;
    let ca = match cluster.pointer("/cluster/certificate-authority-data") {
        Some(ca) => BASE64_STANDARD.decode(ca.as_str()?).ok()?,
        None => Vec::new(),
    };
    Some(ClusterAccess {
        address: cluster.pointer("/cluster/server")?.as_str()?.to_owned(),
        ca,
    })
}

pub(super) fn error_message(body: &str) -> Option<String> {
    let body: Value = serde_json::from_str(body).ok()?;
    let text = |name: &str| body.pointer(name)?.as_str();
    let (code, message) = (text("/error/code")?, text("/error/message")?);
    Some(format!("{code}: {message}"))
}

#[cfg(test)]
mod tests {
    use sluice_dial::{Dial, HttpClients};

    use super::*;
    use crate::environment::Environment;
    use crate::fake::{Fake, ok, status};

    const ID: &str = "/subscriptions/11111111-2222-3333-4444-555555555555/resourceGroups/g/providers/Microsoft.ContainerService/managedClusters/c";

    /// A kubeconfig in base64, with a program that must never start.
    fn kubeconfig(server: &str) -> String {
        BASE64_STANDARD.encode(format!(
            "current-context: b\n\
             contexts: [{{name: a, context: {{cluster: one}}}}, {{name: b, context: {{cluster: two}}}}]\n\
             clusters:\n\
             - {{name: one, cluster: {{server: https://wrong}}}}\n\
             - {{name: two, cluster: {{server: '{server}', certificate-authority-data: Y2E=}}}}\n\
             users: [{{name: u, user: {{exec: {{command: /bin/false}}}}}}]\n"
        ))
    }

    async fn describe(
        fake: &Fake,
        id: &str,
        address: Option<&str>,
    ) -> Result<ClusterAccess, IdentityError> {
        let clients = HttpClients::new("test");
        let dial = Dial::default();
        let transport = Transport {
            clients: &clients,
            dial: &dial,
        };
        let cloud = Cloud {
            manager: fake.url("/"),
            ..Cloud::of(&Environment::default()).unwrap()
        };
        let token = Sensitive::from("canary-access");
        let cluster = Cluster::parse(id).unwrap();
        cluster.describe(&cloud, transport, &token, address).await
    }

    async fn fake(kubeconfigs: &[&str]) -> Fake {
        let list: Vec<Value> = kubeconfigs
            .iter()
            .map(|server| serde_json::json!({"name": "k", "value": kubeconfig(server)}))
            .collect();
        let list = serde_json::json!({ "kubeconfigs": list });
        Fake::start(&[
            (
                &format!("GET {ID}"),
                ok(r#"{"properties":{"aadProfile":{}}}"#),
            ),
            (
                &format!("POST {ID}/listClusterUserCredential"),
                ok(list.to_string()),
            ),
        ])
        .await
    }

    #[tokio::test]
    async fn kubeconfig_is_chosen_by_address() {
        let fake = fake(&["https://one.azmk8s.io:443", "https://two.azmk8s.io"]).await;
        for (address, expected) in [
            (None, "https://one.azmk8s.io:443"),
            (Some("TWO.azmk8s.io:443"), "https://two.azmk8s.io"),
        ] {
            let access = describe(&fake, ID, address).await.unwrap();
            assert_eq!(
                (access.address.as_str(), access.ca.as_slice()),
                (expected, &b"ca"[..])
            );
            assert_eq!(
                fake.requests(),
                [
                    format!("GET {ID}?api-version=2022-04-01\nauthorization: Bearer canary-access"),
                    format!(
                        "POST {ID}/listClusterUserCredential?api-version=2022-04-01\n\
                         authorization: Bearer canary-access"
                    ),
                ]
            );
        }
        let message = describe(&fake, ID, Some("three")).await.unwrap_err();
        assert_eq!(
            message.to_string(),
            format!(
                "no kubeconfig found for AKS cluster {ID} matching the specified address 'three'. \
                 cluster addresses: ['https://one.azmk8s.io:443', 'https://two.azmk8s.io']"
            )
        );
    }

    #[tokio::test]
    async fn cluster_needs_entra_and_a_kubeconfig() {
        let none = fake(&[]).await;
        assert_eq!(
            describe(&none, ID, None).await.unwrap_err().to_string(),
            format!("no kubeconfig found for AKS cluster {ID}")
        );
        let path = format!("GET {ID}");
        let plain = Fake::start(&[(&path, ok(r#"{"properties":{}}"#))]).await;
        assert_eq!(
            describe(&plain, ID, None).await.unwrap_err().to_string(),
            format!(
                "AKS cluster {ID} does not have Microsoft Entra ID integration enabled. See docs \
                 for enabling: {HELP}"
            )
        );
        let body = r#"{"error":{"code":"AuthorizationFailed","message":"canary-access: no"}}"#;
        let refused = Fake::start(&[(&path, status(403, body))]).await;
        assert_eq!(
            describe(&refused, ID, None).await.unwrap_err().to_string(),
            format!(
                "failed to describe AKS cluster '{ID}': the answer is 403 Forbidden: \
                 AuthorizationFailed: [redacted]: no"
            )
        );
        let broken = r#"{"kubeconfigs":[{"value":"bm8="}]}"#;
        let list = format!("POST {ID}/listClusterUserCredential");
        let found = (path.as_str(), ok(r#"{"properties":{"aadProfile":{}}}"#));
        let broken = Fake::start(&[found, (&list, ok(broken))]).await;
        assert_eq!(
            describe(&broken, ID, None).await.unwrap_err().to_string(),
            "failed to parse kubeconfig[0]"
        );
    }

    #[tokio::test]
    async fn faulty_answers_have_a_reason() {
        let (path, list) = (
            format!("GET {ID}"),
            format!("POST {ID}/listClusterUserCredential"),
        );
        let described = || ok(r#"{"properties":{"aadProfile":{}}}"#);
        for (first, second, expected) in [
            (ok("<html>"), ok(""), "the answer describes no cluster"),
            (ok("{}"), ok(""), "the answer describes no cluster"),
            (described(), ok("<html>"), "the answer lists no kubeconfig"),
            (
                described(),
                ok(r#"{"kubeconfigs":{}}"#),
                "the answer lists no kubeconfig",
            ),
            (
                described(),
                status(404, "<html>"),
                "the answer is 404 Not Found",
            ),
        ] {
            let fake = Fake::start(&[(&path, first), (&list, second)]).await;
            let message = describe(&fake, ID, None).await.unwrap_err().to_string();
            let expected = format!("failed to describe AKS cluster '{ID}': {expected}");
            assert_eq!(message, expected);
        }
    }

    #[test]
    fn resource_id_must_match_whole_pattern() {
        Cluster::parse(&ID.to_lowercase()).unwrap();
        for bad in ["", "c", &format!("{ID}/x"), &format!("https://evil.io{ID}")] {
            let message = Cluster::parse(bad).unwrap_err().to_string();
            let start = format!("invalid AKS cluster ID: '{bad}'. must match (?i)^/subscriptions");
            assert!(message.starts_with(&start), "{message}");
        }
    }
}
