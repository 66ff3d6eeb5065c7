//! `OCIRepository`: the test environment for the files in this directory.

mod access;
mod hostile;
pub(crate) mod keyless;
mod lifecycle;
mod notation;
mod refused;
mod restarts;
mod signed;

use std::collections::BTreeMap;
use std::io::Read as _;
use std::ops::Deref;
use std::path::PathBuf;
use std::sync::Arc;

use bytes::Bytes;
use serde_json::{Value, json};
use sluice_api::Artifact;
use sluice_api::source::OciRepository;
use sluice_dial::HttpClients;
use sluice_oci::client::Source;
use sluice_oci::package::{Layer, Package};
use sluice_oci::{Client, Digest, Login, Remote, Repository, Version};
pub(crate) use sluice_testkit::archive::tarball as layer;
use sluice_testkit::kube::Api;
use sluice_testkit::kube::api::{Patch, PatchParams, PostParams};
use sluice_testkit::{Registry, wait};

use crate::World;

const CREATED: &str = "2024-01-01T00:00:00Z";

/// A test environment for `OCIRepository` objects.
pub(crate) struct Oci(World);

impl Deref for Oci {
    type Target = World;

    fn deref(&self) -> &World {
        &self.0
    }
}

impl Oci {
    pub(crate) async fn new(prefix: &str) -> Self {
        Self::over(World::new(prefix).await)
    }

    pub(crate) fn over(world: World) -> Self {
        Self(world)
    }

    pub(crate) async fn objects(&self) -> Api<OciRepository> {
        Api::namespaced(self.bed.client().await, &self.namespace)
    }

    pub(crate) fn directory(&self, name: &str) -> PathBuf {
        self.storage()
            .join("ocirepository")
            .join(&self.namespace)
            .join(name)
    }

    /// Creates an object that follows `latest` of a repository, with these changes to its spec.
    pub(crate) async fn follow(&self, name: &str, url: &str, spec: &Value) {
        let mut whole = json!({ "url": url, "interval": "1h" });
        for (key, value) in spec.as_object().unwrap() {
            whole[key] = value.clone();
        }
        let object = serde_json::from_value(json!({
            "apiVersion": "source.toolkit.fluxcd.io/v1",
            "kind": "OCIRepository",
            "metadata": { "name": name, "namespace": self.namespace },
            "spec": whole,
        }))
        .unwrap();
        self.objects()
            .await
            .create(&PostParams::default(), &object)
            .await
            .unwrap();
    }

    async fn change(&self, name: &str, patch: Value) {
        self.objects()
            .await
            .patch(name, &PatchParams::default(), &Patch::Merge(patch))
            .await
            .unwrap();
    }

    /// Requests a reconciliation and waits until it was handled.
    pub(crate) async fn ask(&self, name: &str) -> OciRepository {
        let token = self.bed.name("request");
        let annotation = "reconcile.fluxcd.io/requestedAt";
        self.change(
            name,
            json!({ "metadata": { "annotations": { annotation: token } } }),
        )
        .await;
        self.sees(name, "handles the request", |object| {
            let status = object.status.as_ref();
            status.and_then(|status| status.last_handled_reconcile_at.as_deref()) == Some(&*token)
        })
        .await
    }

    pub(crate) async fn sees(
        &self,
        name: &str,
        claim: &str,
        holds: impl Fn(&OciRepository) -> bool,
    ) -> OciRepository {
        let api = self.objects().await;
        wait::until(&api, name, claim, |object| object.is_some_and(&holds))
            .await
            .unwrap()
    }

    pub(crate) async fn is_ready(&self, name: &str) -> OciRepository {
        self.sees(name, "becomes Ready", |object| {
            condition(object, "Ready").0 == "True"
        })
        .await
    }

    /// Waits until `Ready` is false for this reason, and returns the object and the message.
    pub(crate) async fn is_refused(&self, name: &str, reason: &str) -> (OciRepository, String) {
        let claim = format!("is refused as {reason}");
        let object = self
            .sees(name, &claim, |object| {
                let (status, why, _) = condition(object, "Ready");
                status == "False" && why == reason
            })
            .await;
        let message = condition(&object, "Ready").2;
        (object, message)
    }

    pub(crate) async fn typed_secret(&self, name: &str, kind: &str, entries: &[(&str, &[u8])]) {
        self.bed
            .secret(&self.namespace, name, Some(kind), entries)
            .await;
    }

    /// Downloads and unpacks the artifact of an object.
    async fn fetch(&self, object: &OciRepository) -> Vec<(String, String)> {
        let artifact = artifact(object);
        let client = HttpClients::new("test")
            .get(&sluice_dial::Dial::default())
            .unwrap();
        let options = sluice_artifact::fetch::Options::default();
        let fetched = sluice_artifact::fetch::Fetcher::new(client, options)
            .fetch(&artifact.url, &artifact.digest)
            .await
            .unwrap();
        let mut entries = fetched.entries(sluice_artifact::untar::Limits::default());
        let mut files = Vec::new();
        while let Some(mut entry) = entries.next_entry().unwrap() {
            if !entry.is_directory() {
                let mut content = String::new();
                entry.read_to_string(&mut content).unwrap();
                files.push((entry.path().display().to_string(), content));
            }
        }
        files
    }
}

/// Pushes like `push artifact`, and returns the digest of the manifest.
pub(crate) async fn push(registry: &Registry, repository: &str, tag: &str, layer: &[u8]) -> String {
    push_layer(
        registry,
        repository,
        tag,
        sluice_oci::package::CONTENT_TYPE,
        layer,
    )
    .await
}

/// Pushes an image whose layer has a media type, and returns the digest of the manifest.
pub(crate) async fn push_layer(
    registry: &Registry,
    repository: &str,
    tag: &str,
    media_type: &str,
    layer: &[u8],
) -> String {
    let authority = registry.authority();
    let mut dial = sluice_dial::Dial::default();
    if let Some(authority) = authority {
        let client = authority.client("pusher", None).unwrap();
        dial.tls.ca = Some(authority.certificate().into_bytes());
        dial.tls.certificate = Some(
            sluice_dial::ClientCertificate::new(
                client.certificate.as_bytes(),
                client.key.as_bytes(),
            )
            .unwrap(),
        );
    }
    let remote = Remote {
        login: Login::Basic(sluice_dial::Basic::new(Registry::USER, Registry::PASSWORD)),
        dial,
        ..Remote::anonymous(Repository::parse_url(&registry.url(repository)).unwrap())
    };
    let client = Client::new(Arc::new(HttpClients::new("flux/v2")));
    let layer = Bytes::copy_from_slice(layer);
    let described = Layer {
        digest: Digest::of(&layer),
        size: layer.len() as u64,
    };
    let package = Package::new(
        &described,
        "https://example.com/app.git",
        "main@sha1:abc",
        CREATED,
        &BTreeMap::new(),
    );
    let manifest = String::from_utf8(package.manifest.to_vec()).unwrap();
    let mut manifest = manifest.replace(sluice_oci::package::CONTENT_TYPE, media_type);
    if media_type.starts_with("application/vnd.cncf.helm.") {
        // Helm pulls a chart only with its own type of configuration.
        let config = "application/vnd.cncf.helm.config.v1+json";
        manifest = manifest.replace(sluice_oci::package::CONFIG_TYPE, config);
    }
    let manifest = Bytes::from(manifest);
    for (digest, bytes) in [
        (&described.digest, layer),
        (&package.config_digest, package.config),
    ] {
        client
            .push_blob(&remote, digest, &Source::Bytes(bytes))
            .await
            .unwrap();
    }
    let (version, kind) = (Version::Tag(tag.to_owned()), sluice_oci::manifest::MANIFEST);
    client
        .push_manifest(&remote, &version, kind, manifest.clone())
        .await
        .unwrap();
    Digest::of(&manifest).to_string()
}

/// Status, reason and message of a condition. All are empty if it is missing.
fn condition(object: &OciRepository, type_: &str) -> (String, String, String) {
    object
        .status
        .as_ref()
        .and_then(|status| status.conditions.find(type_))
        .map(|condition| {
            (
                condition.status.as_str().to_owned(),
                condition.reason.clone(),
                condition.message.clone(),
            )
        })
        .unwrap_or_default()
}

fn artifact(object: &OciRepository) -> Artifact {
    object
        .status
        .as_ref()
        .and_then(|status| status.artifact.clone())
        .expect("the status has an artifact")
}
