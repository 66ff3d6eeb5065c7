//! `kustomize build` and variable substitution as a pure function over a file tree.
