//! Proof of the row of `docs/lockdown.md` about artifact generators.

use serde_json::json;
use sluice_api::source_watcher::ArtifactGenerator;
use sluice_testkit::lockdown::{self, Proof, reach, walk};

use crate::args::{Args, NAME};
use crate::artifact_generator::allows_sources;

#[test]
fn rows_of_the_lockdown_hold() {
    let sources = Proof::decided(|is_locked| {
        let args: Args = lockdown::arguments(NAME, is_locked);
        let [own, other] = ["apps", "other"].map(|namespace| {
            let generator: ArtifactGenerator = serde_json::from_value(json!({
                "apiVersion": "source.extensions.fluxcd.io/v1beta1", "kind": "ArtifactGenerator",
                "metadata": { "name": "a", "namespace": "apps" },
                "spec": {
                    "sources": [{
                        "alias": "a", "kind": "GitRepository", "name": "a", "namespace": namespace,
                    }],
                    "artifacts": [],
                },
            }))
            .unwrap();
            allows_sources(&generator, args.no_cross_namespace_refs)
        });
        reach(own, other)
    });
    walk(
        "source-watcher",
        vec![("ArtifactGenerator", "sources[]", sources)],
    );
}
