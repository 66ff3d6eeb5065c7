//! Performs the steps of an `ImageUpdateAutomation`: fetches, edits, commits and pushes.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use sluice_api::image::{ImageUpdateAutomation, reason as image_reason};
use sluice_api::meta::reason;
use sluice_client::typed::ResourceExt as _;
use sluice_dial::RemotePermit;
use sluice_engine::ready::Fault;
use sluice_engine::{Failure, Retry, Run};
use sluice_git::{
    Author, CheckoutStep, Draft, Error, ErrorKind, ExpectedTip, PackedCommit, Push, Reference,
    Remote, ResolvedReference, revision,
};
use sluice_golang::error::chain;
use sluice_images::message::{MessageError, TemplateData, render};
use sluice_images::tree::{Collector, TreeError, find_start};
use sluice_images::update::{FileFinding, Update, UpdateError, inside};
use sluice_system::blocking;

use super::ImageUpdateAutomationReconciler;
use super::model::{
    Base, Connection, Facts, FoundProposal, PushRecord, SourceObject, Step, StoredCommit,
};
use super::spec::Spec;

mod proposal;

/// Maximum number of pushes of one run. Other writers may push first each time.
const MAX_PUSHES: u32 = 5;
/// Maximum wait after a push that was overtaken, per attempt.
const OVERTAKEN_WAIT: Duration = Duration::from_millis(500);
/// Maximum number of bytes of the findings.
const MAX_FINDINGS_BYTES: usize = 2048;

const CONNECTED: &str = "the plan connects first";
const RESOLVED: &str = "the plan resolves before it fetches";
const FETCHED: &str = "the plan fetches before it edits";
const EDITED: &str = "the plan edits before it pushes";

/// Performs a step.
pub(super) async fn perform(
    reconciler: &ImageUpdateAutomationReconciler,
    step: Step,
    automation: &ImageUpdateAutomation,
    facts: &mut Facts,
    run: &Run<ImageUpdateAutomation>,
) -> Result<(), Fault> {
    let spec = facts.spec.as_ref().map_err(Clone::clone)?.clone();
    let source = facts.source.as_ref().map_err(Clone::clone)?.clone();
    let work = Work {
        reconciler,
        automation,
        spec,
        source,
        run,
    };
    match step {
        Step::Connect => facts.connection = Some(work.connect().await?),
        Step::Resolve => {
            let remote = &facts.connection.as_ref().expect(CONNECTED).remote;
            let resolving = work.resolve(remote, &work.source.source.reference);
            let resolved = run.release(Box::pin(resolving)).await;
            let resolved = resolved.map_err(|error| work.unresolved(&error, remote));
            facts.resolved = Some(resolved?);
        }
        Step::FindProposal => facts.found = Some(work.find_proposal(facts).await?),
        Step::Fetch => {
            let remote = &facts.connection.as_ref().expect(CONNECTED).remote;
            let resolved = facts.resolved.clone().expect(RESOLVED);
            let fetching = work.fetch(remote, resolved, facts.found.as_ref());
            let fetched = run.release(Box::pin(fetching)).await;
            let fetched =
                fetched.map_err(|error| work.not_checked_out(&error, remote, CheckoutStep::Clone));
            facts.base = Some(fetched?);
        }
        Step::Edit => {
            let tip = &facts.base.as_ref().expect(FETCHED).tip;
            let update = work.edit(facts, tip).await?;
            facts.findings = Some(text_of(&update.findings));
            facts.update = Some(update);
        }
        Step::Push => work.push(facts).await?,
        Step::Propose => facts.proposed = Some(work.propose(facts).await?),
        Step::Withdraw => facts.withdrawn = Some(work.withdraw().await),
        Step::StartAgain => {
            // Several writers must not try again at the same moment.
            let wait = OVERTAKEN_WAIT.mul_f64(fastrand::f64()) * facts.overtaken;
            run.release(tokio::time::sleep(wait)).await;
            facts.forget_remote();
        }
    }
    Ok(())
}

/// The inputs of all steps.
struct Work<'a> {
    reconciler: &'a ImageUpdateAutomationReconciler,
    automation: &'a ImageUpdateAutomation,
    spec: Spec,
    source: SourceObject,
    run: &'a Run<ImageUpdateAutomation>,
}

impl Work<'_> {
    /// The remote does not have the reference, or did not say so.
    fn unresolved(&self, error: &Error, remote: &Remote) -> Fault {
        let status = self.automation.status.as_ref();
        let is_observed = status.is_some_and(|status| status.observed_source_revision.is_some());
        let step = CheckoutStep::first(&self.source.source.reference, is_observed);
        self.not_checked_out(error, remote, step)
    }

    fn not_checked_out(&self, error: &Error, remote: &Remote, step: CheckoutStep) -> Fault {
        let reference = &self.source.source.reference;
        let cause = error.checkout_message(&remote.address, reference, step);
        git_failed("failed to checkout source", error, &cause)
    }

    async fn connect(&self) -> Result<Connection, Fault> {
        let now = self.run.started();
        let repositories = &self.reconciler.repositories;
        let remote = self.remote().await?;
        let namespace = self.automation.namespace().unwrap_or_default();
        let forge = match &self.source.pull_request {
            None => None,
            Some(wanted) => Some(repositories.forge(wanted, &remote, &namespace).await?),
        };
        let signing = repositories.signer(&namespace, &self.spec.git.commit, now);
        let signer = signing.await?;
        Ok(Connection {
            remote,
            signer,
            forge,
            _permit: self.permit().await,
        })
    }

    /// The remote with its credentials.
    async fn remote(&self) -> Result<Remote, Fault> {
        let SourceObject {
            repository, source, ..
        } = &self.source;
        let repositories = &self.reconciler.repositories;
        let remote = repositories.remote(repository, source, self.run.key());
        remote.await
    }

    /// Waits for the permit of the push branch. From here on the run gives its worker back.
    async fn permit(&self) -> RemotePermit {
        let source = &self.source.source;
        let branch = format!("{} {}", source.address, source.target.branch);
        let waiting = self.reconciler.permits.acquire(&branch);
        self.run.release(waiting).await
    }

    async fn resolve(
        &self,
        remote: &Remote,
        reference: &Reference,
    ) -> Result<ResolvedReference, Error> {
        let repositories = &self.reconciler.repositories;
        let resolved = repositories.git.resolve(remote, reference).await?;
        let store = repositories.stores.of(remote);
        store.break_tie(&repositories.git, remote, resolved).await
    }

    /// Fetches the commit to update: the head of the push branch, or that of the checkout.
    async fn fetch(
        &self,
        remote: &Remote,
        resolved: ResolvedReference,
        found: Option<&FoundProposal>,
    ) -> Result<Base, Error> {
        let repositories = &self.reconciler.repositories;
        let target = &self.source.source.target;
        let checkout = self.fetch_commit(remote, resolved).await?;
        let current = checkout.commit.id;
        let on_checkout = |expected| Base {
            tip: checkout.clone(),
            checkout: checkout.clone(),
            expected,
        };
        if !target.is_switched {
            return Ok(on_checkout(ExpectedTip::At(Some(current))));
        }
        let branch = Reference::Branch(target.branch.clone());
        let head = match self.resolve(remote, &branch).await {
            Ok(head) => head,
            Err(error) if error.kind() == ErrorKind::NotFound => {
                return Ok(on_checkout(ExpectedTip::At(None)));
            }
            Err(error) => return Err(error),
        };
        let gates = self.reconciler.gates;
        let git = &repositories.git;
        if !gates.all_branches {
            if gates.force {
                return Ok(on_checkout(ExpectedTip::Any));
            }
            // A push that is not forced loses no commits of the branch.
            let is_behind = git.is_ancestor(remote, current, head.commit).await?;
            let tip = if is_behind { head.commit } else { current };
            return Ok(on_checkout(ExpectedTip::At(Some(tip))));
        }
        let expected = ExpectedTip::At(Some(head.commit));
        // A branch that was merged goes on from the branch that contains it.
        let is_merged = head.commit == current
            || git.is_ancestor(remote, current, head.commit).await?
                && !git.is_ancestor(remote, head.commit, current).await?;
        if is_merged {
            return Ok(on_checkout(expected));
        }
        let tip = self.fetch_commit(remote, head).await?;
        // Without an open pull request, the commits of the branch were squashed or refused. A
        // single commit on the checkout stays: its pull request is opened by the next step.
        let is_ended = found.is_some_and(|found| found.open.is_none());
        if is_ended && gates.force && tip.commit.parents != [current] {
            return Ok(on_checkout(expected));
        }
        Ok(Base {
            tip,
            checkout,
            expected,
        })
    }

    /// Fetches a commit. With the gate, other files than those below the path may be missing.
    async fn fetch_commit(
        &self,
        remote: &Remote,
        resolved: ResolvedReference,
    ) -> Result<StoredCommit, Error> {
        let repositories = &self.reconciler.repositories;
        let git = &repositories.git;
        let Some(path) = self.sparse_path() else {
            let store = repositories.stores.of(remote);
            let commit = store.fetch(git, remote, &resolved).await?.commit;
            return Ok(StoredCommit { commit, store });
        };
        // A link on the way to the path is read, too.
        let is_wanted = move |file: &Path| file.starts_with(&path) || path.starts_with(file);
        let fetching = repositories
            .stores
            .fetch_part(git, remote, resolved, is_wanted);
        let (store, fetched) = fetching.await?;
        let commit = fetched.commit;
        Ok(StoredCommit { commit, store })
    }

    /// The path whose files are fetched, if not all are.
    fn sparse_path(&self) -> Option<PathBuf> {
        let path = inside(&self.spec.path);
        let is_sparse = self.reconciler.gates.sparse && !path.as_os_str().is_empty();
        is_sparse.then_some(path)
    }

    /// Edits the files of a commit, on a blocking thread.
    async fn edit(&self, facts: &Facts, tip: &StoredCommit) -> Result<Update, Fault> {
        let images = facts.images.as_ref().map_err(Clone::clone)?;
        let StoredCommit { commit, store } = tip;
        let failed = |error: TreeError| {
            let message = format!("failed to apply policies: {}", chain(&error));
            Fault::retried(image_reason::UPDATE_FAILED, message)
        };
        let submodules = sluice_git::Submodules::default();
        let snapshot = store.snapshot(commit, &submodules).await;
        let snapshot = Arc::new(snapshot.map_err(|error| failed(error.into()))?);
        let (shared, path) = (Arc::clone(&snapshot), self.spec.path.clone());
        let start = blocking(move || find_start(&shared, &path))
            .await
            .map_err(failed)?;
        let collector = match self.sparse_path() {
            None => Collector::new(start),
            Some(path) if start == path => Collector::sparse(start),
            // The path is a link to files that are not fetched.
            Some(_) => {
                let missing = UpdateError::Missing(self.spec.path.clone());
                return Err(failed(missing.into()));
            }
        };
        let walking = store.walk(commit, collector);
        let collected = walking.await.map_err(|error| failed(error.into()))?;
        let setters = Arc::clone(&images.setters);
        let editing = blocking(move || {
            let files = collected.finish(&snapshot)?;
            Ok(files.update(&setters))
        });
        editing.await.map_err(failed)
    }

    /// Commits the edited files and pushes the commit.
    async fn push(&self, facts: &mut Facts) -> Result<(), Fault> {
        let update = facts.update.as_ref().expect(EDITED);
        let base = facts.base.as_ref().expect(FETCHED);
        let connection = facts.connection.as_ref().expect(CONNECTED);
        let message = self.message(update).await?;
        let author = &self.spec.git.commit.author;
        let draft = Draft {
            files: update.files.clone(),
            author: Author {
                name: author.name.clone().unwrap_or_default(),
                email: author.email.clone(),
            },
            seconds: self.run.times().now.as_second(),
            message: message.clone(),
        };
        let StoredCommit { commit, store } = &base.tip;
        let drafting = store.draft(Some(commit), draft, connection.signer.clone());
        let commit = drafting.await.map_err(|error| not_updated(&error))?;
        let Some(commit) = commit else {
            // The files are already as the edits want them.
            facts.update = Some(Update::default());
            return Ok(());
        };
        let pushing = self.push_commit(&connection.remote, base.expected, &commit);
        match self.run.release(Box::pin(pushing)).await {
            Ok(()) => {}
            Err(error) if error.kind() == ErrorKind::Moved && facts.overtaken < MAX_PUSHES - 1 => {
                tracing::info!(error = %chain(&error), "another writer pushed first");
                self.reconciler.metrics.count_retry();
                facts.overtaken += 1;
                facts.is_overtaken = true;
                return Ok(());
            }
            Err(error) => return Err(not_updated(&error)),
        }
        self.reconciler.metrics.count_push(update.files.len());
        let target = &self.source.source.target;
        facts.pushed = Some(PushRecord {
            commit: commit.id.to_string(),
            revision: revision(Some(&target.branch), commit.id),
            message,
        });
        Ok(())
    }

    /// Pushes a commit to the branch, then to the refspec.
    async fn push_commit(
        &self,
        remote: &Remote,
        expected: ExpectedTip,
        commit: &PackedCommit,
    ) -> Result<(), Error> {
        let git = &self.reconciler.repositories.git;
        let target = &self.source.source.target;
        let options = target.options.iter();
        let options: Vec<String> = options
            .map(|(key, value)| format!("{key}={value}"))
            .collect();
        let branch = format!("refs/heads/{}", target.branch);
        let push = Push {
            reference: branch.clone(),
            expected,
            options: options.clone(),
        };
        // Checked first, so that the branch is not pushed without the refspec.
        let second = match target.refspec_destination() {
            Some(destination) if destination != branch => Some(Push {
                expected: self.fast_forward(remote, &destination, commit).await?,
                reference: destination,
                options,
            }),
            _ => None,
        };
        git.push_reference(remote, &push, commit).await?;
        match second {
            Some(push) => git.push_reference(remote, &push, commit).await,
            None => Ok(()),
        }
    }

    /// The state of a reference that loses no commits by a push of a new commit.
    async fn fast_forward(
        &self,
        remote: &Remote,
        reference: &str,
        commit: &PackedCommit,
    ) -> Result<ExpectedTip, Error> {
        let git = &self.reconciler.repositories.git;
        let refs = git.ls_refs(remote, &[reference.to_owned()]).await?;
        let Some(found) = refs.find(reference) else {
            return Ok(ExpectedTip::At(None));
        };
        let tip = found.commit();
        if let Some(parent) = commit.parent
            && (tip == parent || git.is_ancestor(remote, parent, tip).await?)
        {
            return Ok(ExpectedTip::At(Some(found.target)));
        }
        Err(Error::Refused {
            remote: remote.address.to_string(),
            branch: reference.to_owned(),
            reason: format!("it is at {tip}, and a refspec is not forced"),
            message: String::new(),
        })
    }

    /// Renders the commit message.
    async fn message(&self, update: &Update) -> Result<String, Fault> {
        let template = self.spec.git.commit.message_template.clone();
        self.render(template.unwrap_or_default(), update).await
    }

    /// Renders a template with the data of commit messages, on a blocking thread.
    async fn render(&self, template: String, update: &Update) -> Result<String, Fault> {
        let values = self.spec.git.commit.message_template_values.clone();
        let namespace = self.automation.namespace().unwrap_or_default();
        let (name, changed) = (self.automation.name_any(), update.result.clone());
        let rendering = blocking(move || {
            let data = TemplateData {
                namespace: &namespace,
                name: &name,
                changed: &changed,
                values: &values,
            };
            render(&template, &data)
        });
        rendering.await.map_err(|error| match error {
            MessageError::RemovedField { .. } => {
                Fault::stalled(image_reason::REMOVED_TEMPLATE_FIELD, error.to_string())
            }
            error => {
                let message = format!("failed to update source: {error}");
                Fault::retried(reason::GIT_OPERATION_FAILED, message)
            }
        })
    }
}

fn not_updated(error: &Error) -> Fault {
    git_failed("failed to update source", error, &chain(error))
}

fn git_failed(action: &str, error: &Error, cause: &str) -> Fault {
    let retry = error.retry_after().map_or(Retry::Backoff, Retry::After);
    let message = format!("{action}: {cause}");
    Fault(Failure::message(
        reason::GIT_OPERATION_FAILED,
        retry,
        message,
    ))
}

/// The problems at markers, without the usual findings.
fn text_of(findings: &[FileFinding]) -> String {
    let mut text = String::new();
    for finding in findings {
        if finding.is_usual() {
            continue;
        }
        let line = format!("{}: {}\n", finding.path, finding.problem);
        if text.len() + line.len() > MAX_FINDINGS_BYTES {
            text.push_str("…\n");
            break;
        }
        text.push_str(&line);
    }
    text.trim_end().to_owned()
}
