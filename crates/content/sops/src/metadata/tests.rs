//! Tests of the `sops` metadata of a document.

use super::*;
use crate::tree::{Branch, Element, Value};

fn branch(fields: &[(&str, Value)]) -> Branch {
    let mut branch = Branch::default();
    for (name, value) in fields {
        branch.push(*name, value.clone());
    }
    branch
}

fn age_key() -> Value {
    let key = branch(&[
        ("recipient", Value::text("age1x")),
        ("enc", Value::text("x")),
    ]);
    Value::List(vec![Element::Value(Value::Branch(key))])
}

fn section(more: &[(&str, Value)]) -> Branch {
    let mut section = branch(&[
        ("age", age_key()),
        ("lastmodified", Value::text("2024-01-02T03:04:05.678+02:00")),
        ("mac", Value::text("ENC[…]")),
        ("version", Value::text("3.13.3")),
    ]);
    for (name, value) in more {
        section.push(*name, value.clone());
    }
    section
}

#[test]
fn metadata_survives_a_round_trip() {
    let key = |recipient| MasterKey {
        recipient,
        wrapped: "wrapped".to_owned(),
        created_at: Some("2024-01-02T03:04:05Z".to_owned()),
    };
    let text = str::to_owned;
    let group = vec![
        key(Recipient::AwsKms {
            arn: text("arn:aws:kms:eu-west-1:1:key/a"),
            role: text("arn:aws:iam::1:role/r"),
            context: vec![(text("app"), text("x"))],
            profile: text(""),
        }),
        key(Recipient::GcpKms {
            resource_id: text("projects/p"),
        }),
        key(Recipient::HuaweiKms {
            key_id: text("eu:1"),
        }),
        key(Recipient::AzureKeyVault {
            vault_url: text("https://v"),
            name: text("n"),
            version: text("1"),
        }),
        key(Recipient::Vault {
            address: text("https://v:8200"),
            engine: text("sops"),
            key: text("k"),
        }),
        key(Recipient::Pgp {
            fingerprint: text("FBC7"),
        }),
        MasterKey {
            recipient: Recipient::Age {
                recipient: text("age1x"),
            },
            wrapped: text("wrapped"),
            created_at: None,
        },
    ];
    let mut metadata = Metadata {
        groups: vec![group.clone()],
        threshold: 0,
        rule: Rule::EncryptedRegex(text("^data$")),
        mac: text("ENC[…]"),
        mac_only_encrypted: true,
        last_modified: text("2024-01-02T03:04:05Z"),
        version: text("3.13.3"),
    };
    assert_eq!(Metadata::read(&metadata.write()).unwrap(), metadata);
    metadata.groups = vec![group.clone(), group];
    metadata.threshold = 2;
    assert_eq!(Metadata::read(&metadata.write()).unwrap(), metadata);
}

#[test]
fn numbers_and_booleans_may_be_texts() {
    let metadata = Metadata::read(&section(&[
        ("shamir_threshold", Value::text("2")),
        ("mac_only_encrypted", Value::text("true")),
        ("not_known", Value::Int(1)),
    ]))
    .unwrap();
    assert_eq!((metadata.threshold, metadata.mac_only_encrypted), (2, true));
}

#[test]
fn time_is_truncated_in_its_own_zone() {
    let metadata = Metadata::read(&section(&[])).unwrap();
    assert_eq!(metadata.last_modified, "2024-01-02T03:04:05+02:00");
    assert_eq!(metadata.rule, Rule::default());
}

#[test]
fn two_rules_are_rejected() {
    let error = Metadata::read(&section(&[
        ("encrypted_regex", Value::text("a")),
        ("unencrypted_suffix", Value::text("b")),
    ]))
    .unwrap_err();
    assert!(error.to_string().contains("another rule"), "{error}");
}

#[test]
fn document_without_keys_is_rejected() {
    let section = branch(&[("lastmodified", Value::text("2024-01-02T03:04:05Z"))]);
    assert_eq!(
        Metadata::read(&section).unwrap_err().to_string(),
        "No keys found in file"
    );
}

#[test]
fn shown_name_of_a_key_has_one_line() {
    let recipient = Recipient::Age {
        recipient: format!("age1\n\u{1b}[31m{}", "x".repeat(2000)),
    };
    let shown = recipient.to_string();
    assert!(!shown.contains(['\n', '\u{1b}']), "{shown}");
    assert!(shown.chars().count() < 200, "{shown}");
}
