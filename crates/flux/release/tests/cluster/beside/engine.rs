//! Runs a step with one of the engines.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;
use sluice_chart::load::{self, Limits, Links};
use sluice_chart::values::from_json;
use sluice_chart::{Chart, TemplateOptions, Values, render};
use sluice_client::{Cluster, Options, kubeconfig};
use sluice_helm::action::{
    Install, Rollback, Test, Uninstall, Upgrade, install, rollback, test, uninstall, upgrade,
};
use sluice_helm::cluster::WaitStrategy;
use sluice_helm::store::{StorageKind, Store};
use sluice_helm::{Context, Delivery, Templates};
use sluice_release::{BlockingRenderer, ClusterLookup, ObjectDriver, ReleaseCluster, capabilities};
use sluice_system::{SystemClock, fs};
use sluice_testkit::FaultProxy;
use tokio_util::sync::CancellationToken;

use super::{Engine, Step, Subject};

/// The name of each release.
const RELEASE: &str = "rel";
/// The field manager of Helm's command line.
const MANAGER: &str = "helm";
/// The time of each wait.
const TIMEOUT: Duration = Duration::from_mins(1);

/// An engine that is ready to run steps in a namespace.
pub(super) struct Runner {
    side: Side,
    namespace: String,
    subject: Subject,
}

enum Side {
    Ours(Box<Cluster>),
    Helm {
        path: PathBuf,
        kubeconfig: PathBuf,
        home: tempfile::TempDir,
    },
}

impl Runner {
    pub(super) fn new(
        engine: &Engine,
        proxy: &FaultProxy,
        namespace: &str,
        subject: &Subject,
    ) -> Self {
        let side = match engine {
            Engine::Ours => Side::Ours(Box::new(connect(proxy.kubeconfig()))),
            Engine::Helm(path) => Side::Helm {
                path: path.clone(),
                kubeconfig: proxy.kubeconfig().to_owned(),
                home: tempfile::tempdir().unwrap(),
            },
        };
        Self {
            side,
            namespace: namespace.to_owned(),
            subject: subject.clone(),
        }
    }

    /// Runs a step. The error has no prefix of the command line.
    pub(super) async fn run(&self, step: Step) -> Result<(), String> {
        match &self.side {
            Side::Ours(cluster) => Box::pin(self.ours(cluster, step)).await,
            Side::Helm {
                path,
                kubeconfig,
                home,
            } => self.helm(path, kubeconfig, home.path(), step).await,
        }
    }

    async fn ours(&self, client: &Cluster, step: Step) -> Result<(), String> {
        let clock = Arc::new(SystemClock);
        let driver = ObjectDriver::new(client.clone(), StorageKind::Secret, &*self.namespace);
        let store = Store::new(Arc::new(driver), clock.clone());
        let cluster = ReleaseCluster::new(client.clone(), MANAGER, clock);
        let context = Context {
            cluster: &cluster,
            store: &store,
            clock: &SystemClock,
            cancel: CancellationToken::new(),
        };
        let delivery = Delivery {
            wait: WaitStrategy::HookOnly,
            timeout: TIMEOUT,
            ..Delivery::default()
        };
        let subject = &self.subject;
        let done = match step {
            Step::Install => {
                let options = Install {
                    name: RELEASE.to_owned(),
                    namespace: self.namespace.clone(),
                    delivery,
                    ..Install::default()
                };
                let (chart, values) = (chart(&subject.chart)?, values(&subject.first));
                let renderer = renderer(client).await;
                let done = install(&context, chart, values, &options, &renderer);
                done.await.map(drop)
            }
            Step::Upgrade => {
                let options = Upgrade {
                    delivery,
                    ..Upgrade::default()
                };
                let (chart, values) = (chart(&subject.successor)?, values(&subject.second));
                let renderer = renderer(client).await;
                let done = upgrade(&context, RELEASE, chart, values, &options, &renderer);
                done.await.map(drop)
            }
            Step::Rollback => {
                let options = Rollback {
                    version: 1,
                    delivery,
                    ..Rollback::default()
                };
                rollback(&context, RELEASE, &options).await.map(drop)
            }
            Step::Test => {
                let options = Test {
                    timeout: TIMEOUT,
                    ..Test::default()
                };
                test(&context, RELEASE, &options).await.map(drop)
            }
            Step::Uninstall => {
                let options = Uninstall {
                    wait: WaitStrategy::HookOnly,
                    timeout: TIMEOUT,
                    ..Uninstall::default()
                };
                uninstall(&context, RELEASE, &options).await.map(drop)
            }
        };
        done.map_err(|failure| failure.to_string().trim_end().to_owned())
    }

    async fn helm(
        &self,
        path: &Path,
        kubeconfig: &Path,
        home: &Path,
        step: Step,
    ) -> Result<(), String> {
        let file = home.join("values.json");
        let values = match step {
            Step::Install => &self.subject.first,
            _ => &self.subject.second,
        };
        fs::write(&file, values.to_string()).unwrap();
        let folder = match step {
            Step::Install => self.subject.chart.to_str(),
            _ => self.subject.successor.to_str(),
        };
        let (folder, file) = (folder.unwrap(), file.to_str().unwrap());
        let words = match step {
            Step::Install => vec!["install", RELEASE, folder, "-f", file],
            Step::Upgrade => vec!["upgrade", RELEASE, folder, "-f", file],
            Step::Rollback => vec!["rollback", RELEASE, "1"],
            Step::Test => vec!["test", RELEASE],
            Step::Uninstall => vec!["uninstall", RELEASE],
        };
        #[expect(clippy::disallowed_methods, reason = "Helm is another program")]
        let mut command = tokio::process::Command::new(path);
        command.args(words).args(["--namespace", &self.namespace]);
        command.args(["--timeout", "60s"]);
        command.env("KUBECONFIG", kubeconfig).env("HOME", home);
        let ran = command.output().await.unwrap();
        if ran.status.success() {
            return Ok(());
        }
        let text = String::from_utf8_lossy(&ran.stderr);
        let error = text.rsplit("Error: ").next().unwrap_or(&text);
        let error = error
            .trim_start_matches("INSTALLATION FAILED: ")
            .trim_start_matches("UPGRADE FAILED: ");
        Err(error.trim_end().to_owned())
    }
}

/// Connects through a proxy, without the throttle of a shared client.
fn connect(path: &Path) -> Cluster {
    let text = fs::read_to_string(path).unwrap();
    let allowed = kubeconfig::AllowedFields::default();
    let loaded = kubeconfig::sanitize(&text, allowed).unwrap();
    Cluster::connect(loaded.into_config(), Options::new("sluice-test")).unwrap()
}

fn chart(folder: &Path) -> Result<Chart, String> {
    load::path(folder, Links::Anywhere, &Limits::default()).map_err(|error| error.to_string())
}

fn values(values: &Value) -> Values {
    from_json(values.as_object().cloned().unwrap_or_default())
}

async fn renderer(client: &Cluster) -> BlockingRenderer {
    let (cluster, runtime) = (client.clone(), tokio::runtime::Handle::current());
    BlockingRenderer(Templates {
        options: TemplateOptions {
            capabilities: capabilities(client).await.unwrap(),
            ..TemplateOptions::default()
        },
        lookup: Some(Arc::new(move || {
            let lookup = ClusterLookup::new(cluster.clone(), runtime.clone());
            Box::new(lookup) as Box<dyn render::Cluster>
        })),
        ..Templates::default()
    })
}
