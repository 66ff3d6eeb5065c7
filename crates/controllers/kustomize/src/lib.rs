//! Kustomizations: from an artifact to objects in a cluster, pruned and healthy.
