//! The stages of a render, in order.

use std::borrow::Cow;
use std::path::Path;

use sluice_digest::Algorithm;
use sluice_kustomize::flux::{self, Filter, GeneratedKustomization, PostBuildError};
use sluice_kustomize::fs::{EntryKind, OverlayFs};
use sluice_kustomize::{Fs, Options, ResMap};
use sluice_object::{Object, documents};

use crate::error::RenderError;
use crate::node::{Node, RenderedNode, View};
use crate::{decryption, mask};

/// Renders a node for a controller. Blocks.
pub fn render(tree: &dyn Fs, node: Node, options: &Options) -> Result<RenderedNode, RenderError> {
    let mut render = Render::new(tree, node, options);
    let result = render.controller();
    render
        .finish(result)
        .map(|((objects, digest), hidden)| RenderedNode {
            objects,
            digest,
            hidden,
        })
}

/// Renders a node for a person: without ignored files, with owner labels, and with
/// encrypted values masked. Blocks.
pub fn preview(
    tree: &dyn Fs,
    node: Node,
    view: &View<'_>,
    options: &Options,
) -> Result<Vec<Object>, RenderError> {
    let mut render = Render::new(tree, node, options);
    let result = render.view(view);
    render.finish(result).map(|(objects, _)| objects)
}

struct Render<'r> {
    tree: &'r dyn Fs,
    node: Node,
    options: &'r Options,
}

impl<'r> Render<'r> {
    fn new(tree: &'r dyn Fs, node: Node, options: &'r Options) -> Self {
        Self {
            tree,
            node,
            options,
        }
    }

    fn finish<T>(
        self,
        result: Result<T, RenderError>,
    ) -> Result<(T, sluice_apply::SecretValues), RenderError> {
        let hidden = self.node.hidden;
        match result {
            Ok(output) => Ok((output, hidden)),
            Err(error) => Err(error.without(&hidden)),
        }
    }

    /// The objects and the digest of their manifests.
    fn controller(&mut self) -> Result<(Vec<Object>, String), RenderError> {
        self.check_directory()?;
        let generated = self.generate(None)?;
        let built = self.build(generated)?;
        // Later stages change the objects, and their text loses the order of the build.
        let is_final = self.node.decryptor.is_none() && self.node.variables.is_none();
        let text = is_final.then(|| built.to_yaml());
        let objects = self.decrypt(built.into_objects())?;
        let objects = self.substitute(objects)?;
        let text = text.unwrap_or_else(|| flux::documents(&objects));
        let digest = Algorithm::Sha256.digest(text.as_bytes()).to_string();
        Ok((expand(objects), digest))
    }

    fn view(&mut self, view: &View<'_>) -> Result<Vec<Object>, RenderError> {
        let generated = self.generate(Some(view.filter))?;
        let built = self.build(generated)?;
        let objects = self.decrypt(built.into_objects())?;
        let mut objects = self.substitute(objects)?;
        for object in &mut objects {
            // Flux's command line labels a list itself, not its items.
            object.set_label("kustomize.toolkit.fluxcd.io/name", &view.owner.name);
            let namespace = &view.owner.namespace;
            object.set_label("kustomize.toolkit.fluxcd.io/namespace", namespace);
            mask::mask_secret(object).map_err(RenderError::Mask)?;
        }
        Ok(expand(objects))
    }

    fn check_directory(&self) -> Result<(), RenderError> {
        let directory = &self.node.directory;
        let shown = directory.strip_prefix("/").unwrap_or(directory).display();
        let shown = match shown.to_string() {
            root if root.is_empty() => Cow::Borrowed("."),
            below => Cow::Owned(below),
        };
        let cause = match self.tree.kind(directory) {
            Ok(Some(EntryKind::Directory)) => return Ok(()),
            Ok(Some(_)) => format!("{shown} is not a directory"),
            Ok(None) => format!("stat {shown}: no such file or directory"),
            Err(error) => error.to_string(),
        };
        Err(RenderError::Directory(cause))
    }

    fn generate(&self, filter: Option<&Filter<'_>>) -> Result<GeneratedKustomization, RenderError> {
        let Node {
            directory, spec, ..
        } = &self.node;
        let generated = match filter {
            None => flux::generate(self.tree, directory, spec),
            Some(filter) => flux::generate_filtered(self.tree, directory, spec, filter),
        };
        generated.map_err(|error| RenderError::Generate(error.to_string(), error.code()))
    }

    fn build(&mut self, generated: GeneratedKustomization) -> Result<ResMap, RenderError> {
        let Node {
            directory,
            decryptor,
            hidden,
            ..
        } = &mut self.node;
        let directory: &Path = directory;
        let sources = match decryptor {
            None => OverlayFs::new(self.tree),
            Some((decryptor, waiter)) => decryption::decrypt_sources(
                decryptor, &**waiter, self.tree, &generated, directory, hidden,
            )
            .map_err(RenderError::Decrypt)?,
        };
        flux::build_generated(&sources, directory, generated, self.options)
            .map_err(|error| RenderError::Build(error.to_string(), error.code()))
    }

    fn decrypt(&mut self, objects: Vec<Object>) -> Result<Vec<Object>, RenderError> {
        match &self.node.decryptor {
            None => Ok(objects),
            Some((decryptor, waiter)) => {
                let hidden = &mut self.node.hidden;
                decryption::decrypt_objects(decryptor, &**waiter, objects, hidden)
                    .map_err(RenderError::Decrypt)
            }
        }
    }

    fn substitute(&mut self, objects: Vec<Object>) -> Result<Vec<Object>, RenderError> {
        let failed = |kind: &str, name: &str, cause: String| RenderError::Substitute {
            kind: kind.to_owned(),
            name: name.to_owned(),
            cause,
        };
        let variables = match self.node.variables.take() {
            None => return Ok(objects),
            Some(Ok(variables)) => variables,
            // Flux reads the variables per object and reports the first that needs them.
            Some(Err(cause)) => {
                return match objects
                    .iter()
                    .find(|object| !flux::is_substitution_disabled(object))
                {
                    Some(object) => Err(failed(&flux::format_gvk(object), object.name(), cause)),
                    None => Ok(objects),
                };
            }
        };
        flux::substitute(objects, &variables, self.node.substitution).map_err(
            |error| match &error {
                PostBuildError::Object { kind, name, .. } => failed(kind, name, error.to_string()),
                PostBuildError::Conflict(_) => RenderError::Conflict(error.to_string()),
            },
        )
    }
}

/// Replaces lists by their items and drops configuration of kustomize itself.
fn expand(objects: Vec<Object>) -> Vec<Object> {
    let values = objects.into_iter().map(Object::into_value);
    let mut objects = documents::expand(values);
    objects.retain(|object| !documents::is_kustomization_config(object));
    objects
}

#[cfg(test)]
mod tests;
