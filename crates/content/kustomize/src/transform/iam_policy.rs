//! The builtin `IAMPolicyGenerator`: generates a service account that is bound to an account
//! of Google Cloud.
//!
//! Parity: kustomize: `api/filters/iampolicygenerator`.

use serde::Deserialize;
use sluice_yaml::tree::{self, Node};

use crate::error::{Code, Error};

/// The configuration of the generator.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Arguments {
    pub(crate) cloud: String,
    pub(crate) kubernetes_service: KubernetesService,
    pub(crate) service_account: ServiceAccount,
}

/// The service account in the cluster.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct KubernetesService {
    pub(crate) name: String,
    pub(crate) namespace: String,
}

/// The service account of the cloud provider.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct ServiceAccount {
    pub(crate) name: String,
    pub(crate) project_id: String,
}

/// Generates the service account. Like upstream, formats it as YAML, so a name of digits
/// becomes a number.
pub(crate) fn generate(arguments: &Arguments) -> Result<Node, Error> {
    if arguments.cloud != "gke" {
        let message = format!("cloud provider {} not supported yet", arguments.cloud);
        return Err(Error::new(Code::PluginInvalid, message));
    }
    let account = &arguments.service_account;
    let service = &arguments.kubernetes_service;
    let mut text = format!(
        "apiVersion: v1\nkind: ServiceAccount\nmetadata:\n  annotations:\n    \
         iam.gke.io/gcp-service-account: {}@{}.iam.gserviceaccount.com\n  name: {}\n",
        account.name, account.project_id, service.name
    );
    if !service.namespace.is_empty() {
        text.push_str("\n  namespace: ");
        text.push_str(&service.namespace);
    }
    let malformed = |message: String| Error::new(Code::PluginInvalid, message);
    let document =
        tree::parse_document(text.as_bytes()).map_err(|error| malformed(error.to_string()))?;
    let document = document.ok_or_else(|| malformed("EOF".to_owned()))?;
    Ok(document.root)
}

#[cfg(test)]
mod tests {
    use super::{Arguments, KubernetesService, ServiceAccount, generate};

    fn arguments(cloud: &str) -> Arguments {
        Arguments {
            cloud: cloud.to_owned(),
            kubernetes_service: KubernetesService {
                name: "web".to_owned(),
                namespace: "shop".to_owned(),
            },
            service_account: ServiceAccount {
                name: "account".to_owned(),
                project_id: "project".to_owned(),
            },
        }
    }

    #[test]
    fn service_account_is_annotated_with_cloud_account() {
        let account = generate(&arguments("gke")).unwrap();
        assert_eq!(
            account.text_at(&["metadata", "annotations", "iam.gke.io/gcp-service-account"]),
            Some("account@project.iam.gserviceaccount.com")
        );
        assert_eq!(account.text_at(&["metadata", "name"]), Some("web"));
        assert_eq!(account.text_at(&["metadata", "namespace"]), Some("shop"));
    }

    #[test]
    fn unknown_cloud_is_rejected() {
        assert!(generate(&arguments("other")).is_err());
    }
}
