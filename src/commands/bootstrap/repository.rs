//! The repository: a clone in a folder that only we may read and that goes with the command,
//! commits made in memory, and pushes that are tried again when somebody else was faster.

use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use sluice_git::{
    Access, Author, Client, Commit, Draft, Error, ErrorKind, Limits, ObjectId, PackedCommit,
    Reference, Remote, ResolvedReference, Signer, SshAlgorithms, Store, Stores, Submodules,
};
use sluice_kustomize::Fs;
use sluice_kustomize::fs::MemFs;
use sluice_system::{Clock as _, SystemClock};
use sluice_trees::GitFs;
use tempfile::TempDir;

use super::layout::Files;
use crate::commands::private_folder;
use crate::error::CommandError;
use crate::output::Progress;

/// How often a push is tried.
const TRIES: usize = 3;

/// How long a host that did not answer is left alone.
const PATIENCE: Duration = Duration::from_secs(2);

/// Who commits, and what stands below each message.
pub(super) struct Committer {
    pub(super) author: Author,
    pub(super) appendix: Option<String>,
    pub(super) signer: Option<Signer>,
}

pub(super) struct Repository {
    client: Client,
    remote: Remote,
    branch: String,
    /// As it was typed, for messages.
    url: String,
    store: Store,
    /// Where not all files are cloned.
    sparse: Option<Sparse>,
    head: Option<Commit>,
    progress: Progress,
    /// Goes with the command.
    directory: TempDir,
}

/// A clone of some folders alone, from a server that can give them.
struct Sparse {
    stores: Stores,
    folders: Arc<[PathBuf]>,
}

/// What became of files that were to be committed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Committed {
    UpToDate,
    Pushed(ObjectId),
}

impl Repository {
    /// Clones the branch. A repository without commits is as good: ours is the first.
    pub(super) async fn cloned(mut self) -> Result<Self, CommandError> {
        let (progress, branch, url) = (self.progress, &self.branch, &self.url);
        progress.action(format!(
            "cloning branch \"{branch}\" from Git repository \"{url}\""
        ));
        self.look().await?;
        progress.success("cloned repository");
        Ok(self)
    }

    /// The same of nothing but some folders, where the server can do so.
    pub(super) fn sparse(mut self, folders: impl Iterator<Item = PathBuf>) -> Self {
        let plain = |folder: PathBuf| {
            let parts = folder.components();
            let parts = parts.filter(|part| matches!(part, Component::Normal(_)));
            parts.collect::<PathBuf>()
        };
        let below = self.directory.path().join("stores");
        self.sparse = Some(Sparse {
            stores: Stores::new(below, u64::MAX, Limits::default()),
            folders: folders.map(plain).collect(),
        });
        self
    }

    /// The repository as if it had no commit, without asking anybody.
    pub(super) fn unseen(
        remote: Remote,
        branch: &str,
        url: &str,
        algorithms: SshAlgorithms,
        progress: Progress,
    ) -> Result<Self, CommandError> {
        let http = Arc::new(crate::registry::http_clients());
        let directory = private_folder("flux-bootstrap-")?;
        Ok(Self {
            client: Client::new(http).with_ssh_algorithms(algorithms),
            store: Store::at(directory.path().join("objects"), Limits::default()),
            branch: branch.to_owned(),
            url: url.to_owned(),
            sparse: None,
            head: None,
            remote,
            progress,
            directory,
        })
    }

    /// Commits files on top of the branch, and pushes the commit as a branch of its own. One of
    /// that name that is there stays: its name tells what is in it.
    pub(super) async fn offer(
        &self,
        name: &str,
        subject: &str,
        committer: &Committer,
        files: Files,
    ) -> Result<(), CommandError> {
        let drafted = self.draft("manifests", subject, committer, files).await?;
        let Some(drafted) = drafted else {
            return Ok(());
        };
        let progress = self.progress;
        progress.success(format!("committed manifests (\"{}\")", drafted.id));
        progress.action(format!("pushing manifests to branch \"{name}\""));
        match self.client.push_new(&self.remote, name, &drafted).await {
            Err(error) if error.kind() == ErrorKind::Moved => Ok(()),
            pushed => pushed.map_err(|error| told(&error).while_doing("failed to push manifests")),
        }
    }

    /// Fetches what the branch is at now.
    pub(super) async fn look(&mut self) -> Result<(), CommandError> {
        let by_agent = matches!(self.remote.access, Access::Agent(_));
        let failed = |error: &Error| {
            let told = told(error).while_doing("failed to clone repository");
            match error.kind() {
                ErrorKind::Invalid | ErrorKind::Authentication if by_agent => {
                    told.hint("ssh-add adds a key to the agent, and --private-key-file names one that is used in its place")
                }
                _ => told,
            }
        };
        match self.fetch().await {
            Err(error) if error.kind() == ErrorKind::Network => {
                let reason = sluice_golang::error::chain(&error);
                self.progress.warning(format!(" clone failure: {reason}"));
                tokio::time::sleep(PATIENCE).await;
                self.fetch().await.map_err(|error| failed(&error))
            }
            fetched => fetched.map_err(|error| failed(&error)),
        }
    }

    async fn fetch(&mut self) -> Result<(), Error> {
        let branch = Reference::Branch(self.branch.clone());
        self.head = match self.client.resolve(&self.remote, &branch).await {
            Ok(resolved) => Some(self.commit_of(resolved).await?),
            Err(error) if error.kind() == ErrorKind::Empty => None,
            Err(error) => return Err(error),
        };
        Ok(())
    }

    async fn commit_of(&mut self, resolved: ResolvedReference) -> Result<Commit, Error> {
        let (client, remote) = (&self.client, &self.remote);
        let Some(Sparse { stores, folders }) = &self.sparse else {
            return Ok(self.store.fetch(client, remote, &resolved).await?.commit);
        };
        let folders = Arc::clone(folders);
        let wanted = move |path: &Path| folders.iter().any(|folder| path.starts_with(folder));
        let (store, fetched) = stores.fetch_part(client, remote, resolved, wanted).await?;
        self.store = store;
        Ok(fetched.commit)
    }

    /// The tree of the branch.
    pub(super) async fn tree(&self) -> Result<Box<dyn Fs>, CommandError> {
        let Some(head) = &self.head else {
            return Ok(Box::new(MemFs::new()));
        };
        let snapshot = self.store.snapshot(head, &Submodules::default()).await;
        let snapshot = snapshot.map_err(|error| told(&error))?;
        Ok(Box::new(GitFs::new(snapshot, self.url.clone())))
    }

    /// The commit that the branch is at.
    pub(super) fn head(&self) -> Option<ObjectId> {
        self.head.as_ref().map(|head| head.id)
    }

    /// A commit of files on top of what is known of the branch; none if it has them.
    async fn draft(
        &self,
        what: &str,
        subject: &str,
        committer: &Committer,
        files: Files,
    ) -> Result<Option<PackedCommit>, CommandError> {
        let draft = Draft {
            files,
            author: committer.author.clone(),
            seconds: SystemClock.now().as_second(),
            message: super::layout::message(subject, committer.appendix.as_deref()),
        };
        let signer = committer.signer.clone();
        let drafted = self.store.draft(self.head.as_ref(), draft, signer).await;
        drafted.map_err(|error| told(&error).while_doing(format!("failed to commit {what}")))
    }

    /// Commits files and pushes the commit: on what the branch is at then, if it moves meanwhile.
    pub(super) async fn commit(
        &mut self,
        what: &str,
        subject: &str,
        committer: &Committer,
        files: impl Fn(&dyn Fs) -> Result<Files, CommandError>,
    ) -> Result<Committed, CommandError> {
        let progress = self.progress;
        let mut tries = 0;
        loop {
            tries += 1;
            let files = files(&*self.tree().await?)?;
            let drafted = self.draft(what, subject, committer, files).await?;
            let Some(drafted) = drafted else {
                progress.success(format!("{what} are up to date"));
                return Ok(Committed::UpToDate);
            };
            let (branch, id) = (&self.branch, drafted.id);
            progress.success(format!("committed {what} to \"{branch}\" (\"{id}\")"));
            progress.action(format!("pushing {what} to \"{}\"", self.url));
            match self.client.push(&self.remote, branch, &drafted).await {
                Ok(()) => {
                    let pushed = ResolvedReference {
                        label: Some(branch.clone()),
                        want: id,
                        commit: id,
                        ties: Vec::new(),
                    };
                    let commit = self.commit_of(pushed).await;
                    self.head = Some(commit.map_err(|error| told(&error))?);
                    return Ok(Committed::Pushed(id));
                }
                Err(error) if error.kind() == ErrorKind::Moved && tries < TRIES => {
                    progress.waiting("git conflict detected, retrying with a fresh clone");
                    self.look().await?;
                }
                Err(error) => {
                    return Err(told(&error).while_doing(format!("failed to push {what}")));
                }
            }
        }
    }
}

/// What a remote refused, in words, with the next thing to try.
fn told(error: &Error) -> CommandError {
    let said = CommandError::cluster(sluice_golang::error::chain(error));
    match error.kind() {
        ErrorKind::Authentication => {
            said.hint("the credentials have to be good for reading and for writing")
        }
        ErrorKind::HostKey => said.hint(
            "if the host has a new key, take known_hosts out of the Secret of --secret-name",
        ),
        ErrorKind::Refused => said.hint(
            "where the branch is protected, let this user push to it, or propose the change with --pull-request of a host with an API",
        ),
        ErrorKind::NotFound => said.hint(
            "the repository has to exist, with that branch or without any commit; hosts also hide what a user may not see",
        ),
        ErrorKind::Network if speaks_of_certificates(error) => {
            said.hint("--ca-file names the authority that signed the host's certificate")
        }
        _ => said,
    }
}

fn speaks_of_certificates(error: &Error) -> bool {
    let text = error.to_string().to_lowercase();
    text.contains("certificate") || text.contains("unknownissuer")
}

/// Writes files below a folder.
pub(super) fn export(files: &Files, folder: &Path) -> Result<(), CommandError> {
    for (path, content) in files {
        let path = folder.join(path);
        if let Some(parent) = path.parent() {
            sluice_system::fs::create_dir_all(parent)
                .map_err(|error| CommandError::user(sluice_golang::error::chain(&error)))?;
        }
        sluice_system::fs::write_atomically(&path, content)
            .map_err(|error| CommandError::user(sluice_golang::error::chain(&error)))?;
    }
    Ok(())
}
