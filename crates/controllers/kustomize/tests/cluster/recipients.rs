//! What `sops` encrypted for keys of other kinds than age's usual ones: OpenPGP keys, hybrid ones, and
//! keys of several kinds that have a share each.
//!
//! The documents are those of `sops` itself (`crates/content/sops/tests/fixtures`), and so is the text that has
//! to come out of them.

use std::path::Path;

use serde_json::{Map, Value, json};
use sluice_testkit::canary::base64;

use crate::bed::Bed;
use crate::decryption::{CANARY, assert_nowhere, value, with_keys};

/// A file of the fixtures of `crates/content/sops`.
pub(crate) fn fixture(path: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../content/sops/tests/fixtures");
    sluice_system::fs::read_to_string(folder.join(path)).unwrap()
}

/// A Secret's entries that are these keys, each under its own name.
fn entries(keys: &[&str]) -> Vec<(String, String)> {
    let entry = |key: &&str| ((*key).to_owned(), fixture(&format!("keys/{key}")));
    keys.iter().map(entry).collect()
}

/// Makes the Secret hold these entries and no other: what was given as `stringData` would stay.
async fn hold(bed: &Bed, entries: &[(String, String)]) {
    let data: Map<String, Value> = entries
        .iter()
        .map(|(name, text)| (name.clone(), base64(text).into()))
        .collect();
    bed.apply(
        &json!({"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "keys"}, "data": data}),
    )
    .await;
}

/// A folder with an object that is encrypted, and with an encrypted file for a generator.
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

/// A Kustomization of such a folder.
async fn follow(bed: &Bed, kind: &str) {
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

/// Gives the Kustomization other keys, and what it says of them.
async fn told(bed: &Bed, kind: &str, keys: &[(String, String)]) -> String {
    hold(bed, keys).await;
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
async fn openpgp_and_hybrid_keys_open_what_sops_encrypted_for_them() {
    let bed = Bed::start(&[]).await;
    let kinds = ["rsa", "curve25519", "nistp256", "hybrid"];
    publish(&bed, &kinds).await;
    let keys = entries(&["rsa.asc", "curve25519.asc", "nistp256.asc", "hybrid.agekey"]);
    hold(&bed, &keys).await;
    for kind in kinds {
        follow(&bed, kind).await;
        assert_opened(&bed, kind).await;
    }
    assert_nowhere(&bed).await;
}

#[tokio::test]
async fn a_key_of_the_right_kind_and_the_wrong_owner_is_refused_naming_the_right_one() {
    let bed = Bed::start(&[]).await;
    publish(&bed, &["rsa", "hybrid"]).await;
    hold(&bed, &entries(&["rsa.asc", "hybrid.agekey"])).await;
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
        follow(&bed, kind).await;
        assert_opened(&bed, kind).await;
        let message = told(&bed, kind, &entries(wrong)).await;
        let lead = format!(
            "error decrypting sources: {kind}/all.yaml: cannot get sops data key: no key decrypts it: {owner}"
        );
        assert!(message.starts_with(&lead), "{message}");
        // What was applied is still there, in the clear.
        assert_eq!(
            value(&bed, &format!("s-of-{kind}"), "password").await,
            CANARY
        );
        // Beside the right one, a wrong one does no harm.
        let both: Vec<&str> = wrong
            .iter()
            .copied()
            .chain(["rsa.asc", "hybrid.agekey"])
            .collect();
        hold(&bed, &entries(&both)).await;
        bed.request(kind, "with the right one again").await;
        assert_opened(&bed, kind).await;
    }
    assert_nowhere(&bed).await;
}

/// Publishes the object whose key has a share for an age key, one for an OpenPGP key and one for a
/// hybrid key, two of which are enough.
async fn publish_shared(bed: &Bed) {
    let kustomization = "namespace: NAMESPACE\nresources: [object.yaml]\n";
    let files = [
        ("kustomization.yaml", kustomization),
        ("object.yaml", &*fixture("objects/shamir.yaml")),
    ];
    bed.publish("1", &files).await;
}

#[tokio::test]
async fn any_two_keys_of_three_kinds_open_what_is_shared_among_them() {
    let pairs = [
        ["x25519.agekey", "rsa.asc"],
        ["rsa.asc", "hybrid.agekey"],
        ["x25519.agekey", "hybrid.agekey"],
    ];
    for pair in pairs {
        let bed = Bed::start(&[]).await;
        publish_shared(&bed).await;
        // A stranger's keys are among them.
        let keys: Vec<&str> = ["second.agekey", "nistp256.asc"]
            .into_iter()
            .chain(pair)
            .collect();
        hold(&bed, &entries(&keys)).await;
        bed.kustomization("app", with_keys()).await;
        bed.until_applied("app", "1").await;
        assert_eq!(value(&bed, "s", "password").await, CANARY, "{pair:?}");
        assert_nowhere(&bed).await;
    }
}

#[tokio::test]
async fn one_key_of_three_is_not_enough_and_each_share_that_is_missing_is_named() {
    let bed = Bed::start(&[]).await;
    publish_shared(&bed).await;
    hold(&bed, &entries(&["x25519.agekey", "rsa.asc"])).await;
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
        let message = told(
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
async fn an_openpgp_entry_that_is_no_secret_key_is_named_and_not_quoted() {
    let bed = Bed::start(&[]).await;
    publish_shared(&bed).await;
    hold(&bed, &entries(&["x25519.agekey", "rsa.asc"])).await;
    bed.kustomization("app", with_keys()).await;
    bed.until_applied("app", "1").await;
    let whole = fixture("keys/rsa.asc");
    let body = whole.lines().nth(5).unwrap();
    let cut = &whole[..whole.len() / 2];
    for broken in [cut, body, "", CANARY] {
        let mut keys = entries(&["x25519.agekey"]);
        keys.push(("b.asc".to_owned(), broken.to_owned()));
        let message = told(&bed, "app", &keys).await;
        let lead = "failed to import 'b.asc' data from sops decryption Secret 'NS/keys': ";
        assert!(message.starts_with(lead), "{message}");
        assert!(!message.contains(body), "{message}");
    }
    assert_eq!(value(&bed, "s", "password").await, CANARY);
}
