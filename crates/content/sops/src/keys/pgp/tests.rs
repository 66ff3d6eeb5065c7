//! Tests of OpenPGP keys, and of the limits of their messages.

use super::*;

/// Created with gpg 2.2.40, for tests.
const KEYS: [&str; 3] = [
    include_str!("../../../tests/fixtures/keys/rsa.asc"),
    include_str!("../../../tests/fixtures/keys/curve25519.asc"),
    include_str!("../../../tests/fixtures/keys/nistp256.asc"),
];

fn keys(texts: &[&str]) -> SecretKeys {
    let mut keys = SecretKeys::default();
    for text in texts {
        keys.import(text.as_bytes()).unwrap();
    }
    keys
}

fn recipient(keys: &SecretKeys) -> Recipient {
    Recipient::Pgp {
        fingerprint: fingerprint(&keys.0[0].primary_key),
    }
}

#[tokio::test]
async fn every_kind_of_key_survives_a_round_trip() {
    let secret = DataKey::generate();
    let all = keys(&KEYS);
    for text in KEYS {
        let own = keys(&[text]);
        let wrapped = own.wrap(&recipient(&own), &secret).await.unwrap();
        assert_eq!(own.decrypt(&wrapped).unwrap(), secret);
        assert_eq!(all.decrypt(&wrapped).unwrap(), secret);
    }
    let first = keys(&KEYS[..1]);
    let wrapped = first.wrap(&recipient(&first), &secret).await.unwrap();
    let error = keys(&KEYS[1..]).decrypt(&wrapped).unwrap_err();
    assert_eq!(
        error.to_string(),
        "none of the OpenPGP keys is one that it is encrypted for"
    );
}

#[test]
fn one_entry_may_hold_several_keys() {
    assert_eq!(keys(&[&KEYS.concat()]).0.len(), 3);
}

#[test]
fn invalid_keys_are_rejected_without_a_quote() {
    let mut keys = SecretKeys::default();
    for text in [
        "canary",
        "-----BEGIN PGP PRIVATE KEY BLOCK-----\n\ncanary\n-----END PGP PRIVATE KEY BLOCK-----\n",
    ] {
        let error = keys.import(text.as_bytes()).unwrap_err();
        assert!(!format!("{error} {error:?}").contains("canary"));
    }
    let error = self::keys(&KEYS).decrypt("canary").unwrap_err();
    assert!(!error.to_string().contains("canary"));
}

#[tokio::test]
async fn changed_message_is_rejected() {
    let own = keys(&KEYS[1..2]);
    let secret = DataKey::generate();
    let wrapped = own.wrap(&recipient(&own), &secret).await.unwrap();
    let lines: Vec<&str> = wrapped
        .lines()
        .filter(|line| line.len() > 40 && !line.starts_with('-'))
        .collect();
    for line in &lines {
        let flipped = if line.ends_with('A') { "B" } else { "A" };
        let changed = format!("{}{flipped}", &line[..line.len() - 1]);
        let opened = own.decrypt(&wrapped.replace(line, &changed));
        assert!(opened.is_err() || opened == Ok(secret.clone()), "{line}");
    }
}

#[test]
fn debug_output_shows_fingerprints_only() {
    let shown = format!("{:?}", keys(&KEYS[..1]));
    assert_eq!(shown.len(), 44, "{shown}");
}
