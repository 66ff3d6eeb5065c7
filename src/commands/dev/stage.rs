//! Starts the parts of the demonstration: a cluster, a Git server and the controllers. Stops them
//! at the end, and removes what they made on a cluster of the user.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use serde_json::{Value, json};
use sluice_client::{Cluster, DeleteOptions, GroupVersionKind, ListOptions, Options, PatchOptions};
use sluice_devcluster::{ControlPlane, GitOptions, GitServer, TagServer, Toolbox};
use sluice_engine::Metrics;
use sluice_git::serve::{Change, Repository};
use sluice_host::Host;
use sluice_object::status::{Status, compute};
use sluice_system::Clock as _;
use tempfile::TempDir;
use tokio::sync::broadcast;

use super::{Args, Demo, controllers};
use crate::cluster::{Context, FIELD_MANAGER, refusal};
use crate::error::CommandError;
use crate::output::{self, Progress};
use sluice_golang::error::chain;
use sluice_insight::kinds::{Resource, by_kind};
use sluice_insight::watch::{Event, Watch, WatchTarget, each_state};

/// Namespace of the demonstration's own objects.
pub(super) const NAMESPACE: &str = crate::globals::DEFAULT_NAMESPACE;
/// Name of the repository, the GitRepository and the Kustomization.
pub(super) const NAME: &str = "demo";
/// Maximum number of notifications that wait for the demonstration.
const MAX_NOTIFICATIONS: usize = 64;
/// Maximum duration of the removal from the user's own cluster.
const REMOVAL: Duration = Duration::from_mins(2);

pub(super) struct Stage {
    pub cluster: Cluster,
    pub repository: Repository,
    pub branch: String,
    pub url: String,
    pub directory: String,
    /// Plain directory whose changes become commits.
    pub mirrored: Option<PathBuf>,
    /// Registry of the full demonstration.
    pub registry: Option<TagServer>,
    /// Passes on each notification that is shown.
    pub notifications: broadcast::Sender<String>,
    /// The user's own repository or directory.
    given: Option<PathBuf>,
    /// The definitions and the namespace that the cluster did not have before.
    made: Vec<NewObject>,
    host: Host,
    controllers: Vec<tokio::task::JoinHandle<()>>,
    _git: GitServer,
    /// `None` for the user's own cluster.
    control_plane: Option<ControlPlane>,
    state: TempDir,
}

/// A kind, a namespace and a name.
type NewObject = (GroupVersionKind, Option<&'static str>, String);

impl Stage {
    /// Starts the servers. Nothing is written to the cluster.
    pub(super) async fn set(args: &Args, context: &Context) -> Result<Self, CommandError> {
        let progress = context.progress;
        let state = private_folder("sluice-dev-")
            .map_err(|error| CommandError::user(format!("make a directory for state: {error}")))?;
        // A wrong path is reported before anything starts.
        let (repository, mirrored) = repository(args, state.path())?;
        if args.path.is_some() {
            head(&repository, &args.branch)?;
        }
        let (cluster, control_plane) = cluster(args, context).await?;
        let root = repository.path().parent().unwrap_or_else(|| Path::new("/"));
        let git = GitServer::start(GitOptions::new(root))
            .await
            .map_err(|error| CommandError::internal(chain(&error)))?;
        let name = repository
            .path()
            .file_name()
            .and_then(|name| name.to_str())
            .unwrap_or_default()
            .to_owned();
        let url = git.url(&name);
        progress.success(format!("serving {} at {url}", repository.path().display()));
        let host = Host::over(cluster.clone(), Metrics::new());
        let (notifications, _) = broadcast::channel(MAX_NOTIFICATIONS);
        let registry = match args.demo {
            Demo::Short => None,
            Demo::Full => Some(
                TagServer::start()
                    .await
                    .map_err(|error| CommandError::internal(chain(&error)))?,
            ),
        };
        Ok(Self {
            cluster,
            repository,
            branch: args.branch.clone(),
            url,
            directory: args.directory.clone(),
            mirrored,
            registry,
            notifications,
            given: args.path.clone(),
            made: Vec::new(),
            host,
            controllers: Vec::new(),
            _git: git,
            control_plane,
            state,
        })
    }

    /// Installs the definitions and starts the controllers.
    pub(super) async fn open(&mut self, context: &Context) -> Result<(), CommandError> {
        self.definitions().await?;
        let show = controllers::show_in(context, self.notifications.clone());
        let state = self.state.path();
        self.controllers = controllers::start(&self.host, state, context.progress, show)?;
        Ok(())
    }

    /// Installs our CRDs, and waits until they are served.
    async fn definitions(&mut self) -> Result<(), CommandError> {
        let gvk = sluice_insight::kinds::definition();
        for (_, text) in sluice_api::COMPONENT_CRDS {
            for mut definition in sluice_yaml::v2::documents(text)
                .map_err(|error| CommandError::internal(error.to_string()))?
            {
                // `uninstall` finds definitions by this label.
                definition["metadata"]["labels"]["app.kubernetes.io/part-of"] = json!("flux");
                self.make(&gvk, &definition).await?;
                let name = definition["metadata"]["name"].as_str().unwrap_or_default();
                established(&self.cluster, &gvk, name).await?;
            }
        }
        self.cluster.invalidate_discovery();
        let namespace = json!({
            "apiVersion": "v1", "kind": "Namespace", "metadata": { "name": NAMESPACE },
        });
        self.make(&namespaces(), &namespace).await
    }

    /// Applies an object without a namespace, and notes whether it is new.
    async fn make(&mut self, gvk: &GroupVersionKind, object: &Value) -> Result<(), CommandError> {
        let name = object["metadata"]["name"].as_str().unwrap_or_default();
        let found = self.cluster.get(gvk, None, name).await;
        if found.map_err(|error| refusal(&error))?.is_none() {
            self.made.push((gvk.clone(), None, name.to_owned()));
        }
        apply(&self.cluster, gvk, None, object).await
    }

    /// Returns the deletion policy of the Kustomization, if it is not the default. On the user's
    /// own cluster, objects of the user's own repository may be older than this command.
    pub(super) fn deletion_policy(&self) -> Option<&'static str> {
        match (&self.control_plane, &self.given) {
            (Some(_), _) => None,
            (None, Some(_)) => Some("Orphan"),
            (None, None) => Some("WaitForTermination"),
        }
    }

    /// Stops the controllers, then the servers that they use. On the user's own cluster, the
    /// objects are removed first, because the controllers remove what they applied.
    pub(super) async fn strike(
        self,
        context: &Context,
        is_interrupted: bool,
    ) -> Result<(), CommandError> {
        let progress = context.progress;
        let removed = match self.control_plane {
            Some(_) => Ok(()),
            None => self.clear(progress).await,
        };
        self.host.shutdown().cancel();
        for controller in self.controllers {
            drop(controller.await);
        }
        if is_interrupted {
            let plane = self.control_plane.map_or("", |_| ", the control plane");
            progress.success(format!("stopped the controllers{plane} and the Git server"));
        }
        removed
    }

    /// Removes the objects that this command made on the user's own cluster.
    async fn clear(&self, progress: Progress) -> Result<(), CommandError> {
        progress.action("removing what this command made on the cluster");
        let own = |gvk| (gvk, Some(NAMESPACE), NAME.to_owned());
        let removal = async {
            self.remove(&[own(kustomization()?.gvk())]).await?;
            self.remove(&[own(source()?.gvk())]).await?;
            match self.given {
                Some(_) => Ok(()),
                None => self.remove(&self.made).await,
            }
        };
        let removed = tokio::time::timeout(REMOVAL, removal).await;
        let removed = removed.unwrap_or_else(|_| {
            let limit = seconds(REMOVAL);
            Err(CommandError::cluster(format!(
                "the cluster did not remove the objects within {limit}"
            )))
        });
        removed.map_err(|error| {
            error.hint("run `sluice uninstall`: it removes all objects of Flux and their CRDs")
        })?;
        match &self.given {
            Some(path) => progress.warning(format!(
                "the objects of {}, the namespace {NAMESPACE} and the CRDs stay on the cluster; \
                 `sluice uninstall` removes the namespace, the CRDs and their objects",
                path.display()
            )),
            None => progress.success("removed all that this command made on the cluster"),
        }
        Ok(())
    }

    /// Deletes objects, and waits until they are gone.
    async fn remove(&self, objects: &[NewObject]) -> Result<(), CommandError> {
        for (gvk, namespace, name) in objects {
            let options = DeleteOptions::default();
            match self.cluster.delete(gvk, *namespace, name, &options).await {
                Err(error) if !error.has_no_match() => return Err(refusal(&error)),
                _ => {}
            }
        }
        for object in objects {
            self.wait_gone(object).await?;
        }
        Ok(())
    }

    /// Waits until an object is gone.
    async fn wait_gone(&self, (gvk, namespace, name): &NewObject) -> Result<(), CommandError> {
        match self.cluster.get(gvk, *namespace, name).await {
            Ok(Some(_)) => {}
            Ok(None) => return Ok(()),
            Err(error) if error.has_no_match() => return Ok(()),
            Err(error) => return Err(refusal(&error)),
        }
        let which = WatchTarget {
            namespace: *namespace,
            name: Some(name),
            ..WatchTarget::default()
        };
        let mut is_there = false;
        let watch = Watch::new(&self.cluster, gvk.clone(), which);
        watch
            .each(|event| {
                is_there |= matches!(event, Event::Is(_));
                let is_gone = match event {
                    Event::Gone(_) => true,
                    Event::Synced => !is_there,
                    Event::Is(_) => false,
                };
                Ok(is_gone.then_some(()))
            })
            .await
    }
}

fn namespaces() -> GroupVersionKind {
    GroupVersionKind::gvk("", "v1", "Namespace")
}

/// Refuses a cluster where other controllers act on the same objects. The demonstration needs the
/// namespace `demo`, and removes it at the end.
async fn ensure_unused(args: &Args, cluster: &Cluster) -> Result<(), CommandError> {
    let deployments = GroupVersionKind::gvk("apps", "v1", "Deployment");
    let controllers = ListOptions {
        labels: Some("app.kubernetes.io/part-of=flux".into()),
        metadata_only: true,
        ..ListOptions::default()
    };
    let found = cluster.list(&deployments, None, &controllers).await;
    let found = found.map_err(|error| refusal(&error))?.items;
    if let Some(one) = found.first() {
        let text = |field: &str| one["metadata"][field].as_str().unwrap_or_default();
        return Err(CommandError::user(format!(
            "the cluster at {} has controllers already, such as the Deployment {}/{}",
            cluster.url(),
            text("namespace"),
            text("name")
        ))
        .hint(
            "leave out --kubeconfig and --context: `sluice dev` then starts a cluster of its own",
        ));
    }
    for kind in [kustomization()?, source()?] {
        match cluster.get(&kind.gvk(), Some(NAMESPACE), NAME).await {
            Ok(None) => {}
            Err(error) if error.has_no_match() => {}
            Err(error) => return Err(refusal(&error)),
            Ok(Some(_)) => {
                return Err(CommandError::user(format!(
                    "the cluster at {} has the {} {NAMESPACE}/{NAME} already, which this command \
                     would replace and remove",
                    cluster.url(),
                    kind.kind
                ))
                .hint("if an earlier `sluice dev` left it, run `sluice uninstall`"));
            }
        }
    }
    if args.path.is_some() {
        return Ok(());
    }
    let namespace = cluster.get(&namespaces(), None, "demo").await;
    match namespace.map_err(|error| refusal(&error))? {
        None => Ok(()),
        Some(_) => Err(CommandError::user(format!(
            "the cluster at {} has the namespace demo already, which the demonstration would remove",
            cluster.url()
        ))
        .hint("if it is not needed, run `kubectl delete namespace demo`")),
    }
}

/// Connects to the cluster of the flags, or starts a control plane.
async fn cluster(
    args: &Args,
    context: &Context,
) -> Result<(Cluster, Option<ControlPlane>), CommandError> {
    if context.globals.kubeconfig.is_some() || context.globals.context.is_some() {
        let cluster = context.cluster()?.clone();
        ensure_unused(args, &cluster).await?;
        context
            .progress
            .success(format!("using the cluster at {}", cluster.url()));
        return Ok((cluster, None));
    }
    let started = Instant::now();
    let building = building_bar();
    let shown = building.clone();
    let toolbox = Toolbox::from_environment()
        .map_err(|error| CommandError::user(chain(&error)))?
        .on_progress(move |step| match &shown {
            Some(bar) => {
                bar.set_message(step.to_string());
                bar.tick();
            }
            None => output::stderr(&format!("► {step}\n")),
        });
    context
        .progress
        .action("starting a Kubernetes control plane on loopback");
    let plane = ControlPlane::start(sluice_devcluster::Options::new(toolbox))
        .await
        .map_err(|error| CommandError::cluster(chain(&error)))?;
    if let Some(bar) = building {
        bar.finish_and_clear();
    }
    context.progress.success(format!(
        "control plane is up ({})",
        seconds(started.elapsed())
    ));
    if !args.once {
        let path = plane.kubeconfig().display();
        context.progress.action(format!("export KUBECONFIG={path}"));
    }
    let mut flags = context.globals.kubeconfig();
    flags.kubeconfig = Some(plane.kubeconfig().to_owned());
    let loaded = sluice_client::kubeconfig::load(
        &flags,
        &sluice_client::kubeconfig::Environment::of_process(),
    )
    .map_err(|error| CommandError::cluster(chain(&error)))?;
    let cluster = Cluster::connect(loaded.config, Options::new("sluice-dev"))
        .map_err(|error| CommandError::cluster(chain(&error)))?;
    Ok((cluster, Some(plane)))
}

/// Returns a spinner, as the first build of the binaries takes minutes. Without a terminal, plain
/// lines replace it.
fn building_bar() -> Option<ProgressBar> {
    if !output::interactive() {
        return None;
    }
    let bar = ProgressBar::new_spinner();
    if let Ok(style) = ProgressStyle::with_template("{spinner} {wide_msg} {elapsed}") {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(120));
    Some(bar)
}

/// Returns the repository to serve, and its plain directory if there is one.
fn repository(args: &Args, state: &Path) -> Result<(Repository, Option<PathBuf>), CommandError> {
    let failed = |error: sluice_git::serve::ServeError| CommandError::user(chain(&error));
    let Some(given) = &args.path else {
        let made =
            Repository::init_bare(state.join("git").join(NAME), &args.branch).map_err(failed)?;
        return Ok((made, None));
    };
    let path = sluice_system::fs::canonicalize(given).map_err(|error| {
        CommandError::user(format!("failed to {}", chain(&error)))
            .hint("set --path to a repository or directory that exists")
    })?;
    if path.join("HEAD").is_file() && path.join("objects").is_dir() {
        return Ok((Repository::open(path).map_err(failed)?, None));
    }
    if path.join(".git").is_dir() {
        return Ok((Repository::open(path.join(".git")).map_err(failed)?, None));
    }
    let made = Repository::init_bare(state.join("git").join(NAME), &args.branch).map_err(failed)?;
    let changes = Change::directory(&path).map_err(failed)?;
    made.commit(&args.branch, "First commit", &changes)
        .map_err(failed)?;
    Ok((made, Some(path)))
}

pub(super) async fn apply(
    cluster: &Cluster,
    gvk: &GroupVersionKind,
    namespace: Option<&str>,
    object: &Value,
) -> Result<(), CommandError> {
    let options = PatchOptions {
        field_manager: Some(FIELD_MANAGER),
        force: true,
        ..PatchOptions::default()
    };
    let name = object["metadata"]["name"].as_str().unwrap_or_default();
    cluster
        .apply(gvk, namespace, name, object, options)
        .await
        .map_err(|error| refusal(&error))?;
    Ok(())
}

async fn established(
    cluster: &Cluster,
    gvk: &GroupVersionKind,
    name: &str,
) -> Result<(), CommandError> {
    let which = WatchTarget {
        name: Some(name),
        ..WatchTarget::default()
    };
    each_state(cluster, gvk, which, |object| {
        let now = sluice_system::SystemClock.now();
        Ok((compute(object, now).status == Status::Current).then_some(()))
    })
    .await
}

/// Returns the last commit of a branch.
pub(super) fn head(repository: &Repository, branch: &str) -> Result<String, CommandError> {
    let found = repository
        .head(branch)
        .map_err(|error| CommandError::user(chain(&error)))?;
    found.map(|id| id.to_string()).ok_or_else(|| {
        let path = repository.path().display();
        CommandError::user(format!("the repository {path} has no branch {branch}"))
            .hint("set --branch to another branch")
    })
}

pub(super) fn source() -> Result<&'static Resource, CommandError> {
    by_kind("GitRepository").ok_or_else(|| CommandError::internal("no GitRepository"))
}

pub(super) fn kustomization() -> Result<&'static Resource, CommandError> {
    by_kind("Kustomization").ok_or_else(|| CommandError::internal("no Kustomization"))
}

/// Formats a duration as `0.34s`.
pub(super) fn seconds(elapsed: Duration) -> String {
    format!("{:.2}s", elapsed.as_secs_f64())
}

/// Creates a temporary directory with access for this user only, whatever the umask.
fn private_folder(prefix: &str) -> std::io::Result<tempfile::TempDir> {
    use std::os::unix::fs::PermissionsExt as _;

    tempfile::Builder::new()
        .prefix(prefix)
        .permissions(std::fs::Permissions::from_mode(0o700))
        .tempdir()
}
