//! The pinned `sops` and ours on the same files, in both directions.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use sluice_devcluster::{Tool, Toolbox};
use sluice_sops::{DataKey, Decryptor, Format, Metadata, Plain, Recipient, Rule};
use sluice_system::fs;

use crate::fixtures::{chain, folder, ring};

/// A document of every shape that the formats have.
const PLAIN: [(&str, &str); 5] = [
    (
        "a.yaml",
        "# head\na: secret # inline\nb:\n  # of c\n  - 1\n  # of d\n  - {x: true, y: 1.5}\nc_unencrypted: open\nd: |\n  two\n  lines\ne: \"\"\nf: null\ng: 2024-01-02T03:04:05Z\n---\nh: 9007199254740993\n",
    ),
    (
        "a.json",
        "{\"a\": \"secret\", \"b\": [1, {\"x\": true}, 1.5, null], \"c_unencrypted\": \"open\"}",
    ),
    (
        "a.env",
        "# head\nA=secret\nB=two\\nlines\nC=\nd_unencrypted=open\n",
    ),
    (
        "a.ini",
        "top = secret\n\n; of s\n[s]\n; of key\nkey = a;b\nempty =\n",
    ),
    ("a.bin", "binary \u{0}"),
];

fn sops() -> PathBuf {
    Toolbox::from_environment()
        .and_then(|toolbox| toolbox.path_blocking(Tool::Sops))
        .expect("build the pinned sops")
}

#[expect(
    clippy::disallowed_methods,
    reason = "the program that we compare with has to run"
)]
fn run(program: &Path, directory: &Path, arguments: &[&str]) -> Output {
    let keys = folder().join("keys");
    let keys = ["x25519", "second", "third", "hybrid"].map(|name| {
        let file = keys.join(format!("{name}.agekey"));
        fs::read_to_string(file).unwrap()
    });
    Command::new(program)
        .args(arguments)
        .current_dir(directory)
        .env_clear()
        .env("HOME", directory)
        .env("SOPS_DISABLE_VERSION_CHECK", "1")
        .env("SOPS_AGE_KEY", keys.concat())
        .output()
        .expect("start sops")
}

fn recipient(name: &str) -> Recipient {
    let recipient = ring(&[&format!("{name}.agekey")])
        .age
        .recipients()
        .remove(0);
    Recipient::Age { recipient }
}

#[tokio::test]
async fn sops_decrypts_what_we_encrypt() {
    let program = sops();
    let directory = tempfile::tempdir().unwrap();
    let ring = ring(&["x25519.agekey", "hybrid.agekey"]);
    let rules = [
        (Rule::default(), false),
        (Rule::EncryptedRegex("^(a|b|A|key|data)$".to_owned()), false),
        (Rule::EncryptedRegex("^(a|b|A|key|data)$".to_owned()), true),
        (Rule::EncryptedCommentRegex("of".to_owned()), false),
        (
            Rule::UnencryptedCommentRegex("of (c|key)".to_owned()),
            false,
        ),
    ];
    for (name, text) in PLAIN {
        for (rule, only) in &rules {
            let one = |name| vec![vec![recipient(name)]];
            let shared = ["x25519", "second", "third"].map(|name| vec![recipient(name)]);
            // Who can decrypt has nothing to do with what is encrypted.
            let groups = if *rule == Rule::default() {
                vec![one("x25519"), one("hybrid"), shared.into()]
            } else {
                vec![one("x25519")]
            };
            for groups in groups {
                let threshold = if groups.len() > 1 { 2 } else { 0 };
                let key = DataKey::generate();
                let now = "2026-01-02T03:04:05Z";
                let metadata = Metadata {
                    groups: ring
                        .wrap_data_key(&key, &groups, threshold, now)
                        .await
                        .unwrap(),
                    threshold,
                    rule: rule.clone(),
                    mac_only_encrypted: *only,
                    last_modified: now.to_owned(),
                    version: "3.13.3".to_owned(),
                    ..Metadata::default()
                };
                let format = Format::of_path(name);
                let plain = Plain::load(text.as_bytes(), format).unwrap();
                let document = plain.encrypt(metadata, &key).unwrap();
                fs::write(directory.path().join(name), document.emit().unwrap()).unwrap();
                let theirs = run(&program, directory.path(), &["decrypt", name]);
                let told = String::from_utf8_lossy(&theirs.stderr);
                assert!(theirs.status.success(), "{name} {rule:?}: {told}");
                let ours = Decryptor::new(crate::fixtures::ring(&[
                    "x25519.agekey",
                    "hybrid.agekey",
                    "second.agekey",
                ]));
                let bytes = fs::read(directory.path().join(name)).unwrap();
                let ours = ours.decrypt_verified(&bytes, format, format).await.unwrap();
                assert_eq!(
                    String::from_utf8_lossy(&theirs.stdout),
                    String::from_utf8_lossy(ours.expose()),
                    "{name} {rule:?}"
                );
            }
        }
    }
}

#[tokio::test]
async fn we_decrypt_what_sops_encrypts_and_print_it_alike() {
    let program = sops();
    let directory = tempfile::tempdir().unwrap();
    let decryptor = Decryptor::new(ring(&["x25519.agekey", "hybrid.agekey"]));
    for (name, text) in PLAIN {
        for key in ["x25519", "hybrid"] {
            if key == "hybrid" && name != "a.yaml" {
                continue;
            }
            fs::write(directory.path().join(name), text).unwrap();
            let Recipient::Age { recipient } = recipient(key) else {
                unreachable!("an age key has an age recipient")
            };
            let arguments = [
                "--config",
                "/dev/null",
                "encrypt",
                "--age",
                &recipient,
                "-i",
                name,
            ];
            let encrypted = run(&program, directory.path(), &arguments);
            let told = String::from_utf8_lossy(&encrypted.stderr);
            assert!(encrypted.status.success(), "{name}: {told}");
            let bytes = fs::read(directory.path().join(name)).unwrap();
            let from = Format::of_path(name);
            for (kind, to) in [
                ("yaml", Format::Yaml),
                ("json", Format::Json),
                ("dotenv", Format::Dotenv),
                ("binary", Format::Binary),
            ] {
                let arguments = ["decrypt", "--output-type", kind, name];
                let theirs = run(&program, directory.path(), &arguments);
                let ours = decryptor.decrypt_verified(&bytes, from, to).await;
                match ours {
                    Ok(ours) => assert_eq!(
                        String::from_utf8_lossy(&theirs.stdout),
                        String::from_utf8_lossy(ours.expose()),
                        "{name} as {kind}"
                    ),
                    Err(error) => {
                        assert!(
                            !theirs.status.success(),
                            "{name} as {kind}: {}",
                            chain(&error)
                        );
                    }
                }
            }
        }
    }
}
