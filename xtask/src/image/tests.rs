//! Tests of the layout: the image specification, equal bytes and file owners.

use std::collections::BTreeMap;
use std::io::Read as _;

use serde_json::Value;

use super::*;

pub(super) fn input(compressed: bool) -> Input<'static> {
    Input {
        binary: b"binary",
        ca_bundle: b"authorities",
        registry: "example/sluice",
        tag: "v1",
        epoch: 1_700_000_000,
        compressed,
    }
}

/// The files of a layout.
fn files(layout: &[u8]) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    for entry in tar::Archive::new(layout).entries().unwrap() {
        let mut entry = entry.unwrap();
        let path = entry.path().unwrap().display().to_string();
        let mut content = Vec::new();
        entry.read_to_end(&mut content).unwrap();
        assert!(
            files.insert(path.clone(), content).is_none(),
            "{path} is there twice"
        );
    }
    files
}

/// Reads a blob and checks its length and digest.
fn blob<'a>(files: &'a BTreeMap<String, Vec<u8>>, descriptor: &Value) -> &'a [u8] {
    let digest = descriptor["digest"].as_str().unwrap();
    let hash = digest.strip_prefix("sha256:").unwrap();
    let content = &files[&format!("blobs/sha256/{hash}")];
    assert_eq!(sha256(content), hash);
    assert_eq!(descriptor["size"], content.len());
    content
}

fn json(bytes: &[u8]) -> Value {
    serde_json::from_slice(bytes).unwrap()
}

/// Checks layout, index, manifest, configuration and layers.
#[test]
fn layout_follows_image_specification() {
    for compressed in [true, false] {
        let files = files(&layout(&input(compressed)).unwrap());
        assert_eq!(json(&files["oci-layout"])["imageLayoutVersion"], "1.0.0");
        let index = json(&files["index.json"]);
        assert_eq!(index["schemaVersion"], 2);
        assert_eq!(index["mediaType"], INDEX);
        let mut used = vec![
            "oci-layout".to_owned(),
            "index.json".to_owned(),
            "blobs/".to_owned(),
            "blobs/sha256/".to_owned(),
        ];
        let mut note = |descriptor: &Value| {
            let digest = descriptor["digest"].as_str().unwrap();
            used.push(format!("blobs/{}", digest.replace(':', "/")));
        };
        for entry in index["manifests"].as_array().unwrap() {
            assert_eq!(entry["mediaType"], MANIFEST);
            assert_eq!(entry["platform"]["os"], "linux");
            note(entry);
            let manifest = json(blob(&files, entry));
            assert_eq!(manifest["schemaVersion"], 2);
            assert_eq!(manifest["mediaType"], MANIFEST);
            assert_eq!(manifest["config"]["mediaType"], CONFIG);
            note(&manifest["config"]);
            let config = json(blob(&files, &manifest["config"]));
            assert_eq!(config["os"], "linux");
            assert_eq!(config["architecture"], entry["platform"]["architecture"]);
            assert_eq!(config["created"], "2023-11-14T22:13:20Z");
            assert_eq!(config["rootfs"]["type"], "layers");
            let layers = manifest["layers"].as_array().unwrap();
            let diff_ids = config["rootfs"]["diff_ids"].as_array().unwrap();
            assert_eq!(layers.len(), diff_ids.len());
            let history = config["history"].as_array().unwrap();
            assert_eq!(history.len(), layers.len());
            for (layer, diff_id) in layers.iter().zip(diff_ids) {
                note(layer);
                let stored = blob(&files, layer);
                let mut plain = Vec::new();
                if compressed {
                    assert_eq!(layer["mediaType"], LAYER_GZIP);
                    flate2::read::GzDecoder::new(stored)
                        .read_to_end(&mut plain)
                        .unwrap();
                } else {
                    assert_eq!(layer["mediaType"], LAYER);
                    plain.extend_from_slice(stored);
                }
                assert_eq!(*diff_id, format!("sha256:{}", sha256(&plain)));
            }
        }
        for path in files.keys() {
            assert!(used.contains(path), "{path} is referred to by nothing");
        }
    }
}

/// Returns every file of the layers with its owner, by path.
fn unpacked(layout: &[u8]) -> BTreeMap<String, (u64, u32, Vec<u8>)> {
    let files = files(layout);
    let index = json(&files["index.json"]);
    let manifest = json(blob(&files, &index["manifests"][0]));
    let mut found = BTreeMap::new();
    for layer in manifest["layers"].as_array().unwrap() {
        for entry in tar::Archive::new(blob(&files, layer)).entries().unwrap() {
            let mut entry = entry.unwrap();
            let path = format!("/{}", entry.path().unwrap().display());
            let owner = entry.header().uid().unwrap();
            let mode = entry.header().mode().unwrap();
            let mut content = Vec::new();
            entry.read_to_end(&mut content).unwrap();
            found.insert(path, (owner, mode, content));
        }
    }
    found
}

fn configurations(layout: &[u8]) -> Vec<Value> {
    let files = files(layout);
    json(&files["index.json"])["manifests"]
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| {
            let manifest = json(blob(&files, entry));
            json(blob(&files, &manifest["config"]))["config"].clone()
        })
        .collect()
}

#[test]
fn equal_input_gives_equal_bytes() {
    for compressed in [true, false] {
        assert_eq!(
            layout(&input(compressed)).unwrap(),
            layout(&input(compressed)).unwrap()
        );
    }
}

/// Returns the download size of each image.
fn sizes(layout: &[u8]) -> Vec<usize> {
    let files = files(layout);
    let index = json(&files["index.json"]);
    let size = |descriptor: &Value| blob(&files, descriptor).len();
    let all = index["manifests"].as_array().unwrap().iter();
    all.map(|entry| {
        let manifest = json(blob(&files, entry));
        let layers = manifest["layers"].as_array().unwrap().iter();
        size(entry) + size(&manifest["config"]) + layers.map(size).sum::<usize>()
    })
    .collect()
}

#[test]
fn too_large_image_is_rejected() {
    let largest = sizes(&layout(&input(true)).unwrap()).into_iter().max();
    let largest = largest.unwrap();
    assert!(layout_within(&input(true), largest).is_ok());
    let refused = layout_within(&input(true), largest - 1).unwrap_err();
    let refused = refused.to_string();
    let expected = format!("has {largest} bytes, and may have {}", largest - 1);
    assert!(refused.contains(&expected), "{refused}");
    // Tests do not compress, and a debug build is large.
    assert!(layout_within(&input(false), 1).is_ok());
    assert_eq!(LIMIT, 41_943_040, "40 MiB");
}

#[test]
fn user_is_not_root_and_root_owns_files() {
    let layout = layout(&input(false)).unwrap();
    for config in configurations(&layout) {
        assert_eq!(config["User"], "65534:65534");
    }
    let files = unpacked(&layout);
    assert_eq!(files["/usr/local/bin/sluice"].0, 0);
    assert_eq!(files["/usr/local/bin/sluice"].1, 0o755);
    assert_eq!(files["/data/"].0, USER);
    for (path, (_, mode, _)) in &files {
        assert_eq!(mode & 0o6000, 0, "{path} has another's rights");
        let anybody_s = mode & 0o002 != 0;
        assert!(
            !anybody_s || path == "/tmp/" || *mode == 0o777,
            "anybody may write {path}"
        );
    }
    let shells = ["/bin/sh", "/usr/bin/sh", "/bin/bash"];
    assert!(shells.iter().all(|shell| !files.contains_key(*shell)));
}

#[test]
fn ca_bundle_is_at_configured_path() {
    let layout = layout(&input(false)).unwrap();
    let files = unpacked(&layout);
    for config in configurations(&layout) {
        let variable = config["Env"]
            .as_array()
            .unwrap()
            .iter()
            .find_map(|text| text.as_str().unwrap().strip_prefix("SSL_CERT_FILE="))
            .unwrap();
        assert_eq!(files[variable].2, b"authorities");
    }
}

#[test]
fn every_name_has_image_and_entrypoint() {
    let layout = layout(&input(false)).unwrap();
    let index = json(&files(&layout)["index.json"]);
    let names: Vec<&str> = index["manifests"]
        .as_array()
        .unwrap()
        .iter()
        .map(|manifest| {
            manifest["annotations"]["io.containerd.image.name"]
                .as_str()
                .unwrap()
        })
        .collect();
    // Written out, so that a lost name fails the test.
    assert_eq!(
        names,
        [
            "example/sluice/sluice:v1",
            "example/sluice/source-controller:v1",
            "example/sluice/kustomize-controller:v1",
            "example/sluice/helm-controller:v1",
            "example/sluice/notification-controller:v1",
            "example/sluice/image-reflector-controller:v1",
            "example/sluice/image-automation-controller:v1",
            "example/sluice/source-watcher:v1",
        ]
    );
    let files = unpacked(&layout);
    for config in configurations(&layout) {
        let program = config["Entrypoint"][0].as_str().unwrap();
        assert!(files.contains_key(program), "{program}");
    }
}
