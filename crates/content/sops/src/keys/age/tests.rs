//! Tests of age keys and their messages.

use super::*;

/// Created with age-keygen 1.3.2, for tests.
const X25519: &str = include_str!("../../../tests/fixtures/keys/x25519.agekey");
const HYBRID: &str = include_str!("../../../tests/fixtures/keys/hybrid.agekey");

fn identities(text: &str) -> Identities {
    let mut identities = Identities::default();
    identities.import(text).unwrap();
    identities
}

fn message(text: &str) -> String {
    text.lines()
        .find_map(|line| line.strip_prefix("# public key: "))
        .unwrap()
        .to_owned()
}

#[test]
fn public_key_is_derived_from_identity() {
    for text in [X25519, HYBRID] {
        assert_eq!(identities(text).recipients(), [message(text)]);
    }
}

#[test]
fn only_the_identity_of_a_recipient_decrypts() {
    let secret = DataKey::generate();
    for (own, other) in [(X25519, HYBRID), (HYBRID, X25519)] {
        let file = encrypt(&message(own), &secret).unwrap();
        assert_eq!(identities(own).decrypt(&file).unwrap(), secret);
        let error = identities(other).decrypt(&file).unwrap_err();
        assert_eq!(
            error.to_string(),
            "no identity matched any of the recipients"
        );
    }
}

#[test]
fn one_of_several_identities_suffices() {
    let secret = DataKey::generate();
    let both = identities(&format!("{X25519}\r\n\n# another\n{HYBRID}"));
    for own in [X25519, HYBRID] {
        let file = encrypt(&message(own), &secret).unwrap();
        assert_eq!(both.decrypt(&file).unwrap(), secret);
    }
}

#[test]
fn invalid_identity_is_reported_by_line_number_only() {
    let mut identities = Identities::default();
    for (text, reason) in [
        ("# nothing\n", "line 1: no secret keys found"),
        ("\nAGE-SECRET-KEY-1CANARY", "line 2: malformed secret key"),
        (
            "AGE-PLUGIN-YUBIKEY-1CANARY",
            "line 1: identities of plugins are not supported",
        ),
        ("ssh-ed25519 CANARY", "line 1: malformed secret key"),
    ] {
        let error = identities.import(text).unwrap_err();
        let shown = error.to_string();
        assert!(shown.ends_with(reason), "{shown}");
        assert!(!format!("{error:?}{shown}").contains("CANARY"));
    }
    assert!(identities.is_empty());
}

#[test]
fn debug_output_hides_identities() {
    let shown = format!("{:?}", identities(X25519));
    assert_eq!(shown, "[1 age identities]");
}

#[test]
fn changed_file_is_rejected() {
    let secret = DataKey::generate();
    let file = encrypt(&message(X25519), &secret).unwrap();
    let lines: Vec<&str> = file.lines().collect();
    for line in &lines[1..lines.len() - 1] {
        let flipped = if line.starts_with('A') { "B" } else { "A" };
        let changed = format!("{flipped}{}", &line[1..]);
        let changed = file.replace(line, &changed);
        assert!(identities(X25519).decrypt(&changed).is_err(), "{line}");
    }
    let cut = file.replace(lines[lines.len() - 2], "");
    assert!(identities(X25519).decrypt(&cut).is_err());
}
