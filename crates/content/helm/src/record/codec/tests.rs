//! Records of releases decode to what was encoded, and damaged ones are errors.

use flate2::write::GzEncoder;
use sluice_golang::base64;
use std::io::Write as _;

use super::{DecodeError, inflate};
use crate::record::{Release, Status};

fn release() -> Release {
    let mut release = Release {
        name: "web".to_owned(),
        namespace: "apps".to_owned(),
        version: 3,
        manifest: "---\nkind: ConfigMap\n".to_owned(),
        ..Release::default()
    };
    release.set_status(Status::DEPLOYED, "Upgrade complete");
    release
}

fn compressed(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn encoded_release_decodes_to_the_same() {
    let data = release().encode().unwrap();
    assert_eq!(Release::decode(data.as_bytes()).unwrap(), release());
}

#[test]
fn uncompressed_record_is_read() {
    let data = base64::encode(release().to_json().as_bytes());
    assert_eq!(Release::decode(data.as_bytes()).unwrap(), release());
}

#[test]
fn unknown_fields_are_written_behind_the_known_ones() {
    let json = r#"{"later":1,"info":{"rollback_revision":2,"status":"failed"},"name":"a"}"#;
    let release = Release::from_json(json.as_bytes()).unwrap();
    let expected = r#"{"name":"a","info":{"status":"failed","rollback_revision":2},"later":1}"#;
    assert_eq!(release.to_json(), expected);
}

#[test]
fn debug_text_has_no_values() {
    let mut release = release();
    let secret = serde_json::json!({ "password": "canary" });
    release.config = secret.as_object().cloned();
    release.manifest = "canary".to_owned();
    release.info.notes = "canary".to_owned();
    release.hooks = vec![crate::record::Hook {
        manifest: "canary".to_owned(),
        ..Default::default()
    }];
    assert!(!format!("{release:?} {:?} {:?}", release.info, release.hooks).contains("canary"));
}

#[test]
fn damaged_record_is_an_error_and_no_panic() {
    let json = release().to_json();
    for end in 0..json.len() {
        assert!(Release::from_json(&json.as_bytes()[..end]).is_err());
    }
    for value in ["null", "7", "[]", "{}", "\"x\"", "[null]", "[{}]"] {
        for field in ["info", "chart", "hooks", "config", "manifest", "version"] {
            let json = format!("{{\"info\":{{}},\"{field}\":{value}}}");
            // Whether it is read depends on the type.
            if let Ok(release) = Release::from_json(json.as_bytes()) {
                assert!(Release::from_json(release.to_json().as_bytes()).is_ok());
            }
        }
    }
}

#[test]
fn bomb_is_rejected_at_the_limit() {
    let bytes = compressed(&b" ".repeat(100_000));
    assert_eq!(inflate(&bytes, 100_000).unwrap().len(), 100_000);
    let error = inflate(&bytes, 99_999).unwrap_err();
    assert!(matches!(error, DecodeError::TooLarge), "{error}");
}

#[test]
fn broken_data_is_an_error_of_its_layer() {
    let mut truncated = compressed(release().to_json().as_bytes());
    truncated.truncate(truncated.len() - 9);
    let cases = [
        ("*".to_owned(), "illegal base64 data"),
        (base64::encode(&truncated), "failed to inflate"),
        (base64::encode(b"{"), "unexpected end of JSON"),
        (base64::encode(b"{}"), "the record has no info"),
    ];
    for (data, message) in cases {
        let error = Release::decode(data.as_bytes()).unwrap_err().to_string();
        assert!(error.starts_with(message), "{error}");
    }
}
