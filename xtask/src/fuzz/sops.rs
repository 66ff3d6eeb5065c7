//! The readers of `sluice-sops`: no document, encrypted value or age file causes a panic, a hang or
//! unbounded memory. No message contains a value.

use std::error::Error as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sluice_sops::keys::age::Identities;
use sluice_sops::keys::pgp::SecretKeys;
use sluice_sops::{DataKey, Document, Format, PlainDocument};

use super::Target;

const WORDS: &[&str] = &[
    "ENC[AES256_GCM,data:",
    ",iv:",
    ",tag:",
    ",type:str]",
    ",type:int]",
    ",type:comment]",
    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
    "sops:\n",
    "[sops]\n",
    "sops_mac=",
    "__list_0__map_",
    "__list_9",
    "__map_",
    "    mac: ",
    "lastmodified: \"2024-01-02T03:04:05Z\"\n",
    "shamir_threshold: 2\n",
    "key_groups:\n",
    "- age:\n",
    "encrypted_regex: (\n",
    "encrypted_comment_regex: x\n",
    "mac_only_encrypted: true\n",
    "&a ",
    "*a",
    "<<: ",
    "# x\n",
    "\"\"\"",
    "`",
    "\\\n",
    "=",
    ";",
    "\"",
    "{",
    "}",
    "\n",
];

/// Reads any bytes in every format.
pub(super) const DOCUMENTS: Target = Target {
    name: "sops-documents",
    run: |bytes| {
        let key = DataKey::new(vec![7; 32]);
        for format in [
            Format::Yaml,
            Format::Json,
            Format::Dotenv,
            Format::Ini,
            Format::Binary,
        ] {
            if let Ok(plain) = PlainDocument::load(bytes, format) {
                for to in [
                    format,
                    Format::Yaml,
                    Format::Json,
                    Format::Dotenv,
                    Format::Ini,
                ] {
                    let printed = plain.emit(to);
                    if to == format
                        && let Ok(printed) = printed
                    {
                        stable(printed.expose(), format);
                    }
                }
            }
            if let Ok(document) = Document::load(bytes, format)
                && let Err(error) = document.decrypt(&key)
            {
                let cause = error.source().map(ToString::to_string).unwrap_or_default();
                assert!(
                    !format!("{error}{cause}").contains("ENC["),
                    "a value is quoted"
                );
            }
        }
    },
    seeds,
    words: WORDS,
};

/// Printed documents must be readable and print the same.
fn stable(text: &[u8], format: Format) {
    // A printed key of an ini file may look like a comment, in the reference, too.
    if matches!(format, Format::Ini | Format::Dotenv) {
        return;
    }
    // The same holds for a multi-line text that begins with white space. Deep in a document go-yaml
    // prints too small a number beside its bar, and the reference cannot read it either.
    let is_hinted = |line: &[u8]| {
        let line = line
            .strip_suffix(b"-")
            .or_else(|| line.strip_suffix(b"+"))
            .unwrap_or(line);
        matches!(line, [.., b'|' | b'>', digit] if digit.is_ascii_digit())
    };
    if format == Format::Yaml && text.split(|byte| *byte == b'\n').any(is_hinted) {
        return;
    }
    let again = PlainDocument::load(text, format).and_then(|again| again.emit(format));
    let fault = again.err().map(|error| error.to_string());
    assert_eq!(fault, None, "{format}: printed output is not readable");
}

/// Reads age files, armored or not, and identities.
pub(super) const AGE: Target = Target {
    name: "sops-age",
    run: |bytes| {
        let identities = identities();
        let text = String::from_utf8_lossy(bytes);
        drop(identities.decrypt(&text));
        drop(Identities::default().import(&text));
    },
    seeds: || {
        let secret = DataKey::new(vec![7; 32]);
        let recipients = identities().recipients();
        let encrypt = |recipient: String| sluice_sops::keys::age::encrypt(&recipient, &secret);
        let files = recipients.into_iter().map(encrypt);
        files
            .map(|file| file.expect("it is a recipient").into_bytes())
            .chain(KEYS.map(|key| key.as_bytes().to_vec()))
            .collect()
    },
    words: &[
        "-----BEGIN AGE ENCRYPTED FILE-----\n",
        "-----END AGE ENCRYPTED FILE-----\n",
        "age-encryption.org/v1\n",
        "-> X25519 ",
        "-> mlkem768x25519 ",
        "---",
        "\n",
        "\r\n",
        "AGE-SECRET-KEY-1",
        "AGE-SECRET-KEY-PQ-1",
        "=",
        "AAAA",
    ],
};

/// Reads OpenPGP messages and secret keys, armored or not.
pub(super) const PGP: Target = Target {
    name: "sops-pgp",
    run: |bytes| {
        let mut keys = SecretKeys::default();
        for key in PGP_KEYS {
            keys.import(key.as_bytes()).expect("it is a key");
        }
        let text = String::from_utf8_lossy(bytes);
        if text.starts_with("-----BEGIN ") {
            drop(keys.decrypt(&text));
            drop(SecretKeys::default().import(bytes).map_err(format_error));
        } else {
            drop(keys.decrypt(&armored("PGP MESSAGE", bytes)));
            let key = armored("PGP PRIVATE KEY BLOCK", bytes);
            drop(
                SecretKeys::default()
                    .import(key.as_bytes())
                    .map_err(format_error),
            );
        }
    },
    seeds: || {
        let messages = PGP_FILES.map(message);
        let keys = PGP_KEYS.map(ToOwned::to_owned);
        let texts: Vec<String> = messages.into_iter().chain(keys).collect();
        let packets = texts.iter().map(|text| unarmored(text));
        let texts = texts.iter().map(|text| text.as_bytes().to_vec());
        packets.chain(texts).collect()
    },
    words: &[
        "-----BEGIN PGP MESSAGE-----\n\n",
        "-----END PGP MESSAGE-----\n",
        "-----BEGIN PGP PRIVATE KEY BLOCK-----\n\n",
        "-----END PGP PRIVATE KEY BLOCK-----\n",
        "Version: 1\n",
        "\n",
        "\r\n",
        "=",
        "=AAAA\n",
        "\u{0}\u{0}\u{0}\u{0}",
        "\u{1}",
        "\u{3}",
        "\u{12}",
        "\u{16}",
        "\u{7f}\u{7f}\u{7f}\u{7f}",
        "AAAA",
    ],
};

const PGP_KEYS: [&str; 2] = [
    include_str!("../../../crates/content/sops/tests/fixtures/keys/curve25519.asc"),
    include_str!("../../../crates/content/sops/tests/fixtures/keys/nistp256.asc"),
];

/// Files encrypted for these identities.
const PGP_FILES: [&str; 2] = [
    include_str!("../../../crates/content/sops/tests/fixtures/encrypted/curve25519-all.yaml"),
    include_str!("../../../crates/content/sops/tests/fixtures/encrypted/nistp256-all.yaml"),
];

fn format_error(error: impl std::fmt::Display) -> String {
    error.to_string()
}

/// Returns the armored message in a file's metadata.
fn message(file: &str) -> String {
    let lines = file.lines().map(str::trim);
    let lines = lines.skip_while(|line| !line.starts_with("-----BEGIN PGP MESSAGE"));
    let mut text = String::new();
    for line in lines {
        text.push_str(line);
        text.push('\n');
        if line.starts_with("-----END") {
            break;
        }
    }
    text
}

fn armored(kind: &str, packets: &[u8]) -> String {
    let body = STANDARD.encode(packets);
    format!("-----BEGIN {kind}-----\n\n{body}\n-----END {kind}-----\n")
}

/// Returns the packets of an armored text: the part between its empty line and its checksum.
fn unarmored(text: &str) -> Vec<u8> {
    let (_, body) = text.split_once("\n\n").expect("armor has an empty line");
    let lines = body
        .lines()
        .take_while(|line| !line.starts_with(['=', '-']));
    let body: String = lines.collect();
    STANDARD.decode(body).expect("armor is base64")
}

/// One key of each kind, from the crate's tests.
const KEYS: [&str; 2] = [
    include_str!("../../../crates/content/sops/tests/fixtures/keys/x25519.agekey"),
    include_str!("../../../crates/content/sops/tests/fixtures/keys/hybrid.agekey"),
];

fn identities() -> Identities {
    let mut identities = Identities::default();
    for key in KEYS {
        identities.import(key).expect("it is an identity");
    }
    identities
}

fn seeds() -> Vec<Vec<u8>> {
    const ALL: [&[u8]; 6] = [
        include_bytes!("../../../crates/content/sops/tests/fixtures/encrypted/x25519-all.yaml"),
        include_bytes!("../../../crates/content/sops/tests/fixtures/encrypted/x25519-all.json"),
        include_bytes!("../../../crates/content/sops/tests/fixtures/encrypted/x25519-all.env"),
        include_bytes!("../../../crates/content/sops/tests/fixtures/encrypted/x25519-all.ini"),
        include_bytes!("../../../crates/content/sops/tests/fixtures/plain/all.yaml"),
        include_bytes!("../../../crates/content/sops/tests/fixtures/plain/all.ini"),
    ];
    ALL.map(<[u8]>::to_vec).into()
}
