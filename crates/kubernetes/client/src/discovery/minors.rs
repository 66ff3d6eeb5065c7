//! Discovery documents of three minor versions of Kubernetes.

use super::*;

/// A minor, its groups in the aggregated form, and its core group in the plain one.
const MINORS: [(&str, &str, &str); 3] = [
    (
        "1.34",
        include_str!("../../tests/kubernetes/1.34/apis.json"),
        include_str!("../../tests/kubernetes/1.34/api__v1.json"),
    ),
    (
        "1.35",
        include_str!("../../tests/kubernetes/1.35/apis.json"),
        include_str!("../../tests/kubernetes/1.35/api__v1.json"),
    ),
    (
        "1.36",
        include_str!("../../tests/kubernetes/1.36/apis.json"),
        include_str!("../../tests/kubernetes/1.36/api__v1.json"),
    ),
];

/// Kinds and their paths, in the namespace `a`.
const PATHS: &[(&str, &str, &str)] = &[
    ("v1", "Namespace", "/api/v1/namespaces"),
    ("v1", "ConfigMap", "/api/v1/namespaces/a/configmaps"),
    ("v1", "Secret", "/api/v1/namespaces/a/secrets"),
    ("v1", "Service", "/api/v1/namespaces/a/services"),
    (
        "v1",
        "ServiceAccount",
        "/api/v1/namespaces/a/serviceaccounts",
    ),
    ("v1", "PersistentVolume", "/api/v1/persistentvolumes"),
    (
        "v1",
        "PersistentVolumeClaim",
        "/api/v1/namespaces/a/persistentvolumeclaims",
    ),
    ("v1", "ResourceQuota", "/api/v1/namespaces/a/resourcequotas"),
    ("v1", "LimitRange", "/api/v1/namespaces/a/limitranges"),
    (
        "apps/v1",
        "Deployment",
        "/apis/apps/v1/namespaces/a/deployments",
    ),
    (
        "apps/v1",
        "StatefulSet",
        "/apis/apps/v1/namespaces/a/statefulsets",
    ),
    (
        "apps/v1",
        "DaemonSet",
        "/apis/apps/v1/namespaces/a/daemonsets",
    ),
    ("batch/v1", "Job", "/apis/batch/v1/namespaces/a/jobs"),
    (
        "batch/v1",
        "CronJob",
        "/apis/batch/v1/namespaces/a/cronjobs",
    ),
    (
        "autoscaling/v2",
        "HorizontalPodAutoscaler",
        "/apis/autoscaling/v2/namespaces/a/horizontalpodautoscalers",
    ),
    (
        "policy/v1",
        "PodDisruptionBudget",
        "/apis/policy/v1/namespaces/a/poddisruptionbudgets",
    ),
    (
        "networking.k8s.io/v1",
        "Ingress",
        "/apis/networking.k8s.io/v1/namespaces/a/ingresses",
    ),
    (
        "networking.k8s.io/v1",
        "NetworkPolicy",
        "/apis/networking.k8s.io/v1/namespaces/a/networkpolicies",
    ),
    (
        "networking.k8s.io/v1",
        "IngressClass",
        "/apis/networking.k8s.io/v1/ingressclasses",
    ),
    (
        "rbac.authorization.k8s.io/v1",
        "Role",
        "/apis/rbac.authorization.k8s.io/v1/namespaces/a/roles",
    ),
    (
        "rbac.authorization.k8s.io/v1",
        "ClusterRoleBinding",
        "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings",
    ),
    (
        "storage.k8s.io/v1",
        "StorageClass",
        "/apis/storage.k8s.io/v1/storageclasses",
    ),
    (
        "scheduling.k8s.io/v1",
        "PriorityClass",
        "/apis/scheduling.k8s.io/v1/priorityclasses",
    ),
    (
        "node.k8s.io/v1",
        "RuntimeClass",
        "/apis/node.k8s.io/v1/runtimeclasses",
    ),
    (
        "apiextensions.k8s.io/v1",
        "CustomResourceDefinition",
        "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
    ),
    (
        "admissionregistration.k8s.io/v1",
        "ValidatingWebhookConfiguration",
        "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations",
    ),
    (
        "coordination.k8s.io/v1",
        "Lease",
        "/apis/coordination.k8s.io/v1/namespaces/a/leases",
    ),
];

fn served(groups: &str, core: &str) -> ServedKinds {
    let mut served = ServedKinds::default();
    served.add_plain("", "v1", serde_json::from_str(core).unwrap());
    match read("/apis", groups).unwrap() {
        Root::Aggregated(list) => served.add_aggregated(list),
        _ => panic!("not aggregated"),
    }
    served
}

#[test]
fn common_kinds_have_their_paths_on_every_minor() {
    for (minor, groups, core) in MINORS {
        let served = served(groups, core);
        for &(api_version, kind, path) in PATHS {
            let (group, version) = api_version.split_once('/').unwrap_or(("", api_version));
            let gvk = GroupVersionKind::gvk(group, version, kind);
            let found = served.resource(&gvk);
            let found = found.unwrap_or_else(|| panic!("{minor}: {api_version} {kind}"));
            assert_eq!(found.path(Some("a")).as_deref(), Ok(path), "{minor}");
            for verb in ["get", "list", "watch", "patch", "delete"] {
                assert!(found.supports(verb), "{minor}: {verb} {kind}");
            }
            // A kind without a version is meant in the one that the manifests have.
            let kind = GroupKind {
                group: group.to_owned(),
                kind: kind.to_owned(),
            };
            assert_eq!(served.preferred(&kind), Some(found), "{minor}");
        }
    }
}

#[test]
fn every_served_kind_is_found() {
    for (minor, groups, core) in MINORS {
        let served = served(groups, core);
        let document: serde_json::Value = serde_json::from_str(groups).unwrap();
        let mut count = 0;
        for group in document["items"].as_array().unwrap() {
            let name = group["metadata"]["name"].as_str().unwrap();
            assert!(served.groups.contains(name), "{minor}: {name}");
            for version in group["versions"].as_array().unwrap() {
                let text = version["version"].as_str().unwrap();
                for resource in version["resources"].as_array().unwrap() {
                    let kind = resource["responseKind"]["kind"].as_str().unwrap();
                    let gvk = GroupVersionKind::gvk(name, text, kind);
                    let found = served.resource(&gvk);
                    let found = found.unwrap_or_else(|| panic!("{minor}: {gvk:?}"));
                    let is_namespaced = resource["scope"] == "Namespaced";
                    assert_eq!(found.namespaced, is_namespaced, "{minor}: {gvk:?}");
                    count += 1;
                }
            }
        }
        assert!(count > 50, "{minor}: {count}");
        assert!(served.absent.is_empty(), "{minor}");
    }
}

#[test]
fn removed_version_is_a_missing_kind() {
    for (minor, groups, core) in MINORS {
        let served = served(groups, core);
        for (group, version, kind) in [
            ("extensions", "v1beta1", "Ingress"),
            ("policy", "v1beta1", "PodSecurityPolicy"),
            ("autoscaling", "v2beta2", "HorizontalPodAutoscaler"),
            ("batch", "v1beta1", "CronJob"),
        ] {
            let gvk = GroupVersionKind::gvk(group, version, kind);
            assert!(served.resource(&gvk).is_none(), "{minor}: {gvk:?}");
        }
    }
}
