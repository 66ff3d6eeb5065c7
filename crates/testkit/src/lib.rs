//! The test bed: control plane, fault proxy, recorder, event sink, registry and hostile servers.
