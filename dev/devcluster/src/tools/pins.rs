//! Pinned Go modules of the tools.

use std::time::Duration;

/// A program that a development cluster or tests run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Tool {
    /// Store of the API server.
    Etcd,
    /// The API server.
    KubeApiserver,
    /// Namespace deletion, garbage collection, workloads.
    KubeControllerManager,
    /// Assigns pods to nodes.
    KubeScheduler,
    /// The command line client, for differential tests and by hand.
    Kubectl,
    /// The node agent (tier 2).
    Kubelet,
    /// Services on a real node (tier 2).
    KubeProxy,
    /// A fake node.
    Kwok,
    /// Cluster DNS (tier 2).
    Coredns,
    /// The reference for the kustomize crate.
    Kustomize,
    /// The OCI registry.
    Registry,
    /// The reference for the sops crate.
    Sops,
    /// A secret store with a transit engine.
    Vault,
    /// Prints the test vectors of the age specification.
    AgeVectors,
    /// Holds the namespaces of a pod (tier 2).
    Pause,
    /// An S3 object store.
    Versitygw,
    /// A Git host with an API, built on demand: see [`Tool::ON_DEMAND`].
    Gitea,
    /// A message broker, built on demand.
    NatsServer,
}

/// The source of a tool, which determines the binary.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Pin {
    /// Our own module that requires the real one. `go install M@V` rejects modules that replace
    /// dependencies.
    Module {
        slug: &'static str,
        version: &'static str,
        go_mod: &'static str,
        go_sum: &'static str,
        /// The Go file that imports or contains the program.
        source: (&'static str, &'static str),
        /// Replacements of modules, in the form of Go's `txtar`.
        stand_ins: Option<&'static str>,
        /// Linker flags besides `-s -w`.
        linker_flags: &'static str,
    },
    /// `go install PACKAGE@VERSION`.
    Install {
        slug: &'static str,
        package: &'static str,
        version: &'static str,
    },
}

const KUBERNETES: Pin = Pin::Module {
    slug: "kubernetes",
    version: "v1.36.3",
    go_mod: include_str!("../../tools/kubernetes/go.mod"),
    go_sum: include_str!("../../tools/kubernetes/go.sum"),
    source: ("tools.go", include_str!("../../tools/kubernetes/tools.go")),
    stand_ins: None,
    // Without these the server reports v0.0.0, and version checks fail.
    linker_flags: "-X k8s.io/component-base/version.gitVersion=v1.36.3 \
                   -X k8s.io/component-base/version.gitMajor=1 \
                   -X k8s.io/component-base/version.gitMinor=36",
};

const ETCD: Pin = Pin::Module {
    slug: "etcd",
    version: "v3.7.3",
    go_mod: include_str!("../../tools/etcd/go.mod"),
    go_sum: include_str!("../../tools/etcd/go.sum"),
    source: ("tools.go", include_str!("../../tools/etcd/tools.go")),
    stand_ins: None,
    linker_flags: "",
};

const PAUSE: Pin = Pin::Module {
    slug: "pause",
    version: "v1",
    go_mod: include_str!("../../tools/pause/go.mod"),
    go_sum: "",
    source: ("main.go", include_str!("../../tools/pause/main.go")),
    stand_ins: None,
    linker_flags: "",
};

const AGE_VECTORS: Pin = Pin::Module {
    slug: "age-vectors",
    version: "v0.0.0-20251208015420-e9274a7bdbfd",
    go_mod: include_str!("../../tools/age-vectors/go.mod"),
    go_sum: include_str!("../../tools/age-vectors/go.sum"),
    source: ("main.go", include_str!("../../tools/age-vectors/main.go")),
    stand_ins: None,
    linker_flags: "",
};

const VAULT: Pin = Pin::Module {
    slug: "vault",
    version: "v1.21.0",
    go_mod: include_str!("../../tools/vault/go.mod"),
    go_sum: include_str!("../../tools/vault/go.sum"),
    source: ("main.go", include_str!("../../tools/vault/main.go")),
    stand_ins: Some(include_str!("../../tools/vault/absent.txtar")),
    linker_flags: "",
};

/// The last version whose dependencies are available from every module proxy.
const GITEA: Pin = Pin::Module {
    slug: "gitea",
    version: "v1.26.0",
    go_mod: include_str!("../../tools/gitea/go.mod"),
    go_sum: include_str!("../../tools/gitea/go.sum"),
    source: ("main.go", include_str!("../../tools/gitea/main.go")),
    stand_ins: None,
    linker_flags: "",
};

/// Contains the server's run-time files.
pub(crate) const GITEA_MODULE: &str = "code.gitea.io/gitea@v1.26.0";

const SOPS: Pin = Pin::Install {
    slug: "sops",
    package: "github.com/getsops/sops/v3/cmd/sops",
    version: "v3.13.3",
};

/// The root module, which also contains the Stage documents.
pub(crate) const KWOK_MODULE: &str = "sigs.k8s.io/kwok@v0.8.0";

const KWOK: Pin = Pin::Install {
    slug: "kwok",
    package: "sigs.k8s.io/kwok/cmd/kwok",
    version: "v0.8.0",
};

const COREDNS: Pin = Pin::Install {
    slug: "coredns",
    package: "github.com/coredns/coredns",
    version: "v1.14.7",
};

const KUSTOMIZE: Pin = Pin::Install {
    slug: "kustomize",
    package: "sigs.k8s.io/kustomize/kustomize/v5",
    version: "v5.8.1",
};

const REGISTRY: Pin = Pin::Install {
    slug: "registry",
    package: "github.com/distribution/distribution/v3/cmd/registry",
    version: "v3.1.2",
};

const VERSITYGW: Pin = Pin::Install {
    slug: "versitygw",
    package: "github.com/versity/versitygw/cmd/versitygw",
    version: "v1.8.0",
};

const NATS_SERVER: Pin = Pin::Install {
    slug: "nats-server",
    package: "github.com/nats-io/nats-server/v2",
    version: "v2.12.0",
};

impl Tool {
    /// Every tool of the tests, in the order that shares most of the builds.
    pub const ALL: [Self; 17] = [
        Self::Etcd,
        Self::KubeApiserver,
        Self::KubeControllerManager,
        Self::KubeScheduler,
        Self::Kwok,
        Self::Kubectl,
        Self::Kubelet,
        Self::KubeProxy,
        Self::Coredns,
        Self::Kustomize,
        Self::Registry,
        Self::Sops,
        Self::Vault,
        Self::AgeVectors,
        Self::Pause,
        Self::Versitygw,
        Self::NatsServer,
    ];

    /// Tools that take too long to build for all test runs. Tests use them if they exist.
    pub const ON_DEMAND: [Self; 1] = [Self::Gitea];

    /// The tools of a control plane.
    pub const CONTROL_PLANE: [Self; 4] = [
        Self::Etcd,
        Self::KubeApiserver,
        Self::KubeControllerManager,
        Self::KubeScheduler,
    ];

    /// The name of its binary.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Etcd => "etcd",
            Self::KubeApiserver => "kube-apiserver",
            Self::KubeControllerManager => "kube-controller-manager",
            Self::KubeScheduler => "kube-scheduler",
            Self::Kubectl => "kubectl",
            Self::Kubelet => "kubelet",
            Self::KubeProxy => "kube-proxy",
            Self::Kwok => "kwok",
            Self::Coredns => "coredns",
            Self::Kustomize => "kustomize",
            Self::Registry => "registry",
            Self::Sops => "sops",
            Self::Vault => "vault",
            Self::AgeVectors => "age-vectors",
            Self::Pause => "pause",
            Self::Versitygw => "versitygw",
            Self::Gitea => "gitea",
            Self::NatsServer => "nats-server",
        }
    }

    /// The pinned version.
    pub const fn version(self) -> &'static str {
        match self.pin() {
            Pin::Module { version, .. } | Pin::Install { version, .. } => version,
        }
    }

    pub(crate) const fn pin(self) -> &'static Pin {
        match self {
            Self::Etcd => &ETCD,
            Self::KubeApiserver
            | Self::KubeControllerManager
            | Self::KubeScheduler
            | Self::Kubectl
            | Self::Kubelet
            | Self::KubeProxy => &KUBERNETES,
            Self::Kwok => &KWOK,
            Self::Coredns => &COREDNS,
            Self::Kustomize => &KUSTOMIZE,
            Self::Registry => &REGISTRY,
            Self::Sops => &SOPS,
            Self::Vault => &VAULT,
            Self::AgeVectors => &AGE_VECTORS,
            Self::Pause => &PAUSE,
            Self::Versitygw => &VERSITYGW,
            Self::Gitea => &GITEA,
            Self::NatsServer => &NATS_SERVER,
        }
    }

    /// The package of its `main`.
    pub(crate) fn package(self) -> String {
        match self.pin() {
            Pin::Install { package, .. } => (*package).to_owned(),
            Pin::Module { .. } if self == Self::Etcd => "go.etcd.io/etcd/server/v3".to_owned(),
            Pin::Module { slug, .. } if *slug == KUBERNETES.slug() => {
                format!("k8s.io/kubernetes/cmd/{}", self.name())
            }
            Pin::Module { .. } => ".".to_owned(),
        }
    }

    /// Measured build times on two cores, in the order of [`Self::ALL`], for progress messages.
    pub(crate) const fn usual_time(self) -> Duration {
        Duration::from_secs(match self {
            Self::Etcd => 40,
            Self::KubeApiserver => 190,
            Self::KubeControllerManager => 50,
            Self::KubeScheduler | Self::Pause | Self::AgeVectors => 5,
            Self::Kubectl | Self::Kustomize => 20,
            Self::Kubelet => 25,
            Self::KubeProxy => 15,
            Self::Kwok => 30,
            Self::Coredns => 100,
            Self::Registry | Self::Versitygw | Self::NatsServer => 60,
            Self::Sops => 110,
            Self::Vault => 120,
            Self::Gitea => 400,
        })
    }
}

impl Pin {
    pub(crate) const fn slug(&self) -> &'static str {
        match self {
            Self::Module { slug, .. } | Self::Install { slug, .. } => slug,
        }
    }

    /// A short hash of the source.
    pub(crate) fn hash(&self) -> String {
        let mut hasher = blake3::Hasher::new();
        let parts: Vec<&str> = match self {
            Self::Module {
                go_mod,
                go_sum,
                source: (_, source),
                stand_ins,
                linker_flags,
                ..
            } => [go_mod, go_sum, source, linker_flags]
                .into_iter()
                .chain(stand_ins)
                .copied()
                .collect(),
            Self::Install {
                package, version, ..
            } => vec![package, version],
        };
        for part in parts {
            hasher.update(part.as_bytes());
            hasher.update(&[0]);
        }
        hasher.finalize().to_hex()[..12].to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_module_pin_requires_the_version_that_it_names() {
        for (tool, requirement) in [
            (Tool::KubeApiserver, "require k8s.io/kubernetes v1.36.3\n"),
            (Tool::Etcd, "require go.etcd.io/etcd/server/v3 v3.7.3\n"),
            (Tool::Vault, "require github.com/hashicorp/vault v1.21.0\n"),
            (Tool::Gitea, "require code.gitea.io/gitea v1.26.0\n"),
        ] {
            let Pin::Module { go_mod, .. } = tool.pin() else {
                panic!("{tool:?} is a module")
            };
            assert!(go_mod.contains(requirement), "{tool:?}");
            assert!(requirement.contains(tool.version()));
        }
        assert!(KWOK_MODULE.ends_with(Tool::Kwok.version()));
        assert!(GITEA_MODULE.ends_with(Tool::Gitea.version()));
    }

    #[test]
    fn every_tool_has_a_name_and_a_version_of_its_own() {
        let all: Vec<Tool> = [&Tool::ALL[..], &Tool::ON_DEMAND].concat();
        let mut names: Vec<_> = all.iter().map(|tool| tool.name()).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), all.len());
        assert!(all.iter().all(|tool| tool.version().starts_with('v')));
    }
}
