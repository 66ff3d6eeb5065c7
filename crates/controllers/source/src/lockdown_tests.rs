//! Proofs of the rows of `docs/lockdown.md` about sources.

use serde_json::{Value, json};
use sluice_api::source::{Bucket, GitRepository, HelmChart, HelmRepository, OciRepository};
use sluice_testkit::lockdown::{self, CLOUD_ACCOUNT, NOTHING, Proof, SERVER, walk};

use crate::args::Args;

const CONTROLLER: &str = "source-controller";

type Row = (&'static str, &'static str, Proof);

/// A server gets the credentials of its object only.
fn server(kind: &'static str, field: &'static str, file: &str, test: &str) -> Row {
    (kind, field, Proof::tested(file, test, SERVER))
}

/// The flags set no default account for identities in clouds.
fn cloud_account(kind: &'static str) -> Row {
    let proof = Proof::decided(|is_locked| {
        let args: Args = lockdown::arguments(CONTROLLER, is_locked);
        assert_eq!(args.identity.default_service_account, "");
        CLOUD_ACCOUNT.to_owned()
    });
    (kind, "serviceAccountName", proof)
}

fn buckets() -> Vec<Row> {
    let own = |field, extra: Value| {
        let mut spec = json!({ "bucketName": "a", "endpoint": "b", "interval": "1m" });
        spec.as_object_mut()
            .unwrap()
            .extend(extra.as_object().unwrap().clone());
        ("Bucket", field, Proof::typed::<Bucket>(spec, field))
    };
    let sts = json!({ "sts": { "provider": "ldap", "endpoint": "https://b" } });
    vec![
        own("certSecretRef", json!({})),
        own("proxySecretRef", json!({})),
        own("secretRef", json!({})),
        own("sts.certSecretRef", sts.clone()),
        own("sts.secretRef", sts),
        cloud_account("Bucket"),
        server(
            "Bucket",
            "endpoint",
            "remotes/bucket/tests/store.rs",
            "missing_bucket_differs_from_wrong_key",
        ),
        server(
            "Bucket",
            "sts.endpoint",
            "controllers/source/tests/cluster/bucket/clouds.rs",
            "ldap_user_reads_a_bucket",
        ),
    ]
}

fn repositories() -> Vec<Row> {
    let git = |field| {
        let spec = match field {
            "verify.secretRef" => json!({ "mode": "HEAD" }),
            _ => Value::Null,
        };
        let mut full = json!({ "url": "https://a", "interval": "1m" });
        if !spec.is_null() {
            full["verify"] = spec;
        }
        (
            "GitRepository",
            field,
            Proof::typed::<GitRepository>(full, field),
        )
    };
    vec![
        git("include[].repository"),
        git("proxySecretRef"),
        git("secretRef"),
        git("verify.secretRef"),
        cloud_account("GitRepository"),
        (
            "GitRepository",
            "ref",
            Proof::tested(
                "controllers/source/tests/cluster/failures.rs",
                "invalid_spec_stalls",
                NOTHING,
            ),
        ),
        server(
            "GitRepository",
            "url",
            "controllers/source/tests/cluster/hostile.rs",
            "redirect_drops_credentials_for_other_host",
        ),
        (
            "ExternalArtifact",
            "sourceRef",
            Proof::tested(
                "controllers/kustomize/tests/cluster/external.rs",
                "cross_namespace_external_artifact_is_refused",
                NOTHING,
            ),
        ),
    ]
}

fn charts() -> Vec<Row> {
    let chart = |field| {
        let mut spec = json!({ "chart": "a", "interval": "1m" });
        spec["sourceRef"] = json!({ "kind": "HelmRepository", "name": "a" });
        if field == "verify.secretRef" {
            spec["verify"] = json!({ "provider": "cosign" });
        }
        ("HelmChart", field, Proof::typed::<HelmChart>(spec, field))
    };
    let repository = |field| {
        let spec = json!({ "url": "https://a", "interval": "1m" });
        let proof = Proof::typed::<HelmRepository>(spec, field);
        ("HelmRepository", field, proof)
    };
    vec![
        chart("sourceRef"),
        chart("verify.secretRef"),
        repository("certSecretRef"),
        repository("secretRef"),
        server(
            "HelmRepository",
            "url",
            "controllers/source/tests/cluster/helm/hostile.rs",
            "credentials_stay_on_the_host_of_the_repository",
        ),
    ]
}

fn registries() -> Vec<Row> {
    let own = |field| {
        let mut spec = json!({ "url": "oci://a/b", "interval": "1m" });
        if field != "certSecretRef" {
            spec["verify"] = json!({ "provider": "cosign" });
        }
        let proof = Proof::typed::<OciRepository>(spec, field);
        ("OCIRepository", field, proof)
    };
    vec![
        own("certSecretRef"),
        own("proxySecretRef"),
        own("secretRef"),
        own("verify.secretRef"),
        own("verify.trustedRootSecretRef"),
        cloud_account("OCIRepository"),
        server(
            "OCIRepository",
            "url",
            "controllers/source/tests/cluster/oci/hostile.rs",
            "credentials_stay_at_their_registry",
        ),
    ]
}

#[test]
fn rows_of_the_lockdown_hold() {
    let rows = [buckets(), repositories(), charts(), registries()];
    walk(CONTROLLER, rows.into_iter().flatten().collect());
}
