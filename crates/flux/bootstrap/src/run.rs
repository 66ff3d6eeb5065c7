//! A run: observe, commit the controllers, install them, set up the access to the repository,
//! commit the sync manifests, and wait.
//!
//! All checks come before the first commit. All steps share one time limit. Every step observes
//! first and does only the missing part. A second run therefore completes an interrupted one, or
//! changes nothing.
//!
//! Start at [`Bootstrap::begin`].

mod planned;
mod proposal;
mod steps;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use sluice_git::SshAlgorithms;
use sluice_golang::non_empty;
use sluice_kustomize::Fs;
use sluice_lifecycle::observe::{definitions, objects_of};
use sluice_lifecycle::{Error, Session, Upgrade, installation};

use crate::cluster::{self, ClusterSync};
use crate::host_keys::known_hosts;
use crate::hosted::PreparedRepository;
use crate::layout::{self, Files};
use crate::loss::Loss;
use crate::options::Options;
use crate::plan::BootstrapResult;
use crate::prompt::Prompt;
use crate::repository::{Committer, Repository};
use crate::secret::Entries;
use crate::settings::{Login, Settings};

/// The message of the second commit.
const SYNC_SUBJECT: &str = "Add Flux sync manifests";

/// A run, after the repository was cloned.
pub struct Bootstrap<'s> {
    session: Session<'s>,
    options: &'s Options,
    prompt: &'s dyn Prompt,
    settings: Settings,
    committer: Committer,
    repository: Repository<'s>,
    synced: ClusterSync,
    /// The migrations that the existing definitions need before they are replaced.
    upgrade: Upgrade,
    /// The Secret at the beginning.
    secret: Option<Entries>,
    /// The repository at the host with an API.
    prepared: Option<PreparedRepository>,
    /// The keys of the host that the cluster reaches over SSH.
    known_hosts: String,
    deadline: Instant,
}

impl<'s> Bootstrap<'s> {
    /// Checks whether the cluster can be changed, and clones the repository.
    pub async fn begin(
        mut settings: Settings,
        options: &'s Options,
        session: Session<'s>,
        prompt: &'s dyn Prompt,
    ) -> Result<Self, Error> {
        let deadline = Instant::now() + session.timeout;
        cluster::check_access(&session, options.force, prompt).await?;
        cluster::check_coverage(&session, options).await?;
        let synced = ClusterSync::read(&session).await?;
        synced.check(&settings.layout.sync.kustomization_path())?;
        let upgrade = Upgrade::of(&session, &settings.package.objects).await?;
        if synced.is_running() {
            upgrade.within_git()?;
        }
        let secret = Entries::read(&session, &options.secret_name).await?;
        let pinned = secret.as_ref().and_then(Entries::known_hosts);
        let cluster_hosts = match &settings.ssh_host {
            Some(host) => known_hosts(host, pinned, session.timeout).await?,
            None => String::new(),
        };
        let mut prepared = None;
        if let Some(hosted) = settings.hosted.take() {
            let found = hosted.prepare(session.progress, options.is_plan).await?;
            settings.url = hosted.https_url(&found.repository);
            settings.layout.sync.url = hosted.followed(&found.repository);
            settings.remote = hosted.remote(&found.repository)?;
            settings.hosted = Some(hosted);
            prepared = Some(found);
        }
        let remote = match &settings.login {
            Login::Http => settings.remote.clone(),
            Login::Ssh { key, host } => {
                let hosts = if settings.ssh_host.as_ref() == Some(host) {
                    cluster_hosts.clone()
                } else {
                    known_hosts(host, pinned, session.timeout).await?
                };
                settings.remote.clone().with_access(key.access(hosts))
            }
        };
        let algorithms = SshAlgorithms::parse(&[], &options.host_key_algorithms)
            .map_err(|error| Error::user(error.to_string()))?;
        let committer = Committer {
            author: options.author.clone(),
            appendix: non_empty(options.appendix.as_ref()).map(str::to_owned),
            signer: settings.signer.clone(),
        };
        let (branch, url) = (&options.branch, &settings.url);
        let http = Arc::clone(&options.http);
        let progress = session.progress;
        let mut repository = Repository::unseen(remote, branch, url, algorithms, http, progress)?;
        let sparse = &settings.layout.sync.sparse_checkout;
        if !sparse.is_empty() {
            // A sparse clone has no other files to check.
            let folders = sparse.iter().map(PathBuf::from);
            let own = settings.layout.folder().to_owned();
            repository = repository.sparse(folders.chain([own]));
        }
        if prepared.as_ref().is_none_or(|found| found.exists) {
            repository = repository.cloned().await?;
        }
        Ok(Self {
            session,
            options,
            prompt,
            settings,
            committer,
            repository,
            synced,
            upgrade,
            secret,
            prepared,
            known_hosts: cluster_hosts,
            deadline,
        })
    }

    fn remaining(&self) -> Duration {
        let left = self.deadline.saturating_duration_since(Instant::now());
        left.max(Duration::from_secs(1))
    }

    fn secret_name(&self) -> String {
        let namespace = &self.session.namespace;
        format!("{namespace}/{}", self.settings.layout.sync.secret)
    }

    /// Runs all steps.
    pub async fn run(&mut self) -> Result<BootstrapResult, Error> {
        if self.warn_of_loss().await?.is_deletion() && !self.options.force {
            self.prompt.confirm_loss()?;
        }
        if let Some(url) = self.propose().await? {
            return Ok(BootstrapResult {
                repository: self.settings.url.clone(),
                branch: self.settings.layout.sync.branch.clone(),
                secret: self.secret_name(),
                commits: Vec::new(),
                public_key: None,
                pull_request: Some(url),
                revision: None,
            });
        }
        let mut commits = Vec::new();
        commits.extend(self.components().await?);
        let public_key = self.source_secret().await?;
        commits.extend(self.sync().await?);
        let revision = self.wait().await?;
        Ok(BootstrapResult {
            repository: self.settings.url.clone(),
            branch: self.settings.layout.sync.branch.clone(),
            secret: self.secret_name(),
            commits,
            public_key,
            pull_request: None,
            revision: Some(revision),
        })
    }

    /// The files of both commits that the branch lacks or has with other content.
    async fn missing_files(&self) -> Result<Files, Error> {
        let (layout, tree) = (&self.settings.layout, self.repository.tree().await?);
        let mut files = layout.component_files();
        files.extend(layout.sync_files(&*tree)?);
        // Fails here instead of in the cluster.
        if layout.kustomization(&*tree)?.is_some() {
            layout.check_build(&*tree, &files, (self.options.fetcher)())?;
        }
        let changed = layout::changed(&*tree, &files).into_iter();
        let changed: Vec<PathBuf> = changed.map(|(path, _)| path.to_owned()).collect();
        files.retain(|path, _| changed.contains(path));
        Ok(files)
    }

    fn components_subject(&self) -> String {
        format!(
            "Add Flux {} component manifests",
            self.settings.package.version
        )
    }

    /// Warns of controllers and objects that are deleted because the new manifests lack them.
    async fn warn_of_loss(&self) -> Result<Loss, Error> {
        let (session, package) = (&self.session, &self.settings.package);
        let committed = self
            .settings
            .layout
            .committed(&*self.repository.tree().await?);
        let installed = installation::deployments(session).await?;
        let loss = Loss::of(&committed, &installed, &package.objects, &session.namespace);
        let mut objects = Vec::new();
        if loss.is_deletion() {
            let definitions = definitions(session).await?;
            let is_deleted = |name: &str| loss.deleted.contains(&name);
            objects = objects_of(session, &definitions, is_deleted).await?;
        }
        for line in loss.warnings(&objects) {
            session.progress.warning(format!(" {line}"));
        }
        Ok(loss)
    }

    /// Warns of a kustomization file of the user that does not list our files.
    fn warn_of_unlisted(&self, tree: &dyn Fs) -> Result<(), Error> {
        let layout = &self.settings.layout;
        for name in layout.unlisted(tree)? {
            let folder = layout.folder().display();
            self.session.progress.warning(format!(
                " kustomization.yaml in {folder} does not list {name}: the cluster will not get what is in it"
            ));
        }
        Ok(())
    }
}
