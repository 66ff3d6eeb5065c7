//! A secret store: Vault's own core, transit engine, Kubernetes and JWT logins, in memory on loopback.

use http::Method;
use serde_json::{Value, json};
use sluice_devcluster::Tool;
use sluice_devcluster::process::{Process, Program};
use sluice_dial::{Dial, HttpClients};
use sluice_system::fs;

use crate::{testbed, wait};

/// A running server, unsealed; dropping it stops it and forgets what it held.
#[derive(Debug)]
pub struct Vault {
    process: Process,
    _directory: tempfile::TempDir,
    address: String,
    http: HttpClients,
}

impl Vault {
    /// The token that may do everything.
    pub const ROOT: &str = "root-of-vault";

    /// Starts an empty server, building it first if it must be.
    pub async fn start() -> Self {
        drop(rustls::crypto::aws_lc_rs::default_provider().install_default());
        let binary = testbed::tool(Tool::Vault).await;
        let directory = tempfile::tempdir().unwrap();
        let told = directory.path().join("address");
        let mut process = Program::new("vault", binary)
            .argument(&told)
            .variable("VAULT_DEV_ROOT_TOKEN_ID", Self::ROOT)
            .start(&directory.path().join("vault.log"))
            .unwrap_or_else(|error| panic!("{error}"));
        let address = wait::eventually("the vault says where it listens", || {
            process.check().unwrap_or_else(|error| panic!("{error}"));
            let address = fs::read_to_string(&told).map_err(|error| error.to_string());
            async move { address }
        })
        .await;
        Self {
            process,
            _directory: directory,
            address: format!("http://{address}"),
            http: HttpClients::new("sluice-test"),
        }
    }

    /// Its URL, as a document names it.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// Mounts a transit engine with one key.
    pub async fn transit(&self, engine: &str, key: &str) {
        let mount = json!({"type": "transit"});
        self.write(&format!("sys/mounts/{engine}"), &mount).await;
        self.write(&format!("{engine}/keys/{key}"), &json!({}))
            .await;
    }

    /// A policy that lets its holders write to some paths.
    pub async fn policy(&self, name: &str, paths: &[&str]) {
        let rules = paths
            .iter()
            .map(|path| format!("path \"{path}\" {{ capabilities = [\"update\"] }}\n"));
        let policy = json!({"policy": rules.collect::<String>()});
        self.write(&format!("sys/policies/acl/{name}"), &policy)
            .await;
    }

    /// A token with a policy, and nothing else.
    pub async fn token(&self, policy: &str) -> String {
        let wanted = json!({"policies": [policy], "no_default_policy": true});
        let made = self.write("auth/token/create", &wanted).await;
        made["auth"]["client_token"].as_str().unwrap().to_owned()
    }

    /// Seals it: from then on it answers nothing but that.
    pub async fn seal(&self) {
        self.write("sys/seal", &json!({})).await;
    }

    /// Writes to a path as the root, and gives the answer; null where it is empty.
    pub async fn write(&self, path: &str, body: &Value) -> Value {
        self.ask(Method::PUT, path, Some(body)).await
    }

    /// What is below a path, as the root sees it.
    pub async fn list(&self, path: &str) -> Value {
        self.ask(Method::GET, &format!("{path}?list=true"), None)
            .await
    }

    async fn ask(&self, method: Method, path: &str, body: Option<&Value>) -> Value {
        let client = self.http.get(&Dial::default()).unwrap();
        let mut request = client
            .request(method, format!("{}/v1/{path}", self.address))
            .header("X-Vault-Token", Self::ROOT);
        if let Some(body) = body {
            request = request.body(body.to_string());
        }
        let response = request.send().await.unwrap();
        let status = response.status();
        let text = response.text().await.unwrap();
        assert!(
            status.is_success(),
            "{path}: {status}: {text}{}",
            self.process.log_tail()
        );
        serde_json::from_str(&text).unwrap_or_default()
    }
}
