//! The metadata service of a machine, and the facts about its GKE cluster.

use std::time::{Duration, SystemTime};

use sluice_dial::{Retry, Sensitive};
use tokio::sync::OnceCell;
use url::Url;

use super::federation::{error_message, parse_token};
use super::{Audiences, SCOPES};
use crate::environment::Environment;
use crate::error::IdentityError;
use crate::request::{Purpose, Transport, answer};
use crate::token_cache::Token;

/// The IP address of the service. A name would depend on the DNS of the cluster.
const HOST: &str = "169.254.169.254";
const FLAVOR: (&str, &str) = ("metadata-flavor", "Google");
/// Timeout of the service. It is local to the machine, or absent.
const TIMEOUT: Duration = Duration::from_secs(2);

/// The GKE cluster of this process, read once.
#[derive(Debug, Default)]
pub struct ClusterMetadata(OnceCell<Cluster>);

#[derive(Debug)]
struct Cluster {
    project: String,
    location: String,
    name: String,
}

impl ClusterMetadata {
    /// Returns the audiences of the cluster's own pool.
    pub(super) async fn audiences(
        &self,
        environment: &Environment,
        transport: Transport<'_>,
    ) -> Result<Audiences, IdentityError> {
        // A failure is not kept, so the next use tries again.
        let cluster = self
            .0
            .get_or_try_init(|| Cluster::read(environment, transport))
            .await?;
        let Cluster {
            project,
            location,
            name,
        } = cluster;
        let pool = format!("{project}.svc.id.goog");
        Ok(Audiences {
            exchange: format!(
                "identitynamespace:{pool}:https://container.googleapis.com/v1/projects/{project}/\
                 locations/{location}/clusters/{name}"
            ),
            token: pool,
        })
    }
}

impl Cluster {
    async fn read(
        environment: &Environment,
        transport: Transport<'_>,
    ) -> Result<Self, IdentityError> {
        let read = async |noun: &str, path: &str| {
            let action = format!("failed to get GKE cluster {noun} from the metadata service");
            let body = get(environment, transport, &action, path, None).await?;
            let text = body.expose().trim();
            if text.is_empty() {
                return Err(IdentityError::Unusable(format!("{action}: empty value")));
            }
            if text.contains(['/', '?', '#', ':', '@', ' ']) {
                return Err(IdentityError::Unusable(format!("{action}: invalid value")));
            }
            Ok(text.to_owned())
        };
        Ok(Self {
            project: read("project ID", "project/project-id").await?,
            location: read("location", "instance/attributes/cluster-location").await?,
            name: read("name", "instance/attributes/cluster-name").await?,
        })
    }
}

/// Requests a token of the machine's account.
pub(super) async fn token(
    environment: &Environment,
    transport: Transport<'_>,
    now: SystemTime,
) -> Result<Token<Sensitive<String>>, IdentityError> {
    let action = "ask this machine's host for a Google token";
    let path = "instance/service-accounts/default/token";
    let scopes = SCOPES.join(",");
    let body = match get(environment, transport, action, path, Some(&scopes)).await {
        // Without a response, this machine is not in Google Cloud.
        Err(IdentityError::Network { .. }) => {
            return Err(IdentityError::Unusable(
                "no Google credentials were found: neither a file in \
                 GOOGLE_APPLICATION_CREDENTIALS, nor an account of this machine"
                    .to_owned(),
            ));
        }
        answered => answered?,
    };
    parse_token(body.expose(), now).ok_or_else(|| {
        Purpose::new(action, error_message).fault("the answer holds no access token")
    })
}

async fn get(
    environment: &Environment,
    transport: Transport<'_>,
    action: &str,
    path: &str,
    scopes: Option<&str>,
) -> Result<Sensitive<String>, IdentityError> {
    let host = environment.get("GCE_METADATA_HOST").unwrap_or(HOST);
    let address = format!("http://{host}/computeMetadata/v1/{path}");
    let mut url = Url::parse(&address)
        .map_err(|_| IdentityError::Unusable(format!("GCE_METADATA_HOST is '{host}'")))?;
    if let Some(scopes) = scopes {
        url.query_pairs_mut().append_pair("scopes", scopes);
    }
    let purpose = Purpose {
        // A captive portal or a proxy answers without it.
        required_header: Some(FLAVOR),
        ..Purpose::new(action, error_message)
    };
    let request = transport
        .local()?
        .get(url)
        .header(FLAVOR.0, FLAVOR.1)
        .timeout(TIMEOUT);
    answer(request, &purpose, Retry::NEVER).await
}
