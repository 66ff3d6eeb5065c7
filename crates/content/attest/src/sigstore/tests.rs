//! Verdicts of sigstore-go over good and changed bundles. The recipe is in `tests/oracle/main.go`.

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::*;

const VECTORS: &str = include_str!("../../tests/oracle/vectors.jsonl");

/// Cases whose verdict differs, each with its reason.
const EXPLAINED: &[(&str, &str)] = &[
    (
        "dns-only",
        "any subject counts, not only URI, e-mail and otherName",
    ),
    (
        "identity-second-subject",
        "any subject may match, not only the first",
    ),
    ("two-issuers", "an ambiguous issuer is refused"),
    (
        "zero-byte-in-mail",
        "a subject with control characters is refused",
    ),
    ("name-constraints", "name constraints are not supported"),
    ("key-id-of-signature", "the key is that of the certificate"),
    ("another-kind", "the kind is compared with the body"),
    ("another-version", "the version is compared with the body"),
    (
        "second-log-of-the-past",
        "the log must be valid at the time of the stamp",
    ),
    (
        "second-log-of-the-future",
        "the log must be valid at the time of the stamp",
    ),
    (
        "legacy-digest-of-another-artifact",
        "the digest in the payload is compared",
    ),
    (
        "legacy-not-a-payload",
        "the digest in the payload is compared",
    ),
];

#[derive(Deserialize)]
#[serde(untagged)]
enum Line {
    Roots {
        digest: String,
        roots: BTreeMap<String, Value>,
    },
    Bundle {
        name: String,
        json: Value,
    },
    Case(Case),
    Legacy(LegacyCase),
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Case {
    name: String,
    bundle: String,
    #[serde(default)]
    root: Option<String>,
    #[serde(default)]
    set: Map<String, Value>,
    #[serde(default)]
    remove: Vec<String>,
    #[serde(default)]
    root_set: Map<String, Value>,
    #[serde(default)]
    root_remove: Vec<String>,
    #[serde(default)]
    digest: Option<String>,
    #[serde(default)]
    identities: Vec<(String, String)>,
    reference: String,
    /// The error of Flux, where it is another one.
    #[serde(default)]
    flux: Option<String>,
}

#[derive(Deserialize)]
struct LegacyCase {
    name: String,
    legacy: Legacy,
    #[serde(default)]
    identities: Vec<(String, String)>,
    reference: String,
}

#[derive(Deserialize)]
struct Legacy {
    payload: String,
    signature: String,
    certificate: String,
    bundle: String,
}

struct Vectors {
    digest: String,
    roots: BTreeMap<String, Value>,
    bundles: BTreeMap<String, Value>,
    cases: Vec<Case>,
    legacy: Vec<LegacyCase>,
}

impl Vectors {
    fn read() -> Self {
        let mut vectors = Self {
            digest: String::new(),
            roots: BTreeMap::new(),
            bundles: BTreeMap::new(),
            cases: Vec::new(),
            legacy: Vec::new(),
        };
        for line in VECTORS.lines() {
            match serde_json::from_str(line).unwrap() {
                Line::Roots { digest, roots } => {
                    vectors.digest = digest;
                    vectors.roots = roots;
                }
                Line::Bundle { name, json } => {
                    vectors.bundles.insert(name, json);
                }
                Line::Case(case) => vectors.cases.push(case),
                Line::Legacy(case) => vectors.legacy.push(case),
            }
        }
        vectors
    }

    fn verdict(&self, case: &Case) -> Result<(), String> {
        let bundle = changed(&self.bundles[&case.bundle], &case.set, &case.remove);
        let root = &self.roots[case.root.as_deref().unwrap_or("own")];
        let root = changed(root, &case.root_set, &case.root_remove);
        let digest = case.digest.as_deref().unwrap_or(&self.digest);
        verdict(&bundle, &root, digest, &case.identities)
    }
}

fn verdict(
    bundle: &str,
    root: &str,
    digest: &str,
    identities: &[(String, String)],
) -> Result<(), String> {
    let root = TrustedRoot::parse(root.as_bytes()).map_err(|error| error.to_string())?;
    let pairs = identities.iter();
    let pairs = pairs.map(|(issuer, subject)| (&**issuer, &**subject));
    let identities = Identities::compile(pairs).map_err(|error| error.to_string())?;
    let digest = format!("sha256:{digest}").parse().unwrap();
    let verifier = Verifier::new(root, identities);
    let verified = verifier.verify_bundle(bundle.as_bytes(), &digest, &budget());
    verified.map_err(|refusal| refusal.to_string())
}

fn budget() -> Budget {
    Budget::new(1 << 28, 1 << 26)
}

/// Applies the changes of a case.
fn changed(document: &Value, set: &Map<String, Value>, remove: &[String]) -> String {
    let mut document = document.clone();
    for (pointer, value) in set {
        let (parent, last) = pointer.rsplit_once('/').unwrap();
        match document.pointer_mut(parent).unwrap() {
            Value::Object(object) => {
                object.insert(last.to_owned(), value.clone());
            }
            list => list[last.parse::<usize>().unwrap()] = value.clone(),
        }
    }
    for pointer in remove {
        let (parent, last) = pointer.rsplit_once('/').unwrap();
        let parent = document.pointer_mut(parent).unwrap();
        parent.as_object_mut().unwrap().remove(last).unwrap();
    }
    document.to_string()
}

#[test]
fn verdicts_match_reference() {
    let vectors = Vectors::read();
    let mut differences = Vec::new();
    for case in &vectors.cases {
        let ours = vectors.verdict(case);
        let explained = EXPLAINED.iter().find(|(name, _)| *name == case.name);
        let is_same = ours.is_ok() == case.reference.is_empty();
        if is_same == explained.is_some() {
            let name = &case.name;
            let (reference, ours) = (&case.reference, ours.err().unwrap_or_default());
            differences.push(format!("{name}: '{reference}', ours '{ours}'"));
        }
    }
    assert!(differences.is_empty(), "{differences:#?}");
    let good = vectors
        .cases
        .iter()
        .filter(|case| case.reference.is_empty());
    assert!(good.count() >= 30 && vectors.cases.len() >= 100);
}

#[test]
fn legacy_verdicts_match_cosign() {
    let vectors = Vectors::read();
    let digest = format!("sha256:{}", vectors.digest).parse().unwrap();
    let root = vectors.roots["own"].to_string();
    let mut differences = Vec::new();
    for case in &vectors.legacy {
        let pairs = case.identities.iter();
        let pairs = pairs.map(|(issuer, subject)| (&**issuer, &**subject));
        let identities = Identities::compile(pairs).unwrap();
        let root = TrustedRoot::parse(root.as_bytes()).unwrap();
        let signature = LegacySignature {
            payload: case.legacy.payload.as_bytes(),
            signature: &case.legacy.signature,
            certificate: &case.legacy.certificate,
            bundle: &case.legacy.bundle,
        };
        let verifier = Verifier::new(root, identities);
        let ours = verifier.verify_legacy(signature, &digest, &budget());
        let explained = EXPLAINED.iter().find(|(name, _)| *name == case.name);
        if (ours.is_ok() == case.reference.is_empty()) == explained.is_some() {
            let (name, reference) = (&case.name, &case.reference);
            differences.push(format!("{name}: '{reference}', ours {ours:?}"));
        }
    }
    assert!(differences.is_empty(), "{differences:#?}");
    assert!(vectors.legacy.len() >= 25);
}

/// Flux does not look at timestamps, so the certificate need not be valid at their times.
const ONLY_IN_FLUX: &[&str] = &["first-stamp-after-certificate"];

/// Flux also refuses bundles without the time of a log, and several identities.
#[test]
fn bundles_that_flux_accepts_are_accepted() {
    for case in Vectors::read().cases {
        if case.flux.is_some_and(|error| error.is_empty()) {
            assert!(ONLY_IN_FLUX.contains(&&*case.name), "{}", case.name);
        }
    }
}

#[test]
fn no_prefix_of_a_bundle_is_accepted() {
    let vectors = Vectors::read();
    let (bundle, root) = (&vectors.bundles["first"], &vectors.roots["own"]);
    let (bundle, root) = (bundle.to_string(), root.to_string());
    let check = |bundle: &str| verdict(bundle, &root, &vectors.digest, &[]);
    assert_eq!(check(&bundle), Ok(()));
    for length in (0..bundle.len()).step_by(97) {
        assert!(check(&bundle[..length]).is_err(), "{length}");
    }
    let twice = bundle.replacen('{', r#"{"mediaType":"x","#, 1);
    assert!(check(&twice).is_err());
}

/// The certificate and the timestamp are binary, so a changed bundle does not reach their readers.
#[test]
fn altered_binary_parts_are_refused() {
    const CERTIFICATE: &str = "/verificationMaterial/certificate/rawBytes";
    const STAMP: &str =
        "/verificationMaterial/timestampVerificationData/rfc3161Timestamps/0/signedTimestamp";
    let vectors = Vectors::read();
    let root = vectors.roots["own"].to_string();
    let mut accepted = 0;
    for pointer in [CERTIFICATE, STAMP] {
        let bundle = &vectors.bundles["second-stamped"];
        let text = bundle.pointer(pointer).and_then(Value::as_str).unwrap();
        let bytes = BASE64_STANDARD.decode(text).unwrap();
        for index in 0..bytes.len() {
            for mask in [0x01, 0x80] {
                let mut altered = bytes.clone();
                altered[index] ^= mask;
                let mut bundle = bundle.clone();
                *bundle.pointer_mut(pointer).unwrap() = BASE64_STANDARD.encode(&altered).into();
                let verdict = verdict(&bundle.to_string(), &root, &vectors.digest, &[]);
                accepted += usize::from(verdict.is_ok());
                assert!(verdict.is_err() || pointer == STAMP, "{index}");
            }
        }
    }
    // A few bytes of a timestamp are not signed: versions, and the list of hash functions.
    assert!(accepted < 80, "{accepted}");
}

#[test]
fn spent_budget_ends_verification() {
    let vectors = Vectors::read();
    let case = &vectors.cases[0];
    let bundle = vectors.bundles[&case.bundle].to_string();
    let root = TrustedRoot::parse(vectors.roots["own"].to_string().as_bytes()).unwrap();
    let digest = format!("sha256:{}", vectors.digest).parse().unwrap();
    let verifier = Verifier::new(root, Identities::default());
    let check = |budget: Budget| verifier.verify_bundle(bundle.as_bytes(), &digest, &budget);
    assert_eq!(check(budget()), Ok(()));
    let steps = u64::try_from(bundle.len()).unwrap();
    for few in [0, steps, steps + CHECK_STEPS, steps + 3 * CHECK_STEPS] {
        let refusal = check(Budget::new(few, 1 << 26)).unwrap_err();
        assert_eq!(
            refusal,
            Refusal::Budget(BudgetExceeded::Steps(few)),
            "{few}"
        );
    }
    let refusal = check(Budget::new(1 << 28, 10)).unwrap_err();
    assert_eq!(refusal, Refusal::Budget(BudgetExceeded::Bytes(10)));
}

/// The number of steps that a bundle costs with a root.
fn cost(bundle: &str, root: &str, digest: &Digest) -> u64 {
    let root = TrustedRoot::parse(root.as_bytes()).unwrap();
    let verifier = Verifier::new(root, Identities::default());
    let verified = |steps: &u64| {
        let budget = Budget::new(*steps, 1 << 26);
        verifier
            .verify_bundle(bundle.as_bytes(), digest, &budget)
            .is_ok()
    };
    (0..64)
        .map(|checks| checks * CHECK_STEPS)
        .find(verified)
        .unwrap()
}

#[test]
fn logs_of_one_identifier_are_charged() {
    let vectors = Vectors::read();
    let bundle = vectors.bundles["first"].to_string();
    let digest = format!("sha256:{}", vectors.digest).parse().unwrap();
    let mut root = vectors.roots["own"].clone();
    let alone = cost(&bundle, &root.to_string(), &digest);
    // Logs before the right one, with its identifier and another key.
    let log = root["ctlogs"][0].clone();
    let mut other = log.clone();
    other["publicKey"] = root["tlogs"][0]["publicKey"].clone();
    let mut logs = vec![other; 20];
    logs.push(log);
    root["ctlogs"] = logs.into();
    let many = cost(&bundle, &root.to_string(), &digest);
    assert_eq!(many, alone + 20 * CHECK_STEPS);
}

const KEY: &[u8] = include_bytes!("../../../../remotes/oci/tests/fixtures/cosign/ecdsa.pub");
const KEYED_BUNDLE: &[u8] =
    include_bytes!("../../../../remotes/oci/tests/fixtures/cosign/bundle.json");
const KEYED_MANIFEST: &[u8] =
    include_bytes!("../../../../remotes/oci/tests/fixtures/cosign/manifest.json");

#[test]
fn each_key_is_charged() {
    let digest = Digest::of(KEYED_MANIFEST);
    let stranger = vec![
        include_bytes!("../../../../remotes/oci/tests/fixtures/cosign/stranger.pub")
            .as_slice();
        9
    ];
    let keys = stranger.into_iter().chain([KEY]);
    let verifier = KeyVerifier::new(keys.map(|key| PublicKey::from_pem(key).unwrap()).collect());
    let length = u64::try_from(KEYED_BUNDLE.len()).unwrap();
    let check = |steps: u64| {
        let budget = Budget::new(length + steps, 1 << 26);
        verifier.verify_bundle(KEYED_BUNDLE, &digest, &budget)
    };
    assert_eq!(check(10 * CHECK_STEPS), Ok(()));
    let refusal = check(10 * CHECK_STEPS - 1).unwrap_err();
    assert!(matches!(refusal, Refusal::Budget(_)), "{refusal}");
}

/// The key of a retired log may be known to others.
#[test]
fn proof_of_a_retired_log_does_not_count() {
    let vectors = Vectors::read();
    for (name, index) in [("second-stamped", 1), ("first-without-promise-stamped", 0)] {
        let bundle = vectors.bundles[name].to_string();
        let mut root = vectors.roots["own"].clone();
        let check = |root: &Value| verdict(&bundle, &root.to_string(), &vectors.digest, &[]);
        assert_eq!(check(&root), Ok(()), "{name}");
        let period = &mut root["tlogs"][index]["publicKey"]["validFor"];
        period["end"] = period["start"].clone();
        let refused = "a signature is in no trusted transparency log";
        assert_eq!(check(&root), Err(refused.to_owned()), "{name}");
    }
}

#[test]
fn certificate_of_many_subjects_names_no_signer() {
    let signer = |count: usize, length: usize| {
        let names = (0..count).map(|index| format!("{index:0length$}.example"));
        let made = rcgen::generate_simple_self_signed(names.collect::<Vec<_>>()).unwrap();
        let certificate = Certificate::from_der(made.cert.der()).unwrap();
        certificate.signer().map(|signer| signer.subjects.len())
    };
    assert_eq!(signer(32, 10), Ok(32));
    let refused = "a certificate names more than 32 subjects";
    assert_eq!(signer(33, 10), Err(refused.to_owned()));
    let refused = "the issuer and the subjects in a certificate have more than 4096 bytes";
    assert_eq!(signer(5, 900), Err(refused.to_owned()));
}

#[test]
fn public_root_is_read() {
    let root = TrustedRoot::parse(PUBLIC_ROOT).unwrap();
    let addresses: Vec<&str> = root.logs.iter().map(|log| &*log.address).collect();
    assert_eq!(
        addresses,
        [
            "https://rekor.sigstore.dev",
            "https://log2025-1.rekor.sigstore.dev"
        ]
    );
    assert_eq!((root.authorities.len(), root.stampers.len()), (2, 1));
    assert!(root.stampers[0].leaf.is_some());
}

#[test]
fn invalid_root_is_named() {
    let vectors = Vectors::read();
    let root = &vectors.roots["own"];
    let error = |json: &str| TrustedRoot::parse(json.as_bytes()).unwrap_err().to_string();
    for (json, expected) in [
        ("", "failed to read the trusted root: EOF while parsing"),
        (
            "{}",
            "failed to read the trusted root: missing field `mediaType`",
        ),
        (
            r#"{"mediaType":"x"}"#,
            "unsupported TrustedRoot media type: x",
        ),
        (
            r#"{"mediaType":"x","mediaType":"y"}"#,
            "failed to read the trusted root: duplicate field `mediaType`",
        ),
    ] {
        let error = error(json);
        assert!(error.starts_with(expected), "{json}: {error}");
    }
    for (field, expected) in [
        ("tlogs", "no transparency log entries found in trusted root"),
        (
            "ctlogs",
            "no certificate transparency logs found in trusted root",
        ),
        (
            "certificateAuthorities",
            "no certificate authorities found in trusted root",
        ),
    ] {
        let without = changed(root, &Map::new(), &[format!("/{field}")]);
        assert_eq!(error(&without), expected);
        let mut many = root.clone();
        many[field] = vec![root[field][0].clone(); 33].into();
        assert_eq!(
            error(&many.to_string()),
            format!("{field} has more than 32 entries")
        );
    }
    let mut broken = root.clone();
    broken["certificateAuthorities"][0]["certChain"]["certificates"][0]["rawBytes"] = "AAAA".into();
    assert_eq!(
        error(&broken.to_string()),
        "certificateAuthorities[0]: a certificate cannot be read"
    );
    assert_eq!(
        error(&" ".repeat(MAX_ROOT_BYTES + 1)),
        "a trusted root has at most 1048576 bytes"
    );
}
