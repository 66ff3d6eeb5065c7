//! Tests of the decryption of Secrets and other objects.

use std::error::Error as _;

use serde_json::json;

use super::*;
use crate::document::PlainDocument;
use crate::keys::Keyring;
use crate::metadata::Metadata;
use crate::recipient::Recipient;
use crate::rules::Rule;

const AGE_KEY: &str = include_str!("../../../tests/fixtures/keys/x25519.agekey");

fn keyring() -> Keyring {
    let mut keyring = Keyring::default();
    keyring.age.import(AGE_KEY).unwrap();
    keyring
}

async fn encrypted(text: &str, format: Format) -> Vec<u8> {
    let ring = keyring();
    let recipient = ring.age.recipients().remove(0);
    let key = crate::DataKey::generate();
    let groups = vec![vec![Recipient::Age { recipient }]];
    let metadata = Metadata {
        groups: ring.wrap_data_key(&key, &groups, 0, "").await.unwrap(),
        rule: Rule::UnencryptedRegex("^(apiVersion|kind|metadata)$".to_owned()),
        last_modified: "2026-01-02T03:04:05Z".to_owned(),
        version: "3.13.3".to_owned(),
        ..Metadata::default()
    };
    let plain = PlainDocument::load(text.as_bytes(), format).unwrap();
    plain.encrypt(metadata, &key).unwrap().emit().unwrap()
}

async fn object(text: &str) -> Fields {
    fields(&encrypted(text, Format::Yaml).await)
}

fn fields(yaml: &[u8]) -> Fields {
    let value: Value = sluice_yaml::v2::from_slice(yaml).unwrap();
    of(value)
}

fn of(object: Value) -> Fields {
    match object {
        Value::Object(fields) => fields,
        other => panic!("not an object: {other}"),
    }
}

fn printed(object: &Fields) -> String {
    serde_json::to_string(object).unwrap()
}

#[tokio::test]
async fn object_of_any_kind_is_decrypted() {
    for kind in ["Secret", "HelmRelease"] {
        let text = format!(
            "apiVersion: v1\nkind: {kind}\nmetadata: {{name: a, namespace: apps}}\nspec: {{password: hunter2, replicas: 3}}\n"
        );
        let mut object = object(&text).await;
        assert!(is_encrypted_object(&object));
        assert_eq!(is_encrypted_secret(&object), kind == "Secret");
        assert!(!printed(&object).contains("hunter2"));
        let decryptor = Decryptor::new(keyring());
        assert!(decryptor.decrypt_object(&mut object).await.unwrap());
        assert_eq!(
            object["spec"],
            json!({"password": "hunter2", "replicas": 3})
        );
        assert!(object.get("sops").is_none());
    }
}

#[tokio::test]
async fn changes_by_kustomize_do_not_matter() {
    let text =
        "apiVersion: v1\nkind: Secret\nmetadata: {name: a}\nstringData: {password: hunter2}\n";
    let mut object = object(text).await;
    object["metadata"]["labels"] = json!({"added": "by kustomize"});
    object["metadata"]["name"] = json!("prefixed-a");
    let decryptor = Decryptor::new(keyring());
    assert!(decryptor.decrypt_object(&mut object).await.unwrap());
    assert_eq!(object["stringData"]["password"], "hunter2");
}

#[tokio::test]
async fn values_marked_by_lost_comments_are_decrypted() {
    for mode in ["encrypted", "unencrypted"] {
        let path = format!("tests/fixtures/encrypted/mode-{mode}-comment-regex.yaml");
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
        let bytes = sluice_system::fs::read(path).unwrap();
        let mut object = fields(&bytes);
        let decryptor = Decryptor::new(keyring());
        assert!(decryptor.decrypt_object(&mut object).await.unwrap());
        assert!(!printed(&object).contains("ENC["), "{mode}");
        assert_eq!(object["stringData"]["taken"], "hunter2", "{mode}");
        assert_eq!(
            object["all"]["below"],
            json!(["hunter4", "hunter5"]),
            "{mode}"
        );
    }
}

#[tokio::test]
async fn disabled_object_is_not_changed() {
    let text =
        "apiVersion: v1\nkind: Secret\nmetadata: {name: a}\nstringData: {password: hunter2}\n";
    let mut object = object(text).await;
    for value in ["disabled", "Disabled"] {
        object["metadata"]["annotations"] = json!({ANNOTATION: value});
        assert!(is_decryption_disabled(&object));
        let decryptor = Decryptor::new(keyring());
        assert!(!decryptor.decrypt_object(&mut object).await.unwrap());
        assert!(is_encrypted_secret(&object));
    }
}

#[tokio::test]
async fn secret_entries_are_decrypted_by_format_of_their_name() {
    let yaml = encrypted("a: hunter2\n", Format::Yaml).await;
    let json = encrypted("{\"auths\": {\"r\": \"hunter2\"}}", Format::Json).await;
    let dotenv = encrypted("A=hunter2\n", Format::Dotenv).await;
    let ini = encrypted("[s]\na = hunter2\n", Format::Ini).await;
    let binary = encrypted("hunter2", Format::Binary).await;
    let encode = |bytes: &[u8]| STANDARD.encode(bytes);
    let mut object = of(json!({
        "apiVersion": "v1", "kind": "Secret", "metadata": {"name": "a", "namespace": "apps"},
        "data": {
            "a.yaml": encode(&yaml), ".dockerconfigjson": encode(&json), "a.env": encode(&dotenv),
            "a.ini": encode(&ini), "password": encode(&binary), "as.json": encode(&yaml),
            "plain": encode(b"plain"), "broken": "not base64", "number": 3,
        },
    }));
    let decryptor = Decryptor::new(keyring());
    assert!(decryptor.decrypt_object(&mut object).await.unwrap());
    let decoded = |entry: &str| {
        let text = object["data"][entry].as_str().unwrap();
        String::from_utf8(STANDARD.decode(text).unwrap()).unwrap()
    };
    assert_eq!(decoded("a.yaml"), "a: hunter2\n");
    assert_eq!(decoded("as.json"), "{\n\t\"a\": \"hunter2\"\n}\n");
    assert_eq!(decoded("a.env"), "A=hunter2\n");
    assert_eq!(decoded("a.ini"), "[s]\na = hunter2\n");
    assert_eq!(decoded("password"), "hunter2");
    assert!(decoded(".dockerconfigjson").contains("hunter2"));
    assert_eq!(decoded("plain"), "plain");
    assert_eq!(object["data"]["broken"], "not base64");
    assert!(!decryptor.decrypt_object(&mut object).await.unwrap());
}

#[tokio::test]
async fn failure_names_the_object_and_the_entry() {
    let yaml = encrypted("a: hunter2\n", Format::Yaml).await;
    let mut object = of(json!({
        "apiVersion": "v1", "kind": "Secret", "metadata": {"name": "a", "namespace": "apps"},
        "data": {"password": STANDARD.encode(&yaml)},
    }));
    let decryptor = Decryptor::new(keyring());
    let error = decryptor.decrypt_object(&mut object).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "failed to decrypt and format 'apps/a' Secret field 'password'"
    );
    let source = error.source().unwrap();
    assert_eq!(
        source.to_string(),
        "failed to emit encrypted YAML file as decrypted binary"
    );
    let error = Decryptor::new(Keyring::default())
        .decrypt_object(&mut object)
        .await
        .unwrap_err();
    assert_eq!(
        error.source().unwrap().to_string(),
        "cannot get sops data key"
    );
}

#[test]
fn partly_encrypted_secrets_are_recognised() {
    let encrypted = |value| is_encrypted_secret(&of(value));
    assert!(encrypted(
        json!({"apiVersion": "v1", "kind": "Secret", "sops": null})
    ));
    assert!(!encrypted(
        json!({"apiVersion": "v1", "kind": "ConfigMap", "sops": {}})
    ));
    assert!(!encrypted(
        json!({"apiVersion": "x/v1", "kind": "Secret", "sops": {}})
    ));
    assert!(!encrypted(json!({"apiVersion": "v1", "kind": "Secret"})));
    assert!(!is_encrypted_object(&of(json!({"sops": {"mac": ""}}))));
    assert!(!is_encrypted_object(&of(json!({"sops": "mac"}))));
}
