//! Encrypted objects and files: plain text only in the applied objects.

use k8s_openapi::api::core::v1::{Event, Secret};
use serde_json::json;
use sluice_sops::keys::Keyring;
use sluice_sops::{DataKey, Format, MasterKey, Metadata, PlainDocument, Recipient, Rule};
use sluice_testkit::kube::Api;
use sluice_testkit::kube::api::ListParams;

use crate::bed::{Bed, config};

/// A key for tests only.
pub(crate) const KEY: &str =
    include_str!("../../../../content/sops/tests/fixtures/keys/x25519.agekey");
const OTHER_KEY: &str = include_str!("../../../../content/sops/tests/fixtures/keys/second.agekey");
pub(crate) const CANARY: &str = "canary-7f3a91";

pub(crate) fn age() -> Recipient {
    let public = KEY
        .lines()
        .find_map(|line| line.strip_prefix("# public key: "));
    Recipient::Age {
        recipient: public.unwrap().to_owned(),
    }
}

/// Encrypts a text for a recipient, as `sops` does.
pub(crate) async fn encrypted(
    text: &str,
    format: Format,
    recipient: Recipient,
    rule: Rule,
) -> String {
    let key = DataKey::generate();
    let groups = match &recipient {
        Recipient::Vault { .. } => vec![vec![MasterKey {
            recipient,
            wrapped: "vault:v1:AAAA".to_owned(),
            created_at: Some("2026-01-01T00:00:00Z".to_owned()),
        }]],
        _ => Keyring::default()
            .wrap_data_key(&key, &[vec![recipient]], 0, "2026-01-01T00:00:00Z")
            .await
            .unwrap(),
    };
    sealed(text, format, rule, &key, groups)
}

/// Encrypts a text with an existing data key.
pub(crate) fn sealed(
    text: &str,
    format: Format,
    rule: Rule,
    key: &DataKey,
    groups: Vec<Vec<MasterKey>>,
) -> String {
    let metadata = Metadata {
        groups,
        rule,
        last_modified: "2026-01-01T00:00:00Z".to_owned(),
        version: "3.13.3".to_owned(),
        ..Metadata::default()
    };
    let document = PlainDocument::load(text.as_bytes(), format).unwrap();
    let bytes = document.encrypt(metadata, key).unwrap().emit().unwrap();
    String::from_utf8(bytes).unwrap()
}

pub(crate) fn of_data() -> Rule {
    Rule::EncryptedRegex("^(data|stringData)$".to_owned())
}

async fn secret(bed: &Bed, recipient: Recipient) -> String {
    let plain = format!(
        "apiVersion: v1\nkind: Secret\nmetadata:\n  name: s\n  namespace: {}\nstringData:\n  password: {CANARY}\n",
        bed.namespace
    );
    encrypted(&plain, Format::Yaml, recipient, of_data()).await
}

async fn live(bed: &Bed, name: &str) -> Option<Secret> {
    let api: Api<Secret> = Api::namespaced(bed.cluster.client().clone(), &bed.namespace);
    api.get_opt(name).await.unwrap()
}

pub(crate) async fn value(bed: &Bed, name: &str, key: &str) -> String {
    let data = live(bed, name).await.unwrap().data.unwrap();
    String::from_utf8(data[key].0.clone()).unwrap()
}

/// Asserts that no event and no Kustomization contains the canary.
pub(crate) async fn assert_nowhere(bed: &Bed) {
    let objects = bed.kustomizations().list(&ListParams::default()).await;
    for object in objects.unwrap() {
        let object = serde_json::to_string(&object).unwrap();
        assert!(!object.contains(CANARY), "{object}");
    }
    let events: Api<Event> = Api::namespaced(bed.cluster.client().clone(), &bed.namespace);
    for event in events.list(&ListParams::default()).await.unwrap() {
        let event = serde_json::to_string(&event).unwrap();
        assert!(!event.contains(CANARY), "{event}");
    }
}

pub(crate) fn with_keys() -> serde_json::Value {
    json!({"decryption": {"provider": "sops", "secretRef": {"name": "keys"}}})
}

#[tokio::test]
async fn encrypted_content_is_applied_and_never_shown() {
    let bed = Bed::start(&[]).await;
    bed.secret("keys", json!({"mine.agekey": KEY}), false).await;
    let environment = encrypted(
        &format!("TOKEN={CANARY}\n"),
        Format::Dotenv,
        age(),
        Rule::default(),
    )
    .await;
    let file = encrypted(CANARY, Format::Binary, age(), Rule::default()).await;
    let kustomization = format!(
        "namespace: {}\nresources: [s.yaml]\ngeneratorOptions: {{disableNameSuffixHash: true}}\nsecretGenerator:\n\
         - name: generated\n  envs: [a.env]\n  files: [raw=raw.bin]\n",
        bed.namespace
    );
    let secret = secret(&bed, age()).await;
    assert!(!secret.contains(CANARY) && !environment.contains(CANARY) && !file.contains(CANARY));
    let files = [
        ("kustomization.yaml", kustomization.as_str()),
        ("s.yaml", &secret),
        ("a.env", &environment),
        ("raw.bin", &file),
    ];
    bed.publish("1", &files).await;
    bed.kustomization("app", with_keys()).await;
    bed.until_applied("app", "1").await;
    assert_eq!(value(&bed, "s", "password").await, CANARY);
    assert_eq!(value(&bed, "generated", "TOKEN").await, CANARY);
    assert_eq!(value(&bed, "generated", "raw").await, CANARY);
    assert_nowhere(&bed).await;

    // An unchanged Secret is not applied again, although it was encrypted.
    let mark = bed.mark().await;
    bed.request("app", "again").await;
    bed.until_handled("app", "again").await;
    bed.mark().await;
    let audit = bed.testbed.audit();
    audit.assert_no_writes_by(&bed.user, mark, &["events", "kustomizations"]);
}

#[tokio::test]
async fn wrong_key_fails_build_and_keeps_secret() {
    let bed = Bed::start(&[]).await;
    bed.secret("keys", json!({"mine.agekey": KEY}), true).await;
    bed.publish("1", &[("s.yaml", &secret(&bed, age()).await)])
        .await;
    bed.kustomization("app", with_keys()).await;
    bed.until_applied("app", "1").await;
    // The label makes the controller watch the changed keys.
    bed.secret("keys", json!({"mine.agekey": OTHER_KEY}), true)
        .await;
    let message = bed.until_failed("app", "BuildFailed").await;
    let Recipient::Age { recipient } = age() else {
        unreachable!()
    };
    assert!(message.starts_with("decryption failed for '"), "{message}");
    assert!(
        message.contains(&recipient),
        "the message names the missing key: {message}"
    );
    assert!(
        !message.contains("AGE-SECRET-KEY") && !message.contains("ENC["),
        "{message}"
    );
    assert_eq!(value(&bed, "s", "password").await, CANARY);
    assert_nowhere(&bed).await;
}

#[tokio::test]
async fn missing_or_invalid_keys_are_named_not_quoted() {
    let bed = Bed::start(&[]).await;
    bed.publish("1", &[("s.yaml", &secret(&bed, age()).await)])
        .await;
    bed.kustomization("app", with_keys()).await;
    assert_eq!(
        bed.until_failed("app", "BuildFailed").await,
        "secrets \"keys\" not found"
    );
    bed.secret(
        "keys",
        json!({"mine.agekey": "AGE-SECRET-KEY-1CANARY"}),
        false,
    )
    .await;
    bed.request("app", "look").await;
    let status = bed.until_handled("app", "look").await;
    let message = &status.conditions.find("Ready").unwrap().message;
    let lead = format!(
        "failed to import 'mine.agekey' data from sops decryption Secret '{}/keys': ",
        bed.namespace
    );
    assert!(
        message.starts_with(&lead) && !message.contains("CANARY"),
        "{message}"
    );
}

#[tokio::test]
async fn global_age_keys_apply_without_secret_ref() {
    let bed = Bed::start(&["--sops-age-secret=global"]).await;
    bed.secret(
        "global",
        json!({"a.agekey": KEY, "sops.vault-token": "ignored"}),
        false,
    )
    .await;
    bed.publish("1", &[("s.yaml", &secret(&bed, age()).await)])
        .await;
    bed.kustomization("app", json!({"decryption": {"provider": "sops"}}))
        .await;
    bed.until_applied("app", "1").await;
    assert_eq!(value(&bed, "s", "password").await, CANARY);
}

#[tokio::test]
async fn vault_tokens_are_sent_to_listed_servers_only() {
    let bed = Bed::start(&["--sops-vault-configmap=servers"]).await;
    let servers =
        "instances:\n- address: https://vault.example.com\n  loginPath: auth/kubernetes/login\n";
    bed.apply(
        &json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "servers"},
        "data": {"config.yaml": servers}}),
    )
    .await;
    let elsewhere = Recipient::Vault {
        address: "https://attacker.example.com".to_owned(),
        engine: "sops".to_owned(),
        key: "key".to_owned(),
    };
    bed.publish("1", &[("s.yaml", &secret(&bed, elsewhere).await)])
        .await;
    bed.kustomization("app", json!({"decryption": {"provider": "sops"}}))
        .await;
    let message = bed.until_failed("app", "BuildFailed").await;
    assert!(
        message
            .contains("no Vault login path configured for address 'https://attacker.example.com'"),
        "{message}"
    );
}

#[tokio::test]
async fn decryption_account_needs_its_gate() {
    let bed = Bed::start(&[]).await;
    bed.publish("1", &[("a.yaml", &config("a", "1"))]).await;
    let spec = json!({"decryption": {"provider": "sops", "serviceAccountName": "someone"}});
    bed.kustomization("app", spec.clone()).await;
    assert_eq!(
        bed.until_failed("app", "FeatureGateDisabled").await,
        "to use spec.decryption.serviceAccountName for decryption authentication please enable the \
         ObjectLevelWorkloadIdentity feature gate in the controller"
    );
    bed.until("app", "is stalled", |status| {
        status.conditions.is_true("Stalled")
    })
    .await;
    let bed = Bed::start(&["--feature-gates=ObjectLevelWorkloadIdentity=true"]).await;
    bed.publish("1", &[("a.yaml", &config("a", "1"))]).await;
    bed.kustomization("app", spec).await;
    bed.until_applied("app", "1").await;
}

#[tokio::test]
async fn decrypt_disabled_object_is_applied_as_is() {
    let bed = Bed::start(&[]).await;
    let raw = secret(&bed, age()).await;
    let marked = raw.replacen(
        "metadata:\n",
        "metadata:\n    annotations: {kustomize.toolkit.fluxcd.io/decrypt: Disabled}\n",
        1,
    );
    bed.publish("1", &[("s.yaml", &marked)]).await;
    bed.kustomization("app", json!({})).await;
    // A Secret has no field `sops`, so the API server drops it.
    bed.until_applied("app", "1").await;
    let password = value(&bed, "s", "password").await;
    assert!(password.starts_with("ENC[AES256_GCM,"), "{password}");
}

#[tokio::test]
async fn own_keys_replace_global_keys() {
    let bed = Bed::start(&["--sops-age-secret=global"]).await;
    bed.secret("global", json!({"a.agekey": OTHER_KEY}), false)
        .await;
    bed.secret("keys", json!({"mine.agekey": KEY}), false).await;
    bed.publish("1", &[("s.yaml", &secret(&bed, age()).await)])
        .await;
    bed.kustomization("app", with_keys()).await;
    bed.until_applied("app", "1").await;
    assert_eq!(value(&bed, "s", "password").await, CANARY);
    // The global keys are not tried if the object names a Secret.
    bed.secret("global", json!({"a.agekey": KEY}), false).await;
    bed.secret("keys", json!({"mine.agekey": OTHER_KEY}), false)
        .await;
    bed.request("app", "again").await;
    let message = bed.until_failed("app", "BuildFailed").await;
    assert!(message.starts_with("decryption failed for '"), "{message}");
}
