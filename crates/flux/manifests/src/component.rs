//! The table of components, with one row per controller.
//!
//! Parity: fluxcd/flux2: manifests/bases, and config/manager of each controller.

/// The properties of a controller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Component {
    /// Name of the controller, its Deployment, `ServiceAccount` and image.
    pub name: &'static str,
    /// Whether Flux installs it by default.
    pub default: bool,
    /// Tag of Flux's image.
    pub flux_tag: &'static str,
    /// Whether it stores artifacts and serves them over HTTP.
    ///
    /// Two Pods must not write to one volume, so the Deployment uses the strategy `Recreate`. It is
    /// ready when its file server responds.
    pub(crate) storage: bool,
    /// Whether the Pod has a critical priority class.
    pub(crate) critical: bool,
    /// Ports in addition to metrics and health.
    pub(crate) ports: &'static [Port],
    /// Services of the controller.
    pub(crate) services: &'static [Service],
    /// CPU request.
    pub(crate) cpu: &'static str,
    /// Termination grace period in seconds.
    pub(crate) grace: u32,
    /// Environment variables in addition to the common ones.
    pub(crate) environment: &'static [(&'static str, &'static str)],
    /// Temporary volumes with their mount paths.
    pub(crate) volumes: &'static [(&'static str, &'static str)],
    /// Whether it can consume artifacts of other controllers.
    pub(crate) consumes_external_artifacts: bool,
    /// Flags of Flux's multi-tenancy lockdown.
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
    /// Port name of the container.
    pub(crate) target: &'static str,
    /// Value of the label `control-plane`, which some tools select by.
    pub(crate) control_plane: &'static str,
}

pub(crate) const HTTP: Port = Port {
    name: "http",
    number: 9090,
};

const NO_CROSS_NAMESPACE: &str = "--no-cross-namespace-refs=true";
const DEFAULT_ACCOUNT: &str = "--default-service-account=default";

/// Every component of Flux in installation order.
pub const COMPONENTS: &[Component] = &[
    Component {
        name: "source-controller",
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
        name: IMAGE_REFLECTOR_CONTROLLER,
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
        lockdown: &[NO_CROSS_NAMESPACE],
    },
];

/// The flags that `--multi-tenant` gives to a controller.
pub fn lockdown_flags(controller: &str) -> &'static [&'static str] {
    let component = COMPONENTS
        .iter()
        .find(|component| component.name == controller);
    component.map_or(&[], |component| component.lockdown)
}

/// The component that receives events.
pub(crate) const NOTIFICATION_CONTROLLER: &str = "notification-controller";

/// The component that stores tags of images.
pub(crate) const IMAGE_REFLECTOR_CONTROLLER: &str = "image-reflector-controller";

/// The component that creates external artifacts.
pub(crate) const SOURCE_WATCHER: &str = "source-watcher";

impl Component {
    /// Returns the component of a name.
    pub fn find(name: &str) -> Option<&'static Self> {
        COMPONENTS.iter().find(|component| component.name == name)
    }
}

/// Returns the names of all components.
pub(crate) fn names() -> String {
    let names = COMPONENTS.iter().map(|component| component.name);
    names.collect::<Vec<_>>().join(", ")
}
