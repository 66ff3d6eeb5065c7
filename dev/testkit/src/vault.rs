//! Vault on loopback, in memory: transit engine, Kubernetes and JWT logins.

use http::Method;
use serde_json::{Value, json};
use sluice_devcluster::Tool;
use sluice_devcluster::process::{Process, Program};
use sluice_dial::{Dial, HttpClients};
use sluice_system::fs;

use crate::{testbed, wait};

/// A running, unsealed server; dropping it stops it and removes its data.
#[derive(Debug)]
pub struct Vault {
    process: Process,
    _directory: tempfile::TempDir,
    address: String,
    http: HttpClients,
}

impl Vault {
    /// The root token.
    pub const ROOT: &str = "root-of-vault";

    /// Starts an empty server, building it first if necessary.
    pub async fn start() -> Self {
        drop(rustls::crypto::aws_lc_rs::default_provider().install_default());
        let binary = testbed::tool(Tool::Vault).await;
        let directory = tempfile::tempdir().unwrap();
        let address_file = directory.path().join("address");
        let mut process = Program::new("vault", binary)
            .argument(&address_file)
            .variable("VAULT_DEV_ROOT_TOKEN_ID", Self::ROOT)
            .start(&directory.path().join("vault.log"))
            .unwrap_or_else(|error| panic!("{error}"));
        let address = wait::eventually("the vault says where it listens", || {
            process.check().unwrap_or_else(|error| panic!("{error}"));
            let address = fs::read_to_string(&address_file).map_err(|error| error.to_string());
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

    /// Its URL, as documents contain it.
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

    /// Creates a policy that permits writes to some paths.
    pub async fn policy(&self, name: &str, paths: &[&str]) {
        let rules = paths
            .iter()
            .map(|path| format!("path \"{path}\" {{ capabilities = [\"update\"] }}\n"));
        let policy = json!({"policy": rules.collect::<String>()});
        self.write(&format!("sys/policies/acl/{name}"), &policy)
            .await;
    }

    /// Creates a token with only this policy.
    pub async fn token(&self, policy: &str) -> String {
        let wanted = json!({"policies": [policy], "no_default_policy": true});
        let made = self.write("auth/token/create", &wanted).await;
        made["auth"]["client_token"].as_str().unwrap().to_owned()
    }

    /// Seals it: all later requests fail.
    pub async fn seal(&self) {
        self.write("sys/seal", &json!({})).await;
    }

    /// Writes to a path as root and returns the answer; null if it is empty.
    pub async fn write(&self, path: &str, body: &Value) -> Value {
        self.ask(Method::PUT, path, Some(body)).await
    }

    /// Lists a path as root.
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
