//! Provides the context of a command: its name, the global flags, and a lazy cluster client.
//!
//! A command without a cluster starts no async runtime, reads no kubeconfig and loads no
//! certificates. This module also words the API server's refusals.

use std::cell::{Cell, OnceCell};
use std::future::Future;
use std::time::{Duration, Instant};

use serde_json::Value;
use sluice_client::kubeconfig::ResolveError;
use sluice_client::{
    Cluster, DeleteOptions, GroupVersionKind, List, ListOptions, PatchOptions, Rate, kubeconfig,
};
use sluice_insight::kinds::Resource;
use sluice_insight::observe::LAST_LOOK;
use sluice_lifecycle::{Reporter, Session};
use sluice_object::{Object, names};
use sluice_preview::{Error, Host, ObjectLookup};

use crate::error::CommandError;
use crate::globals::{DEFAULT_NAMESPACE, GlobalArgs};
use crate::output::Progress;
use sluice_insight::watch::{Event, Watch, WatchTarget};

/// Timeout of one request, where the whole operation may take longer.
const ONE_ANSWER: Duration = Duration::from_secs(30);

/// Time beyond `--timeout` before a command is aborted. In this time, the command can report the
/// objects it waited for.
const GRACE: Duration = LAST_LOOK.saturating_add(Duration::from_secs(2));

pub use sluice_lifecycle::FIELD_MANAGER;

/// Variable that makes the namespace follow the kubeconfig's context. Any value enables it.
const FOLLOWS_CONTEXT: &str = "FLUX_NS_FOLLOWS_KUBE_CONTEXT";

/// Flags, environment and cluster of one command.
pub struct Context {
    /// Name of the program.
    pub program: &'static str,
    /// Flags of every command.
    pub globals: GlobalArgs,
    /// Progress lines of the command.
    pub progress: Progress,
    /// Whether a built-in command has this name. Plugins must not use such names.
    pub is_builtin: fn(&str) -> bool,
    environment: Environment,
    /// Time spent on requests so far. Time at prompts does not count.
    spent: Cell<Duration>,
    /// Whether the user interrupted the work.
    is_interrupted: Cell<bool>,
    runtime: OnceCell<tokio::runtime::Runtime>,
    cluster: OnceCell<Cluster>,
    /// Namespace of the kubeconfig's context, cached on first read.
    kube_namespace: OnceCell<String>,
}

impl Drop for Context {
    fn drop(&mut self) {
        if self.is_interrupted.get()
            && let Some(runtime) = self.runtime.take()
        {
            runtime.shutdown_background();
        }
    }
}

/// Resolves when the process receives an interrupt.
pub async fn interruption() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let asked = async |kind| match signal(kind) {
            Ok(mut signal) => {
                signal.recv().await;
            }
            // If no handler can be installed, the signal itself ends the process.
            Err(_) => std::future::pending().await,
        };
        tokio::select! {
            () = asked(SignalKind::interrupt()) => {}
            () = asked(SignalKind::terminate()) => {}
            () = asked(SignalKind::hangup()) => {}
        }
    }
    #[cfg(not(unix))]
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}

/// The two environment variables that Flux reads besides its flags.
#[derive(Clone, Debug, Default)]
struct Environment {
    system_namespace: Option<String>,
    follows_context: bool,
    /// Whether the variable has a false value, which enables it all the same.
    follows_nevertheless: bool,
}

impl Environment {
    #[expect(
        clippy::disallowed_methods,
        reason = "these variables differ from flags: any value enables the first, and a bad namespace only warns"
    )]
    fn read() -> Self {
        let set = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
        Self {
            system_namespace: set("FLUX_SYSTEM_NAMESPACE"),
            follows_context: set(FOLLOWS_CONTEXT).is_some(),
            follows_nevertheless: set(FOLLOWS_CONTEXT)
                .is_some_and(|value| matches!(sluice_golang::boolean::parse(&value), Ok(false))),
        }
    }
}

impl Context {
    /// Creates the context of a command.
    pub fn new(program: &'static str, globals: GlobalArgs, is_builtin: fn(&str) -> bool) -> Self {
        Self {
            program,
            globals,
            is_builtin,
            progress: Progress::default(),
            environment: Environment::read(),
            spent: Cell::default(),
            is_interrupted: Cell::default(),
            runtime: OnceCell::new(),
            cluster: OnceCell::new(),
            kube_namespace: OnceCell::new(),
        }
    }

    /// Returns the timeout of the whole operation.
    pub fn timeout(&self) -> Duration {
        self.globals.timeout
    }

    /// Returns the time left for the next [`Self::block_on`].
    pub fn remaining(&self) -> Duration {
        self.timeout().saturating_sub(self.spent.get())
    }

    /// Runs async work until it ends or the command's timeout ends.
    pub fn block_on<T>(&self, work: impl Future<Output = T>) -> Result<T, CommandError> {
        let (began, left) = (Instant::now(), self.remaining());
        let work = async { tokio::time::timeout(left.saturating_add(GRACE), work).await };
        let ended = self.runtime()?.block_on(work);
        self.spent.set(self.spent.get() + began.elapsed());
        ended.map_err(|_| {
            let limit = sluice_golang::duration::GoDuration::from_std(self.timeout());
            CommandError::cluster(format!("timed out after {limit}")).hint("set a longer --timeout")
        })
    }

    /// Like [`Self::block_on`], but an interrupt drops the work, so its temporary directories are
    /// removed. The hint of the error says how to continue.
    pub fn block_on_unless_interrupted<T>(
        &self,
        hint: &str,
        work: impl Future<Output = Result<T, CommandError>>,
    ) -> Result<T, CommandError> {
        let work = async {
            tokio::select! {
                biased;
                done = work => done,
                () = interruption() => {
                    self.is_interrupted.set(true);
                    Err(CommandError::user("interrupted").hint(hint))
                }
            }
        };
        self.block_on(work)?
    }

    /// Like [`Self::block_on`], but only an explicit `--timeout` limits the work.
    pub fn block_on_at_leisure<T>(&self, work: impl Future<Output = T>) -> Result<T, CommandError> {
        if self.globals.end_of_watches().is_some() {
            self.block_on(work)
        } else {
            Ok(self.runtime()?.block_on(work))
        }
    }

    fn runtime(&self) -> Result<&tokio::runtime::Runtime, CommandError> {
        if let Some(runtime) = self.runtime.get() {
            return Ok(runtime);
        }
        let made = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .map_err(|error| CommandError::internal(format!("start the async runtime: {error}")))?;
        Ok(self.runtime.get_or_init(|| made))
    }

    /// Returns the namespace of the command. The order is the flag, the context if it is to be
    /// followed, the environment, then Flux's default.
    pub fn namespace(&self) -> String {
        if let Some(namespace) = &self.globals.namespace {
            return namespace.clone();
        }
        if (self.globals.ns_follows_kube_context || self.environment.follows_context)
            && self.cluster().is_ok()
            && let Some(namespace) = self.kube_namespace.get()
        {
            return namespace.clone();
        }
        match &self.environment.system_namespace {
            Some(namespace) => namespace.clone(),
            None => DEFAULT_NAMESPACE.to_owned(),
        }
    }

    /// Rejects an invalid namespace before the first request.
    pub fn check(&mut self) -> Result<(), CommandError> {
        if let Some(namespace) = &self.globals.namespace
            && !names::label_faults(namespace).is_empty()
        {
            return Err(CommandError::user(format!(
                "namespace must be a valid DNS label: {}",
                sluice_golang::quote::quote(namespace)
            ))
            .hint("set --namespace to lower-case letters, digits and hyphens"));
        }
        if self.environment.follows_nevertheless && self.globals.namespace.is_none() {
            self.progress.warning(format!(
                "{FOLLOWS_CONTEXT} turns it on with any value: unset it to turn it off"
            ));
        }
        if let Some(namespace) = &self.environment.system_namespace
            && !names::label_faults(namespace).is_empty()
        {
            self.progress.warning(format!(
                " ignoring invalid FLUX_SYSTEM_NAMESPACE: {}",
                sluice_golang::quote::quote(namespace)
            ));
            self.environment.system_namespace = None;
        }
        Ok(())
    }

    /// Returns the client of the cluster that the kubeconfig and the flags select.
    pub fn cluster(&self) -> Result<&Cluster, CommandError> {
        if let Some(cluster) = self.cluster.get() {
            return Ok(cluster);
        }
        // The client spawns its connections on the entered runtime. `block_on` would panic here,
        // because async work also calls this function.
        let connected = {
            let _entered = self.runtime()?.enter();
            self.connect()?
        };
        Ok(self.cluster.get_or_init(|| connected))
    }

    /// Returns the cluster, the namespace and the time limit for installation steps.
    pub fn session(&self) -> Result<Session<'_>, CommandError> {
        Ok(Session {
            cluster: self.cluster()?,
            namespace: self.namespace(),
            timeout: self.timeout(),
            progress: self.reporter(),
        })
    }

    /// Returns a progress reporter for library steps.
    pub fn reporter(&self) -> Reporter<'_> {
        Reporter(&self.progress)
    }

    fn connect(&self) -> Result<Cluster, CommandError> {
        let failed = |error: &dyn std::error::Error| {
            CommandError::cluster(format!(
                "Kubernetes client initialization failed: {}",
                sluice_golang::error::chain(error)
            ))
        };
        let loaded = kubeconfig::load(
            &self.globals.kubeconfig(),
            &kubeconfig::Environment::of_process(),
        )
        .map_err(|error| failed(&error).hint(kubeconfig_hint(&error)))?;
        if let Some(namespace) = loaded.namespace {
            self.kube_namespace.get_or_init(|| namespace);
        }
        let user_agent = format!(
            "flux/{} sluice/{}",
            sluice_manifests::FLUX_VERSION,
            env!("CARGO_PKG_VERSION")
        );
        let mut options = sluice_client::Options::new(user_agent);
        options.rate = Rate::from_flags(
            f64::from(self.globals.kube_api_qps),
            i64::from(self.globals.kube_api_burst),
        );
        options.timeout = self.timeout().min(ONE_ANSWER);
        options.max_retry_time = self.timeout();
        Cluster::connect(loaded.config, options).map_err(|error| {
            failed(&error).hint("correct the credentials in the kubeconfig, or those of the flags")
        })
    }

    /// Lists the objects of a kind. Without a namespace, lists all namespaces.
    pub async fn list(
        &self,
        resource: &Resource,
        namespace: Option<&str>,
        name: Option<&str>,
        labels: Option<&str>,
    ) -> Result<Vec<Object>, ListError> {
        let options = listing(name, labels);
        self.list_as(resource, namespace, &options, Some).await
    }

    /// Lists the objects of a kind by namespace and name, mapped by `keep`. Each object is mapped
    /// on arrival, so rejected objects use no memory.
    pub async fn list_as<T>(
        &self,
        resource: &Resource,
        namespace: Option<&str>,
        options: &ListOptions,
        keep: impl Fn(Object) -> Option<T>,
    ) -> Result<Vec<T>, ListError> {
        let cluster = self.cluster().map_err(ListError::NoAnswer)?;
        let mut kept = Vec::new();
        let each = |value: Value| {
            if let Some(object) = object(value) {
                let id = (object.namespace().to_owned(), object.name().to_owned());
                kept.extend(keep(object).map(|what| (id, what)));
            }
        };
        cluster
            .list_each(&resource.gvk(), namespace, options, each)
            .await
            .map_err(|error| {
                let told = refusal(&error);
                match error {
                    error if error.has_no_match() => ListError::NoKind(told),
                    sluice_client::Error::Unreachable { .. } => ListError::NoAnswer(told),
                    _ => ListError::Other(told),
                }
            })?;
        kept.sort_by(|(a, _), (b, _)| a.cmp(b));
        Ok(kept.into_iter().map(|(_, what)| what).collect())
    }

    /// Returns an object of the command's namespace, or `None`.
    pub async fn find(
        &self,
        resource: &Resource,
        name: &str,
    ) -> Result<Option<Object>, CommandError> {
        self.find_in(resource, &self.namespace(), name).await
    }

    /// Returns an object of a namespace, or `None`.
    pub async fn find_in(
        &self,
        resource: &Resource,
        namespace: &str,
        name: &str,
    ) -> Result<Option<Object>, CommandError> {
        let found = self
            .cluster()?
            .get(&resource.gvk(), Some(namespace), name)
            .await
            .map_err(|error| refusal(&error))?;
        Ok(found.and_then(object))
    }

    /// Returns an object of the command's namespace, or the API server's error, as in Flux.
    pub async fn required(&self, resource: &Resource, name: &str) -> Result<Object, CommandError> {
        self.required_in(resource, &self.namespace(), name).await
    }

    /// Returns an object of a namespace, or the API server's error, as in Flux.
    pub async fn required_in(
        &self,
        resource: &Resource,
        namespace: &str,
        name: &str,
    ) -> Result<Object, CommandError> {
        self.find_in(resource, namespace, name)
            .await?
            .ok_or_else(|| not_found(resource.plural, resource.group, namespace, name))
    }

    /// Returns a Secret of a namespace, or the API server's error, as in Flux.
    pub async fn secret(&self, namespace: &str, name: &str) -> Result<Object, CommandError> {
        let gvk = GroupVersionKind::gvk("", "v1", "Secret");
        let found = self
            .cluster()?
            .get(&gvk, Some(namespace), name)
            .await
            .map_err(|error| refusal(&error))?;
        found
            .and_then(object)
            .ok_or_else(|| not_found("secrets", "", namespace, name))
    }

    /// Patches an object of the command's namespace with a merge patch.
    pub async fn merge_patch(
        &self,
        resource: &Resource,
        name: &str,
        patch: &Value,
    ) -> Result<(), CommandError> {
        self.merge_patch_in(resource, &self.namespace(), name, patch)
            .await
            .map(drop)
    }

    /// Patches an object and returns the result as JSON.
    pub async fn merge_patch_in(
        &self,
        resource: &Resource,
        namespace: &str,
        name: &str,
        patch: &Value,
    ) -> Result<Value, CommandError> {
        let options = PatchOptions {
            field_manager: Some(FIELD_MANAGER),
            ..PatchOptions::default()
        };
        self.cluster()?
            .merge(&resource.gvk(), Some(namespace), name, patch, options)
            .await
            .map_err(|error| refusal(&error))
    }

    /// Deletes an object of the command's namespace.
    pub async fn delete(&self, resource: &Resource, name: &str) -> Result<(), CommandError> {
        self.cluster()?
            .delete(
                &resource.gvk(),
                Some(&self.namespace()),
                name,
                &DeleteOptions::default(),
            )
            .await
            .map_err(|error| refusal(&error))?;
        Ok(())
    }

    /// Passes each watch event to `each`. Ends when `each` or the watch fails, or at an explicit
    /// `--timeout`.
    pub async fn follow(
        &self,
        gvk: &GroupVersionKind,
        which: WatchTarget<'_>,
        mut each: impl FnMut(Event) -> Result<(), CommandError>,
    ) -> Result<(), CommandError> {
        let watch = Watch::new(self.cluster()?, gvk.clone(), which);
        let told = watch.each::<(), CommandError>(|event| each(event).map(|()| None));
        let Some(limit) = self.globals.end_of_watches() else {
            return told.await;
        };
        match tokio::time::timeout(limit, told).await {
            Ok(ended) => ended,
            Err(_) => {
                let timeout = sluice_golang::GoDuration::from_std(limit);
                let ended = format!(
                    "timed out waiting for the condition: the watch ended after {timeout}, as --timeout says"
                );
                Err(CommandError::cluster(ended).details(watch.trouble()))
            }
        }
    }
}

impl ObjectLookup for Context {
    fn find(
        &self,
        gvk: &GroupVersionKind,
        namespace: &str,
        name: &str,
    ) -> Result<Option<Object>, Error> {
        let cluster = self.cluster()?;
        let found = self.block_on(cluster.get(gvk, Some(namespace), name))??;
        Ok(found.and_then(object))
    }
}

impl Host for Context {
    fn block_on<T>(&self, work: impl Future<Output = T>) -> Result<T, Error> {
        Ok(self.block_on(work)?)
    }

    fn handle(&self) -> Result<tokio::runtime::Handle, Error> {
        Ok(self.runtime()?.handle().clone())
    }

    fn cluster(&self) -> Result<&Cluster, Error> {
        Ok(self.cluster()?)
    }

    fn timeout(&self) -> Duration {
        self.timeout()
    }

    fn remaining(&self) -> Duration {
        self.remaining()
    }

    fn warn(&self, text: &str) {
        self.progress.warning(text);
    }
}

/// Error of a list request.
#[derive(Debug)]
pub enum ListError {
    /// The cluster does not know the kind: its CRD is not installed.
    NoKind(CommandError),
    /// The cluster is unreachable, whatever the kind.
    NoAnswer(CommandError),
    /// The cluster refused the list.
    Other(CommandError),
}

impl ListError {
    /// Returns an empty list if the cluster does not know the kind, and other errors unchanged.
    pub fn or_empty(self) -> Result<Vec<Object>, CommandError> {
        match self {
            Self::NoKind(_) => Ok(Vec::new()),
            Self::NoAnswer(error) | Self::Other(error) => Err(error),
        }
    }

    /// Converts to the error of the command.
    pub fn into_command(self) -> CommandError {
        match self {
            Self::NoKind(error) | Self::NoAnswer(error) | Self::Other(error) => error,
        }
    }
}

/// Converts a client error to a command error, with a hint for the next step.
pub fn refusal(error: &sluice_client::Error) -> CommandError {
    error.clone().into()
}

/// Returns the error of a missing object.
pub fn not_found(plural: &str, group: &str, namespace: &str, name: &str) -> CommandError {
    let resource = match group {
        "" => plural.to_owned(),
        group => format!("{plural}.{group}"),
    };
    CommandError::not_found(&resource, namespace, name)
}

/// Returns list options for one name or a label selector.
pub fn listing(name: Option<&str>, labels: Option<&str>) -> ListOptions {
    ListOptions {
        labels: labels.map(ToOwned::to_owned),
        fields: name.map(|name| format!("metadata.name={name}")),
        ..ListOptions::default()
    }
}

/// Converts a list to objects.
pub fn objects(list: List) -> Vec<Object> {
    list.items.into_iter().filter_map(object).collect()
}

/// Converts a JSON value of the API server, if it is an object.
pub fn object(value: Value) -> Option<Object> {
    match value {
        Value::Object(map) => Some(Object::from_map(map)),
        _ => None,
    }
}

/// The next step after a kubeconfig that cannot be used.
fn kubeconfig_hint(error: &kubeconfig::LoadError) -> &'static str {
    match error {
        kubeconfig::LoadError::Nothing { .. } => "set --kubeconfig FILE, or KUBECONFIG",
        kubeconfig::LoadError::File(_) => "check --kubeconfig and KUBECONFIG",
        kubeconfig::LoadError::Resolve(error) => match error {
            ResolveError::Server { .. } => {
                "write the server as https://HOST:PORT, in the kubeconfig or as --server"
            }
            ResolveError::Proxy => "write proxy-url of the kubeconfig as http://HOST:PORT",
            ResolveError::Credential { .. } | ResolveError::AuthProvider(_) => {
                "correct the credentials in the kubeconfig, or those of the flags"
            }
            ResolveError::NoUser => "set --as to a user",
            ResolveError::Extra(_) => "write it as --as-user-extra KEY=VALUE",
            ResolveError::Unknown { .. } | ResolveError::NoContext | ResolveError::NoServer(_) => {
                "run `kubectl config get-contexts`, and set --context or --cluster"
            }
        },
        kubeconfig::LoadError::Parse(_) => {
            "run `kubectl config view` to see whether it is readable"
        }
        kubeconfig::LoadError::InCluster(_) => "set --kubeconfig to use another cluster",
    }
}
