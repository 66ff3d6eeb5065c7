//! Counts the objects of each kind and the storage of their artifacts.

use serde_json::Value;
use sluice_object::Object;

use crate::fields::at;
use crate::kinds::is_suspended;

/// The counted kinds, in the order of Flux's `stats`.
pub const KINDS: [&str; 13] = [
    "GitRepository",
    "OCIRepository",
    "HelmRepository",
    "HelmChart",
    "Bucket",
    "Kustomization",
    "HelmRelease",
    "Alert",
    "Provider",
    "Receiver",
    "ImageUpdateAutomation",
    "ImagePolicy",
    "ImageRepository",
];

/// Totals of the objects of a kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Objects that are not suspended.
    pub running: usize,
    /// Objects whose condition `Ready` is false.
    pub failing: usize,
    /// Suspended objects.
    pub suspended: usize,
    /// Bytes of their artifacts.
    pub bytes: u64,
}

impl Stats {
    /// Counts objects.
    pub fn of(objects: &[Object]) -> Self {
        let mut stats = Self::default();
        for object in objects {
            if is_suspended(object) {
                stats.suspended += 1;
            } else {
                stats.running += 1;
            }
            let conditions = at(object, "/status/conditions").and_then(Value::as_array);
            stats.failing += conditions
                .into_iter()
                .flatten()
                .filter(|condition| condition["type"] == "Ready" && condition["status"] == "False")
                .count();
            stats.bytes += at(object, "/status/artifact/size")
                .and_then(Value::as_u64)
                .unwrap_or_default();
        }
        stats
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn suspended_object_counts_as_failing() {
        let object = |body: Value| -> Object {
            let mut value = json!({"apiVersion": "v1", "kind": "A", "metadata": {"name": "a"}});
            value
                .as_object_mut()
                .unwrap()
                .extend(body.as_object().unwrap().clone());
            serde_json::from_value(value).unwrap()
        };
        let failing =
            json!([{"type": "Ready", "status": "False"}, {"type": "Stalled", "status": "False"}]);
        let stats = Stats::of(&[
            object(json!({"spec": {"suspend": true}, "status": {"conditions": failing}})),
            object(json!({"status": {"artifact": {"size": 10}}})),
            object(json!({"status": {"artifact": {"size": 5}}})),
        ]);
        let expected = Stats {
            running: 2,
            failing: 1,
            suspended: 1,
            bytes: 15,
        };
        assert_eq!(stats, expected);
    }
}
