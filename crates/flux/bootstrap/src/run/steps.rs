//! The steps of a run, in their order.

use futures::stream::{FuturesOrdered, StreamExt as _};
use sluice_git::revision;
use sluice_lifecycle::ready::deployed;
use sluice_lifecycle::{Error, Installer, topology};

use super::{Bootstrap, SYNC_SUBJECT};
use crate::reconciled::reconciled;
use crate::repository::CommitResult;
use crate::secret::{ClusterCredentials, Entries, Step};

impl Bootstrap<'_> {
    /// Commits the manifests of the controllers, and installs them in an empty cluster.
    pub(super) async fn components(&mut self) -> Result<Option<String>, Error> {
        let progress = self.session.progress;
        progress.action("generating component manifests");
        let layout = self.settings.layout.clone();
        self.warn_of_unlisted(&*self.repository.tree().await?)?;
        progress.success("generated component manifests");
        // Controllers that upgrade themselves from Git cannot replace these definitions.
        self.upgrade.before(&self.session).await?;
        let subject = self.components_subject();
        let fetcher = self.options.fetcher;
        let committed = self
            .repository
            .commit("component manifests", &subject, &self.committer, |tree| {
                let mut files = layout.component_files();
                // Fails here instead of in the cluster.
                if layout.kustomization(tree)?.is_some() {
                    files.extend(layout.sync_files(tree)?);
                    layout.check_build(tree, &files, fetcher())?;
                }
                Ok(layout.component_files())
            })
            .await?;
        if !self.synced.is_running() {
            let namespace = &self.session.namespace;
            progress.action(format!(
                "installing components in \"{namespace}\" namespace"
            ));
            let tree = self.repository.tree().await?;
            let objects = if layout.kustomization(&*tree)?.is_some() {
                layout.build(&*tree, Some(fetcher()))?
            } else {
                self.settings.package.objects.clone()
            };
            let session = &self.session;
            let replaced = self.options.components.replaced();
            let installer = Installer::new(session);
            installer.apply(self.upgrade.bridged(&objects)).await?;
            // No inventory lists them, and the new controllers would wait for their leases.
            for id in topology::take_away(session, &replaced, &objects).await? {
                progress.success(format!("deleted {id} of the other topology"));
            }
            // The installed controllers apply the definitions from Git.
            self.upgrade.after(session, &installer, &objects).await?;
            progress.success("installed components");
        }
        if let Some(secret) = &self.options.pull_secret {
            secret
                .write(&self.session)
                .await
                .map_err(|error| error.while_doing("failed to reconcile image pull secret"))?;
            progress.success(format!("reconciled image pull secret {}", secret.name));
        }
        progress.success("reconciled components");
        Ok(pushed(committed))
    }

    /// Gives the cluster access to the repository; returns a new public key.
    pub(super) async fn source_secret(&self) -> Result<Option<String>, Error> {
        let progress = self.session.progress;
        let name = self.secret_name();
        progress.action(format!("determining if source secret \"{name}\" exists"));
        let current = self.secret.as_ref();
        let host = self.settings.hosted.as_ref().zip(self.prepared.as_ref());
        let created;
        let wanted = match (&self.settings.wanted, host) {
            (ClusterCredentials::DeployToken { ca }, Some((hosted, found))) => {
                created = hosted.token(found, ca.clone(), current, progress).await?;
                &created
            }
            (wanted, _) => wanted,
        };
        let Step::Write {
            entries,
            public_key,
        } = wanted.step(current, &self.known_hosts)?
        else {
            // The host may have lost a key that the cluster has.
            let key = current.and_then(Entries::public_key);
            if let (Some((hosted, found)), Some(key), false) = (
                host,
                key,
                matches!(wanted, ClusterCredentials::Token { .. }),
            ) {
                hosted.keep_key(found, key, progress).await;
            }
            progress.success("source secret up to date");
            return Ok(None);
        };
        progress.action("generating source secret");
        if let Some(key) = &public_key {
            progress.success(format!("public key: {key}"));
            if let Some((hosted, found)) = host {
                hosted.add_key(found, key, progress).await?;
            } else {
                self.prompt.confirm_key_access()?;
            }
        }
        if matches!(self.settings.wanted, ClusterCredentials::Token { .. }) {
            progress.warning(
                " the cluster stores the token itself: every reader of the Secret has its rights",
            );
        }
        progress.action(format!("applying source secret \"{name}\""));
        entries
            .write(&self.session, &self.settings.layout.sync.secret)
            .await?;
        progress.success("reconciled source secret");
        Ok(public_key)
    }

    /// Commits the sync manifests, and applies them.
    pub(super) async fn sync(&mut self) -> Result<Option<String>, Error> {
        let progress = self.session.progress;
        progress.action("generating sync manifests");
        let layout = self.settings.layout.clone();
        progress.success("generated sync manifests");
        let committed = self
            .repository
            .commit("sync manifests", SYNC_SUBJECT, &self.committer, |tree| {
                layout.sync_files(tree)
            })
            .await?;
        progress.action("applying sync manifests");
        let tree = self.repository.tree().await?;
        let objects = layout.build(&*tree, Some((self.options.fetcher)()))?;
        Installer::new(&self.session).apply(objects).await?;
        progress.success("reconciled sync configuration");
        Ok(pushed(committed))
    }

    /// Waits until the cluster has the pushed commit, and reports every failure.
    pub(super) async fn wait(&self) -> Result<String, Error> {
        let (session, progress) = (&self.session, self.session.progress);
        let head = self
            .repository
            .head()
            .ok_or_else(|| Error::internal("nothing was committed"))?;
        let revision = revision(Some(&self.settings.layout.sync.branch), head);
        let namespace = &session.namespace;
        let mut failures = Vec::new();
        for kind in ["GitRepository", "Kustomization"] {
            progress.wait(format!(
                "waiting for {kind} \"{namespace}/{namespace}\" to be reconciled"
            ));
            match reconciled(session, kind, &revision, self.remaining()).await {
                Ok(()) => progress.success(format!("{kind} reconciled successfully")),
                Err(error) => {
                    progress.error(&error);
                    failures.push(error.message().to_owned());
                }
            }
        }
        progress.action("confirming components are healthy");
        let before = failures.len();
        let names = &self.settings.package.deployments;
        // The waits run at once, because they share the remaining time.
        let mut waits: FuturesOrdered<_> = names
            .iter()
            .map(|name| async move { (name, deployed(session, name, self.remaining()).await) })
            .collect();
        while let Some((name, ended)) = waits.next().await {
            match ended {
                Ok(()) => progress.success(format!("{name}: deployment ready")),
                Err(error) => {
                    progress.error(&error);
                    failures.push(error.message().to_owned());
                }
            }
        }
        if failures.len() == before {
            progress.success("all components are healthy");
        }
        if failures.is_empty() {
            return Ok(revision);
        }
        Err(Error::cluster(format!(
            "bootstrap failed with {} health check failure(s): [{}]",
            failures.len(),
            failures.join(", ")
        ))
        .hint("fix the cause and run bootstrap again: commits stay"))
    }
}

fn pushed(committed: CommitResult) -> Option<String> {
    match committed {
        CommitResult::UpToDate => None,
        CommitResult::Pushed(id) => Some(id.to_string()),
    }
}
