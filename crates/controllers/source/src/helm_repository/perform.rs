//! Performs the steps of a `HelmRepository`: downloads, checks and stores the index.

use std::io::{self, Read as _};

use sluice_api::meta::reason;
use sluice_api::source::{HelmRepository, HelmRepositoryStatus};
use sluice_chart::index::{self, IndexError};
use sluice_engine::{ObjectKey, Run};
use sluice_golang::error::chain;
use sluice_producer::{Spool, archive_failure, store_failure};

use super::HelmRepositoryKind;
use super::model::{Facts, NewArtifact, Step};
use super::spec::Spec;
use crate::draft::SourceStatus as _;
use crate::fault::Fault;
use crate::helm::address::host;
use crate::reconcile::Perform;

const CONNECTED: &str = "the plan connects before it fetches";
const FETCHED: &str = "the plan fetches before it checks or stores";

impl Perform for HelmRepositoryKind {
    async fn perform(
        &self,
        step: Step,
        object: &HelmRepository,
        spec: &Spec,
        facts: &mut Facts,
        run: &Run<HelmRepository>,
    ) -> Result<(), Fault> {
        match step {
            Step::Connect => facts.remote = Some(self.remote(object, spec).await?),
            Step::Fetch => {
                let remote = facts.remote.as_ref().expect(CONNECTED);
                let (fetching, host) = (self.fetch(object, remote, spec), host(&remote.url));
                facts.fetched = Some(self.clients.ask(run, &host, fetching).await?);
            }
            Step::Check => {
                let fetched = facts.fetched.as_mut().expect(FETCHED);
                if fetched.text.is_none() {
                    // The stored index is lost.
                    let remote = facts.remote.as_ref().expect(CONNECTED);
                    let (fetching, host) = (self.fetch_text(remote, spec), host(&remote.url));
                    *fetched = self.clients.ask(run, &host, fetching).await?;
                }
                let text = fetched.text.take().unwrap_or_default();
                facts.checked = Some(self.check(text).await?);
            }
            Step::Store => facts.stored = Some(self.store(object, facts).await?),
        }
        Ok(())
    }
}

impl HelmRepositoryKind {
    /// Checks an index, and makes JSON of it.
    async fn check(&self, text: Spool) -> Result<Spool, Fault> {
        let checking = self.source_storage.blocking(move |storage| {
            let mut bytes = Vec::with_capacity(usize::try_from(text.size()).unwrap_or_default());
            let read = text.whole().read_to_end(&mut bytes);
            read.map_err(|error| archive_failure(&error))?;
            drop(text);
            let mut scratch = storage.scratch().map_err(|error| archive_failure(&error))?;
            let mut json = Spool::default();
            match index::rewrite(&bytes, &mut scratch, &mut json) {
                Ok(()) => Ok(json),
                Err(IndexError::Write(error)) => Err(archive_failure(&error).into()),
                Err(error) => {
                    let error = chain(&error);
                    let action = "failed to load Helm repository from index YAML: failed to load \
                                  index";
                    let message = format!("{action}: {error}");
                    Err(Fault::retry(reason::INDEXATION_FAILED, message))
                }
            }
        });
        checking.await
    }

    async fn store(
        &self,
        object: &HelmRepository,
        facts: &mut Facts,
    ) -> Result<NewArtifact, Fault> {
        let storage = &self.source_storage;
        let fetched = facts.fetched.as_ref().expect(FETCHED);
        let json = facts
            .checked
            .take()
            .expect("the plan checks before it stores");
        let file = format!("index-{}.yaml", fetched.digest.hex());
        let location = storage.location(&ObjectKey::of(object))?;
        let mut pending = storage.create(&location, &file).await?;
        let storing = storage.blocking(move |storage| {
            let copied = io::copy(&mut json.whole(), &mut pending);
            copied.map_err(|error| archive_failure(&error))?;
            storage
                .publish(pending)
                .map_err(|error| store_failure(&error))
        });
        let artifact = storage.artifact(storing.await?, fetched.revision());
        let link = storage
            .link_as(location, file, HelmRepositoryStatus::LINK)
            .await?;
        Ok(NewArtifact { artifact, link })
    }
}
