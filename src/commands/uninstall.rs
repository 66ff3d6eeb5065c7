//! `uninstall`: the controllers, their rights and their definitions, and nothing of what they
//! applied.
//!
//! The order matters. Controllers go first, so that nobody acts on what follows; then the
//! finalizers are taken off every object, so that deleting a definition does not mean deleting
//! what the object had applied; then the definitions; the namespace last.

use serde_json::json;
use sluice_client::{DeleteOptions, Error, GroupVersionKind, ListOptions, PatchOptions};
use sluice_object::Object;

use crate::cluster::{Context, FIELD_MANAGER, objects};
use crate::error::CommandError;
use crate::flags::BooleanFlag as _;
use crate::resource::RESOURCES;
use crate::{CommandResult, Exit, compat, output};

#[derive(clap::Args, Debug)]
pub struct Args {
    /// Show what would be deleted, and delete nothing
    #[arg(long, switch = false)]
    dry_run: bool,
    /// Leave the namespace
    #[arg(long, switch = false)]
    keep_namespace: bool,
    /// Do not ask
    #[arg(long, short, switch = false)]
    silent: bool,
}

/// What is deleted by labels, in this order; the last field says whether it has a namespace.
const PARTS: [(&str, &str, &str, bool); 9] = [
    ("apps", "v1", "Deployment", true),
    ("", "v1", "Service", true),
    ("networking.k8s.io", "v1", "NetworkPolicy", true),
    ("", "v1", "ServiceAccount", true),
    ("", "v1", "ResourceQuota", true),
    ("rbac.authorization.k8s.io", "v1", "Role", true),
    ("rbac.authorization.k8s.io", "v1", "RoleBinding", true),
    ("rbac.authorization.k8s.io", "v1", "ClusterRole", false),
    (
        "rbac.authorization.k8s.io",
        "v1",
        "ClusterRoleBinding",
        false,
    ),
];

pub fn run(args: &Args, context: &Context) -> CommandResult {
    if !args.dry_run
        && !args.silent
        && !output::confirm(
            "Are you sure you want to delete Flux and its custom resource definitions",
        )?
    {
        return Err(CommandError::user("aborting"));
    }
    let progress = context.progress;
    let namespace = context.namespace();
    let mut work = Work {
        context,
        namespace: namespace.clone(),
        dry_run: args.dry_run,
        remaining: Vec::new(),
    };
    context.block_on(async {
        progress.action(format!("deleting components in {namespace} namespace"));
        work.components().await?;
        progress.action("deleting toolkit.fluxcd.io finalizers in all namespaces");
        work.finalizers().await?;
        progress.action("deleting toolkit.fluxcd.io custom resource definitions");
        work.definitions().await?;
        if !args.keep_namespace {
            work.namespace().await?;
        }
        Ok::<(), CommandError>(())
    })??;
    if !work.remaining.is_empty() {
        let remain = CommandError::cluster(format!(
            "{} objects remain: {}",
            work.remaining.len(),
            work.remaining.join("; ")
        ))
        .hint("run uninstall again when the cause is gone");
        return Err(remain.code(compat::told_failure().0));
    }
    progress.success("uninstall finished");
    Ok(Exit::SUCCESS)
}

struct Work<'a> {
    context: &'a Context,
    namespace: String,
    dry_run: bool,
    /// What could not be deleted, and why.
    remaining: Vec<String>,
}

impl Work<'_> {
    async fn list(
        &mut self,
        gvk: &GroupVersionKind,
        namespace: Option<&str>,
        labels: Option<String>,
    ) -> Result<Vec<Object>, CommandError> {
        let options = ListOptions {
            labels,
            ..ListOptions::default()
        };
        match self.context.cluster()?.list(gvk, namespace, &options).await {
            Ok(list) => Ok(objects(list)),
            Err(error) if error.is_no_match() => Ok(Vec::new()),
            Err(error @ Error::Unreachable { .. }) => Err(crate::cluster::refusal(&error)),
            Err(error) => {
                self.remaining.push(error.to_string());
                Ok(Vec::new())
            }
        }
    }

    async fn components(&mut self) -> Result<(), CommandError> {
        let labels = format!(
            "app.kubernetes.io/part-of=flux,app.kubernetes.io/instance={}",
            self.namespace
        );
        for (group, version, kind, namespaced) in PARTS {
            let gvk = GroupVersionKind::gvk(group, version, kind);
            let namespace = namespaced.then(|| self.namespace.clone());
            for object in self
                .list(&gvk, namespace.as_deref(), Some(labels.clone()))
                .await?
            {
                self.delete(&gvk, &object).await?;
            }
        }
        Ok(())
    }

    /// Takes every finalizer off every object of ours: what a controller would do on deletion
    /// is just what must not happen now.
    async fn finalizers(&mut self) -> Result<(), CommandError> {
        let patch = json!({ "metadata": { "finalizers": [] } });
        for resource in RESOURCES {
            let gvk = resource.gvk();
            for object in self.list(&gvk, None, None).await? {
                if object.finalizers().next().is_none() {
                    continue;
                }
                let done = if self.dry_run {
                    Ok(())
                } else {
                    self.context
                        .cluster()?
                        .merge(
                            &gvk,
                            Some(object.namespace()),
                            object.name(),
                            &patch,
                            PatchOptions {
                                field_manager: Some(FIELD_MANAGER),
                                ..PatchOptions::default()
                            },
                        )
                        .await
                        .map(|_| ())
                };
                self.report("finalizers deleted", &object, done);
            }
        }
        Ok(())
    }

    async fn definitions(&mut self) -> Result<(), CommandError> {
        let gvk = GroupVersionKind::gvk("apiextensions.k8s.io", "v1", "CustomResourceDefinition");
        let labels = Some("app.kubernetes.io/part-of=flux".to_owned());
        for object in self.list(&gvk, None, labels).await? {
            self.delete(&gvk, &object).await?;
        }
        Ok(())
    }

    async fn namespace(&mut self) -> Result<(), CommandError> {
        let gvk = GroupVersionKind::gvk("", "v1", "Namespace");
        let namespace = Object::new("v1", "Namespace", "", &self.namespace);
        self.delete(&gvk, &namespace).await
    }

    async fn delete(
        &mut self,
        gvk: &GroupVersionKind,
        object: &Object,
    ) -> Result<(), CommandError> {
        let namespace = Some(object.namespace()).filter(|namespace| !namespace.is_empty());
        let done = if self.dry_run {
            Ok(())
        } else {
            self.context
                .cluster()?
                .delete(gvk, namespace, object.name(), &DeleteOptions::default())
                .await
                .map(|_| ())
        };
        self.report("deleted", object, done);
        Ok(())
    }

    fn report(&mut self, what: &str, object: &Object, done: Result<(), Error>) {
        let id = object.id();
        match done {
            Ok(()) => self.context.progress.success(format!(
                "{id} {what}{}",
                if self.dry_run { " (dry run)" } else { "" }
            )),
            Err(error) if error.is_not_found() => {}
            Err(error) => {
                self.context
                    .progress
                    .failure(format!("{id} {what} failed: {}", error.message()));
                self.remaining.push(format!("{id}: {}", error.message()));
            }
        }
    }
}
