//! `HelmChart` with Notation signatures.

use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair};
use base64::Engine as _;
use base64::prelude::{BASE64_STANDARD, BASE64_URL_SAFE_NO_PAD};
use rcgen::{
    BasicConstraints, CertificateParams, CertifiedIssuer, DnType, IsCa, KeyPair, KeyUsagePurpose,
};
use serde_json::{Value, json};
use sluice_api::source::HelmChart;
use sluice_testkit::chart_server::chart;
use sluice_testkit::hostile::HostileRegistry;
use sluice_testkit::hostile::registry::Content;

use super::registry::CHART;
use super::{Helm, state};

const IMAGE: &str = "application/vnd.oci.image.manifest.v1+json";

/// A leaf and its authority.
struct Signer {
    key: KeyPair,
    chain: [Vec<u8>; 2],
    authority: String,
}

impl Signer {
    fn new() -> Self {
        let subject = |params: &mut CertificateParams, name: &str| {
            let attributes = [
                (DnType::CountryName, "US"),
                (DnType::StateOrProvinceName, "WA"),
                (DnType::OrganizationName, "Notary"),
                (DnType::CommonName, name),
            ];
            params.distinguished_name = rcgen::DistinguishedName::new();
            for (kind, value) in attributes {
                params.distinguished_name.push(kind, value);
            }
        };
        let mut params = CertificateParams::default();
        subject(&mut params, "root");
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        params.key_usages = vec![KeyUsagePurpose::KeyCertSign];
        let root = CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap();
        let mut params = CertificateParams::default();
        subject(&mut params, "leaf");
        params.key_usages = vec![KeyUsagePurpose::DigitalSignature];
        let key = KeyPair::generate().unwrap();
        let leaf = params.signed_by(&key, &root).unwrap();
        Self {
            key,
            chain: [leaf.der().to_vec(), root.der().to_vec()],
            authority: root.pem(),
        }
    }

    /// An envelope in JWS for a manifest.
    fn envelope(&self, digest: &str, size: usize) -> String {
        let encode = |value: Value| BASE64_URL_SAFE_NO_PAD.encode(value.to_string());
        let payload = encode(json!({
            "targetArtifact": { "mediaType": IMAGE, "digest": digest, "size": size },
        }));
        let protected = encode(json!({
            "alg": "ES256",
            "cty": "application/vnd.cncf.notary.payload.v1+json",
            "crit": ["io.cncf.notary.signingScheme"],
            "io.cncf.notary.signingScheme": "notary.x509",
            "io.cncf.notary.signingTime": "2024-01-01T00:00:00Z",
        }));
        let key = self.key.serialize_der();
        let key = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &key).unwrap();
        let signed = format!("{protected}.{payload}");
        let signature = key.sign(&SystemRandom::new(), signed.as_bytes()).unwrap();
        let chain = self.chain.each_ref().map(|der| BASE64_STANDARD.encode(der));
        json!({
            "payload": payload,
            "protected": protected,
            "header": { "x5c": chain },
            "signature": BASE64_URL_SAFE_NO_PAD.encode(signature),
        })
        .to_string()
    }

    /// Attaches a signature to a manifest.
    fn attach(&self, content: &mut Content, digest: &str) {
        let envelope = self.envelope(digest, content.manifests[digest].len());
        let config = content.blob("{}");
        let kind = "application/vnd.cncf.notary.signature";
        let size = envelope.len();
        let layer = json!({
            "mediaType": "application/jose+json", "size": size, "digest": content.blob(envelope),
        });
        let manifest = json!({
            "schemaVersion": 2,
            "mediaType": IMAGE,
            "artifactType": kind,
            "config": { "mediaType": kind, "size": 2, "digest": config },
            "layers": [layer],
            "subject": { "digest": digest },
        });
        content.manifest(None, manifest.to_string());
    }
}

fn policy(level: &str) -> String {
    let statement = json!({
        "name": "charts",
        "registryScopes": ["*"],
        "signatureVerification": { "level": level },
        "trustStores": ["ca:charts"],
        "trustedIdentities": ["*"],
    });
    json!({ "version": "1.0", "trustPolicies": [statement] }).to_string()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn policy_decides_about_signatures_of_charts() {
    let helm = Helm::new("helm-notation").await;
    let registry = HostileRegistry::honest().await;
    let (ours, theirs) = (Signer::new(), Signer::new());
    for (version, signer) in [("1.0.0", &ours), ("2.0.0", &theirs)] {
        let archive = chart("app", version, &[]);
        let mut content = registry.content();
        let manifest = content.image(version, CHART, archive);
        signer.attach(&mut content, &manifest);
    }
    for level in ["strict", "audit"] {
        let policy = policy(level);
        let entries = [("trustpolicy.json", &*policy), ("ca.crt", &*ours.authority)];
        helm.secret(level, &entries).await;
    }
    helm.registry(&registry.host(), &json!({})).await;
    let spec = |version: &str, secret: &str| {
        let verify = json!({ "provider": "notation", "secretRef": { "name": secret } });
        json!({ "version": version, "verify": verify })
    };
    helm.chart("good", &spec("1.0.0", "strict")).await;
    let found = helm.has_chart("good", "1.0.0").await;
    let message = "verified signature of version 1.0.0".to_owned();
    let verified = ("True".to_owned(), "Succeeded".to_owned(), message);
    assert_eq!(state(&found, "SourceVerified"), verified);

    helm.chart("ignored", &spec("2.0.0", "audit")).await;
    let found = helm.has_chart("ignored", "2.0.0").await;
    assert_eq!(state(&found, "SourceVerified").0, "");

    helm.chart("foreign", &spec("2.0.0", "strict")).await;
    let (object, message) = helm
        .is_refused::<HelmChart>("foreign", "VerificationError")
        .await;
    let url = format!("oci://{}/charts/app:2.0.0", registry.host());
    let start = format!("chart verification error: failed to verify {url}: signature verification");
    assert!(message.starts_with(&start), "{message}");
    assert!(
        message.contains("does not contain any trusted certificate"),
        "{message}"
    );
    assert_eq!(state(&object, "BuildFailed").1, "ChartVerificationError");
    assert!(object.status.unwrap().artifact.is_none());

    let without = json!({ "version": "1.0.0", "verify": { "provider": "notation" } });
    helm.chart("without", &without).await;
    let (_, message) = helm
        .is_refused::<HelmChart>("without", "VerificationError")
        .await;
    assert!(
        message.contains("verification secret cannot be empty: 'without'"),
        "{message}"
    );
}
