//! Performs the steps of an `OCIRepository`: resolves, verifies, pulls and stores.

use std::collections::BTreeMap;
use std::io;

use sluice_api::Artifact;
use sluice_api::meta::reason;
use sluice_api::source::OciRepository;
use sluice_artifact::storage::{Location, StoredArtifact};
use sluice_artifact::untar::Limits;
use sluice_client::typed::ResourceExt;
use sluice_engine::{ObjectKey, Retry, Run};
use sluice_golang::error::chain;
use sluice_oci::{Blob, Client, Deadline, Descriptor, Manifest, Remote, RequestError};
use sluice_producer::{KindStorage, Spool, Tree, UnpackError, archive_failure, store_failure};

use super::model::{Connection, Facts, NewArtifact, ResolvedReference, Step, TrustedSigners};
use super::spec::{Operation, Spec};
use super::{Context, OciRepositoryKind, fault, observe};
use crate::fault::Fault;
use crate::notation::Verdict;
use crate::reconcile::Perform;
use crate::signature::{self, Signers, Verification};

impl Perform for OciRepositoryKind {
    async fn perform(
        &self,
        step: Step,
        object: &OciRepository,
        spec: &Spec,
        facts: &mut Facts,
        run: &Run<OciRepository>,
    ) -> Result<(), Fault> {
        match step {
            Step::Connect => facts.connection = Some(self.connect(object, spec, run).await?),
            Step::Resolve => facts.resolved = Some(self.resolve(spec, facts, run).await?),
            Step::ReadSigners => {
                facts.signers = Some(self.read_signers(object, spec, facts, run.key()).await?);
            }
            Step::Verify => {
                facts.verdict = Some(self.verify(spec, facts, run).await?);
            }
            Step::Pull { .. } => facts.packed = Some(self.pull(object, spec, facts, run).await?),
        }
        Ok(())
    }
}

/// Futures of requests are boxed: they are large, and many objects may wait for a permit.
impl OciRepositoryKind {
    /// Reads the Secrets and waits for a permit. From here on the run gives its worker back, and
    /// holds up only objects of the same registry.
    async fn connect(
        &self,
        object: &OciRepository,
        spec: &Spec,
        run: &Run<OciRepository>,
    ) -> Result<Connection, Fault> {
        let remote = observe::remote(&self.context, object, spec).await?;
        let host = spec.repository.registry();
        let permit = run.release(self.permits.acquire(host)).await;
        Ok(Connection {
            remote,
            deadline: Deadline::after(spec.timeout, host),
            _permit: permit,
        })
    }

    async fn resolve(
        &self,
        spec: &Spec,
        facts: &Facts,
        run: &Run<OciRepository>,
    ) -> Result<ResolvedReference, Fault> {
        let (remote, deadline) = facts.connected();
        let context = &self.context;
        let resolving = Box::pin(async {
            let reference = observe::reference(context, remote, spec, deadline).await?;
            observe::resolve(context, remote, reference, deadline).await
        });
        run.release(resolving).await
    }

    async fn read_signers(
        &self,
        object: &OciRepository,
        spec: &Spec,
        facts: &Facts,
        key: &ObjectKey,
    ) -> Result<TrustedSigners, Fault> {
        let namespace = object.namespace().unwrap_or_default();
        let context = &self.context;
        let what = facts.resolved().digest_reference();
        let (secrets, keyless) = (&context.secrets, &context.keyless);
        let (verification, unsigned) = (verification(spec), Some(&*what));
        let reading = Signers::read(secrets, keyless, &namespace, verification, &what, unsigned);
        let signers = reading.await?;
        Ok(TrustedSigners {
            are_verified: self.verified_signers.contains(key, &signers.fingerprint),
            signers,
        })
    }

    async fn verify(
        &self,
        spec: &Spec,
        facts: &Facts,
        run: &Run<OciRepository>,
    ) -> Result<Verdict, Fault> {
        let (remote, deadline) = facts.connected();
        let signers = facts.signers.as_ref();
        let signers = &signers
            .expect("the plan reads signers before it verifies")
            .signers;
        let digest = &facts.resolved().digest;
        let Context {
            registry,
            revocation,
            ..
        } = &self.context;
        let verifying = signers.verify(registry, remote, digest, revocation, run.started());
        let verified = run.release(Box::pin(deadline.within(verifying))).await;
        let verdict = verified.map_err(|error| {
            let retry = match &error {
                RequestError::Refused(error) => error.retry(),
                RequestError::TooLate { .. } => Retry::Backoff,
            };
            signature::refused(verification(spec), retry, error)
        })?;
        self.verified_signers
            .record(run.key(), signers.fingerprint.clone());
        Ok(verdict)
    }

    async fn pull(
        &self,
        object: &OciRepository,
        spec: &Spec,
        facts: &Facts,
        run: &Run<OciRepository>,
    ) -> Result<NewArtifact, Fault> {
        let (remote, deadline) = facts.connected();
        let (resolved, registry) = (facts.resolved(), &self.context.registry);
        // A server may send slowly, so the download holds no worker.
        let pulling = pull(registry, object, spec, remote, resolved, deadline);
        let layer = run.release(Box::pin(pulling)).await?;
        let source_storage = &self.context.source_storage;
        Box::pin(store(source_storage, object, spec, resolved, layer)).await
    }
}

impl Facts {
    fn connected(&self) -> (&Remote, &Deadline) {
        let connection = self.connection.as_ref();
        let connection = connection.expect("the plan connects before it asks the registry");
        (&connection.remote, &connection.deadline)
    }

    fn resolved(&self) -> &ResolvedReference {
        let resolved = self.resolved.as_ref();
        resolved.expect("the plan resolves before it verifies or pulls")
    }
}

fn verification(spec: &Spec) -> &Verification {
    let verification = spec.verify.as_ref();
    verification.expect("the plan verifies only if the spec asks for it")
}

fn layer_failure(message: String) -> Fault {
    Fault::retry(reason::OCI_ARTIFACT_LAYER_OPERATION_FAILED, message)
}

/// The wanted layer with the annotations of its manifest.
pub(super) struct Layer {
    content: Spool,
    annotations: BTreeMap<String, String>,
}

fn refused(object: &OciRepository) -> impl Fn(RequestError) -> Fault {
    let action = format!("failed to pull artifact from '{}'", object.spec.url);
    move |error| fault::classify(&error, reason::OCI_ARTIFACT_PULL_FAILED, &action)
}

/// Requests the resolved digest and downloads the wanted layer.
pub(super) async fn pull(
    registry: &Client,
    object: &OciRepository,
    spec: &Spec,
    remote: &Remote,
    resolved: &ResolvedReference,
    deadline: &Deadline,
) -> Result<Layer, Fault> {
    let manifest = deadline
        .within(registry.manifest(remote, &resolved.digest))
        .await
        .map_err(refused(object))?;
    let layer = select(&manifest, spec.media_type.as_deref()).map_err(layer_failure)?;
    let layer = deadline
        .within(registry.blob(remote, layer))
        .await
        .map_err(refused(object))?;
    let content = deadline
        .within(async { Ok(download_blob(layer).await) })
        .await
        .map_err(refused(object))?
        .map_err(|error| match error {
            DownloadError::Registry(error) => refused(object)(RequestError::Refused(error)),
            DownloadError::Disk(error) => archive_failure(&error).into(),
        })?;
    Ok(Layer {
        content,
        annotations: manifest.annotations.unwrap_or_default(),
    })
}

/// Stores a layer as an artifact.
pub(super) async fn store(
    source_storage: &KindStorage,
    object: &OciRepository,
    spec: &Spec,
    resolved: &ResolvedReference,
    layer: Layer,
) -> Result<NewArtifact, Fault> {
    let Layer {
        content,
        annotations,
    } = layer;
    let location = source_storage.location(&ObjectKey::of(object))?;
    let file = file_name(resolved);
    let stored = write(
        source_storage,
        object,
        spec.operation,
        &location,
        &file,
        content,
    )
    .await?;
    let link = source_storage.link(location, file).await?;
    Ok(NewArtifact {
        artifact: Artifact {
            metadata: annotations,
            ..source_storage.artifact(stored, resolved.revision())
        },
        link,
    })
}

/// Selects the wanted layer.
pub(super) fn select<'a>(
    manifest: &'a Manifest,
    media_type: Option<&str>,
) -> Result<&'a Descriptor, String> {
    let Some(first) = manifest.layers.first() else {
        return Err("no layers found in artifact".to_owned());
    };
    match media_type {
        None => Ok(first),
        Some(wanted) => manifest
            .layers
            .iter()
            .find(|layer| layer.media_type == wanted)
            .ok_or_else(|| format!("failed to find layer with media type '{wanted}' in artifact")),
    }
}

/// The file is named after the digest, including its colon, as in Flux.
fn file_name(resolved: &ResolvedReference) -> String {
    format!("{}.tar.gz", resolved.digest)
}

enum DownloadError {
    Registry(sluice_oci::Error),
    Disk(io::Error),
}

/// Downloads a blob and checks its digest.
async fn download_blob(mut blob: Blob) -> Result<Spool, DownloadError> {
    let mut spool = Spool::default();
    while let Some(chunk) = blob.next().await.map_err(DownloadError::Registry)? {
        spool = spool.append(chunk).await.map_err(DownloadError::Disk)?;
    }
    Ok(spool)
}

async fn write(
    source_storage: &KindStorage,
    object: &OciRepository,
    operation: Operation,
    location: &Location,
    file: &str,
    layer: Spool,
) -> Result<StoredArtifact, Fault> {
    if operation == Operation::Copy {
        let mut pending = source_storage.create(location, file).await?;
        let storing = source_storage.blocking(move |storage| {
            io::copy(&mut layer.whole(), &mut pending).map_err(|error| archive_failure(&error))?;
            storage
                .publish(pending)
                .map_err(|error| store_failure(&error))
        });
        return Ok(storing.await?);
    }
    let tree = source_storage
        .blocking(move |_| {
            Tree::read(layer.whole(), Limits::unlimited()).map_err(|error| unpacked(&error))
        })
        .await?;
    let ignore = object.spec.ignore.clone();
    let rules = move |tree: &Tree| tree.rules(ignore.as_deref());
    let storing = source_storage.store_tree(location, file, tree, rules);
    Ok(storing.await?)
}

fn unpacked(error: &UnpackError) -> Fault {
    layer_failure(format!(
        "failed to extract layer contents from artifact: {}",
        chain(error)
    ))
}
