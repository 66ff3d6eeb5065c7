//! Proofs of the rows of `docs/lockdown.md` about image policies and repositories.

use std::collections::BTreeMap;

use serde_json::json;
use sluice_api::image::ImageRepository;
use sluice_api::meta::{AccessFrom, NamespaceSelector};
use sluice_testkit::lockdown::{self, ACCEPTED, CLOUD_ACCOUNT, Proof, SERVER, reach, walk};

use crate::access::Access;
use crate::args::Args;
use crate::store::Key;

const CONTROLLER: &str = "image-reflector-controller";

/// Whether a policy of the namespace `apps` may read a repository.
fn is_readable(is_locked: bool, namespace: &str, is_listed: bool) -> bool {
    let args: Args = lockdown::arguments(CONTROLLER, is_locked);
    let labels = BTreeMap::from([("team".to_owned(), "apps".to_owned())]);
    let access_from = AccessFrom {
        namespace_selectors: vec![NamespaceSelector {
            match_labels: labels.clone(),
        }],
    };
    let access = Access {
        namespace: "apps",
        labels: &labels,
        repository: &Key {
            namespace: namespace.to_owned(),
            name: "a".to_owned(),
        },
        access_from: is_listed.then_some(&access_from),
        is_blocked: args.no_cross_namespace_refs,
    };
    access.check().is_ok()
}

fn repositories(is_locked: bool) -> String {
    let is_own = is_readable(is_locked, "apps", false);
    match [false, true].map(|is_listed| is_readable(is_locked, "other", is_listed)) {
        [false, true] if is_own => ACCEPTED.to_owned(),
        [unlisted, _] => reach(is_own, unlisted),
    }
}

#[test]
fn rows_of_the_lockdown_hold() {
    let own = |field| {
        let spec = json!({ "image": "ghcr.io/a/b", "interval": "1m" });
        let proof = Proof::typed::<ImageRepository>(spec, field);
        ("ImageRepository", field, proof)
    };
    walk(
        CONTROLLER,
        vec![
            (
                "ImagePolicy",
                "imageRepositoryRef",
                Proof::decided(repositories),
            ),
            own("certSecretRef"),
            (
                "ImageRepository",
                "image",
                Proof::tested(
                    "remotes/oci/tests/it/hostile.rs",
                    "credentials_are_sent_to_registry_only",
                    SERVER,
                ),
            ),
            own("proxySecretRef"),
            own("secretRef"),
            (
                "ImageRepository",
                "serviceAccountName",
                Proof::decided(|is_locked| {
                    let args: Args = lockdown::arguments(CONTROLLER, is_locked);
                    assert_eq!(args.identity.default_service_account, "");
                    CLOUD_ACCOUNT.to_owned()
                }),
            ),
        ],
    );
}
