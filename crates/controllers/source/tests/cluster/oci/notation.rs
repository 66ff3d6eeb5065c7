//! Notation signatures: trust of a Secret, levels, ignored signatures, reports.
//!
//! The reference made the signatures: `crates/content/attest/tests/oracle/notary` has the recipe.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Value, json};
use sluice_testkit::hostile::HostileRegistry;
use sluice_testkit::hostile::registry::{Content, digest};

use super::{Oci, artifact, condition};

const VECTORS: &str =
    include_str!("../../../../../content/attest/tests/oracle/notary/vectors.jsonl");
const MANIFEST: &str =
    include_str!("../../../../../remotes/oci/tests/fixtures/cosign/manifest.json");
const CONFIG: &str = include_str!("../../../../../remotes/oci/tests/fixtures/cosign/config.json");
const LAYER: &[u8] = include_bytes!("../../../../../remotes/oci/tests/fixtures/cosign/layer.tgz");
const SIGNATURE: &str = "application/vnd.cncf.notary.signature";
const IMAGE: &str = "application/vnd.oci.image.manifest.v1+json";

/// The value of a field of the line that has another field with this value.
fn recorded(kind: &str, name: &str, field: &str) -> String {
    let lines = VECTORS
        .lines()
        .map(|line| serde_json::from_str(line).unwrap());
    let mut found = lines.filter(|line: &Value| line[kind] == name);
    found.next().unwrap()[field].as_str().unwrap().to_owned()
}

/// The certificates of a pool of one, as PEM.
fn certificate(pool: &str) -> String {
    let text = recorded("pool", pool, "certificates");
    format!("-----BEGIN CERTIFICATE-----\n{text}\n-----END CERTIFICATE-----\n")
}

fn put(content: &mut Content) {
    content.blob(CONFIG);
    content.blob(LAYER);
    content.manifest(Some("latest"), MANIFEST);
}

/// Attaches recorded signatures, and another artifact.
fn attach(content: &mut Content, names: &[&str]) {
    let config = content.blob("{}");
    let subject = json!({
        "mediaType": IMAGE, "size": MANIFEST.len(), "digest": digest(MANIFEST.as_bytes()),
    });
    let refer = |kind: &str, layers: Value| {
        let manifest = json!({
            "schemaVersion": 2,
            "mediaType": IMAGE,
            "artifactType": kind,
            "config": { "mediaType": kind, "size": 2, "digest": config },
            "layers": layers,
            "subject": subject,
        });
        manifest.to_string()
    };
    let mut manifests = vec![refer("text/plain", json!([]))];
    for name in names {
        let envelope = recorded("envelope", name, "bytes");
        let envelope = BASE64_STANDARD.decode(envelope).unwrap();
        let size = envelope.len();
        let layer = json!({
            "mediaType": recorded("envelope", name, "type"),
            "size": size,
            "digest": content.blob(envelope),
        });
        manifests.push(refer(SIGNATURE, json!([layer])));
    }
    for manifest in manifests {
        content.manifest(None, manifest);
    }
}

fn policy(level: &str) -> String {
    let statement = json!({
        "name": "apps",
        "registryScopes": ["*"],
        "signatureVerification": { "level": level },
        "trustStores": ["ca:apps"],
        "trustedIdentities": ["x509.subject: C=US, ST=WA, O=Notary"],
    });
    json!({ "version": "1.0", "trustPolicies": [statement] }).to_string()
}

fn spec(secret: &str) -> Value {
    json!({ "verify": { "provider": "notation", "secretRef": { "name": secret } } })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn policy_decides_about_notation_signatures() {
    let world = Oci::new("oci-notation").await;
    let registry = HostileRegistry::honest().await;
    put(&mut registry.content());
    attach(&mut registry.content(), &["jws of a stranger", "cose"]);
    let (root, stranger) = (certificate("root"), certificate("itself"));
    for (name, level, pem) in [
        ("strict", "strict", &root),
        ("foreign", "strict", &stranger),
        ("audit", "audit", &stranger),
        ("skip", "skip", &stranger),
        ("odd", "Strict", &root),
    ] {
        let policy = policy(level);
        let entries = [("trustpolicy.json", &*policy), ("ca.crt", &**pem)];
        world.secret(name, &entries).await;
        world.follow(name, &registry.url("app"), &spec(name)).await;
    }
    world.secret("bare", &[("ca.crt", &root)]).await;
    let strict = policy("strict");
    world
        .secret("naked", &[("trustpolicy.json", &strict)])
        .await;
    for name in ["bare", "naked", "absent"] {
        world.follow(name, &registry.url("app"), &spec(name)).await;
    }
    let without = json!({ "verify": { "provider": "notation" } });
    world
        .follow("without", &registry.url("app"), &without)
        .await;

    let object = world.is_ready("strict").await;
    let message = format!(
        "verified signature of revision {}",
        artifact(&object).revision
    );
    let verified = ("True".to_owned(), "Succeeded".to_owned(), message);
    assert_eq!(condition(&object, "SourceVerified"), verified);
    for name in ["audit", "skip"] {
        let object = world.is_ready(name).await;
        assert_eq!(condition(&object, "SourceVerified").0, "", "{name}");
        artifact(&object);
    }
    for (name, said) in [
        (
            "foreign",
            "the signature's certificate chain does not contain any trusted certificate",
        ),
        ("odd", "invalid signature verification level \"Strict\""),
        ("bare", "'trustpolicy.json' not found in secret"),
        ("naked", "no certificates found in secret"),
        ("absent", "/absent"),
        ("without", "verification secret cannot be empty"),
    ] {
        let (object, message) = world.is_refused(name, "VerificationError").await;
        assert!(message.contains(said), "{name}: {message}");
        let start = "failed to verify the signature using provider 'notation': ";
        assert!(message.starts_with(start), "{name}: {message}");
        assert_eq!(condition(&object, "SourceVerified").0, "False", "{name}");
        assert!(object.status.unwrap().artifact.is_none(), "{name}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn three_notation_signatures_are_tried() {
    let world = Oci::new("oci-notation-many").await;
    let registry = HostileRegistry::honest().await;
    put(&mut registry.content());
    let (root, policy) = (certificate("root"), policy("strict"));
    let entries = [("trustpolicy.json", &*policy), ("ca.crt", &*root)];
    world.secret("trust", &entries).await;
    world
        .follow("app", &registry.url("app"), &spec("trust"))
        .await;
    let (_, message) = world.is_refused("app", "VerificationError").await;
    assert!(
        message.contains("no signature is associated with"),
        "{message}"
    );

    let broken = [
        "jws with changed signature",
        "jws of a stranger",
        "jws expired",
    ];
    attach(&mut registry.content(), &broken);
    let limit = "signature evaluation stopped. The configured limit of 3 signatures to verify per \
                 artifact exceeded";
    world
        .sees("app", "names the limit", |object| {
            condition(object, "Ready").2.contains(limit)
        })
        .await;
    registry.content().manifests.clear();
    put(&mut registry.content());
    attach(&mut registry.content(), &["jws of a stranger", "jws"]);
    world.is_ready("app").await;
}
