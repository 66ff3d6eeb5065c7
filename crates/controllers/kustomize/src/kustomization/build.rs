//! From an archive to objects: read, built, variables put in, expanded. Blocks.
//!
//! The archive is read and not unpacked: nothing has to be written for a build, and
//! nothing to be cleaned up after it. Nothing outside of the tree can be read, but
//! for what its kustomizations name by URL, where that is allowed.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use sluice_apply::SecretValues;
use sluice_artifact::digest::Algorithm;
use sluice_artifact::fetch::Download;
use sluice_artifact::untar::Limits;
use sluice_kustomize::flux::{self, PostBuildError};
use sluice_kustomize::fs::{EntryKind, OverlayFs};
use sluice_kustomize::substitute::{self, Variables};
use sluice_kustomize::{Fs, Options};
use sluice_object::{Object, documents};
use sluice_sops::Decryptor;
use sluice_trees::{TarError, TarFs};

use super::decryption;
use super::turn::Turn;

/// Bytes of files that are held in memory; those of a larger tree lie on the disk.
const IN_MEMORY: u64 = 32 << 20;

/// What a build gave.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Built {
    pub(super) objects: Vec<Object>,
    /// The digest of the manifests, as one text.
    pub(super) digest: String,
    /// What came out of Secrets and encrypted files, and may stand in any of the objects.
    pub(super) hidden: SecretValues,
}

/// What is built, besides the archive.
#[derive(Debug, Clone, Default)]
pub(super) struct Recipe {
    /// Clean, and relative to the root of the archive.
    pub(super) path: String,
    /// What goes into the kustomization file.
    pub(super) overlay: flux::Spec,
    /// What opens encrypted files and objects, if they are to be opened.
    pub(super) decryptor: Option<Arc<Decryptor>>,
    /// The turn that is given back while keys are waited for, if the build has one.
    pub(super) turn: Option<Arc<Turn>>,
    /// The variables, or why they cannot be had; `None` if none are asked for.
    pub(super) variables: Option<Result<Variables, String>>,
    /// How they are put in.
    pub(super) substitution: substitute::Options,
    /// The values of variables that came out of Secrets.
    pub(super) hidden: SecretValues,
}

/// Why there are no manifests.
#[derive(Debug, thiserror::Error)]
pub(super) enum BuildError {
    /// The archive is none, or holds what it must not.
    #[error("failed to untar artifact")]
    Archive(#[source] TarError),
    /// There is nowhere to keep what does not fit into memory.
    #[error("tmp dir error")]
    Directory(#[source] std::io::Error),
    /// It has no such folder.
    #[error("kustomization path not found: {0}")]
    Path(String),
    /// The folder cannot be built.
    #[error("{0}")]
    Kustomize(String),
    /// What is encrypted cannot be opened.
    #[error("{0}")]
    Decryption(String),
    /// Variables cannot be put in.
    #[error("{0}")]
    PostBuild(String),
}

impl BuildError {
    /// The same without what is hidden: a message may quote what it is about.
    fn without(self, hidden: &SecretValues) -> Self {
        match self {
            Self::Kustomize(text) => Self::Kustomize(hidden.mask(text)),
            Self::Decryption(text) => Self::Decryption(hidden.mask(text)),
            Self::PostBuild(text) => Self::PostBuild(hidden.mask(text)),
            told @ (Self::Archive(_) | Self::Directory(_) | Self::Path(_)) => told,
        }
    }
}

/// Builds a folder of an archive.
pub(super) fn build(
    archive: &Arc<Download>,
    recipe: Recipe,
    options: &Options,
) -> Result<Built, BuildError> {
    let entries = archive.entries(Limits::unlimited());
    let tree = TarFs::read(entries, IN_MEMORY).map_err(|error| match error {
        TarError::Spool(source) => BuildError::Directory(source),
        error => BuildError::Archive(error),
    })?;
    build_tree(&tree, recipe, options)
}

pub(super) fn build_tree(
    tree: &dyn Fs,
    mut recipe: Recipe,
    options: &Options,
) -> Result<Built, BuildError> {
    let mut hidden = std::mem::take(&mut recipe.hidden);
    match objects(tree, recipe, options, &mut hidden) {
        Ok((objects, digest)) => Ok(Built {
            objects,
            digest,
            hidden,
        }),
        Err(error) => Err(error.without(&hidden)),
    }
}

/// The objects of a folder and the digest of their manifests.
fn objects(
    tree: &dyn Fs,
    recipe: Recipe,
    options: &Options,
    hidden: &mut SecretValues,
) -> Result<(Vec<Object>, String), BuildError> {
    let path = recipe.path.as_str();
    let directory = Path::new("/").join(path);
    let shown = if path.is_empty() { "." } else { path };
    match tree.kind(&directory) {
        Ok(Some(EntryKind::Directory)) => {}
        Ok(Some(_)) => return Err(BuildError::Path(format!("{shown} is not a directory"))),
        Ok(None) => {
            return Err(BuildError::Path(format!(
                "{shown}: no such file or directory"
            )));
        }
        Err(error) => return Err(BuildError::Path(error.to_string())),
    }
    let refused =
        |error: sluice_kustomize::Error| BuildError::Kustomize(worded(&error.to_string()));
    let decryptor = recipe.decryptor.as_deref();
    let turn = recipe.turn.as_deref();
    let generated = flux::generate(tree, &directory, &recipe.overlay).map_err(refused)?;
    let opened = match decryptor {
        None => OverlayFs::new(tree),
        Some(decryptor) => {
            decryption::open_sources(decryptor, turn, tree, &generated, &directory, hidden)
                .map_err(BuildError::Decryption)?
        }
    };
    let built = flux::build_generated(&opened, &directory, generated, options).map_err(refused)?;
    // What is changed after the build is printed anew, without the order that the build gave it.
    let is_final = decryptor.is_none() && recipe.variables.is_none();
    let text = is_final.then(|| built.as_yaml());
    let mut objects = built.into_objects();
    if let Some(decryptor) = decryptor {
        objects = decryption::open_objects(decryptor, turn, objects, hidden)
            .map_err(BuildError::Decryption)?;
    }
    if let Some(variables) = recipe.variables {
        objects = post_build(objects, variables, recipe.substitution)?;
    }
    let text = text.unwrap_or_else(|| flux::documents(&objects));
    let digest = Algorithm::Sha256.digest(text.as_bytes()).to_string();
    let values = objects.into_iter().map(Object::into_value);
    let objects = documents::expand(values);
    let objects = objects
        .into_iter()
        .filter(|object| !documents::is_kustomization_config(object));
    Ok((objects.collect(), digest))
}

/// Puts variables in. Why they cannot be had is told of the first object that
/// needs them, as Flux does, which reads them then.
fn post_build(
    objects: Vec<Object>,
    variables: Result<Variables, String>,
    options: substitute::Options,
) -> Result<Vec<Object>, BuildError> {
    let failed = |kind: &str, name: &str, why: &dyn fmt::Display| {
        BuildError::PostBuild(format!("post build failed for '{kind}/{name}': {why}"))
    };
    let variables = match variables {
        Ok(variables) => variables,
        Err(why) => {
            return match objects.iter().find(|object| !flux::is_switched_off(object)) {
                Some(object) => Err(failed(&flux::kind_of(object), object.name(), &why)),
                None => Ok(objects),
            };
        }
    };
    flux::substitute(objects, &variables, options).map_err(|error| match &error {
        PostBuildError::Object { kind, name, .. } => failed(kind, name, &error),
        PostBuildError::Conflict(_) => BuildError::PostBuild(error.to_string()),
    })
}

/// Flux says of what kustomize refuses that the build failed, and lets what it
/// finds itself before and after stand alone.
fn worded(message: &str) -> String {
    if message.starts_with("failed to decode Kubernetes") {
        message.to_owned()
    } else {
        format!("kustomize build failed: {message}")
    }
}

#[cfg(test)]
mod tests {
    use sluice_kustomize::fs::MemFs;

    use super::*;

    fn build_tree(tree: &MemFs, recipe: Recipe) -> Result<Built, BuildError> {
        super::build_tree(tree, recipe, &Options::flux())
    }

    const CONFIG: &str =
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: apps}\ndata: {a: b}\n";

    fn at(path: &str) -> Recipe {
        Recipe {
            path: path.to_owned(),
            ..Recipe::default()
        }
    }

    fn with_variables(variables: Result<Variables, String>, strict: bool) -> Recipe {
        Recipe {
            variables: Some(variables),
            substitution: substitute::Options {
                strict,
                always: false,
            },
            ..Recipe::default()
        }
    }

    #[test]
    fn variables_are_put_in_before_the_digest_is_taken() {
        let tree = MemFs::new().with(
            "a.yaml",
            "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {a: \"${v}\", b: x}\n",
        );
        let built = |value: &str| {
            let variables = [("v", value)].into_iter().collect();
            build_tree(&tree, with_variables(Ok(variables), true)).unwrap()
        };
        let one = built("1");
        assert_eq!(
            one.objects[0].at(&["data", "a"]),
            Some(&serde_json::json!(1))
        );
        assert_ne!(one.digest, built("2").digest);
        assert_eq!(one.digest, built("1").digest);
        // Without any variable the text stays.
        let none = build_tree(&tree, with_variables(Ok(Variables::default()), true)).unwrap();
        assert_eq!(none.objects[0].str_at(&["data", "a"]), Some("${v}"));
    }

    #[test]
    fn what_fails_after_the_build_is_told_of_its_object() {
        let tree = MemFs::new().with(
            "a.yaml",
            "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: a}\nspec: {a: \"${missing}\"}\n",
        );
        let told = |variables| {
            build_tree(&tree, with_variables(variables, true))
                .unwrap_err()
                .to_string()
        };
        assert_eq!(
            told(Ok([("v", "")].into_iter().collect())),
            "post build failed for 'Deployment.v1.apps/a': envsubst error: variable substitution failed: variable not set (strict mode): \"missing\""
        );
        assert_eq!(
            told(Err(
                "substitute from 'Secret/x' error: secrets \"x\" not found".to_owned()
            )),
            "post build failed for 'Deployment.v1.apps/a': substitute from 'Secret/x' error: secrets \"x\" not found"
        );
        assert_eq!(
            told(Ok([("a-b", "")].into_iter().collect())),
            "post build failed for 'Deployment.v1.apps/a': envsubst error: 'a-b' var name is invalid, must match '^[_[:alpha:]][_[:alpha:][:digit:]]*$'"
        );
    }

    #[test]
    fn what_is_hidden_is_in_no_message_and_handed_on() {
        let tree = MemFs::new().with(
            "a.yaml",
            "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  a: ${v}\n",
        );
        let recipe = |value: &str| {
            let mut recipe = with_variables(Ok([("v", value)].into_iter().collect()), true);
            recipe.hidden.add(value);
            recipe
        };
        let built = build_tree(&tree, recipe("canary-value")).unwrap();
        assert_eq!(built.hidden.mask("canary-value".to_owned()), "***");
        assert!(!format!("{built:?}").contains("canary"), "{built:?}");
        for broken in ["canary-value: [", "*canary-alias", "\"canary-quote"] {
            let error = build_tree(&tree, recipe(broken)).unwrap_err();
            assert!(
                !format!("{error} {error:?}").contains("canary"),
                "{error:?}"
            );
        }
    }

    fn names(built: &Built) -> Vec<String> {
        built
            .objects
            .iter()
            .map(|object| object.id().to_string())
            .collect()
    }

    #[test]
    fn a_plain_folder_is_built_with_what_is_below_it() {
        let tree = MemFs::new()
            .with("deploy/a.yaml", CONFIG)
            .with("deploy/more/list.yml", "apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: Namespace, metadata: {name: n}}\n")
            .with("deploy/README.md", "# not a manifest")
            .with("elsewhere.yaml", "not: a manifest");
        let built = build_tree(&tree, at("deploy")).unwrap();
        assert_eq!(names(&built), ["ConfigMap/apps/a", "Namespace/n"]);
        assert!(built.digest.starts_with("sha256:"), "{}", built.digest);
    }

    #[test]
    fn a_kustomization_says_what_belongs_to_it() {
        let tree = MemFs::new()
            .with("kustomization.yaml", "resources: [a.yaml]")
            .with("a.yaml", CONFIG)
            .with("b.yaml", "nonsense");
        assert_eq!(
            names(&build_tree(&tree, at("")).unwrap()),
            ["ConfigMap/apps/a"]
        );
    }

    #[test]
    fn an_empty_folder_is_nothing_and_no_error() {
        let tree = MemFs::new().with("README.md", "");
        assert_eq!(build_tree(&tree, at("")).unwrap().objects, []);
    }

    #[test]
    fn mistakes_are_told_without_a_path_of_this_machine() {
        let tree = MemFs::new()
            .with("bad/a.yaml", "a: [")
            .with("file", "")
            .with("k/kustomization.yaml", "resources: [gone.yaml]");
        let told = |path: &str| build_tree(&tree, at(path)).unwrap_err().to_string();
        assert_eq!(
            told("gone"),
            "kustomization path not found: gone: no such file or directory"
        );
        assert_eq!(
            told("file"),
            "kustomization path not found: file is not a directory"
        );
        assert!(
            told("bad").starts_with("failed to decode Kubernetes YAML from "),
            "{}",
            told("bad")
        );
        assert!(
            told("k").starts_with("kustomize build failed: "),
            "{}",
            told("k")
        );
        assert!(told("k").contains("gone.yaml"));
    }
}
