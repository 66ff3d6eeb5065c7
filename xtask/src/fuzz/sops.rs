//! The readers of `sluice-sops`: no document, no encrypted value and no file of age
//! makes them panic, hang or grow without bound, and no message quotes a value.

use std::error::Error as _;

use sluice_sops::keys::age::Identities;
use sluice_sops::{DataKey, Document, Format, Plain};

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

/// Every format, on whatever bytes.
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
            if let Ok(plain) = Plain::load(bytes, format) {
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

/// What we print we read, and print alike.
fn stable(text: &[u8], format: Format) {
    // A key of an ini file may look like a comment once it is printed, which is
    // upstream's fault as much as ours.
    if matches!(format, Format::Ini | Format::Dotenv) {
        return;
    }
    let again = Plain::load(text, format).and_then(|again| again.emit(format));
    let fault = again.err().map(|error| error.to_string());
    assert_eq!(fault, None, "{format}: what was printed is not read");
}

/// Files of age, armored or not, and of identities.
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

/// One of each kind; keys of the crate's tests.
const KEYS: [&str; 2] = [
    include_str!("../../../crates/sops/tests/fixtures/keys/x25519.agekey"),
    include_str!("../../../crates/sops/tests/fixtures/keys/hybrid.agekey"),
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
        include_bytes!("../../../crates/sops/tests/fixtures/encrypted/x25519-all.yaml"),
        include_bytes!("../../../crates/sops/tests/fixtures/encrypted/x25519-all.json"),
        include_bytes!("../../../crates/sops/tests/fixtures/encrypted/x25519-all.env"),
        include_bytes!("../../../crates/sops/tests/fixtures/encrypted/x25519-all.ini"),
        include_bytes!("../../../crates/sops/tests/fixtures/plain/all.yaml"),
        include_bytes!("../../../crates/sops/tests/fixtures/plain/all.ini"),
    ];
    ALL.map(<[u8]>::to_vec).into()
}
