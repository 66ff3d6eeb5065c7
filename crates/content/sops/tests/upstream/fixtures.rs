//! Tests with files that upstream's `sops` created: every format, kind of key, mode and
//! version.
//!
//! `tests/fixtures/make.sh` creates them. The expectations are the output of `sops`.

use std::path::{Path, PathBuf};

use sluice_golang::error::chain;
use sluice_sops::keys::Keyring;
use sluice_sops::{Decryptor, Document, Error, Format, PlainDocument};
use sluice_system::fs;

const KEYS: [&str; 7] = [
    "x25519.agekey",
    "second.agekey",
    "third.agekey",
    "hybrid.agekey",
    "rsa.asc",
    "curve25519.asc",
    "nistp256.asc",
];

pub(crate) fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures")
}

pub(crate) fn read(path: &str) -> Vec<u8> {
    fs::read(folder().join(path)).unwrap()
}

/// The keys with these names.
pub(crate) fn ring(names: &[&str]) -> Keyring {
    let files: Vec<(&str, Vec<u8>)> = names
        .iter()
        .map(|name| (*name, read(&format!("keys/{name}"))))
        .collect();
    let entries = files.iter().map(|(name, bytes)| (*name, bytes.as_slice()));
    let imported = sluice_sops::import::import(entries, "default/keys").unwrap();
    let mut keyring = Keyring::default();
    keyring.age = imported.age;
    keyring.pgp = imported.pgp;
    keyring
}

fn encrypted() -> Vec<String> {
    let entries = fs::read_dir(folder().join("encrypted")).unwrap();
    let name = |path: &Path| path.file_name().unwrap().to_str().unwrap().to_owned();
    let mut names: Vec<String> = entries.iter().map(|entry| name(&entry.path)).collect();
    names.sort();
    assert!(names.len() > 25, "{names:?}");
    names
}

/// The text to which upstream's `sops` decrypts a file.
fn expected(name: &str) -> Vec<u8> {
    if name.starts_with("mode-") || name.starts_with('v') {
        return read(&format!("decrypted/{name}"));
    }
    let (_, plain) = name.split_once('-').unwrap();
    read(&format!("decrypted/{plain}"))
}

#[test]
fn fixtures_cover_every_minor_version_since_3_7() {
    let names = encrypted();
    for minor in 7..=12 {
        for plain in ["modes.yaml", "all.json", "all.env", "all.ini", "all.bin"] {
            let name = format!("v3{minor}-{plain}");
            assert!(names.contains(&name), "{name}");
            let text = String::from_utf8(read(&format!("encrypted/{name}"))).unwrap();
            assert!(text.contains(&format!("3.{minor}.")), "{name}");
        }
    }
}

#[test]
fn fixtures_cover_every_format_and_kind_of_key() {
    let names = encrypted();
    for key in [
        "x25519",
        "hybrid",
        "rsa",
        "curve25519",
        "nistp256",
        "shamir",
    ] {
        for format in ["yaml", "json", "env", "ini", "bin"] {
            let name = format!("{key}-all.{format}");
            assert!(names.contains(&name), "{name}");
        }
    }
}

#[tokio::test]
async fn every_file_of_upstream_is_decrypted_and_verified() {
    let decryptor = Decryptor::new(ring(&KEYS));
    let mut differ = Vec::new();
    for name in encrypted() {
        let format = Format::from_path(&name);
        let bytes = read(&format!("encrypted/{name}"));
        let plain = decryptor.decrypt_verified(&bytes, format, format).await;
        match plain {
            Ok(plain) if *plain.expose() == expected(&name) => {}
            Ok(plain) => differ.push(format!(
                "{name}:\n{}",
                String::from_utf8_lossy(plain.expose())
            )),
            Err(error) => differ.push(format!("{name}: {}", chain(&error))),
        }
    }
    assert!(differ.is_empty(), "{}", differ.join("\n"));
}

#[tokio::test]
async fn encrypted_again_document_is_verified() {
    let ring = ring(&KEYS);
    let recipients = ring.age.recipients();
    let recipient = sluice_sops::Recipient::Age {
        recipient: recipients[0].clone(),
    };
    for name in encrypted() {
        let format = Format::from_path(&name);
        let document = Document::load(&read(&format!("encrypted/{name}")), format).unwrap();
        let mut metadata = document.metadata().clone();
        let key = sluice_sops::DataKey::generate();
        metadata.groups = ring
            .wrap_data_key(&key, &[vec![recipient.clone()]], 0, "")
            .await
            .unwrap();
        metadata.threshold = 0;
        let plain = expected(&name);
        let again = PlainDocument::load(&plain, format).unwrap();
        let again = again.encrypt(metadata, &key).unwrap().emit().unwrap();
        let decrypted = Decryptor::new(ring.clone())
            .decrypt_verified(&again, format, format)
            .await;
        let decrypted = decrypted.unwrap_or_else(|error| panic!("{name}: {}", chain(&error)));
        assert_eq!(
            String::from_utf8_lossy(decrypted.expose()),
            String::from_utf8_lossy(&plain),
            "{name}"
        );
    }
}

#[tokio::test]
async fn two_of_three_groups_suffice_but_not_one() {
    let bytes = read("encrypted/shamir-all.yaml");
    let decrypted = async |names: &[&str]| {
        Decryptor::new(ring(names))
            .decrypt_verified(&bytes, Format::Yaml, Format::Yaml)
            .await
    };
    for names in [
        ["x25519.agekey", "second.agekey"],
        ["second.agekey", "third.agekey"],
        ["x25519.agekey", "rsa.asc"],
    ] {
        assert!(decrypted(&names).await.is_ok(), "{names:?}");
    }
    let error = decrypted(&["second.agekey"]).await.unwrap_err();
    let text = chain(&error);
    assert!(
        text.starts_with(
            "cannot get sops data key: 1 of 2 key groups gave their part: group 0: age age1"
        ),
        "{text}"
    );
    assert!(text.contains("group 2: pgp "), "{text}");
}

#[tokio::test]
async fn missing_key_is_reported_with_its_recipient_only() {
    for (name, key, kind) in [
        ("x25519-all.yaml", "second.agekey", "age age1"),
        ("hybrid-all.yaml", "x25519.agekey", "age age1pq1"),
        ("x25519-all.yaml", "hybrid.agekey", "age age1"),
        ("rsa-all.yaml", "curve25519.asc", "pgp "),
        ("curve25519-all.yaml", "x25519.agekey", "pgp "),
    ] {
        let bytes = read(&format!("encrypted/{name}"));
        let decryptor = Decryptor::new(ring(&[key]));
        let error = decryptor
            .decrypt(&bytes, Format::Yaml, Format::Yaml)
            .await
            .unwrap_err();
        let text = chain(&error);
        assert!(
            text.starts_with(&format!(
                "cannot get sops data key: no key decrypts it: {kind}"
            )),
            "{text}"
        );
        assert!(
            !text.contains("SECRET-KEY") && !text.contains("BEGIN"),
            "{text}"
        );
        assert!(text.len() < 400, "{text}");
    }
}

#[tokio::test]
async fn tampered_documents_are_rejected() {
    let text = String::from_utf8(read("encrypted/mode-encrypted-regex.yaml")).unwrap();
    let decryptor = Decryptor::new(ring(&["x25519.agekey"]));
    let verified = async |text: &str| {
        decryptor
            .decrypt_verified(text.as_bytes(), Format::Yaml, Format::Yaml)
            .await
    };
    assert!(verified(&text).await.is_ok());

    // A value is moved to another key.
    let moved = text.replace("    plain: ENC", "    other: ENC");
    let error = verified(&moved).await.unwrap_err();
    assert!(matches!(error, Error::Decrypt(_)), "{}", chain(&error));
    assert!(
        chain(&error).contains("value of data.other: "),
        "{}",
        chain(&error)
    );

    // A bit of a value is changed.
    let at =
        text.find("plain: ENC[AES256_GCM,data:").unwrap() + "plain: ENC[AES256_GCM,data:".len();
    let flipped = if &text[at..=at] == "A" { "B" } else { "A" };
    let changed = format!("{}{flipped}{}", &text[..at], &text[at + 1..]);
    assert!(matches!(verified(&changed).await, Err(Error::Decrypt(_))));

    // A plain value is changed, which only the authentication code detects.
    let renamed = text.replace("name: modes", "name: other");
    assert!(matches!(verified(&renamed).await, Err(Error::Mac(_))));
    let unverified = decryptor
        .decrypt(renamed.as_bytes(), Format::Yaml, Format::Yaml)
        .await;
    assert!(unverified.is_ok());

    // The code does not cover it with mac_only_encrypted.
    let text = String::from_utf8(read("encrypted/mode-mac-only-encrypted.yaml")).unwrap();
    assert!(
        verified(&text.replace("name: modes", "name: other"))
            .await
            .is_ok()
    );
    // Removing that field is detected.
    let said = text.replace("    mac_only_encrypted: true\n", "");
    assert!(matches!(verified(&said).await, Err(Error::Mac(_))));

    // A value is removed.
    let line = text
        .lines()
        .find(|line| line.contains("taken: ENC"))
        .unwrap();
    let gone = text.replace(&format!("{line}\n"), "");
    assert!(matches!(verified(&gone).await, Err(Error::Mac(_))));

    // The time is changed.
    let (before, after) = text.split_once("lastmodified: \"20").unwrap();
    let aged = format!("{before}lastmodified: \"19{after}");
    assert!(matches!(verified(&aged).await, Err(Error::Mac(_))));
}

#[tokio::test]
async fn truncated_files_are_rejected_without_a_quote() {
    let bytes = read("encrypted/x25519-modes.yaml");
    // The fields after the code are not required.
    let code = b"    mac: ENC";
    let last = bytes
        .windows(code.len())
        .rposition(|at| at == code)
        .unwrap()
        + 40;
    let decryptor = Decryptor::new(ring(&["x25519.agekey"]));
    for end in (0..last).step_by(97) {
        let cut = decryptor
            .decrypt_verified(&bytes[..end], Format::Yaml, Format::Yaml)
            .await;
        let error = cut.err().map(|error| chain(&error)).unwrap_or_default();
        assert!(!error.is_empty(), "{end}");
        assert!(
            !error.contains("hunter2") && !error.contains("ENC["),
            "{error}"
        );
    }
}
