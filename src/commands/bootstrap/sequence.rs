//! The sequence for every kind of host: observe, commit the controllers, install them, give the cluster
//! access to the repository, commit the sync manifests, and wait for the reconciliation.
//!
//! All refusals come before the first commit. All steps share one time limit.
//!
//! The file is long because it is read from the first step to the last.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures::stream::{FuturesOrdered, StreamExt as _};
use sluice_bootstrap::hosted::{Hosted, Prepared};
use sluice_bootstrap::layout::{self, Files, Layout};
use sluice_bootstrap::plan::{Done, Plan, PlannedCall, PlannedCommit, PlannedFile, PlannedSecret};
use sluice_bootstrap::repository::{self, Committed, Committer, Repository};
use sluice_bootstrap::secret::{Entries, Step, Wanted};
use sluice_dial::{Sensitive, SshIdentity};
use sluice_forge::NewProposal;
use sluice_git::ssh_setup::{is_host_known, scan_host_key};
use sluice_git::{Access, Author, Remote, Signer, SshAgent, SshAlgorithms, revision};
use sluice_kustomize::Fs;
use sluice_kustomize::fs::DiskFs;
use sluice_lifecycle::{Installer, Upgrade, topology};
use sluice_object::Object;

use super::{Common, existing, filled, state};
use crate::cluster::Context;
use crate::commands::components::ready::deployed;
use crate::commands::components::{Manifests, PullSecret};
use crate::error::CommandError;
use crate::output::Format;
use crate::{CommandResult, Exit, output, registry, remote_bases};
use sluice_golang::error::chain;

/// The work of a run, after all flags are checked.
pub(super) struct Settings {
    /// The host whose API makes the repository and takes the key, if it has one.
    pub(super) hosted: Option<Hosted>,
    /// The repository as it was typed.
    pub(super) url: String,
    /// As this machine reaches it; over SSH still without an identity.
    pub(super) remote: Remote,
    pub(super) way: Way,
    /// Where the cluster reaches it over SSH.
    pub(super) host: Option<(String, u16)>,
    pub(super) wanted: Wanted,
    pub(super) layout: Layout,
    pub(super) manifests: Manifests,
    pub(super) signer: Option<Signer>,
    pub(super) silent: bool,
}

/// How this machine shows who it is.
pub(super) enum Way {
    /// As the remote says already.
    Http,
    Ssh {
        who: Who,
        host: (String, u16),
    },
}

/// The identity of this machine over SSH.
pub(super) enum Who {
    /// The owner of this key.
    Key {
        private: Sensitive<String>,
        passphrase: Option<Sensitive<String>>,
    },
    /// The owner of the keys of the agent at this socket.
    Agent(PathBuf),
}

impl Who {
    /// With the keys of the host to expect.
    fn access(&self, known_hosts: String) -> Access {
        match self {
            Self::Key {
                private,
                passphrase,
            } => Access::Ssh(SshIdentity {
                private_key: private.clone(),
                passphrase: passphrase.clone(),
                known_hosts,
            }),
            Self::Agent(socket) => Access::Agent(SshAgent {
                socket: socket.clone(),
                known_hosts,
            }),
        }
    }
}

pub(super) fn run(settings: Settings, common: &Common, context: &Context) -> CommandResult {
    if let Some(folder) = &common.export_dir {
        return export(&settings, folder);
    }
    let pull_secret = PullSecret::of(&common.components)?;
    let work = async {
        let mut work = Work::begin(settings, common, context).await?;
        if common.plan {
            let plan = work.plan().await?;
            return Ok((!plan.is_empty(), rendered(common, &plan, Plan::to_text)?));
        }
        let done = work.run(pull_secret).await?;
        Ok::<_, CommandError>((false, rendered(common, &done, |_| String::new())?))
    };
    let (is_open, text) = context.block_on_unless_interrupted(RESUMED, work)?;
    output::stdout(&text)?;
    Ok(if is_open {
        Exit::FAILURE
    } else {
        Exit::SUCCESS
    })
}

/// As JSON where that is asked for, else as `text` has it.
fn rendered<T: serde::Serialize>(
    common: &Common,
    result: &T,
    text: impl Fn(&T) -> String,
) -> Result<String, CommandError> {
    match common.output {
        Some(_) => output::value(result, Format::Json),
        None => Ok(text(result)),
    }
}

/// Writes the files of both commits, and does nothing else.
fn export(settings: &Settings, folder: &std::path::Path) -> CommandResult {
    let folder = std::path::absolute(folder)?;
    let tree = Below(folder.clone());
    let mut files = settings.layout.component_files();
    files.extend(settings.layout.sync_files(&tree)?);
    repository::export(&files, &folder)?;
    for path in files.keys() {
        output::stdout(&format!("{}\n", folder.join(path).display()))?;
    }
    Ok(Exit::SUCCESS)
}

/// A folder of this machine as a tree whose paths begin at it.
struct Below(PathBuf);

impl Below {
    fn at(&self, path: &std::path::Path) -> PathBuf {
        self.0.join(path.strip_prefix("/").unwrap_or(path))
    }
}

impl sluice_kustomize::Fs for Below {
    fn kind(
        &self,
        path: &std::path::Path,
    ) -> Result<Option<sluice_kustomize::fs::EntryKind>, sluice_kustomize::Error> {
        DiskFs.kind(&self.at(path))
    }

    fn read(&self, path: &std::path::Path, limit: u64) -> Result<Vec<u8>, sluice_kustomize::Error> {
        DiskFs.read(&self.at(path), limit)
    }

    fn read_dir(
        &self,
        path: &std::path::Path,
    ) -> Result<Vec<std::ffi::OsString>, sluice_kustomize::Error> {
        DiskFs.read_dir(&self.at(path))
    }

    fn is_link(&self, path: &std::path::Path) -> Result<bool, sluice_kustomize::Error> {
        DiskFs.is_link(&self.at(path))
    }

    fn resolve(&self, path: &std::path::Path) -> Result<PathBuf, sluice_kustomize::Error> {
        DiskFs.resolve(&self.at(path))
    }
}

/// A run, after the repository has been cloned.
struct Work<'a> {
    context: &'a Context,
    settings: Settings,
    committer: Committer,
    repository: Repository<'a>,
    synced: state::Synced,
    /// The migrations that the existing definitions need before they are replaced.
    upgrade: Upgrade,
    /// The names of the Deployments that are not to be there beside what is installed.
    replaced: Vec<&'static str>,
    /// The Secret as it was at the beginning.
    secret: Option<Entries>,
    /// The host's answer about the repository.
    prepared: Option<Prepared>,
    /// The keys of the host that the cluster reaches over SSH.
    known_hosts: String,
    deadline: Instant,
}

impl<'a> Work<'a> {
    /// Asks the cluster whether it may be changed, and clones.
    async fn begin(
        mut settings: Settings,
        common: &Common,
        context: &'a Context,
    ) -> Result<Self, CommandError> {
        let deadline = Instant::now() + context.timeout();
        state::may_be_changed(context, common.force).await?;
        existing::is_covered(context, common).await?;
        let synced = state::Synced::read(context).await?;
        synced.check(&settings.layout.sync.kustomization_path())?;
        let upgrade = Upgrade::of(&context.session()?, &settings.manifests.objects).await?;
        if synced.is_running() {
            upgrade.within_git()?;
        }
        let secret = Entries::read(&context.session()?, &common.secret_name).await?;
        let pinned = secret.as_ref().and_then(Entries::known_hosts);
        let known_hosts = match &settings.host {
            Some(host) => known(host, pinned, context.timeout()).await?,
            None => String::new(),
        };
        let mut prepared = None;
        if let Some(hosted) = settings.hosted.take() {
            let found = hosted.prepare(context.reporter(), common.plan).await?;
            settings.url = hosted.https_url(&found.repository);
            settings.layout.sync.url = hosted.followed(&found.repository);
            settings.remote = hosted.remote(&found.repository)?;
            settings.hosted = Some(hosted);
            prepared = Some(found);
        }
        let remote = match &settings.way {
            Way::Http => settings.remote.clone(),
            Way::Ssh { who, host } => {
                let known_hosts = if settings.host.as_ref() == Some(host) {
                    known_hosts.clone()
                } else {
                    known(host, pinned, context.timeout()).await?
                };
                let access = who.access(known_hosts);
                settings.remote.clone().with_access(access)
            }
        };
        let algorithms = common.ssh_hostkey_algos.concat();
        let algorithms = SshAlgorithms::parse(&[], &algorithms)
            .map_err(|error| CommandError::user(error.to_string()))?;
        let committer = Committer {
            author: Author {
                name: common.author_name.clone(),
                email: common.author_email.clone().unwrap_or_default(),
            },
            appendix: filled(common.commit_message_appendix.as_ref()).map(str::to_owned),
            signer: settings.signer.clone(),
        };
        let (branch, url) = (&common.branch, &settings.url);
        let http = Arc::new(registry::http_clients());
        let reporter = context.reporter();
        let mut repository = Repository::unseen(remote, branch, url, algorithms, http, reporter)?;
        let sparse = &settings.layout.sync.sparse_checkout;
        if !sparse.is_empty() {
            // A sparse clone has no other files to check.
            let folders = sparse.iter().map(PathBuf::from);
            let own = settings.layout.folder().to_owned();
            repository = repository.sparse(folders.chain([own]));
        }
        if prepared.as_ref().is_none_or(|found| found.is_there) {
            repository = repository.cloned().await?;
        }
        Ok(Self {
            context,
            settings,
            committer,
            repository,
            synced,
            upgrade,
            replaced: common.components.replaced(),
            secret,
            prepared,
            known_hosts,
            deadline,
        })
    }

    fn remaining(&self) -> Duration {
        let left = self.deadline.saturating_duration_since(Instant::now());
        left.max(Duration::from_secs(1))
    }

    fn secret_name(&self) -> String {
        let namespace = self.context.namespace();
        format!("{namespace}/{}", self.settings.layout.sync.secret)
    }

    /// The plan of a run.
    async fn plan(&self) -> Result<Plan, CommandError> {
        let layout = &self.settings.layout;
        let tree = self.repository.tree().await?;
        self.warn_of_unlisted(&*tree)?;
        let mut commits = vec![
            (self.components_subject(), layout.component_files()),
            (SYNC_SUBJECT.to_owned(), layout.sync_files(&*tree)?),
        ];
        let mut proposals = Vec::new();
        if self
            .settings
            .hosted
            .as_ref()
            .is_some_and(|host| host.proposes)
        {
            let missing = self.missing().await?;
            if !missing.is_empty() {
                let from = layout::proposal_branch(&missing);
                proposals.push(Hosted::planned_proposal(&from, &layout.sync.branch));
            }
            commits = vec![(self.proposal_subject(), missing)];
        }
        let commits = commits.into_iter().filter_map(|(subject, files)| {
            let changed = layout::changed(&*tree, &files).into_iter();
            let files: Vec<PlannedFile> = changed
                .map(|(path, is_there)| PlannedFile {
                    path: path.display().to_string(),
                    action: if is_there { "update" } else { "create" },
                })
                .collect();
            let message = layout::message(&subject, self.committer.appendix.as_deref());
            (!files.is_empty()).then_some(PlannedCommit { message, files })
        });
        let (is_written, calls) = self.planned_access().await?;
        let mut host: Vec<PlannedCall> = Vec::new();
        host.extend(self.prepared.iter().flat_map(|found| found.planned.clone()));
        host.extend(proposals);
        host.extend(calls);
        let (mut install, mut delete) = (Vec::new(), Vec::new());
        if !self.synced.is_running() {
            let objects = &self.settings.manifests.objects;
            let gone =
                topology::left_over(&self.context.session()?, &self.replaced, objects).await?;
            let id = |object: &Object| object.id().to_string();
            install = objects.iter().map(id).collect();
            delete = gone.iter().map(id).collect();
        }
        Ok(Plan {
            repository: self.settings.url.clone(),
            branch: layout.sync.branch.clone(),
            is_new_branch: self.repository.head().is_none(),
            commits: commits.collect(),
            host,
            migrate: self.upgrade.names(),
            install,
            delete,
            secret: is_written.then(|| PlannedSecret {
                name: self.secret_name(),
                action: if self.secret.is_some() {
                    "update"
                } else {
                    "create"
                },
                entries: self.settings.wanted.names(),
            }),
        })
    }

    /// Whether the Secret would be written, and the host's calls for keys and tokens.
    async fn planned_access(&self) -> Result<(bool, Vec<PlannedCall>), CommandError> {
        let (wanted, there) = (&self.settings.wanted, self.secret.as_ref());
        let host = self.settings.hosted.as_ref().zip(self.prepared.as_ref());
        if let (Wanted::DeployToken { ca }, Some((hosted, found))) = (wanted, host) {
            let Some(known) = hosted.known_token(found, ca.clone(), there).await? else {
                return Ok((true, vec![hosted.planned_token()]));
            };
            return Ok((known.step(there, "")? != Step::Nothing, Vec::new()));
        }
        let step = wanted.step(there, &self.known_hosts)?;
        let key = match &step {
            Step::Write { public_key, .. } => public_key.as_deref(),
            Step::Nothing if !matches!(wanted, Wanted::Token { .. }) => {
                there.and_then(Entries::public_key)
            }
            Step::Nothing => None,
        };
        let call = match (host, key) {
            (Some((hosted, found)), Some(key)) => hosted.planned_key(found, key).await?,
            _ => None,
        };
        Ok((step != Step::Nothing, call.into_iter().collect()))
    }

    fn components_subject(&self) -> String {
        format!(
            "Add Flux {} component manifests",
            self.settings.manifests.version
        )
    }

    async fn run(&mut self, pull_secret: Option<PullSecret<'_>>) -> Result<Done, CommandError> {
        if let Some(url) = self.propose().await? {
            return Ok(Done {
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
        commits.extend(self.components(pull_secret).await?);
        let public_key = self.source_secret().await?;
        commits.extend(self.sync().await?);
        let revision = self.wait().await?;
        Ok(Done {
            repository: self.settings.url.clone(),
            branch: self.settings.layout.sync.branch.clone(),
            secret: self.secret_name(),
            commits,
            public_key,
            pull_request: None,
            revision: Some(revision),
        })
    }

    /// The files of both commits, those that the branch does not have like that.
    async fn missing(&self) -> Result<Files, CommandError> {
        let (layout, tree) = (&self.settings.layout, self.repository.tree().await?);
        let mut files = layout.component_files();
        files.extend(layout.sync_files(&*tree)?);
        // A kustomization that cannot be built is found out now, not by the cluster.
        if layout.kustomization(&*tree)?.is_some() {
            buildable(layout, &*tree, &files)?;
        }
        let changed = layout::changed(&*tree, &files).into_iter();
        let changed: Vec<PathBuf> = changed.map(|(path, _)| path.to_owned()).collect();
        files.retain(|path, _| changed.contains(path));
        Ok(files)
    }

    /// Where that is asked for, proposes what is missing in the branch in the place of pushing it.
    /// Returns where it is still to be merged.
    async fn propose(&mut self) -> Result<Option<String>, CommandError> {
        let host = self.settings.hosted.as_ref().zip(self.prepared.as_ref());
        let Some((hosted, found)) = host.filter(|(hosted, _)| hosted.proposes) else {
            return Ok(None);
        };
        self.warn_of_unlisted(&*self.repository.tree().await?)?;
        let files = self.missing().await?;
        if files.is_empty() {
            return Ok(None);
        }
        if self.repository.head().is_none() {
            return Err(CommandError::user(
                "the repository has no commit yet: there is nothing that a change could be merged into",
            )
            .hint("make a first commit there, or bootstrap without --pull-request"));
        }
        let progress = self.context.progress;
        let subject = self.proposal_subject();
        let wanted = NewProposal {
            from: layout::proposal_branch(&files),
            into: self.settings.layout.sync.branch.clone(),
            title: subject.clone(),
            text: PROPOSAL_TEXT.to_owned(),
        };
        let proposal = match hosted.find_proposal(found, &wanted).await? {
            Some(proposal) => proposal,
            None => {
                let (name, committer) = (&wanted.from, &self.committer);
                self.repository
                    .offer(name, &subject, committer, files)
                    .await?;
                let made = hosted.propose(found, &wanted).await?;
                progress.success(format!("opened pull request {}", made.url));
                made
            }
        };
        progress.waiting(format!("waiting for {} to be merged", proposal.url));
        if !hosted.waits_for_merge {
            progress.action("merge it, and run bootstrap again");
            return Ok(Some(proposal.url));
        }
        hosted.merged(found, &proposal, self.deadline).await?;
        progress.success("pull request merged");
        self.repository.look().await?;
        Ok(None)
    }

    fn proposal_subject(&self) -> String {
        format!("Add Flux {} manifests", self.settings.manifests.version)
    }

    /// Commits the controllers' manifests, and installs them in an empty cluster.
    async fn components(
        &mut self,
        pull_secret: Option<PullSecret<'_>>,
    ) -> Result<Option<String>, CommandError> {
        let progress = self.context.progress;
        progress.action("generating component manifests");
        let layout = self.settings.layout.clone();
        self.warn_of_unlisted(&*self.repository.tree().await?)?;
        progress.success("generated component manifests");
        // A controller that upgrades itself from Git could not bring the definitions in otherwise.
        self.upgrade.before(&self.context.session()?).await?;
        let subject = self.components_subject();
        let committed = self
            .repository
            .commit("component manifests", &subject, &self.committer, |tree| {
                let mut files = layout.component_files();
                // A kustomization that cannot be built is found out now, not by the cluster.
                if layout.kustomization(tree)?.is_some() {
                    files.extend(layout.sync_files(tree)?);
                    buildable(&layout, tree, &files)?;
                }
                Ok(layout.component_files())
            })
            .await?;
        if !self.synced.is_running() {
            let namespace = self.context.namespace();
            progress.action(format!(
                "installing components in \"{namespace}\" namespace"
            ));
            let tree = self.repository.tree().await?;
            let objects = if layout.kustomization(&*tree)?.is_some() {
                layout.build(&*tree, Some(remote_bases::fetcher()))?
            } else {
                self.settings.manifests.objects.clone()
            };
            let session = self.context.session()?;
            let installer = Installer::new(&session);
            installer.apply(self.upgrade.bridged(&objects)).await?;
            // They are in no inventory, and the new ones would wait for their leases for ever.
            for id in topology::take_away(&session, &self.replaced, &objects).await? {
                progress.success(format!("deleted {id} of the other topology"));
            }
            // The installed controllers apply the definitions from Git.
            self.upgrade.after(&session, &installer, &objects).await?;
            progress.success("installed components");
        }
        if let Some(secret) = pull_secret {
            secret
                .write(self.context)
                .await
                .map_err(|error| error.while_doing("failed to reconcile image pull secret"))?;
            progress.success(format!("reconciled image pull secret {}", secret.name));
        }
        progress.success("reconciled components");
        Ok(pushed(committed))
    }

    /// A kustomization file of the user's that leaves ours out would be waited for in vain.
    fn warn_of_unlisted(&self, tree: &dyn Fs) -> Result<(), CommandError> {
        let layout = &self.settings.layout;
        for name in layout.unlisted(tree)? {
            let folder = layout.folder().display();
            self.context.progress.warning(format!(
                " kustomization.yaml in {folder} does not list {name}: the cluster will not get what is in it"
            ));
        }
        Ok(())
    }

    /// Gives the cluster its way into the repository; returns a new public key.
    async fn source_secret(&self) -> Result<Option<String>, CommandError> {
        let (progress, reporter) = (self.context.progress, self.context.reporter());
        let name = self.secret_name();
        progress.action(format!("determining if source secret \"{name}\" exists"));
        let there = self.secret.as_ref();
        let host = self.settings.hosted.as_ref().zip(self.prepared.as_ref());
        let made;
        let wanted = match (&self.settings.wanted, host) {
            (Wanted::DeployToken { ca }, Some((hosted, found))) => {
                made = hosted.token(found, ca.clone(), there, reporter).await?;
                &made
            }
            (wanted, _) => wanted,
        };
        let Step::Write {
            entries,
            public_key,
        } = wanted.step(there, &self.known_hosts)?
        else {
            // The host may have lost a key that the cluster has.
            let key = there.and_then(Entries::public_key);
            if let (Some((hosted, found)), Some(key), false) =
                (host, key, matches!(wanted, Wanted::Token { .. }))
            {
                hosted.keep_key(found, key, reporter).await;
            }
            progress.success("source secret up to date");
            return Ok(None);
        };
        progress.action("generating source secret");
        if let Some(key) = &public_key {
            progress.success(format!("public key: {key}"));
            let question = "Please give the key access to your repository";
            if let Some((hosted, found)) = host {
                hosted.add_key(found, key, reporter).await?;
            } else if !self.settings.silent && !output::confirm(question)? {
                return Err(CommandError::user("aborting"));
            }
        }
        if matches!(self.settings.wanted, Wanted::Token { .. }) {
            progress.warning(
                " the token itself goes into the cluster: whoever reads the Secret has all that it may do",
            );
        }
        progress.action(format!("applying source secret \"{name}\""));
        entries
            .write(&self.context.session()?, &self.settings.layout.sync.secret)
            .await?;
        progress.success("reconciled source secret");
        Ok(public_key)
    }

    /// Commits what the cluster follows, and applies it.
    async fn sync(&mut self) -> Result<Option<String>, CommandError> {
        let progress = self.context.progress;
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
        let objects = layout.build(&*tree, Some(remote_bases::fetcher()))?;
        Installer::new(&self.context.session()?)
            .apply(objects)
            .await?;
        progress.success("reconciled sync configuration");
        Ok(pushed(committed))
    }

    /// Waits until the cluster has the pushed commit, and reports every failure.
    async fn wait(&self) -> Result<String, CommandError> {
        let (context, progress) = (self.context, self.context.progress);
        let head = self
            .repository
            .head()
            .ok_or_else(|| CommandError::internal("nothing was committed"))?;
        let revision = revision(Some(&self.settings.layout.sync.branch), head);
        let namespace = context.namespace();
        let mut failures = Vec::new();
        for kind in ["GitRepository", "Kustomization"] {
            progress.waiting(format!(
                "waiting for {kind} \"{namespace}/{namespace}\" to be reconciled"
            ));
            match state::reconciled(context, kind, &revision, self.remaining()).await {
                Ok(()) => progress.success(format!("{kind} reconciled successfully")),
                Err(error) => {
                    progress.error(&error);
                    failures.push(error.message().to_owned());
                }
            }
        }
        progress.action("confirming components are healthy");
        let before = failures.len();
        let names = &self.settings.manifests.deployments;
        // All at once: what is left of the time is theirs together.
        let mut waits: FuturesOrdered<_> = names
            .iter()
            .map(|name| async move { (name, deployed(context, name, self.remaining()).await) })
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
        Err(CommandError::cluster(format!(
            "bootstrap failed with {} health check failure(s): [{}]",
            failures.len(),
            failures.join(", ")
        ))
        .hint("what was committed stays; run bootstrap again when the cause is gone"))
    }
}

/// The hint after an interrupted run.
const RESUMED: &str = "run bootstrap again: it goes on with what is missing";

/// The text of a proposal, below its title.
const PROPOSAL_TEXT: &str = "The manifests of the controllers and of what this cluster follows, \
    as `bootstrap` generated them. When they are merged, `bootstrap` is run again to install them.";

/// The message of the second commit.
const SYNC_SUBJECT: &str = "Add Flux sync manifests";

fn pushed(committed: Committed) -> Option<String> {
    match committed {
        Committed::UpToDate => None,
        Committed::Pushed(id) => Some(id.to_string()),
    }
}

/// Builds the folder with our files laid over it.
fn buildable(
    layout: &Layout,
    tree: &dyn sluice_kustomize::Fs,
    files: &Files,
) -> Result<(), sluice_lifecycle::Error> {
    let mut over = sluice_kustomize::fs::OverlayFs::new(tree);
    for (path, content) in files {
        over = over.with(std::path::Path::new("/").join(path), content.clone());
    }
    layout.build(&over, Some(remote_bases::fetcher()))?;
    Ok(())
}

/// Merges known hosts: the entries of the cluster, and the keys of this host if they lack it. Entries of
/// other hosts stay, because the cluster uses the old address until it follows the new one, and
/// submodules may have a third.
async fn known(
    (host, port): &(String, u16),
    pinned: Option<&str>,
    limit: Duration,
) -> Result<String, CommandError> {
    let pinned = pinned.unwrap_or_default();
    let is_known = is_host_known(pinned, host, *port).map_err(|error| {
        CommandError::cluster(format!(
            "the host keys in the source Secret cannot be read: {}",
            chain(&error)
        ))
        .hint(format!(
            "mend its entry known_hosts, or take it out: then {host} is asked for its key anew"
        ))
    })?;
    if is_known {
        return Ok(pinned.to_owned());
    }
    let scanned = scan_host_key(host, *port, limit).await;
    let scanned = scanned.map_err(|error| {
        CommandError::cluster(format!(
            "SSH key scan for host {host} failed: {}",
            chain(&error)
        ))
    })?;
    Ok(match pinned.trim_end() {
        "" => scanned,
        others => format!("{others}\n{scanned}"),
    })
}
