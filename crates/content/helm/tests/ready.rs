//! The readiness rules of Helm 3 beside those of Helm's packages.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "oracle/questions.rs"]
mod questions;

use questions::vectors;
use sluice_chart::values::Json;
use sluice_helm::wait::legacy::{RelatedObjects, is_ready};
use sluice_object::Object;

fn objects(vector: &Json) -> Vec<Object> {
    let objects = vector["objects"].as_array().unwrap().iter();
    let objects = objects.map(|object| Object::from_map(object.as_object().unwrap().clone()));
    objects.collect()
}

#[test]
fn legacy_rules_are_those_of_helm() {
    let mut count = 0;
    for vector in vectors("ready") {
        let objects = objects(&vector);
        let (object, others) = objects.split_first().unwrap();
        let of_kind = |kind: &str| -> Vec<Object> {
            let others = others.iter().filter(|object| object.kind() == kind);
            others.cloned().collect()
        };
        let (replica_sets, pods) = (of_kind("ReplicaSet"), of_kind("Pod"));
        let related = RelatedObjects {
            replica_sets: &replica_sets,
            pods: &pods,
        };
        let ours = is_ready(object, related, vector["jobs"] == true);
        match vector["error"].as_str() {
            Some(error) => assert_eq!(ours.unwrap_err(), error, "{vector}"),
            None => assert_eq!(ours.unwrap().to_string(), vector["result"], "{vector}"),
        }
        count += 1;
    }
    assert!(count >= 80, "{count}");
}
