//! Proofs of the rows of `docs/lockdown.md` about image update automations.

use serde_json::json;
use sluice_api::image::ImageUpdateAutomation;
use sluice_engine::ObjectKey;
use sluice_testkit::lockdown::{self, NOTHING, Proof, reach, walk};

use super::super::observe::check_access;
use crate::args::Args;

const CONTROLLER: &str = "image-automation-controller";

#[test]
fn rows_of_the_lockdown_hold() {
    let spec = json!({
        "interval": "1m", "sourceRef": { "kind": "GitRepository", "name": "a" },
        "git": { "commit": { "author": { "email": "a@b" }, "signingKey": {} } },
    });
    walk(
        CONTROLLER,
        vec![
            (
                "ImageUpdateAutomation",
                "git.checkout.ref",
                Proof::tested(
                    "controllers/image-automation/tests/cluster/pushes.rs",
                    "new_image_becomes_commit_on_same_branch",
                    NOTHING,
                ),
            ),
            (
                "ImageUpdateAutomation",
                "git.commit.signingKey.secretRef",
                Proof::typed::<ImageUpdateAutomation>(spec, "git.commit.signingKey.secretRef"),
            ),
            (
                "ImageUpdateAutomation",
                "sourceRef",
                Proof::decided(|is_locked| {
                    let args: Args = lockdown::arguments(CONTROLLER, is_locked);
                    let is_allowed = |namespace: &str| {
                        let source = ObjectKey::new(namespace, "a");
                        check_access(args.no_cross_namespace_refs, "apps", &source).is_ok()
                    };
                    reach(is_allowed("apps"), is_allowed("other"))
                }),
            ),
        ],
    );
}
