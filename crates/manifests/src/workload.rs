//! What runs a controller: its `ServiceAccount`, Services and Deployment.

use serde_json::{Map, Value, json};
use sluice_api::meta::label;
use sluice_object::Object;

use crate::{
    Options, common_labels,
    component::{Component, NOTIFICATION_CONTROLLER, SOURCE_WATCHER, Service},
    map, object,
};

/// The path of the store in a controller that has one.
const STORAGE_PATH: &str = "/data";

pub(crate) fn objects(
    component: &Component,
    components: &[&Component],
    options: &Options,
) -> Vec<Object> {
    let mut objects = vec![account(component, options)];
    objects.extend(
        component
            .services
            .iter()
            .map(|service| self::service(service, component, options)),
    );
    objects.push(deployment(component, components, options));
    objects
}

fn account(component: &Component, options: &Options) -> Object {
    Object::new("v1", "ServiceAccount", &options.namespace, component.name)
}

fn service(service: &Service, component: &Component, options: &Options) -> Object {
    object(json!({
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": {
            "labels": { "control-plane": service.control_plane },
            "name": service.name,
            "namespace": options.namespace,
        },
        "spec": {
            "ports": [{ "name": "http", "port": 80, "protocol": "TCP", "targetPort": service.target }],
            "selector": { "app": component.name },
            "type": "ClusterIP",
        },
    }))
}

fn deployment(component: &Component, components: &[&Component], options: &Options) -> Object {
    let mut labels = map([("app", component.name), (label::COMPONENT, component.name)]);
    labels.extend(map(common_labels(options)));
    let mut spec = json!({
        "replicas": 1,
        "selector": { "matchLabels": { "app": component.name } },
        "template": {
            "metadata": {
                "annotations": { "prometheus.io/port": "8080", "prometheus.io/scrape": "true" },
                "labels": labels,
            },
            "spec": pod(component, components, options),
        },
    });
    if component.storage {
        spec["strategy"] = json!({ "type": "Recreate" });
    }
    object(json!({
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {
            "labels": { "control-plane": "controller" },
            "name": component.name,
            "namespace": options.namespace,
        },
        "spec": spec,
    }))
}

fn pod(component: &Component, components: &[&Component], options: &Options) -> Value {
    let volumes = component
        .volumes
        .iter()
        .map(|(name, _)| json!({ "emptyDir": {}, "name": name }));
    let mut pod = json!({
        "containers": [container(component, components, options)],
        "nodeSelector": { "kubernetes.io/os": "linux" },
        // Lets a non-root process read the tokens of workload identity.
        "securityContext": { "fsGroup": 1337 },
        "serviceAccountName": component.name,
        "terminationGracePeriodSeconds": component.grace,
        "volumes": volumes.collect::<Vec<_>>(),
    });
    if component.critical {
        pod["priorityClassName"] = "system-cluster-critical".into();
    }
    if let Some(secret) = &options.image_pull_secret {
        pod["imagePullSecrets"] = json!([{ "name": secret }]);
    }
    if !options.toleration_keys.is_empty() {
        let keys = options.toleration_keys.iter();
        pod["tolerations"] = keys
            .map(|key| json!({ "key": key, "operator": "Exists" }))
            .collect();
    }
    pod
}

fn container(component: &Component, components: &[&Component], options: &Options) -> Value {
    let mut ports: Vec<_> = component
        .ports
        .iter()
        .map(|port| (port.name, port.number))
        .collect();
    ports.extend([("http-prom", 8080), ("healthz", 9440)]);
    let ports = ports
        .into_iter()
        .map(|(name, number)| json!({ "containerPort": number, "name": name, "protocol": "TCP" }));
    let mounts = component
        .volumes
        .iter()
        .map(|(name, path)| json!({ "mountPath": path, "name": name }));
    let (ready_path, ready_port) = if component.storage {
        ("/", "http")
    } else {
        ("/readyz", "healthz")
    };
    json!({
        "args": arguments(component, components, options),
        "env": environment(component),
        "image": options.images.of(component),
        "imagePullPolicy": "IfNotPresent",
        "livenessProbe": { "httpGet": { "path": "/healthz", "port": "healthz" } },
        "name": "manager",
        "ports": ports.collect::<Vec<_>>(),
        "readinessProbe": { "httpGet": { "path": ready_path, "port": ready_port } },
        "resources": {
            "limits": { "cpu": "1000m", "memory": "1Gi" },
            "requests": { "cpu": component.cpu, "memory": "64Mi" },
        },
        "securityContext": {
            "allowPrivilegeEscalation": false,
            "capabilities": { "drop": ["ALL"] },
            "readOnlyRootFilesystem": true,
            "runAsNonRoot": true,
            "seccompProfile": { "type": "RuntimeDefault" },
        },
        "volumeMounts": mounts.collect::<Vec<_>>(),
    })
}

/// The flags of a controller. Users patch them by position, so the order is fixed.
fn arguments(component: &Component, components: &[&Component], options: &Options) -> Vec<String> {
    let domain = &options.cluster_domain;
    let selected = |name| components.iter().any(|component| component.name == name);
    let mut arguments = Vec::new();
    if component.name != NOTIFICATION_CONTROLLER {
        // Without someone to tell, the flag stays and is empty: its position counts.
        let address = if selected(NOTIFICATION_CONTROLLER) {
            format!("http://{NOTIFICATION_CONTROLLER}.$(RUNTIME_NAMESPACE).svc.{domain}./")
        } else {
            String::new()
        };
        arguments.push(format!("--events-addr={address}"));
    }
    arguments.push(format!(
        "--watch-all-namespaces={}",
        options.watch_all_namespaces
    ));
    arguments.push(format!("--log-level={}", options.log_level));
    arguments.push("--log-encoding=json".to_owned());
    arguments.push("--enable-leader-election".to_owned());
    if component.storage {
        arguments.push(format!("--storage-path={STORAGE_PATH}"));
        arguments.push(format!(
            "--storage-adv-addr={}.$(RUNTIME_NAMESPACE).svc.{domain}.",
            component.name
        ));
    }
    if component.consumes_external_artifacts && selected(SOURCE_WATCHER) {
        arguments.push("--feature-gates=ExternalArtifact=true".to_owned());
    }
    arguments
}

fn environment(component: &Component) -> Vec<Value> {
    let variable = |name: &str, source: Value| {
        Map::from_iter([
            ("name".to_owned(), name.into()),
            ("valueFrom".to_owned(), source),
        ])
    };
    let mut environment = vec![Value::from(variable(
        "RUNTIME_NAMESPACE",
        json!({ "fieldRef": { "fieldPath": "metadata.namespace" } }),
    ))];
    let own = component.environment.iter();
    environment.extend(own.map(|(name, value)| json!({ "name": name, "value": value })));
    // Named for Go's runtime; ours takes it as its memory budget.
    environment.push(Value::from(variable(
        "GOMEMLIMIT",
        json!({ "resourceFieldRef": { "containerName": "manager", "resource": "limits.memory" } }),
    )));
    environment
}
