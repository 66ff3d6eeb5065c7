//! Proofs of the rows of `docs/lockdown.md` about `HelmReleases`.

use serde_json::{Value, json};
use sluice_api::helm::HelmRelease;
use sluice_host::FeatureGates;
use sluice_testkit::lockdown::{self, NOTHING, Proof, reach, walk};

use super::super::spec::{Spec, account};
use super::{Policy, release};
use crate::args::{Args, GATES};

fn policy(is_locked: bool) -> Policy {
    let args: Args = lockdown::arguments("helm-controller", is_locked);
    Policy::of(&args, &FeatureGates::resolve(GATES, &[]).unwrap()).unwrap()
}

/// Whether a release of the namespace `apps` is accepted.
fn is_accepted(is_locked: bool, spec: &Value) -> bool {
    Spec::parse(&release(spec, &json!({})), &policy(is_locked)).is_ok()
}

/// Whether a release may refer to objects of both namespaces.
fn references(is_locked: bool, spec: fn(&str) -> Value) -> String {
    reach(
        is_accepted(is_locked, &spec("apps")),
        is_accepted(is_locked, &spec("other")),
    )
}

fn dependencies(is_locked: bool) -> String {
    let plain = references(
        is_locked,
        |namespace| json!({ "dependsOn": [{ "name": "b", "namespace": namespace }] }),
    );
    let with_expression = references(is_locked, |namespace| {
        let dependency = json!({ "name": "b", "namespace": namespace, "readyExpr": "true" });
        json!({ "dependsOn": [dependency] })
    });
    if plain == with_expression {
        plain
    } else {
        format!("{plain}; `readyExpr` {with_expression}")
    }
}

fn impersonated(is_locked: bool) -> String {
    let shown = |spec: &Value| {
        let account = account(&release(spec, &json!({})), &policy(is_locked)).unwrap();
        account.map(|account| {
            let user = account.identity.name();
            user.replace("system:serviceaccount:", "").replace(':', "/")
        })
    };
    let named = shown(&json!({ "serviceAccountName": "robot" }));
    lockdown::account(&named.unwrap(), shown(&json!({})).as_deref())
}

#[test]
fn rows_of_the_lockdown_hold() {
    let own = |field, spec: Value| {
        let mut full = json!({ "interval": "1m" });
        full.as_object_mut()
            .unwrap()
            .extend(spec.as_object().unwrap().clone());
        (
            "HelmRelease",
            field,
            Proof::typed::<HelmRelease>(full, field),
        )
    };
    let chart = json!({ "spec": {
        "chart": "a", "sourceRef": { "kind": "HelmRepository", "name": "a" },
        "verify": { "provider": "cosign" },
    } });
    walk(
        "helm-controller",
        vec![
            (
                "HelmRelease",
                "chart.spec.sourceRef",
                Proof::decided(|is_locked| {
                    references(is_locked, |namespace| {
                        let source = json!({ "kind": "HelmRepository", "name": "a", "namespace": namespace });
                        json!({ "chartRef": null, "chart": { "spec": { "chart": "a", "sourceRef": source } } })
                    })
                }),
            ),
            own("chart.spec.verify.secretRef", json!({ "chart": chart })),
            (
                "HelmRelease",
                "chartRef",
                Proof::decided(|is_locked| {
                    references(is_locked, |namespace| {
                        let source =
                            json!({ "kind": "OCIRepository", "name": "a", "namespace": namespace });
                        json!({ "chartRef": source })
                    })
                }),
            ),
            ("HelmRelease", "dependsOn[]", Proof::decided(dependencies)),
            (
                "HelmRelease",
                "driftDetection.ignore[].target",
                Proof::tested(
                    "kubernetes/apply/src/ignore/tests.rs",
                    "target_matches_all_of_its_fields",
                    NOTHING,
                ),
            ),
            own("kubeConfig.configMapRef", json!({})),
            own("kubeConfig.secretRef", json!({})),
            (
                "HelmRelease",
                "postRenderers[].kustomize.patches[].target",
                Proof::tested(
                    "content/kustomize/src/pattern.rs",
                    "each_part_of_a_selector_matches_a_whole_text",
                    NOTHING,
                ),
            ),
            (
                "HelmRelease",
                "serviceAccountName",
                Proof::decided(impersonated),
            ),
            own(
                "valuesFrom[]",
                json!({ "valuesFrom": [{ "kind": "Secret" }] }),
            ),
        ],
    );
}
