//! Performs the steps of an `ArtifactGenerator`: reads sources, and makes artifacts of them.
//!
//! The sources of tenants are read, matched and packed on blocking threads. Each such part holds a
//! permit of its namespace, and the parts of a run share one budget.

mod publish;
mod read;

use std::io;
use std::sync::Arc;

use jiff::Timestamp;
use sluice_api::artifact::Artifact;
use sluice_api::meta::reason;
use sluice_api::source_watcher::{ArtifactGenerator, ArtifactGeneratorSpec};
use sluice_artifact::ignore::Rules;
use sluice_artifact::storage::{Location, Storage};
use sluice_digest::{Algorithm, HashingWriter};
use sluice_engine::ready::Fault;
use sluice_engine::{ObjectKey, Run};
use sluice_golang::error::chain;
use sluice_producer::{ArtifactState, StorageFailure, Tree, archive_failure};
use sluice_system::blocking;
use sluice_system::budget::Budget;

use read::{ReadError, SourceTrees};

use super::model::{BuiltArtifact, Current, Facts, Step, StorageState, Work};
use super::spec::check_own_source;
use super::{ArtifactGeneratorReconciler, drift, plan};
use crate::build::{self, Trees};
use crate::expand::{ArtifactRequest, expand};
use crate::sources::Sources;

/// Performs a step within the time of the run.
pub(super) async fn perform(
    reconciler: &ArtifactGeneratorReconciler,
    step: Step,
    generator: &ArtifactGenerator,
    facts: &mut Facts,
    run: &Run<ArtifactGenerator>,
) -> Result<(), Fault> {
    let time = facts.time;
    let performing = perform_step(reconciler, step, generator, facts, run);
    time.end_in_time(performing).await
}

/// Performs a step. Each step has a boxed future, so that a run holds memory only for its current
/// step.
async fn perform_step(
    reconciler: &ArtifactGeneratorReconciler,
    step: Step,
    generator: &ArtifactGenerator,
    facts: &mut Facts,
    run: &Run<ArtifactGenerator>,
) -> Result<(), Fault> {
    match step {
        Step::Verify => facts.stored = Some(reconciler.verify(generator, run).await),
        Step::Fetch => {
            let found = facts.sources.clone().unwrap_or_default();
            if let Some(drift) = plan::drift(generator, facts, &found) {
                tracing::debug!(reason = ?drift, "artifacts are made anew");
            }
            facts.has_begun = true;
            let fetching = Box::pin(reconciler.fetch(generator, &found, facts, run));
            facts.work = Some(fetching.await?);
        }
        Step::LookUp => Box::pin(reconciler.look_up(facts, run)).await?,
        Step::Build { index } => Box::pin(reconciler.build(index, generator, facts, run)).await?,
        Step::Store { index } => Box::pin(reconciler.store(index, facts, run)).await?,
        Step::Publish { index, artifact } => {
            let publishing = reconciler.publish(index, &artifact, generator, facts, run);
            Box::pin(publishing).await?;
        }
        Step::FindOwned => {
            let finding = reconciler.find_owned(generator, facts, run);
            facts.owned = Some(Box::pin(finding).await?);
        }
        Step::Remove(removals) => {
            facts.removed = Some(Box::pin(reconciler.remove(&removals, run)).await?);
        }
        Step::Collect => {
            reconciler.collect(facts, run).await;
            if let Some(work) = &mut facts.work {
                work.is_collected = true;
            }
        }
    }
    Ok(())
}

impl ArtifactGeneratorReconciler {
    /// Verifies the stored artifacts of the inventory, up to the first difference.
    async fn verify(
        &self,
        generator: &ArtifactGenerator,
        run: &Run<ArtifactGenerator>,
    ) -> StorageState {
        for entry in drift::inventory(generator) {
            let name = &entry.name;
            let key = ObjectKey::new(run.key().namespace(), name);
            let Ok(location) = self.storage.location(&key) else {
                return StorageState::Missing(name.clone());
            };
            let artifact = Artifact {
                path: location.path(&entry.filename),
                digest: entry.digest.clone(),
                ..Artifact::default()
            };
            match self
                .storage
                .tidy(&key, Some(&artifact), run.started())
                .await
            {
                Ok(report) if report.state == ArtifactState::Valid => {}
                Ok(report) if report.state == ArtifactState::Missing => {
                    return StorageState::Missing(name.clone());
                }
                Ok(_) => return StorageState::Corrupt(name.clone()),
                Err(StorageFailure(error)) => {
                    tracing::warn!(%error, "failed to verify a stored artifact");
                    return StorageState::Corrupt(name.clone());
                }
            }
        }
        StorageState::Valid
    }

    /// Downloads and reads all sources.
    async fn fetch(
        &self,
        generator: &ArtifactGenerator,
        found: &Sources,
        facts: &Facts,
        run: &Run<ArtifactGenerator>,
    ) -> Result<Work, Fault> {
        let failed = |why: String| plan::unfetched(facts, &format!("fetch sources failed: {why}"));
        let namespace = run.key().namespace().to_owned();
        let memory = self.memory.acquire(&namespace).await;
        let budget = facts.time.budget();
        let mut sources = SourceTrees::new();
        for (alias, artifact) in found {
            if sources.share(alias, artifact) {
                continue;
            }
            let download = self.downloads.fetch(artifact, run).await;
            let download = download.map_err(|error| failed(chain(&error)))?;
            let permit = self.permits.acquire(&namespace).await;
            let (alias, artifact) = (alias.clone(), artifact.clone());
            let budget = budget.clone();
            let reading = blocking(move || {
                let _permit = permit;
                sources.read(&alias, &artifact, download.reader(), &budget)
            });
            sources = reading.await.map_err(|error| unreadable(&error))?;
        }
        let trees = Arc::new(sources.into_trees());
        let permit = self.permits.acquire(&namespace).await;
        let (spec, for_expansion) = (generator.spec.clone(), budget.clone());
        let for_requests = Arc::clone(&trees);
        let requests = blocking(move || {
            let _permit = permit;
            requests(&spec, &namespace, &for_requests, &for_expansion)
        });
        Ok(Work {
            trees,
            requests: requests.await?,
            budget,
            _memory: Some(memory),
            is_looked_up: false,
            current: Current::Nothing,
            finished: Vec::new(),
            is_collected: false,
        })
    }

    /// Copies the files of an artifact. Reuses the stored archive if it has the same content.
    async fn build(
        &self,
        index: usize,
        generator: &ArtifactGenerator,
        facts: &mut Facts,
        run: &Run<ArtifactGenerator>,
    ) -> Result<(), Fault> {
        let Some(work) = &mut facts.work else {
            return Ok(());
        };
        let request = work.requests[index].clone();
        let template = generator.spec.artifacts[request.template].clone();
        let name = request.name.clone();
        let key = ObjectKey::new(run.key().namespace(), &name);
        let failed = |why: String| build_failed(&name, &why);
        let location = self.storage.location(&key);
        let location = location.map_err(|StorageFailure(error)| failed(error.message))?;
        let live = facts.live.get(&name).and_then(|live| {
            let artifact = live.status.as_ref()?.artifact.clone()?;
            Some(Artifact {
                url: self.storage.url(&artifact.path),
                ..artifact
            })
        });
        let permit = self.permits.acquire(run.key().namespace()).await;
        let (trees, budget) = (Arc::clone(&work.trees), work.budget.clone());
        let storage = Arc::clone(self.storage.storage());
        let now = run.started();
        let building = blocking(move || {
            let _permit = permit;
            let copies = request.copies(&template, &budget)?;
            let tree = build::build(&copies, &trees, &budget)
                .map_err(|error| format!("failed to apply copy operations: {}", chain(&error)))?;
            let file = file_name(&tree).map_err(|error| chain(&error))?;
            let stored = live.filter(|live| is_stored(&storage, &location, &file, live, now));
            Ok(match stored {
                Some(artifact) => Current::Stored(artifact),
                None => Current::Built(BuiltArtifact { tree, file }),
            })
        });
        work.current = building.await.map_err(failed)?;
        Ok(())
    }

    /// Stores the files of an artifact.
    async fn store(
        &self,
        index: usize,
        facts: &mut Facts,
        run: &Run<ArtifactGenerator>,
    ) -> Result<(), Fault> {
        let Some(work) = &mut facts.work else {
            return Ok(());
        };
        let current = std::mem::replace(&mut work.current, Current::Nothing);
        let Current::Built(BuiltArtifact { tree, file }) = current else {
            return Ok(());
        };
        let name = &work.requests[index].name;
        let key = ObjectKey::new(run.key().namespace(), name);
        let failed = |StorageFailure(error): StorageFailure| {
            build_failed(
                name,
                &format!("failed to create artifact: {}", error.message),
            )
        };
        let location = self.storage.location(&key).map_err(failed)?;
        let permit = self.permits.acquire(run.key().namespace()).await;
        let storing = self.storage.store(&location, &file, move |writer| {
            let _permit = permit;
            let written = tree.write(writer, &rules());
            written.map_err(|error| archive_failure(&error))
        });
        let stored = storing.await.map_err(failed)?;
        let artifact = self.storage.artifact(stored, String::new());
        work.current = Current::Stored(Artifact {
            last_update_time: run.times().now.into(),
            ..artifact
        });
        Ok(())
    }

    /// Removes outdated files of the published artifacts. The next run retries a failure.
    async fn collect(&self, facts: &Facts, run: &Run<ArtifactGenerator>) {
        let published = facts.work.iter().flat_map(|work| &work.finished);
        for published in published {
            let reference = &published.reference;
            let key = ObjectKey::new(run.key().namespace(), &reference.name);
            let Ok(location) = self.storage.location(&key) else {
                continue;
            };
            let artifact = Artifact {
                path: location.path(&reference.filename),
                digest: reference.digest.clone(),
                ..Artifact::default()
            };
            let tidied = self.storage.tidy(&key, Some(&artifact), run.times().now);
            if let Err(StorageFailure(error)) = tidied.await {
                tracing::warn!(%error, "failed to remove outdated artifacts");
            }
        }
    }
}

/// A source that was downloaded cannot be read. Most such faults last until its next revision, so
/// the retries back off.
fn unreadable(error: &ReadError) -> Fault {
    let message = format!("fetch sources failed: {}", chain(error));
    Fault::retried(reason::BUILD_FAILED, message)
}

/// An artifact cannot be built.
fn build_failed(name: &str, why: &str) -> Fault {
    Fault::retried(reason::BUILD_FAILED, format!("{name} build failed: {why}"))
}

/// The artifacts to build.
fn requests(
    spec: &ArtifactGeneratorSpec,
    namespace: &str,
    trees: &Trees,
    budget: &Budget,
) -> Result<Vec<ArtifactRequest>, Fault> {
    let requests = expand(spec, trees, budget).map_err(|error| {
        let message = format!("failed to expand path pattern: {error}");
        Fault::stalled(reason::BUILD_FAILED, message)
    })?;
    let names = requests.iter().map(|request| request.name.as_str());
    check_own_source(spec, namespace, &names.collect())?;
    Ok(requests)
}

/// The rules of generated artifacts: the defaults of Flux.
fn rules() -> Rules {
    Rules::for_source(Vec::new(), None)
}

/// The file name of an archive, made of its content. Blocks.
fn file_name(tree: &Tree) -> Result<String, sluice_artifact::tarball::Error> {
    let writer = HashingWriter::new(io::sink(), Algorithm::Sha256);
    let (_, digest, _) = tree.write(writer, &rules())?.finish();
    Ok(format!("{}.tar.gz", digest.hex()))
}

/// Whether a published artifact is the stored archive of a file name. Blocks.
fn is_stored(
    storage: &Storage,
    location: &Location,
    file: &str,
    artifact: &Artifact,
    now: Timestamp,
) -> bool {
    artifact.path == location.path(file)
        && storage
            .verify(&artifact.path, &artifact.digest, now)
            .is_ok()
}

#[cfg(test)]
mod tests {
    use sluice_engine::Retry;

    use super::*;

    #[test]
    fn unreadable_source_is_retried_with_back_off() {
        let Fault(failure) = unreadable(&ReadError::Entries { limit: 1 });
        assert_eq!(failure.reason, "BuildFailed");
        assert_eq!(failure.retry, Retry::Backoff);
        assert!(failure.message.starts_with("fetch sources failed: "));
    }
}
