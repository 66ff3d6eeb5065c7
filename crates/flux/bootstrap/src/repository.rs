//! The repository: a private temporary clone, commits in memory, and pushes that are retried
//! after a conflict.

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use sluice_dial::HttpClients;
use sluice_git::{
    Access, Author, Client, Commit, Draft, Error as GitError, ErrorKind, Limits, ObjectId,
    PackedCommit, Reference, Remote, ResolvedReference, Signer, SshAlgorithms, Store, Stores,
    Submodules,
};
use sluice_kustomize::Fs;
use sluice_kustomize::fs::MemFs;
use sluice_lifecycle::{Error, Reporter};
use sluice_system::{Clock as _, SystemClock};
use sluice_trees::GitFs;
use tempfile::TempDir;

use crate::layout::Files;

/// Attempts of a push.
const MAX_ATTEMPTS: usize = 3;

/// The pause before a second attempt to clone.
const RETRY_PAUSE: Duration = Duration::from_secs(2);

/// The author of commits.
pub(crate) struct Committer {
    /// The author.
    pub(crate) author: Author,
    /// The text below each message.
    pub(crate) appendix: Option<String>,
    /// Signs commits.
    pub(crate) signer: Option<Signer>,
}

/// A clone of the repository.
pub(crate) struct Repository<'r> {
    client: Client,
    remote: Remote,
    branch: String,
    /// The URL for messages.
    url: String,
    store: Store,
    /// The directories of a partial clone.
    sparse: Option<Sparse>,
    head: Option<Commit>,
    progress: Reporter<'r>,
    /// The clone is removed with this value.
    directory: TempDir,
}

/// A clone of some directories, if the server supports it.
struct Sparse {
    stores: Stores,
    folders: Arc<[PathBuf]>,
}

/// The result of a commit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CommitResult {
    /// The branch has the files.
    UpToDate,
    /// A commit was pushed.
    Pushed(ObjectId),
}

impl<'r> Repository<'r> {
    /// Clones the branch; the repository may be empty.
    pub(crate) async fn cloned(mut self) -> Result<Self, Error> {
        let (progress, branch, url) = (self.progress, &self.branch, &self.url);
        progress.action(format!(
            "cloning branch \"{branch}\" from Git repository \"{url}\""
        ));
        self.fetch_tip().await?;
        progress.success("cloned repository");
        Ok(self)
    }

    /// Limits the clone to some directories, if the server supports it.
    #[must_use]
    pub(crate) fn sparse(mut self, folders: impl Iterator<Item = PathBuf>) -> Self {
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

    /// The repository before any request.
    pub(crate) fn unseen(
        remote: Remote,
        branch: &str,
        url: &str,
        algorithms: SshAlgorithms,
        http: Arc<HttpClients>,
        progress: Reporter<'r>,
    ) -> Result<Self, Error> {
        // Other users must not read the clone, whatever the umask is.
        let directory = tempfile::Builder::new()
            .prefix("flux-bootstrap-")
            .permissions(std::fs::Permissions::from_mode(0o700))
            .tempdir()
            .map_err(|error| Error::user(error.to_string()))?;
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

    /// Commits files on top of the branch and pushes them as a new branch. An existing branch of
    /// that name stays if it has these changes only.
    pub(crate) async fn offer(
        &mut self,
        name: &str,
        subject: &str,
        committer: &Committer,
        files: Files,
    ) -> Result<(), Error> {
        let drafted = self.draft("manifests", subject, committer, files.clone());
        let Some(drafted) = drafted.await? else {
            return Ok(());
        };
        let progress = self.progress;
        progress.success(format!("committed manifests (\"{}\")", drafted.id));
        progress.action(format!("pushing manifests to branch \"{name}\""));
        match self.client.push_new(&self.remote, name, &drafted).await {
            Err(error) if error.kind() == ErrorKind::Moved => {
                self.check_offer(name, committer, files).await
            }
            pushed => {
                pushed.map_err(|error| refusal(&error).while_doing("failed to push manifests"))
            }
        }
    }

    /// Checks that an existing branch adds these files, and nothing else. Its name is predictable,
    /// so any user who may push could have created it with other content.
    pub(crate) async fn check_offer(
        &mut self,
        name: &str,
        committer: &Committer,
        files: Files,
    ) -> Result<(), Error> {
        match self.is_offer(name, committer, files).await {
            Ok(true) => Ok(()),
            Ok(false) => Err(Error::user(format!(
                "branch \"{name}\" exists, and its changes are not the generated manifests"
            ))
            .hint("review the branch, delete it at the host, and run bootstrap again")),
            Err(error) => {
                let doing = format!("failed to compare branch \"{name}\" with the manifests");
                Err(refusal(&error).while_doing(doing))
            }
        }
    }

    /// Whether a branch is one commit of these files, on top of a commit of the branch.
    async fn is_offer(
        &mut self,
        name: &str,
        committer: &Committer,
        files: Files,
    ) -> Result<bool, GitError> {
        let Some(head) = self.head.clone() else {
            return Ok(false);
        };
        let branch = Reference::Branch(name.to_owned());
        let resolved = self.client.resolve(&self.remote, &branch).await?;
        let offered = self.commit_of(resolved).await?;
        let [base] = offered.parents[..] else {
            return Ok(false);
        };
        let base = if base == head.id {
            head
        } else {
            let (client, remote) = (&self.client, &self.remote);
            if !client.is_ancestor(remote, head.id, base).await? {
                return Ok(false);
            }
            self.commit_of(resolved_commit(None, base)).await?
        };
        let draft = Draft {
            files,
            author: committer.author.clone(),
            seconds: 0,
            message: String::new(),
        };
        let drafted = self.store.draft(Some(&base), draft, None).await?;
        Ok(drafted.is_some_and(|drafted| drafted.tree == offered.tree))
    }

    /// Fetches the branch.
    pub(crate) async fn fetch_tip(&mut self) -> Result<(), Error> {
        let by_agent = matches!(self.remote.access, Access::Agent(_));
        let failed = |error: &GitError| {
            let refused = refusal(error).while_doing("failed to clone repository");
            match error.kind() {
                ErrorKind::Invalid | ErrorKind::Authentication if by_agent => {
                    refused.hint("add a key with ssh-add, or set --private-key-file")
                }
                _ => refused,
            }
        };
        match self.fetch().await {
            Err(error) if error.kind() == ErrorKind::Network => {
                let reason = sluice_golang::error::chain(&error);
                self.progress.warning(format!(" clone failure: {reason}"));
                tokio::time::sleep(RETRY_PAUSE).await;
                self.fetch().await.map_err(|error| failed(&error))
            }
            fetched => fetched.map_err(|error| failed(&error)),
        }
    }

    async fn fetch(&mut self) -> Result<(), GitError> {
        let branch = Reference::Branch(self.branch.clone());
        self.head = match self.client.resolve(&self.remote, &branch).await {
            Ok(resolved) => Some(self.commit_of(resolved).await?),
            Err(error) if error.kind() == ErrorKind::Empty => None,
            Err(error) => return Err(error),
        };
        Ok(())
    }

    async fn commit_of(&mut self, resolved: ResolvedReference) -> Result<Commit, GitError> {
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
    pub(crate) async fn tree(&self) -> Result<Box<dyn Fs>, Error> {
        let Some(head) = &self.head else {
            return Ok(Box::new(MemFs::new()));
        };
        let snapshot = self.store.snapshot(head, &Submodules::default()).await;
        let snapshot = snapshot.map_err(|error| refusal(&error))?;
        Ok(Box::new(GitFs::new(snapshot, self.url.clone())))
    }

    /// The head of the branch.
    pub(crate) fn head(&self) -> Option<ObjectId> {
        self.head.as_ref().map(|head| head.id)
    }

    /// A commit of files on top of the branch; `None` if the branch has them.
    async fn draft(
        &self,
        what: &str,
        subject: &str,
        committer: &Committer,
        files: Files,
    ) -> Result<Option<PackedCommit>, Error> {
        let draft = Draft {
            files,
            author: committer.author.clone(),
            seconds: SystemClock.now().as_second(),
            message: crate::layout::message(subject, committer.appendix.as_deref()),
        };
        let signer = committer.signer.clone();
        let drafted = self.store.draft(self.head.as_ref(), draft, signer).await;
        drafted.map_err(|error| refusal(&error).while_doing(format!("failed to commit {what}")))
    }

    /// Commits files and pushes the commit; after a conflict, on top of the new head.
    pub(crate) async fn commit(
        &mut self,
        what: &str,
        subject: &str,
        committer: &Committer,
        files: impl Fn(&dyn Fs) -> Result<Files, Error>,
    ) -> Result<CommitResult, Error> {
        let progress = self.progress;
        let mut tries = 0;
        loop {
            tries += 1;
            let files = files(&*self.tree().await?)?;
            let drafted = self.draft(what, subject, committer, files).await?;
            let Some(drafted) = drafted else {
                progress.success(format!("{what} are up to date"));
                return Ok(CommitResult::UpToDate);
            };
            let (branch, id) = (&self.branch, drafted.id);
            progress.success(format!("committed {what} to \"{branch}\" (\"{id}\")"));
            progress.action(format!("pushing {what} to \"{}\"", self.url));
            match self.client.push(&self.remote, branch, &drafted).await {
                Ok(()) => {
                    let pushed = resolved_commit(Some(branch.clone()), id);
                    let commit = self.commit_of(pushed).await;
                    self.head = Some(commit.map_err(|error| refusal(&error))?);
                    return Ok(CommitResult::Pushed(id));
                }
                Err(error) if error.kind() == ErrorKind::Moved && tries < MAX_ATTEMPTS => {
                    progress.wait("git conflict detected, retrying with a fresh clone");
                    self.fetch_tip().await?;
                }
                Err(error) => {
                    return Err(refusal(&error).while_doing(format!("failed to push {what}")));
                }
            }
        }
    }
}

/// A commit that needs no look-up.
fn resolved_commit(label: Option<String>, id: ObjectId) -> ResolvedReference {
    ResolvedReference {
        label,
        want: id,
        commit: id,
        ties: Vec::new(),
    }
}

/// The error of a remote, with a hint.
fn refusal(error: &GitError) -> Error {
    let refused = Error::cluster(sluice_golang::error::chain(error));
    match error.kind() {
        ErrorKind::Authentication => refused.hint("the credentials must allow reading and writing"),
        ErrorKind::HostKey => refused
            .hint("if the host has a new key, remove known_hosts from the Secret of --secret-name"),
        ErrorKind::Refused => refused
            .hint("if the branch is protected, allow this user to push, or use --pull-request"),
        ErrorKind::NotFound => refused
            .hint("create the repository, or check the access: hosts hide private repositories"),
        ErrorKind::Network if is_about_certificates(error) => {
            refused.hint("set --ca-file to the certificate of the host's authority")
        }
        _ => refused,
    }
}

fn is_about_certificates(error: &GitError) -> bool {
    let text = error.to_string().to_lowercase();
    text.contains("certificate") || text.contains("unknownissuer")
}

/// Writes files below a directory.
pub(crate) fn export(files: &Files, folder: &Path) -> Result<(), Error> {
    for (path, content) in files {
        let path = folder.join(path);
        if let Some(parent) = path.parent() {
            sluice_system::fs::create_dir_all(parent)
                .map_err(|error| Error::user(sluice_golang::error::chain(&error)))?;
        }
        sluice_system::fs::write_atomically(&path, content)
            .map_err(|error| Error::user(sluice_golang::error::chain(&error)))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests;
