//! `ServiceAccount`, Services and Deployment of a controller, or of all sluice controllers.

use serde_json::{Map, Value, json};
use sluice_api::meta::label;
use sluice_object::Object;

use crate::{
    Options, SINGLE, common_labels,
    component::{
        COMPONENTS, Component, HTTP, IMAGE_REFLECTOR_CONTROLLER, NOTIFICATION_CONTROLLER, Port,
        SOURCE_WATCHER, Service,
    },
    map, object,
};

/// Port of the event server in a process with the artifact server, which has the same port in Flux.
const SINGLE_EVENTS: Port = Port {
    name: "http-events",
    number: 9091,
};
/// Port of the generated artifacts in a process with the artifact server.
const SINGLE_GENERATED: Port = Port {
    name: "http-generated",
    number: 9092,
};
/// Volume of the tags in a process with the artifact server, which has the same path in Flux.
const SINGLE_TAGS: (&str, &str) = ("tags", "/tags");
/// Mount path of the artifact storage.
const STORAGE_PATH: &str = "/data";

/// A process with one or more controllers.
struct Process {
    name: &'static str,
    image: String,
    arguments: Vec<String>,
    storage: bool,
    critical: bool,
    ports: Vec<Port>,
    cpu: &'static str,
    grace: u32,
    environment: Vec<(&'static str, &'static str)>,
    /// Temporary volumes with their mount paths.
    volumes: Vec<(&'static str, &'static str)>,
}

impl Process {
    fn of(component: &Component, components: &[&Component], options: &Options) -> Self {
        let mut arguments = shared(
            component.name != NOTIFICATION_CONTROLLER,
            components,
            options,
        );
        arguments.extend(own(component, components, options));
        Self {
            name: component.name,
            image: options.images.of(component),
            arguments,
            storage: component.storage,
            critical: component.critical,
            ports: component.ports.to_vec(),
            cpu: component.cpu,
            grace: component.grace,
            environment: component.environment.to_vec(),
            volumes: component.volumes.to_vec(),
        }
    }

    /// Combines the requirements of several controllers.
    fn single(components: &[&Component], options: &Options) -> Self {
        let mut arguments = vec!["controller".to_owned(), "all".to_owned()];
        arguments.extend(shared(true, components, options));
        for component in components {
            let own = own(component, components, options);
            arguments.extend(
                own.iter()
                    .map(|flag| format!("--{}.{}", component.name, flag.trim_start_matches("--"))),
            );
            if component.name == NOTIFICATION_CONTROLLER {
                let port = SINGLE_EVENTS.number;
                arguments.push(format!("--{NOTIFICATION_CONTROLLER}.events-addr=:{port}"));
            }
            if component.name == IMAGE_REFLECTOR_CONTROLLER {
                let (_, path) = SINGLE_TAGS;
                arguments.push(format!("--{}.storage-path={path}", component.name));
            }
            if component.name == SOURCE_WATCHER {
                let port = SINGLE_GENERATED.number;
                arguments.push(format!("--{SOURCE_WATCHER}.storage-addr=:{port}"));
            }
        }
        for component in COMPONENTS {
            if !is_selected(component.name, components) {
                arguments.push(format!("--without={}", component.name));
            }
        }
        let mut volumes: Vec<(&str, &str)> = Vec::new();
        for component in components {
            for volume in component.volumes {
                let is_tags =
                    component.name == IMAGE_REFLECTOR_CONTROLLER && volume.1 == STORAGE_PATH;
                let volume = if is_tags { SINGLE_TAGS } else { *volume };
                if !volumes.iter().any(|(_, path)| *path == volume.1) {
                    volumes.push(volume);
                }
            }
        }
        let mut ports: Vec<Port> = Vec::new();
        for component in components {
            for port in component.ports {
                let port = single_port(component, port.name).unwrap_or(*port);
                if !ports.contains(&port) {
                    ports.push(port);
                }
            }
        }
        let environment = components
            .iter()
            .flat_map(|component| component.environment);
        let grace = components.iter().map(|component| component.grace);
        Self {
            name: SINGLE,
            image: options.images.single(),
            arguments,
            storage: components.iter().any(|component| component.storage),
            critical: components.iter().any(|component| component.critical),
            ports,
            cpu: "100m",
            grace: grace.max().unwrap_or_default(),
            environment: environment.copied().collect(),
            volumes,
        }
    }
}

pub(crate) fn objects(
    component: &Component,
    components: &[&Component],
    options: &Options,
) -> Vec<Object> {
    let mut objects = vec![account(component.name, options)];
    objects.extend(services(component, component.name, options));
    objects.push(deployment(
        &Process::of(component, components, options),
        options,
    ));
    objects
}

/// Returns the Deployment of all sluice controllers with its account.
pub(crate) fn single(components: &[&Component], options: &Options) -> Vec<Object> {
    let process = Process::single(components, options);
    vec![account(SINGLE, options), deployment(&process, options)]
}

/// Returns the Services of a component in any topology. The artifact addresses in the status of
/// objects must stay valid.
pub(crate) fn services(component: &Component, app: &str, options: &Options) -> Vec<Object> {
    let services = component.services.iter();
    services
        .map(|service| {
            let port = single_port(component, service.target).filter(|_| app == SINGLE);
            let target = port.map_or(service.target, |port| port.name);
            self::service(service, target, app, options)
        })
        .collect()
}

/// Returns the port of a server that shares its process with the artifact server, whose port it has
/// in Flux.
fn single_port(component: &Component, port: &str) -> Option<Port> {
    match component.name {
        NOTIFICATION_CONTROLLER if port == HTTP.name => Some(SINGLE_EVENTS),
        SOURCE_WATCHER if port == HTTP.name => Some(SINGLE_GENERATED),
        _ => None,
    }
}

fn account(name: &str, options: &Options) -> Object {
    Object::new("v1", "ServiceAccount", &options.namespace, name)
}

fn service(service: &Service, target: &str, app: &str, options: &Options) -> Object {
    object(json!({
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": {
            "labels": { "control-plane": service.control_plane },
            "name": service.name,
            "namespace": options.namespace,
        },
        "spec": {
            "ports": [{ "name": "http", "port": 80, "protocol": "TCP", "targetPort": target }],
            "selector": { "app": app },
            "type": "ClusterIP",
        },
    }))
}

fn deployment(process: &Process, options: &Options) -> Object {
    let mut labels = map([("app", process.name), (label::COMPONENT, process.name)]);
    labels.extend(map(common_labels(options)));
    let mut spec = json!({
        "replicas": 1,
        "selector": { "matchLabels": { "app": process.name } },
        "template": {
            "metadata": {
                "annotations": { "prometheus.io/port": "8080", "prometheus.io/scrape": "true" },
                "labels": labels,
            },
            "spec": pod(process, options),
        },
    });
    if process.storage {
        spec["strategy"] = json!({ "type": "Recreate" });
    }
    object(json!({
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {
            "labels": { "control-plane": "controller" },
            "name": process.name,
            "namespace": options.namespace,
        },
        "spec": spec,
    }))
}

fn pod(process: &Process, options: &Options) -> Value {
    let volumes = process
        .volumes
        .iter()
        .map(|(name, _)| json!({ "emptyDir": {}, "name": name }));
    let mut pod = json!({
        "containers": [container(process)],
        "nodeSelector": { "kubernetes.io/os": "linux" },
        // A non-root process must read the tokens of workload identity.
        "securityContext": { "fsGroup": 1337 },
        "serviceAccountName": process.name,
        "terminationGracePeriodSeconds": process.grace,
        "volumes": volumes.collect::<Vec<_>>(),
    });
    if process.critical {
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

fn container(process: &Process) -> Value {
    let mut ports: Vec<_> = process
        .ports
        .iter()
        .map(|port| (port.name, port.number))
        .collect();
    ports.extend([("http-prom", 8080), ("healthz", 9440)]);
    let ports = ports
        .into_iter()
        .map(|(name, number)| json!({ "containerPort": number, "name": name, "protocol": "TCP" }));
    let mounts = process
        .volumes
        .iter()
        .map(|(name, path)| json!({ "mountPath": path, "name": name }));
    let (ready_path, ready_port) = if process.storage {
        ("/", "http")
    } else {
        ("/readyz", "healthz")
    };
    json!({
        "args": process.arguments,
        "env": environment(process),
        "image": process.image,
        "imagePullPolicy": "IfNotPresent",
        "livenessProbe": { "httpGet": { "path": "/healthz", "port": "healthz" } },
        "name": "manager",
        "ports": ports.collect::<Vec<_>>(),
        "readinessProbe": { "httpGet": { "path": ready_path, "port": ready_port } },
        "resources": {
            "limits": { "cpu": "1000m", "memory": "1Gi" },
            "requests": { "cpu": process.cpu, "memory": "64Mi" },
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

/// Returns the common flags. Users patch them by position, so the order is fixed.
fn shared(sends_events: bool, components: &[&Component], options: &Options) -> Vec<String> {
    let domain = &options.cluster_domain;
    let mut arguments = Vec::new();
    if sends_events {
        // Without notification-controller the flag stays with an empty value, because its position
        // matters.
        let address = if is_selected(NOTIFICATION_CONTROLLER, components) {
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
    arguments
}

/// Returns the flags of a controller, which follow the common ones.
fn own(component: &Component, components: &[&Component], options: &Options) -> Vec<String> {
    let domain = &options.cluster_domain;
    let mut arguments = Vec::new();
    if component.storage {
        arguments.push(format!("--storage-path={STORAGE_PATH}"));
        arguments.push(format!(
            "--storage-adv-addr={}.$(RUNTIME_NAMESPACE).svc.{domain}.",
            component.name
        ));
    }
    if component.consumes_external_artifacts && is_selected(SOURCE_WATCHER, components) {
        arguments.push("--feature-gates=ExternalArtifact=true".to_owned());
    }
    if options.multi_tenant {
        arguments.extend(component.lockdown.iter().map(|flag| (*flag).to_owned()));
    }
    arguments
}

fn is_selected(name: &str, components: &[&Component]) -> bool {
    components.iter().any(|component| component.name == name)
}

fn environment(process: &Process) -> Vec<Value> {
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
    let own = process.environment.iter();
    environment.extend(own.map(|(name, value)| json!({ "name": name, "value": value })));
    // The variable belongs to Go's runtime. sluice uses it as its memory budget.
    environment.push(Value::from(variable(
        "GOMEMLIMIT",
        json!({ "resourceFieldRef": { "containerName": "manager", "resource": "limits.memory" } }),
    )));
    environment
}
