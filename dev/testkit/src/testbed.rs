//! One control plane for all tests of a process, with our custom resources installed.

use std::ops::Deref;
use std::path::PathBuf;
use std::sync::Arc;

use k8s_openapi::ByteString;
use k8s_openapi::api::authorization::v1::SubjectAccessReview;
use k8s_openapi::api::core::v1::{Namespace, Secret, ServiceAccount};
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kube::Api;
use kube::api::{ObjectMeta, PostParams};
use kube::config::{KubeConfigOptions, Kubeconfig};
use serde_json::{Value, json};
use sluice_client::{Cluster, Config};
use sluice_devcluster::{Audit, ControlPlane, Options, Tool, Toolbox};
use sluice_system::fs;
use tokio::sync::OnceCell;

use crate::audit::AuditLog;
use crate::{polls, wait};

/// Never dropped: the control plane ends with the process.
static SHARED: OnceCell<Testbed> = OnceCell::const_new();

/// A control plane and its clients.
#[derive(Debug)]
pub struct Testbed {
    plane: ControlPlane,
}

/// The test bed of a test. An own test bed ends with its last handle, to free resources for other
/// tests.
#[derive(Debug, Clone)]
pub enum Bed {
    /// Shared by all tests of this process.
    Shared(&'static Testbed),
    /// Used by this test alone.
    Own(Arc<Testbed>),
}

impl Bed {
    /// Starts a control plane for one test alone.
    pub async fn own() -> Self {
        Self::Own(Arc::new(Testbed::start().await))
    }
}

impl Deref for Bed {
    type Target = Testbed;

    fn deref(&self) -> &Testbed {
        match self {
            Self::Shared(bed) => bed,
            Self::Own(bed) => bed,
        }
    }
}

/// Returns the control plane of this process and starts it first if necessary.
///
/// Each test works in its own namespaces ([`Testbed::namespace`]). Objects without a namespace need
/// a unique name ([`Testbed::name`]).
pub async fn cluster() -> &'static Testbed {
    SHARED.get_or_init(Testbed::start).await
}

/// Returns a toolbox that prints its builds on stderr, because a build takes minutes.
#[expect(clippy::print_stderr, reason = "reports a build that takes minutes")]
pub(crate) fn toolbox() -> Toolbox {
    Toolbox::from_environment()
        .expect("a directory for built tools")
        .on_progress(|progress| eprintln!("{progress}"))
}

/// Returns the path of a pinned tool, building it first if necessary.
pub async fn tool(tool: Tool) -> PathBuf {
    toolbox()
        .path(tool)
        .await
        .unwrap_or_else(|error| panic!("{error}"))
}

impl Testbed {
    /// Starts a control plane for one test alone, which counts all requests or breaks the control
    /// plane.
    pub async fn start() -> Self {
        Self::start_with(|_| {}).await
    }

    /// Starts a control plane with changed options.
    pub async fn start_with(change: impl FnOnce(&mut Options)) -> Self {
        polls::limit();
        let mut options = Options {
            audit: Audit::Metadata,
            ..Options::new(toolbox())
        };
        change(&mut options);
        let plane = ControlPlane::start(options)
            .await
            .unwrap_or_else(|error| panic!("start a control plane: {error}"));
        let testbed = Self { plane };
        testbed.install_definitions().await;
        testbed
    }

    /// The control plane itself.
    pub fn plane(&self) -> &ControlPlane {
        &self.plane
    }

    /// Waits until the server permits a user's request, because RBAC changes take effect with a
    /// delay. `attributes` are those of a `SubjectAccessReview`.
    pub async fn until_allowed(&self, user: &str, attributes: Value) {
        let spec = json!({ "user": user, "resourceAttributes": attributes });
        let review = json!({ "metadata": {}, "spec": spec });
        let review: SubjectAccessReview = serde_json::from_value(review).unwrap();
        let reviews: Api<SubjectAccessReview> = Api::all(self.client().await);
        wait::eventually("the server knows of the rights", async || {
            let answer = reviews.create(&PostParams::default(), &review).await;
            match answer.unwrap().status {
                Some(status) if status.allowed => Ok(()),
                status => Err(format!("{status:?}")),
            }
        })
        .await;
    }

    /// A `kube` client with the administrator's rights, bound to the runtime of the calling test.
    pub async fn client(&self) -> kube::Client {
        self.plane
            .client()
            .await
            .unwrap_or_else(|error| panic!("make a client: {error}"))
    }

    /// Our own client with the administrator's rights, bound to the runtime of the calling test.
    pub async fn connect(&self) -> Cluster {
        let options = sluice_client::Options::new("sluice-test");
        Cluster::connect(self.config().await, options)
            .unwrap_or_else(|error| panic!("connect to the test bed: {error}"))
    }

    /// The administrator's connection settings.
    pub async fn config(&self) -> Config {
        config_of(&fs::read_to_string(self.plane.kubeconfig()).unwrap()).await
    }

    /// The administrator's kubeconfig.
    pub fn kubeconfig(&self) -> PathBuf {
        self.plane.kubeconfig().to_owned()
    }

    /// Writes a kubeconfig for a separate administrator, so that the audit log distinguishes its
    /// requests from those of the test.
    pub fn kubeconfig_for(&self, user: &str) -> PathBuf {
        self.kubeconfig_in_group(user, Some("system:masters"))
    }

    /// Writes a kubeconfig for a user in at most one group; RBAC limits its rights.
    pub fn kubeconfig_in_group(&self, user: &str, group: Option<&str>) -> PathBuf {
        let text = self.plane.kubeconfig_for(user, group).unwrap();
        let path = self
            .plane
            .state()
            .join(format!("{}.kubeconfig", self.name("user")));
        fs::write(&path, text).unwrap();
        path
    }

    /// The audit log of the API server.
    pub fn audit(&self) -> AuditLog {
        AuditLog::at(
            self.plane
                .audit_log()
                .expect("the test bed keeps an audit log"),
        )
    }

    /// Returns a unique name with a prefix.
    pub fn name(&self, prefix: &str) -> String {
        let suffix: String = std::iter::repeat_with(|| fastrand::char('a'..='z'))
            .take(8)
            .collect();
        format!("{prefix}-{suffix}")
    }

    /// Creates a namespace for pods, with a unique name.
    ///
    /// It is not deleted: the control plane ends with the tests, and leftovers help to explain a
    /// failure.
    pub async fn namespace(&self, prefix: &str) -> String {
        let name = self.name(prefix);
        self.namespace_called(&name).await;
        name
    }

    /// Creates a namespace with a fixed name, for content that must be equal in all runs.
    pub async fn namespace_called(&self, name: &str) {
        let client = self.client().await;
        let namespaces: Api<Namespace> = Api::all(client.clone());
        let namespace = Namespace {
            metadata: ObjectMeta {
                name: Some(name.to_owned()),
                ..Default::default()
            },
            ..Default::default()
        };
        namespaces
            .create(&PostParams::default(), &namespace)
            .await
            .unwrap_or_else(|error| panic!("create namespace {name}: {error}"));
        let accounts: Api<ServiceAccount> = Api::namespaced(client, name);
        wait::exists(&accounts, "default").await;
    }

    /// Creates a Secret. Without a type it is `Opaque`.
    pub async fn secret(
        &self,
        namespace: &str,
        name: &str,
        type_: Option<&str>,
        entries: &[(&str, &[u8])],
    ) {
        let entry = |(key, value): &(&str, &[u8])| ((*key).to_owned(), ByteString(value.to_vec()));
        let secret = Secret {
            metadata: ObjectMeta {
                name: Some(name.to_owned()),
                ..ObjectMeta::default()
            },
            type_: type_.map(str::to_owned),
            data: Some(entries.iter().map(entry).collect()),
            ..Secret::default()
        };
        let api: Api<Secret> = Api::namespaced(self.client().await, namespace);
        api.create(&PostParams::default(), &secret).await.unwrap();
    }

    async fn install_definitions(&self) {
        let client = self.client().await;
        let definitions: Api<CustomResourceDefinition> = Api::all(client);
        let mut names = Vec::new();
        for (component, generated) in sluice_api::crds::generate() {
            for definition in generated {
                let definition: CustomResourceDefinition = serde_json::from_value(definition)
                    .unwrap_or_else(|error| panic!("read a definition of {component}: {error}"));
                let name = definition
                    .metadata
                    .name
                    .clone()
                    .expect("a definition has a name");
                match definitions
                    .create(&PostParams::default(), &definition)
                    .await
                {
                    Ok(_) => names.push(name),
                    Err(error) => panic!("create definition {name}: {error}"),
                }
            }
        }
        for name in names {
            wait::until(&definitions, &name, "is established", |definition| {
                let status = definition.and_then(|definition| definition.status.as_ref());
                status
                    .and_then(|status| status.conditions.as_ref())
                    .is_some_and(|conditions| {
                        conditions.iter().any(|condition| {
                            condition.type_ == "Established" && condition.status == "True"
                        })
                    })
            })
            .await;
        }
    }
}

/// Reads connection settings from a kubeconfig and ignores proxies of the environment.
pub(crate) async fn config_of(kubeconfig: &str) -> Config {
    let kubeconfig = Kubeconfig::from_yaml(kubeconfig).unwrap();
    let mut config = Config::from_custom_kubeconfig(kubeconfig, &KubeConfigOptions::default())
        .await
        .unwrap_or_else(|error| panic!("use a kubeconfig: {error}"));
    config.proxy_url = None;
    config
}
