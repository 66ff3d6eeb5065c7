//! Vault logins of service accounts. Vault checks a token through the API server of the test, or
//! checks its signature with the API server's keys.

use std::sync::Arc;
use std::thread::available_parallelism;

use k8s_openapi::api::authentication::v1::{TokenRequest, TokenRequestSpec};
use k8s_openapi::api::core::v1::ServiceAccount;
use serde_json::{Value, json};
use sluice_dial::{Dial, HttpClients, Sensitive};
use sluice_sops::keys::Keyring;
use sluice_sops::keys::vault::{Client, StaticToken, Transit};
use sluice_sops::{DataKey, Format, KeyType, MasterKey, Recipient};
use sluice_testkit::kube::Api;
use sluice_testkit::kube::api::PostParams;
use sluice_testkit::{Vault, wait};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Mutex;
use tokio::task::JoinHandle;

use crate::bed::{Bed, config};
use crate::decryption::{of_data, sealed};
use crate::remote::{OBJECT_LEVEL, decoded, field, kubeconfig};

const PASSWORD: &str = "canary-of-vault";

/// A Vault server with the key `sops/key` and a login method for service accounts.
struct Server {
    vault: Vault,
    namespace: String,
    /// Mount path of its login method.
    method: &'static str,
}

/// Mount path of the method that checks signatures.
const SIGNATURES: &str = "jwt";

impl Server {
    async fn start(bed: &Bed, method: &'static str) -> Self {
        let (server, authority) = api_server(bed);
        let config = json!({
            "kubernetes_host": server,
            "kubernetes_ca_cert": authority,
            "token_reviewer_jwt": reviewer(bed).await,
        });
        Self::with(bed, method, "kubernetes", &config).await
    }

    /// Starts a server that checks signatures with keys fetched from the API server.
    async fn checking(bed: &Bed) -> Self {
        let (server, authority) = api_server(bed);
        publish_keys(bed).await;
        let config = json!({
            "jwks_url": format!("{server}/openid/v1/jwks"),
            "jwks_ca_pem": authority,
            "bound_issuer": "https://kubernetes.default.svc",
        });
        Self::with(bed, SIGNATURES, "jwt", &config).await
    }

    async fn with(bed: &Bed, method: &'static str, kind: &str, config: &Value) -> Self {
        let vault = Vault::start().await;
        vault.transit("sops", "key").await;
        vault
            .write(&format!("sys/auth/{method}"), &json!({"type": kind}))
            .await;
        vault.write(&format!("auth/{method}/config"), config).await;
        Self {
            vault,
            namespace: bed.namespace.clone(),
            method,
        }
    }

    /// Its entry in the config map of Vault servers.
    fn instance(&self) -> String {
        format!(
            "- {{address: '{}', loginPath: auth/{}/login}}\n",
            self.vault.address(),
            self.method
        )
    }

    /// Creates the login role of an account and returns its name. The role's policy has the same
    /// name and does not exist yet.
    async fn create_role(&self, account: &str) -> String {
        self.bind(account, account).await
    }

    /// Creates a role for an account of another name.
    async fn bind(&self, role: &str, account: &str) -> String {
        let role = format!("{}_{role}", self.namespace);
        let bound = if self.method == SIGNATURES {
            json!({
                "role_type": "jwt",
                "user_claim": "sub",
                "bound_subject": format!("system:serviceaccount:{}:{account}", self.namespace),
                "bound_audiences": [self.vault.address()],
                "token_policies": [role],
            })
        } else {
            json!({
                "bound_service_account_names": [account],
                "bound_service_account_namespaces": [self.namespace],
                "audience": self.vault.address(),
                "token_policies": [role],
            })
        };
        let path = format!("auth/{}/role/{role}", self.method);
        self.vault.write(&path, &bound).await;
        role
    }

    /// Lets a role decrypt with the key.
    async fn permit(&self, role: &str) {
        self.vault.policy(role, &["sops/decrypt/key"]).await;
    }

    /// The role of each login so far.
    async fn logins(&self) -> Vec<String> {
        let listed = self.vault.list("auth/token/accessors").await;
        let mut roles = Vec::new();
        for accessor in listed["data"]["keys"].as_array().unwrap() {
            let wanted = json!({"accessor": accessor});
            let token = self.vault.write("auth/token/lookup-accessor", &wanted);
            let token = token.await["data"].take();
            if token["path"] == format!("auth/{}/login", self.method) {
                roles.push(token["meta"]["role"].as_str().unwrap().to_owned());
            }
        }
        roles
    }

    /// A Secret that is encrypted with the key.
    async fn encrypted(&self, name: &str) -> String {
        let client = Client::new(Arc::new(HttpClients::new("test")), Dial::default());
        let author = Arc::new(StaticToken(Sensitive::from(Vault::ROOT)));
        let transit = Arc::new(Transit::new(client, author));
        let keyring = Keyring::default().with(KeyType::Vault, transit);
        let recipient = Recipient::Vault {
            address: self.vault.address().to_owned(),
            engine: "sops".to_owned(),
            key: "key".to_owned(),
        };
        let key = DataKey::generate();
        let groups = [vec![recipient]];
        let groups = keyring
            .wrap_data_key(&key, &groups, 0, "2026-01-01T00:00:00Z")
            .await
            .unwrap();
        let text = format!(
            "apiVersion: v1\nkind: Secret\nmetadata: {{name: {name}, namespace: {}}}\nstringData: {{password: {PASSWORD}}}\n",
            self.namespace
        );
        sealed(&text, Format::Yaml, of_data(), &key, groups)
    }
}

/// Address and certificate authority of the API server.
fn api_server(bed: &Bed) -> (String, String) {
    let kubeconfig = kubeconfig(bed, &bed.user);
    let authority = decoded(field(&kubeconfig, "certificate-authority-data"));
    let server = field(&kubeconfig, "server").to_owned();
    (server, String::from_utf8(authority).unwrap())
}

/// Makes the keys that verify tokens public.
async fn publish_keys(bed: &Bed) {
    bed.apply(&json!({
        "apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRoleBinding",
        "metadata": {"name": format!("{}-keys", bed.namespace)},
        "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "system:service-account-issuer-discovery"},
        "subjects": [{"kind": "Group", "apiGroup": "rbac.authorization.k8s.io", "name": "system:unauthenticated"}],
    }))
    .await;
}

/// Returns a token for the token review API.
async fn reviewer(bed: &Bed) -> String {
    bed.account("reviewer").await;
    bed.apply(&json!({
        "apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRoleBinding",
        "metadata": {"name": format!("{}-reviewer", bed.namespace)},
        "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "system:auth-delegator"},
        "subjects": [{"kind": "ServiceAccount", "name": "reviewer", "namespace": bed.namespace}],
    }))
    .await;
    let accounts: Api<ServiceAccount> =
        Api::namespaced(bed.cluster.client().clone(), &bed.namespace);
    let request = TokenRequest {
        spec: Some(TokenRequestSpec::default()),
        ..TokenRequest::default()
    };
    let made = accounts
        .create_token_request("reviewer", &PostParams::default(), &request)
        .await;
    made.unwrap().status.unwrap().token.unwrap()
}

/// Writes the config map of Vault servers.
async fn list_servers(bed: &Bed, servers: &[&Server]) {
    let instances: String = servers.iter().map(|server| server.instance()).collect();
    let config = format!("instances:\n{instances}");
    bed.apply(
        &json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "servers"},
        "data": {"config.yaml": config}}),
    )
    .await;
}

/// A bed with a listed Vault server and an artifact with a Secret for it.
async fn prepared(flags: &[&str]) -> (Bed, Server) {
    let mut all = vec!["--sops-vault-configmap=servers", OBJECT_LEVEL];
    all.extend(flags);
    let bed = Bed::start(&all).await;
    let server = Server::start(&bed, "kubernetes").await;
    list_servers(&bed, &[&server]).await;
    let secret = server.encrypted("s").await;
    bed.publish("1", &[("s.yaml", &secret)]).await;
    (bed, server)
}

fn as_account(name: &str) -> Value {
    json!({"decryption": {"provider": "sops", "serviceAccountName": name}})
}

/// Whether a Secret has the password; `None` if it does not exist.
async fn opened(bed: &Bed, name: &str) -> Option<bool> {
    let gvk = sluice_client::GroupVersionKind::gvk("", "v1", "Secret");
    let encoded = json!(k8s_openapi::ByteString(PASSWORD.as_bytes().to_vec()));
    Some(bed.get(&gvk, name).await?["data"]["password"] == encoded)
}

/// Asserts that a message is one line without tokens of Kubernetes or Vault.
fn assert_clean(message: &str) {
    assert!(
        !message.contains("eyJ") && !message.contains("hvs.") && message.lines().count() == 1,
        "{message}"
    );
}

#[tokio::test]
async fn object_account_logs_in_and_decrypts() {
    let (bed, server) = prepared(&[]).await;
    bed.account("decryptor").await;
    let role = server.create_role("decryptor").await;
    bed.kustomization("app", as_account("decryptor")).await;
    let message = bed.until_failed("app", "BuildFailed").await;
    assert!(message.contains("permission denied"), "{message}");
    assert_clean(&message);
    assert_eq!(opened(&bed, "s").await, None);

    server.permit(&role).await;
    bed.request("app", "now permitted").await;
    bed.until_applied("app", "1").await;
    assert_eq!(opened(&bed, "s").await, Some(true));
    let logins = server.logins().await;
    assert!(
        !logins.is_empty() && logins.iter().all(|login| *login == role),
        "{logins:?}"
    );
    let counted = format!(
        r#"gotk_token_cache_events_total{{event_type="cache_hit",kind="Kustomization",name="app",namespace="{}",operation="decrypt_with_vault"}}"#,
        bed.namespace
    );
    assert!(bed.metrics().contains(&counted), "{}", bed.metrics());
}

#[tokio::test]
async fn default_account_logs_in_without_own_account() {
    let (bed, server) = prepared(&["--default-decryption-service-account=usual"]).await;
    let role = server.create_role("usual").await;
    server.permit(&role).await;
    bed.account("usual").await;
    bed.kustomization("app", json!({"decryption": {"provider": "sops"}}))
        .await;
    bed.until_applied("app", "1").await;
    assert_eq!(server.logins().await, [role]);
}

#[tokio::test]
async fn login_failure_names_account_and_server_answer() {
    let (bed, server) = prepared(&[]).await;
    bed.kustomization("app", as_account("stranger")).await;
    let message = bed.until_failed("app", "BuildFailed").await;
    let account = format!("service account '{}/stranger'", bed.namespace);
    assert!(message.contains(&account), "{message}");

    bed.account("stranger").await;
    let refused = async |request: &str| {
        bed.request("app", request).await;
        let status = bed.until_handled("app", request).await;
        let message = status.conditions.find("Ready").unwrap().message.clone();
        let lead = format!(
            "failed to authenticate with Vault '{}' at login path 'auth/kubernetes/login' as role '{}_stranger': \
             the server answered ",
            server.vault.address(),
            bed.namespace
        );
        assert_clean(&message);
        let (_, answer) = message
            .split_once(&lead)
            .unwrap_or_else(|| panic!("{message}"));
        answer.to_owned()
    };
    let answer = refused("the account is there").await;
    assert!(
        answer.starts_with("400 Bad Request: invalid role name"),
        "{answer}"
    );
    server.bind("stranger", "friend").await;
    let answer = refused("the role is of another account").await;
    assert!(answer.starts_with("403 Forbidden: "), "{answer}");
    assert!(server.logins().await.is_empty());

    server.vault.seal().await;
    let answer = refused("the server is sealed").await;
    assert!(
        answer.starts_with("503 Service Unavailable: Vault is sealed"),
        "{answer}"
    );
    assert_eq!(opened(&bed, "s").await, None);
}

#[tokio::test]
async fn revoked_token_leaves_decrypted_objects() {
    let bed = Bed::start(&[]).await;
    let server = Server::start(&bed, "kubernetes").await;
    server.permit("decrypts").await;
    let token = server.vault.token("decrypts").await;
    bed.publish("1", &[("s.yaml", &server.encrypted("s").await)])
        .await;
    bed.secret("keys", json!({"sops.vault-token": token}), false)
        .await;
    let spec = json!({"decryption": {"provider": "sops", "secretRef": {"name": "keys"}}});
    bed.kustomization("app", spec).await;
    bed.until_applied("app", "1").await;
    assert_eq!(opened(&bed, "s").await, Some(true));

    let revoked = json!({"token": token});
    server.vault.write("auth/token/revoke", &revoked).await;
    bed.request("app", "with the revoked token").await;
    let message = bed.until_failed("app", "BuildFailed").await;
    let key = format!("hc_vault {}/v1/sops/keys/key", server.vault.address());
    assert!(
        message.contains(&key) && message.contains("permission denied"),
        "{message}"
    );
    assert_clean(&message);
    assert_eq!(opened(&bed, "s").await, Some(true), "unchanged");
}

#[tokio::test]
async fn environment_token_is_used_without_object_token() {
    let own = format!("--vault-token={}", Vault::ROOT);
    let bed = Bed::start(&[&own]).await;
    let server = Server::start(&bed, "kubernetes").await;
    bed.publish("1", &[("s.yaml", &server.encrypted("s").await)])
        .await;
    bed.kustomization("app", json!({"decryption": {"provider": "sops"}}))
        .await;
    bed.until_applied("app", "1").await;
    assert_eq!(opened(&bed, "s").await, Some(true));

    let invalid = json!({"sops.vault-token": "hvs.nobody"});
    bed.secret("keys", invalid, false).await;
    let spec = json!({"decryption": {"provider": "sops", "secretRef": {"name": "keys"}}});
    bed.kustomization("app", spec).await;
    let message = bed.until_failed("app", "BuildFailed").await;
    assert!(message.contains("permission denied"), "{message}");
    assert_clean(&message);
}

#[tokio::test]
async fn account_logs_in_at_each_listed_server() {
    let bed = Bed::start(&["--sops-vault-configmap=servers", OBJECT_LEVEL]).await;
    let one = Server::start(&bed, "kubernetes").await;
    let two = Server::start(&bed, "elsewhere").await;
    list_servers(&bed, &[&one, &two]).await;
    bed.account("decryptor").await;
    let role = format!("{}_decryptor", bed.namespace);
    for server in [&one, &two] {
        server.create_role("decryptor").await;
        server.permit(&role).await;
    }
    let files = [one.encrypted("s").await, two.encrypted("t").await];
    bed.publish("1", &[("s.yaml", &files[0]), ("t.yaml", &files[1])])
        .await;
    bed.kustomization("app", as_account("decryptor")).await;
    bed.until_applied("app", "1").await;
    for name in ["s", "t"] {
        assert_eq!(opened(&bed, name).await, Some(true), "{name}");
    }
    assert_eq!(one.logins().await, [role.as_str()]);
    assert_eq!(two.logins().await, [role]);
}

#[tokio::test]
async fn signature_check_admits_account_of_role_only() {
    let bed = Bed::start(&["--sops-vault-configmap=servers", OBJECT_LEVEL]).await;
    let server = Server::checking(&bed).await;
    list_servers(&bed, &[&server]).await;
    bed.publish("1", &[("s.yaml", &server.encrypted("s").await)])
        .await;
    bed.account("decryptor").await;
    let role = server.bind("decryptor", "friend").await;
    server.permit(&role).await;
    bed.kustomization("app", as_account("decryptor")).await;
    let message = bed.until_failed("app", "BuildFailed").await;
    let lead = format!(
        "failed to authenticate with Vault '{}' at login path 'auth/jwt/login' as role '{role}': the server answered ",
        server.vault.address()
    );
    assert!(
        message.contains(&lead) && message.contains("invalid subject (sub) claim"),
        "{message}"
    );
    assert_clean(&message);

    server.create_role("decryptor").await;
    bed.request("app", "the role is the account's").await;
    bed.until_applied("app", "1").await;
    assert_eq!(opened(&bed, "s").await, Some(true));
    assert_eq!(server.logins().await, [role]);
}

/// A server that accepts connections and never answers. Dropping it closes them.
struct HangingServer {
    address: String,
    held: Arc<Mutex<Vec<TcpStream>>>,
    accepting: JoinHandle<()>,
}

impl Drop for HangingServer {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

impl HangingServer {
    async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let held = Arc::<Mutex<Vec<_>>>::default();
        let holding = Arc::clone(&held);
        let accepting = tokio::spawn(async move {
            loop {
                let (connection, _) = listener.accept().await.unwrap();
                holding.lock().await.push(connection);
            }
        });
        Self {
            address,
            held,
            accepting,
        }
    }

    /// A Secret whose key only this server can unwrap.
    fn encrypted(&self, namespace: &str) -> String {
        let key = MasterKey {
            recipient: Recipient::Vault {
                address: self.address.clone(),
                engine: "sops".to_owned(),
                key: "key".to_owned(),
            },
            wrapped: "vault:v1:AAAA".to_owned(),
            created_at: Some("2026-01-01T00:00:00Z".to_owned()),
        };
        let text = format!(
            "apiVersion: v1\nkind: Secret\nmetadata: {{name: s, namespace: {namespace}}}\nstringData: {{a: b}}\n"
        );
        let groups = vec![vec![key]];
        sealed(&text, Format::Yaml, of_data(), &DataKey::generate(), groups)
    }
}

#[tokio::test]
async fn hanging_server_blocks_no_core_and_no_worker() {
    let (bed, server) = (
        Bed::start(&["--concurrent=2"]).await,
        HangingServer::start().await,
    );
    let secret = server.encrypted(&bed.namespace);
    let own = config("a", "1");
    let files = [("slow/s.yaml", secret.as_str()), ("quick/a.yaml", &own)];
    bed.publish("1", &files).await;
    let token = json!({"sops.vault-token": "root"});
    bed.secret("keys", token, false).await;
    // More than the number of cores and of workers.
    let count = available_parallelism().unwrap().get() + 2;
    let names: Vec<String> = (0..count).map(|index| format!("slow-{index}")).collect();
    for name in &names {
        let spec = json!({"path": "slow", "decryption": {"provider": "sops", "secretRef": {"name": "keys"}}});
        bed.kustomization(name, spec).await;
    }
    wait::eventually("all objects wait for the server", || async {
        match server.held.lock().await.len() {
            held if held < count => Err(format!("{held} of {count} do")),
            _ => Ok(()),
        }
    })
    .await;
    bed.kustomization("quick", json!({"path": "quick"})).await;
    bed.until_applied("quick", "1").await;
    for name in &names {
        let object = bed.kustomizations().get(name).await.unwrap();
        let conditions = object.status.unwrap_or_default().conditions;
        assert!(
            !conditions.is_false("Ready"),
            "{name} waits: {conditions:?}"
        );
    }
}
