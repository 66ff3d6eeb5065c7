//! One control plane for all tests of a process, with our custom resources installed.

use std::ops::Deref;
use std::path::PathBuf;
use std::sync::Arc;

use k8s_openapi::api::authorization::v1::SubjectAccessReview;
use k8s_openapi::api::core::v1::{Namespace, ServiceAccount};
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kube::Api;
use kube::api::PostParams;
use kube::config::{KubeConfigOptions, Kubeconfig};
use serde_json::{Value, json};
use sluice_client::{Cluster, Config};
use sluice_devcluster::{Audit, ControlPlane, Options, Tool, Toolbox};
use sluice_system::fs;
use tokio::sync::OnceCell;

use crate::audit::AuditLog;
use crate::wait;

/// Never dropped, and need not be: the control plane ends with the process, whatever ends that.
static SHARED: OnceCell<Testbed> = OnceCell::const_new();

/// A control plane and how tests reach it.
#[derive(Debug)]
pub struct Testbed {
    plane: ControlPlane,
}

/// The test bed of a test, whoever else uses it. One that is this test's own ends with the last of
/// its handles: a control plane that nobody uses any more would still take time from the others.
#[derive(Debug, Clone)]
pub enum Bed {
    /// That of all tests of this process.
    Shared(&'static Testbed),
    /// One for this test alone.
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

/// The control plane that all tests of this process share; started by the first that asks.
///
/// Each test works in namespaces of its own ([`Testbed::namespace`]); what has no namespace needs a
/// name that no other test uses ([`Testbed::name`]).
pub async fn cluster() -> &'static Testbed {
    SHARED.get_or_init(Testbed::start).await
}

/// A toolbox that says on stderr what it builds: it may take minutes, once.
#[expect(
    clippy::print_stderr,
    reason = "a build of minutes must not look like a hang"
)]
pub(crate) fn toolbox() -> Toolbox {
    Toolbox::from_environment()
        .expect("a directory for built tools")
        .on_progress(|progress| eprintln!("{progress}"))
}

/// The path of a pinned tool, built first if it must be: an oracle for differential tests, say.
pub async fn tool(tool: Tool) -> PathBuf {
    toolbox()
        .path(tool)
        .await
        .unwrap_or_else(|error| panic!("{error}"))
}

impl Testbed {
    /// Starts a control plane for one test alone: for tests that count everybody's requests, or
    /// break the control plane.
    pub async fn start() -> Self {
        Self::start_with(|_| {}).await
    }

    /// Like [`Self::start`], with other options than the usual.
    pub async fn start_with(change: impl FnOnce(&mut Options)) -> Self {
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

    /// Waits until the server knows that a user may do something: rights take a moment to be heard
    /// of where they count. `attributes` are those of a `SubjectAccessReview`.
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

    /// Writes a kubeconfig for a user of its own with every right, so that the audit log tells its
    /// requests from those of the test.
    pub fn kubeconfig_for(&self, user: &str) -> PathBuf {
        self.kubeconfig_in_group(user, Some("system:masters"))
    }

    /// Writes a kubeconfig for a user in at most one group; RBAC decides what it may do.
    pub fn kubeconfig_in_group(&self, user: &str, group: Option<&str>) -> PathBuf {
        let text = self.plane.kubeconfig_for(user, group).unwrap();
        let path = self
            .plane
            .state()
            .join(format!("{}.kubeconfig", self.name("user")));
        fs::write(&path, text).unwrap();
        path
    }

    /// What the API server was asked.
    pub fn audit(&self) -> AuditLog {
        AuditLog::at(
            self.plane
                .audit_log()
                .expect("the test bed keeps an audit log"),
        )
    }

    /// A name that nothing else uses, beginning with `prefix`.
    pub fn name(&self, prefix: &str) -> String {
        let suffix: String = std::iter::repeat_with(|| fastrand::char('a'..='z'))
            .take(8)
            .collect();
        format!("{prefix}-{suffix}")
    }

    /// Creates a namespace that pods can be created in, with a name beginning with `prefix`.
    ///
    /// It is not deleted: the control plane ends with the tests, and a failed test's leftovers are
    /// the first thing to look at.
    pub async fn namespace(&self, prefix: &str) -> String {
        let name = self.name(prefix);
        self.namespace_called(&name).await;
        name
    }

    /// The same with a name that the caller answers for: where what is made of it must not differ
    /// from one run to the next.
    pub async fn namespace_called(&self, name: &str) {
        let client = self.client().await;
        let namespaces: Api<Namespace> = Api::all(client.clone());
        let namespace = Namespace {
            metadata: kube::api::ObjectMeta {
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

/// Reads connection settings from the text of a kubeconfig, with no proxy of the environment.
pub(crate) async fn config_of(kubeconfig: &str) -> Config {
    let kubeconfig = Kubeconfig::from_yaml(kubeconfig).unwrap();
    let mut config = Config::from_custom_kubeconfig(kubeconfig, &KubeConfigOptions::default())
        .await
        .unwrap_or_else(|error| panic!("use a kubeconfig: {error}"));
    config.proxy_url = None;
    config
}
