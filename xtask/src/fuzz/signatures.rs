//! Keyless signatures: no bundle, annotation, certificate or trusted root makes a verifier panic,
//! hang or use unbounded memory.

use std::sync::LazyLock;

use serde_json::Value;
use sluice_attest::sigstore::{
    Identities, LegacySignature, PUBLIC_ROOT, TrustedRoot, Verifier, promises,
};
use sluice_oci::Digest;
use sluice_system::budget::Budget;

use super::Target;

/// Good bundles with their roots.
const VECTORS: &str = include_str!("../../../crates/content/attest/tests/oracle/vectors.jsonl");

fn lines() -> impl Iterator<Item = Value> {
    VECTORS
        .lines()
        .map(|line| serde_json::from_str(line).expect("a line is JSON"))
}

static VERIFIER: LazyLock<Verifier> = LazyLock::new(|| {
    let mut lines = lines();
    let roots = lines.next().unwrap_or_default();
    let root = TrustedRoot::parse(roots["roots"]["own"].to_string().as_bytes());
    let identities = Identities::compile([(".*", "^https://")]);
    Verifier::new(
        root.expect("the root is valid"),
        identities.expect("the patterns are valid"),
    )
});

/// Reads bundles, older signatures, trusted roots and answers of logs.
pub(super) const KEYLESS: Target = Target {
    name: "sigstore",
    run: |bytes| {
        let budget = Budget::new(1 << 24, 1 << 24);
        let digest = Digest::of(bytes);
        let verified = VERIFIER.verify_bundle(bytes, &digest, &budget);
        drop(verified.map_err(|refusal| refusal.to_string()));
        drop(TrustedRoot::parse(bytes).map_err(|error| error.to_string()));
        drop(promises(bytes));
        // A line is an annotation, too.
        let text = String::from_utf8_lossy(bytes);
        let mut parts = text.lines();
        let mut part = || parts.next().unwrap_or_default();
        let signature = LegacySignature {
            payload: part().as_bytes(),
            signature: part(),
            certificate: &part().replace("\\n", "\n"),
            bundle: part(),
        };
        let verified = VERIFIER.verify_legacy(signature, &digest, &budget);
        drop(verified.map_err(|refusal| refusal.to_string()));
    },
    seeds: || {
        let answer = r#"[{"a":{"body":"e30=","integratedTime":1,"logIndex":1,"logID":"c0"}}]"#;
        let mut seeds = vec![PUBLIC_ROOT.to_vec(), answer.into()];
        for line in lines() {
            let legacy = &line["legacy"];
            if legacy.is_object() {
                let text = |field: &str| legacy[field].as_str().unwrap_or_default();
                let certificate = text("certificate").replace('\n', "\\n");
                let parts = [
                    text("payload"),
                    text("signature"),
                    &certificate,
                    text("bundle"),
                ];
                seeds.push(parts.join("\n").into_bytes());
            } else if line["json"].is_object() {
                seeds.push(line["json"].to_string().into_bytes());
            }
        }
        seeds.truncate(24);
        seeds
    },
    words: &[
        "\"mediaType\":",
        "\"verificationMaterial\":{",
        "\"tlogEntries\":[",
        "\"verification\":{\"signedEntryTimestamp\":\"",
        "\"integratedTime\":1,",
        "\"inclusionProof\":{",
        "\"checkpoint\":{\"envelope\":\"",
        "\"dsseEnvelope\":{",
        "\"rawBytes\":\"",
        "\"signedTimestamp\":\"",
        "\"canonicalizedBody\":\"",
        "\"logIndex\":\"9223372036854775807\"",
        "\"treeSize\":\"1\"",
        "\\n\\n\u{2014} ",
        "MIIB",
        "MIIC",
        "AAAA",
        "=",
        "null",
        "{",
        "}",
        "[",
        "]",
        ",",
        "\"",
    ],
};
