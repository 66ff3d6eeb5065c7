//! Encrypted files that were modified or truncated are refused, and the applied objects stay. Also
//! covers files of several documents.

use serde_json::json;
use sluice_sops::{Format, Rule};

use crate::bed::{Bed, config};
use crate::decryption::{CANARY, KEY, age, assert_nowhere, encrypted, of_data, value, with_keys};
use crate::recipients::fixture;

/// A manifest of a Secret with two values in the bed's namespace.
fn plain(bed: &Bed, name: &str) -> String {
    format!(
        "apiVersion: v1\nkind: Secret\nmetadata:\n  name: {name}\n  namespace: {}\nstringData:\n  password: {CANARY}\n  other: {CANARY}-too\n",
        bed.namespace
    )
}

async fn secret(bed: &Bed, name: &str) -> String {
    encrypted(&plain(bed, name), Format::Yaml, age(), of_data()).await
}

/// A bed with a Kustomization that has applied the Secret `s`.
async fn applied() -> (Bed, String) {
    let bed = Bed::start(&[]).await;
    bed.secret("keys", json!({"mine.agekey": KEY}), false).await;
    let document = secret(&bed, "s").await;
    bed.publish("1", &[("s.yaml", &document)]).await;
    bed.kustomization("app", with_keys()).await;
    bed.until_applied("app", "1").await;
    (bed, document)
}

/// Publishes a broken file and returns the error message without the random namespace.
async fn refused(bed: &Bed, file: &str, what: &str) -> String {
    let revision = bed.testbed.name("broken");
    bed.publish(&revision, &[("s.yaml", file)]).await;
    bed.request("app", &revision).await;
    let status = bed.until_handled("app", &revision).await;
    let ready = status.conditions.find("Ready").unwrap();
    assert!(ready.is_false(), "{what}: {ready:?}");
    assert_eq!(status.last_applied_revision.as_deref(), Some("1"), "{what}");
    assert_eq!(bed.inventory(&status), ["NS_s__Secret"], "{what}");
    assert_eq!(value(bed, "s", "password").await, CANARY, "{what}");
    for secret in ["ENC[", CANARY] {
        assert!(!ready.message.contains(secret), "{what}: {}", ready.message);
    }
    ready.message.replace(&bed.namespace, "NS")
}

/// The line of a document that starts with a key.
fn line<'d>(document: &'d str, key: &str) -> &'d str {
    let mut lines = document.lines();
    lines
        .find(|line| line.trim_start().starts_with(key))
        .unwrap()
}

/// The encrypted value in a line.
fn cipher(line: &str) -> &str {
    &line[line.find("ENC[").unwrap()..]
}

#[tokio::test]
async fn modified_or_moved_value_error_names_path() {
    let (bed, document) = applied().await;
    let [password, other] = ["password:", "other:"].map(|key| cipher(line(&document, key)));
    let at = document.find(password).unwrap() + "ENC[AES256_GCM,data:".len();
    let flipped = if &document[at..=at] == "A" { "B" } else { "A" };
    let bit = format!("{}{flipped}{}", &document[..at], &document[at + 1..]);
    let cases = [
        ("a bit", bit, "password"),
        (
            "the value of another key",
            document.replace(password, other),
            "password",
        ),
        (
            "another name of the key",
            document.replace("password:", "passwort:"),
            "passwort",
        ),
    ];
    for (what, changed, path) in cases {
        let message = refused(&bed, &changed, what).await;
        let expected = format!(
            "decryption failed for 'Secret.v1.[noGrp]/s': failed to decrypt and format 'NS/s' Secret data: \
             error decrypting sops tree: value of stringData.{path}: Could not decrypt value: Could not decrypt with AES_GCM: "
        );
        assert!(message.starts_with(&expected), "{what}: {message}");
    }
    assert_nowhere(&bed).await;
}

#[tokio::test]
async fn truncated_file_is_refused() {
    let (bed, document) = applied().await;
    let section = document.find("\nsops:").unwrap();
    let value = document.find("password: ENC[").unwrap();
    let key = document.find("-----END AGE").unwrap();
    let code = document.find("    mac: ENC[").unwrap();
    for (what, end) in [
        ("in a value", value + 30),
        ("in the name of that", section + 3),
        ("in a wrapped key", key - 40),
        ("before its code", code),
    ] {
        refused(&bed, &document[..end], what).await;
    }
    assert_nowhere(&bed).await;
}

/// As in Flux: kustomize changes objects before their decryption, so the MAC of the file would
/// never match.
#[tokio::test]
async fn file_mac_is_not_verified() {
    let (bed, document) = applied().await;
    let code = cipher(line(&document, "mac:"));
    let other = secret(&bed, "s").await;
    let changed = document
        .replace(code, cipher(line(&other, "mac:")))
        .replace("  name: s\n", "  name: renamed\n");
    assert_ne!(changed, document);
    bed.publish("2", &[("s.yaml", &changed)]).await;
    bed.until_applied("app", "2").await;
    assert_eq!(value(&bed, "renamed", "password").await, CANARY);
}

#[tokio::test]
async fn one_file_mixes_plain_and_encrypted_documents() {
    let bed = Bed::start(&[]).await;
    let keys = json!({"x25519.agekey": KEY, "hybrid.agekey": fixture("keys/hybrid.agekey"), "rsa.asc": fixture("keys/rsa.asc")});
    bed.secret("keys", keys, false).await;
    let named = |object: &str, name: &str| {
        let text = fixture(&format!("objects/{object}.yaml"));
        let named = format!("    name: {name}\n    namespace: NAMESPACE\n");
        text.replacen("    name: s\n", &named, 1)
    };
    // `sops` 3.7.3 writes empty lists for unused kinds of keys.
    let new = secret(&bed, "old").await;
    let age = new.find("\n    age:").unwrap();
    let old = format!(
        "{}\n    kms: []\n    gcp_kms: []\n    azure_kv: []\n    hc_vault: []{}",
        &new[..age],
        new[age..].replace("version: 3.13.3", "version: 3.7.3")
    );
    assert!(old.contains("version: 3.7.3"));
    let everything = encrypted(
        &config("map", CANARY).replace("NAMESPACE", &bed.namespace),
        Format::Yaml,
        crate::decryption::age(),
        Rule::EncryptedRegex("^data$".to_owned()),
    )
    .await;
    let file = [
        config("plain", "1"),
        named("hybrid", "hybrid"),
        old,
        everything,
        plain(&bed, "open"),
        named("shamir", "shared"),
        named("rsa", "openpgp"),
    ]
    .join("---\n");
    bed.publish("1", &[("all.yaml", &file)]).await;
    bed.kustomization("app", with_keys()).await;
    let status = bed.until_applied("app", "1").await;
    assert_eq!(status.inventory.unwrap().entries.len(), 7);
    for name in ["hybrid", "old", "open", "shared", "openpgp"] {
        assert_eq!(value(&bed, name, "password").await, CANARY, "{name}");
    }
    assert_eq!(bed.config_map("plain").await.unwrap()["data"]["key"], "1");
    assert_eq!(bed.config_map("map").await.unwrap()["data"]["key"], CANARY);
}
