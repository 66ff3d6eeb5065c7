//! Performs the steps of a `Bucket`: lists, downloads and stores.

use std::collections::BTreeMap;
use std::sync::Arc;

use futures::{StreamExt as _, TryStreamExt as _};
use sluice_api::source::Bucket;
use sluice_artifact::ignore::{self, Rules};
use sluice_bucket::{Client, ErrorKind, FilePath, Index, ListedObject, Remote};
use sluice_engine::{ObjectKey, Run};
use sluice_golang::error::chain;
use sluice_producer::{KindStorage, Spool, Tree, UnpackError, archive_failure};
use sluice_system::blocking;

use super::BucketKind;
use super::model::{Facts, Listing, NewArtifact, Step};
use super::observe::{self, refused};
use super::spec::Spec;
use super::unchanged::copy_unchanged;
use crate::fault::Fault;
use crate::reconcile::Perform;

/// Maximum number of downloads at once. Each may hold a mebibyte.
const MAX_DOWNLOADS: usize = 16;
const CONNECTED: &str = "the plan connects before it asks the store";

impl Perform for BucketKind {
    async fn perform(
        &self,
        step: Step,
        object: &Bucket,
        spec: &Spec,
        facts: &mut Facts,
        run: &Run<Bucket>,
    ) -> Result<(), Fault> {
        match step {
            Step::Connect => {
                // The future is boxed: it is large, and runs wait in it for issuers of tokens.
                let connecting = Box::pin(self.remote(object, spec));
                let action = "authentication";
                facts.remote = Some(observe::within(spec, action, connecting).await?);
            }
            Step::List => facts.listing = Some(self.list(object, spec, facts, run).await?),
            Step::Store => facts.stored = Some(self.store(object, spec, facts, run).await?),
        }
        Ok(())
    }
}

impl BucketKind {
    async fn list(
        &self,
        object: &Bucket,
        spec: &Spec,
        facts: &Facts,
        run: &Run<Bucket>,
    ) -> Result<Listing, Fault> {
        let remote = facts.remote.as_ref().expect(CONNECTED);
        let action = format!("indexation of objects from bucket '{}'", spec.bucket);
        let listing = observe::list(&self.client, remote, object, spec);
        let listing = Box::pin(observe::within(spec, &action, listing));
        run.release(listing).await
    }

    /// Stores the listed objects. A download may find another object, which corrects the listing.
    async fn store(
        &self,
        object: &Bucket,
        spec: &Spec,
        facts: &mut Facts,
        run: &Run<Bucket>,
    ) -> Result<NewArtifact, Fault> {
        let remote = facts.remote.as_ref().expect(CONNECTED);
        let listing = facts.listing.as_mut();
        let listing = listing.expect("the plan lists before it stores");
        let action = format!("fetch from bucket '{}'", spec.bucket);
        let copied = copy_unchanged(self, object, &listing.index, run.started()).await?;
        let downloading = download(&self.client, remote, spec, listing, copied);
        let downloading = Box::pin(observe::within(spec, &action, downloading));
        let tree = run.release(downloading).await?;
        let stored = store(&self.source_storage, object, listing, tree).await?;
        let index = Arc::clone(&listing.index);
        self.stored_indexes.note(run.key(), Some(index));
        Ok(stored)
    }
}

/// Downloads the objects of a listing that were not copied. An object that is gone leaves the
/// listing, and a changed one gets its new entity tag.
async fn download(
    client: &Client,
    remote: &Remote,
    spec: &Spec,
    listing: &mut Listing,
    copied: Tree,
) -> Result<Tree, Fault> {
    let bucket = &spec.bucket;
    let failed = |error: String| refused(format!("fetch from bucket '{bucket}' failed: {error}"));
    let (listed, generations) = (Arc::clone(&listing.index), Arc::clone(&listing.generations));
    let chosen = blocking(move || choose(&listed, &generations, copied)).await;
    let (mut index, wanted, copied) = chosen.map_err(failed)?;
    let downloads = futures::stream::iter(wanted).map(|object| async move {
        let WantedObject {
            path,
            key,
            etag,
            generation,
        } = object;
        let listed = ListedObject {
            key: &key,
            etag: &etag,
            generation: generation.as_deref(),
        };
        let content = fetch(client, remote, listed).await;
        match content {
            Ok(content) => Ok((path, key, content)),
            Err(error) => Err(failed(format!("failed to get '{key}' object: {error}"))),
        }
    });
    let mut downloads = Box::pin(downloads.buffered(MAX_DOWNLOADS));
    let mut tree = copied;
    while let Some((path, key, content)) = downloads.try_next().await? {
        let Some((etag, content)) = content else {
            tracing::info!(object = %key, bucket, "indexed object disappeared from bucket");
            continue;
        };
        index.insert(key, etag);
        tree = add(tree, path, content).await?;
    }
    if let Some(text) = &listing.ignore_file {
        let path = vec![ignore::FILE_NAME.as_bytes().to_vec()];
        let content = Spool::default().append(text.clone()).await;
        let content = content.map_err(|error| archive_failure(&error))?;
        tree = add(tree, path, content).await?;
    }
    let listed = listing.clone();
    *listing = blocking(move || listed.with_index(index)).await;
    Ok(tree)
}

/// An object to download.
struct WantedObject {
    path: FilePath,
    key: String,
    etag: String,
    generation: Option<String>,
}

/// Returns the index of the copied objects, the objects to download, and the copied files. Blocks.
fn choose(
    listed: &Index,
    generations: &BTreeMap<String, String>,
    copied: Tree,
) -> Result<(Index, Vec<WantedObject>, Tree), String> {
    let mut index = Index::default();
    let mut wanted = Vec::new();
    for (path, (key, etag)) in listed.files()? {
        if copied.contains(&path) {
            index.insert(key, etag);
        } else {
            wanted.push(WantedObject {
                path,
                key: key.to_owned(),
                etag: etag.to_owned(),
                generation: generations.get(key).cloned(),
            });
        }
    }
    Ok((index, wanted, copied))
}

async fn add(mut tree: Tree, path: FilePath, content: Spool) -> Result<Tree, Fault> {
    let added = blocking(move || {
        tree.add(&path, content.whole())?;
        Ok(tree)
    });
    added
        .await
        .map_err(|error: UnpackError| archive_failure(&error).into())
}

/// Downloads an object as it was listed, or as it is. `None` if it is gone.
async fn fetch(
    client: &Client,
    remote: &Remote,
    listed: ListedObject<'_>,
) -> Result<Option<(String, Spool)>, String> {
    let object = match remote.get(client, listed).await {
        Err(error) if error.kind() == ErrorKind::Changed => {
            remote.get_current(client, listed.key).await
        }
        object => object,
    };
    let mut object = match object {
        Err(error) if error.kind() == ErrorKind::NoSuchKey => return Ok(None),
        object => object.map_err(|error| error.to_string())?,
    };
    let etag = object.etag().to_owned();
    let mut content = Spool::default();
    while let Some(chunk) = object.chunk().await.map_err(|error| error.to_string())? {
        content = content.append(chunk).await.map_err(|error| chain(&error))?;
    }
    Ok(Some((etag, content)))
}

/// Stores the files of a listing as an artifact.
async fn store(
    source_storage: &KindStorage,
    object: &Bucket,
    listing: &Listing,
    tree: Tree,
) -> Result<NewArtifact, Fault> {
    let revision = listing.revision();
    let name = revision.split_once(':').map_or(&*revision, |(_, hex)| hex);
    let file = format!("{name}.tar.gz");
    let location = source_storage.location(&ObjectKey::of(object))?;
    let storing = source_storage.store_tree(&location, &file, tree, |_| Ok(Rules::none()));
    let artifact = source_storage.artifact(storing.await?, revision);
    Ok(NewArtifact {
        artifact,
        objects: listing.index.len(),
        link: source_storage.link(location, file).await?,
    })
}
