//! Pushes: content arrives and has the bytes of Flux.

use std::collections::BTreeMap;
use std::sync::Arc;

use bytes::Bytes;
use sluice_oci::client::Source;
use sluice_oci::package::{Layer, Package};
use sluice_oci::{Descriptor, Digest};
use sluice_testkit::Registry;

use crate::{client, remote};

#[tokio::test]
async fn chunked_blob_arrives_complete() {
    let registry = Registry::start().await;
    let (client, remote) = (client(), remote(&registry.url("team/large")));
    let content: Vec<u8> = (0..40_u32 << 20).map(|index| (index % 251) as u8).collect();
    let digest = Digest::of(&content);
    let file = Arc::new(tempfile(&content));
    let source = Source::File {
        file,
        size: content.len() as u64,
    };
    client.push_blob(&remote, &digest, &source).await.unwrap();
    // The blob exists already.
    client.push_blob(&remote, &digest, &source).await.unwrap();
    let descriptor = Descriptor {
        media_type: String::new(),
        size: content.len() as u64,
        digest,
        annotations: None,
        platform: None,
        artifact_type: None,
    };
    let mut blob = client.blob(&remote, &descriptor).await.unwrap();
    let mut seen = 0;
    while let Some(chunk) = blob.next().await.unwrap() {
        seen += chunk.len();
    }
    assert_eq!(seen, content.len());
}

fn tempfile(content: &[u8]) -> std::fs::File {
    use std::io::Write as _;
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(content).unwrap();
    file
}

/// The bytes of `flux push artifact --reproducible`. The field order is that of the library's
/// structures.
#[test]
fn configuration_and_manifest_match_flux() {
    let layer = Layer {
        digest: Digest::of(b"compressed"),
        size: 10,
    };
    let more = BTreeMap::from([("a.b/c".to_owned(), "d".to_owned())]);
    let package = Package::new(
        &layer,
        "https://example.com/repo",
        "main@sha1:abc",
        "1970-01-01T00:00:00Z",
        &more,
    );
    let compressed = Digest::of(b"compressed");
    assert_eq!(
        text(&package.config),
        r#"{"architecture":"","created":"0001-01-01T00:00:00Z","os":"","rootfs":{"type":"layers","diff_ids":null},"config":{}}"#
    );
    let (size, config) = (package.config.len(), Digest::of(&package.config));
    assert_eq!(
        text(&package.manifest),
        format!(
            r#"{{"schemaVersion":2,"mediaType":"application/vnd.oci.image.manifest.v1+json","config":{{"mediaType":"application/vnd.cncf.flux.config.v1+json","size":{size},"digest":"{config}"}},"layers":[{{"mediaType":"application/vnd.cncf.flux.content.v1.tar+gzip","size":10,"digest":"{compressed}"}}],"annotations":{{"a.b/c":"d","org.opencontainers.image.created":"1970-01-01T00:00:00Z","org.opencontainers.image.revision":"main@sha1:abc","org.opencontainers.image.source":"https://example.com/repo"}}}}"#
        )
    );
    assert_eq!(package.digest, Digest::of(&package.manifest));
}

fn text(bytes: &Bytes) -> &str {
    std::str::from_utf8(bytes).unwrap()
}
