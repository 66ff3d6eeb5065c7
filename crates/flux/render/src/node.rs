//! The input and the output of a render.

use std::path::PathBuf;
use std::sync::Arc;

use sluice_apply::{Owner, SecretValues};
use sluice_kustomize::flux::{Filter, Spec};
use sluice_kustomize::substitute::{self, Variables};
use sluice_object::Object;
use sluice_sops::Decryptor;

use crate::decryption::Waiter;

/// A Kustomization node: a directory of a tree and how to render it.
#[derive(Debug, Clone)]
pub struct Node {
    /// The directory of the manifests, as a path of the tree.
    pub directory: PathBuf,
    /// Fields of the Kustomization object that go into the kustomization file.
    pub spec: Spec,
    /// Decrypts files and objects; without it they stay encrypted.
    pub decryptor: Option<(Arc<Decryptor>, Arc<dyn Waiter>)>,
    /// The variables, or why they could not be read; `None` without `postBuild`.
    pub variables: Option<Result<Variables, String>>,
    /// How variables are substituted.
    pub substitution: substitute::Options,
    /// Values that no message may contain.
    pub hidden: SecretValues,
}

impl Default for Node {
    fn default() -> Self {
        Self {
            directory: PathBuf::from("/"),
            spec: Spec::default(),
            decryptor: None,
            variables: None,
            substitution: substitute::Options::default(),
            hidden: SecretValues::default(),
        }
    }
}

/// The objects of a node.
#[derive(Debug, Clone, PartialEq)]
pub struct RenderedNode {
    /// The objects, in the order of the build.
    pub objects: Vec<Object>,
    /// The digest of the manifests, before lists are expanded.
    pub digest: String,
    /// Values of Secrets and encrypted files that may occur in any of the objects.
    pub hidden: SecretValues,
}

/// How [`preview`](crate::preview) differs from [`render`](crate::render()).
pub struct View<'v> {
    /// The Kustomization whose labels each object gets.
    pub owner: &'v Owner,
    /// Files that the build leaves out.
    pub filter: &'v Filter<'v>,
}
