//! Checks that the fields of the rules exist in the recorded schemas of three Kubernetes minors.

use serde_json::Value;

const MINORS: [(&str, &str); 3] = [
    (
        "1.34",
        include_str!("../../../../client/tests/kubernetes/1.34/schema.json"),
    ),
    (
        "1.35",
        include_str!("../../../../client/tests/kubernetes/1.35/schema.json"),
    ),
    (
        "1.36",
        include_str!("../../../../client/tests/kubernetes/1.36/schema.json"),
    ),
];

#[test]
fn fields_of_the_rules_exist_in_every_minor() {
    for (minor, schema) in MINORS {
        let schema: Value = serde_json::from_str(schema).expect("JSON");
        for (kind, spec, status) in [
            (
                "apps/v1 Deployment",
                &["replicas", "progressDeadlineSeconds"][..],
                &[
                    "observedGeneration",
                    "conditions",
                    "replicas",
                    "updatedReplicas",
                    "availableReplicas",
                    "readyReplicas",
                ][..],
            ),
            (
                "apps/v1 StatefulSet",
                &["replicas", "updateStrategy"],
                &[
                    "observedGeneration",
                    "replicas",
                    "readyReplicas",
                    "currentReplicas",
                    "updatedReplicas",
                    "currentRevision",
                    "updateRevision",
                ],
            ),
            (
                "apps/v1 DaemonSet",
                &[],
                &[
                    "observedGeneration",
                    "desiredNumberScheduled",
                    "currentNumberScheduled",
                    "updatedNumberScheduled",
                    "numberAvailable",
                    "numberReady",
                ],
            ),
            (
                "apps/v1 ReplicaSet",
                &["replicas"],
                &[
                    "observedGeneration",
                    "conditions",
                    "fullyLabeledReplicas",
                    "availableReplicas",
                    "readyReplicas",
                    "replicas",
                ],
            ),
            ("v1 Pod", &[], &["phase", "conditions", "containerStatuses"]),
            (
                "batch/v1 Job",
                &[
                    "suspend",
                    "parallelism",
                    "completions",
                    "ttlSecondsAfterFinished",
                ],
                &["active", "succeeded", "failed", "startTime", "conditions"],
            ),
            ("v1 PersistentVolumeClaim", &[], &["phase"]),
            ("v1 Service", &["type", "clusterIP"], &[]),
        ] {
            for (part, fields) in [("spec", spec), ("status", status)] {
                let known = schema["kinds"][kind][part].as_array().expect("fields");
                for field in fields {
                    assert!(
                        known.iter().any(|known| known == field),
                        "{minor}: {kind} has no {part}.{field}"
                    );
                }
            }
        }
    }
}
