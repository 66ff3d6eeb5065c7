//! Decryption with OpenPGP keys, hybrid age keys and key groups.
//!
//! `sops` itself wrote the encrypted documents in `crates/content/sops/tests/fixtures` and their
//! expected plain texts.

use std::path::Path;

use serde_json::{Map, Value, json};
use sluice_testkit::canary::base64;

use crate::bed::Bed;
use crate::decryption::{CANARY, assert_nowhere, value, with_keys};

/// Reads a file from the fixtures of `crates/content/sops`.
pub(crate) fn fixture(path: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../content/sops/tests/fixtures");
    sluice_system::fs::read_to_string(folder.join(path)).unwrap()
}

/// The entries of a Secret with these keys, by file name.
fn entries(keys: &[&str]) -> Vec<(String, String)> {
    let entry = |key: &&str| ((*key).to_owned(), fixture(&format!("keys/{key}")));
    keys.iter().map(entry).collect()
}

/// Sets the entries of the Secret. An apply of `stringData` would keep old entries.
async fn set_keys(bed: &Bed, entries: &[(String, String)]) {
    let data: Map<String, Value> = entries
        .iter()
        .map(|(name, text)| (name.clone(), base64(text).into()))
        .collect();
    bed.apply(
        &json!({"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "keys"}, "data": data}),
    )
    .await;
}

/// A directory with an encrypted object, and an encrypted file for a generator.
fn folder(kind: &str) -> Vec<(String, String)> {
    let kustomization = format!(
        "namespace: NAMESPACE\nnameSuffix: -of-{kind}\nresources: [object.yaml]\n\
         generatorOptions: {{disableNameSuffixHash: true}}\n\
         secretGenerator: [{{name: generated, files: [all.yaml]}}]\n"
    );
    let file = |name: &str| format!("{kind}/{name}");
    vec![
        (file("kustomization.yaml"), kustomization),
        (
            file("object.yaml"),
            fixture(&format!("objects/{kind}.yaml")),
        ),
        (
            file("all.yaml"),
            fixture(&format!("encrypted/{kind}-all.yaml")),
        ),
    ]
}

async fn publish(bed: &Bed, kinds: &[&str]) {
    let files: Vec<(String, String)> = kinds.iter().flat_map(|kind| folder(kind)).collect();
    let files: Vec<(&str, &str)> = files
        .iter()
        .map(|(path, text)| (path.as_str(), text.as_str()))
        .collect();
    bed.publish("1", &files).await;
}

/// Creates a Kustomization of such a directory.
async fn create_kustomization(bed: &Bed, kind: &str) {
    let mut spec = with_keys();
    spec["path"] = json!(kind);
    bed.kustomization(kind, spec).await;
}

async fn assert_opened(bed: &Bed, kind: &str) {
    bed.until_applied(kind, "1").await;
    let object = format!("s-of-{kind}");
    assert_eq!(value(bed, &object, "password").await, CANARY, "{kind}");
    let generated = value(bed, &format!("generated-of-{kind}"), "all.yaml").await;
    assert_eq!(generated, fixture("decrypted/all.yaml"), "{kind}");
}

/// Changes the keys and returns the error message of the next run.
async fn error_with_keys(bed: &Bed, kind: &str, keys: &[(String, String)]) -> String {
    set_keys(bed, keys).await;
    let token = bed.testbed.name("keys");
    bed.request(kind, &token).await;
    let status = bed.until_handled(kind, &token).await;
    let ready = status.conditions.find("Ready").unwrap();
    assert!(
        ready.is_false() && ready.reason == "BuildFailed",
        "{ready:?}"
    );
    let message = ready.message.replace(&bed.namespace, "NS");
    for secret in ["SECRET-KEY", "-----BEGIN", "ENC[", CANARY] {
        assert!(!message.contains(secret), "{message}");
    }
    assert_eq!(message.lines().count(), 1, "{message}");
    message
}

#[tokio::test]
async fn openpgp_and_hybrid_keys_decrypt_sops_documents() {
    let bed = Bed::start(&[]).await;
    let kinds = ["rsa", "curve25519", "nistp256", "hybrid"];
    publish(&bed, &kinds).await;
    let keys = entries(&["rsa.asc", "curve25519.asc", "nistp256.asc", "hybrid.agekey"]);
    set_keys(&bed, &keys).await;
    for kind in kinds {
        create_kustomization(&bed, kind).await;
        assert_opened(&bed, kind).await;
    }
    assert_nowhere(&bed).await;
}

#[tokio::test]
async fn wrong_key_error_names_right_recipient() {
    let bed = Bed::start(&[]).await;
    publish(&bed, &["rsa", "hybrid"]).await;
    set_keys(&bed, &entries(&["rsa.asc", "hybrid.agekey"])).await;
    for (kind, wrong, owner) in [
        (
            "rsa",
            &["curve25519.asc", "hybrid.agekey"],
            "pgp 8004130226C309BF0CF86BC88E38334F0C9D105E: ",
        ),
        (
            "hybrid",
            &["rsa.asc", "x25519.agekey"],
            "age age1pq12yt3xfjcecu6eywh48yw85qmnecvg0kcjjf2qaa4t0yyrazd84q3fjjnykkevay25hxpz4prewsxkt2xqhu9g6ved2es3qu3dmd",
        ),
    ] {
        create_kustomization(&bed, kind).await;
        assert_opened(&bed, kind).await;
        let message = error_with_keys(&bed, kind, &entries(wrong)).await;
        let lead = format!(
            "error decrypting sources: {kind}/all.yaml: cannot get sops data key: no key decrypts it: {owner}"
        );
        assert!(message.starts_with(&lead), "{message}");
        // The decrypted object stays.
        assert_eq!(
            value(&bed, &format!("s-of-{kind}"), "password").await,
            CANARY
        );
        // A wrong key beside the right one is harmless.
        let both: Vec<&str> = wrong
            .iter()
            .copied()
            .chain(["rsa.asc", "hybrid.agekey"])
            .collect();
        set_keys(&bed, &entries(&both)).await;
        bed.request(kind, "with the right one again").await;
        assert_opened(&bed, kind).await;
    }
    assert_nowhere(&bed).await;
}

/// Publishes an object whose data key is split among an age, an OpenPGP and a hybrid key. Two of
/// three shares are enough.
async fn publish_shared(bed: &Bed) {
    let kustomization = "namespace: NAMESPACE\nresources: [object.yaml]\n";
    let files = [
        ("kustomization.yaml", kustomization),
        ("object.yaml", &*fixture("objects/shamir.yaml")),
    ];
    bed.publish("1", &files).await;
}

#[tokio::test]
async fn any_two_of_three_shared_keys_decrypt() {
    let pairs = [
        ["x25519.agekey", "rsa.asc"],
        ["rsa.asc", "hybrid.agekey"],
        ["x25519.agekey", "hybrid.agekey"],
    ];
    for pair in pairs {
        let bed = Bed::start(&[]).await;
        publish_shared(&bed).await;
        // Unrelated keys are among them.
        let keys: Vec<&str> = ["second.agekey", "nistp256.asc"]
            .into_iter()
            .chain(pair)
            .collect();
        set_keys(&bed, &entries(&keys)).await;
        bed.kustomization("app", with_keys()).await;
        bed.until_applied("app", "1").await;
        assert_eq!(value(&bed, "s", "password").await, CANARY, "{pair:?}");
        assert_nowhere(&bed).await;
    }
}

#[tokio::test]
async fn single_shared_key_error_names_missing_shares() {
    let bed = Bed::start(&[]).await;
    publish_shared(&bed).await;
    set_keys(&bed, &entries(&["x25519.agekey", "rsa.asc"])).await;
    bed.kustomization("app", with_keys()).await;
    bed.until_applied("app", "1").await;
    for (right, missing) in [
        (
            "x25519.agekey",
            [
                "group 1: pgp 8004130226C309BF0CF86BC88E38334F0C9D105E: ",
                "group 2: age age1pq1",
            ],
        ),
        (
            "rsa.asc",
            [
                "group 0: age age1g3d2tuew2rf2cwjhdjjqg6vrm55tvf8ehjrn204q45cx27zq74xqngqas4: ",
                "group 2: age age1pq1",
            ],
        ),
        (
            "hybrid.agekey",
            [
                "group 0: age age1g3d2tuew2rf2cwjhdjjqg6vrm55tvf8ehjrn204q45cx27zq74xqngqas4: ",
                "group 1: pgp 8004130226C309BF0CF86BC88E38334F0C9D105E: ",
            ],
        ),
    ] {
        let message = error_with_keys(
            &bed,
            "app",
            &entries(&[right, "second.agekey", "nistp256.asc"]),
        )
        .await;
        let lead = "decryption failed for 'Secret.v1.[noGrp]/s': failed to decrypt and format 'NS/s' Secret data: \
            cannot get sops data key: 1 of 2 key groups gave their part: ";
        assert!(message.starts_with(lead), "{message}");
        for share in missing {
            assert!(message.contains(share), "{right}: {share}: {message}");
        }
        assert_eq!(value(&bed, "s", "password").await, CANARY, "{right}");
    }
    assert_nowhere(&bed).await;
}

#[tokio::test]
async fn invalid_openpgp_entry_is_named_not_quoted() {
    let bed = Bed::start(&[]).await;
    publish_shared(&bed).await;
    set_keys(&bed, &entries(&["x25519.agekey", "rsa.asc"])).await;
    bed.kustomization("app", with_keys()).await;
    bed.until_applied("app", "1").await;
    let whole = fixture("keys/rsa.asc");
    let body = whole.lines().nth(5).unwrap();
    let cut = &whole[..whole.len() / 2];
    for broken in [cut, body, "", CANARY] {
        let mut keys = entries(&["x25519.agekey"]);
        keys.push(("b.asc".to_owned(), broken.to_owned()));
        let message = error_with_keys(&bed, "app", &keys).await;
        let lead = "failed to import 'b.asc' data from sops decryption Secret 'NS/keys': ";
        assert!(message.starts_with(lead), "{message}");
        assert!(!message.contains(body), "{message}");
    }
    assert_eq!(value(&bed, "s", "password").await, CANARY);
}
