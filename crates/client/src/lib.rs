//! The Kubernetes client: kubeconfig, impersonation, throttle, cached discovery and REST mapping.
