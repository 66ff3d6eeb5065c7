//! Exchanges documents with the pinned `sops`, in both directions.

use std::path::PathBuf;
use std::process::{Command, Output};

use pgp::composed::{Deserializable as _, SignedSecretKey};
use pgp::ser::Serialize as _;
use pgp::types::KeyDetails as _;
use sluice_devcluster::{Tool, Toolbox};
use sluice_sops::keys::Keyring;
use sluice_sops::{DataKey, Decryptor, Format, Metadata, PlainDocument, Recipient, Rule};
use sluice_system::fs;

use crate::fixtures::{folder, ring};
use sluice_golang::error::chain;

/// Documents with all features of the formats.
pub(crate) const PLAIN: [(&str, &str); 5] = [
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

const NOW: &str = "2026-01-02T03:04:05Z";

/// The pinned `sops`, with a home directory and all age keys.
pub(crate) struct Sops {
    program: PathBuf,
    home: tempfile::TempDir,
    variables: Vec<(&'static str, String)>,
}

impl Sops {
    pub(crate) fn new() -> Self {
        let keys = folder().join("keys");
        let keys = ["x25519", "second", "third", "hybrid"].map(|name| {
            let file = keys.join(format!("{name}.agekey"));
            fs::read_to_string(file).unwrap()
        });
        Self {
            program: Toolbox::from_environment()
                .and_then(|toolbox| toolbox.path_blocking(Tool::Sops))
                .expect("build the pinned sops"),
            home: tempfile::tempdir().unwrap(),
            variables: vec![("SOPS_AGE_KEY", keys.concat())],
        }
    }

    /// Sets an environment variable.
    pub(crate) fn with(mut self, name: &'static str, value: &str) -> Self {
        self.variables.push((name, value.to_owned()));
        self
    }

    #[expect(
        clippy::disallowed_methods,
        reason = "the test compares with an external program"
    )]
    fn run(&self, arguments: &[&str]) -> Output {
        Command::new(&self.program)
            .args(arguments)
            .current_dir(&self.home)
            .env_clear()
            .env("HOME", self.home.path())
            .env("GNUPGHOME", self.home.path())
            .env("SOPS_DISABLE_VERSION_CHECK", "1")
            .envs(self.variables.iter().map(|(name, value)| (name, value)))
            .output()
            .expect("start sops")
    }

    /// Encrypts a text for a recipient, given as an option and its value.
    pub(crate) fn encrypt(&self, name: &str, text: &str, recipient: [&str; 2]) -> Vec<u8> {
        self.encrypt_with(name, text, &recipient)
    }

    /// Encrypts a text for recipients, given as options.
    pub(crate) fn encrypt_with(&self, name: &str, text: &str, options: &[&str]) -> Vec<u8> {
        let path = self.home.path().join(name);
        fs::write(&path, text).unwrap();
        let head = ["--config", "/dev/null", "encrypt"];
        let arguments = [&head, options, &["-i", name]].concat();
        let made = self.run(&arguments);
        let text = String::from_utf8_lossy(&made.stderr);
        assert!(made.status.success(), "{name} for {options:?}: {text}");
        fs::read(path).unwrap()
    }

    /// Checks that `sops` and this crate decrypt a document to the same text.
    pub(crate) async fn agrees(&self, name: &str, document: &[u8], ring: Keyring, what: &str) {
        fs::write(self.home.path().join(name), document).unwrap();
        let theirs = self.run(&["decrypt", name]);
        let text = String::from_utf8_lossy(&theirs.stderr);
        assert!(theirs.status.success(), "{name}, {what}: {text}");
        let format = Format::from_path(name);
        let ours = Decryptor::new(ring)
            .decrypt_verified(document, format, format)
            .await;
        let ours = ours.unwrap_or_else(|error| panic!("{name}, {what}: {}", chain(&error)));
        assert_eq!(
            String::from_utf8_lossy(&theirs.stdout),
            String::from_utf8_lossy(ours.expose()),
            "{name}, {what}"
        );
    }
}

/// Encrypts a text for recipients, with other metadata.
pub(crate) async fn encrypted(
    name: &str,
    text: &str,
    ring: &Keyring,
    groups: &[Vec<Recipient>],
    metadata: Metadata,
) -> Vec<u8> {
    let key = DataKey::generate();
    let threshold = metadata.threshold;
    let metadata = Metadata {
        groups: ring
            .wrap_data_key(&key, groups, threshold, NOW)
            .await
            .unwrap(),
        last_modified: NOW.to_owned(),
        version: "3.13.3".to_owned(),
        ..metadata
    };
    let plain = PlainDocument::load(text.as_bytes(), Format::from_path(name)).unwrap();
    plain.encrypt(metadata, &key).unwrap().emit().unwrap()
}

fn recipient(name: &str) -> Recipient {
    let recipient = ring(&[&format!("{name}.agekey")])
        .age
        .recipients()
        .remove(0);
    Recipient::Age { recipient }
}

#[tokio::test]
async fn sops_decrypts_our_documents() {
    let sops = Sops::new();
    let ring = ring(&["x25519.agekey", "hybrid.agekey", "second.agekey"]);
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
            // The groups are independent of the rule.
            let groups = if *rule == Rule::default() {
                vec![one("x25519"), one("hybrid"), shared.into()]
            } else {
                vec![one("x25519")]
            };
            for groups in groups {
                let metadata = Metadata {
                    threshold: if groups.len() > 1 { 2 } else { 0 },
                    rule: rule.clone(),
                    mac_only_encrypted: *only,
                    ..Metadata::default()
                };
                let document = encrypted(name, text, &ring, &groups, metadata).await;
                let what = format!("{rule:?}");
                sops.agrees(name, &document, ring.clone(), &what).await;
            }
        }
    }
}

#[tokio::test]
async fn sops_decrypts_our_documents_for_openpgp() {
    for name in ["rsa", "curve25519", "nistp256"] {
        let armored = String::from_utf8(crate::fixtures::read(&format!("keys/{name}.asc")));
        let (key, _) = SignedSecretKey::from_string(&armored.unwrap()).unwrap();
        let sops = Sops::new();
        // `sops` reads this key ring before it runs gpg.
        let keys = sops.home.path().join("secring.gpg");
        fs::write(keys, key.to_bytes().unwrap()).unwrap();
        let recipient = Recipient::Pgp {
            fingerprint: format!("{:X}", key.primary_key.fingerprint()),
        };
        let ring = ring(&[&format!("{name}.asc")]);
        let groups = [vec![recipient]];
        for (file, text) in PLAIN {
            let document = encrypted(file, text, &ring, &groups, Metadata::default()).await;
            sops.agrees(file, &document, ring.clone(), name).await;
        }
    }
}

#[tokio::test]
async fn documents_of_sops_are_decrypted_to_the_same_text() {
    let sops = Sops::new();
    let decryptor = Decryptor::new(ring(&["x25519.agekey", "hybrid.agekey"]));
    for (name, text) in PLAIN {
        for key in ["x25519", "hybrid"] {
            if key == "hybrid" && name != "a.yaml" {
                continue;
            }
            let Recipient::Age { recipient } = recipient(key) else {
                unreachable!("an age key has an age recipient")
            };
            let bytes = sops.encrypt(name, text, ["--age", &recipient]);
            let from = Format::from_path(name);
            for (kind, to) in [
                ("yaml", Format::Yaml),
                ("json", Format::Json),
                ("dotenv", Format::Dotenv),
                ("binary", Format::Binary),
            ] {
                let arguments = ["decrypt", "--output-type", kind, name];
                let theirs = sops.run(&arguments);
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
