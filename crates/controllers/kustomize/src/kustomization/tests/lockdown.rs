//! Proofs of the rows of `docs/lockdown.md` about Kustomizations.

use serde_json::{Value, json};
use sluice_api::kustomize::Kustomization;
use sluice_host::FeatureGates;
use sluice_testkit::lockdown::{self, CLOUD_ACCOUNT, NOTHING, Proof, reach, walk};

use super::super::plan::tests::kustomization;
use super::super::policy::Policy;
use super::{Spec, account};
use crate::args::{Args, GATES};

fn policy(is_locked: bool) -> Policy {
    let args: Args = lockdown::arguments("kustomize-controller", is_locked);
    Policy::of(&args, &FeatureGates::resolve(GATES, &[]).unwrap())
}

/// Whether a Kustomization of the namespace `apps` with this change is accepted.
fn is_accepted(is_locked: bool, change: impl FnOnce(&mut Value)) -> bool {
    Spec::parse(&kustomization("a", change), &policy(is_locked)).is_ok()
}

/// A reference to an object of a namespace.
fn reference(is_locked: bool, namespace: &str) -> bool {
    is_accepted(is_locked, |spec| {
        spec["sourceRef"]["namespace"] = json!(namespace);
    })
}

fn dependency(is_locked: bool, namespace: &str, expression: Option<&str>) -> bool {
    is_accepted(is_locked, |spec| {
        spec["dependsOn"] = json!([{ "name": "b", "namespace": namespace }]);
        if let Some(expression) = expression {
            spec["dependsOn"][0]["readyExpr"] = json!(expression);
        }
    })
}

fn dependencies(is_locked: bool) -> String {
    let all = |expression| {
        reach(
            dependency(is_locked, "apps", expression),
            dependency(is_locked, "other", expression),
        )
    };
    let (plain, with_expression) = (all(None), all(Some("true")));
    if plain == with_expression {
        plain
    } else {
        format!("{plain}; `readyExpr` {with_expression}")
    }
}

fn impersonated(is_locked: bool) -> String {
    let shown = |change: fn(&mut Value)| {
        let object = kustomization("a", change);
        let account = account(&object, &policy(is_locked)).unwrap();
        account.map(|account| {
            let user = account.identity.name();
            user.replace("system:serviceaccount:", "").replace(':', "/")
        })
    };
    let named = shown(|spec| spec["serviceAccountName"] = json!("robot"));
    lockdown::account(&named.unwrap(), shown(|_| ()).as_deref())
}

#[test]
fn rows_of_the_lockdown_hold() {
    let own = |field| {
        let spec = json!({
            "interval": "1m", "prune": true, "sourceRef": { "kind": "GitRepository", "name": "a" },
            "decryption": { "provider": "sops" },
            "postBuild": { "substituteFrom": [{ "kind": "Secret", "name": "a" }] },
        });
        let spec = match field {
            "decryption.secretRef" | "postBuild.substituteFrom[]" => spec,
            _ => json!({ "interval": "1m", "prune": true, "sourceRef": spec["sourceRef"] }),
        };
        (
            "Kustomization",
            field,
            Proof::typed::<Kustomization>(spec, field),
        )
    };
    let tested = |field, file, test, cell| {
        let file = format!("controllers/kustomize/{file}");
        ("Kustomization", field, Proof::tested(&file, test, cell))
    };
    // These selectors match objects of the build.
    let selector = |field, file, test| ("Kustomization", field, Proof::tested(file, test, NOTHING));
    walk(
        "kustomize-controller",
        vec![
            own("decryption.secretRef"),
            own("kubeConfig.configMapRef"),
            own("kubeConfig.secretRef"),
            own("postBuild.substituteFrom[]"),
            tested(
                "decryption.serviceAccountName",
                "tests/cluster/vault.rs",
                "object_account_logs_in_and_decrypts",
                CLOUD_ACCOUNT,
            ),
            ("Kustomization", "dependsOn[]", Proof::decided(dependencies)),
            tested(
                "healthChecks[]",
                "tests/cluster/promises.rs",
                "requests_for_tenant_objects_are_impersonated",
                "what the account may read",
            ),
            selector(
                "ignore[].target",
                "kubernetes/apply/src/ignore/tests.rs",
                "target_matches_all_of_its_fields",
            ),
            selector(
                "patches[].target",
                "content/kustomize/src/pattern.rs",
                "each_part_of_a_selector_matches_a_whole_text",
            ),
            (
                "Kustomization",
                "serviceAccountName",
                Proof::decided(impersonated),
            ),
            (
                "Kustomization",
                "sourceRef",
                Proof::decided(|is_locked| {
                    reach(reference(is_locked, "apps"), reference(is_locked, "other"))
                }),
            ),
        ],
    );
}
