//! Invalid input: one clear message each, and applied objects stay unchanged.

use std::io::Write as _;

use serde_json::json;
use sluice_artifact::deflate::GzipWriter;
use sluice_digest::Algorithm;

use crate::bed::{Bed, archive, config};

/// Breaks a healthy source and returns the error message. Asserts that no object was lost.
async fn broken_by(files: &[(&str, &str)], spec: serde_json::Value, reason: &str) -> String {
    let bed = Bed::start(&[]).await;
    bed.publish("1", &[("a.yaml", &config("a", "1"))]).await;
    bed.kustomization("app", json!({})).await;
    bed.until_applied("app", "1").await;
    if !spec.as_object().unwrap().is_empty() {
        bed.kustomization("app", spec).await;
    }
    bed.publish("2", files).await;
    let message = bed.until_failed("app", reason).await;
    let status = bed
        .until("app", "keeps what it applied last", |s| {
            s.last_applied_revision.as_deref() == Some("1")
        })
        .await;
    assert!(
        bed.inventory(&status)
            .contains(&"NS_a__ConfigMap".to_owned()),
        "{:?}",
        status.inventory
    );
    assert_eq!(
        bed.config_map("a").await.unwrap()["data"]["key"],
        "1",
        "unchanged"
    );
    message.replace(&bed.namespace, "NS")
}

#[tokio::test]
async fn invalid_source_name_is_not_found_and_keeps_objects() {
    let bed = Bed::start(&[]).await;
    bed.publish("1", &[("a.yaml", &config("a", "1"))]).await;
    bed.kustomization("app", json!({})).await;
    bed.until_applied("app", "1").await;
    let elsewhere = format!("x/../{}", bed.namespace);
    for (namespace, name) in [
        (None, "x/../source"),
        (Some(&*elsewhere), "source"),
        (Some("50%"), "other"),
    ] {
        let mut reference = json!({"kind": "GitRepository", "name": name});
        if let Some(namespace) = namespace {
            reference["namespace"] = json!(namespace);
        }
        let spec = json!({"sourceRef": reference});
        bed.kustomization("app", spec).await;
        let expected = format!("GitRepository.source.toolkit.fluxcd.io {name:?} not found");
        let status = bed
            .until("app", &expected, |status| {
                let ready = status.conditions.find("Ready");
                ready.is_some_and(|ready| ready.is_false() && ready.message == expected)
            })
            .await;
        let ready = status.conditions.find("Ready").unwrap();
        assert_eq!(ready.reason, "ArtifactFailed", "{name}");
        assert_eq!(bed.inventory(&status), ["NS_a__ConfigMap"], "{name}");
        assert!(bed.config_map("a").await.is_some(), "{name}");
    }
    bed.kustomization("app", json!({})).await;
    bed.until_applied("app", "1").await;
}

#[tokio::test]
async fn one_invalid_file_fails_build() {
    let message = broken_by(
        &[("a.yaml", &config("a", "2")), ("bad.yaml", "a: [")],
        json!({}),
        "BuildFailed",
    )
    .await;
    assert!(
        message.starts_with("failed to decode Kubernetes YAML from bad.yaml"),
        "{message}"
    );
}

#[tokio::test]
async fn error_names_missing_directory() {
    let message = broken_by(
        &[("a.yaml", &config("a", "2"))],
        json!({"path": "../../gone"}),
        "ArtifactFailed",
    )
    .await;
    assert_eq!(
        message,
        "kustomization path not found: stat gone: no such file or directory"
    );
}

#[tokio::test]
async fn unknown_kind_fails_stage() {
    let unknown =
        "apiVersion: example.com/v1\nkind: Nothing\nmetadata: {name: n, namespace: NAMESPACE}\n";
    let files = [("a.yaml", &*config("a", "2")), ("n.yaml", unknown)];
    let message = broken_by(&files, json!({}), "ReconciliationFailed").await;
    assert!(
        message.contains(r#"no matches for kind "Nothing" in version "example.com/v1""#),
        "{message}"
    );
}

#[tokio::test]
async fn duplicate_object_is_refused() {
    let twice = [
        ("a.yaml", &*config("a", "2")),
        ("b.yaml", &*config("a", "3")),
    ];
    let bed = Bed::start(&[]).await;
    bed.publish("1", &twice).await;
    bed.kustomization("app", json!({})).await;
    let ready = bed
        .until("app", "has failed", |s| s.conditions.is_false("Ready"))
        .await;
    let ready = ready.conditions.find("Ready").unwrap();
    assert!(
        matches!(
            ready.reason.as_str(),
            "BuildFailed" | "ReconciliationFailed"
        ),
        "{ready:?}"
    );
    assert!(bed.config_map("a").await.is_none());
}

#[tokio::test]
async fn one_invalid_object_fails_stage() {
    let invalid = "apiVersion: v1\nkind: Service\nmetadata: {name: s, namespace: NAMESPACE}\nspec: {ports: [{port: 99999}]}\n";
    let files = [("a.yaml", &*config("a", "2")), ("s.yaml", invalid)];
    let message = broken_by(&files, json!({}), "ReconciliationFailed").await;
    assert!(
        message.contains("Service/NS/s dry-run failed (Invalid): "),
        "{message}"
    );
}

#[tokio::test]
async fn encrypted_secret_does_not_replace_plain_one() {
    let secret = "apiVersion: v1\nkind: Secret\nmetadata: {name: s, namespace: NAMESPACE}\nstringData: {a: 'ENC[...]'}\nsops: {mac: 'ENC[...]'}\n";
    let message = broken_by(&[("s.yaml", secret)], json!({}), "ReconciliationFailed").await;
    assert_eq!(
        message,
        "Secret/NS/s is SOPS encrypted, configuring decryption is required for this secret to be reconciled"
    );
}

#[tokio::test]
async fn archive_with_wrong_digest_is_refused() {
    let bed = Bed::start(&["--http-retry=0"]).await;
    let promised = format!("sha256:{}", "0".repeat(64));
    bed.publish_with("1", archive(&[("a.yaml", &config("a", "1"))]), &promised)
        .await;
    bed.kustomization("app", json!({})).await;
    let message = bed.until_failed("app", "ArtifactFailed").await;
    assert!(
        message.contains("failed to verify archive: computed digest doesn't match provided"),
        "{message}"
    );
}

/// A compressed tar archive of one file with any name.
fn archive_of(name: &str, text: &str) -> Vec<u8> {
    let mut header = [0_u8; 512];
    header[..name.len()].copy_from_slice(name.as_bytes());
    header[100..107].copy_from_slice(b"0000644");
    header[124..135].copy_from_slice(format!("{:011o}", text.len()).as_bytes());
    header[136..147].copy_from_slice(b"00000000000");
    header[148..156].copy_from_slice(b"        ");
    header[156] = b'0';
    header[257..265].copy_from_slice(b"ustar\x0000");
    let sum: u32 = header.iter().map(|byte| u32::from(*byte)).sum();
    header[148..155].copy_from_slice(format!("{sum:06o}\0").as_bytes());
    let mut compressed = GzipWriter::new(Vec::new());
    compressed.write_all(&header).unwrap();
    compressed.write_all(text.as_bytes()).unwrap();
    let rest = text.len().next_multiple_of(512) - text.len();
    compressed.write_all(&vec![0; rest + 1024]).unwrap();
    compressed.finish().unwrap()
}

#[tokio::test]
async fn truncated_or_escaping_archive_is_refused() {
    let bed = Bed::start(&[]).await;
    let text = |value: &str| config("a", value).replace("NAMESPACE", &bed.namespace);
    let publish = async |revision: &str, archive: Vec<u8>| {
        // The digest matches, so only the content is wrong.
        let digest = Algorithm::Sha256.digest(&archive).to_string();
        bed.publish_with(revision, archive, &digest).await;
    };
    publish("1", archive_of("a.yaml", &text("1"))).await;
    bed.kustomization("app", json!({})).await;
    bed.until_applied("app", "1").await;
    let whole = archive_of("a.yaml", &text("2"));
    let outside = archive_of("../a.yaml", &text("2"));
    for (revision, archive) in [
        ("2", whole[..whole.len() / 2].to_vec()),
        ("3", b"no archive at all".to_vec()),
        ("4", Vec::new()),
        ("5", outside),
    ] {
        publish(revision, archive).await;
        let token = format!("look at {revision}");
        bed.request("app", &token).await;
        let status = bed.until_handled("app", &token).await;
        let ready = status.conditions.find("Ready").unwrap();
        assert_eq!(
            (ready.is_false(), ready.reason.as_str()),
            (true, "ArtifactFailed"),
            "{revision}: {ready:?}"
        );
        assert_eq!(bed.inventory(&status), ["NS_a__ConfigMap"], "{revision}");
        assert_eq!(status.last_applied_revision.as_deref(), Some("1"));
        assert_eq!(bed.config_map("a").await.unwrap()["data"]["key"], "1");
    }
    publish("6", whole).await;
    bed.until_applied("app", "6").await;
    assert_eq!(bed.config_map("a").await.unwrap()["data"]["key"], "2");
}

#[tokio::test]
async fn missing_archive_waits_for_source() {
    let bed = Bed::start(&[]).await;
    bed.publish("1", &[("a.yaml", &config("a", "1"))]).await;
    bed.lose("1");
    bed.kustomization("app", json!({})).await;
    let message = bed.until_failed("app", "ArtifactFailed").await;
    assert_eq!(
        message,
        "Source is not ready, artifact not found, retrying in 30s"
    );
    bed.publish("2", &[("a.yaml", &config("a", "1"))]).await;
    bed.until_applied("app", "2").await;
}

#[tokio::test]
async fn build_cannot_read_outside_of_artifact() {
    let files = [
        ("kustomization.yaml", "resources: [../../../../etc/passwd]"),
        ("a.yaml", &*config("a", "2")),
    ];
    let message = broken_by(&files, json!({}), "BuildFailed").await;
    assert!(message.starts_with("kustomize build failed: "), "{message}");
    assert!(!message.contains("root:"), "{message}");
}
