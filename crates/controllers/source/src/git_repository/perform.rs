//! Performs the steps of a `GitRepository`: reads, fetches, verifies and packs.

use std::error::Error;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use sluice_api::Artifact;
use sluice_api::meta::reason;
use sluice_api::source::GitRepository;
use sluice_artifact::deflate::GzipWriter;
use sluice_artifact::storage::Storage;
use sluice_engine::{Failure, ObjectKey, Retry, Run};
use sluice_git::{
    CheckoutStep, Client, ErrorKind, Remote, ResolvedReference, Stores, Submodules, TrustedKeys,
};
use sluice_golang::GoDuration;
use sluice_golang::error::chain;
use sluice_producer::{KindStorage, StorageFailure, archive_failure, failure, store_failure};
use sluice_system::blocking;

use super::checkout::{Checkout as Walk, Sink};
use super::model::{Checkout, Facts, Inputs, NewArtifact, Step};
use super::overlay::{self, Overlay};
use super::pack::{self, IgnoreFiles, Packer, Survey};
use super::spec::{Include, Spec};
use super::verify::{self, Evidence};
use super::{GitClients, GitRepositoryKind, observe};
use crate::fault::Fault;
use crate::reconcile::Perform;

/// Time limit of an archive, unless `spec.timeout` is longer.
const MIN_PACK_LIMIT: Duration = Duration::from_mins(5);
/// A link of old Flux versions, without readers.
const STALE_LINK: &str = "latest.tar.gz";

impl Perform for GitRepositoryKind {
    async fn perform(
        &self,
        step: Step,
        object: &GitRepository,
        spec: &Spec,
        facts: &mut Facts,
        run: &Run<GitRepository>,
    ) -> Result<(), Fault> {
        match step {
            Step::Connect => facts.remote = Some(self.connect(object, spec, run).await?),
            Step::ReadInputs => facts.inputs = Some(self.read_inputs(object, spec, run).await?),
            Step::Resolve => {
                facts.resolved = Some(self.resolve(object, spec, facts, run).await?);
            }
            Step::Fetch => facts.checkout = Some(self.fetch(spec, facts, run).await?),
            Step::Verify => facts.verified = Some(self.verify(spec, facts, run).await?),
            Step::Pack { .. } => facts.packed = Some(self.pack(object, spec, facts, run).await?),
        }
        Ok(())
    }
}

impl GitRepositoryKind {
    /// Reads the Secrets. From here on the run waits for the remote and gives its worker back.
    async fn connect(
        &self,
        object: &GitRepository,
        spec: &Spec,
        run: &Run<GitRepository>,
    ) -> Result<Remote, Fault> {
        let connecting = observe::remote(&self.context, object, spec);
        // The parts of a TLS client are large.
        run.release(Box::pin(connecting)).await
    }

    async fn read_inputs(
        &self,
        object: &GitRepository,
        spec: &Spec,
        run: &Run<GitRepository>,
    ) -> Result<Inputs, Fault> {
        let included = observe::included(&self.context, object, spec).await?;
        let keys = observe::keys(&self.context.secrets, object, spec).await?;
        let are_verified = |keys| self.verified_keys.contains(run.key(), keys);
        Ok(Inputs {
            included,
            keys_changed: keys.as_ref().is_some_and(|keys| !are_verified(keys)),
            keys,
        })
    }

    async fn resolve(
        &self,
        object: &GitRepository,
        spec: &Spec,
        facts: &Facts,
        run: &Run<GitRepository>,
    ) -> Result<ResolvedReference, Fault> {
        let (git, remote) = (&self.context.clients.git, facts.remote());
        let is_prompt = run.cause().is_prompt();
        let resolving = self
            .references
            .resolve(git, remote, &spec.reference, is_prompt);
        let resolved = run.release(resolving).await;
        let status = object.status.as_ref();
        let is_observed = status.is_some_and(|status| status.artifact.is_some());
        let step = CheckoutStep::first(&spec.reference, is_observed);
        resolved.map_err(|error| observe::refused(&error, spec, step))
    }

    async fn fetch(
        &self,
        spec: &Spec,
        facts: &Facts,
        run: &Run<GitRepository>,
    ) -> Result<Arc<Checkout>, Fault> {
        let GitClients { git, stores, .. } = &self.context.clients;
        let stores = stores.for_group(run.key().namespace());
        let resolved = facts.resolved.clone();
        let resolved = resolved.expect("the plan resolves before it fetches");
        // Boxed: the future of a fetch is large, and fetches are rare.
        let fetching = Box::pin(fetch(git, &stores, spec, facts.remote(), resolved));
        let checkout = run.release(fetching).await?;
        check_sparse(spec, &checkout).await?;
        Ok(Arc::new(checkout))
    }

    async fn verify(
        &self,
        spec: &Spec,
        facts: &Facts,
        run: &Run<GitRepository>,
    ) -> Result<String, Fault> {
        let keys = facts.inputs.as_ref();
        let keys = keys.and_then(|inputs| inputs.keys.as_ref());
        let keys = keys.expect("the plan verifies with keys only");
        // Until verification succeeds with these keys, no earlier keys count as verified.
        self.verified_keys.forget(run.key());
        let message = verify(spec, facts.checkout(), keys, run.started()).await?;
        self.verified_keys.record(run.key(), keys.clone());
        Ok(message)
    }

    async fn pack(
        &self,
        object: &GitRepository,
        spec: &Spec,
        facts: &Facts,
        run: &Run<GitRepository>,
    ) -> Result<NewArtifact, Fault> {
        let source_storage = &self.context.source_storage;
        let included = facts.inputs.as_ref().map(|inputs| inputs.included.clone());
        let included = included.unwrap_or_default();
        let (checkout, now) = (facts.checkout(), run.started());
        let packing = pack(source_storage, object, spec, checkout, included, now);
        let limit = spec.timeout.max(MIN_PACK_LIMIT);
        match tokio::time::timeout(limit, packing).await {
            Ok(packed) => packed,
            Err(_) => Err(pack_timeout(limit)),
        }
    }
}

impl Facts {
    fn remote(&self) -> &Remote {
        let remote = self.remote.as_ref();
        remote.expect("the plan connects before it asks the remote")
    }

    fn checkout(&self) -> &Checkout {
        let checkout = self.checkout.as_ref();
        checkout.expect("the plan fetches before it verifies or packs")
    }
}

/// Fetches a commit, and its submodules if enabled. A sparse checkout guarantees only the files
/// that it selects.
pub(super) async fn fetch(
    git: &Client,
    stores: &Stores,
    spec: &Spec,
    remote: &Remote,
    resolved: ResolvedReference,
) -> Result<Checkout, Fault> {
    let refused = |error: sluice_git::Error| match error.kind() {
        ErrorKind::Local => archive_failure(&error).into(),
        _ => observe::refused(&error, spec, CheckoutStep::Clone),
    };
    let (store, commit) = if spec.sparse.leaves_out() {
        let sparse = spec.sparse.clone();
        let wanted = move |path: &Path| sparse.takes(path.as_os_str().as_bytes());
        let fetched = stores.fetch_part(git, remote, resolved, wanted).await;
        let (store, fetched) = fetched.map_err(refused)?;
        (store, fetched.commit)
    } else {
        let store = stores.of(remote);
        let resolved = store.break_tie(git, remote, resolved).await;
        let resolved = resolved.map_err(refused)?;
        let fetched = store.fetch(git, remote, &resolved).await;
        (store, fetched.map_err(refused)?.commit)
    };
    let submodules = if spec.submodules {
        Submodules::fetch(git, stores, remote, &store, &commit)
            .await
            .map_err(refused)?
    } else {
        Submodules::default()
    };
    Ok(Checkout {
        store,
        commit,
        submodules,
    })
}

/// Verifies the signatures of a checkout and returns the success message.
async fn verify(
    spec: &Spec,
    checkout: &Checkout,
    keys: &TrustedKeys,
    now: Timestamp,
) -> Result<String, Fault> {
    let verification = spec.verification.as_ref();
    let verification = verification.expect("only an object that verifies has keys");
    let signed = checkout.store.signed(&checkout.commit).await;
    let (commit, tag) =
        signed.map_err(|error| observe::refused(&error, spec, CheckoutStep::Clone))?;
    let evidence = Evidence {
        tag_name: verify::tag_name(&spec.reference, checkout.commit.label.as_deref()),
        tag: tag.as_ref(),
        commit: (checkout.commit.id, &commit),
    };
    verify::check_signatures(verification, &evidence, keys, now.into())
}

fn pack_timeout(limit: Duration) -> Fault {
    let limit = GoDuration::from_std(limit);
    let message = format!(
        "unable to archive artifact to storage: it takes longer than {limit}: exclude files by \
         spec.ignore, or set a longer spec.timeout"
    );
    StorageFailure(Failure::message(
        reason::ARCHIVE_OPERATION_FAILED,
        Retry::Backoff,
        message,
    ))
    .into()
}

/// Stores a checkout with its includes as an artifact.
pub(super) async fn pack(
    source_storage: &KindStorage,
    object: &GitRepository,
    spec: &Spec,
    checkout: &Checkout,
    included: Vec<Artifact>,
    now: Timestamp,
) -> Result<NewArtifact, Fault> {
    let commit = &checkout.commit;
    let overlay = Arc::new(overlay(source_storage, spec, checkout, included, now).await?);
    let location = source_storage.location(&ObjectKey::of(object))?;
    let pending = source_storage
        .create(&location, &format!("{}.tar.gz", commit.id))
        .await?;
    let rules = walk(checkout, spec, &overlay, IgnoreFiles::default())
        .await?
        .rules(object.spec.ignore.as_deref());
    let pending = GzipWriter::new(pending);
    let packer = Packer::new(pending, rules);
    let packer = walk(checkout, spec, &overlay, packer).await?;
    let (stored, remarks) = source_storage
        .blocking(move |storage| {
            let (pending, remarks) =
                pack::finish(packer).map_err(|error| archive_failure(&error))?;
            let stored = storage
                .publish(pending)
                .map_err(|error| store_failure(&error))?;
            if let Err(error) = storage.unlink(&location, STALE_LINK) {
                tracing::debug!(error = %chain(&error), "failed to remove the link of an old version");
            }
            Ok::<_, StorageFailure>((stored, remarks))
        })
        .await?;
    let artifact = source_storage.artifact(stored, commit.revision());
    Ok(NewArtifact {
        artifact,
        subject: commit.subject().to_owned(),
        remarks,
    })
}

/// Checks that a checkout has the entries of `spec.sparseCheckout`.
async fn check_sparse(spec: &Spec, checkout: &Checkout) -> Result<(), Fault> {
    if spec.sparse.is_everything() {
        return Ok(());
    }
    let overlay = Arc::new(submodule_links(checkout));
    let survey = walk(checkout, spec, &overlay, Survey::of_everything()).await?;
    match spec.sparse.first_missing(&survey.paths) {
        None => Ok(()),
        Some(missing) => {
            let message = format!(
                "failed to sparse checkout directories : sparse checkout dir '{missing}' does not \
                 exist in repository: lstat {missing}: no such file or directory"
            );
            Err(Fault::retry(reason::GIT_OPERATION_FAILED, message))
        }
    }
}

/// The overlay of a checkout without includes.
fn submodule_links(checkout: &Checkout) -> Overlay {
    let mut overlay = Overlay::default();
    for (path, text) in checkout.submodules.links() {
        overlay.link_submodule(&path, text);
    }
    overlay
}

/// Builds the overlay of a checkout.
async fn overlay(
    source_storage: &KindStorage,
    spec: &Spec,
    checkout: &Checkout,
    included: Vec<Artifact>,
    now: Timestamp,
) -> Result<Overlay, Fault> {
    let overlay = submodule_links(checkout);
    if spec.includes.is_empty() {
        return Ok(overlay);
    }
    let mut survey = Survey::default();
    for include in &spec.includes {
        survey.look_at(&overlay::confined(&include.to));
    }
    let overlay = Arc::new(overlay);
    let survey = walk(checkout, spec, &overlay, survey).await?;
    let mut overlay = Arc::into_inner(overlay).expect("the walk has ended");
    let includes = spec.includes.clone();
    source_storage
        .blocking(move |storage| {
            for (include, artifact) in includes.iter().zip(included) {
                copy(storage, &mut overlay, &survey, include, &artifact, now)?;
            }
            Ok(overlay)
        })
        .await
}

/// Copies one included artifact, if its file matches the advertised digest.
fn copy(
    storage: &Storage,
    overlay: &mut Overlay,
    survey: &Survey,
    include: &Include,
    artifact: &Artifact,
    now: Timestamp,
) -> Result<(), Fault> {
    let Include { name, from, to } = include;
    let failed = |error: &dyn Error| {
        let action = format!("failed to copy '{name}' include from {from} to {to}");
        failure(reason::COPY_FAILURE, &action, error)
    };
    let file = storage
        .open_verified(&artifact.path, &artifact.digest, now)
        .map_err(|error| failed(&error))?;
    let (from, to) = (overlay::confined(from), overlay::confined(to));
    let scratch = || storage.scratch().map_err(io::Error::other);
    overlay
        .include(file, &from, &to, |path| survey.kind_at(path), scratch)
        .map_err(|error| failed(&error).into())
}

/// Walks a checkout and passes its items to a sink.
async fn walk<S: Sink + Send + 'static>(
    checkout: &Checkout,
    spec: &Spec,
    overlay: &Arc<Overlay>,
    sink: S,
) -> Result<S, Fault> {
    let visitor = Walk::new(sink, spec.sparse.clone(), Arc::clone(overlay));
    let walked = checkout
        .store
        .walk_with(&checkout.commit, &checkout.submodules, visitor)
        .await
        .map_err(|error| archive_failure(&error))?;
    // The remaining overlay entries come after the tree.
    let finished = blocking(move || walked.finish()).await;
    finished.map_err(|error| archive_failure(error.as_ref()).into())
}
