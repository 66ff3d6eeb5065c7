//! The table of components: one row per controller, with all that tells it apart.
//!
//! Parity: fluxcd/flux2: manifests/bases, and config/manager of each controller.

/// What there is to know of a controller to run it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Component {
    /// The name of the controller, its Deployment, `ServiceAccount` and image.
    pub name: &'static str,
    /// Whether we have it; if not, Flux's own runs in its place.
    pub available: bool,
    /// Whether Flux installs it unless told otherwise.
    pub default: bool,
    /// The tag of Flux's own image.
    pub flux_tag: &'static str,
    /// Whether it keeps artifacts, and serves them over HTTP.
    ///
    /// Two pods must not write one store, so such a Deployment is not rolled
    /// but stopped and started anew; it is ready when its file server answers.
    pub(crate) storage: bool,
    /// Whether the cluster should rather lose other pods.
    pub(crate) critical: bool,
    /// Ports besides metrics and health.
    pub(crate) ports: &'static [Port],
    /// What other pods reach it by.
    pub(crate) services: &'static [Service],
    /// The CPU that it asks for.
    pub(crate) cpu: &'static str,
    /// How long it may take to end, in seconds.
    pub(crate) grace: u32,
    /// Environment besides what all have.
    pub(crate) environment: &'static [(&'static str, &'static str)],
    /// Scratch space: the name of a volume and where it is mounted.
    pub(crate) volumes: &'static [(&'static str, &'static str)],
    /// Whether it can consume artifacts that another controller made.
    pub(crate) consumes_external_artifacts: bool,
    /// The flags that keep tenants apart, as Flux's guide to multi-tenancy has them.
    pub(crate) lockdown: &'static [&'static str],
}

/// A port of a container.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Port {
    pub(crate) name: &'static str,
    pub(crate) number: u16,
}

/// A Service on port 80.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Service {
    pub(crate) name: &'static str,
    /// The name of the port of the container.
    pub(crate) target: &'static str,
    /// The label that kustomize's scaffolding left behind, and tools select by.
    pub(crate) control_plane: &'static str,
}

const HTTP: Port = Port {
    name: "http",
    number: 9090,
};

const NO_CROSS_NAMESPACE: &str = "--no-cross-namespace-refs=true";
const DEFAULT_ACCOUNT: &str = "--default-service-account=default";

/// Every component of Flux, in the order they are installed.
pub const COMPONENTS: &[Component] = &[
    Component {
        name: "source-controller",
        available: true,
        default: true,
        flux_tag: "v1.9.4",
        storage: true,
        critical: true,
        ports: &[HTTP],
        services: &[Service {
            name: "source-controller",
            target: "http",
            control_plane: "controller",
        }],
        cpu: "50m",
        grace: 10,
        environment: &[("TUF_ROOT", "/tmp/.sigstore")],
        volumes: &[("data", "/data"), ("tmp", "/tmp")],
        consumes_external_artifacts: false,
        lockdown: &[],
    },
    Component {
        name: "kustomize-controller",
        available: true,
        default: true,
        flux_tag: "v1.9.4",
        storage: false,
        critical: true,
        ports: &[],
        services: &[],
        cpu: "100m",
        grace: 60,
        environment: &[],
        volumes: &[("temp", "/tmp")],
        consumes_external_artifacts: true,
        lockdown: &[
            NO_CROSS_NAMESPACE,
            "--no-remote-bases=true",
            DEFAULT_ACCOUNT,
        ],
    },
    Component {
        name: "helm-controller",
        available: false,
        default: true,
        flux_tag: "v1.6.3",
        storage: false,
        critical: true,
        ports: &[],
        services: &[],
        cpu: "100m",
        grace: 600,
        environment: &[],
        volumes: &[("temp", "/tmp")],
        consumes_external_artifacts: true,
        lockdown: &[NO_CROSS_NAMESPACE, DEFAULT_ACCOUNT],
    },
    Component {
        name: "notification-controller",
        available: false,
        default: true,
        flux_tag: "v1.9.3",
        storage: false,
        critical: false,
        ports: &[
            HTTP,
            Port {
                name: "http-webhook",
                number: 9292,
            },
        ],
        services: &[
            Service {
                name: "notification-controller",
                target: "http",
                control_plane: "controller",
            },
            Service {
                name: "webhook-receiver",
                target: "http-webhook",
                control_plane: "controller",
            },
        ],
        cpu: "100m",
        grace: 10,
        environment: &[],
        volumes: &[("temp", "/tmp")],
        consumes_external_artifacts: false,
        lockdown: &[NO_CROSS_NAMESPACE],
    },
    Component {
        name: "image-reflector-controller",
        available: false,
        default: false,
        flux_tag: "v1.2.4",
        storage: false,
        critical: false,
        ports: &[],
        services: &[],
        cpu: "100m",
        grace: 10,
        environment: &[],
        volumes: &[("temp", "/tmp"), ("data", "/data")],
        consumes_external_artifacts: false,
        lockdown: &[NO_CROSS_NAMESPACE],
    },
    Component {
        name: "image-automation-controller",
        available: false,
        default: false,
        flux_tag: "v1.2.4",
        storage: false,
        critical: false,
        ports: &[],
        services: &[],
        cpu: "100m",
        grace: 10,
        environment: &[],
        volumes: &[("temp", "/tmp")],
        consumes_external_artifacts: false,
        lockdown: &[NO_CROSS_NAMESPACE],
    },
    Component {
        name: SOURCE_WATCHER,
        available: false,
        default: false,
        flux_tag: "v2.2.3",
        storage: true,
        critical: true,
        ports: &[HTTP],
        services: &[Service {
            name: "source-watcher",
            target: "http",
            control_plane: "source-watcher",
        }],
        cpu: "50m",
        grace: 10,
        environment: &[],
        volumes: &[("data", "/data"), ("tmp", "/tmp")],
        consumes_external_artifacts: false,
        lockdown: &[],
    },
];

/// The component that is told of events.
pub(crate) const NOTIFICATION_CONTROLLER: &str = "notification-controller";

/// The component that makes external artifacts.
pub(crate) const SOURCE_WATCHER: &str = "source-watcher";

impl Component {
    /// Finds a component by its name.
    pub fn find(name: &str) -> Option<&'static Self> {
        COMPONENTS.iter().find(|component| component.name == name)
    }
}

/// Lists the names of all components.
pub(crate) fn names() -> String {
    let names = COMPONENTS.iter().map(|component| component.name);
    names.collect::<Vec<_>>().join(", ")
}
